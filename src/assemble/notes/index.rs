//! The notes of a view, as briefs ask for them.

use std::sync::OnceLock;

use crate::assemble::{IndexView, ReadError, RequestScope};
use crate::graph::adjacency::{Adjacency, Direction};
use crate::graph::notes::{NoteClass, Notes};
use crate::record::{ChunkNo, EdgeType, Item, Lines, NodeNo, NoteNo};
use crate::search::{FileFlags, Scope};

pub struct NoteIndex<'v> {
    pub view: &'v IndexView<'v>,
    pub graph: &'v Adjacency<'v>,
    pub notes: &'v Notes<'v>,
    /// Built when words are searched for the first time.
    scope: OnceLock<RequestScope>,
}

/// What a node of a brief is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeClass {
    Note(NoteNo, NoteClass),
    /// A page that notes link to and nobody wrote.
    Unwritten,
    /// A tag that nothing defines.
    PlainTag,
    Code,
}

/// The beginnings of ids of nodes that no file has.
const UNWRITTEN: &str = "ext:note:";
const PLAIN_TAG: &str = "ext:tag:";

impl<'v> NoteIndex<'v> {
    /// Absent if the index has no notes.
    pub fn new(view: &'v IndexView<'v>) -> Option<Self> {
        let (graph, notes) = (view.graph()?, view.notes()?);
        (notes.count() > 0).then(|| NoteIndex { view, graph, notes, scope: OnceLock::new() })
    }

    /// The class of a node; absent for nodes that no brief shows.
    pub fn class(&self, node: NodeNo) -> Option<NodeClass> {
        if let Some(note) = self.notes.note(node) {
            return Some(NodeClass::Note(note, self.notes.class(note)));
        }
        let id = self.graph.id(node);
        if id.starts_with(UNWRITTEN) {
            return Some(NodeClass::Unwritten);
        }
        if id.starts_with(PLAIN_TAG) {
            return Some(NodeClass::PlainTag);
        }
        let chunk = self.chunk(node)?;
        let flags = self.view.file_flags(chunk);
        let is_code = !flags.has(FileFlags::PROSE) && !flags.has(FileFlags::DATA);
        is_code.then_some(NodeClass::Code)
    }

    /// The whole item of a note.
    pub fn item(&self, note: NoteNo) -> Result<Item, ReadError> {
        self.notes.item(note).map_err(|fault| ReadError(Box::new(fault)))
    }

    /// The lines of a note in its file.
    pub fn lines(&self, node: NodeNo, item: &Item) -> Option<Lines> {
        let lines = |chunk: ChunkNo| {
            let (start, end) = self.view.corpus().lines(chunk);
            Lines { start, end }
        };
        match (item.head, item.body, self.notes.note(node).map(|note| self.notes.class(note))) {
            (Some(head), None, Some(NoteClass::Section | NoteClass::Block)) => Some(head),
            (Some(head), Some(body), Some(NoteClass::Section)) => Some(Lines { start: head.start, end: body.end }),
            (Some(head), _, Some(NoteClass::Block)) => Some(head),
            _ => self.chunk(node).map(lines),
        }
    }

    /// A page that is only named, by its folded title.
    pub fn unwritten(&self, folded: &str) -> Option<NodeNo> {
        self.graph.node(&format!("{UNWRITTEN}{folded}"))
    }

    /// A tag that nothing defines, by its folded name.
    pub fn plain_tag(&self, folded: &str) -> Option<NodeNo> {
        self.graph.node(&format!("{PLAIN_TAG}{folded}"))
    }

