//! Goes over every reference of the tree and notes what each leads to.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::input::{ChunkRow, Input};
use super::prose;
use super::resolve::{Known, MAX_CANDIDATES, Outcome, Resolver, Target, confidence};
use super::tooling::Tooling;
use super::tree::{FileNo, SymbolNo};
use crate::language::Modules;
use crate::record::{
    ChunkUid, EdgeStatus, EdgeType, EvidenceKind, Flow, FlowSource, Reference, References, Role, Score, Site, Tier,
};

/// One site that leads from one node to another.
#[derive(Clone, Debug)]
pub struct Sighting {
    pub from: End,
    pub edge_type: EdgeType,
    pub to: End,
    pub tier: Tier,
    pub status: EdgeStatus,
    pub confidence: Score,
    pub candidates: u32,
    pub kind: EvidenceKind,
    pub chunk: u32,
    pub site: Site,
}

/// A node before it has a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    Symbol(SymbolNo),
    Chunk(u32),
    File(FileNo),
    Outside(String),
}

/// What became of the sites of one file.
#[derive(Default)]
pub struct Sightings {
    pub all: Vec<Sighting>,
    /// By language of the chunk and role: resolved, ambiguous, external, unresolved.
    pub counts: FxHashMap<(String, Role), [u64; 4]>,
    /// References of a chunk that lead to nothing known.
    pub unresolved: FxHashMap<u32, u32>,
}

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
    pub input: &'w Input,
    pub chunks: FxHashMap<ChunkUid, u32>,
    pub tooling: &'w Tooling,
}

impl<'w> Walk<'w> {
    pub fn new(resolver: &'w Resolver<'w>, input: &'w Input, tooling: &'w Tooling) -> Self {
        let chunks = input.chunks.iter().enumerate().map(|(at, chunk)| (chunk.chunk_uid, at as u32)).collect();
        Walk { resolver, input, chunks, tooling }
    }

    /// Every chunk's references, in the order of the input.
    pub fn sightings(&self) -> Vec<Sightings> {
        self.input.references.par_iter().map(|record| self.of_chunk(record)).collect()
    }

    pub fn claims(&self) -> Vec<Claim> {
        let of_record = |record: &References| {
            let mut claims = Vec::new();
            self.each(record, |_, file, reference, site, outcome| {
                let targets = shared_targets(&outcome);
                let candidates = if let Outcome::Unresolved(count) = outcome { count } else { targets.len() };
                let name = reference.name.clone();
                claims.push(Claim { file, site, role: reference.role, name, targets, candidates });
            });
            claims
        };
        self.input.references.par_iter().flat_map_iter(of_record).collect()
    }

    /// Gives every site of a chunk's references with what it means.
    fn each(&self, record: &References, mut see: impl FnMut(u32, FileNo, &Reference, Site, Outcome)) {
        let tree = self.resolver.tree;
        let Some(chunk) = self.chunks.get(&record.chunk_uid).copied() else { return };
        let Some(file) = tree.file(record.file_rel_path.as_str()) else { return };
        let is_prose = tree.files[file as usize].rule.is_some_and(|rule| rule.modules == Modules::Prose)
            && self.language_is_prose(chunk);
        let alone =
            record.references.iter().filter(|reference| reference.receiver.is_none() && reference.role != Role::Flow);
        let bound: FxHashSet<&str> = alone.map(|reference| &*reference.name).collect();
        for reference in &record.references {
            let mut last = None;
            for site in &reference.sites {
                let here = self.resolver.here(file, site.start());
                // Sites of one reference in one scope mean the same.
                let outcome = match last.take() {
                    Some((scope, outcome)) if scope == (here.scope, here.in_type) => outcome,
                    _ if is_prose => prose::resolve(self.resolver, reference, file),
                    _ => self.resolver.resolve(reference, here, &|name| bound.contains(name)),
                };
                let said = self.tooling.at(file, site).filter(|_| reference.role != Role::Flow);
                see(chunk, file, reference, *site, said.unwrap_or_else(|| outcome.clone()));
                last = Some(((here.scope, here.in_type), outcome));
            }
        }
    }

