//! The text of places, the lines that match a text, and packs.

use super::{LookRequest, Looked, Row, page_rows};
use crate::assemble::IndexView;
use crate::door::browse::{BrowseError, SearchRequest, escape, find, find_lines};
use crate::door::pack;
use crate::record::Lines;
use crate::record::frame::CodeOp;
use crate::record::pack::Item;
use crate::record::request::{PackRequest, SeedProvider};
use crate::text::{RepoPath, one_line};

/// Before a regular expression.
const REGEX: &str = "re:";
const MAX_REGEX_BYTES: usize = 1024;
/// Texts that are searched at once.
const MAX_TEXTS: usize = 5;

pub fn search_text(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    let (text, is_regex) = pattern(request.target)?;
    let search = SearchRequest { text, is_regex, ..SearchRequest::default() };
    let is_wanted = |path: &str| {
        let path = RepoPath::try_from(path.to_string());
        path.is_ok_and(|path| request.has(&path))
    };
    let (total, lines) = find_lines(view, &search, is_wanted, request.offset, page_rows(request.op))?;
    let rows = lines.into_iter().map(|found| {
        let lines = Lines { end: found.line, start: found.line };
        super::row(&found.path, lines, &found.text, Vec::new())
    });
    let note = (total == 0).then(|| "no line has it".to_string());
    Ok(Looked { rows: rows.collect(), total, note, definition: None })
}

/// A text, a list of texts as JSON, or a regular expression.
fn pattern(target: &str) -> Result<(String, bool), BrowseError> {
    if target.is_empty() {
        return Err(BrowseError::Pattern("it is empty".to_string()));
    }
    if let Some(regex) = target.strip_prefix(REGEX) {
        return match regex.len() <= MAX_REGEX_BYTES {
            true => Ok((regex.to_string(), true)),
            false => Err(BrowseError::Pattern(format!("it has more than {MAX_REGEX_BYTES} bytes"))),
        };
    }
    match serde_json::from_str::<Vec<String>>(target) {
        Ok(texts) if texts.is_empty() || texts.iter().any(String::is_empty) => {
            Err(BrowseError::Pattern("it is an empty text".to_string()))
        }
        Ok(texts) if texts.len() > MAX_TEXTS => {
            Err(BrowseError::Pattern(format!("it is a list of more than {MAX_TEXTS} texts")))
        }
        Ok(texts) => {
            let escaped: Vec<String> = texts.iter().map(|text| escape(text)).collect();
            Ok((escaped.join("|"), true))
        }
        Err(_) => Ok((target.to_string(), false)),
    }
}

/// Lines of files, and the bodies of definitions.
pub fn read(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    let (mut total, mut rows) = (0, Vec::new());
    for excerpt in find(view, request.target)? {
        let path = RepoPath::try_from(view.corpus().path(excerpt.file).to_string()).expect("it was checked");
        let count = (excerpt.lines.end - excerpt.lines.start + 1) as usize;
        let skipped = request.offset.saturating_sub(total).min(count);
        let room = page_rows(request.op) - rows.len();
        let shown = (count - skipped).min(room);
        if shown > 0 {
            let start = excerpt.lines.start + skipped as u32;
            let lines = Lines { end: start + shown as u32 - 1, start };
            rows.extend(line_rows(view, &path, lines)?);
        }
        total += count;
    }
    Ok(Looked { rows, total, ..Looked::default() })
}

fn line_rows(view: &IndexView, path: &RepoPath, lines: Lines) -> Result<Vec<Row>, BrowseError> {
    let text = view.file_lines(path, &[])?.text(lines);
    let symbols = view.symbols(path)?;
    let rows = text.split_inclusive('\n').zip(lines.start..);
    Ok(rows
        .map(|(text, line)| {
            let heading =
                if line == lines.start { format!("### {}\n", one_line(path.as_str())) } else { String::new() };
            let defined = symbols.iter().filter(|symbol| symbol.lines.start == line);
            Row {
                text: format!("{heading}{line}\t{}\n", text.trim_end_matches(['\n', '\r'])),
                path: Some(path.clone()),
                lines: vec![Lines { end: line, start: line }],
                symbols: defined.map(|symbol| symbol.symbol_id.clone()).collect(),
            }
        })
        .collect())
}

/// A pack of what a question asks for. Semantic search adds synonyms, and takes every way that there is.
pub fn pack(view: &IndexView, request: &LookRequest) -> Result<Looked, BrowseError> {
    let is_semantic = request.op == CodeOp::SemanticSearch;
    let words = if is_semantic { request.synonyms.join(" ") } else { String::new() };
    let mut asked = PackRequest {
        query: format!("{} {words}", request.target).trim().to_string(),
        seed_provider: if is_semantic { SeedProvider::Hybrid } else { SeedProvider::Sparse },
        ..PackRequest::default()
    };
    asked.budgets.max_total_tokens = request.max_tokens as u32;
    asked.filter.paths.extend(request.path.map(str::to_string));
    let pack = pack::pack(view, &asked)?;
    let mut items: Vec<&Item> = pack.sections.iter().flat_map(|section| &section.items).collect();
    items.sort_by_key(|item| item.rank);
    let rows = items.into_iter().map(item_row).collect();
    let mut looked = request.page(rows);
    looked.note = (looked.total == 0).then(|| "nothing was found".to_string());
    Ok(looked)
}

fn item_row(item: &Item) -> Row {
    let Lines { start, end } = item.lines;
    let heading = format!("### {}:{start}-{end} {}", one_line(item.file_rel_path.as_str()), one_line(&item.title));
    Row {
        text: format!("{heading}\n{}\n", item.excerpt.text.trim_end()),
        path: Some(item.file_rel_path.clone()),
        lines: item.excerpt.shown.clone(),
        symbols: item.symbol_id.iter().cloned().collect(),
    }
}
