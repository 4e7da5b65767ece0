//! The symbols that a query names: their nodes, and what the query asks about them.

use std::collections::{BTreeMap, BTreeSet};

use super::seeds::Seeds;
use super::{ChunkNodes, IndexView};
use crate::graph::adjacency::Adjacency;
use crate::record::{ChunkNo, NodeKind, NodeNo, last_name};
use crate::search::{Analyser, FileFlags, Query, Relation, asked};

/// The symbols that a query names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    /// Definitions, in the order of their names and seeds.
    pub nodes: Vec<NodeNo>,
    /// The chunks of the nodes, in their order.
    pub chunks: Vec<ChunkNo>,
    /// Chunks that contain a name of several words, each with the position of the name in `names`.
    pub mentions: BTreeMap<ChunkNo, usize>,
    /// The names without owners, as the query writes them.
    pub names: Vec<String>,
    pub relation: Option<Relation>,
    /// The query names nothing, so the best seeds are the subject.
    pub is_guessed: bool,
}

/// How many names of a query are looked up.
const MAX_NAMES: usize = 4;
/// How many definitions of one name are looked at.
const MAX_DEFINITIONS: usize = 200;
/// How many definitions of one name are used. A name with more says little.
const MAX_NODES: usize = 8;
/// How many seeds are the subject of a query that names nothing.
const MAX_SUBJECTS: usize = 3;
/// How many chunks with one name count as mentions.
const MAX_MENTIONS: usize = 400;

impl Named {
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// Finds the symbols that a query names. With `guesses`, the best seeds are the subject if there are none.
pub fn find(view: &IndexView, text: &str, seeds: &Seeds, guesses: bool) -> Named {
    let Some((graph, chunk_nodes)) = view.linked_graph() else { return Named::default() };
    let finder = Finder { view, graph, chunk_nodes, seed_ranks: seed_ranks(seeds) };
    let question = asked(text).into_iter().find_map(|asked| {
        let name = Name::new(&asked.name);
        Some((asked.relation, finder.nodes(&name)?, name))
    });
    if let Some((relation, nodes, name)) = question {
        return Named { relation: Some(relation), ..finder.named(vec![(name, nodes)]) };
    }
    let found = names(view, text).into_iter().filter_map(|name| Some((finder.nodes(&name)?, name)));
    let found: Vec<_> = found.map(|(nodes, name)| (name, nodes)).take(MAX_NAMES).collect();
    if found.is_empty() && guesses { finder.best_seeds(seeds) } else { finder.named(found) }
}

/// A name as a query writes it.
struct Name {
    owner: Option<String>,
    name: String,
}

impl Name {
    fn new(written: &str) -> Self {
        let written = written.replace("->", ".");
        let parts: Vec<&str> = written.split(['.', ':', '#']).filter(|part| !part.is_empty()).collect();
        let owner = parts.iter().rev().nth(1).map(|owner| owner.to_string());
        Name { owner, name: parts.last().copied().unwrap_or_default().to_string() }
    }
}

/// Names that the query marks as code or has in its title, and a query that is nothing but a name.
fn names(view: &IndexView, text: &str) -> Vec<Name> {
    let query = Query::parse(text, view.weights());
    let alone =
        Some(text.trim()).filter(|text| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '/'));
    let marked = query.names.iter().filter(|(_, weight)| **weight >= 1.0).map(|(name, _)| name);
    let qualified: BTreeMap<&str, &str> =
        query.qualified.iter().map(|(owner, name)| (name.as_str(), owner.as_str())).collect();
    let owned =
        |name: &String| Name { owner: qualified.get(name.as_str()).map(|owner| owner.to_string()), name: name.clone() };
    alone.map(Name::new).into_iter().chain(marked.map(owned)).collect()
}

struct Finder<'f> {
    view: &'f IndexView<'f>,
    graph: &'f Adjacency<'f>,
    chunk_nodes: &'f ChunkNodes,
    seed_ranks: BTreeMap<ChunkNo, usize>,
}

