//! All spec documents of a tree: who has which id, and where their links lead.

use std::collections::{BTreeMap, BTreeSet};

use crate::dialect::spec::Document;
use crate::dialect::spec::{FrontMatter, LinkKind};
use crate::document::spec_id::{is_id, link_target};
use crate::language::Modules;
use crate::language::modules::{Located, ModuleMap};
use crate::record::bundle::LinkDirection;
use crate::record::{Digest, SpecRole};
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
    /// Links that lead to no document.
    pub broken_links: Vec<BrokenLink>,
    /// Of all documents and where they lie.
    pub digest: Digest,
    /// The code of each document, where that was asked for.
    code: BTreeMap<DocNo, Vec<Code>>,
    /// Of all of it.
    pub code_digest: Option<Digest>,
}

/// A piece of code that a document names, or that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Where it stands and what it is.
    pub title: String,
    pub language: String,
    pub text: String,
}

/// A link between two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    pub to: DocNo,
    pub kind: LinkKind,
    /// The line of the front matter that says so.
    pub line: u32,
}

/// A link that leads to no document that could be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenLink {
    pub from: DocNo,
    pub kind: LinkKind,
    pub line: u32,
    pub target: String,
    pub why: LinkError,
}

/// Why a link leads to no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    Nothing,
    /// What is there has no id, or front matter that cannot be read.
    NoId,
    /// It could be any of these.
    Ambiguous(Vec<String>),
}

impl BrokenLink {
    /// What is wrong, for people.
    pub fn message(&self) -> String {
        let BrokenLink { target, .. } = self;
        match (&self.why, self.kind) {
            (LinkError::Nothing, LinkKind::Trace) => format!("trace to an unknown id: `{target}`"),
            (LinkError::Nothing, LinkKind::ReadNext) => format!("read_next leads to nothing: `{target}`"),
            (LinkError::NoId, _) => {
                format!("read_next leads to a document without an id: `{target}` (see `contextpack spec lint`)")
            }
            (LinkError::Ambiguous(paths), _) => format!("read_next `{target}` could be {}", paths.join(" or ")),
        }
    }
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
        let listed = documents.iter().map(|document| format!("{} {}\n", text_hash(document).as_str(), document.path));
        let digest = Digest::sha256(listed.collect::<String>().as_bytes());
        let mut catalog = Catalog {
            documents,
            by_id,
            links: Vec::new(),
            backlinks: vec![Vec::new(); count],
            broken_links: Vec::new(),
            digest,
            code: BTreeMap::new(),
            code_digest: None,
        };
        let manifests = BTreeMap::new();
        catalog.connect(&ModuleMap::new(files.iter().map(RepoPath::as_str).collect(), &manifests));
        catalog
    }

    /// Links are between ids: what a second document of an id says counts for the first, and one without an id is
    /// neither led to nor from.
    fn connect(&mut self, files: &ModuleMap) {
        self.links = vec![Vec::new(); self.documents.len()];
        for from in 0..self.documents.len() {
            let (mut links, mut broken_links) = (Vec::new(), Vec::new());
            for (kind, value) in self.documents[from].front.iter().flat_map(FrontMatter::links) {
                let line = value.line;
                match self.find_target(from, kind, link_target(&value.text), files) {
                    LinkTarget::Document(to) => links.push(Link { to, kind, line }),
                    LinkTarget::File => {}
                    LinkTarget::Nowhere(why) => {
                        broken_links.push(BrokenLink { from, kind, line, target: value.text.clone(), why })
                    }
                }
            }
            if let Some(from) = self.find(self.documents[from].word("id")) {
                links.iter().for_each(|link| self.backlinks[link.to].push(Link { to: from, ..*link }));
                self.links[from].extend(links);
            }
            self.broken_links.extend(broken_links);
        }
    }

    /// By id; what is to be read next also by path or name, as links between texts are.
    fn find_target(&self, from: DocNo, kind: LinkKind, target: &str, files: &ModuleMap) -> LinkTarget {
        if let Some(to) = self.by_id.get(target) {
            return LinkTarget::Document(*to);
        }
        let here = files.paths.file(self.documents[from].path.as_str());
        let here = here.filter(|_| kind == LinkKind::ReadNext && !is_id(target));
        let Some(here) = here else { return LinkTarget::Nowhere(LinkError::Nothing) };
        match files.locate(Modules::Prose, here, target) {
            Located::Files(found, _) => self.at(found.first().map_or("", |file| files.paths.path(*file))),
            _ => LinkTarget::Nowhere(candidates(target, files)),
        }
    }

    fn at(&self, path: &str) -> LinkTarget {
        let document = self.documents.binary_search_by(|document| document.path.as_str().cmp(path));
        let Ok(document) = document else { return LinkTarget::File };
        self.find(self.documents[document].word("id"))
            .map_or(LinkTarget::Nowhere(LinkError::NoId), LinkTarget::Document)
    }

    /// Each once, in the order asked for, and those that are no document's.
    pub fn seeds(&self, ids: &[String]) -> (Vec<DocNo>, Vec<String>) {
        let (mut known, mut unknown) = (Vec::new(), Vec::new());
        let mut asked = BTreeSet::new();
        for id in ids.iter().filter(|id| asked.insert(*id)) {
            match self.find(id) {
                Some(document) => known.push(document),
                None => unknown.push(id.clone()),
            }
        }
        (known, unknown)
    }

    /// Knows the code of documents, in the order in which it is to be shown.
    pub fn with_code(self, code: BTreeMap<DocNo, Vec<Code>>) -> Self {
        let listed = code.iter().map(|(at, all)| format!("{} {all:?}\n", self.documents[*at].path));
        let code_digest = Some(Digest::sha256(listed.collect::<String>().as_bytes()));
        Catalog { code, code_digest, ..self }
    }

    pub fn code(&self, document: DocNo) -> &[Code] {
        self.code.get(&document).map_or(&[], Vec::as_slice)
    }

    pub fn find(&self, id: &str) -> Option<DocNo> {
        self.by_id.get(id).copied()
    }

    /// Documents that have an id of their own, in the order of their ids.
    pub fn with_id(&self) -> impl Iterator<Item = (&str, DocNo)> {
        self.by_id.iter().map(|(id, at)| (id.as_str(), *at))
    }

    /// A document whose id an earlier one has, and that one.
    pub fn duplicate_ids(&self) -> impl Iterator<Item = (DocNo, DocNo)> {
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

/// Where a link leads.
enum LinkTarget {
    Document(DocNo),
    /// A file of the tree that is no spec document.
    File,
    Nowhere(LinkError),
}

/// What a name could mean that means no single file.
fn candidates(target: &str, files: &ModuleMap) -> LinkError {
    let found = [target.to_string(), format!("{target}.md")].map(|name| files.paths.all_ending(&name));
    match found.iter().find(|found| found.len() > 1) {
        Some(found) => LinkError::Ambiguous(found.iter().map(|file| files.paths.path(*file).to_string()).collect()),
        None => LinkError::Nothing,
    }
}

/// Of what is read, which is not all of the file where a secret was replaced.
fn text_hash(document: &Document) -> Digest {
    Digest::sha256(document.text.as_bytes())
}
