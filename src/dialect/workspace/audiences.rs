//! Who may read which block: what all files of a workspace say about it together. It has to be known before a file is
//! chunked, so that each record carries its own audience and can be judged alone.

mod inheritance;
mod troubles;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::notion::folders::Folders;
use super::notion::name::{ExportName, title_and_id};
use super::{Block, Grant, WorkspaceFile};
use crate::dialect::export::Trouble;
use crate::record::{Audience, BlockType, Digest, Principal, SourceKind};
use crate::text::RepoPath;
use inheritance::{Inheritance, MAX_SAME};

/// The list of all pages of an export.
const INDEX_PAGE: &str = "index.html";

/// The files of a workspace, and who may read each of their blocks.
#[derive(Debug, Default)]
pub struct Workspace {
    /// In the order of their paths.
    files: Vec<(RepoPath, Arc<WorkspaceFile>)>,
    /// The number of each file's first block.
    starts: Vec<usize>,
    audiences: Vec<Audience>,
    /// Of what has no block: other files.
    root: Audience,
    /// Of exports of Notion.
    folders: Folders,
    by_id: FxHashMap<String, Vec<usize>>,
    /// The blocks that list an id as a child.
    listing: FxHashMap<String, Vec<usize>>,
    /// The ids whose blocks lines of their own share wider.
    replaced: BTreeSet<String>,
    troubles: BTreeMap<RepoPath, Vec<Trouble>>,
    /// What decides besides a file's own text how it is read.
    facts: String,
}

impl Workspace {
    /// `files` are in the order of their paths. `default_read` is for roots that nobody gives a grant.
    pub fn new(files: Vec<(RepoPath, Arc<WorkspaceFile>)>, default_read: &[String]) -> Self {
        let mut workspace = Workspace { starts: starts(&files), files, ..Workspace::default() };
        for at in 0..workspace.count() {
            let (id, children) = (workspace.block(at).id.clone(), workspace.block(at).children.clone());
            workspace.by_id.entry(id).or_default().push(at);
            children.into_iter().for_each(|child| workspace.listing.entry(child).or_default().push(at));
        }
        let replaced = workspace.files.iter().flat_map(|(_, file)| &file.grants).filter(|given| given.grant.replaces);
        workspace.replaced = replaced.map(|given| given.block.clone()).collect();
        workspace.root = workspace.root_audience(default_read);
        let names = workspace.files.iter().filter_map(|(path, _)| Some((path, ExportName::of(path)?)));
        workspace.folders = Folders::new(names);
        let inheritance = Inheritance::new(&workspace);
        let (audiences, lost) = (inheritance.audiences(), inheritance.lost());
        workspace.troubles = troubles::find(&workspace, &lost);
        workspace.audiences = audiences;
        workspace
    }

    /// With what decides besides a file's own text how it is read.
    pub fn with_facts(self, facts: String) -> Self {
        Workspace { facts, ..self }
    }

    pub fn file(&self, path: &RepoPath) -> Option<&Arc<WorkspaceFile>> {
        Some(&self.files[self.file_number(path)?].1)
    }

    /// Who may read the blocks of a file, in their order.
    pub fn audiences_of(&self, path: &RepoPath) -> &[Audience] {
        let number = self.file_number(path);
        number.map_or(&[], |number| &self.audiences[self.starts[number]..self.starts[number + 1]])
    }

    /// Who may read what is in no block.
    pub fn root(&self) -> &Audience {
        &self.root
    }

    /// Who may read a file that holds no blocks. What lies in the folder of a page is part of that page.
    pub fn audience_of_file(&self, path: &RepoPath) -> Audience {
        let pages = self.folders.around(path);
        let audiences = pages.iter().map(|id| self.audience_of_id(id));
        audiences.reduce(|a, b| a.and(&b)).unwrap_or_else(|| self.root.clone())
    }

    /// Whether a file shows pages of an export of Notion once more: it is not read, since it does not say whose they are.
    pub fn is_copy_of_pages(&self, path: &RepoPath) -> bool {
        let name = path.file_name();
        let is_page = || name.strip_suffix(".html").is_some_and(|stem| title_and_id(stem).is_some());
        let folder = path.as_str().strip_suffix(INDEX_PAGE);
        let is_of_export = |folder: &str| {
            let is_inside = |(path, file): &(RepoPath, Arc<WorkspaceFile>)| {
                file.kind == SourceKind::Notion && path.as_str().starts_with(folder)
            };
            (folder.is_empty() || folder.ends_with('/')) && self.files.iter().any(is_inside)
        };
        is_page() || folder.is_some_and(is_of_export)
    }

