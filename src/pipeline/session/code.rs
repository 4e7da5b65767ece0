//! Operations that show code. In a session, what the reply shows is recorded as seen.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::SessionReply;
use super::{SessionError, Workbench};
use crate::door::frame::Synonyms;
use crate::door::frame::look::{LookRequest, Looked, Row, look};
use crate::door::frame::session::Session;
use crate::record::frame::CodeOp;
use crate::record::session::{Called, Event, SeenFile, SessionId, Verdict};
use crate::record::{Digest, Lines, SymbolId};
use crate::text::RepoPath;

/// What one event records.
const MAX_SEEN: usize = 64;
/// Tokens for what stands around the rows.
const AROUND: usize = 96;
/// A target is a name, a text or a question.
const MAX_TARGET_BYTES: usize = 8 << 10;

#[derive(Clone, Debug)]
pub struct CodeRequest {
    pub op: CodeOp,
    pub target: String,
    pub path: Option<String>,
    /// Without one, nothing is recorded.
    pub session: Option<SessionId>,
    pub offset: usize,
}

/// The rows of a reply, cut to what fits.
#[derive(Default)]
struct Page {
    text: String,
    rows: Vec<Row>,
    total: usize,
    next: Option<usize>,
    note: Option<String>,
    definition: Option<crate::record::Symbol>,
}

impl Workbench<'_> {
    pub fn code(&self, request: &CodeRequest) -> Result<SessionReply, SessionError> {
        if request.target.len() > MAX_TARGET_BYTES {
            return Err(SessionError::Limit(format!(
                "`target` has {} bytes and may have {MAX_TARGET_BYTES}",
                request.target.len()
            )));
        }
        match &request.session {
            None => self.shown_alone(request),
            Some(id) => self.recorded(request, id),
        }
    }

    fn shown_alone(&self, request: &CodeRequest) -> Result<SessionReply, SessionError> {
        if request.op == CodeOp::SemanticSearch {
            return Err(SessionError::bad("semantic_search needs a session"));
        }
        let page = self.page(request)?;
        Ok(reply(&page, None, &Verdict::default()))
    }

    fn recorded(&self, request: &CodeRequest, id: &SessionId) -> Result<SessionReply, SessionError> {
        let mut writing = self.open(id, &serde_json::Map::new())?;
        // Before anything is shown: what is refused shows nothing.
        let empty = Event::Called(called(request, &Page::default(), Vec::new(), 0));
        if writing.folded.session.refusal(&empty).is_some() {
            self.append(&mut writing, empty)?;
        }
        let page = self.page(request)?;
        let files = self.seen_files(&page)?;
        let omitted = page.total.saturating_sub(request.offset + page.rows.len());
        let mut event = called(request, &page, files, omitted);
        self.observed(&writing.folded.session, |observer| {
            event.target_is_of_request = observer.is_of_request(&request.target);
            if let Some(symbol) = page.definition.as_ref().filter(|_| request.op == CodeOp::FindDefinitions) {
                let found = observer.read(observer.symbols.found(symbol, true))?;
                event.defines = found.related.is_some().then_some(found);
            }
            Ok(())
        })?;
        let verdict = self.append(&mut writing, Event::Called(event))?;
        let reply = reply(&page, Some(&writing.folded.session), &verdict);
        writing.done();
        Ok(reply)
    }

    fn page(&self, request: &CodeRequest) -> Result<Page, SessionError> {
        let room = self.room.saturating_sub(AROUND);
        let synonyms = match request.op {
            CodeOp::SemanticSearch => words_for(&request.target, self.synonyms),
            _ => Vec::new(),
        };
        let target = crate::pipeline::inside_tree(self.tree, &request.target);
        let path = request.path.as_deref().map(|path| crate::pipeline::inside_tree(self.tree, path));
        let asked =
            LookRequest { op: request.op, target, path, offset: request.offset, max_tokens: room, synonyms: &synonyms };
        let looked = self.viewed(|view| Ok(look(view, &asked)?))?;
        self.fitting(looked, request.offset, room)
    }

    /// As many rows as fit.
    fn fitting(&self, looked: Looked, offset: usize, room: usize) -> Result<Page, SessionError> {
        let Looked { rows, total, note, definition } = looked;
        let (mut text, mut kept, mut left) = (String::new(), Vec::new(), room);
        let count = rows.len();
        for mut row in rows {
            match self.tokenizer.count_until(&row.text, left) {
                Some(tokens) => left -= tokens,
                // One row that is longer than a page is cut, so that a page always goes on.
                None if kept.is_empty() => {
                    let end = row.text.floor_char_boundary(self.tokenizer.prefix(&row.text, left.saturating_sub(4)));
                    if end == 0 {
                        return Err(SessionError::Limit(format!("nothing fits {} tokens", self.room)));
                    }
                    row.text = format!("{}…\n", row.text[..end].trim_end());
                    row.lines.clear();
                    row.symbols.clear();
                    left = 0;
                }
                None => break,
            }
            text += &row.text;
            kept.push(row);
        }
        let shown = offset + kept.len();
        let next = (shown < total && (kept.len() < count || count > 0)).then_some(shown);
        Ok(Page { text, rows: kept, total, next, note, definition })
    }

    /// The files that rows show lines of, with their contents as the index has them.
    fn seen_files(&self, page: &Page) -> Result<Vec<SeenFile>, SessionError> {
        let mut lines: BTreeMap<RepoPath, Vec<Lines>> = BTreeMap::new();
        for row in &page.rows {
            if let Some(path) = row.path.as_ref().filter(|_| !row.lines.is_empty()) {
                lines.entry(path.clone()).or_default().extend(row.lines.iter().copied());
            }
        }
        let paths: Vec<RepoPath> = lines.keys().take(MAX_SEEN).cloned().collect();
        let digests = self.source.file_digests(&paths)?;
        let file = |path: &RepoPath| {
            let digest = digests.get(path)?.clone();
            Some(SeenFile { digest, lines: joined(lines[path].clone()), path: path.clone() })
        };
        Ok(paths.iter().filter_map(file).collect())
    }
}

