//! Lists a tree: its files, and a problem for everything else that a reader would miss.
//! Follows no link, and nothing outside the tree counts: the same tree is the same list anywhere.

use std::ffi::OsStr;
use std::fs::{DirEntry, FileType};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use xxhash_rust::xxh64::xxh64;

use super::links::{EntryKind, Link, link_problems};
use super::rules::{IGNORE_FILES, Rules, excluded};
use super::{SourceError, collisions, reason};
use crate::record::{Artifact, Problem, ProblemCode};
use crate::text::{PathPatterns, RepoPath};

/// Version control's own: not part of the tree, and not counted as ignored either.
pub(super) const VERSION_CONTROL_FOLDERS: &[&str] = &[".bzr", ".git", ".hg", ".jj", ".svn", "CVS", "_darcs"];

/// Lists the tree below `root`, which may itself be a link to a folder.
pub fn walk(root: &Path, options: &WalkOptions) -> Result<Walk, SourceError> {
    let real_root = root.canonicalize().map_err(|error| SourceError::from_root(root, error.kind()))?;
    let entries = list(&real_root).map_err(|error| SourceError::from_root(root, error.kind()))?;
    let mut descent = Descent::new(real_root, options);
    descent.enter(Folder { path: Vec::new(), rules: None, is_ignored: false }, entries);
    while let Some(folder) = descent.open.pop() {
        match list(&descent.path_of(&folder.path)) {
            // Whether the tree was indexed before, and to where, must not change its index.
            Ok(entries) if options.is_own(&descent.path_of(&folder.path), &entries) => {}
            Ok(entries) => descent.enter(folder, entries),
            Err(_) if folder.is_ignored => {}
            Err(error) => descent.unreadable(&folder.path, &error),
        }
    }
    Ok(descent.finish())
}

#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// Folders to leave out: where the output is written, if that is inside the tree.
    pub exclude: Vec<PathBuf>,
    /// Paths to leave out as if an ignore file named them.
    pub ignored: Option<PathPatterns>,
    /// Visits each folder in an order made from this seed, to prove that no order matters.
    pub shuffle: Option<u64>,
    /// Names of files that are listed in every folder, whatever rules leave out; in lower case.
    pub always: &'static [&'static str],
    /// What this program wrote into the tree. It is made from the tree and not part of it.
    pub own: OwnFolders,
}

/// Tells the directories that this program wrote from those of the user.
#[derive(Clone, Copy, Debug)]
pub struct OwnFolders {
    /// Each of them has a file with one of these names.
    pub marks: &'static [&'static str],
    /// Looks into such a file.
    pub is_own: fn(&Path) -> bool,
}

impl WalkOptions {
    pub fn new(own: OwnFolders) -> Self {
        WalkOptions { exclude: Vec::new(), ignored: None, shuffle: None, always: &[], own }
    }

    fn is_own(&self, folder: &Path, entries: &[DirEntry]) -> bool {
        let OwnFolders { marks, is_own } = self.own;
        entries.iter().any(|entry| marks.iter().any(|mark| entry.file_name() == *mark)) && is_own(folder)
    }
}

#[derive(Debug, PartialEq)]
pub struct Walk {
    /// In the order of their paths.
    pub files: Vec<Entry>,
    /// In the order of their keys.
    pub problems: Vec<Problem>,
    /// Entries that an ignore rule excludes; entries below an ignored folder are not counted.
    pub ignored: u64,
    /// What has a name of [`WalkOptions::always`] and is no file, in the order of its paths.
    pub not_files: Vec<RepoPath>,
}

/// A regular file of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub path: RepoPath,
    /// Its size when it was listed.
    pub bytes: u64,
}

/// A folder yet to be listed. Its path is relative to the root, which is empty.
struct Folder {
    path: Vec<u8>,
    rules: Option<Rc<Rules>>,
    /// Only files of [`WalkOptions::always`] are listed in it.
    is_ignored: bool,
}

