//! Finds what the contract of workspaces says, in small workspaces that are written here.

mod activity;
mod content;
mod focus;
mod interference;
mod relations;
mod scores;
mod semantic;
mod size;
mod world;

use super::{Entry, Found, Intents, WorkspaceSettings, find};
use crate::assemble::blocks::{TestIndex, reader};
use crate::record::Reader;
use crate::record::workspace::{ContextRequest, PayloadPart, RequestFault};

/// What is found in blocks that everybody may read, unless they say something else.
fn found(blocks: &str, request: &str) -> Found {
    found_in(&[("blocks.jsonl", blocks)], request, &reader(&[]))
}

fn found_in(files: &[(&str, &str)], request: &str, reader: &Reader) -> Found {
    try_find(files, request, reader).unwrap()
}

/// Items say why they are there.
fn try_find(files: &[(&str, &str)], request: &str, reader: &Reader) -> Result<Found, RequestFault> {
    let request: ContextRequest = serde_json::from_str(request).unwrap();
    let request = ContextRequest { include_explain: true, ..request };
    let profile = WorkspaceSettings::default().profile(request.request_type);
    TestIndex::new(files).with(reader, None, |view| find(view, &request, &profile, &Intents::default(), None))
}

fn entries(found: &Found, part: PayloadPart) -> &[Entry] {
    &found.parts[&part].entries
}

/// The blocks of a part with their priors, in document order.
fn priors(found: &Found, part: PayloadPart) -> String {
    let mut entries: Vec<&Entry> = entries(found, part).iter().collect();
    entries.sort_by_key(|entry| entry.order);
    let prior = |entry: &&Entry| format!("{} {}", entry.block_id, entry.why.as_ref().unwrap().prior);
    entries.iter().map(prior).collect::<Vec<_>>().join(", ")
}

/// The blocks of a part, the best first.
fn ids(found: &Found, part: PayloadPart) -> String {
    entries(found, part).iter().map(|entry| entry.block_id.as_str()).collect::<Vec<_>>().join(" ")
}

fn entry<'f>(found: &'f Found, id: &str) -> &'f Entry {
    let all = found.parts.values().flat_map(|part| &part.entries);
    all.into_iter().find(|entry| entry.block_id == id).unwrap_or_else(|| panic!("{id} is not found"))
}

/// The codes and texts of warnings.
fn warnings(found: &Found) -> Vec<String> {
    found.warnings.iter().map(|warning| format!("{:?}: {}", warning.code, warning.message)).collect()
}
