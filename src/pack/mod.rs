//! `pack(index, request) -> ContextPack`: a pure function. Seeds, then the graph around them, then scores,
//! then sections within the budgets, then what is shown and why.

mod allocate;
pub mod budget;
mod candidate;
mod chunk_nodes;
mod diff;
mod excerpt;
mod expand;
mod identity;
mod intent;
mod ledger;
mod render;
mod seeds;
mod why_not;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::graph::adjacency::Adjacency;
use crate::record::Chunk;
use crate::record::pack::{ContextPack, Explain, PackStats, Receipt, Section};
use crate::record::request::PackRequest;
use crate::search::{Corpus, RecordPlace, Weights};

pub use chunk_nodes::ChunkNodes;
pub use diff::{Cause, Change, ItemChange, PackDiff, diff};
pub use identity::{index_signature, pack_id};
pub use render::{Format, json, render};
pub use seeds::{has_focus, ranked};
pub use why_not::{Cap, Target, Verdict, WhyNot, why_not};

/// Goes up when the same index and request give another pack.
///
/// 1: first version. 2: two linear models of odds, and an order by what each item adds for its room. 3: room is paid by
/// the token, named lines come first, two words are one name, empty lines behind a chunk.
pub const RULESET_VERSION: u32 = 3;

/// Everything a pack is made of besides its request.
pub struct PackIndex<'i, S> {
    pub corpus: &'i Corpus<'i>,
    pub graph: Option<Adjacency<'i>>,
    pub shelf: &'i S,
    /// Of the chunks and the graph together.
    pub signature: &'i str,
    /// The source's date.
    pub created_at: &'i str,
    pub receipt: &'i Receipt,
    pub weights: &'i Weights,
    /// Made by the first pack that needs it.
    pub nodes: OnceLock<ChunkNodes>,
}

impl<S> PackIndex<'_, S> {
    /// The graph with the chunks of its nodes.
    fn linked(&self) -> Option<(&Adjacency<'_>, &ChunkNodes)> {
        let graph = self.graph.as_ref()?;
        Some((graph, self.nodes.get_or_init(|| ChunkNodes::of(graph, self.corpus))))
    }
}

/// Gives chunks by where their records stand.
pub trait Shelf: Sync {
    type Fault: Send;

    fn chunk(&self, place: &RecordPlace) -> Result<Arc<Chunk>, Self::Fault>;
}

/// The request has to have passed [`PackRequest::check`].
pub fn pack<S: Shelf>(index: &PackIndex<S>, request: &PackRequest) -> Result<ContextPack, S::Fault> {
    let seeds = seeds::find(index, request)?;
    let walk = expand::walk(index, request, &seeds)?;
    let ranked = candidate::ranked(index, request, &seeds, &walk);
    let allocated = allocate::allocate(index, request, &ranked)?;
    let explain = Explain {
        caps: [walk.caps, allocated.caps].concat(),
        edges_walked: walk.edges_walked.iter().map(|(edge, count)| (edge.name().to_string(), *count)).collect(),
        evidence_gaps: allocated.evidence_gaps,
        query: seeds.explain,
    };
    Ok(ContextPack {
        budgets: request.budgets.clone(),
        created_at: index.created_at.to_string(),
        explain: request.include_explain.0.then_some(explain),
        format_version: 1,
        index_signature: index.signature.to_string(),
        pack_id: pack_id(index.signature, request),
        receipt: index.receipt.clone(),
        request: request.clone(),
        schema: "ContextPack".to_string(),
        schema_version: "1.0.0".to_string(),
        seeds: seeds.entries,
        stats: PackStats {
            candidates: ranked.candidates.len() as u32,
            dropped: allocated.dropped,
            items: counts(&allocated.sections),
            max_hop: walk.max_hop,
            rendered_chars: allocated.chars,
            rendered_tokens: allocated.tokens,
        },
        sections: allocated.sections,
    })
}

fn counts(sections: &[Section]) -> BTreeMap<String, u32> {
    sections.iter().map(|section| (section.section_type.name().to_string(), section.items.len() as u32)).collect()
}
