//! Resolves every reference of the tree and records the occurrences of edges that result.

mod sites;

use indexmap::IndexSet;
use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::input::{Input, Reference, References};
use super::note_links::NoteLinks;
use super::prose;
use super::resolve::{Outcome, Resolver, Scope, Target, confidence};
use super::tooling::Tooling;
use super::tree::{FileNo, SymbolNo};
use crate::record::{ChunkUid, EdgeStatus, EdgeType, EvidenceId, EvidenceKind, NodeId, Role, Score, Site, Tier};
use sites::ReferenceSites;

pub use sites::evidence_id;

/// One site in the source that gives an edge between two nodes.
#[derive(Clone, Copy, Debug)]
pub struct EdgeOccurrence {
    pub from: Endpoint,
    pub to: Endpoint,
    pub site: Site,
    pub chunk_uid: ChunkUid,
    pub evidence: EvidenceId,
    pub file: FileNo,
    pub confidence: Score,
    pub candidates: u16,
    /// The name of the field that makes it.
    pub label: LabelNo,
    pub edge_type: EdgeType,
    pub tier: Tier,
    pub status: EdgeStatus,
    pub kind: EvidenceKind,
}

impl EdgeOccurrence {
    /// Renumbers an external node whose list is appended to another one.
    pub fn shift_external(&mut self, by: u32) {
        if let Endpoint::External(at) = &mut self.to {
            *at += by;
        }
    }
}

/// The number of a label among all labels of the graph, from 1 in the order of the texts; 0: no label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelNo(u16);

impl LabelNo {
    pub const NONE: LabelNo = LabelNo(0);

    /// The label's text, if it has one.
    pub fn text(self, labels: &[String]) -> Option<&str> {
        labels.get(usize::from(self.0).checked_sub(1)?).map(String::as_str)
    }
}

/// The names of all fields that make edges, sorted. Fields beyond the limit make edges without a label.
fn labels(input: &Input) -> Vec<String> {
    let references = input.references.iter().flat_map(|record| &record.references);
    let fields = references.filter(|reference| reference.role == Role::Field);
    let mut labels: Vec<&str> = fields.filter_map(|reference| reference.receiver.as_deref()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.truncate(usize::from(u16::MAX));
    labels.into_iter().map(str::to_string).collect()
}

/// A node that has no number yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    Symbol(SymbolNo),
    /// A position in the list of chunks with references.
    Chunk(u32),
    File(FileNo),
    /// A position in the list of external nodes.
    External(u32),
}

/// The results for some chunks.
#[derive(Default)]
pub struct Occurrences<'i> {
    pub all: Vec<EdgeOccurrence>,
    /// The ids of external nodes, each once.
    pub external: IndexSet<NodeId, FxBuildHasher>,
    /// By language of the chunk and role: resolved, ambiguous, external, unresolved.
    pub counts: FxHashMap<(&'i str, Role), [u64; 4]>,
    /// Chunks, each with a number of sites that stay unresolved.
    pub unresolved: Vec<(u32, u32)>,
}

/// For one chunk, by role: resolved, ambiguous, external, unresolved.
type Counts = Vec<(Role, [u64; 4])>;

/// The site of a reference and what it resolved to, for comparison with other tools.
pub struct Claim {
    pub file: FileNo,
    pub site: Site,
    pub role: Role,
    pub name: String,
    pub targets: Vec<(Target, Score)>,
    pub candidates: usize,
}

/// Everything that resolving all references needs.
pub struct Finder<'w> {
    pub resolver: &'w Resolver<'w>,
    pub input: &'w Input<'w>,
    /// The node that the edges of each record of references start from.
    pub sources: Vec<Endpoint>,
    pub tooling: &'w Tooling,
    /// See [`LabelNo`].
    pub labels: Vec<String>,
    pub notes: NoteLinks<'w>,
    /// Whether each record of references is of prose.
    prose: Vec<bool>,
}

/// How many chunks one task takes.
const BATCH: usize = 256;

impl<'w> Finder<'w> {
    pub fn new(resolver: &'w Resolver<'w>, input: &'w Input<'w>, tooling: &'w Tooling) -> Self {
        let notes = NoteLinks::new(input, resolver.tree);
        let source = |(at, record): (usize, &References)| {
            let symbol = record.symbol_id.as_deref().and_then(|id| resolver.tree.symbol(id));
            // Text of a page outside its sections is the page's own.
            let page = || resolver.tree.file(&record.file_rel_path).filter(|file| notes.is_page(*file));
            let outside = || page().map_or(Endpoint::Chunk(at as u32), Endpoint::File);
            symbol.map_or_else(outside, Endpoint::Symbol)
        };
        let sources = input.references.iter().enumerate().map(source).collect();
        let is_prose = |record: &References| resolver.tree.is_prose(&record.language_id);
        let prose = input.references.iter().map(is_prose).collect();
        Finder { resolver, input, sources, tooling, labels: labels(input), notes, prose }
    }

    /// The number of a label.
    fn label(&self, name: &str) -> LabelNo {
        self.labels
            .binary_search_by(|label| label.as_str().cmp(name))
            .map_or(LabelNo::NONE, |at| LabelNo(at as u16 + 1))
    }

