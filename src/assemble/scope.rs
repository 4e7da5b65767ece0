//! The part of an index that a request is about: the files that pass its filter, and its focus.

use std::collections::BTreeMap;

use super::focus::{self, FocusSet};
use super::{IndexView, ReadError};
use crate::record::request::{Filter, PackRequest, RequestFault};
use crate::record::{ChunkNo, FileNo, LanguageId};
use crate::search::{FileFlags, Scope};
use crate::text::{PathPatterns, RepoPath};

#[derive(Default)]
pub struct RequestScope {
    /// What may be shown and walked through.
    pub files: Scope,
    /// What the query may find: those chunks of the files that are in focus.
    pub found: Scope,
    /// Absent if the request has none.
    pub focus: Option<FocusSet>,
}

impl RequestScope {
    pub fn of(view: &IndexView, request: &PackRequest) -> Result<Self, ReadError> {
        let files = filtered(view, &request.filter)?;
        let focus = (!request.focus.is_empty()).then(|| focus::resolve(view, &request.focus)).transpose()?;
        let found = match &focus {
            None => files.clone(),
            Some(focus) => files.only(view.corpus(), focus.chunks.iter().copied()),
        };
        Ok(RequestScope { files, found, focus })
    }

    /// Whether a chunk is in the focus.
    pub fn is_in_focus(&self, chunk: ChunkNo) -> bool {
        self.focus.as_ref().is_some_and(|focus| focus.chunks.contains(&chunk))
    }
}

/// Fails if the index has nothing that the request is about.
pub fn check(view: &IndexView, request: &PackRequest) -> Result<Result<(), RequestFault>, ReadError> {
    if let Err(fault) = focus::check(view, &request.focus)? {
        return Ok(Err(fault));
    }
    if let Some(fault) = unknown_language(view, &request.filter)? {
        return Ok(Err(fault));
    }
    let is_empty = !request.filter.is_empty() && filtered(view, &request.filter)?.is_empty();
    Ok(if is_empty { Err(RequestFault::NoFiles) } else { Ok(()) })
}

/// The files that pass a filter, or why it cannot be used.
pub fn of_filter(view: &IndexView, filter: &Filter) -> Result<Result<Scope, RequestFault>, ReadError> {
    let unusable = [&filter.paths, &filter.exclude].into_iter().find_map(|patterns| PathPatterns::new(patterns).err());
    if let Some(fault) = unusable {
        return Ok(Err(fault.into()));
    }
    if let Some(fault) = unknown_language(view, filter)? {
        return Ok(Err(fault));
    }
    filtered(view, filter).map(Ok)
}

fn unknown_language(view: &IndexView, filter: &Filter) -> Result<Option<RequestFault>, ReadError> {
    if filter.languages.is_empty() {
        return Ok(None);
    }
    let mut known: Vec<String> = view.languages()?.values().map(|language| language.as_str().to_string()).collect();
    known.sort();
    known.dedup();
    let missing = filter.languages.iter().find(|language| !known.iter().any(|known| is_same(known, language)));
    Ok(missing.map(|language| RequestFault::UnknownLanguage { language: language.clone(), known }))
}

fn is_same(language: &str, asked: &str) -> bool {
    language.eq_ignore_ascii_case(asked.trim())
}

/// The files that pass a filter whose patterns were checked.
fn filtered(view: &IndexView, filter: &Filter) -> Result<Scope, ReadError> {
    if filter.is_empty() {
        return Ok(Scope::EVERYTHING);
    }
    let patterns = |patterns: &[String]| PathPatterns::new(patterns).ok();
    let (paths, exclude) = (patterns(&filter.paths), patterns(&filter.exclude));
    let none = BTreeMap::<RepoPath, LanguageId>::new();
    let languages = if filter.languages.is_empty() { &none } else { view.languages()? };
    let matches = |patterns: &Option<PathPatterns>, path: &str| patterns.as_ref().is_some_and(|all| all.matches(path));
    let has_language = |path: &str| {
        let language = languages.get(path).map(LanguageId::as_str);
        language.is_some_and(|language| filter.languages.iter().any(|asked| is_same(language, asked)))
    };
    let corpus = view.corpus();
    Ok(Scope::of_files(corpus, |file: FileNo| {
        let path = corpus.path(file);
        (filter.paths.is_empty() || matches(&paths, path))
            && !matches(&exclude, path)
            && !(filter.no_tests && corpus.file_flags(file).has(FileFlags::TEST))
            && (filter.languages.is_empty() || has_language(path))
    }))
}
