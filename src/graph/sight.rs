//! Goes over every reference of the tree and notes what each leads to.

use std::borrow::Cow;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh64::xxh64;

use super::input::{FlowRow, Input, Reference, References, Sites};
use super::prose;
use super::resolve::{Here, Known, Outcome, Resolver, Target, confidence};
use super::tooling::Tooling;
use super::tree::{FileNo, SymbolNo};
use crate::record::{
    ChunkUid, EdgeStatus, EdgeType, EvidenceId, EvidenceKind, FlowSource, Medium, NodeId, Origin, Role, Score, Site,
    Tier,
};

/// One site that leads from one node to another.
#[derive(Clone, Copy, Debug)]
pub struct Sighting {
    pub from: End,
    pub to: End,
    pub site: Site,
    pub chunk_uid: ChunkUid,
    pub evidence: EvidenceId,
    pub file: FileNo,
    pub confidence: Score,
    pub candidates: u16,
    pub edge_type: EdgeType,
    pub tier: Tier,
    pub status: EdgeStatus,
    pub kind: EvidenceKind,
}

impl Sighting {
    /// Counts what lies outside from another start.
    pub fn shift_outside(&mut self, by: u32) {
        if let End::Outside(at) = &mut self.to {
            *at += by;
        }
    }
}

/// A node before it has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Symbol(SymbolNo),
    /// A place in the list of chunks with references.
    Chunk(u32),
    File(FileNo),
    /// A place in the list of what lies outside.
    Outside(u32),
}

/// What became of the sites of some references.
#[derive(Default)]
pub struct Sightings<'i> {
    pub all: Vec<Sighting>,
    /// The ids of what lies outside.
    pub outside: Vec<NodeId>,
    /// By language of the chunk and role: resolved, ambiguous, external, unresolved.
    pub counts: FxHashMap<(&'i str, Role), [u64; 4]>,
    /// Sites of a chunk that lead to nothing known.
    pub unresolved: Vec<(u32, u32)>,
}

/// Of one chunk, by role: resolved, ambiguous, external, unresolved.
type Counts = Vec<(Role, [u64; 4])>;

/// A reference's site and what it was taken for, for comparison with other tools.
pub struct Claim {
    pub file: FileNo,
    pub site: Site,
    pub role: Role,
    pub name: String,
    pub targets: Vec<(Target, Score)>,
    pub candidates: usize,
}

/// Everything that the walk over references needs.
pub struct Walk<'w> {
    pub resolver: &'w Resolver<'w>,
    pub input: &'w Input<'w>,
    /// The node that each record of references comes from.
    pub hosts: Vec<End>,
    pub tooling: &'w Tooling,
}

/// Chunks whose references are worked off together.
const BATCH: usize = 256;

impl<'w> Walk<'w> {
    pub fn new(resolver: &'w Resolver<'w>, input: &'w Input<'w>, tooling: &'w Tooling) -> Self {
        let host = |(at, record): (usize, &References)| {
            let symbol = record.symbol_id.as_deref().and_then(|id| resolver.tree.symbol(id));
            symbol.map_or(End::Chunk(at as u32), End::Symbol)
        };
        let hosts = input.references.iter().enumerate().map(host).collect();
        Walk { resolver, input, hosts, tooling }
    }

