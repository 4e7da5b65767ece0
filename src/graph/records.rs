//! The records of a graph, made one at a time from its tables. They borrow their texts.

use super::Graph;
use super::nodes::NodeRecord;
use super::occurrences::EdgeOccurrence;
use crate::record::{Audience, Edge, Evidence, EvidencePlace};

impl Graph<'_> {
    /// Who may read a node: if something of the tree is not for everybody, only nodes of blocks are for anybody.
    fn audience(&self, at: usize) -> Audience {
        let Some(audiences) = &self.audiences else { return Audience::default() };
        audiences.get(self.node_id(at)).cloned().unwrap_or_else(Audience::nobody)
    }

    pub fn node(&self, at: usize) -> NodeRecord<'_> {
        NodeRecord { audience: self.audience(at), ..self.nodes.all[at].record(self.input) }
    }

    pub fn edge(&self, at: usize) -> Edge<&str> {
        let edge = self.edges.edge(at);
        let best = edge.best;
        Edge {
            audience: self.audience(edge.from.index()).and(&self.audience(edge.to.index())),
            candidates: (best.candidates > 1).then_some(best.candidates.into()),
            confidence: best.confidence,
            evidence: edge.evidence().collect(),
            evidence_omitted: edge.evidence_omitted(),
            from: self.node_id(edge.from.index()),
            label: best.label.text(&self.labels).map(str::to_string),
            status: best.status,
            tier: best.tier,
            to: self.node_id(edge.to.index()),
            edge_type: best.edge_type,
        }
    }

    pub fn evidence(&self, at: usize) -> Evidence<&str> {
        let places = self.edges.places(at);
        let place = |seen: &EdgeOccurrence| EvidencePlace {
            confidence: seen.confidence,
            evidence_id: seen.evidence,
            kind: seen.kind,
            site: seen.site,
        };
        Evidence {
            // It says where something is named, and what it is: it is of two blocks or more.
            audience: if self.audiences.is_some() { Audience::nobody() } else { Audience::default() },
            chunk_uid: places.first.chunk_uid,
            file_rel_path: self.evidence_file(at),
            places: places.all().map(place).collect(),
        }
    }
}
