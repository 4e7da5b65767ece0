//! Operations that show code, as rows with their places: what a session records as seen is what a row shows. Pure.

mod references;
mod structure;
mod texts;

use crate::assemble::target::{Target, is_below, resolve};
use crate::assemble::{IndexView, ReadError};
use crate::door::browse::BrowseError;
use crate::record::frame::CodeOp;
use crate::record::{Lines, Symbol, SymbolId};
use crate::text::{RepoPath, one_line};

/// What to show.
#[derive(Clone, Copy, Debug)]
pub struct LookRequest<'r> {
    pub op: CodeOp,
    pub target: &'r str,
    /// Only files in this directory, or this file.
    pub path: Option<&'r str>,
    /// The first row.
    pub offset: usize,
    /// For packs, which fill a budget of their own.
    pub max_tokens: usize,
    /// Words that a semantic search adds.
    pub synonyms: &'r [String],
}

/// One result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whole lines.
    pub text: String,
    pub path: Option<RepoPath>,
    pub lines: Vec<Lines>,
    pub symbols: Vec<SymbolId>,
}

/// Some of the results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looked {
    /// From the offset on, as many as one page may have.
    pub rows: Vec<Row>,
    /// All results.
    pub total: usize,
    /// What the rows do not say.
    pub note: Option<String>,
    /// The definition, if there is only one.
    pub definition: Option<Symbol>,
}

/// The most rows of one page.
pub fn page_rows(op: CodeOp) -> usize {
    match op {
        CodeOp::FindDefinitions | CodeOp::FindReferences | CodeOp::SearchText => 100,
        CodeOp::GetSymbols | CodeOp::AnalyzeStructure => 200,
        CodeOp::Read => 400,
        CodeOp::Query | CodeOp::SemanticSearch => usize::MAX,
    }
}

pub fn look(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    match request.op {
        CodeOp::FindDefinitions => definitions(view, request),
        CodeOp::FindReferences => references::references(view, request),
        CodeOp::SearchText => texts::search_text(view, request),
        CodeOp::GetSymbols => structure::symbols(view, request),
        CodeOp::AnalyzeStructure => structure::structure(view, request),
        CodeOp::Read => texts::read(view, request),
        CodeOp::Query | CodeOp::SemanticSearch => texts::pack(view, request),
    }
}

impl LookRequest<'_> {
    fn has(&self, path: &RepoPath) -> bool {
        self.path.is_none_or(|only| {
            let only = only.trim_start_matches("./").trim_end_matches('/');
            path.as_str() == only || is_below(path, only)
        })
    }

    /// Of all rows those of the page.
    fn page(&self, rows: Vec<Row>) -> Looked {
        let total = rows.len();
        let rows = rows.into_iter().skip(self.offset).take(page_rows(self.op)).collect();
        Looked { rows, total, ..Looked::default() }
    }
}

/// The definitions with a name.
pub fn named(view: &IndexView, name: &str) -> Result<(Vec<Symbol>, Vec<String>), ReadError> {
    Ok(match resolve(view, name)? {
        Target::Definitions(found) => (found.into_iter().map(|found| found.symbol).collect(), Vec::new()),
        Target::Nothing { near } => (Vec::new(), near),
        _ => (Vec::new(), Vec::new()),
    })
}

fn definitions(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    let (mut found, near) = named(view, request.target)?;
    found.retain(|symbol| request.has(&symbol.file_rel_path));
    let mut looked = request.page(found.iter().map(symbol_row).collect());
    looked.note = nothing_note(found.is_empty(), &near);
    looked.definition = (found.len() == 1).then(|| found.remove(0));
    Ok(looked)
}

fn nothing_note(is_nothing: bool, near: &[String]) -> Option<String> {
    is_nothing.then(|| match near.is_empty() {
        true => "nothing has this name".to_string(),
        false => format!("nothing has this name; similar: {}", near.join(", ")),
    })
}

fn symbol_row(symbol: &Symbol) -> Row {
    let shown = symbol.signature.as_deref().unwrap_or(&symbol.qualified_name);
    let kind = super::session::word(&symbol.kind);
    let name = one_line(&symbol.qualified_name);
    let text = match symbol.signature {
        Some(_) => format!("{kind} {name}  {}", cut(&one_line(shown), MAX_CHARS)),
        None => format!("{kind} {name}"),
    };
    row(&symbol.file_rel_path, symbol.lines, &text, vec![symbol.symbol_id.clone()])
}

fn row(path: &RepoPath, lines: Lines, text: &str, symbols: Vec<SymbolId>) -> Row {
    let place = match lines.start == lines.end {
        true => lines.start.to_string(),
        false => format!("{}-{}", lines.start, lines.end),
    };
    let text = format!("{}:{place}  {text}\n", one_line(path.as_str()));
    Row { text, path: Some(path.clone()), lines: vec![lines], symbols }
}

/// Of one row's text.
const MAX_CHARS: usize = 200;

fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}
