//! Which page or database a folder of an export belongs to. A folder stands beside the file of its page, as `TITLE ID`,
//! in newer exports as `TITLE`.

use std::collections::{BTreeMap, BTreeSet};

use super::FileRole;
use super::name::{ExportName, Form, is_id, title_and_id};
use crate::text::RepoPath;

/// The names of all files of an export.
#[derive(Debug, Default)]
pub struct Folders {
    /// Pages and databases.
    known: BTreeSet<String>,
    /// The pages and databases by the folder that their own should be in and its short name.
    by_title: BTreeMap<(String, String), BTreeSet<String>>,
    /// Databases with a file of all rows.
    whole: BTreeSet<String>,
    /// Databases of older exports: tables beside a folder with pages.
    older: BTreeSet<String>,
}

/// Where a file belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlace {
    pub role: FileRole,
    pub parent: Option<String>,
    /// Whether it lies in the parent's own folder, not in one below that nothing is known of.
    pub is_direct: bool,
}

impl Folders {
    pub fn new<'p>(files: impl Iterator<Item = (&'p RepoPath, ExportName<'p>)> + Clone) -> Self {
        let of_form = |form: Form| files.clone().filter(move |(_, name)| name.form == form);
        let with_pages: BTreeSet<&str> = of_form(Form::Page).map(|(path, _)| folder(path)).collect();
        let whole = of_form(Form::Whole).map(|(_, name)| name.id.to_string()).collect();
        let mut folders = Folders { whole, ..Folders::default() };
        for (path, name) in of_form(Form::Page).chain(of_form(Form::Whole)) {
            folders.add(path, &name);
        }
        for (path, name) in of_form(Form::View).filter(|(_, name)| !folders.whole.contains(name.id)).collect::<Vec<_>>()
        {
            let own = below(folder(path), &format!("{} {}", name.title, name.id));
            let short = below(folder(path), name.title);
            let is_free = !folders.by_title.contains_key(&key(path, name.title));
            if with_pages.contains(own.as_str()) || is_free && with_pages.contains(short.as_str()) {
                folders.older.insert(name.id.to_string());
                folders.add(path, &name);
            }
        }
        folders
    }

    /// Of several files with one title the smallest id gets the folder of that title.
    fn add(&mut self, path: &RepoPath, name: &ExportName) {
        self.known.insert(name.id.to_string());
        self.by_title.entry(key(path, name.title)).or_default().insert(name.id.to_string());
    }

    pub fn place(&self, path: &RepoPath, name: &ExportName) -> FilePlace {
        let role = match name.form {
            Form::Page => FileRole::Page,
            Form::Whole => FileRole::Database,
            Form::View if self.whole.contains(name.id) => FileRole::View,
            Form::View if self.older.contains(name.id) => FileRole::Database,
            Form::View => FileRole::LinkedView,
        };
        let mut around = Some(folder(path)).filter(|folder| !folder.is_empty());
        let mut is_direct = true;
        while let Some(folder) = around {
            if let Some(owner) = self.owner(folder).filter(|owner| owner != name.id) {
                return FilePlace { role, parent: Some(owner), is_direct };
            }
            is_direct = false;
            around = folder.rsplit_once('/').map(|(outer, _)| outer);
        }
        FilePlace { role, parent: None, is_direct }
    }

    /// The pages and databases in whose folder a file lies that is none itself: several if they have one title, none if it
    /// lies in no such folder.
    pub fn around(&self, path: &RepoPath) -> Vec<String> {
        let mut around = Some(folder(path)).filter(|folder| !folder.is_empty());
        while let Some(folder) = around {
            let owners = self.owners(folder);
            if !owners.is_empty() {
                return owners;
            }
            around = folder.rsplit_once('/').map(|(outer, _)| outer);
        }
        Vec::new()
    }

    /// The page or database of a folder.
    fn owner(&self, folder: &str) -> Option<String> {
        self.owners(folder).into_iter().next()
    }

    /// The pages and databases that may have a folder, the smallest id first.
    fn owners(&self, folder: &str) -> Vec<String> {
        let (outer, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        match title_and_id(name).map(|(_, id)| id).or(Some(name).filter(|name| is_id(name))) {
            Some(id) => self.known.get(id).cloned().into_iter().collect(),
            None => {
                let owners = self.by_title.get(&(outer.to_string(), name.to_string()));
                owners.into_iter().flatten().cloned().collect()
            }
        }
    }
}

fn key(path: &RepoPath, title: &str) -> (String, String) {
    (folder(path).to_string(), title.to_string())
}

/// The folder of a file; empty for the root.
fn folder(path: &RepoPath) -> &str {
    path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") }
}
