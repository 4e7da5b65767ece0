//! Files of links between blocks: one link per line.

use super::fields::{Faults, Fields, id};
use super::lines::rows;
use super::{BlockLink, LinkTarget, WorkspaceFile};
use crate::dialect::export::{Troubles, json};
use crate::record::SourceKind;

/// The keys of both ends, as programs name them.
pub const ENDS: [(&str, &str); 3] = [("from", "to"), ("taskId", "noteId"), ("task_id", "note_id")];
const LABELS: [&str; 3] = ["label", "relationType", "relation_type"];

/// Reads all lines that can be read.
pub fn read(text: &str) -> WorkspaceFile {
    let mut file = WorkspaceFile::new(SourceKind::Links);
    let mut troubles = Troubles::default();
    for row in rows(text) {
        let span = json::span_in(text, row);
        let mut faults = Faults { troubles: &mut troubles, span, subject: "a line of links".to_string() };
        match link(row, &mut faults) {
            Some(link) => file.links.push(link),
            None => faults.shape("it does not name two blocks by their ids; it is left out"),
        }
    }
    file.troubles = troubles.finish();
    file
}

fn link(row: &str, faults: &mut Faults) -> Option<(String, BlockLink)> {
    let fields = Fields::parse(row)?;
    let ends = |(from, to): (&str, &str)| Some((id(fields.get(from)?)?, id(fields.get(to)?)?));
    let (from, to) = ENDS.into_iter().find_map(ends)?;
    let label = LABELS.into_iter().find_map(|key| fields.word(key, faults));
    Some((from, BlockLink { to: LinkTarget::Id(to), label, is_relation: true, span: faults.span }))
}