struct Descent {
    root: PathBuf,
    excluded: Vec<Vec<u8>>,
    patterns: Option<PathPatterns>,
    shuffle: Option<u64>,
    always: &'static [&'static str],
    open: Vec<Folder>,
    files: Vec<Entry>,
    /// All of the tree but its files, for links to lead to.
    places: Vec<(Vec<u8>, EntryKind)>,
    links: Vec<Link>,
    problems: Vec<Problem>,
    ignored: u64,
    not_files: Vec<RepoPath>,
}

impl Descent {
    fn new(root: PathBuf, options: &WalkOptions) -> Self {
        let excluded = options.exclude.iter().flat_map(|path| excluded_paths(&root, path)).collect();
        Descent {
            root,
            excluded,
            patterns: options.ignored.clone(),
            shuffle: options.shuffle,
            always: options.always,
            open: Vec::new(),
            files: Vec::new(),
            places: Vec::new(),
            links: Vec::new(),
            problems: Vec::new(),
            ignored: 0,
            not_files: Vec::new(),
        }
    }

    fn path_of(&self, path: &[u8]) -> PathBuf {
        self.root.join(OsStr::from_bytes(path))
    }

    fn enter(&mut self, folder: Folder, mut entries: Vec<DirEntry>) {
        if let Some(seed) = self.shuffle {
            entries.sort_by_key(|entry| xxh64(entry.file_name().as_bytes(), seed));
        }
        let is_ignored = folder.is_ignored;
        let rules = if is_ignored { None } else { self.rules_of(&folder, &entries) };
        for entry in &entries {
            let path = joined(&folder.path, entry.file_name().as_bytes());
            match entry.file_type() {
                Ok(file_type) if is_ignored => self.visit_ignored(entry, file_type, path),
                Ok(file_type) => self.visit(entry, file_type, path, &rules),
                Err(error) => self.unreadable(&path, &error),
            }
        }
    }

    /// The rules that hold in a folder: its own, then those of the folders around it.
    fn rules_of(&mut self, folder: &Folder, entries: &[DirEntry]) -> Option<Rc<Rules>> {
        let is_there = |name: &&str| entries.iter().any(|entry| entry.file_name() == **name && is_file(entry));
        let names: Vec<&str> = IGNORE_FILES.iter().copied().filter(is_there).collect();
        if names.is_empty() {
            return folder.rules.clone();
        }
        let (rules, faults) = Rules::read(&self.path_of(&folder.path), &folder.path, &names, folder.rules.clone());
        for (name, fault) in faults {
            let path = repo_path(&joined(&folder.path, name.as_bytes()));
            self.problems.push(Problem::new(&path, fault.code, format!("its rules do not count: {}", fault.message)));
        }
        Some(Rc::new(rules))
    }

    fn visit(&mut self, entry: &DirEntry, file_type: FileType, path: Vec<u8>, rules: &Option<Rc<Rules>>) {
        if self.is_aside(entry, file_type, &path) {
            return;
        }
        if excluded(rules.as_deref(), &path, file_type.is_dir()) || self.is_ignored(&path) {
            self.ignored += u64::from(!(self.is_always(entry) && file_type.is_file()));
            self.visit_ignored(entry, file_type, path);
        } else if file_type.is_dir() {
            self.check_always(entry, file_type, &path);
            self.places.push((path.clone(), EntryKind::Folder));
            self.open.push(Folder { path, rules: rules.clone(), is_ignored: false });
        } else if file_type.is_symlink() {
            self.check_always(entry, file_type, &path);
            self.add_link(entry, path);
        } else if file_type.is_file() {
            self.add_file(entry, path);
        } else {
            self.check_always(entry, file_type, &path);
            self.problems.push(Problem::new(&repo_path(&path), ProblemCode::NotAFile, "a pipe, socket or device"));
            self.places.push((path, EntryKind::Leaf));
        }
    }

