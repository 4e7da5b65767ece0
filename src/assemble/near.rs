//! Names of the index that are like a word that was not found.

use super::IndexView;
use crate::search::Scope;

/// How many similar names are suggested.
const MAX_NEAR: usize = 5;

/// Defined names and paths of the scope that are nearly the last name of the text, or share the longest prefix with one
/// of its words.
pub fn near(view: &IndexView, scope: &Scope, wanted: &str) -> Vec<String> {
    let whole = wanted.rsplit('/').next().unwrap_or(wanted).to_lowercase();
    let wanted: Vec<String> =
        wanted.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_lowercase).collect();
    let shared = |name: &str| {
        let name = name.to_lowercase();
        let common = |word: &String| name.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
        if is_slip(&whole, &name) { SLIP } else { wanted.iter().map(common).max().unwrap_or(0) }
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

/// Counts more than any shared prefix.
const SLIP: usize = usize::MAX;

/// Whether one name is the other with a slip or two of the finger.
fn is_slip(wanted: &str, name: &str) -> bool {
    let most = wanted.len() / 5 + 1;
    (3..=MAX_SLIP_BYTES).contains(&wanted.len())
        && wanted.len().abs_diff(name.len()) <= most
        && strsim::levenshtein(wanted, name) <= most
}

/// The comparison takes the square of the length.
const MAX_SLIP_BYTES: usize = 100;
