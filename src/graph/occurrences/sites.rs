//! The edges that one reference gives at its sites.

use std::borrow::Cow;

use xxhash_rust::xxh64::xxh64;

use super::{EdgeOccurrence, Endpoint, Finder, LabelNo, Occurrences};
use crate::graph::input::{FlowRow, Reference, Sites};
use crate::graph::note_links;
use crate::graph::resolve::{Outcome, Resolution, Target, confidence};
use crate::graph::tree::FileNo;
use crate::record::{
    ChunkUid, EdgeStatus, EdgeType, EvidenceId, EvidenceKind, FlowSource, Medium, NodeId, Origin, Role, Score, Site,
    Tier,
};

/// Sites of one reference in one scope.
pub struct ReferenceSites<'s> {
    pub finder: &'s Finder<'s>,
    pub chunk: u32,
    pub file: FileNo,
    pub reference: &'s Reference<'s>,
    pub sites: &'s [Site],
}

impl ReferenceSites<'_> {
    pub fn edges(&self, outcome: &Outcome, occurrences: &mut Occurrences) {
        let source = self.finder.sources[self.chunk as usize];
        if self.reference.role == Role::Trace && !self.finder.is_prose(self.chunk) {
            return self.implements(source, outcome, occurrences);
        }
        if self.reference.role.is_of_notes() {
            return self.note_edges(source, outcome, occurrences);
        }
        let (from, edge_type, kind) = self.edge(source);
        self.push(from, edge_type, kind, outcome, occurrences);
        // What a section of a spec names, the spec names as well.
        let spec = self.finder.resolver.tree.spec_of(self.file).filter(|_| edge_type == EdgeType::Doc);
        if let Some(spec) = spec {
            self.push(Endpoint::Symbol(spec), edge_type, kind, outcome, occurrences);
        }
        let is_test = edge_type == EdgeType::Call && self.finder.input.is_test(self.file as usize);
        if let (true, Outcome::Found { resolution, .. }) = (is_test, outcome)
            && let [Target::Symbol(subject)] = resolution.targets.as_slice()
            && !self.finder.input.is_test(self.finder.resolver.tree.file_of(*subject) as usize)
        {
            self.push_each(
                from,
                EdgeType::Test,
                kind,
                Endpoint::Symbol(*subject),
                Certainty::resolved(resolution),
                occurrences,
            );
        }
    }

    /// What a section or block of a page links to, the page links to as well. Nothing links to itself.
    fn note_edges(&self, source: Endpoint, outcome: &Outcome, occurrences: &mut Occurrences) {
        let (edge_type, kind) = self.reference.role.edge();
        let page = Some(Endpoint::File(self.file)).filter(|_| self.finder.notes.is_page(self.file));
        for site in self.sites.chunks(1) {
            let block = self.finder.notes.block_at(self.file, site[0].start).map(Endpoint::Symbol);
            let host = block.unwrap_or(source);
            let one = ReferenceSites { sites: site, ..*self };
            for from in [Some(host), page.filter(|page| *page != host)].into_iter().flatten() {
                let first = occurrences.all.len();
                one.push(from, edge_type, kind, outcome, occurrences);
                // Only what was just added can lead back.
                let added = occurrences.all.split_off(first);
                occurrences.all.extend(added.into_iter().filter(|occurrence| occurrence.to != from));
            }
        }
    }

    fn edge(&self, source: Endpoint) -> (Endpoint, EdgeType, EvidenceKind) {
        let role = self.reference.role;
        if role.medium() == Medium::Code && self.finder.is_prose(self.chunk) {
            return (source, EdgeType::Doc, EvidenceKind::Span);
        }
        let (edge_type, kind) = role.edge();
        match role.origin() {
            Origin::Host => (source, edge_type, kind),
            Origin::File => (Endpoint::File(self.file), edge_type, kind),
        }
    }

    /// Code that names a spec implements it: the edge is the one that a link in the spec would give.
    fn implements(&self, code: Endpoint, outcome: &Outcome, occurrences: &mut Occurrences) {
        let (Outcome::Found { resolution, .. } | Outcome::Ambiguous(resolution)) = outcome else { return };
        let certainty = match outcome {
            Outcome::Ambiguous(_) => Certainty::ambiguous(resolution),
            _ => Certainty::resolved(resolution),
        };
        for spec in resolution.targets.iter().filter_map(endpoint) {
            self.push_each(spec, EdgeType::Doc, EvidenceKind::Span, code, certainty, occurrences);
        }
    }

    /// Adds edges from the source of a value to the call that it reaches.
    pub fn flow(&self, flow: &FlowRow, outcome: &Outcome, occurrences: &mut Occurrences) {
        let Outcome::Found { resolution, .. } = outcome else { return };
        let source = match flow.source {
            FlowSource::Parameter => Some(self.finder.sources[self.chunk as usize]),
            FlowSource::Call => self.called(flow),
        };
        let Some(from) = source else { return };
        for to in resolution.targets.iter().filter_map(endpoint) {
            self.push_each(
                from,
                EdgeType::Dataflow,
                EvidenceKind::Span,
                to,
                Certainty::resolved(resolution),
                occurrences,
            );
        }
    }

    /// The function whose result flows into the call.
    fn called(&self, flow: &FlowRow) -> Option<Endpoint> {
        let call = Reference {
            arguments: None,
            binding: None,
            flow: None,
            name: Cow::Borrowed(&flow.name),
            receiver: flow.receiver.as_deref().map(Cow::Borrowed),
            receiver_type: None,
            role: Role::Call,
            sites: Sites::default(),
        };
        let scope = self.finder.resolver.scope_at(self.file, self.sites[0].start);
        match self.finder.resolver.resolve(&call, scope, &|_| true) {
            Outcome::Found { resolution, .. } => match resolution.targets.as_slice() {
                [Target::Symbol(symbol)] => Some(Endpoint::Symbol(*symbol)),
                _ => None,
            },
            _ => None,
        }
    }

    fn push(
        &self,
        from: Endpoint,
        edge_type: EdgeType,
        kind: EvidenceKind,
        outcome: &Outcome,
        occurrences: &mut Occurrences,
    ) {
        match outcome {
            Outcome::Unresolved(_) => {}
            Outcome::Outside(target) => {
                let language = self.external_language();
                if let Some(id) = external_id(target, language).filter(|_| edge_type != EdgeType::Doc) {
                    let to = occurrences.add_external(id);
                    self.push_each(from, edge_type, kind, to, Certainty::EXTERNAL, occurrences);
                }
            }
            Outcome::Ambiguous(resolution) => {
                let certainty = Certainty::ambiguous(resolution);
                for to in resolution.targets.iter().filter_map(endpoint) {
                    self.push_each(from, edge_type, kind, to, certainty, occurrences);
                }
            }
            Outcome::Found { resolution, overrides } => {
                for to in resolution.targets.iter().filter_map(endpoint) {
                    self.push_each(from, edge_type, kind, to, Certainty::resolved(resolution), occurrences);
                }
                let confidence = confidence::OVERRIDE.shared_by(overrides.len());
                let (tier, status) = (Tier::Scope, EdgeStatus::Ambiguous);
                let certainty = Certainty { tier, status, confidence, candidates: overrides.len() };
                for symbol in overrides.iter().filter(|_| edge_type == EdgeType::Call) {
                    self.push_each(from, edge_type, kind, Endpoint::Symbol(*symbol), certainty, occurrences);
                }
            }
        }
    }

    fn push_each(
        &self,
        from: Endpoint,
        edge_type: EdgeType,
        kind: EvidenceKind,
        to: Endpoint,
        certainty: Certainty,
        occurrences: &mut Occurrences,
    ) {
        let is_tool = certainty.tier == Tier::Tooling && !self.reference.role.is_of_notes();
        let kind = if is_tool { EvidenceKind::Tooling } else { kind };
        let record = &self.finder.input.references[self.chunk as usize];
        let label = if edge_type == EdgeType::Field { self.label() } else { LabelNo::NONE };
        occurrences.all.extend(self.sites.iter().map(|site| EdgeOccurrence {
            from,
            to,
            site: *site,
            chunk_uid: record.chunk_uid,
            evidence: evidence_id(record.chunk_uid, record.start, kind, site),
            file: self.file,
            confidence: certainty.confidence,
            candidates: certainty.candidates as u16,
            label,
            edge_type,
            tier: certainty.tier,
            status: certainty.status,
            kind,
        }));
    }
}