    /// Looks for files that no rule leaves out.
    fn visit_ignored(&mut self, entry: &DirEntry, file_type: FileType, path: Vec<u8>) {
        self.check_always(entry, file_type, &path);
        if self.is_always(entry) && file_type.is_file() {
            self.add_file(entry, path);
        } else if file_type.is_dir() && !self.always.is_empty() && !self.is_aside(entry, file_type, &path) {
            self.open.push(Folder { path, rules: None, is_ignored: true });
        }
    }

    /// Whether an entry is no part of the tree at all.
    fn is_aside(&self, entry: &DirEntry, file_type: FileType, path: &Vec<u8>) -> bool {
        is_version_control(&entry.file_name(), file_type) || self.excluded.contains(path)
    }

    fn is_always(&self, entry: &DirEntry) -> bool {
        let name = entry.file_name();
        self.always.iter().any(|known| name.as_bytes().eq_ignore_ascii_case(known.as_bytes()))
    }

    fn check_always(&mut self, entry: &DirEntry, file_type: FileType, path: &[u8]) {
        if self.is_always(entry) && !file_type.is_file() {
            self.not_files.push(repo_path(path));
        }
    }

    fn is_ignored(&self, path: &[u8]) -> bool {
        self.patterns.as_ref().is_some_and(|patterns| patterns.matches(repo_path(path).as_str()))
    }

    fn add_file(&mut self, entry: &DirEntry, path: Vec<u8>) {
        match entry.metadata() {
            Ok(metadata) => self.files.push(Entry { path: repo_path(&path), bytes: metadata.len() }),
            Err(error) => self.unreadable(&path, &error),
        }
    }

    fn add_link(&mut self, entry: &DirEntry, path: Vec<u8>) {
        match std::fs::read_link(entry.path()) {
            Ok(target) => self.links.push(Link { path, target: target.into_os_string().into_vec() }),
            Err(error) => self.unreadable(&path, &error),
        }
    }

    fn unreadable(&mut self, path: &[u8], error: &io::Error) {
        self.problems.push(Problem::new(&repo_path(path), ProblemCode::Unreadable, reason(error.kind())));
    }

    fn finish(mut self) -> Walk {
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        if !self.links.is_empty() {
            self.places.extend(self.files.iter().map(|file| (file.path.to_bytes(), EntryKind::Leaf)));
            self.problems.extend(link_problems(&self.links, self.places));
        }
        self.problems.extend(collisions::case_collisions(&self.files));
        self.problems.sort_by(|a, b| a.key().cmp(&b.key()));
        self.not_files.sort_unstable();
        Walk { files: self.files, problems: self.problems, ignored: self.ignored, not_files: self.not_files }
    }
}

fn list(folder: &Path) -> io::Result<Vec<DirEntry>> {
    std::fs::read_dir(folder)?.collect()
}

fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|file_type| file_type.is_file())
}

/// A worktree or submodule has a file called `.git`; the others count as folders only, since a file
/// called `CVS` may well be about something else.
fn is_version_control(name: &OsStr, file_type: FileType) -> bool {
    name == ".git" || file_type.is_dir() && VERSION_CONTROL_FOLDERS.iter().any(|folder| name == *folder)
}

/// Where a path is in the tree: as it is written and, for a link, where it leads.
fn excluded_paths(root: &Path, path: &Path) -> Vec<Vec<u8>> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let named = absolute.parent().zip(absolute.file_name());
    let named = named.and_then(|(parent, name)| Some(parent.canonicalize().ok()?.join(name)));
    let inside = |path: PathBuf| Some(path.strip_prefix(root).ok()?.as_os_str().as_bytes().to_vec());
    [named, absolute.canonicalize().ok()].into_iter().flatten().filter_map(inside).collect()
}

fn joined(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() }
}

fn repo_path(path: &[u8]) -> RepoPath {
    RepoPath::from_bytes(path).expect("names that a folder lists make a path inside it")
}
