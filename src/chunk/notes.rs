//! Which dialect reads a file of notes.

use super::Source;
use crate::dialect::note::{LogseqRules, NoteSource, VaultRules};
use crate::dialect::{Page, logseq, vault};
use crate::language::{Facts, Language, Limits};
use crate::record::{Problem, ProblemCode};
use crate::text::RepoPath;

/// The facts and the page of a file that a dialect of notes reads.
pub fn read<'t>(source: &Source<'t>, limits: &Limits) -> Option<(Facts<'t>, Page)> {
    let is_markdown = source.language.map(Language::id) == Some("markdown");
    let (path, text) = (source.path, source.text);
    match source.notes? {
        NoteSource::Vault(rules) if is_markdown => Some(vault::read(path, text, rules, limits)),
        NoteSource::Vault(rules) if has_ending(path, ".canvas") => vault::canvas::read(path, text, rules, limits),
        NoteSource::Logseq(rules) if is_markdown && logseq::is_outline(path, rules) => {
            Some(logseq::read(path, text, rules, limits))
        }
        NoteSource::Logseq(rules) if is_markdown => Some(vault::read(path, text, &as_vault(rules), limits)),
        // Files of other kinds hold no notes; exports are read by `super::export`.
        NoteSource::Vault(_)
        | NoteSource::Logseq(_)
        | NoteSource::Tana
        | NoteSource::Nodes
        | NoteSource::Workspace(_) => None,
    }
}

/// A page of a Logseq graph that is no outline is read as one of a vault.
fn as_vault(rules: &LogseqRules) -> VaultRules {
    VaultRules { root: rules.root.clone(), recorded: rules.recorded.clone(), ..VaultRules::default() }
}

/// What a reader should know of a file of notes that no dialect reads.
pub fn problem(source: &Source, was_read: bool) -> Option<Problem> {
    let message = match source.notes? {
        NoteSource::Vault(_) if has_ending(source.path, ".canvas") && !was_read => {
            "a canvas that is not JSON; not read as notes"
        }
        NoteSource::Vault(_) if has_ending(source.path, ".base") => "a Base of a vault; it is not read as notes",
        NoteSource::Logseq(_) if has_ending(source.path, ".org") => "notes in Org mode; they are not read as notes",
        NoteSource::Logseq(_) if has_ending(source.path, ".edn") => "a whiteboard; it is not read as notes",
        _ => return None,
    };
    Some(Problem::new(source.path, ProblemCode::ItemSource, message))
}

fn has_ending(path: &RepoPath, ending: &str) -> bool {
    path.as_str().to_ascii_lowercase().ends_with(ending)
}
