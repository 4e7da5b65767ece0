//! The one order of notes, for every cut that a brief makes.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::index::NoteIndex;
use super::score;
use super::words::TopicWords;
use crate::graph::notes::NoteClass;
use crate::record::brief::ScoreParts;
use crate::record::lens::Lens;
use crate::record::{NodeNo, NoteNo, Score};
use crate::text::fold;

const DAY: i64 = 86_400;

/// Scores nodes for one topic.
pub struct Ranking<'r> {
    pub index: &'r NoteIndex<'r>,
    pub lens: &'r Lens,
    /// Days since 1970.
    as_of: Option<i64>,
    words: TopicWords,
    boost_tags: Vec<String>,
    /// Whether a tag boosts, once it is known.
    boosts: RefCell<BTreeMap<NodeNo, bool>>,
    /// The share of the topic's words in the title of a note, once it is known.
    titles: RefCell<BTreeMap<NoteNo, Score>>,
}

/// What the order of two nodes depends on, besides facts about the nodes.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    pub node: NodeNo,
    pub score: Score,
    pub distance: u32,
}

impl<'r> Ranking<'r> {
    /// `as_of` is in seconds since 1970; `topic` is the text whose words decide between equals.
    pub fn new(index: &'r NoteIndex<'r>, lens: &'r Lens, as_of: Option<i64>, topic: &str) -> Self {
        let boost_tags = lens.boost_tags.iter().map(|tag| plain_name(tag)).collect();
        let words = TopicWords::new(index.view, topic);
        let as_of = as_of.map(|seconds| seconds.div_euclid(DAY));
        Ranking { index, lens, as_of, words, boost_tags, boosts: RefCell::default(), titles: RefCell::default() }
    }

    /// The parts of a node's score at some proximity. There are no vectors yet, so nothing is known of similarity.
    pub fn parts(&self, node: NodeNo, proximity: Score) -> ScoreParts {
        let recency = score::recency(self.age(node), self.lens.recency_days);
        score::parts(proximity, recency, None, self.is_boosted(node))
    }

    pub fn standing(&self, node: NodeNo, proximity: Score, distance: u32) -> Standing {
        Standing { node, score: score::total(&self.parts(node, proximity)), distance }
    }

    /// The share of the topic's words in a node's text, or in the title of the note that it is a part of.
    pub fn lexical(&self, node: NodeNo) -> Score {
        let own = self.index.chunk(node).map_or(Score::default(), |chunk| self.words.share(chunk));
        let notes = self.index.notes;
        match notes.note(node) {
            // The chunk of a note has its title.
            Some(note) if !notes.is_unit(note) || notes.class(note) == NoteClass::Page => {
                own.max(self.in_title(notes.unit(note)))
            }
            _ => own,
        }
    }

    fn in_title(&self, note: NoteNo) -> Score {
        let known = self.titles.borrow().get(&note).copied();
        known.unwrap_or_else(|| {
            let share = self.words.share_of(self.index.view, self.index.notes.title(note));
            self.titles.borrow_mut().insert(note, share);
            share
        })
    }

    /// The better first. Total: no two nodes are equal.
    pub fn compare(&self, a: &Standing, b: &Standing) -> Ordering {
        let scores = b.score.cmp(&a.score).then(a.distance.cmp(&b.distance));
        scores
            .then_with(|| self.lexical(b.node).cmp(&self.lexical(a.node)))
            .then_with(|| compare_facts(self.index, a.node, b.node))
    }

    /// Whole days; 0 for what is newer than the day that ages are counted from.
    fn age(&self, node: NodeNo) -> Option<u64> {
        let modified = self.index.modified(node)?.div_euclid(DAY);
        Some(u64::try_from(self.as_of? - modified).unwrap_or(0))
    }

    fn is_boosted(&self, node: NodeNo) -> bool {
        !self.boost_tags.is_empty() && self.index.tags(node).any(|tag| self.does_boost(tag, MAX_EXTENDED))
    }

    /// Whether a tag, or one that it extends, is a boosted one. Tags that extend each other in a circle end the search.
    fn does_boost(&self, tag: NodeNo, depth: u32) -> bool {
        if let Some(known) = self.boosts.borrow().get(&tag) {
            return *known;
        }
        let name = plain_name(self.index.name(tag));
        let is_named = self.boost_tags.iter().any(|boosted| is_or_begins(&name, boosted, '/'));
        let boosts = is_named || depth > 0 && self.index.tags(tag).any(|tag| self.does_boost(tag, depth - 1));
        self.boosts.borrow_mut().insert(tag, boosts);
        boosts
    }
}

/// How many tags extend each other at most.
const MAX_EXTENDED: u32 = 16;

/// The last part of the order: the newer, then by place.
pub fn compare_facts(index: &NoteIndex, a: NodeNo, b: NodeNo) -> Ordering {
    let order = |node: NodeNo| index.notes.note(node).map_or(0, |note| index.notes.order(note));
    index
        .modified(b)
        .cmp(&index.modified(a))
        .then_with(|| index.path(a).cmp(index.path(b)))
        .then_with(|| order(a).cmp(&order(b)))
        .then_with(|| a.cmp(&b))
}

/// A name of a tag or a field as lenses compare it: folded, with `-` for blanks and `_`.
pub fn plain_name(name: &str) -> String {
    fold(name.trim_start_matches('#')).replace([' ', '_'], "-")
}

/// Whether a plain name is another, or begins with it up to a separator.
pub fn is_or_begins(name: &str, beginning: &str, separator: char) -> bool {
    name.strip_prefix(beginning).is_some_and(|rest| rest.is_empty() || rest.starts_with(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_plainly() {
        assert_eq!(plain_name("#Action Item"), "action-item");
        assert_eq!(plain_name("blocked_by"), "blocked-by");
        assert!(is_or_begins("due-date", "due", '-') && is_or_begins("due", "due", '-'));
        assert!(!is_or_begins("duet", "due", '-'));
        assert!(is_or_begins("project/alpha", "project", '/'));
    }
}
