//! Why an item is in a pack, in words.

use super::lead::declares;
use crate::assemble::IndexView;
use crate::assemble::expand::{Reached, Walked};
use crate::assemble::score::{Candidate, Standing};
use crate::graph::adjacency::{Adjacency, Direction};
use crate::record::pack::{ContextPack, Item, Rule};
use crate::record::{Chunk, ChunkNo, EdgeType, NodeKind, NodeNo, last_name};
use crate::search::{FileFlags, TermSet, words};

/// How many words of the query are named.
const MAX_WORDS: usize = 6;

/// Why an item of a pack is shown, for `--explain`: as its record says, or the words that it matches.
pub fn explained(pack: &ContextPack, item: &Item) -> String {
    if let Some(reason) = &item.why.reason {
        return reason.clone();
    }
    let words = matched_words(pack, item).join(", ");
    let matches = if words.is_empty() { "matches the query".to_string() } else { format!("matches {words}") };
    let best_file = pack.items().first().map(|first| &first.file_rel_path);
    let file = if best_file == Some(&item.file_rel_path) { "; in the file that matches best" } else { "" };
    format!("{matches}{file}")
}

/// The words of the query that an item contains, the rarest first.
fn matched_words(pack: &ContextPack, item: &Item) -> Vec<String> {
    let rarest = pack.explain.as_ref().map_or(&[][..], |explain| &explain.query.terms);
    let rank = |term: &String| rarest.iter().position(|found| found.what == *term);
    let terms = TermSet::new(&pack.request.query);
    let text = format!("{}\n{}\n{}", item.file_rel_path, item.title, item.excerpt.text);
    let words = terms.words_in(&text).into_iter();
    let mut words: Vec<(usize, &str)> =
        words.filter_map(|(word, terms)| Some((terms.iter().filter_map(rank).min()?, word))).collect();
    words.sort();
    words.into_iter().take(MAX_WORDS).map(|(_, word)| format!("`{word}`")).collect()
}

/// How many steps of a path a reason lists.
const MAX_STEPS: usize = 3;

/// Why a candidate is shown; absent if it matches the query.
pub fn reason(view: &IndexView, candidate: &Candidate, chunk: &Chunk) -> Option<String> {
    match (candidate.standing, candidate.seed) {
        (Standing::TestHead(_), _) => return Some("how tests are written here".to_string()),
        (Standing::Own(_), _) if candidate.reached.is_none() => return Some("a similar test".to_string()),
        (_, Some(Rule::Focus)) => return Some("asked for".to_string()),
        (_, Some(_)) if candidate.is_seed() => return None,
        (Standing::Mention | Standing::ProseMention, _) if candidate.mention.is_none() => return None,
        _ => {}
    }
    let last = candidate.reached.as_ref().and_then(|reached| reached.path.last());
    let mention = candidate.mention.as_ref().filter(|_| !last.is_some_and(|step| declares(view, step)));
    if let (Some(name), Standing::Mention | Standing::ProseMention) = (mention, candidate.standing) {
        let line = line_with(chunk, name).map(|line| format!(" (line {line})")).unwrap_or_default();
        return Some(format!("mentions `{name}`{line}"));
    }
    let by_path = candidate.reached.as_ref().and_then(|reached| path(view, candidate.chunk, reached));
    by_path.or_else(|| candidate.same_file.map(|seed| format!("in the same file as {}", chunk_name(view, seed))))
}

/// The first line of a chunk that contains a name.
fn line_with(chunk: &Chunk, name: &str) -> Option<u32> {
    let numbers = chunk.shown_lines().iter().flat_map(|lines| lines.start..=lines.end);
    let mut lines = numbers.zip(chunk.text.lines());
    lines.find(|(_, line)| words(line).any(|(_, word)| word == name)).map(|(number, _)| number)
}

/// "calls `a` (line 3), which is called by `b`": from the item to where the walk started.
fn path(view: &IndexView, chunk: ChunkNo, reached: &Reached) -> Option<String> {
    let graph = view.graph()?;
    let mut text = String::new();
    for (at, step) in reached.path.iter().rev().take(MAX_STEPS).enumerate() {
        let verb = verb(view, chunk, step, at);
        let (other, is) = match step.direction {
            Direction::In => (step.to, ""),
            Direction::Out => (step.from, "is "),
        };
        let joint = if at == 0 { String::new() } else { format!(", which {is}") };
        let place = if at == 0 { place(view, chunk, step) } else { String::new() };
        text += &format!("{joint}{verb} {}{place}", node_name(view, graph, other));
    }
    Some(text)
}

/// What a step says about the item; a test that calls something tests it, and a prototype declares its function.
fn verb(view: &IndexView, chunk: ChunkNo, step: &Walked, at: usize) -> &'static str {
    let is_test = at == 0 && view.file_flags(chunk).has(FileFlags::TEST);
    let is_use = matches!(step.edge_type, EdgeType::Call | EdgeType::Usage | EdgeType::Test);
    match step.direction {
        Direction::In if declares(view, step) => "declares",
        Direction::In if is_test && is_use => EdgeType::Test.verb(Direction::In),
        direction => step.edge_type.verb(direction),
    }
}

/// Where the evidence of a step is: a line of the item's file, or a line of another file.
fn place(view: &IndexView, chunk: ChunkNo, step: &Walked) -> String {
    let (line, own) = (step.line, view.corpus().path(view.corpus().file_of(chunk)));
    let other = node_path(view, step.from).filter(|path| step.direction == Direction::Out && *path != own);
    let is_file = view.graph().is_some_and(|graph| graph.kind(step.from) == NodeKind::File);
    match other {
        Some(path) if !is_file => format!(" ({path}:{line})"),
        _ => format!(" (line {line})"),
    }
}

fn node_name(view: &IndexView, graph: &Adjacency, node: NodeNo) -> String {
    let path = || node_path(view, node).map(|path| format!("`{path}`"));
    match graph.kind(node) {
        NodeKind::File | NodeKind::Chunk => path().unwrap_or_else(|| "another file".to_string()),
        _ => format!("`{}`", last_name(graph.id(node))),
    }
}

fn node_path<'v>(view: &'v IndexView, node: NodeNo) -> Option<&'v str> {
    let (_, nodes) = view.linked_graph()?;
    let corpus = view.corpus();
    nodes.chunk(node).map(|chunk| corpus.path(corpus.file_of(chunk)))
}

/// The name of what a chunk defines, or its lines.
fn chunk_name(view: &IndexView, chunk: ChunkNo) -> String {
    let symbol = view.linked_graph().and_then(|(graph, nodes)| {
        let mut nodes = nodes.nodes(chunk).iter().copied();
        nodes.find(|node| graph.kind(*node) == NodeKind::Symbol).map(|node| last_name(graph.id(node)).to_string())
    });
    let (start, end) = view.corpus().lines(chunk);
    symbol.map_or_else(|| format!("lines {start} to {end}"), |name| format!("`{name}`"))
}
