//! The blocks of a workspace as an accelerator: what they say, who may read them, and what they name, in bytes that are
//! read where they lie. It decides nothing: what a reader may see is for a view to say.
//!
//! Pure: [`build`] makes the bytes from items and chunks, [`Blocks`] reads them. Bytes that were parsed cannot lead a
//! reader astray: every number in them was checked.

mod build;

use crate::flat::{FlatFault, Form, Strings, is_rising, number, rows};
use crate::record::{Audience, BlockNo, BlockType, ChunkNo, Date, LinkKind};

pub use build::{Texts, build, empty};

/// In the manifest and in file names.
pub const NAME: &str = "blocks";
/// 1: first version.
pub const VERSION: u32 = 1;

const FORM: Form = Form { magic: *b"ctxpkblk", version: VERSION, sections: Section::COUNT };

/// In the order in which they stand. Rows are blocks in record order; behind them the labelled forms of rows, which
/// have a row in every column, too.
#[derive(Clone, Copy)]
enum Section {
    /// How many blocks there are: u32.
    Count,
    /// Distinct audiences, as JSON.
    AudienceOffsets,
    Audiences,
    /// The audience of each row: u32.
    Classes,
    Types,
    /// Bits of [`Flags`].
    Flags,
    /// The number of each row's file: u32.
    Files,
    /// Its chunk; the largest number is none: u32.
    Chunks,
    /// The tokens of its text: u32.
    Tokens,
    Created,
    Modified,
    Due,
    /// Its place among its siblings where its format gives one: the bits of a number; NaN is none.
    Orders,
    IdOffsets,
    Ids,
    TitleOffsets,
    Titles,
    TextOffsets,
    Texts,
    LanguageOffsets,
    Languages,
    PriorityOffsets,
    Priorities,
    AuthorOffsets,
    Authors,
    /// Lists, joined by line breaks.
    AssigneeOffsets,
    Assignees,
    TagOffsets,
    Tags,
    AliasOffsets,
    Aliases,
    /// Where the parents of each row start; then for each its number and the row's place among its children: u32.
    ParentOffsets,
    Parents,
    Places,
    /// The labelled forms of each row: as offsets, and numbers of rows with the database of each.
    LabelOffsets,
    Labels,
    LabelDatabases,
    /// The block of each labelled form: u32.
    LabelBlocks,
    /// The links of each row: as offsets, kinds, targets and labels.
    LinkOffsets,
    LinkKinds,
    LinkTargetOffsets,
    LinkTargets,
    LinkLabelOffsets,
    LinkLabels,
    /// Ids, sorted; then the block of each: u32.
    KeyOffsets,
    Keys,
    KeyBlocks,
    /// Folded titles, sorted, then the block of each: u32. Then the same of aliases.
    NameOffsets,
    Names,
    NameBlocks,
    OtherNameOffsets,
    OtherNames,
    OtherNameBlocks,
    /// Links by their folded targets, sorted, then the row of each: u32.
    BacklinkOffsets,
    Backlinks,
    BacklinkRows,
    /// Users, sorted; where the activity of each starts; then the id, the action and the second of each entry.
    UserOffsets,
    Users,
    UserStarts,
    ActivityIdOffsets,
    ActivityIds,
    Actions,
    Seconds,
}

impl Section {
    const COUNT: usize = Section::Seconds as usize + 1;
}

/// Facts of a block that are true or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u16);

impl Flags {
    pub const ARCHIVED: u16 = 1;
    pub const TEMPLATE: u16 = 2;
    /// Its items are numbered.
    pub const ORDERED: u16 = 4;
    /// The cards in it are done.
    pub const HOLDS_DONE: u16 = 8;
    /// It says whether it is done.
    pub const KNOWS_DONE: u16 = 16;
    pub const DONE: u16 = 32;

    pub fn has(self, flag: u16) -> bool {
        self.0 & flag != 0
    }
}

/// What a block names, not yet looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link<'a> {
    pub kind: LinkKind,
    /// An id; of a mention a title.
    pub target: &'a str,
    /// Empty if there is none.
    pub label: &'a str,
}

/// One line of activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityLine<'a> {
    pub block_id: &'a str,
    /// As it is written in items.
    pub action: &'a str,
    pub seconds: i64,
}

/// What people do to blocks.
pub const ACTIONS: [&str; 4] = ["edit", "view", "create", "comment"];

