//! The sources of notes in a tree: reads the settings of the programs that made them, and says what each file holds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::settings::DatesFrom;
use super::{ChunkSettings, PipelineError, workspace_sources};
use crate::chunk::blocks::Blocks;
use crate::dialect::note::{LogseqRules, NoteSource, RecordedDates, VaultRules, date_of_number, date_of_text};
use crate::dialect::note_tree::{FileKind, NoteTree, SNIFFED_BYTES, sniffed};
use crate::dialect::workspace::holds_rights;
use crate::record::{Digest, Problem, ProblemCode};
use crate::source::{self, Content, Entry};
use crate::text::RepoPath;

/// Where a tree records the dates of its files, one JSON object per line.
const DATES_FILE: &str = ".contextpack/dates.jsonl";

/// What the notes of one tree are read with.
#[derive(Default)]
pub struct NoteSources {
    tree: NoteTree,
    vaults: BTreeMap<String, VaultRules>,
    graphs: BTreeMap<String, LogseqRules>,
    dates: BTreeMap<String, RecordedDates>,
    blocks: Option<Arc<Blocks>>,
    /// Of everything outside a file that decides how it is read. Absent if there is no such thing.
    digest: Option<Digest>,
}

/// Reads a file of a tree. Exports have a limit of their own.
pub fn read_file(tree: &Path, entry: &Entry, settings: &ChunkSettings) -> Result<Content, Problem> {
    source::read(tree, entry, size_limit(tree, entry, settings))
}

/// The size up to which a file is read.
pub fn size_limit(tree: &Path, entry: &Entry, settings: &ChunkSettings) -> u64 {
    let said = || NoteTree::find(&settings.notes.roots, std::iter::empty()).kind(&entry.path);
    let sniffs = || {
        let head = source::read_head(tree, entry, SNIFFED_BYTES);
        head.is_some_and(|head| sniffed(&entry.path, &String::from_utf8_lossy(&head)).is_some())
    };
    let is_export = || match said() {
        FileKind::Tana | FileKind::Nodes => true,
        FileKind::Workspace => workspace_sources::is_export(&entry.path),
        _ => sniffs(),
    };
    let workspace_cap = settings.workspace.as_ref().and_then(|workspace| workspace.max_file_bytes);
    if let Some(cap) = workspace_cap.filter(|_| workspace_sources::is_export(&entry.path))
        && (holds_rights(&entry.path) || said() == FileKind::Workspace)
    {
        return cap;
    }
    if entry.bytes > settings.max_file_bytes && is_export() {
        settings.notes.max_export_bytes.max(settings.max_file_bytes)
    } else {
        settings.max_file_bytes
    }
}

impl NoteSources {
    /// Looks at the files of a tree. A file of settings that cannot be read is a problem, and the defaults are used.
    /// Permissions that cannot be read end the run.
    pub fn find(tree: &Path, files: &[Entry], settings: &ChunkSettings) -> Result<(Self, Vec<Problem>), PipelineError> {
        let notes = NoteTree::find(&settings.notes.roots, files.iter().map(|entry| &entry.path));
        let mut found = Reader { tree, files, settings, read: BTreeMap::new(), problems: Vec::new() };
        let mut sources = NoteSources { tree: notes, ..NoteSources::default() };
        for root in sources.tree.roots().collect::<Vec<_>>() {
            sources.vaults.insert(root.clone(), found.vault(&root));
            sources.graphs.insert(root.clone(), found.graph(&root));
        }
        sources.dates = found.dates();
        if settings.notes.dates == Some(DatesFrom::Git) {
            found.add_git_dates(&mut sources.dates);
        }
        let problems = found.problems;
        let read = found.read;
        if let Some(block_settings) = &settings.workspace {
            let is_workspace =
                |entry: &&Entry| holds_rights(&entry.path) || sources.tree.kind(&entry.path) == FileKind::Workspace;
            let files: Vec<&Entry> = files.iter().filter(is_workspace).collect();
            let blocks = workspace_sources::read(tree, &files, settings, block_settings)?;
            sources.blocks = Some(Arc::new(blocks));
        }
        sources.digest = sources.state(&read);
        Ok((sources, problems))
    }

    /// What the manifest records, so that files are read again if it changes.
    pub fn digest(&self) -> Option<&Digest> {
        self.digest.as_ref()
    }

