//! The nodes of the graph that a user's text names.

use super::ShowError;
use super::show::{DefinitionView, NodeView, node_view};
use crate::assemble::target::{Definition, Rank, Target, path_of, resolve, written};
use crate::assemble::{IndexView, ReadError};
use crate::door::browse::definitions::{OutlineOfFile, outline_file};
use crate::record::{ChunkNo, Node, NodeId, NodeKind, NodeNo, Symbol, SymbolId};
use crate::text::RepoPath;

/// What a text names.
pub enum Found {
    Subjects(Subjects),
    Folder(String),
}

/// Everything with one name, the likeliest first; at least one.
pub struct Subjects {
    pub all: Vec<Subject>,
}

/// Something to show.
#[derive(Clone)]
pub struct Subject {
    /// Its node. A file or definition without edges may have none.
    pub node: Option<NodeNo>,
    pub view: NodeView,
    pub definition: Option<DefinitionView>,
    /// The definition's own record.
    pub symbol: Option<Symbol>,
    /// Text that names it.
    written: String,
    /// Only definitions and files have one; things of equal rank cannot be chosen from.
    rank: Option<Rank>,
}

/// A limited list of names, written as the command accepts them.
#[derive(Debug, Default)]
pub struct Named {
    pub names: Vec<String>,
    pub more: usize,
}

impl Named {
    fn new(names: impl ExactSizeIterator<Item = String>) -> Self {
        let more = names.len().saturating_sub(MAX_NAMED);
        Named { names: names.take(MAX_NAMED).collect(), more }
    }

    pub fn count(&self) -> usize {
        self.names.len() + self.more
    }
}

/// How many names an answer lists.
const MAX_NAMED: usize = 10;

impl Subjects {
    /// The only one that is likelier than all others, and the others.
    pub fn choose(self, wanted: &str) -> Result<(Subject, Named), ShowError> {
        let is_tie = self.all.len() > 1 && self.all[0].rank == self.all[1].rank;
        if is_tie {
            let candidates = Named::new(self.all.iter().map(|subject| subject.written.clone()));
            return Err(ShowError::Ambiguous { wanted: wanted.to_string(), candidates });
        }
        let mut all = self.all.into_iter();
        let first = all.next().expect("there is at least one");
        Ok((first, Named::new(all.map(|subject| subject.written))))
    }
}

impl Subject {
    /// The definitions of a file; of anything else, none.
    pub fn outline(&self, view: &IndexView) -> Result<OutlineOfFile, ReadError> {
        match (&self.view.file_rel_path, self.view.kind) {
            (Some(path), NodeKind::File) => outline_file(view, path),
            _ => Ok(OutlineOfFile::default()),
        }
    }
}

/// Finds what a text names.
pub fn find(view: &IndexView, nodes: &[Node], wanted: &str) -> Result<Found, ShowError> {
    let finder = Finder { view, nodes };
    let all = match resolve(view, wanted)? {
        Target::Folder(folder) => return Ok(Found::Folder(folder)),
        Target::Nothing { near } => return Err(ShowError::Unknown { wanted: wanted.to_string(), near }),
        Target::NoLine { path, line, last } => return Err(ShowError::NoLine { path, line, last }),
        Target::Definitions(definitions) => finder.definitions(&definitions),
        Target::Files(paths) => paths.iter().map(|path| finder.file(path)).collect(),
        Target::Line { path, chunk, .. } => vec![finder.chunk(chunk)?.unwrap_or_else(|| finder.file(&path))],
        Target::Chunk(chunk) => vec![finder.chunk_or_file(chunk)?],
        Target::Externals(all) => all.iter().map(|node| finder.node(*node)).collect(),
    };
    Ok(Found::Subjects(Subjects { all }))
}

struct Finder<'f> {
    view: &'f IndexView<'f>,
    nodes: &'f [Node],
}

impl Finder<'_> {
    fn definitions(&self, definitions: &[Definition]) -> Vec<Subject> {
        let texts: Vec<String> = definitions.iter().map(|definition| written(&definition.symbol)).collect();
        let is_unique = |text: &String| texts.iter().filter(|other| *other == text).count() == 1;
        let subject = |(definition, text): (&Definition, &String)| {
            let symbol = &definition.symbol;
            let line = || format!("{}:{}", symbol.file_rel_path, symbol.site.line);
            let written = if is_unique(text) { text.clone() } else { line() };
            Subject { written, rank: Some(definition.rank), ..self.symbol(symbol) }
        };
        definitions.iter().zip(&texts).map(subject).collect()
    }

    fn symbol(&self, symbol: &Symbol) -> Subject {
        let node = self.number(symbol.symbol_id.as_str());
        let bare = || NodeView {
            file_rel_path: Some(symbol.file_rel_path.clone()),
            kind: NodeKind::Symbol,
            name: symbol.qualified_name.clone(),
            node_id: NodeId::from(&symbol.symbol_id),
            unresolved: 0,
        };
        let definition = DefinitionView { kind: symbol.kind, lines: symbol.lines, signature: symbol.signature.clone() };
        Subject {
            node,
            view: node.map_or_else(bare, |node| node_view(&self.nodes[node.index()])),
            definition: Some(definition),
            symbol: Some(symbol.clone()),
            written: written(symbol),
            rank: None,
        }
    }

    fn file(&self, path: &RepoPath) -> Subject {
        let id = SymbolId::of_file(path);
        let node = self.number(id.as_str());
        let bare = || NodeView {
            file_rel_path: Some(path.clone()),
            kind: NodeKind::File,
            name: path.file_name().to_string(),
            node_id: NodeId::from(&id),
            unresolved: 0,
        };
        let view = node.map_or_else(bare, |node| node_view(&self.nodes[node.index()]));
        let rank = Some(Rank::of_file(self.view, path));
        Subject { node, view, definition: None, symbol: None, written: path.to_string(), rank }
    }

    fn node(&self, node: NodeNo) -> Subject {
        let view = node_view(&self.nodes[node.index()]);
        let written = view.node_id.to_string();
        Subject { node: Some(node), view, definition: None, symbol: None, written, rank: None }
    }

    /// The definition that a chunk holds, or the chunk's own node.
    fn chunk(&self, chunk: ChunkNo) -> Result<Option<Subject>, ReadError> {
        let record = self.view.chunk(chunk)?;
        if let Some(id) = &record.symbol_id {
            let symbols = self.view.symbols(&record.file_rel_path)?;
            if let Some(symbol) = symbols.iter().find(|symbol| symbol.symbol_id == *id) {
                return Ok(Some(self.symbol(symbol)));
            }
        }
        let node = self.number(&record.chunk_uid.to_string());
        Ok(node.map(|node| self.node(node)))
    }

    fn chunk_or_file(&self, chunk: ChunkNo) -> Result<Subject, ShowError> {
        if let Some(subject) = self.chunk(chunk)? {
            return Ok(subject);
        }
        let path = path_of(self.view, self.view.corpus().file_of(chunk));
        let unknown = || ShowError::Unknown { wanted: self.view.chunk_uid(chunk).to_string(), near: Vec::new() };
        Ok(self.file(&path.ok_or_else(unknown)?))
    }

    fn number(&self, id: &str) -> Option<NodeNo> {
        self.view.graph()?.node(id)
    }
}