/// Why bytes are not the blocks of an index. Reads on after "because".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BlocksFault {
    #[error(transparent)]
    Form(#[from] FlatFault),
    #[error("its sections do not fit each other")]
    Sections,
    #[error("its texts are not text, or their borders do not follow each other")]
    Texts,
    #[error("it names a block, a type or an action that it does not have")]
    Number,
    #[error("an audience of it is none")]
    Audience,
}

type Wide<'a> = Strings<'a, 8>;

/// The blocks of an index by number, and behind them the labelled forms of rows. A number that is none panics, as an
/// index does.
#[derive(Clone)]
pub struct Blocks<'a> {
    count: usize,
    audiences: Vec<Audience>,
    classes: &'a [[u8; 4]],
    types: &'a [u8],
    flags: &'a [[u8; 2]],
    files: &'a [[u8; 4]],
    chunks: &'a [[u8; 4]],
    tokens: &'a [[u8; 4]],
    created: &'a [[u8; 8]],
    modified: &'a [[u8; 8]],
    due: &'a [[u8; 8]],
    orders: &'a [[u8; 8]],
    ids: Wide<'a>,
    titles: Wide<'a>,
    texts: Wide<'a>,
    languages: Wide<'a>,
    priorities: Wide<'a>,
    authors: Wide<'a>,
    assignees: Wide<'a>,
    tags: Wide<'a>,
    aliases: Wide<'a>,
    parents: Lists<'a>,
    places: &'a [[u8; 4]],
    labels: Lists<'a>,
    label_blocks: &'a [[u8; 4]],
    label_databases: &'a [[u8; 4]],
    link_offsets: &'a [[u8; 4]],
    link_kinds: &'a [u8],
    link_targets: Wide<'a>,
    link_labels: Wide<'a>,
    keys: Keyed<'a>,
    names: Keyed<'a>,
    other_names: Keyed<'a>,
    backlinks: Keyed<'a>,
    users: Wide<'a>,
    user_starts: &'a [[u8; 4]],
    activity_ids: Wide<'a>,
    actions: &'a [u8],
    seconds: &'a [[u8; 8]],
}

/// A list of numbers for each row.
#[derive(Clone, Copy)]
struct Lists<'a> {
    offsets: &'a [[u8; 4]],
    numbers: &'a [[u8; 4]],
}

/// Sorted texts, and a number for each.
#[derive(Clone, Copy)]
struct Keyed<'a> {
    texts: Wide<'a>,
    numbers: &'a [[u8; 4]],
}

const NONE: u32 = u32::MAX;
/// No date.
const NEVER: i64 = i64::MIN;