    /// What a file holds, if it holds notes.
    pub fn source_of(&self, path: &RepoPath, text: &str) -> Option<NoteSource> {
        // What says who may read what counts everywhere, also where a user says that there is code.
        let is_of_rights = self.blocks.is_some() && holds_rights(path);
        match if is_of_rights { FileKind::Workspace } else { self.tree.kind(path) } {
            FileKind::Plain => None,
            FileKind::ByContent => of_export(sniffed(path, text)?),
            FileKind::Workspace => {
                let read = self.blocks.as_ref()?.workspace.file(path).map(|file| file.kind);
                // One that could not be read with the others is not read as a text either.
                read.or_else(|| workspace_sources::kind(path, text)).map(NoteSource::Workspace)
            }
            FileKind::Vault(root) => {
                let rules = self.vaults.get(&root).cloned().unwrap_or_default();
                Some(NoteSource::Vault(VaultRules { root, recorded: self.recorded(path), ..rules }))
            }
            FileKind::Logseq(root) => {
                let rules = self.graphs.get(&root).cloned().unwrap_or_default();
                Some(NoteSource::Logseq(LogseqRules { root, recorded: self.recorded(path), ..rules }))
            }
            export => of_export(export),
        }
    }

    /// The later export that replaces a file.
    pub fn superseding(&self, path: &RepoPath) -> Option<&RepoPath> {
        self.tree.superseding(path)
    }

    /// Whether a file is an old version or a setting of notes.
    pub fn is_aside(&self, path: &RepoPath) -> bool {
        self.tree.is_aside(path)
    }

    /// Whether there is something that not everybody may read.
    pub fn is_restricted(&self) -> bool {
        self.blocks.as_ref().is_some_and(|blocks| blocks.workspace.is_restricted())
    }

    /// Whether there are blocks, and nobody may read any of them.
    pub fn is_closed(&self) -> bool {
        self.blocks.as_ref().is_some_and(|blocks| blocks.workspace.is_closed())
    }

    /// What all files of a workspace say together; absent if the tree is none.
    pub fn blocks(&self) -> Option<&Arc<Blocks>> {
        self.blocks.as_ref()
    }

    fn recorded(&self, path: &RepoPath) -> RecordedDates {
        self.dates.get(path.as_str()).cloned().unwrap_or_default()
    }

    fn state(&self, read: &BTreeMap<String, Digest>) -> Option<Digest> {
        let blocks = self.blocks.as_ref().map(|blocks| blocks.workspace.digest());
        if self.tree.is_empty() && read.is_empty() {
            return None;
        }
        let roots: Vec<String> = self.tree.roots().collect();
        let superseded: Vec<&RepoPath> = self.tree.superseded().collect();
        let mut state = serde_json::json!({ "roots": roots, "superseded": superseded, "read": read });
        if let Some(blocks) = blocks {
            state["blocks"] = blocks.as_str().into();
        }
        Some(Digest::sha256(state.to_string().as_bytes()))
    }
}

fn of_export(kind: FileKind) -> Option<NoteSource> {
    match kind {
        FileKind::Tana => Some(NoteSource::Tana),
        FileKind::Nodes => Some(NoteSource::Nodes),
        FileKind::Plain | FileKind::Vault(_) | FileKind::Logseq(_) | FileKind::Workspace | FileKind::ByContent => None,
    }
}

/// Reads the files that say how notes are read.
struct Reader<'r> {
    tree: &'r Path,
    files: &'r [Entry],
    settings: &'r ChunkSettings,
    /// The digests of what was read, by path.
    read: BTreeMap<String, Digest>,
    problems: Vec<Problem>,
}

#[derive(Default, Deserialize)]
struct DatesLine {
    path: String,
    created: Option<Value>,
    modified: Option<Value>,
}