    /// Whether there is something that not everybody may read.
    pub fn is_restricted(&self) -> bool {
        !self.root.is_everyone() || self.audiences.iter().any(|audience| !audience.is_everyone())
    }

    /// Whether there are blocks, and nobody may read any of them.
    pub fn is_closed(&self) -> bool {
        !self.audiences.is_empty() && self.audiences.iter().all(|audience| *audience == Audience::nobody())
    }

    /// What is wrong with a file because of what other files say.
    pub fn troubles_of(&self, path: &RepoPath) -> &[Trouble] {
        self.troubles.get(path).map_or(&[], Vec::as_slice)
    }

    /// The databases that a row of a file may belong to: those of the file first.
    pub fn databases_of(&self, path: &RepoPath, row: &Block) -> Vec<(&Block, &Audience)> {
        let file = self.file_number(path);
        let id = row.database.as_deref().or(row.parent.as_deref());
        let listers = || self.listing.get(&row.id).map_or(&[][..], Vec::as_slice);
        let mut all: Vec<usize> = id.map_or_else(listers, |id| self.with_id(id)).to_vec();
        all.retain(|at| self.block(*at).block_type == BlockType::Database);
        all.sort_by_key(|at| Some(self.file_of(*at)) != file);
        all.into_iter().take(MAX_SAME).map(|at| (self.block(at), &self.audiences[at])).collect()
    }

    /// Whether any block has an id.
    pub fn has_block(&self, id: &str) -> bool {
        !self.with_id(id).is_empty()
    }

    /// Whether a line of its own replaces what is granted around the blocks of an id.
    pub fn is_replaced(&self, id: &str) -> bool {
        self.replaced.contains(id)
    }

    /// Who may read every block with an id; nobody if there is none.
    pub fn audience_of_id(&self, id: &str) -> Audience {
        let all = self.with_id(id).iter().map(|at| &self.audiences[*at]);
        all.cloned().reduce(|a, b| a.and(&b)).unwrap_or_else(Audience::nobody)
    }

    /// Of everything outside a file that decides what its records are.
    pub fn digest(&self) -> Digest {
        let mut text = format!("{:?}\n{}\n", self.root, self.facts);
        for ((path, file), start) in self.files.iter().zip(&self.starts) {
            let audiences = &self.audiences[*start..*start + file.blocks.len()];
            let places = file.blocks.iter().map(|block| (&block.id, &block.parent, &block.children));
            let databases = file.blocks.iter().filter(|block| block.block_type == BlockType::Database);
            let databases = databases.map(|block| (&block.id, &block.title, &block.properties));
            text +=
                &format!("{path} {audiences:?} {:?} {:?}\n", places.collect::<Vec<_>>(), databases.collect::<Vec<_>>());
        }
        Digest::sha256(text.as_bytes())
    }

    fn count(&self) -> usize {
        self.starts.last().copied().unwrap_or_default()
    }

    fn block(&self, at: usize) -> &Block {
        let file = self.file_of(at);
        &self.files[file].1.blocks[at - self.starts[file]]
    }

    fn file_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    fn file_number(&self, path: &RepoPath) -> Option<usize> {
        self.files.binary_search_by(|(other, _)| other.cmp(path)).ok()
    }

    fn with_id(&self, id: &str) -> &[usize] {
        self.by_id.get(id).map_or(&[], Vec::as_slice)
    }

    /// The blocks that an id means in a file: those of the file, or else all of that id.
    fn meant(&self, id: &str, file: usize) -> Vec<usize> {
        let all = self.with_id(id);
        let own: Vec<usize> = all.iter().copied().filter(|at| self.file_of(*at) == file).collect();
        if own.is_empty() { all.to_vec() } else { own }
    }

    fn root_audience(&self, default_read: &[String]) -> Audience {
        let mut clauses: Vec<Vec<Principal>> =
            self.files.iter().flat_map(|(_, file)| &file.default_grants).map(clause).collect();
        if clauses.is_empty() {
            clauses.push(clause(&Grant { read: default_read.to_vec(), replaces: false }));
        }
        Audience::new(clauses)
    }
}

fn starts(files: &[(RepoPath, Arc<WorkspaceFile>)]) -> Vec<usize> {
    let mut starts = vec![0];
    starts.extend(files.iter().scan(0, |end, (_, file)| {
        *end += file.blocks.len();
        Some(*end)
    }));
    starts
}

/// What is no principal admits nobody.
fn clause(grant: &Grant) -> Vec<Principal> {
    grant.read.iter().filter_map(|text| Principal::try_from(text.clone()).ok()).collect()
}

#[cfg(test)]
mod tests;