impl<'a> Blocks<'a> {
    /// Looks at every byte once, and holds on to nothing but the bytes.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, BlocksFault> {
        let sections = FORM.parse(bytes)?;
        let section = |section: Section| sections[section as usize];
        let wide = |offsets, texts| Wide::parse(section(offsets), section(texts)).ok_or(BlocksFault::Texts);
        let all = section(Section::Types).len();
        let audiences = wide(Section::AudienceOffsets, Section::Audiences)?;
        let narrow = |at| rows(section(at), section(at).len() / 4).ok_or(BlocksFault::Sections);
        let times = |at| rows(section(at), all).ok_or(BlocksFault::Sections);
        let lists = |offsets, numbers| Lists::parse(section(offsets), section(numbers), all);
        let keyed = |offsets, texts, numbers| Keyed::parse(wide(offsets, texts)?, section(numbers));
        let [count] = rows::<4>(section(Section::Count), 1).ok_or(BlocksFault::Sections)? else {
            return Err(BlocksFault::Sections);
        };
        let blocks = Blocks {
            count: number(count),
            audiences: audiences.iter().map(audience).collect::<Result<_, _>>()?,
            classes: narrow(Section::Classes)?,
            types: section(Section::Types),
            flags: rows(section(Section::Flags), all).ok_or(BlocksFault::Sections)?,
            files: narrow(Section::Files)?,
            chunks: narrow(Section::Chunks)?,
            tokens: narrow(Section::Tokens)?,
            created: times(Section::Created)?,
            modified: times(Section::Modified)?,
            due: times(Section::Due)?,
            orders: times(Section::Orders)?,
            ids: wide(Section::IdOffsets, Section::Ids)?,
            titles: wide(Section::TitleOffsets, Section::Titles)?,
            texts: wide(Section::TextOffsets, Section::Texts)?,
            languages: wide(Section::LanguageOffsets, Section::Languages)?,
            priorities: wide(Section::PriorityOffsets, Section::Priorities)?,
            authors: wide(Section::AuthorOffsets, Section::Authors)?,
            assignees: wide(Section::AssigneeOffsets, Section::Assignees)?,
            tags: wide(Section::TagOffsets, Section::Tags)?,
            aliases: wide(Section::AliasOffsets, Section::Aliases)?,
            parents: lists(Section::ParentOffsets, Section::Parents)?,
            places: narrow(Section::Places)?,
            labels: lists(Section::LabelOffsets, Section::Labels)?,
            label_blocks: narrow(Section::LabelBlocks)?,
            label_databases: narrow(Section::LabelDatabases)?,
            link_offsets: rows(section(Section::LinkOffsets), all + 1).ok_or(BlocksFault::Sections)?,
            link_kinds: section(Section::LinkKinds),
            link_targets: wide(Section::LinkTargetOffsets, Section::LinkTargets)?,
            link_labels: wide(Section::LinkLabelOffsets, Section::LinkLabels)?,
            keys: keyed(Section::KeyOffsets, Section::Keys, Section::KeyBlocks)?,
            names: keyed(Section::NameOffsets, Section::Names, Section::NameBlocks)?,
            other_names: keyed(Section::OtherNameOffsets, Section::OtherNames, Section::OtherNameBlocks)?,
            backlinks: keyed(Section::BacklinkOffsets, Section::Backlinks, Section::BacklinkRows)?,
            users: wide(Section::UserOffsets, Section::Users)?,
            user_starts: narrow(Section::UserStarts)?,
            activity_ids: wide(Section::ActivityIdOffsets, Section::ActivityIds)?,
            actions: section(Section::Actions),
            seconds: rows(section(Section::Seconds), section(Section::Actions).len()).ok_or(BlocksFault::Sections)?,
        };
        blocks.check(all)?;
        Ok(blocks)
    }

    fn check(&self, all: usize) -> Result<(), BlocksFault> {
        let texts = [
            &self.ids,
            &self.titles,
            &self.texts,
            &self.languages,
            &self.priorities,
            &self.authors,
            &self.assignees,
            &self.tags,
            &self.aliases,
        ];
        let links = self.link_kinds.len();
        let has_rows = self.count <= all
            && texts.iter().all(|texts| texts.count() == all)
            && [self.classes.len(), self.files.len(), self.chunks.len(), self.tokens.len()] == [all; 4]
            && self.places.len() == self.parents.numbers.len()
            && self.label_databases.len() == self.labels.numbers.len()
            && self.label_blocks.len() == all - self.count
            && is_rising(self.link_offsets)
            && self.link_offsets.last().map(number) == Some(links)
            && [self.link_targets.count(), self.link_labels.count()] == [links; 2]
            && self.user_starts.len() == self.users.count() + 1
            && is_rising(self.user_starts)
            && self.user_starts.last().map(number) == Some(self.actions.len())
            && self.activity_ids.count() == self.actions.len();
        let below = |numbers: &[[u8; 4]], limit: usize| numbers.iter().all(|one| number(one) < limit);
        let has_numbers = below(self.classes, self.audiences.len())
            && below(self.parents.numbers, self.count)
            && below(self.labels.numbers, all)
            && below(self.label_databases, self.count)
            && below(self.label_blocks, self.count)
            && [self.keys, self.other_names].iter().all(|keyed| below(keyed.numbers, self.count))
            && [self.names, self.backlinks].iter().all(|keyed| below(keyed.numbers, all))
            && self.types.iter().all(|one| usize::from(*one) < BlockType::ALL.len())
            && self.link_kinds.iter().all(|one| usize::from(*one) < LinkKind::ALL.len())
            && self.actions.iter().all(|one| usize::from(*one) < ACTIONS.len());
        match (has_rows, has_numbers) {
            (true, true) => Ok(()),
            (false, _) => Err(BlocksFault::Sections),
            (true, false) => Err(BlocksFault::Number),
        }
    }

    /// How many blocks there are, without the labelled forms of rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The blocks and the labelled forms of rows.
    pub fn row_count(&self) -> usize {
        self.types.len()
    }

    /// The block of a row: itself, or that of a labelled form.
    pub fn block_of(&self, row: BlockNo) -> BlockNo {
        let label = row.index().checked_sub(self.count);
        label.map_or(row, |label| BlockNo(u32::from_le_bytes(self.label_blocks[label])))
    }

    pub fn audiences(&self) -> &[Audience] {
        &self.audiences
    }

    /// The place of a row's audience among [`Blocks::audiences`].
    pub fn class(&self, row: BlockNo) -> usize {
        number(&self.classes[row.index()])
    }

    pub fn block_type(&self, row: BlockNo) -> BlockType {
        BlockType::ALL[usize::from(self.types[row.index()])]
    }

    pub fn flags(&self, row: BlockNo) -> Flags {
        Flags(u16::from_le_bytes(self.flags[row.index()]))
    }

    /// Rows of one file have one number; it says nothing else.
    pub fn file(&self, row: BlockNo) -> u32 {
        u32::from_le_bytes(self.files[row.index()])
    }

    /// The chunk with its text.
    pub fn chunk(&self, row: BlockNo) -> Option<ChunkNo> {
        Some(u32::from_le_bytes(self.chunks[row.index()])).filter(|chunk| *chunk != NONE).map(ChunkNo)
    }

    /// How many tokens its text has.
    pub fn tokens(&self, row: BlockNo) -> u32 {
        u32::from_le_bytes(self.tokens[row.index()])
    }

    pub fn created(&self, row: BlockNo) -> Option<Moment> {
        Moment::read(&self.created[row.index()])
    }

    pub fn modified(&self, row: BlockNo) -> Option<Moment> {
        Moment::read(&self.modified[row.index()])
    }

    pub fn due(&self, row: BlockNo) -> Option<Moment> {
        Moment::read(&self.due[row.index()])
    }

    /// Its place among its siblings, where its format gives a number.
    pub fn order(&self, row: BlockNo) -> Option<f64> {
        Some(f64::from_le_bytes(self.orders[row.index()])).filter(|order| !order.is_nan())
    }

    pub fn id(&self, row: BlockNo) -> &'a str {
        self.ids.get(row.index())
    }

    pub fn title(&self, row: BlockNo) -> Option<&'a str> {
        filled(self.titles.get(row.index()))
    }

    pub fn text(&self, row: BlockNo) -> &'a str {
        self.texts.get(row.index())
    }

    pub fn language(&self, row: BlockNo) -> Option<&'a str> {
        filled(self.languages.get(row.index()))
    }

    pub fn priority(&self, row: BlockNo) -> Option<&'a str> {
        filled(self.priorities.get(row.index()))
    }

    pub fn author(&self, row: BlockNo) -> Option<&'a str> {
        filled(self.authors.get(row.index()))
    }

    pub fn assignees(&self, row: BlockNo) -> impl Iterator<Item = &'a str> + use<'a> {
        list(self.assignees.get(row.index()))
    }

    pub fn tags(&self, row: BlockNo) -> impl Iterator<Item = &'a str> + use<'a> {
        list(self.tags.get(row.index()))
    }

    pub fn aliases(&self, row: BlockNo) -> impl Iterator<Item = &'a str> + use<'a> {
        list(self.aliases.get(row.index()))
    }

    /// The blocks that may be its parent, the likeliest first, and its place among the children of each; those that a
    /// parent does not list have none.
    pub fn parents(&self, row: BlockNo) -> impl Iterator<Item = (BlockNo, Option<u32>)> + use<'a> {
        let places = self.places;
        self.parents.range(row).zip(self.parents.get(row)).map(move |(at, parent)| {
            let place = u32::from_le_bytes(places[at]);
            (parent, Some(place).filter(|place| *place != NONE))
        })
    }

    /// The labelled forms of a row, each with its database.
    pub fn labels(&self, row: BlockNo) -> impl Iterator<Item = (BlockNo, BlockNo)> + use<'a> {
        let databases = self.label_databases;
        self.labels
            .range(row)
            .zip(self.labels.get(row))
            .map(move |(at, label)| (label, BlockNo(u32::from_le_bytes(databases[at]))))
    }

    pub fn links(&self, row: BlockNo) -> impl Iterator<Item = Link<'a>> + use<'a> {
        let (kinds, targets, labels) = (self.link_kinds, self.link_targets, self.link_labels);
        let range = number(&self.link_offsets[row.index()])..number(&self.link_offsets[row.index() + 1]);
        range.map(move |at| Link {
            kind: LinkKind::ALL[usize::from(kinds[at])],
            target: targets.get(at),
            label: labels.get(at),
        })
    }

    /// The blocks with an id, in record order.
    pub fn with_id(&self, id: &str) -> impl Iterator<Item = BlockNo> + use<'a> {
        self.keys.get(id)
    }

    /// The rows with a title, folded, in record order: labelled forms have titles of their own.
    pub fn titled(&self, folded: &str) -> impl Iterator<Item = BlockNo> + use<'a> {
        self.names.get(folded)
    }

    /// The blocks with an alias, folded, in record order.
    pub fn also_titled(&self, folded: &str) -> impl Iterator<Item = BlockNo> + use<'a> {
        self.other_names.get(folded)
    }

    /// The rows with a link of a kind to an id, or to a folded title. Links by id of both kinds are one.
    pub fn linking_to(&self, kind: LinkKind, target: &str) -> impl Iterator<Item = BlockNo> + use<'a> {
        self.backlinks.get(&target_key(kind, target))
    }

    /// The activity of a user, in record order.
    pub fn activity_of(&self, user: &str) -> impl Iterator<Item = ActivityLine<'a>> + use<'a> {
        let (ids, actions, seconds) = (self.activity_ids, self.actions, self.seconds);
        let at = self.users.find(user);
        let range = at.map_or(0..0, |at| number(&self.user_starts[at])..number(&self.user_starts[at + 1]));
        range.map(move |at| ActivityLine {
            block_id: ids.get(at),
            action: ACTIONS[usize::from(actions[at])],
            seconds: i64::from_le_bytes(seconds[at]),
        })
    }
}

