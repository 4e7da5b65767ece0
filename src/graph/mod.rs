//! Resolves names between chunks. Pure: symbols and references in; nodes, edges, evidence, coverage out.
//!
//! A name is followed by scope, then by the type of its receiver, then by import, then by package. What
//! could be several things keeps all of them; what could be too many, or nothing, is counted.

pub mod adjacency;
mod chain;
mod declared;
mod descriptor;
mod edges;
pub mod input;
pub mod neighbourhood;
mod nodes;
mod prose;
mod resolve;
mod sight;
mod structural;
mod tooling;
mod tree;

use rustc_hash::FxHashMap;

use crate::language::Languages;
use crate::language::modules::ModuleMap;
use crate::record::{Coverage, Edge, Evidence, File, Node, Problem, Role};
use crate::scip::ScipIndex;

use edges::Connected;
use nodes::Nodes;
use tooling::Tooling;
use tree::Tree;

pub use input::Input;
pub use resolve::Target;
pub use sight::Claim;

/// Goes up when the same records give other edges.
///
/// 1: first version.
/// 2: declarations lead to definitions, paths of Rust and C++, what is opened before it is used.
pub const RULESET_VERSION: u32 = 2;

/// The graph of a tree. Its records are made one at a time, each list in the order of its artifact.
pub struct Graph {
    nodes: Nodes,
    connected: Connected,
    pub coverage: Vec<Coverage>,
    pub problems: Vec<Problem>,
}

impl Graph {
    pub fn nodes(&self) -> &[Node] {
        &self.nodes.all
    }

    pub fn edge_count(&self) -> usize {
        self.connected.edge_count()
    }

    pub fn edge(&self, at: usize) -> Edge {
        self.connected.edge(at, &self.nodes)
    }

    /// The id of the node that an edge comes from.
    pub fn edge_from(&self, at: usize) -> &str {
        self.nodes.all[self.connected.from(at) as usize].node_id.as_str()
    }

    pub fn evidence_count(&self) -> usize {
        self.connected.evidence_count()
    }

    /// How many places a record of evidence lists.
    pub fn place_count(&self, at: usize) -> usize {
        self.connected.place_count(at)
    }

    /// With the files of the input that the graph was made of.
    pub fn evidence(&self, at: usize, files: &[File]) -> Evidence {
        self.connected.evidence(at, files)
    }

    /// The file that a record of evidence is of.
    pub fn evidence_file<'f>(&self, at: usize, files: &'f [File]) -> &'f str {
        files[self.connected.evidence_file(at) as usize].file_rel_path.as_str()
    }

    pub fn adjacency(&self) -> Vec<u8> {
        let nodes = self.nodes.all.iter().map(|node| adjacency::NodeRow {
            id: node.node_id.as_str(),
            kind: node.kind,
            chunk_uid: node.chunk_uid,
        });
        let mut builder = adjacency::Builder::new(nodes);
        (0..self.edge_count()).for_each(|at| builder.push(self.connected.edge_row(at)));
        builder.finish()
    }
}

/// What `indexes` say of a place wins over what is worked out here.
pub fn graph(input: &Input, languages: &Languages, indexes: &[ScipIndex]) -> Graph {
    with_walk(input, languages, indexes, |walk| {
        let mut counts: FxHashMap<(&str, Role), [u64; 4]> = FxHashMap::default();
        let (mut all, mut outside, mut unresolved) = (edges::exports(walk), Vec::new(), Vec::new());
        all.extend(declared::sightings(walk));
        let found = walk.sightings();
        all.reserve_exact(found.iter().map(|sightings| sightings.all.len()).sum());
        for mut sightings in found {
            let before = outside.len() as u32;
            sightings.all.iter_mut().for_each(|sighting| sighting.shift_outside(before));
            all.extend(sightings.all);
            outside.extend(sightings.outside);
            unresolved.extend(sightings.unresolved);
            for (key, more) in sightings.counts {
                let sum = counts.entry(key).or_default();
                sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
        let nodes = Nodes::new(walk, &outside, &unresolved);
        let connected = Connected::new(all, &nodes);
        Graph { nodes, connected, coverage: coverage(counts), problems: walk.tooling.problems.clone() }
    })
}

/// What every reference of the tree was taken for.
pub fn claims(input: &Input, languages: &Languages) -> Vec<Claim> {
    with_walk(input, languages, &[], |walk| walk.claims())
}

fn with_walk<R>(
    input: &Input,
    languages: &Languages,
    indexes: &[ScipIndex],
    work: impl FnOnce(&sight::Walk) -> R,
) -> R {
    let tree = Tree::new(input, languages);
    let paths = input.files.iter().map(|file| file.file_rel_path.as_str()).collect();
    let modules = ModuleMap::new(paths, &input.manifests);
    let tooling = Tooling::of(&tree, indexes);
    let resolver = resolve::Resolver::new(&tree, &modules);
    work(&sight::Walk::new(&resolver, input, &tooling))
}

fn coverage(counts: FxHashMap<(&str, Role), [u64; 4]>) -> Vec<Coverage> {
    let mut all: Vec<Coverage> = counts
        .into_iter()
        .map(|((language, role), [resolved, ambiguous, external, unresolved])| Coverage {
            ambiguous,
            external,
            language_id: language.into(),
            resolved,
            role,
            unresolved,
        })
        .collect();
    all.sort_by(|a, b| (a.language_id.as_str(), a.role).cmp(&(b.language_id.as_str(), b.role)));
    all
}
