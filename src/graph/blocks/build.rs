//! Makes the accelerator of blocks.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{ACTIONS, FORM, Flags, Moment, NEVER, NONE, Section};
use crate::flat::wide_sections;
use crate::record::{Audience, BlockType, ChunkNo, ChunkUid, Field, File, Item, LinkKind, SourceKind};
use crate::text::{Tokenizer, fold};

/// The texts of chunks, with their numbers.
pub type Texts = FxHashMap<ChunkUid, (ChunkNo, String)>;

/// Makes the accelerator of the items that come from workspaces. `files` are sorted by path. None if there are no
/// blocks.
pub fn build(items: &[Item], files: &[File], texts: &Texts) -> Option<Vec<u8>> {
    let file = |item: &Item| files.binary_search_by(|file| file.file_rel_path.cmp(&item.file_rel_path)).ok();
    let is_of_workspace = |at: &usize| files[*at].source_kind.is_some_and(SourceKind::is_workspace);
    let mut builder = Builder::default();
    for item in items {
        if let Some(at) = file(item).filter(is_of_workspace) {
            builder.add(item, at as u32);
        }
    }
    (!builder.blocks.is_empty()).then(|| builder.finish(texts))
}

/// The accelerator of a workspace without blocks.
pub fn empty() -> Vec<u8> {
    Builder::default().finish(&Texts::default())
}

#[derive(Default)]
struct Builder<'i> {
    blocks: Vec<Row<'i>>,
    labels: Vec<Row<'i>>,
    /// Links that are lines of their own, by the id that they start at.
    links: FxHashMap<&'i str, Vec<&'i Item>>,
    activity: Vec<&'i Item>,
}

/// A block, or the labelled form of a row.
struct Row<'i> {
    item: &'i Item,
    block_type: BlockType,
    file: u32,
    structure: Option<&'i Item>,
    /// The block that this is a form of, for labelled forms.
    of: u32,
}

impl<'i> Builder<'i> {
    fn add(&mut self, item: &'i Item, file: u32) {
        let row = |block_type, of| Row { item, block_type, file, structure: None, of };
        match (item.kind.as_str(), BlockType::named(&item.kind)) {
            (_, Some(block_type)) => self.blocks.push(row(block_type, NONE)),
            (Item::ROW_LABELS, _) => {
                self.labels.push(row(BlockType::DbRow, self.blocks.len().saturating_sub(1) as u32))
            }
            (Item::STRUCTURE, _) => {
                if let Some(last) = self.blocks.last_mut() {
                    last.structure = Some(item);
                }
            }
            (Item::LINK, _) => self.links.entry(&item.source_id).or_default().push(item),
            (Item::ACTIVITY, _) => self.activity.push(item),
            _ => {}
        }
    }

    fn finish(self, texts: &Texts) -> Vec<u8> {
        let Builder { blocks, labels, links, activity } = self;
        let finder = Finder::new(&blocks);
        let mut all = Columns::default();
        for (at, row) in blocks.iter().enumerate() {
            all.push(row, texts);
            all.push_parents(&finder, at);
            let own = labels.partition_point(|label| label.of < at as u32)
                ..labels.partition_point(|label| label.of <= at as u32);
            all.push_labels(own.zip(finder.databases(at)).map(|(label, database)| (blocks.len() + label, database)));
            let lines = links.get(row.item.source_id.as_str()).into_iter().flatten().copied();
            all.push_links(row.structure.into_iter().chain(lines));
        }
        for row in &labels {
            all.push(row, texts);
            all.end_lists();
            all.push_links(std::iter::once(row.item));
        }
        all.finish(&blocks, &labels, &activity)
    }
}

/// Finds blocks by the ids that other blocks give.
struct Finder<'b> {
    blocks: &'b [Row<'b>],
    by_id: FxHashMap<&'b str, Vec<u32>>,
    /// By parent: the place of each id among its children.
    listed: FxHashMap<(u32, &'b str), u32>,
    /// The blocks that list an id.
    listing: FxHashMap<&'b str, Vec<u32>>,
}

