//! Which files of a tree hold notes, and of which source. Pure: decides by paths and by the beginnings of texts.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::dialect::export::head;
use crate::text::RepoPath;

/// How much of a file decides whether it is an export.
pub const SNIFFED_BYTES: usize = 64 << 10;

/// What a user says about the files of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoteRoot {
    pub kind: GivenKind,
    /// From the root of the tree; empty or absent: all of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GivenKind {
    /// As the tree itself shows.
    Auto,
    /// No notes.
    Code,
    Vault,
    Logseq,
    Tana,
    Nodes,
    Workspace,
}

impl FromStr for NoteRoot {
    type Err = String;

    /// Reads `KIND` or `KIND:PATH`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (word, path) = text.split_once(':').unwrap_or((text, ""));
        let kind = serde_json::from_value(word.into());
        let kind = kind.map_err(|_| {
            format!("`{word}` is not a kind of source; use auto, code, vault, logseq, tana, nodes or workspace, then `:PATH`")
        })?;
        let path = path.trim_start_matches("./").trim_end_matches('/');
        Ok(NoteRoot { kind, path: if path == "." { String::new() } else { path.to_string() } })
    }
}

/// The places of a tree that hold notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteTree {
    given: Vec<NoteRoot>,
    /// Directories with settings of a program for notes, with a `/` at their end.
    found: BTreeMap<String, Programs>,
    /// Exports that a later one beside them replaces, with that one.
    superseded: BTreeMap<RepoPath, RepoPath>,
}

/// The programs whose settings a directory has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Programs {
    obsidian: bool,
    logseq: bool,
}

/// What a file is by its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// No notes, whatever it says.
    Plain,
    /// In a vault with this directory.
    Vault(String),
    /// In a Logseq graph with this directory.
    Logseq(String),
    Tana,
    Nodes,
    /// In a workspace: all of its files are looked at together.
    Workspace,
    /// Its content decides whether it is an export.
    ByContent,
}

const OBSIDIAN: &str = ".obsidian/";
const LOGSEQ_CONFIG: &str = "logseq/config.edn";
/// Directories of old versions and settings, below a directory of notes.
const ASIDE: &[&str] = &[".obsidian/", ".trash/", ".stversions/", "logseq/bak/", "logseq/.recycle/"];
const VAULT_ENDINGS: &[&str] = &[".md", ".canvas", ".base"];
const LOGSEQ_ENDINGS: &[&str] = &[".md", ".org", ".edn"];
const LOGSEQ_FOLDERS: &[&str] = &["pages/", "journals/", "whiteboards/"];

impl NoteTree {
    /// Looks at all paths of a tree.
    pub fn find<'p>(given: &[NoteRoot], paths: impl Iterator<Item = &'p RepoPath> + Clone) -> Self {
        let mut found: BTreeMap<String, Programs> = BTreeMap::new();
        for path in paths.clone().map(RepoPath::as_str) {
            if let Some(root) = root_before(path, OBSIDIAN) {
                found.entry(root.to_string()).or_default().obsidian = true;
            }
            if let Some(root) = path.strip_suffix(LOGSEQ_CONFIG).filter(|root| is_folder(root)) {
                found.entry(root.to_string()).or_default().logseq = true;
            }
        }
        NoteTree { given: given.to_vec(), found, superseded: superseded(paths) }
    }

    /// Whether no file of the tree holds notes because of its place.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.superseded.is_empty() && self.given.is_empty()
    }

    /// The directories that a program for notes has settings in, or that a user named, with a `/` at their end.
    pub fn roots(&self) -> impl Iterator<Item = String> {
        let given = self.given.iter().filter(|root| matches!(root.kind, GivenKind::Vault | GivenKind::Logseq));
        let mut roots: Vec<String> = given.map(folder_of).chain(self.found.keys().cloned()).collect();
        roots.sort();
        roots.dedup();
        roots.into_iter()
    }

    /// The later export beside an export that is not read because of it.
    pub fn superseding(&self, path: &RepoPath) -> Option<&RepoPath> {
        self.superseded.get(path)
    }

    /// All exports that are not read.
    pub fn superseded(&self) -> impl Iterator<Item = &RepoPath> {
        self.superseded.keys()
    }

    /// Whether a file is an old version or a setting of notes.
    pub fn is_aside(&self, path: &RepoPath) -> bool {
        let is_in = |root: &String| {
            let inside = path.as_str().strip_prefix(root.as_str());
            inside.is_some_and(|inside| ASIDE.iter().any(|folder| inside.starts_with(folder)))
        };
        self.found.keys().any(is_in)
    }

    /// What a file is, as far as its place decides it.
    pub fn kind(&self, path: &RepoPath) -> FileKind {
        let text = path.as_str();
        if self.is_aside(path) {
            return FileKind::Plain;
        }
        let given = self.given.iter().filter(|root| text.starts_with(&folder_of(root)) || text == root.path);
        let given = given.max_by_key(|root| root.path.len());
        match given.map(|root| (root.kind, folder_of(root))) {
            None | Some((GivenKind::Auto, _)) => self.found_kind(text),
            Some((GivenKind::Code, _)) => FileKind::Plain,
            Some((GivenKind::Vault, root)) => vault_file(text, root),
            Some((GivenKind::Logseq, root)) => logseq_file(text, root),
            Some((GivenKind::Tana, _)) if text.ends_with(".json") => FileKind::Tana,
            Some((GivenKind::Nodes, _)) if text.ends_with(".jsonl") => FileKind::Nodes,
            Some((GivenKind::Tana | GivenKind::Nodes, _)) => FileKind::ByContent,
            Some((GivenKind::Workspace, _)) => FileKind::Workspace,
        }
    }

    fn found_kind(&self, path: &str) -> FileKind {
        let around = self.found.iter().filter(|(root, _)| path.starts_with(root.as_str()));
        let Some((root, programs)) = around.max_by_key(|(root, _)| root.len()) else { return FileKind::ByContent };
        let of_logseq = if programs.logseq { logseq_file(path, root.clone()) } else { FileKind::ByContent };
        match of_logseq {
            FileKind::ByContent if programs.obsidian => vault_file(path, root.clone()),
            kind => kind,
        }
    }
}

