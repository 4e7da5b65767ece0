//! All spec documents of a tree: who has which id, and where their links lead.

use std::collections::{BTreeMap, BTreeSet};

use super::document::Document;
use crate::language::modules::{folder, join};
use crate::record::SpecRole;
use crate::record::bundle::LinkDirection;
use crate::text::RepoPath;

/// A document's place among the catalog's documents.
pub type DocNo = usize;

pub struct Catalog {
    /// In the order of their paths.
    pub documents: Vec<Document>,
    /// Of several documents with one id, the first has it.
    by_id: BTreeMap<String, DocNo>,
    /// Links of each document, in the order of its front matter.
    links: Vec<Vec<Link>>,
    /// The same the other way round: who links to each.
    backlinks: Vec<Vec<Link>>,
    /// Links that lead to nothing.
    pub dangling: Vec<Dangling>,
}

/// A link between two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    pub to: DocNo,
    pub kind: LinkKind,
    /// The line of the front matter that says so.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    Trace,
    ReadNext,
}

/// A link that leads to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    pub from: DocNo,
    pub kind: LinkKind,
    pub line: u32,
    pub target: String,
}

/// Where an entry of `read_next` leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Document(DocNo),
    /// A file of the tree that is no spec document.
    File,
    Nowhere,
}

impl Catalog {
    /// Of a tree's documents and the paths of all its files.
    pub fn new(mut documents: Vec<Document>, files: &BTreeSet<RepoPath>) -> Self {
        documents.sort_by(|a, b| a.path.cmp(&b.path));
        let mut by_id = BTreeMap::new();
        for (at, document) in documents.iter().enumerate().filter(|(_, document)| !document.word("id").is_empty()) {
            by_id.entry(document.word("id").to_string()).or_insert(at);
        }
        let count = documents.len();
        let mut catalog =
            Catalog { documents, by_id, links: Vec::new(), backlinks: vec![Vec::new(); count], dangling: Vec::new() };
        catalog.connect(&Files::new(&catalog.documents, files));
        catalog
    }

    fn connect(&mut self, files: &Files) {
        for from in 0..self.documents.len() {
            let mut links = Vec::new();
            for (kind, target, line) in entries(&self.documents[from]) {
                let place = match kind {
                    LinkKind::Trace => self.by_id.get(id_in(&target)).map_or(Place::Nowhere, |to| Place::Document(*to)),
                    LinkKind::ReadNext => self.place(from, &target, files),
                };
                match place {
                    Place::Document(to) => links.push(Link { to, kind, line }),
                    Place::Nowhere => self.dangling.push(Dangling { from, kind, line, target }),
                    Place::File => {}
                }
            }
            for link in &links {
                self.backlinks[link.to].push(Link { to: from, ..*link });
            }
            self.links.push(links);
        }
    }

    /// An id, a path from the document's folder or one above it, or the bare name of one file.
    fn place(&self, from: DocNo, target: &str, files: &Files) -> Place {
        if let Some(to) = self.by_id.get(id_in(target)) {
            return Place::Document(*to);
        }
        let path = target.split(['#', '?']).next().unwrap_or(target).trim();
        files.place(self.documents[from].path.as_str(), path)
    }

    pub fn find(&self, id: &str) -> Option<DocNo> {
        self.by_id.get(id).copied()
    }

    /// Documents that have an id of their own, in the order of their ids.
    pub fn with_id(&self) -> impl Iterator<Item = (&str, DocNo)> {
        self.by_id.iter().map(|(id, at)| (id.as_str(), *at))
    }

    /// A document whose id an earlier one has, and that one.
    pub fn doubles(&self) -> impl Iterator<Item = (DocNo, DocNo)> {
        let all = self.documents.iter().enumerate();
        all.filter_map(|(at, document)| {
            self.find(document.word("id")).filter(|first| *first != at).map(|first| (at, first))
        })
    }

    /// What a document is linked with, the one way or the other or both.
    pub fn links(&self, from: DocNo, direction: LinkDirection) -> impl Iterator<Item = &Link> {
        let out = (direction != LinkDirection::In).then_some(&self.links[from]);
        let back = (direction != LinkDirection::Out).then_some(&self.backlinks[from]);
        out.into_iter().chain(back).flatten()
    }

    pub fn role(&self, document: DocNo) -> SpecRole {
        self.documents[document].role()
    }
}

/// Every link as it is written, with its line.
fn entries(document: &Document) -> Vec<(LinkKind, String, u32)> {
    let Ok(front) = &document.front else { return Vec::new() };
    let trace = front.trace.values().flatten().map(|said| (LinkKind::Trace, said));
    let next = front.doc.get("read_next").into_iter().flatten().map(|said| (LinkKind::ReadNext, said));
    let mut all: Vec<_> = trace.chain(next).map(|(kind, said)| (kind, said.text.clone(), said.line)).collect();
    all.sort_by_key(|(_, _, line)| *line);
    all
}

/// The id that an entry starts with, as in `DATA-900: the index`; else the entry.
pub fn id_in(entry: &str) -> &str {
    let end = entry.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(entry.len());
    if is_id(&entry[..end]) && !entry[end..].starts_with(['_', '.', '/']) { &entry[..end] } else { entry.trim() }
}

/// A prefix that is known, a dash, three digits or more.
pub fn is_id(text: &str) -> bool {
    const PREFIXES: [&str; 9] = ["REQ", "NFR", "IF", "DATA", "TEST", "TASK", "ARCH", "REF", "STEER"];
    text.split_once('-').is_some_and(|(prefix, digits)| {
        PREFIXES.contains(&prefix) && digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The files of the tree by path and by name.
struct Files<'t> {
    documents: BTreeMap<&'t str, DocNo>,
    all: &'t BTreeSet<RepoPath>,
    by_name: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> Files<'t> {
    fn new(documents: &[Document], all: &'t BTreeSet<RepoPath>) -> Self {
        let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in all {
            by_name.entry(path.file_name()).or_default().push(path.as_str());
        }
        let number = |path: &str| documents.binary_search_by(|document| document.path.as_str().cmp(path)).ok();
        let documents = all.iter().filter_map(|path| Some((path.as_str(), number(path.as_str())?))).collect();
        Files { documents, all, by_name }
    }

    fn place(&self, from: &str, path: &str) -> Place {
        if path.is_empty() {
            return Place::Nowhere;
        }
        let folders = std::iter::successors(Some(folder(from)), |at| (!at.is_empty()).then(|| folder(at)));
        let known = folders.filter_map(|folder| join(folder, path)).find_map(|path| self.at(&path));
        let named = || match self.by_name.get(path).or_else(|| self.by_name.get(format!("{path}.md").as_str())) {
            Some(paths) if paths.len() == 1 => self.at(paths[0]),
            _ => None,
        };
        known.or_else(named).unwrap_or(Place::Nowhere)
    }

    fn at(&self, path: &str) -> Option<Place> {
        if let Some(document) = self.documents.get(path) {
            return Some(Place::Document(*document));
        }
        let path = RepoPath::try_from(path.to_string()).ok()?;
        self.all.contains(&path).then_some(Place::File)
    }
}
