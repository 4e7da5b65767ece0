//! What is found for a request, before the budget is known.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::record::workspace::{LeftOut, PayloadPart, PayloadWarning, Similarity, Why};
use crate::record::{BlockType, Date, Score};

/// All candidates of a request, for the four parts that show blocks.
#[derive(Clone, Debug)]
pub struct Found {
    /// Parts that looked for something. One that found nothing has no entries; one that is off is not here.
    pub parts: BTreeMap<PayloadPart, PartFound>,
    /// Distinct blocks that were candidates.
    pub considered: u32,
    /// As far as the reader may see them.
    pub focus_block_id: Option<String>,
    pub focus_page_id: Option<String>,
    pub similarity: Similarity,
    pub warnings: Vec<PayloadWarning>,
    /// What the query asks for, as terms.
    pub query_terms: BTreeSet<String>,
    /// The date and time that ages are counted from, as it is written in the payload.
    pub now: String,
    /// The day of `now` in its own time zone.
    pub today: Date,
}

/// The candidates of one part.
#[derive(Clone, Debug, Default)]
pub struct PartFound {
    /// The best first; at equal relevance in document order.
    pub entries: Vec<Entry>,
    pub left_out: BTreeMap<LeftOut, u32>,
}

/// Something that can be shown.
#[derive(Clone, Debug)]
pub struct Entry {
    pub block_id: String,
    pub block_type: BlockType,
    pub page_title: Option<String>,
    /// The titles from the root down to its parent.
    pub path: Vec<String>,
    pub modified: Option<Date>,
    /// All of it.
    pub content: String,
    /// Where in `content` each block stands that is shown, the entry's own block among them.
    pub blocks: Vec<ShownBlock>,
    /// Of code.
    pub language: Option<String>,
    /// Whether it is shown whole or not at all: the focus, and what the request includes.
    pub is_whole: bool,
    /// Its place in the document.
    pub order: u32,
    pub relevance: Score,
    pub why: Option<Why>,
}

/// A block in the content of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownBlock {
    pub block_id: String,
    /// In bytes.
    pub range: Range<usize>,
}
