//! Names that are similar to one that does not exist.

use std::collections::BTreeSet;

use super::target::{name_parts, written};
use super::{IndexView, ReadError};
use crate::search::Scope;
use crate::text::RepoPath;

/// How many names are suggested.
const MAX_NEAR: usize = 5;
/// Names that only contain the wanted one must share this many characters.
const MIN_SHARED: usize = 3;

/// Definitions and files with the most similar names, each written so that it can be typed.
pub fn near_names(view: &IndexView, typed: &str) -> Result<Vec<String>, ReadError> {
    let last = name_parts(typed).last().copied().unwrap_or(typed);
    let names: BTreeSet<&str> = view.corpus().names().collect();
    let names = most_similar(names.into_iter().map(|name| (name, name)), last);
    let mut near: Vec<(usize, bool, String)> = Vec::new();
    for (distance, name) in names {
        // `Order.csot` is more likely `Order.cost` than another `cost`.
        let is_elsewhere = |written: &String| !shares_outer(written, typed);
        let found = definitions(view, name)?.into_iter().map(|written| (distance, is_elsewhere(&written), written));
        near.extend(found.take(MAX_NEAR));
    }
    let wanted_file = typed.rsplit('/').next().unwrap_or(typed);
    let paths = view.paths()?.iter().map(|path| (path.file_name(), path));
    let paths = most_similar(paths, wanted_file).into_iter();
    near.extend(paths.map(|(distance, path)| (distance, true, path.to_string())));
    near.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
    near.dedup();
    near.truncate(MAX_NEAR);
    Ok(near.into_iter().map(|(_, _, name)| name).collect())
}

/// Defined names and paths of the scope that share the longest prefix with a word of a query.
pub fn near_words(view: &IndexView, scope: &Scope, query: &str) -> Vec<String> {
    let wanted: Vec<String> =
        query.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_lowercase).collect();
    let shared = |name: &str| {
        let name = name.to_lowercase();
        let common = |word: &String| name.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        wanted.iter().map(common).max().unwrap_or(0)
    };
    let last = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_string();
    let corpus = view.corpus();
    let is_inside = |name: &&str| scope.is_everything() || corpus.definitions(name).any(|chunk| scope.has(chunk));
    let names = corpus.names().filter(is_inside).map(|name| (shared(name), name.to_string()));
    let paths = corpus.paths().filter(|(file, _)| scope.has_file(*file));
    let paths = paths.map(|(_, path)| (shared(&last(path)), path.to_string()));
    let mut all: Vec<(usize, String)> = names.chain(paths).filter(|(count, _)| *count > 2).collect();
    all.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.len().cmp(&b.1.len())).then_with(|| a.1.cmp(&b.1)));
    all.dedup();
    all.truncate(MAX_NEAR);
    all.into_iter().map(|(_, name)| name).collect()
}

/// Whether the name before the last one is the same, or nearly.
fn shares_outer(written: &str, typed: &str) -> bool {
    let outer = |name: &str| name_parts(name).into_iter().nth_back(1).map(str::to_lowercase);
    let (Some(written), Some(typed)) = (outer(written), outer(typed)) else { return false };
    strsim::osa_distance(&written, &typed) <= 1 + typed.chars().count() / 5
}

fn definitions(view: &IndexView, name: &str) -> Result<BTreeSet<String>, ReadError> {
    let corpus = view.corpus();
    let mut found = BTreeSet::new();
    for chunk in corpus.definitions(name).take(MAX_NEAR) {
        let Ok(path) = RepoPath::try_from(corpus.path(corpus.file_of(chunk)).to_string()) else { continue };
        let symbols = view.symbols(&path)?;
        found.extend(symbols.iter().filter(|symbol| symbol.name == name).map(written));
    }
    Ok(found)
}

/// The things whose text is most similar to the wanted one, with their distance.
fn most_similar<'t, T: Ord>(all: impl Iterator<Item = (&'t str, T)>, wanted: &str) -> Vec<(usize, T)> {
    let wanted = wanted.to_lowercase();
    let rated = all.filter_map(|(text, thing)| Some((distance(&text.to_lowercase(), &wanted)?, text.len(), thing)));
    let mut rated: Vec<(usize, usize, T)> = rated.collect();
    rated.sort();
    rated.truncate(MAX_NEAR);
    rated.into_iter().map(|(distance, _, thing)| (distance, thing)).collect()
}

/// Typing mistakes between two lower-case texts, if they are few; names that contain one another come after these.
fn distance(text: &str, wanted: &str) -> Option<usize> {
    let (length, wanted_length) = (text.chars().count(), wanted.chars().count());
    let most = 1 + wanted_length / 5;
    if length.abs_diff(wanted_length) <= most {
        let distance = strsim::osa_distance(text, wanted);
        if distance <= most && distance < wanted_length {
            return Some(distance);
        }
    }
    let (shorter, longer) = if length < wanted_length { (text, wanted) } else { (wanted, text) };
    let is_part = length.min(wanted_length) >= MIN_SHARED && longer.contains(shorter);
    is_part.then(|| most + 1 + length.abs_diff(wanted_length))
}

#[cfg(test)]
mod tests {
    use super::{distance, most_similar};

    #[test]
    fn few_mistakes_are_near_and_parts_are_farther() {
        assert_eq!(distance("load", "lod"), Some(1));
        assert_eq!(distance("laod", "load"), Some(1), "two letters that changed places are one mistake");
        assert_eq!(distance("makeredirroute", "makeredirrout"), Some(1));
        assert!(distance("load_all_of_it", "load") > distance("lead", "load"));
        assert_eq!(distance("save", "load"), None);
        assert_eq!(distance("x", "y"), None, "one letter has nothing in common with another");
    }

    #[test]
    fn equal_distances_are_ordered_by_length_and_text() {
        let names = ["loads", "lord", "load", "toad"].map(|name| (name, name));
        assert_eq!(most_similar(names.into_iter(), "load"), [(0, "load"), (1, "lord"), (1, "toad"), (1, "loads")]);
    }
}