impl Finder<'_> {
    /// The definitions of a name; absent if there are none. Owners and code that is not a test decide if they can.
    fn nodes(&self, name: &Name) -> Option<Vec<NodeNo>> {
        let chunks: BTreeSet<ChunkNo> = self.view.corpus().definitions(&name.name).take(MAX_DEFINITIONS).collect();
        let nodes = chunks.iter().flat_map(|chunk| self.chunk_nodes.nodes(*chunk)).copied();
        let is_wanted =
            |node: &NodeNo| self.graph.kind(*node) == NodeKind::Symbol && last_name(self.graph.id(*node)) == name.name;
        let mut nodes: Vec<NodeNo> = nodes.filter(is_wanted).flat_map(|node| self.definitions(node)).collect();
        nodes.sort_unstable();
        nodes.dedup();
        prefer(&mut nodes, |node| name.owner.as_ref().is_some_and(|owner| self.is_owned_by(node, owner)));
        prefer(&mut nodes, |node| !self.is_aside(node));
        nodes.sort_by_key(|node| (self.seed_rank(*node), *node));
        nodes.truncate(MAX_NODES);
        (!nodes.is_empty()).then_some(nodes)
    }

    /// What a node declares, or the node itself.
    fn definitions(&self, node: NodeNo) -> Vec<NodeNo> {
        let defined: Vec<NodeNo> = self.graph.definitions(node).collect();
        if defined.is_empty() { vec![node] } else { defined }
    }

    fn is_owned_by(&self, node: NodeNo, owner: &str) -> bool {
        let id = self.graph.id(node);
        let before = id.rfind(last_name(id)).map_or("", |at| id[..at].trim_end_matches('`'));
        let parent = last_name(before);
        parent == owner || parent.split('.').next() == Some(owner)
    }

    fn is_aside(&self, node: NodeNo) -> bool {
        let flags = self.chunk_nodes.chunk(node).map(|chunk| self.view.file_flags(chunk));
        flags.is_none_or(|flags| flags.has(FileFlags::TEST | FileFlags::VENDORED | FileFlags::PROSE))
    }

    fn seed_rank(&self, node: NodeNo) -> usize {
        let rank = self.chunk_nodes.chunk(node).and_then(|chunk| self.seed_ranks.get(&chunk).copied());
        rank.unwrap_or(usize::MAX)
    }

    fn named(&self, found: Vec<(Name, Vec<NodeNo>)>) -> Named {
        let mut named = Named::default();
        for (name, nodes) in found {
            let at = named.names.len();
            self.mentions(&name.name).into_iter().for_each(|chunk| {
                named.mentions.entry(chunk).or_insert(at);
            });
            let new: Vec<NodeNo> = nodes.into_iter().filter(|node| !named.nodes.contains(node)).collect();
            named.nodes.extend(new);
            named.names.push(name.name);
        }
        named.chunks = named.nodes.iter().filter_map(|node| self.chunk_nodes.chunk(*node)).collect();
        named.mentions.retain(|chunk, _| !named.chunks.contains(chunk));
        named
    }

    /// Chunks with a name of several words. A name of one word is indexed by its stem, which other words share.
    fn mentions(&self, name: &str) -> Vec<ChunkNo> {
        let terms = Analyser::default().terms(name);
        let whole = terms.first().filter(|_| terms.len() > 1);
        let postings = whole.into_iter().flat_map(|whole| self.view.corpus().postings(whole));
        let chunks = postings.flat_map(|(first, postings)| postings.map(move |one| ChunkNo(first.0 + one.chunk)));
        chunks.take(MAX_MENTIONS).collect()
    }

    /// The symbols of the best seeds that are code and not tests.
    fn best_seeds(&self, seeds: &Seeds) -> Named {
        let is_subject = |chunk: &ChunkNo| {
            let flags = self.view.file_flags(*chunk);
            !flags.has(FileFlags::TEST) && !flags.has(FileFlags::PROSE)
        };
        let symbol = |chunk: ChunkNo| {
            let nodes = self.chunk_nodes.nodes(chunk).iter().copied();
            nodes.into_iter().find(|node| self.graph.kind(*node) == NodeKind::Symbol)
        };
        let chunks = seeds.hits.iter().map(|hit| hit.chunk).filter(is_subject);
        let nodes = chunks.filter_map(symbol).take(MAX_SUBJECTS);
        let name = |node: NodeNo| Name { owner: None, name: last_name(self.graph.id(node)).to_string() };
        let named = self.named(nodes.map(|node| (name(node), vec![node])).collect());
        Named { mentions: BTreeMap::new(), is_guessed: true, ..named }
    }
}

fn seed_ranks(seeds: &Seeds) -> BTreeMap<ChunkNo, usize> {
    seeds.hits.iter().enumerate().map(|(rank, hit)| (hit.chunk, rank)).collect()
}

/// Keeps the nodes that fit, if any does.
fn prefer(nodes: &mut Vec<NodeNo>, fits: impl Fn(NodeNo) -> bool) {
    if nodes.iter().any(|node| fits(*node)) {
        nodes.retain(|node| fits(*node));
    }
}