impl<'b> Finder<'b> {
    fn new(blocks: &'b [Row<'b>]) -> Self {
        let mut finder =
            Finder { blocks, by_id: FxHashMap::default(), listed: FxHashMap::default(), listing: FxHashMap::default() };
        for (at, row) in blocks.iter().enumerate() {
            finder.by_id.entry(&row.item.source_id).or_default().push(at as u32);
            for (place, child) in values(row.structure, "children").enumerate() {
                finder.listed.entry((at as u32, child)).or_insert(place as u32);
                finder.listing.entry(child).or_default().push(at as u32);
            }
        }
        finder
    }

    /// The blocks that an id may mean in a file: those of the file, then all others with this id.
    fn meant(&self, id: &str, file: u32) -> Vec<u32> {
        self.own_first(self.by_id.get(id).map_or(&[][..], Vec::as_slice), file)
    }

    fn own_first(&self, all: &[u32], file: u32) -> Vec<u32> {
        let mut all = all.to_vec();
        all.sort_by_key(|at| self.blocks[*at as usize].file != file);
        all
    }

    fn parents(&self, at: usize) -> Vec<(u32, u32)> {
        let row = &self.blocks[at];
        let id = row.item.source_id.as_str();
        let named = values(row.structure, "parent").next().map(|parent| self.meant(parent, row.file));
        let around = named.unwrap_or_else(|| self.listers(id, row.file));
        let place = |parent: u32| self.listed.get(&(parent, id)).copied().unwrap_or(NONE);
        around.into_iter().filter(|parent| *parent != at as u32).map(|parent| (parent, place(parent))).collect()
    }

    /// The blocks that list an id as a child.
    fn listers(&self, id: &str, file: u32) -> Vec<u32> {
        self.own_first(self.listing.get(id).map_or(&[][..], Vec::as_slice), file)
    }

    /// The databases that a row may belong to, in the order of its labelled forms.
    fn databases(&self, at: usize) -> Vec<u32> {
        let row = &self.blocks[at];
        let named = values(row.structure, "database").next().map(|id| self.meant(id, row.file));
        let all = named.unwrap_or_else(|| self.parents(at).into_iter().map(|(parent, _)| parent).collect());
        all.into_iter().filter(|at| self.blocks[*at as usize].block_type == BlockType::Database).collect()
    }
}

/// The texts of a field of an item.
fn values<'i>(item: Option<&'i Item>, name: &str) -> impl Iterator<Item = &'i str> {
    let field = item.and_then(|item| item.fields.iter().find(|field| field.name == name));
    field.into_iter().flat_map(|field| &field.values).filter_map(|value| value.text.as_deref())
}

/// The columns of the accelerator, row by row.
#[derive(Default)]
struct Columns {
    classes: Vec<u32>,
    audiences: BTreeMap<Audience, u32>,
    types: Vec<u8>,
    flags: Vec<u16>,
    files: Vec<u32>,
    chunks: Vec<u32>,
    tokens: Vec<u32>,
    times: [Vec<i64>; 3],
    orders: Vec<f64>,
    /// In the order of their sections.
    texts: [Vec<String>; 9],
    parents: Vec<(u32, u32)>,
    parent_ends: Vec<u32>,
    labels: Vec<(u32, u32)>,
    label_ends: Vec<u32>,
    links: Vec<(LinkKind, String, String)>,
    link_ends: Vec<u32>,
}

impl Columns {
    fn push(&mut self, row: &Row, texts: &Texts) {
        let item = row.item;
        let next = self.audiences.len() as u32;
        self.classes.push(*self.audiences.entry(item.audience.clone()).or_insert(next));
        self.types.push(row.block_type as u8);
        self.flags.push(flags(item));
        self.files.push(row.file);
        let chunk = item.chunk_uid.and_then(|uid| texts.get(&uid));
        self.chunks.push(chunk.map_or(NONE, |(chunk, _)| chunk.0));
        for (times, date) in self.times.iter_mut().zip([&item.created, &item.modified, &item.due]) {
            times.push(Moment::of(date.as_ref()));
        }
        self.orders.push(item.word("order").parse().unwrap_or(f64::NAN));
        let text = chunk.map_or("", |(_, text)| text.strip_suffix('\n').unwrap_or(text));
        self.tokens.push(Tokenizer::default().count(text) as u32);
        let rows = [
            item.source_id.clone(),
            item.title.clone(),
            text.to_string(),
            item.word("language").to_string(),
            item.word("priority").to_string(),
            item.word("createdBy").to_string(),
            joined(&item.assignees),
            joined(&item.tags),
            joined(&item.aliases),
        ];
        self.texts.iter_mut().zip(rows).for_each(|(column, text)| column.push(text));
    }

    fn push_parents(&mut self, finder: &Finder, at: usize) {
        self.parents.extend(finder.parents(at));
        self.parent_ends.push(self.parents.len() as u32);
    }

