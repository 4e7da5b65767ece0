//! The spec documents of an index: their items, sections, links and code.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::assemble::{IndexView, ReadError};
use crate::dialect::spec::{Heading, LinkKind, Matched, SectionSchema, match_sections};
use crate::document::spec_id::is_id;
use crate::document::spec_id::link_target;
use crate::graph::adjacency::Direction;
use crate::language::Modules;
use crate::language::modules::{Located, ModuleMap};
use crate::record::{ChunkNo, Digest, EdgeType, Field, FieldValue, FileLines, Item, Lines, SpecRole, write_line};
use crate::search::FileFlags;
use crate::text::RepoPath;

/// A document's index in the library.
pub type DocNo = usize;

pub struct Library<'v> {
    pub view: &'v IndexView<'v>,
    pub schema: &'v SectionSchema,
    /// Sorted by path.
    pub documents: Vec<Document<'v>>,
    by_id: BTreeMap<&'v str, Vec<DocNo>>,
    by_node: BTreeMap<u32, DocNo>,
    by_file: BTreeMap<&'v str, DocNo>,
    /// Resolves paths of links.
    modules: ModuleMap<'v>,
    digest: OnceLock<Digest>,
}

/// Links between documents do not need package manifests.
static NO_MANIFESTS: BTreeMap<String, String> = BTreeMap::new();

pub struct Document<'v> {
    pub item: &'v Item,
    /// Its headings, in text order.
    pub sections: Vec<&'v Item>,
    node: Option<u32>,
    lines: OnceLock<FileLines>,
}

/// A link of a document that does not lead to a document that can be shown.
pub struct BrokenLink<'v> {
    pub kind: LinkKind,
    pub line: u32,
    pub target: &'v str,
    pub error: LinkError,
}

pub enum LinkError {
    NotFound,
    /// The document has no id, or its front matter cannot be read.
    NoId,
    /// The target matches several files.
    Ambiguous(Vec<String>),
}

impl<'v> Library<'v> {
    pub fn new(view: &'v IndexView<'v>, schema: &'v SectionSchema) -> Result<Self, ReadError> {
        let mut documents: Vec<Document> = Vec::new();
        for item in view.items()? {
            match item.kind.as_str() {
                "spec" => documents.push(Document::new(view, item)),
                "section" => documents.iter_mut().next_back().into_iter().for_each(|last| last.sections.push(item)),
                _ => {}
            }
        }
        let (mut by_id, mut by_node, mut by_file) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for (number, document) in documents.iter().enumerate() {
            by_file.insert(document.file(), number);
            if !document.id().is_empty() {
                by_id.entry(document.id()).or_insert_with(Vec::new).push(number);
                by_node.extend(document.node.map(|node| (node, number)));
            }
        }
        let modules = ModuleMap::new(view.paths()?.iter().map(RepoPath::as_str).collect(), &NO_MANIFESTS);
        Ok(Library { view, schema, documents, by_id, by_node, by_file, modules, digest: OnceLock::new() })
    }

    /// The documents with these ids, without duplicates and in the order of the ids; and the ids that no document
    /// has.
    pub fn seeds(&self, ids: &[String]) -> (Vec<DocNo>, Vec<String>) {
        let (mut known, mut unknown, mut asked) = (Vec::new(), Vec::new(), BTreeSet::new());
        for id in ids.iter().filter(|id| asked.insert(*id)) {
            match self.by_id.get(id.as_str()) {
                Some(documents) => known.extend(documents),
                None => unknown.push(id.clone()),
            }
        }
        (known, unknown)
    }

    pub fn with_node(&self, node: u32) -> Option<DocNo> {
        self.by_node.get(&node).copied()
    }

    /// The nodes of all documents with an id. Walks over links are limited to them.
    pub fn nodes(&self) -> BTreeSet<u32> {
        self.by_node.keys().copied().collect()
    }

    pub fn nodes_of(&self, documents: &[DocNo]) -> Vec<u32> {
        documents.iter().filter_map(|document| self.documents[*document].node).collect()
    }