    fn language_is_prose(&self, chunk: u32) -> bool {
        matches!(self.input.chunks[chunk as usize].language_id.as_str(), "markdown" | "rst" | "text")
    }

    fn of_chunk(&self, record: &References) -> Sightings {
        let mut sightings = Sightings::default();
        let host = self.chunks.get(&record.chunk_uid).map(|chunk| self.host(*chunk));
        self.each(record, |chunk, file, reference, site, outcome| {
            let row = &self.input.chunks[chunk as usize];
            sightings.count(row, reference.role, &outcome, chunk);
            let from = match reference.role {
                Role::Import | Role::Export => End::File(file),
                _ => host.clone().unwrap_or(End::Chunk(chunk)),
            };
            let seen = Seen { walk: self, chunk, file, reference, site };
            match (&reference.flow, reference.role) {
                (Some(flow), Role::Flow) => seen.flow(flow, from, &outcome, &mut sightings.all),
                _ => seen.edges(from, &outcome, &mut sightings.all),
            }
        });
        sightings
    }

    /// The node that a chunk's references come from.
    pub fn host(&self, chunk: u32) -> End {
        let id = self.input.chunks[chunk as usize].symbol_id.as_deref();
        let symbol = id.and_then(|id| self.resolver.tree.symbol(id));
        symbol.map_or(End::Chunk(chunk), End::Symbol)
    }
}

impl Sightings {
    fn count(&mut self, chunk: &ChunkRow, role: Role, outcome: &Outcome, number: u32) {
        let counts = match self.counts.get_mut(&(chunk.language_id.as_str().to_string(), role)) {
            Some(counts) => counts,
            None => self.counts.entry((chunk.language_id.as_str().to_string(), role)).or_default(),
        };
        match outcome {
            Outcome::Found { .. } => counts[0] += 1,
            Outcome::Ambiguous(_) => counts[1] += 1,
            Outcome::Outside(_) => counts[2] += 1,
            Outcome::Unresolved(_) => {
                counts[3] += 1;
                *self.unresolved.entry(number).or_default() += 1;
            }
        }
    }
}

/// A site and what was said there.
struct Seen<'s> {
    walk: &'s Walk<'s>,
    chunk: u32,
    file: FileNo,
    reference: &'s Reference,
    site: Site,
}