    /// The occurrences of all references, in the order of the input.
    pub fn occurrences(&self) -> Vec<Occurrences<'_>> {
        let batches = self.input.references.par_chunks(BATCH).enumerate();
        let find_in_batch = |(batch, records): (usize, &[References])| {
            let mut occurrences = Occurrences::default();
            for at in 0..records.len() {
                self.find_in_chunk((batch * BATCH + at) as u32, &mut occurrences);
            }
            occurrences
        };
        batches.map(find_in_batch).collect()
    }

    pub fn claims(&self) -> Vec<Claim> {
        let of_record = |record: usize| {
            let mut claims = Vec::new();
            self.each(record as u32, |found, outcome| {
                let targets = shared_targets(outcome);
                let candidates = if let Outcome::Unresolved(count) = outcome { *count } else { targets.len() };
                claims.extend(found.sites.iter().map(|site| Claim {
                    file: found.file,
                    site: *site,
                    role: found.reference.role,
                    name: found.reference.name.to_string(),
                    targets: targets.clone(),
                    candidates,
                }));
            });
            claims
        };
        (0..self.input.references.len()).into_par_iter().flat_map_iter(of_record).collect()
    }

    /// Calls `visit` for every reference of a chunk with its outcome, once for all sites in one scope.
    fn each(&self, chunk: u32, mut visit: impl FnMut(&ReferenceSites, &Outcome)) {
        let record = &self.input.references[chunk as usize];
        let Some(file) = self.resolver.tree.file(&record.file_rel_path) else { return };
        let is_prose = self.is_prose(chunk);
        let alone = record.references.iter().filter(|one| one.receiver.is_none() && one.role != Role::Flow);
        let mut bound: FxHashSet<&str> = FxHashSet::default();
        bound.reserve(record.references.len());
        bound.extend(alone.map(|reference| &*reference.name));
        let scope = |site: &Site| if is_prose { file_scope(file) } else { self.resolver.scope_at(file, site.start) };
        for reference in &record.references {
            let same = |a: &Site, b: &Site| {
                let (a, b) = (scope(a), scope(b));
                (a.symbol, a.in_type) == (b.symbol, b.in_type)
            };
            for sites in reference.sites.chunk_by(same) {
                let outcome = match is_prose || reference.role == Role::Trace {
                    _ if reference.role.is_of_notes() => self.notes.resolve(self.input, reference, file),
                    true => prose::resolve(self.resolver, reference, file),
                    false => self.resolver.resolve(reference, scope(&sites[0]), &|name| bound.contains(name)),
                };
                self.split_by_tooling(chunk, file, reference, sites, &outcome, &mut visit);
            }
        }
    }

    /// The result of another tool overrides ours, site by site.
    fn split_by_tooling(
        &self,
        chunk: u32,
        file: FileNo,
        reference: &Reference,
        sites: &[Site],
        outcome: &Outcome,
        visit: &mut impl FnMut(&ReferenceSites, &Outcome),
    ) {
        let found = |sites| ReferenceSites { finder: self, chunk, file, reference, sites };
        if self.tooling.is_empty() || reference.role == Role::Flow {
            return visit(&found(sites), outcome);
        }
        for site in sites.chunks(1) {
            match self.tooling.at(file, &site[0]) {
                Some(theirs) => visit(&found(site), &theirs),
                None => visit(&found(site), outcome),
            }
        }
    }

    fn is_prose(&self, chunk: u32) -> bool {
        self.prose[chunk as usize]
    }

    fn find_in_chunk<'s>(&'s self, chunk: u32, occurrences: &mut Occurrences<'s>) {
        let language = &*self.input.references[chunk as usize].language_id;
        let mut counts = Counts::new();
        self.each(chunk, |found, outcome| {
            occurrences.count(&mut counts, found, outcome);
            match (&found.reference.flow, found.reference.role) {
                (Some(flow), Role::Flow) => found.flow(flow, outcome, occurrences),
                _ => found.edges(outcome, occurrences),
            }
        });
        for (role, more) in counts {
            let sum = occurrences.counts.entry((language, role)).or_default();
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
}

/// The scope of prose: its file.
fn file_scope(file: FileNo) -> Scope {
    Scope { file, symbol: None, in_type: false }
}

impl Occurrences<'_> {
    fn count(&mut self, counts: &mut Counts, found: &ReferenceSites, outcome: &Outcome) {
        let role = found.reference.role;
        let counted = counts.iter().position(|(other, _)| *other == role);
        let at = counted.unwrap_or_else(|| {
            counts.push((role, [0; 4]));
            counts.len() - 1
        });
        let counts = &mut counts[at].1;
        let sites = found.sites.len();
        match outcome {
            Outcome::Found { .. } => counts[0] += sites as u64,
            Outcome::Ambiguous(_) => counts[1] += sites as u64,
            Outcome::Outside(_) => counts[2] += sites as u64,
            Outcome::Unresolved(_) => {
                counts[3] += sites as u64;
                self.unresolved.push((found.chunk, sites as u32));
            }
        }
    }

    fn add_external(&mut self, id: NodeId) -> Endpoint {
        let (at, _) = self.external.insert_full(id);
        Endpoint::External(at as u32)
    }
}

fn shared_targets(outcome: &Outcome) -> Vec<(Target, Score)> {
    match outcome {
        Outcome::Found { resolution, .. } => {
            resolution.targets.iter().map(|target| (target.clone(), resolution.confidence)).collect()
        }
        Outcome::Ambiguous(resolution) => {
            let share = resolution.confidence.shared_by(resolution.targets.len());
            resolution.targets.iter().map(|target| (target.clone(), share)).collect()
        }
        Outcome::Outside(target) => vec![(target.clone(), confidence::IMPORT)],
        Outcome::Unresolved(_) => Vec::new(),
    }
}