    /// The sightings of every chunk's references, in the order of the input.
    pub fn sightings(&self) -> Vec<Sightings<'_>> {
        let batches = self.input.references.par_chunks(BATCH).enumerate();
        let of_batch = |(batch, records): (usize, &[References])| {
            let mut sightings = Sightings::default();
            for at in 0..records.len() {
                self.of_chunk((batch * BATCH + at) as u32, &mut sightings);
            }
            sightings
        };
        batches.map(of_batch).collect()
    }

    pub fn claims(&self) -> Vec<Claim> {
        let of_record = |record: usize| {
            let mut claims = Vec::new();
            self.each(record as u32, |seen, outcome| {
                let targets = shared_targets(outcome);
                let candidates = if let Outcome::Unresolved(count) = outcome { *count } else { targets.len() };
                claims.extend(seen.sites.iter().map(|site| Claim {
                    file: seen.file,
                    site: *site,
                    role: seen.reference.role,
                    name: seen.reference.name.to_string(),
                    targets: targets.clone(),
                    candidates,
                }));
            });
            claims
        };
        (0..self.input.references.len()).into_par_iter().flat_map_iter(of_record).collect()
    }

    /// Gives every reference of a chunk with what it means, once for all its sites in one scope.
    fn each(&self, chunk: u32, mut see: impl FnMut(&Seen, &Outcome)) {
        let record = &self.input.references[chunk as usize];
        let Some(file) = self.resolver.tree.file(&record.file_rel_path) else { return };
        let is_prose = self.is_prose(chunk);
        let alone = record.references.iter().filter(|one| one.receiver.is_none() && one.role != Role::Flow);
        let mut bound: FxHashSet<&str> = FxHashSet::default();
        bound.reserve(record.references.len());
        bound.extend(alone.map(|reference| &*reference.name));
        let here = |site: &Site| if is_prose { whole(file) } else { self.resolver.here(file, site.start()) };
        for reference in &record.references {
            let same = |a: &Site, b: &Site| {
                let (a, b) = (here(a), here(b));
                (a.scope, a.in_type) == (b.scope, b.in_type)
            };
            for sites in reference.sites.chunk_by(same) {
                let outcome = match is_prose || reference.role == Role::Trace {
                    true => prose::resolve(self.resolver, reference, file),
                    false => self.resolver.resolve(reference, here(&sites[0]), &|name| bound.contains(name)),
                };
                self.split_by_tooling(chunk, file, reference, sites, &outcome, &mut see);
            }
        }
    }

    /// What another tool says of a place goes before what was worked out.
    fn split_by_tooling(
        &self,
        chunk: u32,
        file: FileNo,
        reference: &Reference,
        sites: &[Site],
        outcome: &Outcome,
        see: &mut impl FnMut(&Seen, &Outcome),
    ) {
        let seen = |sites| Seen { walk: self, chunk, file, reference, sites };
        if self.tooling.is_empty() || reference.role == Role::Flow {
            return see(&seen(sites), outcome);
        }
        for site in sites.chunks(1) {
            match self.tooling.at(file, &site[0]) {
                Some(said) => see(&seen(site), &said),
                None => see(&seen(site), outcome),
            }
        }
    }

    fn is_prose(&self, chunk: u32) -> bool {
        matches!(&*self.input.references[chunk as usize].language_id, "markdown" | "rst" | "text")
    }

    fn of_chunk<'s>(&'s self, chunk: u32, sightings: &mut Sightings<'s>) {
        let language = &*self.input.references[chunk as usize].language_id;
        let mut counts = Counts::new();
        self.each(chunk, |seen, outcome| {
            sightings.count(&mut counts, seen, outcome);
            match (&seen.reference.flow, seen.reference.role) {
                (Some(flow), Role::Flow) => seen.flow(flow, outcome, sightings),
                _ => seen.edges(outcome, sightings),
            }
        });
        for (role, more) in counts {
            let sum = sightings.counts.entry((language, role)).or_default();
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
}

/// A place in prose is in no scope.
fn whole(file: FileNo) -> Here {
    Here { file, scope: None, in_type: false }
}

impl Sightings<'_> {
    fn count(&mut self, counts: &mut Counts, seen: &Seen, outcome: &Outcome) {
        let role = seen.reference.role;
        let known = counts.iter().position(|(counted, _)| *counted == role);
        let at = known.unwrap_or_else(|| {
            counts.push((role, [0; 4]));
            counts.len() - 1
        });
        let counts = &mut counts[at].1;
        let sites = seen.sites.len();
        match outcome {
            Outcome::Found { .. } => counts[0] += sites as u64,
            Outcome::Ambiguous(_) => counts[1] += sites as u64,
            Outcome::Outside(_) => counts[2] += sites as u64,
            Outcome::Unresolved(_) => {
                counts[3] += sites as u64;
                self.unresolved.push((seen.chunk, sites as u32));
            }
        }
    }

    fn outside(&mut self, id: NodeId) -> End {
        self.outside.push(id);
        End::Outside(self.outside.len() as u32 - 1)
    }
}