    /// Ids that several documents share, with those documents.
    pub fn duplicates(&self) -> impl Iterator<Item = (&'v str, &[DocNo])> {
        self.by_id
            .iter()
            .filter(|(_, documents)| documents.len() > 1)
            .map(|(id, documents)| (*id, documents.as_slice()))
    }

    pub fn matched_sections(&self, document: DocNo) -> Vec<Matched<'v>> {
        let document = &self.documents[document];
        let heading = |item: &&'v Item| Heading {
            level: item.depth,
            name: &item.title,
            words: item.aliases.first().unwrap_or(&item.title),
        };
        let headings: Vec<Heading> = document.sections.iter().map(heading).collect();
        match_sections(document.word("kind"), &headings, self.schema)
    }

    /// The first lines of the first section whose rule's id ends with `rule`.
    pub fn beginning(&self, document: DocNo, rule: &str, lines: usize) -> Result<Option<String>, ReadError> {
        let matched = self.matched_sections(document);
        let Some(found) = matched.iter().find(|one| one.rule.id.ends_with(rule) && !one.again) else { return Ok(None) };
        let body = self.body(document, self.documents[document].sections[found.heading])?;
        Ok(Some(body.lines().take(lines).collect::<Vec<_>>().join("\n")))
    }

    /// The text below an item's heading or front matter, without surrounding blank lines.
    pub fn body(&self, document: DocNo, item: &Item) -> Result<String, ReadError> {
        let Some(body) = item.body else { return Ok(String::new()) };
        Ok(self.lines(document)?.text(body).trim_end().to_string())
    }

    fn lines(&self, number: DocNo) -> Result<&FileLines, ReadError> {
        let document = &self.documents[number];
        if document.lines.get().is_none() {
            let white = document.item.field(Field::WHITE_LINES).unwrap_or_default();
            let _ = document.lines.set(self.view.file_lines(&document.item.file_rel_path, white)?);
        }
        Ok(document.lines.get().expect("it was just set"))
    }

    /// The broken links of a document, in the order of its front matter.
    pub fn broken_links(&self, document: DocNo) -> Vec<BrokenLink<'v>> {
        let file = self.documents[document].file();
        let broken = |(kind, value): (LinkKind, &'v FieldValue)| {
            let text = value.text.as_deref().unwrap_or_default();
            let error = self.link_error(file, kind, link_target(text))?;
            Some(BrokenLink { kind, line: value.line.unwrap_or(1), target: text, error })
        };
        self.documents[document].links().into_iter().filter_map(broken).collect()
    }

    /// Why a link in a file does not lead to a document. Paths are resolved as in the graph.
    fn link_error(&self, file: &str, kind: LinkKind, target: &str) -> Option<LinkError> {
        if self.by_id.contains_key(target) {
            return None;
        }
        let paths = &self.modules.paths;
        let here = paths.file(file).filter(|_| kind == LinkKind::ReadNext && !is_id(target));
        let Some(here) = here else { return Some(LinkError::NotFound) };
        match self.modules.locate(Modules::Prose, here, target) {
            Located::Files(found, _) => {
                let document = found.first().and_then(|file| self.of_file(paths.path(*file)));
                document.filter(|document| self.documents[*document].id().is_empty()).map(|_| LinkError::NoId)
            }
            _ => Some(self.path_error(target)),
        }
    }

    /// The document in a file.
    pub fn of_file(&self, path: &str) -> Option<DocNo> {
        self.by_file.get(path).copied()
    }

    /// The error for a name that does not match a single file: ambiguous or not found.
    fn path_error(&self, target: &str) -> LinkError {
        let paths = &self.modules.paths;
        let found = [target.to_string(), format!("{target}.md")].map(|name| paths.all_ending(&name));
        match found.iter().find(|found| found.len() > 1) {
            Some(found) => LinkError::Ambiguous(found.iter().map(|file| paths.path(*file).to_string()).collect()),
            None => LinkError::NotFound,
        }
    }

    /// Code chunks that a document names or that name it, by confidence, without duplicates.
    pub fn code(&self, document: DocNo) -> Vec<ChunkNo> {
        let (Some((graph, chunk_nodes)), Some(node)) = (self.view.linked_graph(), self.documents[document].node) else {
            return Vec::new();
        };
        let mut named: Vec<_> = graph.neighbours(node, Direction::Out, EdgeType::Doc).collect();
        named.sort_by_key(|neighbour| (Reverse(neighbour.confidence), graph.id(neighbour.node)));
        let mut shown = BTreeSet::new();
        let chunks = named.iter().filter_map(|neighbour| chunk_nodes.chunk(neighbour.node));
        let is_code = |chunk: &ChunkNo| !self.view.file_flags(*chunk).has(FileFlags::PROSE);
        chunks.filter(is_code).filter(|chunk| shown.insert(*chunk)).collect()
    }

    /// A digest of the content of all documents.
    pub fn digest(&self) -> &Digest {
        self.digest.get_or_init(|| {
            let mut lines = Vec::new();
            for document in &self.documents {
                let all = std::iter::once(&document.item).chain(&document.sections);
                all.for_each(|item| write_line(*item, &mut lines));
            }
            Digest::sha256(&lines)
        })
    }
}