impl Reader<'_> {
    fn vault(&mut self, root: &str) -> VaultRules {
        let daily = self.json(&format!("{root}.obsidian/daily-notes.json"));
        let templates = self.json(&format!("{root}.obsidian/templates.json"));
        let word = |value: &Option<Value>, key: &str| {
            let word = value.as_ref()?.get(key)?.as_str()?.trim_matches('/').to_string();
            (!word.is_empty()).then_some(word)
        };
        VaultRules {
            templates: word(&templates, "folder"),
            daily_folder: word(&daily, "folder"),
            daily_format: word(&daily, "format"),
            ..VaultRules::default()
        }
    }

    fn graph(&mut self, root: &str) -> LogseqRules {
        let config = self.text(&format!("{root}logseq/config.edn")).unwrap_or_default();
        LogseqRules {
            journal_file_format: edn_text(&config, ":journal/file-name-format"),
            journal_title_format: edn_text(&config, ":journal/page-title-format"),
            ..LogseqRules::default()
        }
    }

    fn dates(&mut self) -> BTreeMap<String, RecordedDates> {
        let text = self.text(DATES_FILE).unwrap_or_default();
        let mut dates = BTreeMap::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let Ok(row) = serde_json::from_str::<DatesLine>(line) else {
                self.problem(DATES_FILE, format!("line {} is not `{{path, created?, modified?}}`", at + 1));
                continue;
            };
            let date = |value: &Option<Value>| match value {
                Some(Value::String(text)) => date_of_text(text),
                Some(number) => date_of_text(&number.to_string()),
                None => None,
            };
            dates.insert(row.path, RecordedDates { created: date(&row.created), modified: date(&row.modified) });
        }
        dates
    }

    /// Adds the times of commits for files whose dates the tree does not record.
    fn add_git_dates(&mut self, dates: &mut BTreeMap<String, RecordedDates>) {
        let times = match source::git_dates(self.tree) {
            Ok(times) => times,
            Err(reason) => return self.problem(DATES_FILE, format!("dates cannot be taken from git: {reason}")),
        };
        let mut all = String::new();
        for (path, times) in times {
            all += &format!("{path}\0{}\0{}\n", times.first, times.last);
            let recorded = dates.entry(path).or_default();
            let date = |seconds: i64| date_of_number(i128::from(seconds));
            recorded.created = recorded.created.take().or_else(|| date(times.first));
            recorded.modified = recorded.modified.take().or_else(|| date(times.last));
        }
        self.read.insert(".git".to_string(), Digest::blake3(all.as_bytes()));
    }

    fn json(&mut self, path: &str) -> Option<Value> {
        let text = self.text(path)?;
        let value = serde_json::from_str(&text);
        if let Err(fault) = &value {
            self.problem(path, format!("these settings of notes cannot be read: {fault}"));
        }
        value.ok()
    }

    /// The text of a file of the tree, if the tree has it.
    fn text(&mut self, path: &str) -> Option<String> {
        let at = self.files.binary_search_by(|entry| entry.path.as_str().cmp(path)).ok()?;
        let entry = &self.files[at];
        let content = source::read(self.tree, entry, self.settings.max_file_bytes);
        let content = content.map_err(|problem| self.problems.push(problem)).ok()?;
        self.read.insert(path.to_string(), content.digest);
        source::text(content.bytes, self.settings.allow_secrets).map(|read| read.text)
    }

    fn problem(&mut self, path: &str, message: String) {
        if let Ok(path) = RepoPath::try_from(path.to_string()) {
            self.problems.push(Problem::new(&path, ProblemCode::ItemSource, message));
        }
    }
}

/// The text behind a key of an EDN map, outside comments.
fn edn_text(config: &str, key: &str) -> Option<String> {
    let line = config.lines().map(str::trim_start).find(|line| {
        !line.starts_with(';') && line.split_whitespace().any(|word| word.trim_start_matches('{') == key)
    })?;
    let value = line[line.find(key)? + key.len()..].trim_start().strip_prefix('"')?;
    Some(value[..value.find('"')?].to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_export_has_a_limit_of_its_own() {
        let (tree, path) = (Path::new("absent"), RepoPath::try_from("notes.json".to_string()).unwrap());
        let entry = Entry { path, bytes: 9 };
        let mut settings = ChunkSettings { max_file_bytes: 4, ..ChunkSettings::default() };
        assert_eq!(size_limit(tree, &entry, &settings), 4, "nothing says that it is an export");
        settings.notes.roots.push("tana:notes.json".parse().unwrap());
        assert_eq!(size_limit(tree, &entry, &settings), settings.notes.max_export_bytes);
    }

    #[test]
    fn settings_are_found_in_edn() {
        let config =
            "{;; a comment\n ; :journal/file-name-format \"x\"\n :journal/file-name-format \"yyyy-MM-dd\"\n :other 1}";
        assert_eq!(edn_text(config, ":journal/file-name-format").as_deref(), Some("yyyy-MM-dd"));
        assert_eq!(edn_text(config, ":journal/page-title-format"), None);
        assert_eq!(edn_text("{:a \"b\"}", ":a").as_deref(), Some("b"));
    }
}
