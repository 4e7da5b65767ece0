//! Which files a search looks at.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::BrowseError;
use crate::assemble::IndexView;
use crate::language::Languages;
use crate::record::{Chunk, FileNo};
use crate::search::FileFlags;

/// As a reader writes it.
#[derive(Clone, Debug, Default)]
pub struct FileFilter {
    /// Globs. Without any, all files pass.
    pub paths: Vec<String>,
    /// Globs of files that do not pass.
    pub exclude: Vec<String>,
    /// A language's id or another name of it.
    pub lang: Option<String>,
    pub no_tests: bool,
}

/// Ready to use.
pub struct Filter {
    paths: Option<GlobSet>,
    exclude: GlobSet,
    lang: Option<String>,
    /// Whether the language is a built-in one.
    is_known: bool,
    no_tests: bool,
}

impl FileFilter {
    pub fn build(&self) -> Result<Filter, BrowseError> {
        let paths = (!self.paths.is_empty()).then(|| globs(&self.paths)).transpose()?;
        let (lang, is_known) = self.lang.as_deref().map(language).unzip();
        let is_known = is_known.unwrap_or(true);
        Ok(Filter { paths, exclude: globs(&self.exclude)?, lang, is_known, no_tests: self.no_tests })
    }
}

impl Filter {
    pub fn passes(&self, view: &IndexView, file: FileNo) -> bool {
        let path = view.corpus().path(file);
        self.paths.as_ref().is_none_or(|globs| globs.is_match(path))
            && !self.exclude.is_match(path)
            && !(self.no_tests && view.corpus().file_flags(file).has(FileFlags::TEST))
    }

    /// Refuses a language that is not built in. A user may have added it, so it is refused only where nothing matches.
    pub fn check_language(&self) -> Result<(), BrowseError> {
        match &self.lang {
            Some(lang) if !self.is_known => Err(BrowseError::Language(lang.clone())),
            _ => Ok(()),
        }
    }

    /// A document has fences in other languages than its own, so chunks are asked.
    pub fn passes_chunk(&self, chunk: &Chunk) -> bool {
        self.lang.as_deref().is_none_or(|lang| chunk.language_id.as_str() == lang)
    }
}

/// As in .gitignore: without a slash the name of a file or directory at any depth, else a path from the root;
/// a directory stands for all files below it.
fn globs(patterns: &[String]) -> Result<GlobSet, BrowseError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let path = pattern.trim_start_matches("./").trim_matches('/');
        let anchored = if path.contains('/') { path.to_string() } else { format!("**/{path}") };
        for glob in [anchored.clone(), format!("{anchored}/**")] {
            let fault =
                |error: globset::Error| BrowseError::Glob { glob: pattern.clone(), cause: error.kind().to_string() };
            set.add(GlobBuilder::new(&glob).literal_separator(true).build().map_err(fault)?);
        }
    }
    let fault = |error: globset::Error| BrowseError::Glob { glob: patterns.join(" "), cause: error.kind().to_string() };
    set.build().map_err(fault)
}

/// The id that a word stands for, and whether it is a built-in language's.
fn language(word: &str) -> (String, bool) {
    let word = word.trim().to_lowercase();
    let languages = Languages::of_run(&[]).ok();
    let known = languages.and_then(|languages| languages.named(&word).map(|language| language.id().to_string()));
    let is_known = known.is_some();
    (known.unwrap_or(word), is_known)
}
