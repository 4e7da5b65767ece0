//! Which of the query's words a chunk or a file contains. Words count by their weight and their rarity.

use super::terms::{Field, Posting};

/// The weights of the words that a chunk contains: at first sums, then shares of all words of the query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FoundWords {
    pub all: f64,
    /// Those in names that the chunk defines, and in its comment.
    pub names: f64,
    pub doc: f64,
}

impl FoundWords {
    pub fn add(&mut self, posting: &Posting, weight: f64) {
        self.all += weight;
        self.names += if posting.has(Field::Name) { weight } else { 0.0 };
        self.doc += if posting.has(Field::Doc) { weight } else { 0.0 };
    }

    /// The shares of a query whose words weigh `query` together.
    pub fn relative_to(&self, query: f64) -> FoundWords {
        FoundWords { all: share(self.all, query), names: share(self.names, query), doc: share(self.doc, query) }
    }
}

/// A part of a sum, from 0 to 1.
pub fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_by_their_weight_and_field() {
        let mut chunk = FoundWords::default();
        let posting = |fields| Posting { chunk: 0, count: 2, fields };
        chunk.add(&posting(Field::Name as u8), 1.0);
        chunk.add(&posting(0), 2.0);
        assert_eq!(chunk.relative_to(4.0), FoundWords { all: 0.75, names: 0.25, doc: 0.0 });
    }

    #[test]
    fn a_query_without_words_finds_nothing() {
        assert_eq!(FoundWords::default().relative_to(0.0), FoundWords::default());
    }
}
