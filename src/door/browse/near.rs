//! Names and paths that a reader may have meant.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::assemble::IndexView;

const MAX_NEAR: usize = 5;
/// Longer names are not compared: nobody types them.
const MAX_CHARS: usize = 64;

/// Names and paths that are spelt like a wanted one, the most similar first.
pub fn near(view: &IndexView, wanted: &str) -> Vec<String> {
    let is_path = wanted.contains('/');
    let last = wanted.rsplit(['/', '.', ':', '#']).find(|part| !part.is_empty()).unwrap_or(wanted);
    let paths = view.corpus().paths().map(|(_, path)| path);
    let mut near = BTreeSet::new();
    if is_path || wanted.contains('.') {
        let file = file_name(wanted);
        add(&mut near, paths.map(|path| (path, file_name(path))), file);
    }
    if !is_path {
        add(&mut near, view.corpus().names().map(|name| (name, name)), last);
    }
    near.into_iter().take(MAX_NEAR).map(|(_, name)| name.to_string()).collect()
}

/// Adds what is similar to a word, with how far it is from it. Keeps only the nearest.
fn add<'n>(near: &mut BTreeSet<(Reverse<u32>, &'n str)>, all: impl Iterator<Item = (&'n str, &'n str)>, word: &str) {
    let word = word.to_lowercase();
    let length = word.chars().count();
    if length == 0 || length > MAX_CHARS {
        return;
    }
    for (whole, part) in all.filter(|(_, part)| part.len() <= MAX_CHARS) {
        let part = part.to_lowercase();
        if let Some(similarity) = similarity(&word, length, &part) {
            near.insert((Reverse(similarity), whole));
            if near.len() > MAX_NEAR {
                near.pop_last();
            }
        }
    }
}

/// In thousandths: by edits, or by the share of a name that the word is.
fn similarity(word: &str, length: usize, other: &str) -> Option<u32> {
    let other_length = other.chars().count();
    let share = |part: usize, whole: usize| (part * 1_000 / whole.max(1)) as u32;
    if length >= 3 && other.contains(word) {
        return Some(share(length, other_length).min(999));
    }
    let longest = length.max(other_length);
    let most = (length / 3).max(1);
    if length.abs_diff(other_length) > most {
        return None;
    }
    let edits = strsim::damerau_levenshtein(word, other);
    (edits <= most).then(|| share(longest - edits, longest))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
