//! The notes of an index as an accelerator: what scoring and finding topics need, in bytes that are read where they lie.
//!
//! Pure: [`build`] makes the bytes from items, [`Notes`] reads them. Bytes that were parsed cannot lead a reader astray:
//! every number in them was checked.

use rustc_hash::FxHashMap;

use crate::dialect::NAMELESS;
use crate::dialect::export::UNTITLED;
use crate::flat::{FlatFault, Form, Strings, is_rising, number, rows, string_sections, wide_sections};
use crate::record::{File, Item, NodeNo, NoteNo, SourceKind, codec, write_line};
use crate::text::fold;

/// In the manifest and in file names.
pub const NAME: &str = "notes";
/// 1: first version.
pub const VERSION: u32 = 1;

const FORM: Form = Form { magic: *b"ctxpknot", version: VERSION, sections: Section::COUNT };

/// In the order in which they stand. Rows of notes are in the order of their nodes.
#[derive(Clone, Copy)]
enum Section {
    /// The node of each note, rising: u32.
    Nodes,
    Classes,
    /// Bits: 1 has a heading of its own, 2 is a template, 4 has no name.
    Flags,
    /// The note under whose heading each is shown: u32.
    Units,
    Depths,
    Orders,
    /// Seconds since 1970: i64; the smallest number is none.
    Modified,
    /// The number of each note's file: u32.
    Files,
    PathOffsets,
    Paths,
    TitleOffsets,
    Titles,
    IdOffsets,
    Ids,
    /// The item of each note as its canonical line: offsets of 64 bits.
    ItemOffsets,
    Items,
    /// Folded titles and aliases, sorted; then the note of each: u32.
    NameOffsets,
    Names,
    NameNotes,
    /// Ids that people type, sorted; then the note of each: u32.
    KeyOffsets,
    Keys,
    KeyNotes,
}

impl Section {
    const COUNT: usize = Section::KeyNotes as usize + 1;
}

const HAS_HEADING: u8 = 1;
const IS_TEMPLATE: u8 = 2;
const IS_NAMELESS: u8 = 4;
const NO_DATE: i64 = i64::MIN;
/// A chain of parents is not followed further.
const MAX_DEPTH: usize = 10_000;

/// What a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteClass {
    Page,
    Section,
    Block,
    Note,
    Tag,
    Container,
}

impl NoteClass {
    const ALL: [(NoteClass, &'static str); 6] = [
        (NoteClass::Page, "page"),
        (NoteClass::Section, "section"),
        (NoteClass::Block, "block"),
        (NoteClass::Note, "note"),
        (NoteClass::Tag, "tag"),
        (NoteClass::Container, "container"),
    ];

    /// The class of an item; none for items of other sources.
    fn of(item: &Item) -> Option<NoteClass> {
        Self::ALL.iter().find(|(_, word)| *word == item.kind).map(|(class, _)| *class)
    }

    /// As it is written in items.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Why bytes are not the notes of an index. Reads on after "because".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotesFault {
    #[error(transparent)]
    Form(#[from] FlatFault),
    #[error("its sections do not fit each other")]
    Sections,
    #[error("its texts are not text, or their borders do not follow each other")]
    Texts,
    #[error("a line of it is not an item")]
    Item,
    #[error("it names a note, a file or a class that it does not have")]
    Number,
}

/// The notes of an index by number. A number that is none panics, as an index does.
#[derive(Clone, Copy)]
pub struct Notes<'a> {
    nodes: &'a [[u8; 4]],
    classes: &'a [u8],
    flags: &'a [u8],
    units: &'a [[u8; 4]],
    depths: &'a [[u8; 4]],
    orders: &'a [[u8; 4]],
    modified: &'a [[u8; 8]],
    files: &'a [[u8; 4]],
    paths: Strings<'a>,
    titles: Strings<'a, 8>,
    ids: Strings<'a, 8>,
    item_offsets: &'a [[u8; 8]],
    items: &'a [u8],
    names: Strings<'a, 8>,
    name_notes: &'a [[u8; 4]],
    keys: Strings<'a, 8>,
    key_notes: &'a [[u8; 4]],
}

/// Makes the accelerator of the items that come from notes and whose nodes have numbers. `files` are sorted by path.
/// None if there are no notes.
pub fn build(items: &[Item], files: &[File], number: impl Fn(&str) -> Option<NodeNo>) -> Option<Vec<u8>> {
    let kind = |item: &Item| {
        let at = files.binary_search_by(|file| file.file_rel_path.cmp(&item.file_rel_path)).ok()?;
        files[at].source_kind
    };
    let noted = items.iter().filter(|item| kind(item).is_some_and(SourceKind::is_notes));
    let mut notes: Vec<Row> = noted.filter_map(|item| Row::new(item, &number)).collect();
    notes.sort_unstable_by_key(|row| row.node);
    notes.dedup_by_key(|row| row.node);
    (!notes.is_empty()).then(|| write(&notes))
}

struct Row<'r> {
    item: &'r Item,
    node: NodeNo,
    class: NoteClass,
}