    /// Its name on one line. Code is named by its symbol.
    pub fn name(&self, node: NodeNo) -> &'v str {
        if let Some(note) = self.notes.note(node) {
            return self.notes.title(note);
        }
        let id = self.graph.id(node);
        let outside = id.strip_prefix(UNWRITTEN).or_else(|| id.strip_prefix(PLAIN_TAG));
        outside.unwrap_or_else(|| code_name(id))
    }

    /// The id that people use; of what is no note, the node's id.
    pub fn id(&self, node: NodeNo) -> &'v str {
        match self.notes.note(node) {
            Some(note) => self.notes.source_id(note),
            None => self.graph.id(node),
        }
    }

    /// The path of a note's file; empty for other nodes.
    pub fn path(&self, node: NodeNo) -> &'v str {
        self.notes.note(node).map_or("", |note| self.notes.path(note))
    }

    pub fn modified(&self, node: NodeNo) -> Option<i64> {
        self.notes.note(node).and_then(|note| self.notes.modified(note))
    }

    /// The chunk that a node's text starts in.
    pub fn chunk(&self, node: NodeNo) -> Option<ChunkNo> {
        self.view.corpus().chunk(self.graph.chunk_uid(node)?)
    }

    /// The tags of a node.
    pub fn tags(&self, node: NodeNo) -> impl Iterator<Item = NodeNo> {
        self.graph.neighbours(node, Direction::Out, EdgeType::Tag).map(|neighbour| neighbour.node)
    }

    /// The node that holds a node.
    pub fn parent(&self, node: NodeNo) -> Option<NodeNo> {
        self.graph.neighbours(node, Direction::In, EdgeType::Child).map(|neighbour| neighbour.node).next()
    }

    /// Whether notes in this one are entries of its list: it is neither a page nor a section.
    pub fn has_entries(&self, node: NodeNo) -> bool {
        let class = self.notes.note(node).map(|note| self.notes.class(note));
        !matches!(class, Some(NoteClass::Page | NoteClass::Section) | None)
    }

    /// The part of the corpus that holds notes.
    pub fn scope(&self) -> &RequestScope {
        self.scope.get_or_init(|| {
            let corpus = self.view.corpus();
            let mut has_notes = vec![false; corpus.file_count()];
            let mut last = "";
            for path in (0..self.notes.count() as u32).map(|note| self.notes.path(NoteNo(note))) {
                if path != last
                    && let Some(file) = corpus.file(path)
                {
                    has_notes[file.index()] = true;
                    last = path;
                }
            }
            let files = Scope::of_files(corpus, |file| has_notes[file.index()]);
            RequestScope { found: files.clone(), files, focus: None }
        })
    }

    /// The part of it that is in a directory.
    pub fn scope_within(&self, outer: &str) -> RequestScope {
        let (corpus, all) = (self.view.corpus(), &self.scope().files);
        let files = Scope::of_files(corpus, |file| all.has_file(file) && is_within(corpus.path(file), outer));
        RequestScope { found: files.clone(), files, focus: None }
    }
}

/// The last part of a symbol's id, without the marks of its kind.
fn code_name(id: &str) -> &str {
    let path = id.strip_prefix("scip:").unwrap_or(id);
    let name = path.trim_end_matches(['.', '#', '/', ':', ')', '(', '!']);
    let start = name.rfind(['/', '#', ' ']).map_or(0, |at| at + 1);
    name[start..].trim_matches('`')
}

/// Whether a path is that of a directory or below it.
pub fn is_within(path: &str, outer: &str) -> bool {
    let outer = outer.trim_end_matches('/');
    outer.is_empty() || path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_holds_what_is_below_it() {
        for (path, outer, expected) in [
            ("a/b.md", "a", true),
            ("a/b.md", "a/", true),
            ("a/b.md", "a/b.md", true),
            ("ab.md", "a", false),
            ("x", "", true),
        ] {
            assert_eq!(is_within(path, outer), expected, "{path} {outer}");
        }
    }

    #[test]
    fn code_is_named_by_the_last_part_of_its_symbol() {
        assert_eq!(code_name("scip:contextpack . . . src/`main.rs`/Parser#run()."), "run");
        assert_eq!(code_name("scip:contextpack . . . src/`main.rs`/"), "main.rs");
    }
}
