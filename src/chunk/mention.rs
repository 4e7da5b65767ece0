//! Mentions become references: grouped by the chunk they stand in and by what they say.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::language::Mention;
use crate::record::{Binding, Chunk, Flow, Reference, Role, Site};
use crate::text::{LineIndex, RepoPath};

use super::cut::Owners;
use super::layer::Layer;

/// What the sites of one record have in common.
#[derive(PartialEq, Eq, Hash)]
struct Group<'m> {
    owner: usize,
    role: Role,
    name: &'m str,
    receiver: Option<&'m str>,
    receiver_type: Option<&'m str>,
    arguments: Option<u32>,
    binding: Option<&'m Binding>,
    flow: Option<&'m Flow>,
}

pub fn references(
    path: &RepoPath,
    layers: &[Layer],
    chunks: &[Chunk],
    owners: &Owners,
    index: &LineIndex,
) -> Vec<Reference> {
    let mut records: Vec<Reference> = Vec::new();
    let mut known: FxHashMap<Group, usize> = FxHashMap::default();
    for mention in layers.iter().flat_map(|layer| &layer.facts.mentions) {
        let Some(owner) = owners.of(mention.span.start) else { continue };
        let record = *known.entry(group(mention, owner)).or_insert_with(|| {
            records.push(reference(path, mention, &chunks[owner]));
            records.len() - 1
        });
        let site = Site::of(mention.span, index);
        if records[record].sites.last() != Some(&site) {
            records[record].sites.push(site);
        }
    }
    records
}

fn group<'m>(mention: &'m Mention, owner: usize) -> Group<'m> {
    Group {
        owner,
        role: mention.role,
        name: &mention.name,
        receiver: mention.receiver.as_deref(),
        receiver_type: mention.receiver_type.as_deref(),
        arguments: mention.arguments,
        binding: mention.binding.as_ref(),
        flow: mention.flow.as_ref(),
    }
}

fn reference(path: &RepoPath, mention: &Mention, chunk: &Chunk) -> Reference {
    let owned = |text: &Option<Cow<str>>| text.as_ref().map(|text| text.to_string());
    Reference {
        file_rel_path: path.clone(),
        chunk_uid: chunk.chunk_uid,
        role: mention.role,
        name: mention.name.to_string(),
        receiver: owned(&mention.receiver),
        receiver_type: owned(&mention.receiver_type),
        arguments: mention.arguments,
        binding: mention.binding.clone(),
        flow: mention.flow.clone(),
        sites: Vec::new(),
    }
}
