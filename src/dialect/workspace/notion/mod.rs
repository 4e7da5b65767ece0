//! Notion exports, "Markdown & CSV". One file says little about its place: which database a page is a row of, and what
//! is below it, follows from the names of all files and from the tables. [`NotionExport`] holds what follows.

mod csv;
mod database;
mod dates;
pub(super) mod folders;
mod head;
mod links;
pub(super) mod name;
mod page;
mod table;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use crate::dialect::export::Trouble;
use crate::record::{ProblemCode, SourceKind};
use crate::text::RepoPath;

use super::WorkspaceFile;
use csv::Sheet;
use database::DatabaseFacts;
use folders::Folders;
use name::{ExportName, Form};

pub use dates::{Period, period};

/// What the files of a tree say about each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NotionExport {
    files: BTreeMap<RepoPath, FileFacts>,
    databases: BTreeMap<String, DatabaseFacts>,
    /// By page or database those right below it.
    children: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FileFacts {
    id: String,
    /// As the name of the file has it.
    title: String,
    parent: Option<String>,
    role: FileRole,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileRole {
    Page,
    /// A page of the database that is its parent.
    Row,
    /// A page in the folder of a database that is no row of it.
    Template,
    Database,
    /// One view of a database that has a file of its own.
    View,
    /// A view of a database that is somewhere else, under an id of its own.
    LinkedView,
}

impl FileRole {
    /// Whether the file is a page or a database itself.
    fn has_block(self) -> bool {
        !matches!(self, FileRole::View | FileRole::LinkedView)
    }
}

impl NotionExport {
    /// Whether a file is named like one of an export. Only such files matter.
    pub fn is_named_so(path: &RepoPath) -> bool {
        ExportName::of(path).is_some()
    }

    pub fn new(files: &[(RepoPath, &str)]) -> Self {
        let names: Vec<_> =
            files.iter().filter_map(|(path, text)| Some((path, ExportName::of(path)?, *text))).collect();
        let folders = Folders::new(names.iter().map(|(path, name, _)| (*path, *name)));
        let mut export = NotionExport::default();
        let mut pages: BTreeMap<String, BTreeMap<&str, &str>> = BTreeMap::new();
        for (path, name, text) in &names {
            let place = folders.place(path, name);
            if let Some(parent) = place.parent.as_ref().filter(|_| place.role.has_block()) {
                export.children.entry(parent.clone()).or_default().insert(name.id.to_string());
                if place.is_direct && name.form == Form::Page {
                    pages.entry(parent.clone()).or_default().insert(name.id, text);
                }
            }
            let (id, title) = (name.id.to_string(), name.title.to_string());
            export.files.insert((*path).clone(), FileFacts { id, title, parent: place.parent, role: place.role });
        }
        export.read_tables(files, &pages);
        export.take_roles(&pages);
        export
    }

    fn read_tables(&mut self, files: &[(RepoPath, &str)], pages: &BTreeMap<String, BTreeMap<&str, &str>>) {
        let texts: BTreeMap<&RepoPath, &str> = files.iter().map(|(path, text)| (path, *text)).collect();
        for (path, facts) in self.files.iter().filter(|(_, facts)| facts.role == FileRole::Database) {
            let pages: Vec<(&str, &str)> =
                pages.get(&facts.id).into_iter().flatten().map(|(id, text)| (*id, *text)).collect();
            let found = DatabaseFacts::new(Sheet::read(texts[path]), &pages);
            self.databases.entry(facts.id.clone()).or_insert(found);
        }
    }

    /// Tells rows and templates from other pages.
    fn take_roles(&mut self, pages: &BTreeMap<String, BTreeMap<&str, &str>>) {
        let templates: BTreeMap<&String, BTreeSet<&String>> =
            self.databases.iter().map(|(id, facts)| (id, facts.templates.iter().collect())).collect();
        for facts in self.files.values_mut().filter(|facts| facts.role == FileRole::Page) {
            let Some(parent) = &facts.parent else { continue };
            let is_direct = pages.get(parent).is_some_and(|pages| pages.contains_key(facts.id.as_str()));
            match templates.get(parent).filter(|_| is_direct) {
                Some(templates) if templates.contains(&facts.id) => facts.role = FileRole::Template,
                Some(_) => facts.role = FileRole::Row,
                None => {}
            }
        }
    }

    /// Reads one file. A file that was not there when the export was made holds nothing.
    pub fn read(&self, path: &RepoPath, text: &str) -> WorkspaceFile {
        let mut read = WorkspaceFile::new(SourceKind::Notion);
        let Some(facts) = self.files.get(path) else { return read };
        match facts.role {
            FileRole::Page | FileRole::Row | FileRole::Template => self.read_page(facts, text, &mut read),
            FileRole::Database => self.read_table(facts, text, &mut read),
            FileRole::View => {}
            FileRole::LinkedView => read.troubles.push(Trouble {
                code: ProblemCode::ItemView,
                span: None,
                message: "a view of a database that is somewhere else; no rows were read".to_string(),
            }),
        }
        read
    }

    /// Everything but the text of a file that decides how it is read, in a stable form.
    pub fn facts(&self, path: &RepoPath) -> String {
        let Some(facts) = self.files.get(path) else { return String::new() };
        let FileFacts { id, title, parent, role } = facts;
        let database = match role {
            FileRole::Database => self.databases.get(id),
            FileRole::Row | FileRole::Template => parent.as_ref().and_then(|parent| self.databases.get(parent)),
            _ => None,
        };
        let pages =
            database.filter(|_| *role == FileRole::Database).map(|database| (&database.pages, &database.templates));
        let columns = database.map(|database| &database.columns);
        format!("{:?}", (id, title, parent, role, columns, pages, self.children.get(id)))
    }
}

#[cfg(test)]
mod real_export;
#[cfg(test)]
mod tests;