/// Sites in one scope at which one thing was said.
struct Seen<'s> {
    walk: &'s Walk<'s>,
    chunk: u32,
    file: FileNo,
    reference: &'s Reference<'s>,
    sites: &'s [Site],
}

impl Seen<'_> {
    fn edges(&self, outcome: &Outcome, sightings: &mut Sightings) {
        let host = self.walk.hosts[self.chunk as usize];
        if self.reference.role == Role::Trace && !self.walk.is_prose(self.chunk) {
            return self.implements(host, outcome, sightings);
        }
        let (from, edge_type, kind) = self.edge(host);
        self.push(from, edge_type, kind, outcome, sightings);
        // What a section of a spec names, the spec names.
        let spec = self.walk.resolver.tree.spec_of(self.file).filter(|_| edge_type == EdgeType::Doc);
        if let Some(spec) = spec {
            self.push(End::Symbol(spec), edge_type, kind, outcome, sightings);
        }
        let is_test = edge_type == EdgeType::Call && self.walk.input.is_test(self.file as usize);
        if let (true, Outcome::Found { known, .. }) = (is_test, outcome)
            && let [Target::Symbol(subject)] = known.targets.as_slice()
            && !self.walk.input.is_test(self.walk.resolver.tree.file_of(*subject) as usize)
        {
            self.push_each(from, EdgeType::Test, kind, End::Symbol(*subject), Way::of(known), sightings);
        }
    }

    fn edge(&self, host: End) -> (End, EdgeType, EvidenceKind) {
        let role = self.reference.role;
        if role.medium() == Medium::Code && self.walk.is_prose(self.chunk) {
            return (host, EdgeType::Doc, EvidenceKind::Span);
        }
        let (edge_type, kind) = role.edge();
        match role.origin() {
            Origin::Host => (host, edge_type, kind),
            Origin::File => (End::File(self.file), edge_type, kind),
        }
    }

    /// Code that names a spec is code that the spec is about: the edge is the one that its prose would make.
    fn implements(&self, code: End, outcome: &Outcome, sightings: &mut Sightings) {
        let (Outcome::Found { known, .. } | Outcome::Ambiguous(known)) = outcome else { return };
        let way = match outcome {
            Outcome::Ambiguous(_) => Way::among(known),
            _ => Way::of(known),
        };
        for spec in known.targets.iter().filter_map(end) {
            self.push_each(spec, EdgeType::Doc, EvidenceKind::Span, code, way, sightings);
        }
    }

    /// From where a value comes to the call that it reaches.
    fn flow(&self, flow: &FlowRow, outcome: &Outcome, sightings: &mut Sightings) {
        let Outcome::Found { known, .. } = outcome else { return };
        let source = match flow.source {
            FlowSource::Parameter => Some(self.walk.hosts[self.chunk as usize]),
            FlowSource::Call => self.called(flow),
        };
        let Some(from) = source else { return };
        for to in known.targets.iter().filter_map(end) {
            self.push_each(from, EdgeType::Dataflow, EvidenceKind::Span, to, Way::of(known), sightings);
        }
    }

    /// The function that a flowing value is the result of.
    fn called(&self, flow: &FlowRow) -> Option<End> {
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
        let here = self.walk.resolver.here(self.file, self.sites[0].start());
        match self.walk.resolver.resolve(&call, here, &|_| true) {
            Outcome::Found { known, .. } => match known.targets.as_slice() {
                [Target::Symbol(symbol)] => Some(End::Symbol(*symbol)),
                _ => None,
            },
            _ => None,
        }
    }

    fn push(&self, from: End, edge_type: EdgeType, kind: EvidenceKind, outcome: &Outcome, sightings: &mut Sightings) {
        match outcome {
            Outcome::Unresolved(_) => {}
            Outcome::Outside(target) => {
                let language = &*self.walk.input.references[self.chunk as usize].language_id;
                if let Some(id) = outside(target, language).filter(|_| edge_type != EdgeType::Doc) {
                    let to = sightings.outside(id);
                    self.push_each(from, edge_type, kind, to, Way::OUT, sightings);
                }
            }
            Outcome::Ambiguous(known) => {
                let way = Way::among(known);
                for to in known.targets.iter().filter_map(end) {
                    self.push_each(from, edge_type, kind, to, way, sightings);
                }
            }
            Outcome::Found { known, overrides } => {
                for to in known.targets.iter().filter_map(end) {
                    self.push_each(from, edge_type, kind, to, Way::of(known), sightings);
                }
                let confidence = confidence::OVERRIDE.shared_by(overrides.len());
                let (tier, status) = (Tier::Scope, EdgeStatus::Ambiguous);
                let way = Way { tier, status, confidence, candidates: overrides.len() };
                for symbol in overrides.iter().filter(|_| edge_type == EdgeType::Call) {
                    self.push_each(from, edge_type, kind, End::Symbol(*symbol), way, sightings);
                }
            }
        }
    }

    fn push_each(&self, from: End, edge_type: EdgeType, kind: EvidenceKind, to: End, way: Way, to_all: &mut Sightings) {
        let kind = if way.tier == Tier::Tooling { EvidenceKind::Tooling } else { kind };
        let record = &self.walk.input.references[self.chunk as usize];
        to_all.all.extend(self.sites.iter().map(|site| Sighting {
            from,
            to,
            site: *site,
            chunk_uid: record.chunk_uid,
            evidence: evidence_id(record.chunk_uid, record.start, kind, site),
            file: self.file,
            confidence: way.confidence,
            candidates: way.candidates as u16,
            edge_type,
            tier: way.tier,
            status: way.status,
            kind,
        }));
    }
}