/// A date, as the accelerator keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    pub seconds: i64,
    /// Whether it is a whole day.
    pub is_day: bool,
}

impl Moment {
    fn of(date: Option<&Date>) -> i64 {
        date.map_or(NEVER, |date| date.to_seconds() * 2 + i64::from(date.as_str().len() == 10))
    }

    fn read(bytes: &[u8; 8]) -> Option<Moment> {
        let number = i64::from_le_bytes(*bytes);
        (number != NEVER).then_some(Moment { seconds: number >> 1, is_day: number & 1 == 1 })
    }

    pub fn to_date(self) -> Option<Date> {
        let form = if self.is_day { "%Y-%m-%d" } else { "%Y-%m-%dT%H:%M:%SZ" };
        let time = jiff::Timestamp::from_second(self.seconds).ok()?;
        Date::try_from(time.strftime(form).to_string()).ok()
    }
}

impl<'a> Lists<'a> {
    fn parse(offsets: &'a [u8], numbers: &'a [u8], count: usize) -> Result<Self, BlocksFault> {
        let offsets = rows(offsets, count + 1).ok_or(BlocksFault::Sections)?;
        let numbers = rows(numbers, numbers.len() / 4).ok_or(BlocksFault::Sections)?;
        let fits = is_rising(offsets) && offsets.last().map(number) == Some(numbers.len());
        if fits { Ok(Lists { offsets, numbers }) } else { Err(BlocksFault::Sections) }
    }

