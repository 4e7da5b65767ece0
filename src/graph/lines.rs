//! The records of a graph as canonical lines, straight from its tables: see [`crate::record::Node`],
//! [`crate::record::Edge`] and [`crate::record::Evidence`].

use std::marker::PhantomData;

use serde::Serialize;

use super::Graph;
use super::adjacency::Code;
use super::nodes::NodeFacts;
use crate::record::{EdgeStatus, EdgeType, EvidenceKind, Line, NodeKind, Tier};

/// Writes records by their places in their artifacts.
pub struct Lines<'g, 'i> {
    graph: &'g Graph<'i>,
    node_kinds: Words<NodeKind>,
    edge_types: Words<EdgeType>,
    tiers: Words<Tier>,
    statuses: Words<EdgeStatus>,
    evidence_kinds: Words<EvidenceKind>,
}

impl<'g, 'i> Lines<'g, 'i> {
    pub fn new(graph: &'g Graph<'i>) -> Self {
        Lines {
            graph,
            node_kinds: Words::new(),
            edge_types: Words::new(),
            tiers: Words::new(),
            statuses: Words::new(),
            evidence_kinds: Words::new(),
        }
    }

    pub fn node(&self, at: usize, lines: &mut Vec<u8>) {
        let node = &self.graph.nodes.all[at];
        let NodeFacts { chunk_uid, file_rel_path, kind, language_id, name } = node.facts(self.graph.input);
        let mut line = Line::new(lines);
        line.raw("{");
        if let Some(chunk_uid) = chunk_uid {
            line.raw("\"chunkUid\":");
            line.chunk_uid(chunk_uid);
            line.raw(",");
        }
        if let Some(path) = file_rel_path {
            line.raw("\"fileRelPath\":");
            line.text(path);
            line.raw(",");
        }
        line.raw("\"kind\":");
        line.raw(self.node_kinds.of(kind));
        if let Some(language_id) = language_id {
            line.raw(",\"languageId\":");
            line.text(language_id);
        }
        if !name.is_empty() {
            line.raw(",\"name\":");
            line.text(&name);
        }
        line.raw(",\"nodeId\":");
        line.text(&node.id);
        if node.unresolved > 0 {
            line.raw(",\"unresolved\":");
            line.number(node.unresolved);
        }
        line.raw("}\n");
    }

    pub fn edge(&self, at: usize, lines: &mut Vec<u8>) {
        let edge = self.graph.connected.edge(at);
        let mut line = Line::new(lines);
        line.raw("{");
        if edge.best.candidates > 1 {
            line.raw("\"candidates\":");
            line.number(u32::from(edge.best.candidates));
            line.raw(",");
        }
        line.raw("\"confidence\":");
        line.score(edge.best.confidence);
        line.raw(",\"evidence\":");
        let mut before = "[";
        for id in edge.evidence() {
            line.raw(before);
            line.evidence_id(id);
            before = ",";
        }
        line.raw("]");
        let omitted = edge.evidence_omitted();
        if omitted > 0 {
            line.raw(",\"evidenceOmitted\":");
            line.number(omitted);
        }
        line.raw(",\"from\":");
        line.text(&self.graph.nodes.all[edge.from as usize].id);
        line.raw(",\"status\":");
        line.raw(self.statuses.of(edge.best.status));
        line.raw(",\"tier\":");
        line.raw(self.tiers.of(edge.best.tier));
        line.raw(",\"to\":");
        line.text(&self.graph.nodes.all[edge.to as usize].id);
        line.raw(",\"type\":");
        line.raw(self.edge_types.of(edge.best.edge_type));
        line.raw("}\n");
    }

    pub fn evidence(&self, at: usize, lines: &mut Vec<u8>) {
        let places = self.graph.connected.places(at);
        let mut line = Line::new(lines);
        line.raw("{\"chunkUid\":");
        line.chunk_uid(places.first.chunk_uid);
        line.raw(",\"fileRelPath\":");
        line.text(self.graph.input.files[places.first.file as usize].file_rel_path.as_str());
        line.raw(",\"places\":");
        let mut before = "[{\"confidence\":";
        for seen in places.all() {
            line.raw(before);
            line.score(seen.confidence);
            line.raw(",\"evidenceId\":");
            line.evidence_id(seen.evidence);
            line.raw(",\"kind\":");
            line.raw(self.evidence_kinds.of(seen.kind));
            line.raw(",\"site\":");
            line.site(&seen.site);
            before = "},{\"confidence\":";
        }
        line.raw("}]}\n");
    }
}

/// The words of an enum, in quotes.
struct Words<C> {
    words: Vec<String>,
    of: PhantomData<C>,
}

impl<C: Code + Serialize> Words<C> {
    fn new() -> Self {
        let word = |value: &C| serde_json::to_string(value).expect("an enum's word is JSON");
        Words { words: C::ALL.iter().map(word).collect(), of: PhantomData }
    }

    fn of(&self, value: C) -> &str {
        &self.words[usize::from(value.code())]
    }
}