/// Over what an edit elsewhere does not change.
pub fn evidence_id(chunk: ChunkUid, chunk_start: u32, kind: EvidenceKind, site: &Site) -> EvidenceId {
    let mut bytes = [0; 17];
    bytes[..8].copy_from_slice(&chunk.to_hash().to_le_bytes());
    bytes[8..12].copy_from_slice(&site.start().wrapping_sub(chunk_start).to_le_bytes());
    bytes[12..16].copy_from_slice(&(site.1 - site.0).to_le_bytes());
    bytes[16] = kind as u8;
    EvidenceId::from_hash(xxh64(&bytes, 0))
}

/// How a target is known.
#[derive(Clone, Copy)]
struct Way {
    tier: Tier,
    status: EdgeStatus,
    confidence: Score,
    candidates: usize,
}

impl Way {
    const OUT: Way =
        Way { tier: Tier::Import, status: EdgeStatus::External, confidence: confidence::IMPORT, candidates: 1 };

    fn of(known: &Known) -> Self {
        Way { tier: known.tier, status: EdgeStatus::Resolved, confidence: known.confidence, candidates: 1 }
    }

    /// One of several.
    fn among(known: &Known) -> Self {
        let candidates = known.targets.len();
        let confidence = known.confidence.shared_by(candidates);
        Way { tier: known.tier, status: EdgeStatus::Ambiguous, confidence, candidates }
    }
}

fn end(target: &Target) -> Option<End> {
    match target {
        Target::Symbol(symbol) => Some(End::Symbol(*symbol)),
        Target::File(file) => Some(End::File(*file)),
        Target::Package(_) | Target::Outside { .. } => None,
    }
}

/// The id of something outside. What a language has everywhere is counted, and no node.
fn outside(target: &Target, language: &str) -> Option<NodeId> {
    match target {
        Target::Outside { module, name } if !module.is_empty() => {
            Some(NodeId::external(language, module, name.as_deref()))
        }
        _ => None,
    }
}

fn shared_targets(outcome: &Outcome) -> Vec<(Target, Score)> {
    match outcome {
        Outcome::Found { known, .. } => known.targets.iter().map(|target| (target.clone(), known.confidence)).collect(),
        Outcome::Ambiguous(known) => {
            let share = known.confidence.shared_by(known.targets.len());
            known.targets.iter().map(|target| (target.clone(), share)).collect()
        }
        Outcome::Outside(target) => vec![(target.clone(), confidence::IMPORT)],
        Outcome::Unresolved(_) => Vec::new(),
    }
}