impl<'r> Row<'r> {
    fn new(item: &'r Item, number: impl Fn(&str) -> Option<NodeNo>) -> Option<Self> {
        Some(Row { item, node: number(item.node_id.as_str())?, class: NoteClass::of(item)? })
    }

    fn flags(&self) -> u8 {
        let heading = if self.item.unit { HAS_HEADING } else { 0 };
        let template = if self.item.field("template").is_some() { IS_TEMPLATE } else { 0 };
        let nameless = if self.is_nameless() { IS_NAMELESS } else { 0 };
        heading | template | nameless
    }

    /// Whether its title only stands in the place of a name.
    fn is_nameless(&self) -> bool {
        [UNTITLED, NAMELESS].contains(&self.item.title.as_str())
    }

    fn modified(&self) -> i64 {
        let date = self.item.modified.as_ref().or(self.item.created.as_ref());
        date.map_or(NO_DATE, |date| date.to_seconds())
    }
}

fn write(notes: &[Row]) -> Vec<u8> {
    let mut paths: Vec<&str> = notes.iter().map(|row| row.item.file_rel_path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let file = |row: &Row| paths.binary_search(&row.item.file_rel_path.as_str()).unwrap_or_default() as u32;
    let units = units(notes);
    let numbers = |number: &dyn Fn(usize) -> u32| -> Vec<u8> {
        (0..notes.len()).flat_map(|at| number(at).to_le_bytes()).collect()
    };
    let [path_offsets, path_texts] = string_sections(paths.iter().copied());
    let [title_offsets, titles] = wide_sections(notes.iter().map(|row| row.item.title.as_bytes()));
    let [id_offsets, ids] = wide_sections(notes.iter().map(|row| row.item.source_id.as_bytes()));
    let mut line = Vec::new();
    let (mut item_offsets, mut items) = (0u64.to_le_bytes().to_vec(), Vec::new());
    for row in notes {
        line.clear();
        write_line(row.item, &mut line);
        items.extend_from_slice(&line[..line.len() - 1]);
        item_offsets.extend((items.len() as u64).to_le_bytes());
    }
    let [name_offsets, names, name_notes] = keyed(notes, |row, keys| {
        let written = row.item.aliases.iter().filter(|alias| !alias.starts_with("id:"));
        let title = (!row.is_nameless()).then_some(&row.item.title);
        keys.extend(title.into_iter().chain(written).map(|name| fold(name)));
    });
    let [key_offsets, keys, key_notes] = keyed(notes, |row, keys| {
        let other = row.item.aliases.iter().filter_map(|alias| alias.strip_prefix("id:"));
        keys.extend([row.item.source_id.as_str()].into_iter().chain(other).map(str::to_string));
    });
    FORM.write(&[
        numbers(&|at| notes[at].node.0),
        notes.iter().map(|row| row.class as u8).collect(),
        notes.iter().map(Row::flags).collect(),
        numbers(&|at| units[at]),
        numbers(&|at| notes[at].item.depth),
        numbers(&|at| notes[at].item.order),
        notes.iter().flat_map(|row| row.modified().to_le_bytes()).collect(),
        numbers(&|at| file(&notes[at])),
        path_offsets,
        path_texts,
        title_offsets,
        titles,
        id_offsets,
        ids,
        item_offsets,
        items,
        name_offsets,
        names,
        name_notes,
        key_offsets,
        keys,
        key_notes,
    ])
}

/// For each note the nearest one around it, itself included, that has a heading; itself if there is none.
fn units(notes: &[Row]) -> Vec<u32> {
    let numbers: FxHashMap<&str, u32> =
        notes.iter().enumerate().map(|(at, row)| (row.item.node_id.as_str(), at as u32)).collect();
    let parent = |at: u32| Some(*numbers.get(notes[at as usize].item.parent.as_ref()?.as_str())?);
    // A unit that is known ends every later walk: each note is visited a few times at most.
    let mut known: Vec<Option<u32>> = vec![None; notes.len()];
    for at in 0..notes.len() as u32 {
        let mut chain = vec![at];
        let unit = loop {
            let last = chain[chain.len() - 1];
            match (known[last as usize], parent(last)) {
                (Some(unit), _) => break unit,
                _ if notes[last as usize].item.unit => break last,
                // A chain that is longer than all notes goes round.
                (None, Some(parent)) if chain.len() < MAX_DEPTH.min(notes.len()) => chain.push(parent),
                _ => break at,
            }
        };
        chain.into_iter().for_each(|one| known[one as usize] = Some(unit));
    }
    known.into_iter().enumerate().map(|(at, unit)| unit.unwrap_or(at as u32)).collect()
}

/// Sorted keys and the note of each.
fn keyed(notes: &[Row], keys_of: impl Fn(&Row, &mut Vec<String>)) -> [Vec<u8>; 3] {
    let (mut all, mut keys) = (Vec::new(), Vec::new());
    for (at, row) in notes.iter().enumerate() {
        keys_of(row, &mut keys);
        all.extend(keys.drain(..).filter(|key| !key.is_empty()).map(|key| (key, at as u32)));
    }
    all.sort_unstable();
    all.dedup();
    let [offsets, texts] = wide_sections(all.iter().map(|(key, _)| key.as_bytes()));
    [offsets, texts, all.iter().flat_map(|(_, note)| note.to_le_bytes()).collect()]
}

impl<'a> Notes<'a> {
    /// Looks at every byte once, and holds on to nothing but the bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, NotesFault> {
        let sections = FORM.parse(bytes)?;
        let section = |section: Section| sections[section as usize];
        let count = section(Section::Classes).len();
        let wide = |offsets, texts| Strings::parse(section(offsets), section(texts)).ok_or(NotesFault::Texts);
        let names: Strings<8> = wide(Section::NameOffsets, Section::Names)?;
        let keys: Strings<8> = wide(Section::KeyOffsets, Section::Keys)?;
        let numbers = |at, count| rows(section(at), count).ok_or(NotesFault::Sections);
        let paths = Strings::parse(section(Section::PathOffsets), section(Section::Paths)).ok_or(NotesFault::Texts)?;
        let notes = Notes {
            nodes: numbers(Section::Nodes, count)?,
            classes: section(Section::Classes),
            flags: section(Section::Flags),
            units: numbers(Section::Units, count)?,
            depths: numbers(Section::Depths, count)?,
            orders: numbers(Section::Orders, count)?,
            modified: rows(section(Section::Modified), count).ok_or(NotesFault::Sections)?,
            files: numbers(Section::Files, count)?,
            paths,
            titles: wide(Section::TitleOffsets, Section::Titles)?,
            ids: wide(Section::IdOffsets, Section::Ids)?,
            item_offsets: rows(section(Section::ItemOffsets), count + 1).ok_or(NotesFault::Sections)?,
            items: section(Section::Items),
            name_notes: numbers(Section::NameNotes, names.count())?,
            names,
            key_notes: numbers(Section::KeyNotes, keys.count())?,
            keys,
        };
        notes.check(count)?;
        Ok(notes)
    }

    fn check(&self, count: usize) -> Result<(), NotesFault> {
        let has_rows = self.flags.len() == count
            && [self.titles.count(), self.ids.count()] == [count; 2]
            && is_rising(self.item_offsets)
            && self.item_offsets.last().map(number) == Some(self.items.len())
            && is_rising(self.nodes);
        let below = |numbers: &[[u8; 4]], limit: usize| numbers.iter().all(|one| number(one) < limit);
        let has_numbers = below(self.units, count)
            && below(self.files, self.paths.count())
            && below(self.name_notes, count)
            && below(self.key_notes, count)
            && self.classes.iter().all(|class| usize::from(*class) < NoteClass::ALL.len());
        match (has_rows, has_numbers) {
            (true, true) => Ok(()),
            (false, _) => Err(NotesFault::Sections),
            (true, false) => Err(NotesFault::Number),
        }
    }

    pub fn count(&self) -> usize {
        self.classes.len()
    }

    /// The note of a node.
    pub fn note(&self, node: NodeNo) -> Option<NoteNo> {
        let at = self.nodes.binary_search_by_key(&node.0, |one| u32::from_le_bytes(*one)).ok()?;
        Some(NoteNo(at as u32))
    }

    pub fn node(&self, note: NoteNo) -> NodeNo {
        NodeNo(u32::from_le_bytes(self.nodes[note.index()]))
    }

    pub fn class(&self, note: NoteNo) -> NoteClass {
        NoteClass::ALL[usize::from(self.classes[note.index()])].0
    }

    /// Whether it is shown under a heading of its own.
    pub fn is_unit(&self, note: NoteNo) -> bool {
        self.flags[note.index()] & HAS_HEADING != 0
    }

    pub fn is_template(&self, note: NoteNo) -> bool {
        self.flags[note.index()] & IS_TEMPLATE != 0
    }

    /// Whether its title only stands in the place of a name.
    pub fn is_nameless(&self, note: NoteNo) -> bool {
        self.flags[note.index()] & IS_NAMELESS != 0
    }

    /// The note under whose heading it is shown.
    pub fn unit(&self, note: NoteNo) -> NoteNo {
        NoteNo(u32::from_le_bytes(self.units[note.index()]))
    }

    pub fn depth(&self, note: NoteNo) -> u32 {
        u32::from_le_bytes(self.depths[note.index()])
    }

    /// Its place in its file, outer notes before what is in them.
    pub fn order(&self, note: NoteNo) -> u32 {
        u32::from_le_bytes(self.orders[note.index()])
    }

    /// When it was last changed, or else made, in seconds since 1970.
    pub fn modified(&self, note: NoteNo) -> Option<i64> {
        Some(i64::from_le_bytes(self.modified[note.index()])).filter(|seconds| *seconds != NO_DATE)
    }

    /// The latest date of any note.
    pub fn newest(&self) -> Option<i64> {
        self.modified.iter().map(|one| i64::from_le_bytes(*one)).filter(|seconds| *seconds != NO_DATE).max()
    }

    pub fn path(&self, note: NoteNo) -> &'a str {
        self.paths.get(number(&self.files[note.index()]))
    }

    pub fn title(&self, note: NoteNo) -> &'a str {
        self.titles.get(note.index())
    }

    /// The id that people type.
    pub fn source_id(&self, note: NoteNo) -> &'a str {
        self.ids.get(note.index())
    }

    /// Its whole item. Lines are not checked before they are read: there are many, and few are shown.
    pub fn item(&self, note: NoteNo) -> Result<Item, NotesFault> {
        let (start, end) = (&self.item_offsets[note.index()], &self.item_offsets[note.index() + 1]);
        let line = std::str::from_utf8(&self.items[number(start)..number(end)]).map_err(|_| NotesFault::Texts)?;
        codec::read(line).map_err(|_| NotesFault::Item)
    }

    /// The notes with this id, by number.
    pub fn by_id(&self, id: &str) -> Vec<NoteNo> {
        find(&self.keys, self.key_notes, id)
    }

    /// The notes with this title or alias, which must be folded, by number.
    pub fn by_name(&self, folded: &str) -> Vec<NoteNo> {
        find(&self.names, self.name_notes, folded)
    }
}

fn find(keys: &Strings<8>, notes: &[[u8; 4]], wanted: &str) -> Vec<NoteNo> {
    let (mut low, mut high) = (0, keys.count());
    while low < high {
        let middle = low + (high - low) / 2;
        if keys.get(middle) < wanted { low = middle + 1 } else { high = middle }
    }
    let same = (low..keys.count()).take_while(|at| keys.get(*at) == wanted);
    same.map(|at| NoteNo(u32::from_le_bytes(notes[at]))).collect()
}