fn called(request: &CodeRequest, page: &Page, files: Vec<SeenFile>, omitted: usize) -> Called {
    let symbols: BTreeSet<&SymbolId> = page.rows.iter().flat_map(|row| &row.symbols).collect();
    Called {
        defines: None,
        files,
        omitted: omitted as u32,
        op: request.op,
        path: request.path.clone(),
        result: Digest::blake3(page.text.as_bytes()),
        symbols: symbols.into_iter().take(MAX_SEEN).cloned().collect(),
        target: request.target.chars().take(1_000).collect(),
        target_is_of_request: false,
        total: page.total as u32,
    }
}

/// Sorted, those that touch as one.
fn joined(mut lines: Vec<Lines>) -> Vec<Lines> {
    lines.sort();
    let mut all: Vec<Lines> = Vec::new();
    for one in lines {
        match all.last_mut().filter(|last| one.start <= last.end + 1) {
            Some(last) => last.end = last.end.max(one.end),
            None => all.push(one),
        }
    }
    all.truncate(256);
    all
}

fn reply(page: &Page, session: Option<&Session>, verdict: &Verdict) -> SessionReply {
    let mut text = page.text.clone();
    let mut notes: Vec<String> = page.note.iter().cloned().collect();
    if let Some(next) = page.next {
        notes.push(format!("{} of {}; go on with offset {next}", page.rows.len(), page.total));
    }
    if let Some(session) = session {
        notes.push(format!("call {}", session.seq));
    }
    let mut about = |what: &str, names: Vec<String>| {
        if !names.is_empty() {
            notes.push(format!("{what} {}", super::answer::listed(&names, 4)));
        }
    };
    about("explored", verdict.explored.iter().map(RepoPath::to_string).collect());
    about("mapped", verdict.mapped.clone());
    about("fact:", verdict.slots.keys().map(|slot| slot.name().to_string()).collect());
    if !notes.is_empty() {
        text += &format!("[{}]\n", notes.join("; "));
    }
    let mut reply = SessionReply::plain(text);
    reply.fact("items", page.rows.len());
    if let Some(next) = page.next {
        reply.fact("next", next);
    }
    if let Some(session) = session {
        reply.fact("call", session.seq);
    }
    reply
}

/// What the words of a question are called in code.
fn words_for(target: &str, synonyms: &Synonyms) -> Vec<String> {
    let words: BTreeSet<String> = synonyms.of_term(target).into_iter().flat_map(|group| group.words()).collect();
    words.into_iter().collect()
}
