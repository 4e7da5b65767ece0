//! Finds the notes that a topic means: by id, by tag, by title, else by words.

use std::collections::{BTreeMap, BTreeSet};

use super::index::{NodeClass, NoteIndex, is_within};
use super::rank::compare_facts;
use super::walk::Start;
use crate::assemble::{Question, seeds};
use crate::graph::notes::NoteClass;
use crate::record::brief::FoundBy;
use crate::record::request::{SeedMode, SeedProvider};
use crate::record::{ChunkNo, ChunkUid, NodeNo, NoteNo, Score, SymbolId};
use crate::text::{RepoPath, fold};

/// What was found for one topic.
#[derive(Clone, Debug, Default)]
pub struct Topic {
    pub query: String,
    /// Absent if nothing was found.
    pub by: Option<FoundBy>,
    /// The best first.
    pub starts: Vec<Start>,
    /// How many of the starts are the topic itself. They come before everything else.
    pub own: usize,
    /// How many notes have that name; 0 if it is one.
    pub ambiguous: u32,
}

impl Topic {
    /// The text whose words say which notes are near the topic.
    pub fn text(&self, index: &NoteIndex) -> String {
        match self.by {
            Some(FoundBy::Id | FoundBy::Tag) => {
                let names: Vec<&str> = self.starts.iter().map(|start| index.name(start.node)).collect();
                names.join(" ")
            }
            _ => self.query.clone(),
        }
    }
}

/// How many starts a topic has at most.
const MAX_STARTS: usize = 5;

/// The first way that finds anything. Only notes within a directory are found, if one is given.
pub fn find(index: &NoteIndex, query: &str, within: Option<&str>) -> Topic {
    let query = query.trim();
    let finder = Finder { index, within };
    let ways: [(FoundBy, &dyn Fn() -> Vec<NodeNo>); 3] = [
        (FoundBy::Id, &|| finder.by_id(query)),
        (FoundBy::Tag, &|| finder.by_tag(query)),
        (FoundBy::Title, &|| finder.by_title(query)),
    ];
    for (by, way) in ways {
        let found = finder.inside(way());
        if !found.is_empty() {
            return finder.topic(query, by, found);
        }
    }
    finder.by_words(query)
}

struct Finder<'f> {
    index: &'f NoteIndex<'f>,
    within: Option<&'f str>,
}

