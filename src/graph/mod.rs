//! Resolves names between chunks. Pure: symbols, references and items in; nodes, edges, evidence, coverage out.
//!
//! A name of code is resolved by scope, then by the type of its receiver, then by import, then by package (`resolve`).
//! `prose` resolves names and paths in prose, `note_links` the links of notes, `children` the parents of items. An
//! ambiguous reference keeps all candidates. A reference without candidates, or with too many, stays unresolved and is
//! counted.

pub mod adjacency;
pub mod blocks;
pub mod walk;
mod buckets;
mod chain;
mod children;
mod declared;
pub mod descriptor;
mod edges;
pub mod input;
pub mod neighbourhood;
mod nodes;
mod note_links;
pub mod notes;
mod prose;
mod records;
mod resolve;
mod occurrences;
mod structural;
mod tooling;
mod tree;

use rustc_hash::FxHashMap;

use crate::language::Languages;
use crate::language::modules::ModuleMap;
use crate::record::{Audience, BlockType, Coverage, NodeNo, Problem, Role};
use crate::scip::ScipIndex;

use edges::EdgeTable;
use nodes::Nodes;
use tooling::Tooling;
use tree::Tree;

pub use input::Input;
pub use occurrences::Claim;
pub use resolve::Target;

/// Goes up when the same records give other edges.
///
/// 1: first version.
/// 2: declarations lead to definitions, paths of Rust and C++, what is opened before it is used.
/// 3: of what is opened again and again no more parts are looked at than a reference may have candidates.
/// 4: spec documents trace to each other, say what to read next, and name code as a whole.
/// 5: code that names a spec is code that the spec is about.
/// 6: paths of prose that start at the root of the tree.
/// 7: documents hold their sections.
/// 8: a prototype without names of parameters is a declaration too.
/// 9: links, fields and tags of notes.
/// 10: notes without a name are found by no name.
pub const RULESET_VERSION: u32 = 10;

/// The graph of a tree, in numbers. Its records are written one at a time, each list in the order of its
/// artifact.
pub struct Graph<'i> {
    input: &'i Input<'i>,
    nodes: Nodes<'i>,
    edges: EdgeTable,
    /// The names of fields that are labels of edges.
    labels: Vec<String>,
    /// Who may read the nodes of blocks; absent if everybody may read everything.
    audiences: Option<FxHashMap<&'i str, Audience>>,
    pub coverage: Vec<Coverage>,
    pub problems: Vec<Problem>,
}

impl<'i> Graph<'i> {
    pub fn node_count(&self) -> usize {
        self.nodes.all.len()
    }

    pub fn node_id(&self, at: usize) -> &str {
        &self.nodes.all[at].id
    }

    pub fn edge_count(&self) -> usize {
        self.edges.edge_count()
    }

    /// The number of the node that an edge comes from.
    pub fn edge_from(&self, at: usize) -> usize {
        self.edges.edge(at).from.index()
    }

    pub fn evidence_count(&self) -> usize {
        self.edges.evidence_count()
    }

    /// How many places a record of evidence lists.
    pub fn place_count(&self, at: usize) -> usize {
        self.edges.places(at).count()
    }

    /// The file that a record of evidence is of.
    pub fn evidence_file(&self, at: usize) -> &'i str {
        self.input.files[self.edges.places(at).first.file as usize].file_rel_path.as_str()
    }

    /// The accelerator of blocks, if the tree is a workspace.
    pub fn blocks(&self, texts: &blocks::Texts) -> Option<Vec<u8>> {
        blocks::build(&self.input.items, &self.input.files, texts)
    }

    /// The accelerator of notes, if the tree has notes.
    pub fn notes(&self) -> Option<Vec<u8>> {
        let number = |id: &str| {
            let at = self.nodes.all.binary_search_by(|node| (*node.id).cmp(id)).ok()?;
            Some(NodeNo(at as u32))
        };
        notes::build(&self.input.items, &self.input.files, number)
    }

    pub fn adjacency(&self) -> Vec<u8> {
        let mut builder = adjacency::Builder::new(self.nodes.all.iter().map(|node| node.row(self.input)));
        (0..self.edge_count()).for_each(|at| builder.push(self.edges.edge(at).row(&self.labels)));
        builder.finish()
    }
}

/// Resolves all references. What `indexes` say about a site overrides built-in resolution.
pub fn graph<'i>(input: &'i Input<'i>, languages: &Languages, indexes: &[ScipIndex]) -> Graph<'i> {
    with_finder(input, languages, indexes, |finder| {
        let mut counts: FxHashMap<(&str, Role), [u64; 4]> = FxHashMap::default();
        let (mut all, mut external, mut unresolved) = (edges::exports(finder), Vec::new(), Vec::new());
        all.extend(declared::occurrences(finder));
        all.extend(children::occurrences(finder));
        let found = finder.occurrences();
        all.reserve_exact(found.iter().map(|occurrences| occurrences.all.len()).sum());
        for mut occurrences in found {
            let before = external.len() as u32;
            occurrences.all.iter_mut().for_each(|occurrence| occurrence.shift_external(before));
            all.extend(occurrences.all);
            external.extend(occurrences.external);
            unresolved.extend(occurrences.unresolved);
            #[expect(clippy::iter_over_hash_type, reason = "a sum does not depend on the order")]
            for (key, more) in occurrences.counts {
                let sum = counts.entry(key).or_default();
                sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
            }
        }
        let nodes = Nodes::new(input, finder, external, &unresolved);
        let edges = EdgeTable::new(all, &nodes, input.files.len());
        let problems = finder.tooling.problems.clone();
        Graph {
            input,
            nodes,
            edges,
            labels: finder.labels.clone(),
            audiences: audiences(input),
            coverage: coverage(counts),
            problems,
        }
    })
}

/// What every reference of the tree resolved to.
pub fn claims(input: &Input, languages: &Languages) -> Vec<Claim> {
    with_finder(input, languages, &[], |finder| finder.claims())
}

fn with_finder<R>(
    input: &Input,
    languages: &Languages,
    indexes: &[ScipIndex],
    work: impl FnOnce(&occurrences::Finder) -> R,
) -> R {
    let tree = Tree::new(input, languages);
    let paths = input.files.iter().map(|file| file.file_rel_path.as_str()).collect();
    let modules = ModuleMap::new(paths, &input.manifests);
    let tooling = Tooling::new(&tree, indexes);
    let resolver = resolve::Resolver::new(&tree, &modules);
    work(&occurrences::Finder::new(&resolver, input, &tooling))
}

/// Blocks of one id share a node, so it is for those who may read all of them.
fn audiences<'i>(input: &'i Input) -> Option<FxHashMap<&'i str, Audience>> {
    let mut audiences: FxHashMap<&str, Audience> = FxHashMap::default();
    for item in input.items.iter().filter(|item| BlockType::named(&item.kind).is_some()) {
        let known = audiences.entry(item.node_id.as_str()).or_default();
        *known = known.and(&item.audience);
    }
    input.is_restricted().then_some(audiences)
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

#[cfg(test)]
mod tests;
