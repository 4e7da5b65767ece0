//! Resolves links, fields and tags of notes: to pages by path, name and alias, to sections by heading, to blocks and notes
//! by id.

use rustc_hash::FxHashMap;

use super::input::{Input, Reference};
use super::resolve::{MAX_CANDIDATES, Outcome, Resolution, Target, confidence};
use super::tree::{FileNo, SymbolNo, Tree};
use crate::dialect::note_tree::{FileKind, NoteTree};
use crate::language::modules::join;
use crate::record::{Item, Role, Score, SourceKind, Tier, last_name};
use crate::text::fold;

/// The language of nodes for pages that are named but not written.
pub const UNWRITTEN: &str = "note";
/// The language of nodes for tags that no note defines.
pub const TAG: &str = "tag";

/// A result of a search is no link that a person wrote.
const SEARCH_RESULT: Score = Score::percent(50);

/// The notes of a tree by all names that links use.
#[derive(Default)]
pub struct NoteLinks<'i> {
    /// For each file: what it is, and the number of its vault or graph.
    files: Vec<Option<NoteFile>>,
    /// By vault and folded path from its root, without `.md`.
    by_path: FxHashMap<(u32, String), FileNo>,
    /// By vault and folded file name, without `.md`: all pages with that name, in the order of their paths.
    by_name: FxHashMap<(u32, String), Vec<FileNo>>,
    /// By graph and folded title.
    by_title: FxHashMap<(u32, String), Vec<FileNo>>,
    by_alias: FxHashMap<(u32, String), Vec<FileNo>>,
    /// By page and folded heading, in text order.
    headings: FxHashMap<(FileNo, String), Vec<Section<'i>>>,
    /// By page and block id, with its `^`.
    blocks: FxHashMap<(FileNo, &'i str), SymbolNo>,
    /// Blocks of Logseq by graph and id, with its `^`.
    graph_blocks: FxHashMap<(u32, &'i str), SymbolNo>,
    /// Where the blocks of a vault's page are, sorted.
    block_spans: FxHashMap<FileNo, Vec<(u32, u32, SymbolNo)>>,
    /// Notes of an export by file and id.
    exported: FxHashMap<(FileNo, &'i str), SymbolNo>,
}

#[derive(Clone)]
struct NoteFile {
    kind: SourceKind,
    /// The vault or graph that it belongs to.
    place: u32,
    /// The length of the path of that directory, with its `/`.
    root_bytes: usize,
}

struct Section<'i> {
    symbol: SymbolNo,
    parent: Option<&'i str>,
    node: &'i str,
}

/// What a page part of a link leads to.
struct Pages {
    files: Vec<FileNo>,
    tier: Tier,
    confidence: Score,
}

impl<'i> NoteLinks<'i> {
    pub fn new(input: &'i Input<'i>, tree: &Tree<'i>) -> Self {
        let has_notes = input.files.iter().any(|file| file.source_kind.is_some_and(SourceKind::is_notes));
        let mut links = NoteLinks::default();
        if has_notes {
            links.place_files(input);
            links.files.iter().enumerate().filter_map(|(at, file)| Some((at as FileNo, file.clone()?))).for_each(
                |(at, file)| {
                    if is_markdown(file.kind) {
                        add_page(&mut links.by_path, &mut links.by_name, at, &file, input);
                    }
                },
            );
            input.items.iter().for_each(|item| links.add_item(item, input, tree));
            links.block_spans.values_mut().for_each(|spans| spans.sort_unstable());
        }
        links
    }

    /// Whether a file is a page of markdown: its links count for the page, too.
    pub fn is_page(&self, file: FileNo) -> bool {
        self.file(file).is_some_and(|file| is_markdown(file.kind))
    }

    /// The block of a vault's page around an offset, in UTF-16 code units.
    pub fn block_at(&self, file: FileNo, offset: u32) -> Option<SymbolNo> {
        let spans = self.block_spans.get(&file)?;
        let before = spans.partition_point(|(start, ..)| *start <= offset).checked_sub(1)?;
        let (_, end, symbol) = spans[before];
        (offset < end).then_some(symbol)
    }

    fn file(&self, file: FileNo) -> Option<&NoteFile> {
        self.files.get(file as usize)?.as_ref()
    }

    fn place_files(&mut self, input: &Input) {
        let notes = NoteTree::find(&input.note_roots, input.files.iter().map(|file| &file.file_rel_path));
        let mut places: FxHashMap<String, u32> = FxHashMap::default();
        let file = |file: &crate::record::File| {
            let kind = file.source_kind.filter(|kind| kind.is_notes())?;
            let root = match notes.kind(&file.file_rel_path) {
                FileKind::Vault(root) | FileKind::Logseq(root) => root,
                _ => String::new(),
            };
            let (root_bytes, next) = (root.len(), places.len() as u32);
            Some(NoteFile { kind, place: *places.entry(root).or_insert(next), root_bytes })
        };
        self.files = input.files.iter().map(file).collect();
    }

    fn add_item(&mut self, item: &'i Item, input: &Input, tree: &Tree) {
        let Some(file) = input.file(item.file_rel_path.as_str()).map(|file| file as FileNo) else { return };
        let Some(NoteFile { kind, place, .. }) = self.file(file).cloned() else { return };
        let symbol = tree.symbol(item.node_id.as_str());
        match (item.kind.as_str(), symbol) {
            ("page", _) => {
                if kind == SourceKind::Logseq {
                    self.by_title.entry((place, fold(&item.title))).or_default().push(file);
                }
                for alias in &item.aliases {
                    self.by_alias.entry((place, fold(alias))).or_default().push(file);
                }
            }
            ("section", Some(symbol)) => {
                let (parent, node) = (item.parent.as_ref().map(|id| id.as_str()), item.node_id.as_str());
                let section = Section { symbol, parent, node };
                self.headings.entry((file, folded_heading(&item.title))).or_default().push(section);
            }
            (_, Some(symbol)) if is_markdown(kind) => {
                let id = last_name(item.node_id.as_str());
                self.blocks.entry((file, id)).or_insert(symbol);
                if kind == SourceKind::Vault {
                    let range = tree.row(symbol).range;
                    self.block_spans.entry(file).or_default().push((range.start, range.end, symbol));
                }
                if kind == SourceKind::Logseq {
                    self.graph_blocks.entry((place, id)).or_insert(symbol);
                }
            }
            (_, Some(symbol)) => {
                self.exported.entry((file, &item.source_id)).or_insert(symbol);
                for id in item.aliases.iter().filter_map(|alias| alias.strip_prefix("id:")) {
                    self.exported.entry((file, id)).or_insert(symbol);
                }
            }
            (_, None) => {}
        }
    }

    /// What a link, field or tag of a note leads to.
    pub fn resolve(&self, input: &Input, reference: &Reference, file: FileNo) -> Outcome {
        let Some(note) = self.file(file) else { return Outcome::Unresolved(0) };
        let name = &*reference.name;
        match (reference.role, note.kind) {
            (_, SourceKind::Tana) => self.by_id(reference, file),
            (Role::Tag, _) => outside(name),
            (_, SourceKind::Nodes) => self.by_id(reference, file),
            _ => match name.strip_prefix("((").and_then(|name| name.strip_suffix("))")) {
                Some(id) => found_symbol(self.graph_blocks.get(&(note.place, &*format!("^{id}")))),
                None => self.link(input, note, name, file),
            },
        }
    }

    fn by_id(&self, reference: &Reference, file: FileNo) -> Outcome {
        match self.exported.get(&(file, &*reference.name)) {
            Some(symbol) if reference.receiver.as_deref() == Some("search") && reference.role == Role::Link => {
                let targets = vec![Target::Symbol(*symbol)];
                found(Resolution { targets, tier: Tier::Name, confidence: SEARCH_RESULT })
            }
            symbol => found_symbol(symbol),
        }
    }

    /// Resolves `page#heading#heading`, `page#^block`, `page^block` or `page`; without a page, this page is meant.
    fn link(&self, input: &Input, note: &NoteFile, name: &str, file: FileNo) -> Outcome {
        let (page, inside) = match name.find(['#', '^']) {
            Some(at) => (name[..at].trim(), &name[at..]),
            None => (name.trim(), ""),
        };
        let pages = match page.is_empty() {
            true => Some(Pages { files: vec![file], tier: Tier::Scope, confidence: confidence::SCOPE }),
            false => self.pages(input, note, page, file),
        };
        let Some(mut pages) = pages else { return outside(&page_key(page)) };
        if pages.files.len() > MAX_CANDIDATES {
            return Outcome::Unresolved(MAX_CANDIDATES);
        }
        let mut all_inside = true;
        let targets: Vec<Target> = pages
            .files
            .iter()
            .map(|page| match self.inside(*page, inside) {
                Some(symbol) => Target::Symbol(symbol),
                None => {
                    all_inside &= inside.is_empty();
                    Target::File(*page)
                }
            })
            .collect();
        if !all_inside {
            // The page is there, but what the link names in it is not.
            (pages.tier, pages.confidence) = (Tier::Name, confidence::ONLY_NAME);
        }
        let resolution = Resolution { targets, tier: pages.tier, confidence: pages.confidence };
        if pages.files.len() == 1 { found(resolution) } else { Outcome::Ambiguous(resolution) }
    }

    /// The heading or block of a page that the rest of a link names.
    fn inside(&self, page: FileNo, inside: &str) -> Option<SymbolNo> {
        let block = inside.strip_prefix('#').unwrap_or(inside);
        if block.starts_with('^') {
            return self.blocks.get(&(page, block.trim())).copied();
        }
        let mut headings = inside.split('#').map(folded_heading).filter(|heading| !heading.is_empty()).rev();
        let last = self.headings.get(&(page, headings.next()?))?;
        let outer: Vec<String> = headings.collect();
        let fits = |section: &&Section| outer.first().is_none_or(|outer| self.is_below(page, section, outer));
        last.iter().find(fits).or(last.first()).map(|section| section.symbol)
    }

    fn is_below(&self, page: FileNo, section: &Section, outer: &str) -> bool {
        let around = self.headings.get(&(page, outer.to_string()));
        around.is_some_and(|all| all.iter().any(|around| Some(around.node) == section.parent))
    }

    fn pages(&self, input: &Input, note: &NoteFile, page: &str, file: FileNo) -> Option<Pages> {
        let path = &input.files[file as usize].file_rel_path.as_str()[note.root_bytes..];
        let folder = path.rfind('/').map_or("", |at| &path[..at + 1]);
        let place = note.place;
        let one = |file: &FileNo, tier| Pages { files: vec![*file], tier, confidence: confidence::IMPORT };
        if page.starts_with("./") || page.starts_with("../") {
            let exact = join(folder, page)?;
            return Some(one(self.by_path.get(&(place, page_key(&exact)))?, Tier::Import));
        }
        let key = page_key(page.trim_start_matches('/'));
        if note.kind == SourceKind::Logseq
            && let Some(files) = self.by_title.get(&(place, key.clone()))
        {
            return Some(Pages { files: files.clone(), tier: Tier::Scope, confidence: confidence::SCOPE });
        }
        if let Some(file) = self.by_path.get(&(place, key.clone())) {
            return Some(one(file, Tier::Import));
        }
        if let Some(file) = self.by_path.get(&(place, page_key(&format!("{folder}{page}")))) {
            return Some(one(file, Tier::Scope));
        }
        self.by_ending(input, note, &key).or_else(|| {
            let files = self.by_alias.get(&(place, key)).or_else(|| self.by_alias.get(&(place, fold(page))))?;
            Some(Pages { files: files.clone(), tier: Tier::Name, confidence: confidence::ONLY_NAME })
        })
    }

    /// The pages whose path ends in this one: those with the shortest path.
    fn by_ending(&self, input: &Input, note: &NoteFile, key: &str) -> Option<Pages> {
        let name = key.rsplit('/').next().unwrap_or(key);
        let path = |file: &FileNo| page_key(&input.files[*file as usize].file_rel_path.as_str()[note.root_bytes..]);
        let ends = |file: &&FileNo| {
            name == key || path(file).strip_suffix(key).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        let all: Vec<FileNo> =
            self.by_name.get(&(note.place, name.to_string()))?.iter().filter(ends).copied().collect();
        let length = |file: &FileNo| path(file).chars().count();
        let shortest = all.iter().map(length).min()?;
        let files = all.into_iter().filter(|file| length(file) == shortest).collect();
        Some(Pages { files, tier: Tier::Scope, confidence: confidence::SCOPE })
    }
}

fn is_markdown(kind: SourceKind) -> bool {
    matches!(kind, SourceKind::Vault | SourceKind::Logseq)
}

fn add_page(
    by_path: &mut FxHashMap<(u32, String), FileNo>,
    by_name: &mut FxHashMap<(u32, String), Vec<FileNo>>,
    at: FileNo,
    file: &NoteFile,
    input: &Input,
) {
    let path = &input.files[at as usize].file_rel_path.as_str()[file.root_bytes..];
    let key = page_key(path);
    let name = key.rsplit('/').next().unwrap_or(&key).to_string();
    by_name.entry((file.place, name)).or_default().push(at);
    by_path.entry((file.place, key)).or_insert(at);
}

/// A path as links name it: folded, without `.md`.
fn page_key(path: &str) -> String {
    let folded = fold(path);
    folded.strip_suffix(".md").map(str::to_string).unwrap_or(folded)
}

/// A heading as links name it: what separates the parts of a link is a space.
fn folded_heading(heading: &str) -> String {
    fold(&heading.replace(['#', '|', '^', ':', '%', '[', ']'], " "))
}

fn outside(name: &str) -> Outcome {
    Outcome::Outside(Target::Outside { module: name.to_string(), name: None })
}

fn found(resolution: Resolution) -> Outcome {
    Outcome::Found { resolution, overrides: Vec::new() }
}

fn found_symbol(symbol: Option<&SymbolNo>) -> Outcome {
    let Some(symbol) = symbol else { return Outcome::Unresolved(0) };
    found(Resolution { targets: vec![Target::Symbol(*symbol)], tier: Tier::Tooling, confidence: Score::ONE })
}