impl Finder<'_> {
    fn by_id(&self, query: &str) -> Vec<NodeNo> {
        let index = self.index;
        let id = query.strip_prefix("note:").unwrap_or(query);
        let notes = index.notes.by_id(id);
        if !notes.is_empty() {
            return self.nodes(notes);
        }
        if let Some(block) = id.strip_prefix('^') {
            return self.nodes(index.notes.by_id(block));
        }
        let file = || RepoPath::try_from(id.to_string()).ok().map(|path| SymbolId::of_file(&path));
        let node = index.graph.node(id).or_else(|| index.graph.node(file()?.as_str()));
        let node = node.filter(|node| index.class(*node).is_some());
        node.map_or_else(|| self.by_chunk(id), |node| vec![node])
    }

    fn by_chunk(&self, id: &str) -> Vec<NodeNo> {
        let chunk = ChunkUid::parse(id).and_then(|uid| self.index.view.corpus().chunk(uid));
        chunk.and_then(|chunk| self.note_of(chunk)).into_iter().collect()
    }

    fn by_tag(&self, query: &str) -> Vec<NodeNo> {
        let Some(name) = query.strip_prefix('#').map(fold) else { return Vec::new() };
        let mut tags = self.index.notes.by_name(&name);
        tags.retain(|note| self.index.notes.class(*note) == NoteClass::Tag);
        let mut nodes = self.nodes(tags);
        nodes.extend(self.index.plain_tag(&name));
        nodes
    }

    /// Notes of that title or alias; with `#`, a section of them.
    fn by_title(&self, query: &str) -> Vec<NodeNo> {
        let named = self.named(query);
        if !named.is_empty() {
            return named;
        }
        let Some((title, heading)) = query.split_once('#') else { return Vec::new() };
        let pages: BTreeSet<NodeNo> = self.named(title).into_iter().collect();
        let mut sections = self.index.notes.by_name(&fold(heading));
        sections.retain(|note| pages.contains(&self.index.notes.node(self.index.notes.unit(*note))));
        self.nodes(sections)
    }

    /// Notes with a heading of their own come before parts of notes, and notes before templates.
    fn named(&self, title: &str) -> Vec<NodeNo> {
        let (notes, title) = (self.index.notes, fold(title));
        let mut named = notes.by_name(&title);
        named.sort();
        named.dedup();
        let tests: [&dyn Fn(&NoteNo) -> bool; 2] = [&|note| notes.is_unit(*note), &|note| !notes.is_template(*note)];
        for test in tests {
            if named.iter().any(test) {
                named.retain(test);
            }
        }
        if named.is_empty() {
            return self.index.unwritten(&title).into_iter().collect();
        }
        self.nodes(named)
    }

    fn by_words(&self, query: &str) -> Topic {
        let mut best: BTreeMap<NodeNo, f64> = BTreeMap::new();
        for (chunk, score) in self.search(query) {
            if let Some(node) = self.note_of(chunk).filter(|node| self.may_start(*node)) {
                let known = best.entry(node).or_default();
                *known = known.max(score);
            }
        }
        let mut found: Vec<(NodeNo, f64)> = best.into_iter().collect();
        found.sort_by(|(a, score), (b, other)| other.total_cmp(score).then_with(|| compare_facts(self.index, *a, *b)));
        let top = found.first().map_or(0.0, |(_, score)| *score);
        found.retain(|(_, score)| *score * 2.0 >= top && *score > 0.0);
        found.truncate(MAX_STARTS);
        let relative = |score: f64| Score::millionths((score / top * 1e6) as u32);
        let starts: Vec<Start> =
            found.iter().map(|(node, score)| Start { node: *node, relevance: relative(*score) }).collect();
        let by = (!starts.is_empty()).then_some(FoundBy::Words);
        Topic { query: query.to_string(), by, own: starts.len().min(1), starts, ambiguous: 0 }
    }

    fn search(&self, query: &str) -> Vec<(ChunkNo, f64)> {
        let words = BTreeMap::new();
        let (mode, provider) = (SeedMode::Prose, SeedProvider::Sparse);
        let inside = self.within.map(|outer| self.index.scope_within(outer));
        let scope = inside.as_ref().unwrap_or_else(|| self.index.scope());
        let question = Question { query, scope, shows_focus: true, mode, provider, words: &words };
        seeds::ranked(self.index.view, &question, |answer, _| {
            answer.hits.iter().map(|hit| (hit.chunk, hit.score)).collect()
        })
    }

    /// The note that a chunk belongs to: its own, else the page that the chunk is in.
    fn note_of(&self, chunk: ChunkNo) -> Option<NodeNo> {
        let (_, nodes) = self.index.view.linked_graph()?;
        let own = nodes.nodes(chunk).iter().copied().find(|node| self.index.notes.note(*node).is_some());
        own.or_else(|| {
            let corpus = self.index.view.corpus();
            let path = RepoPath::try_from(corpus.path(corpus.file_of(chunk)).to_string()).ok()?;
            let page = self.index.graph.node(SymbolId::of_file(&path).as_str())?;
            self.index.notes.note(page).map(|_| page)
        })
    }

    /// Whether words may lead to a note.
    fn may_start(&self, node: NodeNo) -> bool {
        let notes = self.index.notes;
        let is_left_out = |note| notes.is_template(note) || notes.is_nameless(note);
        !notes.note(node).is_some_and(is_left_out) && self.is_inside(node)
    }

    fn inside(&self, mut nodes: Vec<NodeNo>) -> Vec<NodeNo> {
        nodes.retain(|node| self.is_inside(*node));
        nodes
    }

    fn is_inside(&self, node: NodeNo) -> bool {
        match (self.within, self.index.class(node)) {
            (Some(outer), Some(NodeClass::Note(note, _))) => is_within(self.index.notes.path(note), outer),
            _ => true,
        }
    }

    fn nodes(&self, notes: Vec<NoteNo>) -> Vec<NodeNo> {
        notes.into_iter().map(|note| self.index.notes.node(note)).collect()
    }

    /// A topic that is the notes which were found. Too many are cut to the newest.
    fn topic(&self, query: &str, by: FoundBy, mut nodes: Vec<NodeNo>) -> Topic {
        nodes.sort();
        nodes.dedup();
        let ambiguous = if nodes.len() > 1 { nodes.len() as u32 } else { 0 };
        nodes.sort_by(|a, b| compare_facts(self.index, *a, *b));
        nodes.truncate(MAX_STARTS);
        let starts: Vec<Start> = nodes.into_iter().map(|node| Start { node, relevance: Score::ONE }).collect();
        Topic { query: query.to_string(), by: Some(by), own: starts.len(), starts, ambiguous }
    }
}
