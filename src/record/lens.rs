//! How a brief walks through notes: which edges, how far, and what is shown of each note.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Direction, EdgeType};

/// A lens with all its values, wherever they come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Lens {
    /// Notes with one of these tags get a tenth more score.
    pub boost_tags: Vec<String>,
    /// The edges to follow, each with its weight in thousandths. Other edges are not followed.
    pub edges: BTreeMap<WalkWord, u32>,
    /// The fields that are shown; `*` is every field.
    pub fields: Vec<String>,
    /// How many neighbours of one note are followed over one kind of edge.
    pub max_children: u32,
    pub max_depth: u32,
    pub name: String,
    /// The age in days at which recency has fallen to 1/e.
    pub recency_days: u32,
    /// Whether a note's siblings are reached through its parent.
    pub siblings: bool,
}

/// An edge type and the direction in which it is followed. The order is that of JSON keys; [`WalkWord::ORDER`] is the
/// order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum WalkWord {
    /// To the notes that link here.
    Backlink,
    /// To the notes inside.
    Child,
    /// To the code that the note names.
    Doc,
    /// From code to the notes that name it.
    DocOf,
    /// To the notes in its fields.
    Field,
    /// To the notes that have it in a field.
    FieldOf,
    /// To the note around it.
    Parent,
    /// To the notes that it links to.
    Reference,
    /// To its tags.
    Tag,
    /// From a tag to the notes that have it.
    Tagged,
}

impl WalkWord {
    /// Of two equally good paths, the one with the earlier word is kept.
    pub const ORDER: [WalkWord; 10] = [
        WalkWord::Child,
        WalkWord::Parent,
        WalkWord::Reference,
        WalkWord::Backlink,
        WalkWord::Field,
        WalkWord::FieldOf,
        WalkWord::Tag,
        WalkWord::Tagged,
        WalkWord::Doc,
        WalkWord::DocOf,
    ];

    pub fn name(self) -> &'static str {
        match self {
            WalkWord::Backlink => "backlink",
            WalkWord::Child => "child",
            WalkWord::Doc => "doc",
            WalkWord::DocOf => "docOf",
            WalkWord::Field => "field",
            WalkWord::FieldOf => "fieldOf",
            WalkWord::Parent => "parent",
            WalkWord::Reference => "reference",
            WalkWord::Tag => "tag",
            WalkWord::Tagged => "tagged",
        }
    }

    /// The place in the order of preference.
    pub fn rank(self) -> u8 {
        Self::ORDER.iter().position(|word| *word == self).unwrap_or_default() as u8
    }

    pub fn edge_type(self) -> EdgeType {
        match self {
            WalkWord::Child | WalkWord::Parent => EdgeType::Child,
            WalkWord::Reference | WalkWord::Backlink => EdgeType::Reference,
            WalkWord::Field | WalkWord::FieldOf => EdgeType::Field,
            WalkWord::Tag | WalkWord::Tagged => EdgeType::Tag,
            WalkWord::Doc | WalkWord::DocOf => EdgeType::Doc,
        }
    }

    pub fn direction(self) -> Direction {
        match self {
            WalkWord::Child | WalkWord::Reference | WalkWord::Field | WalkWord::Tag | WalkWord::Doc => Direction::Out,
            _ => Direction::In,
        }
    }
}

/// The weight of an edge that is followed without loss.
pub const WHOLE_WEIGHT: u32 = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_one_name_and_one_place_each() {
        for (at, word) in WalkWord::ORDER.into_iter().enumerate() {
            assert_eq!(serde_json::to_value(word).unwrap(), word.name());
            assert_eq!(usize::from(word.rank()), at);
        }
        let pairs = |word: WalkWord| (word.edge_type(), word.direction());
        assert!(
            WalkWord::ORDER
                .iter()
                .all(|word| { WalkWord::ORDER.iter().filter(|other| pairs(**other) == pairs(*word)).count() == 1 })
        );
    }
}
