//! What the user of a request did, up to its `now`. Nobody else's activity is looked at.

use crate::assemble::blocks::{ReadableActivity, ReadableBlocks};
use crate::record::BlockNo;
use crate::record::workspace::ContextRequest;

/// The user's own entries, in the order of the files.
pub struct OwnActivity {
    pub entries: Vec<OwnEntry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnEntry {
    pub block: BlockNo,
    pub action: Action,
    /// Seconds before `now`; none are negative.
    pub age: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Edit,
    Create,
    Comment,
    View,
}

impl OwnActivity {
    pub fn new(view: &ReadableBlocks, request: &ContextRequest, now: i64) -> Self {
        let lines = request.user.as_ref().map(|user| view.activity_of(&user.id)).unwrap_or_default();
        OwnActivity { entries: lines.iter().filter_map(|line| entry(line, now)).collect() }
    }
}

/// None if it is later than `now`.
fn entry(line: &ReadableActivity, now: i64) -> Option<OwnEntry> {
    let action = match line.action {
        "edit" => Action::Edit,
        "create" => Action::Create,
        "comment" => Action::Comment,
        _ => Action::View,
    };
    let age = now.saturating_sub(line.at);
    (age >= 0).then_some(OwnEntry { block: line.block, action, age })
}