    fn push_labels(&mut self, labels: impl Iterator<Item = (usize, u32)>) {
        self.labels.extend(labels.map(|(label, database)| (label as u32, database)));
        self.label_ends.push(self.labels.len() as u32);
    }

    /// A labelled form has neither parents nor labels.
    fn end_lists(&mut self) {
        self.parent_ends.push(self.parents.len() as u32);
        self.label_ends.push(self.labels.len() as u32);
    }

    fn push_links<'i>(&mut self, items: impl Iterator<Item = &'i Item>) {
        let fields = items.flat_map(|item| &item.fields);
        for (field, kind, label) in
            fields.filter_map(|field| link_kind(field).map(|(kind, label)| (field, kind, label)))
        {
            let targets = field.values.iter().filter_map(|value| value.text.as_deref());
            self.links.extend(targets.map(|target| (kind, target.to_string(), label.to_string())));
        }
        self.link_ends.push(self.links.len() as u32);
    }

    fn finish(self, blocks: &[Row], labels: &[Row], activity: &[&Item]) -> Vec<u8> {
        let mut audiences: Vec<(&Audience, u32)> =
            self.audiences.iter().map(|(audience, at)| (audience, *at)).collect();
        audiences.sort_unstable_by_key(|(_, at)| *at);
        let audiences: Vec<String> = audiences.into_iter().map(|(audience, _)| spelled(audience)).collect();
        let mut sections = Sections(vec![Vec::new(); Section::COUNT]);
        sections.numbers(Section::Count, [blocks.len() as u32]);
        sections.texts(Section::AudienceOffsets, audiences.iter().map(String::as_str));
        sections.numbers(Section::Classes, self.classes.iter().copied());
        sections.put(Section::Types, self.types);
        sections.put(Section::Flags, self.flags.iter().flat_map(|flags| flags.to_le_bytes()).collect());
        sections.numbers(Section::Files, self.files);
        sections.numbers(Section::Chunks, self.chunks);
        sections.numbers(Section::Tokens, self.tokens);
        let times = [Section::Created, Section::Modified, Section::Due];
        for (at, times) in times.into_iter().zip(&self.times) {
            sections.put(at, times.iter().flat_map(|time| time.to_le_bytes()).collect());
        }
        sections.put(Section::Orders, self.orders.iter().flat_map(|order| order.to_le_bytes()).collect());
        for (at, texts) in TEXTS.into_iter().zip(&self.texts) {
            sections.texts(at, texts.iter().map(String::as_str));
        }
        sections.numbers(Section::ParentOffsets, offsets(&self.parent_ends));
        sections.numbers(Section::Parents, self.parents.iter().map(|(parent, _)| *parent));
        sections.numbers(Section::Places, self.parents.iter().map(|(_, place)| *place));
        sections.numbers(Section::LabelOffsets, offsets(&self.label_ends));
        sections.numbers(Section::Labels, self.labels.iter().map(|(label, _)| *label));
        sections.numbers(Section::LabelDatabases, self.labels.iter().map(|(_, database)| *database));
        sections.numbers(Section::LabelBlocks, labels.iter().map(|label| label.of));
        sections.numbers(Section::LinkOffsets, offsets(&self.link_ends));
        sections.put(Section::LinkKinds, self.links.iter().map(|(kind, ..)| *kind as u8).collect());
        sections.texts(Section::LinkTargetOffsets, self.links.iter().map(|(_, target, _)| target.as_str()));
        sections.texts(Section::LinkLabelOffsets, self.links.iter().map(|(.., label)| label.as_str()));
        sections.keyed(Section::KeyOffsets, keys(blocks, |item| vec![item.source_id.clone()]));
        let titles = self.texts[1].iter().enumerate().map(|(at, title)| (fold(title), at as u32));
        sections.keyed(Section::NameOffsets, titles.collect());
        sections.keyed(
            Section::OtherNameOffsets,
            keys(blocks, |item| item.aliases.iter().map(|alias| fold(alias)).collect()),
        );
        sections.keyed(Section::BacklinkOffsets, backlinks(&self.links, &self.link_ends));
        sections.activity(activity);
        FORM.write(&sections.0)
    }
}

/// The sections of the texts of rows.
const TEXTS: [Section; 9] = [
    Section::IdOffsets,
    Section::TitleOffsets,
    Section::TextOffsets,
    Section::LanguageOffsets,
    Section::PriorityOffsets,
    Section::AuthorOffsets,
    Section::AssigneeOffsets,
    Section::TagOffsets,
    Section::AliasOffsets,
];

