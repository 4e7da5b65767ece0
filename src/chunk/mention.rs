//! Mentions become references: grouped by their chunk and by what they say.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use crate::language::Mention;
use crate::record::{Audience, Chunk, Reference, References, Site};
use crate::text::{LineIndex, RepoPath};

use super::cut::Owners;
use super::layer::Layer;

pub fn references(
    path: &RepoPath,
    layers: &[Layer],
    chunks: &[Chunk],
    owners: &Owners,
    index: &LineIndex,
) -> Vec<References> {
    let mut of_chunks: Vec<Vec<Reference>> = vec![Vec::new(); chunks.len()];
    let mut known = FxHashMap::default();
    for mention in layers.iter().flat_map(|layer| &layer.facts.mentions) {
        let Some(owner) = owners.chunk_at(mention.span.start) else { continue };
        let references = &mut of_chunks[owner];
        // The sites of one reference have all of this in common.
        let Mention { role, name, receiver, receiver_type, arguments, binding, flow, span } = mention;
        let common = (owner, role, name, receiver, receiver_type, arguments, binding, flow);
        let at = *known.entry(common).or_insert_with(|| {
            references.push(reference(mention));
            references.len() - 1
        });
        let site = Site::from_span(*span, index);
        if references[at].sites.last() != Some(&site) {
            references[at].sites.push(site);
        }
    }
    let named = of_chunks.into_iter().zip(chunks).filter(|(references, _)| !references.is_empty());
    named.map(|(references, chunk)| record(path, chunk, references)).collect()
}

fn record(path: &RepoPath, chunk: &Chunk, mut references: Vec<Reference>) -> References {
    references.sort_by(|a, b| a.order().cmp(&b.order()));
    References {
        audience: Audience::default(),
        chunk_uid: chunk.chunk_uid,
        file_rel_path: path.clone(),
        language_id: chunk.language_id.clone(),
        references,
        start: chunk.range.start,
        symbol_id: chunk.symbol_id.clone(),
    }
}

fn reference(mention: &Mention) -> Reference {
    let owned = |text: &Option<Cow<str>>| text.as_ref().map(|text| text.to_string());
    Reference {
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