impl ReferenceSites<'_> {
    /// The language of external nodes.
    fn external_language(&self) -> &str {
        match self.reference.role {
            Role::Tag => note_links::TAG,
            role if role.is_of_notes() => note_links::UNWRITTEN,
            _ => &self.finder.input.references[self.chunk as usize].language_id,
        }
    }

    fn label(&self) -> LabelNo {
        let name = self.reference.receiver.as_deref();
        name.map_or(LabelNo::NONE, |name| self.finder.label(name))
    }
}

/// The id of a piece of evidence. Edits elsewhere in the file do not change it.
pub fn evidence_id(chunk: ChunkUid, chunk_start: u32, kind: EvidenceKind, site: &Site) -> EvidenceId {
    let mut bytes = [0; 17];
    bytes[..8].copy_from_slice(&chunk.to_hash().to_le_bytes());
    bytes[8..12].copy_from_slice(&site.start.wrapping_sub(chunk_start).to_le_bytes());
    bytes[12..16].copy_from_slice(&(site.end - site.start).to_le_bytes());
    bytes[16] = kind as u8;
    EvidenceId::from_hash(xxh64(&bytes, 0))
}

/// How a target was found, and how sure that is.
#[derive(Clone, Copy)]
struct Certainty {
    tier: Tier,
    status: EdgeStatus,
    confidence: Score,
    candidates: usize,
}

impl Certainty {
    const EXTERNAL: Certainty =
        Certainty { tier: Tier::Import, status: EdgeStatus::External, confidence: confidence::IMPORT, candidates: 1 };

    fn resolved(resolution: &Resolution) -> Self {
        Certainty {
            tier: resolution.tier,
            status: EdgeStatus::Resolved,
            confidence: resolution.confidence,
            candidates: 1,
        }
    }

    /// One of several candidates.
    fn ambiguous(resolution: &Resolution) -> Self {
        let candidates = resolution.targets.len();
        let confidence = resolution.confidence.shared_by(candidates);
        Certainty { tier: resolution.tier, status: EdgeStatus::Ambiguous, confidence, candidates }
    }
}

fn endpoint(target: &Target) -> Option<Endpoint> {
    match target {
        Target::Symbol(symbol) => Some(Endpoint::Symbol(*symbol)),
        Target::File(file) => Some(Endpoint::File(*file)),
        Target::Package(_) | Target::Outside { .. } => None,
    }
}

/// The id of an external node. Builtin names are counted, but are not nodes.
fn external_id(target: &Target, language: &str) -> Option<NodeId> {
    match target {
        Target::Outside { module, name } if !module.is_empty() => {
            Some(NodeId::external(language, module, name.as_deref()))
        }
        _ => None,
    }
}