/// Sections that are being filled.
struct Sections(Vec<Vec<u8>>);

impl Sections {
    fn put(&mut self, at: Section, bytes: Vec<u8>) {
        self.0[at as usize] = bytes;
    }

    fn numbers(&mut self, at: Section, numbers: impl IntoIterator<Item = u32>) {
        self.put(at, numbers.into_iter().flat_map(u32::to_le_bytes).collect());
    }

    /// Offsets, and the texts in the section behind.
    fn texts<'t>(&mut self, at: Section, texts: impl Iterator<Item = &'t str>) {
        let [offsets, all] = wide_sections(texts.map(str::as_bytes));
        self.0[at as usize] = offsets;
        self.0[at as usize + 1] = all;
    }

    /// Sorted texts, and the numbers in the section behind.
    fn keyed(&mut self, at: Section, mut keys: Vec<(String, u32)>) {
        keys.retain(|(key, _)| !key.is_empty());
        keys.sort_unstable();
        keys.dedup();
        self.texts(at, keys.iter().map(|(key, _)| key.as_str()));
        self.0[at as usize + 2] = keys.iter().flat_map(|(_, number)| number.to_le_bytes()).collect();
    }

    fn activity(&mut self, items: &[&Item]) {
        let mut users: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
        for item in items {
            users.entry(item.word("user")).or_default().push(item);
        }
        self.texts(Section::UserOffsets, users.keys().copied());
        let mut starts = vec![0];
        starts.extend(users.values().scan(0, |end, lines| {
            *end += lines.len() as u32;
            Some(*end)
        }));
        self.numbers(Section::UserStarts, starts);
        let lines: Vec<&Item> = users.into_values().flatten().collect();
        self.texts(Section::ActivityIdOffsets, lines.iter().map(|item| item.source_id.as_str()));
        let action = |item: &&Item| ACTIONS.iter().position(|action| *action == item.title).unwrap_or(0) as u8;
        self.put(Section::Actions, lines.iter().map(action).collect());
        let seconds = |item: &&Item| item.created.as_ref().map_or(NEVER, |date| date.to_seconds()).to_le_bytes();
        self.put(Section::Seconds, lines.iter().flat_map(seconds).collect());
    }
}

fn flags(item: &Item) -> u16 {
    let has = |is: bool, flag: u16| if is { flag } else { 0 };
    has(item.archived, Flags::ARCHIVED)
        | has(item.field("template").is_some(), Flags::TEMPLATE)
        | has(item.field("ordered").is_some(), Flags::ORDERED)
        | has(item.field("holdsDone").is_some(), Flags::HOLDS_DONE)
        | has(item.done.is_some(), Flags::KNOWS_DONE)
        | has(item.done == Some(true), Flags::DONE)
}

/// What links a field holds, and their label.
fn link_kind(field: &Field) -> Option<(LinkKind, &str)> {
    let (word, label) = field.name.split_once(':').unwrap_or((&field.name, ""));
    LinkKind::ALL.into_iter().find(|kind| kind.name() == word).map(|kind| (kind, label))
}

fn spelled(audience: &Audience) -> String {
    serde_json::to_string(audience).expect("an audience is JSON")
}

/// Each on a line of its own.
fn joined(list: &[String]) -> String {
    let lines: Vec<String> = list.iter().map(|one| one.replace('\n', " ")).collect();
    lines.join("\n")
}

fn offsets(ends: &[u32]) -> impl Iterator<Item = u32> {
    std::iter::once(0).chain(ends.iter().copied())
}

fn keys(blocks: &[Row], keys_of: impl Fn(&Item) -> Vec<String>) -> Vec<(String, u32)> {
    let all = blocks.iter().enumerate();
    all.flat_map(|(at, row)| keys_of(row.item).into_iter().map(move |key| (key, at as u32))).collect()
}

/// What is linked to, as [`target_key`] spells it, with the row that links.
fn backlinks(links: &[(LinkKind, String, String)], ends: &[u32]) -> Vec<(String, u32)> {
    let mut row = 0;
    let each = links.iter().enumerate().map(|(at, (kind, target, _))| {
        while ends[row] as usize <= at {
            row += 1;
        }
        (super::target_key(*kind, target), row as u32)
    });
    each.collect()
}