impl Seen<'_> {
    fn edges(&self, from: End, outcome: &Outcome, all: &mut Vec<Sighting>) {
        let prose = self.walk.language_is_prose(self.chunk);
        let (edge_type, kind) = match self.reference.role {
            _ if prose => (EdgeType::Doc, EvidenceKind::Span),
            Role::Call => (EdgeType::Call, EvidenceKind::Callsite),
            Role::Import => (EdgeType::Import, EvidenceKind::ImportStmt),
            Role::Export => (EdgeType::Export, EvidenceKind::ImportStmt),
            _ => (EdgeType::Usage, EvidenceKind::Identifier),
        };
        let from = if prose { self.walk.host(self.chunk) } else { from };
        self.push(&from, edge_type, kind, outcome, all);
        let is_test = self.walk.input.is_test(self.file as usize);
        if let (EdgeType::Call, true, Outcome::Found { known, .. }) = (edge_type, is_test, outcome)
            && let [Target::Symbol(subject)] = known.targets.as_slice()
            && !self.walk.input.is_test(self.walk.resolver.tree.file_of(*subject) as usize)
        {
            let outcome = Outcome::Found { known: known.clone(), overrides: Vec::new() };
            self.push(&from, EdgeType::Test, kind, &outcome, all);
        }
    }

    /// From where a value comes to the call that it reaches.
    fn flow(&self, flow: &Flow, from: End, outcome: &Outcome, all: &mut Vec<Sighting>) {
        let source = match flow.source {
            FlowSource::Parameter => from,
            FlowSource::Call => {
                let call = Reference {
                    role: Role::Call,
                    name: flow.name.clone(),
                    receiver: flow.receiver.clone(),
                    flow: None,
                    receiver_type: None,
                    ..self.reference.clone()
                };
                let here = self.walk.resolver.here(self.file, self.site.start());
                match self.walk.resolver.resolve(&call, here, &|_| true) {
                    Outcome::Found { known, .. } => match known.targets.as_slice() {
                        [Target::Symbol(symbol)] => End::Symbol(*symbol),
                        _ => return,
                    },
                    _ => return,
                }
            }
        };
        if matches!(outcome, Outcome::Found { .. }) {
            self.push(&source, EdgeType::Dataflow, EvidenceKind::Span, outcome, all);
        }
    }

    fn push(&self, from: &End, edge_type: EdgeType, kind: EvidenceKind, outcome: &Outcome, all: &mut Vec<Sighting>) {
        let sighting = |to: End, tier, status, confidence, candidates: usize| Sighting {
            from: from.clone(),
            edge_type,
            to,
            tier,
            status,
            confidence,
            candidates: candidates as u32,
            kind: if tier == Tier::Tooling { EvidenceKind::Tooling } else { kind },
            chunk: self.chunk,
            site: self.site,
        };
        match outcome {
            Outcome::Unresolved(_) => {}
            Outcome::Outside(target) => {
                let language = self.walk.input.chunks[self.chunk as usize].language_id.as_str();
                let outside = outside(target, language).filter(|_| edge_type != EdgeType::Doc);
                all.extend(outside.map(|to| sighting(to, Tier::Import, EdgeStatus::External, confidence::IMPORT, 1)));
            }
            Outcome::Ambiguous(Known { targets, tier, confidence }) => {
                let share = confidence.shared_by(targets.len());
                let ends = targets.iter().filter_map(end);
                all.extend(ends.map(|to| sighting(to, *tier, EdgeStatus::Ambiguous, share, targets.len())));
            }
            Outcome::Found { known, overrides } => {
                let ends = known.targets.iter().filter_map(end);
                all.extend(ends.map(|to| sighting(to, known.tier, EdgeStatus::Resolved, known.confidence, 1)));
                let share = confidence::OVERRIDE.shared_by(overrides.len());
                let overrides = overrides.iter().map(|symbol| {
                    sighting(End::Symbol(*symbol), Tier::Scope, EdgeStatus::Ambiguous, share, overrides.len())
                });
                all.extend(overrides.filter(|_| edge_type == EdgeType::Call));
            }
        }
    }
}

fn end(target: &Target) -> Option<End> {
    match target {
        Target::Symbol(symbol) => Some(End::Symbol(*symbol)),
        Target::File(file) => Some(End::File(*file)),
        Target::Package(_) | Target::Outside { .. } => None,
    }
}

/// The node of something outside. What a language has everywhere is counted, and no node.
fn outside(target: &Target, language: &str) -> Option<End> {
    match target {
        Target::Outside { module, name } if !module.is_empty() => {
            Some(End::Outside(crate::record::NodeId::external(language, module, name.as_deref()).as_str().to_string()))
        }
        _ => None,
    }
}

fn shared_targets(outcome: &Outcome) -> Vec<(Target, Score)> {
    match outcome {
        Outcome::Found { known, .. } => known.targets.iter().map(|target| (target.clone(), known.confidence)).collect(),
        Outcome::Ambiguous(known) => {
            let share = known.confidence.shared_by(known.targets.len().min(MAX_CANDIDATES));
            known.targets.iter().map(|target| (target.clone(), share)).collect()
        }
        Outcome::Outside(target) => vec![(target.clone(), confidence::IMPORT)],
        Outcome::Unresolved(_) => Vec::new(),
    }
}