    fn range(&self, row: BlockNo) -> std::ops::Range<usize> {
        number(&self.offsets[row.index()])..number(&self.offsets[row.index() + 1])
    }

    fn get(&self, row: BlockNo) -> impl Iterator<Item = BlockNo> + use<'a> {
        self.numbers[self.range(row)].iter().map(|one| BlockNo(u32::from_le_bytes(*one)))
    }
}

impl<'a> Keyed<'a> {
    fn parse(texts: Wide<'a>, numbers: &'a [u8]) -> Result<Self, BlocksFault> {
        let numbers = rows(numbers, texts.count()).ok_or(BlocksFault::Sections)?;
        Ok(Keyed { texts, numbers })
    }

    /// The numbers of all texts that are this one, in order.
    fn get(&self, text: &str) -> impl Iterator<Item = BlockNo> + use<'a> {
        let keyed = *self;
        let wanted = text.to_string();
        let first = crate::flat::first_not_before(keyed.texts.count(), text, |at| keyed.texts.get(at));
        (first..keyed.texts.count())
            .take_while(move |at| keyed.texts.get(*at) == wanted)
            .map(move |at| BlockNo(u32::from_le_bytes(keyed.numbers[at])))
    }
}

fn audience(text: &str) -> Result<Audience, BlocksFault> {
    if text == "[]" { Ok(Audience::default()) } else { serde_json::from_str(text).map_err(|_| BlocksFault::Audience) }
}

fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').filter(|one| !one.is_empty())
}

/// What links are sorted by: ids and titles are apart.
fn target_key(kind: LinkKind, target: &str) -> String {
    if kind == LinkKind::Mention { format!("title {}", crate::text::fold(target)) } else { format!("id {target}") }
}