/// Whether the beginning of a file shows that it is an export, and of which source.
pub fn sniffed(path: &RepoPath, head: &str) -> Option<FileKind> {
    let name = path.as_str().to_ascii_lowercase();
    let head = &head[..head.floor_char_boundary(SNIFFED_BYTES)];
    if name.ends_with(".jsonl") {
        let line = head.lines().next().unwrap_or_default();
        return outer_keys(line).0.iter().any(|key| key == "contextpackNodes").then_some(FileKind::Nodes);
    }
    let is_tana = |keys: &[String]| {
        let has = |name: &str| keys.iter().any(|key| key == name);
        has("formatVersion") && ["docs", "editors", "workspaces", "lastTxid"].into_iter().any(has)
    };
    if !name.ends_with(".json") || !head.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        return None;
    }
    let (top, stored) = outer_keys(head);
    (is_tana(&top) || is_tana(&stored)).then_some(FileKind::Tana)
}

/// The keys of a JSON object that may be cut off, and those of the object below `storeData`.
fn outer_keys(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut top, mut stored, mut in_stored) = (Vec::new(), Vec::new(), false);
    for key in head::keys(text, 2).keys {
        if key.depth == 1 {
            in_stored = key.name == "storeData";
            top.push(key.name.to_string());
        } else if in_stored {
            stored.push(key.name.to_string());
        }
    }
    (top, stored)
}

fn vault_file(path: &str, root: String) -> FileKind {
    let is_page = VAULT_ENDINGS.iter().any(|ending| path.ends_with(ending));
    if is_page { FileKind::Vault(root) } else { FileKind::ByContent }
}

fn logseq_file(path: &str, root: String) -> FileKind {
    let inside = path.strip_prefix(root.as_str()).unwrap_or(path);
    let is_page = LOGSEQ_FOLDERS.iter().any(|folder| inside.starts_with(folder))
        && LOGSEQ_ENDINGS.iter().any(|ending| path.ends_with(ending));
    if is_page { FileKind::Logseq(root) } else { FileKind::ByContent }
}

fn folder_of(root: &NoteRoot) -> String {
    if root.path.is_empty() { String::new() } else { format!("{}/", root.path) }
}

/// The directory that a file's path goes through `folder` in.
fn root_before<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.match_indices(folder).map(|(at, _)| &path[..at]).find(|root| is_folder(root))
}

fn is_folder(root: &str) -> bool {
    root.is_empty() || root.ends_with('/')
}

/// Exports named `<id>@<day>.json`: all but the last day of each id and directory.
fn superseded<'p>(paths: impl Iterator<Item = &'p RepoPath>) -> BTreeMap<RepoPath, RepoPath> {
    let mut last: BTreeMap<&str, &RepoPath> = BTreeMap::new();
    let mut older = Vec::new();
    // Paths are sorted, so that a later day comes later.
    for path in paths {
        let Some(id) = dated_id(path.as_str()) else { continue };
        older.extend(last.insert(id, path));
    }
    let newest = |path: &RepoPath| dated_id(path.as_str()).and_then(|id| last.get(id)).map(|path| (*path).clone());
    older.into_iter().filter_map(|path| Some((path.clone(), newest(path)?))).collect()
}