impl<'v> Document<'v> {
    fn new(view: &IndexView, item: &'v Item) -> Self {
        let node = view.graph().and_then(|graph| graph.node(item.node_id.as_str()));
        Document { item, sections: Vec::new(), node, lines: OnceLock::new() }
    }

    pub fn id(&self) -> &'v str {
        self.word("id")
    }

    pub fn file(&self) -> &'v str {
        self.item.file_rel_path.as_str()
    }

    pub fn role(&self) -> SpecRole {
        SpecRole::of_id(self.id())
    }

    /// A text field of the front matter; empty if it is missing.
    pub fn word(&self, field: &str) -> &'v str {
        self.value(field).and_then(|value| value.text.as_deref()).unwrap_or_default()
    }

    pub fn value(&self, field: &str) -> Option<&'v FieldValue> {
        self.item.field(field)?.first()
    }

    /// The lines of its front matter.
    pub fn front_lines(&self) -> Lines {
        self.item.head.unwrap_or(Lines { start: 1, end: 1 })
    }

    /// Why the front matter cannot be read, and the line with the error.
    pub fn front_matter_error(&self) -> Option<(u32, &'v str)> {
        let value = self.value(Field::FRONT_MATTER_ERROR)?;
        Some((value.line.unwrap_or(1), value.text.as_deref().unwrap_or_default()))
    }

    /// The lists below a key of the front matter: `trace.req` is the list `req` below `trace`.
    pub fn lists(&self, key: &str) -> BTreeMap<&'v str, Vec<&'v str>> {
        let below = |name: &'v str| name.strip_prefix(key)?.strip_prefix('.');
        let lists = self.item.fields.iter().filter_map(|field| Some((below(&field.name)?, field)));
        lists
            .map(|(name, field)| (name, field.values.iter().filter_map(|value| value.text.as_deref()).collect()))
            .collect()
    }

    fn links(&self) -> Vec<(LinkKind, &'v FieldValue)> {
        let kind = |name: &str| match name {
            "doc.read_next" => Some(LinkKind::ReadNext),
            name => name.starts_with("trace.").then_some(LinkKind::Trace),
        };
        let fields = self.item.fields.iter().filter_map(|field| Some((kind(&field.name)?, field)));
        let mut links: Vec<_> =
            fields.flat_map(|(kind, field)| field.values.iter().map(move |value| (kind, value))).collect();
        links.sort_by_key(|(_, value)| value.line);
        links
    }
}

impl BrokenLink<'_> {
    pub fn message(&self) -> String {
        let target = self.target;
        match (&self.error, self.kind) {
            (LinkError::NotFound, LinkKind::Trace) => format!("trace to an unknown id: `{target}`"),
            (LinkError::NotFound, LinkKind::ReadNext) => format!("read_next leads to nothing: `{target}`"),
            (LinkError::NoId, _) => {
                format!("read_next leads to a document without an id: `{target}` (see `contextpack spec lint`)")
            }
            (LinkError::Ambiguous(paths), _) => format!("read_next `{target}` could be {}", paths.join(" or ")),
        }
    }
}
