//! The names of files as terms, computed from the paths once for all queries.

use rustc_hash::FxHashMap;

use super::words::{Analyser, parts, words};
use crate::record::FileNo;

/// The terms of each file's name, without directories and extensions.
#[derive(Default)]
pub struct FileNames {
    numbers: FxHashMap<String, u32>,
    terms: Vec<u32>,
    /// Where each file's terms end.
    ends: Vec<u32>,
}

impl FileNames {
    pub fn from_paths<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let analyser = Analyser::default();
        let mut names = FileNames::default();
        let mut known: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for path in paths {
            let name = path.rsplit('/').next().unwrap_or(path);
            let stem = name.split('.').next().unwrap_or(name);
            let terms = known.entry(stem).or_insert_with(|| {
                let parts = words(stem).flat_map(|(_, word)| parts(word));
                parts.flat_map(|part| analyser.terms(part)).map(|term| names.number(term)).collect()
            });
            names.terms.extend_from_slice(terms);
            names.ends.push(names.terms.len() as u32);
        }
        names
    }

    fn number(&mut self, term: String) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(term).or_insert(next)
    }

    pub fn term_count(&self) -> usize {
        self.numbers.len()
    }

    pub fn term(&self, term: &str) -> Option<u32> {
        self.numbers.get(term).copied()
    }

    /// In the order in which they occur in the name.
    pub fn terms_of(&self, file: FileNo) -> &[u32] {
        let start = file.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.terms[start as usize..self.ends[file.index()] as usize]
    }
}