/// What stands before `@YYYY-MM-DD.json`.
fn dated_id(path: &str) -> Option<&str> {
    let (id, day) = path.strip_suffix(".json")?.rsplit_once('@')?;
    let is_day = day.len() == 10 && day.parse::<jiff::civil::Date>().is_ok();
    (is_day && !id.is_empty() && is_folder(&id[..id.rfind('/').map_or(0, |at| at + 1)])).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(all: &[&str]) -> Vec<RepoPath> {
        let mut paths: Vec<RepoPath> = all.iter().map(|path| path.to_string().try_into().unwrap()).collect();
        paths.sort();
        paths
    }

    fn kinds(given: &[&str], all: &[&str]) -> Vec<FileKind> {
        let given: Vec<NoteRoot> = given.iter().map(|root| root.parse().unwrap()).collect();
        let tree = NoteTree::find(&given, paths(all).iter());
        all.iter().map(|path| tree.kind(&path.to_string().try_into().unwrap())).collect()
    }

    fn vault(root: &str) -> FileKind {
        FileKind::Vault(root.to_string())
    }

    #[test]
    fn the_nearest_program_decides() {
        use FileKind::*;
        assert_eq!(
            kinds(&[], &[".obsidian/app.json", "a.md", "src/a.rs", "sub/.obsidian/x.json", "sub/b.md", "c.canvas"]),
            [Plain, vault(""), ByContent, Plain, vault("sub/"), vault("")]
        );
        assert_eq!(
            kinds(
                &[],
                &["g/logseq/config.edn", "g/pages/a.md", "g/README.md", "g/logseq/bak/a.md", "g/journals/1.org"]
            ),
            [ByContent, Logseq("g/".into()), ByContent, Plain, Logseq("g/".into())]
        );
        assert_eq!(
            kinds(&[], &[".obsidian/x", "logseq/config.edn", "pages/a.md", "b.md", ".trash/c.md"]),
            [Plain, ByContent, Logseq(String::new()), vault(""), Plain]
        );
        assert_eq!(kinds(&[], &["my.obsidian/a.json", "a.md"]), [ByContent, ByContent]);
    }

    #[test]
    fn what_a_user_says_comes_first() {
        use FileKind::*;
        assert_eq!(
            kinds(&["vault", "code:src", "tana:src/x"], &["a.md", "src/a.md", "src/x/a.json", "src/x/a.md"]),
            [vault(""), Plain, Tana, ByContent]
        );
        assert_eq!(kinds(&["auto:docs", "vault"], &["docs/a.md", "b.md"]), [ByContent, vault("")]);
        assert!("vaults".parse::<NoteRoot>().is_err());
        assert_eq!("vault:./notes/".parse::<NoteRoot>().unwrap().path, "notes");
    }

    #[test]
    fn exports_are_recognised_by_their_keys() {
        let kind = |name: &str, text: &str| sniffed(&name.to_string().try_into().unwrap(), text);
        for text in [
            r#"{"formatVersion":1,"docs":[{"id":"a"}]}"#,
            r#" { "lastTxid" : 5, "formatVersion" : 1, "docs": [ {"#,
            r#"{"currentWorkspaceId":"x","storeData":{"formatVersion":1,"editors":[["a@b.c"]]}}"#,
        ] {
            assert_eq!(kind("a.json", text), Some(FileKind::Tana), "{text}");
        }
        for text in [
            r#"{"docs":[{"formatVersion":1}]}"#,
            r#"{"formatVersion":1}"#,
            r#"{"x":{"formatVersion":1,"docs":[]}}"#,
            r#"["formatVersion", "docs"]"#,
            r#"{"a":"\"formatVersion\":1,\"docs\":"}"#,
            "",
        ] {
            assert_eq!(kind("a.json", text), None, "{text}");
        }
        assert_eq!(kind("a.jsonl", "{\"contextpackNodes\":1}\n{}"), Some(FileKind::Nodes));
        assert_eq!(kind("a.jsonl", "{\"a\":1}\n{\"contextpackNodes\":1}"), None);
        assert_eq!(kind("a.md", "{\"contextpackNodes\":1}"), None);
    }

    #[test]
    fn only_the_last_dated_export_is_read() {
        let all = paths(&["x/ab@2026-01-01.json", "x/ab@2026-02-01.json", "ab@2025-01-01.json", "x/c@2026-01-01.json"]);
        let tree = NoteTree::find(&[], all.iter());
        let superseded: Vec<&str> = tree.superseded().map(RepoPath::as_str).collect();
        assert_eq!(superseded, ["x/ab@2026-01-01.json"]);
        assert_eq!(tree.superseding(&all[1]).map(RepoPath::as_str), Some("x/ab@2026-02-01.json"));
    }
}
