//! How a pack shows chunks: the section and form of each chunk, and how it is printed.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::notices::Notices;
use super::render::{self, Format};
use super::{lead, nested, page, profile, reason, sections, together};
use crate::assemble::excerpt::Text;
use crate::assemble::expand::Walked;
use crate::assemble::score::{self, Candidate};
use crate::assemble::{
    Block, Cost, FilledGroup, Found, Frame, GroupNo, IndexView, Ledger, Placed, Profile, ReadError, RequestScope,
    Template,
};
use crate::graph::adjacency::Direction;
use crate::record::pack::{DropReason, EmptyReason, Excerpt, Item, ItemKind, Rule, Section, SectionType, Why};
use crate::record::request::{Layout, PackRequest, Strictness};
use crate::record::{Chunk, EdgeType, FileNo};
use crate::search::FileFlags;
use crate::text::RepoPath;

/// The indexes of a pack's measures in its budget.
pub mod measure {
    pub const MARKDOWN_TOKENS: usize = 0;
    pub const XML_TOKENS: usize = 1;
    pub const MARKDOWN_CHARS: usize = 2;
    pub const XML_CHARS: usize = 3;
}

pub struct PackTemplate<'r> {
    request: &'r PackRequest,
    scope: &'r RequestScope,
    profile: &'static Profile,
    sections: Vec<SectionType>,
    notices: Notices,
}

/// An item and the chunk that it shows.
#[derive(Clone)]
pub struct ShownChunk {
    pub item: Item,
    /// Its only reason is a path that lacks required evidence.
    pub has_gap: bool,
    chunk: Arc<Chunk>,
}

impl ShownChunk {
    /// Whether two chunks are parts of one definition.
    fn is_part_with(&self, other: &ShownChunk) -> bool {
        let count = |shown: &ShownChunk| shown.chunk.part.map(|part| part.count);
        count(self).is_some()
            && count(self) == count(other)
            && self.chunk.file_rel_path == other.chunk.file_rel_path
            && self.chunk.qualified_name == other.chunk.qualified_name
    }
}

/// Items of one file are printed together if they were selected in the same round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageKey {
    round: u32,
    path: RepoPath,
}

/// The round in which an item is selected, from the tokens spent before it: a round ends at 500 tokens and whenever
/// the text has doubled. In one round, files stand together; between rounds, the better items come first, so the start
/// of a long pack is nearly the pack of a small budget.
fn round(spent: u32) -> u32 {
    (spent / FIRST_ROUND_TOKENS).checked_ilog2().map_or(1, |doubled| doubled + 2)
}

const FIRST_ROUND_TOKENS: u32 = 500;

impl<'r> PackTemplate<'r> {
    pub fn new(request: &'r PackRequest, scope: &'r RequestScope, notices: Notices) -> Self {
        let profile = profile(request.intent);
        PackTemplate { request, scope, profile, sections: sections(profile), notices }
    }

    pub fn request(&self) -> &'r PackRequest {
        self.request
    }

    pub fn scope(&self) -> &'r RequestScope {
        self.scope
    }

    pub fn notices(&self) -> &Notices {
        &self.notices
    }

    pub fn section(&self, group: GroupNo) -> SectionType {
        self.sections[group]
    }

    /// Whether a chunk may be shown at all. The ranking counts it in any case.
    fn may_show(&self, view: &IndexView, unit: &Candidate) -> bool {
        let is_hidden_focus = !self.request.expansion.include_focus && self.scope.is_in_focus(unit.chunk);
        !is_hidden_focus && !self.request.not_in.contains(&view.chunk_uid(unit.chunk))
    }

    /// The order of what is around a focus: the focus in brief, what uses it, what uses that, who only imports it, what
    /// it uses itself, and the rest of the focus.
    fn nearness(&self, unit: &Candidate) -> u32 {
        let path = unit.reached.as_ref().map_or(&[][..], |reached| &reached.path);
        let is_import = |walked: &Walked| matches!(walked.edge_type, EdgeType::Import | EdgeType::Export);
        match () {
            () if unit.seed.is_some() => 0,
            () if path.is_empty() || self.scope.is_in_focus(unit.chunk) => 5,
            () if path.iter().any(|walked| walked.direction == Direction::Out) => 4,
            () if path.iter().any(is_import) => 3,
            () if path.len() > 1 => 2,
            () => 1,
        }
    }
}

impl PackTemplate<'_> {
    /// Lets files and kinds of files take turns, the best first: who depends on a focus, its tests and its docs are all
    /// shown before the fifth caller is.
    fn take_turns(&self, view: &IndexView, units: &mut [Candidate]) {
        let by_score = |a: &Candidate, b: &Candidate| score::compare(view, &self.request.ordering, a, b);
        let mut seen: BTreeMap<(u32, FileNo), u32> = BTreeMap::new();
        units.sort_by(|a, b| by_score(a, b));
        for unit in units.iter_mut().filter(|unit| unit.seed.is_none()) {
            let file = view.corpus().file_of(unit.chunk);
            unit.turn = turn(&mut seen, (self.nearness(unit), file), PER_FILE);
        }
        let mut seen: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        units.sort_by(|a, b| a.turn.cmp(&b.turn).then_with(|| by_score(a, b)));
        for unit in units.iter_mut().filter(|unit| unit.seed.is_none()) {
            let flags = view.file_flags(unit.chunk);
            let per_turn = match () {
                () if flags.has(FileFlags::PROSE) => PROSE_PER_TURN,
                () if flags.has(FileFlags::TEST) => TESTS_PER_TURN,
                () => CODE_PER_TURN,
            };
            unit.turn = turn(&mut seen, (self.nearness(unit), per_turn), per_turn);
        }
    }
}

/// How many units of one file, and of one kind of file, come in one turn.
const PER_FILE: u32 = 2;
const CODE_PER_TURN: u32 = 4;
const TESTS_PER_TURN: u32 = 2;
const PROSE_PER_TURN: u32 = 1;

/// The turn of the next unit with this key.
fn turn<K: Ord>(seen: &mut BTreeMap<K, u32>, key: K, per_turn: u32) -> u32 {
    let count = seen.entry(key).or_default();
    *count += 1;
    (*count - 1) / per_turn
}

impl Template for PackTemplate<'_> {
    type Unit = Candidate;
    type Item = ShownChunk;
    type Page = PageKey;

    fn units(&self, view: &IndexView, found: &Found) -> Result<Vec<Candidate>, ReadError> {
        let same_file = self.request.expansion.include_same_file_neighbors;
        let mut units = lead::order(view, found, self.profile, score::candidates(view, found, same_file))?;
        units.retain(|unit| self.may_show(view, unit) && (!self.notices.is_weak || unit.seed.is_some()));
        if self.request.is_about_neighbours() {
            self.take_turns(view, &mut units);
        }
        Ok(units)
    }

    fn compare(&self, view: &IndexView, a: &Candidate, b: &Candidate) -> Ordering {
        let by_score = || score::compare(view, &self.request.ordering, a, b);
        match self.request.is_about_neighbours() {
            true => self.nearness(a).cmp(&self.nearness(b)).then(a.turn.cmp(&b.turn)).then_with(by_score),
            false => by_score(),
        }
    }

    fn arrange(&self, view: &IndexView, units: Vec<Candidate>) -> Result<Vec<Candidate>, ReadError> {
        let mut units = together::arrange(view, units)?;
        units.retain(|unit| self.may_show(view, unit));
        nested::join(view, units)
    }

    fn groups(&self, view: &IndexView, candidate: &Candidate) -> Vec<GroupNo> {
        let flags = view.file_flags(candidate.chunk);
        let sections = self.sections.iter().enumerate();
        sections.filter(|(_, section)| accepts(**section, candidate, flags)).map(|(group, _)| group).collect()
    }

    fn refusal(&self, candidate: &Candidate) -> Option<DropReason> {
        let is_strict = self.request.strictness == Strictness::Strict;
        match () {
            () if is_strict && candidate.has_gap() => Some(DropReason::NoEvidence),
            () if candidate.is_below_floor => Some(DropReason::BelowFloor),
            () => None,
        }
    }

    fn whole(&self, view: &IndexView, candidate: &Candidate) -> Result<ShownChunk, ReadError> {
        let nested = candidate.nested.iter().map(|chunk| view.chunk(*chunk)).collect::<Result<Vec<_>, _>>()?;
        let chunk = match (view.chunk(candidate.chunk)?, nested.is_empty()) {
            (chunk, true) => chunk,
            (chunk, false) => {
                let all: Vec<&Chunk> = std::iter::once(&chunk).chain(&nested).map(Arc::as_ref).collect();
                Arc::new(nested::merged(&all))
            }
        };
        let excerpt = Text::new(&chunk).within(self.request.budgets.max_bytes_per_item);
        let handle = view.corpus().handles().of(chunk.chunk_uid);
        let nested = nested.iter().map(|chunk| chunk.chunk_uid).collect();
        let item = Item { handle: Some(handle), nested, ..item(view, candidate, &chunk, excerpt) };
        Ok(ShownChunk { item, has_gap: candidate.has_gap(), chunk })
    }

    fn line_count(&self, shown: &ShownChunk) -> usize {
        Text::new(&shown.chunk).line_count()
    }

    fn head(&self, shown: &ShownChunk, lines: usize, cap: &str) -> Option<ShownChunk> {
        let max_bytes = self.request.budgets.max_bytes_per_item;
        let excerpt = Text::new(&shown.chunk).head(lines, max_bytes, cap);
        let is_small = excerpt.text.len() <= max_bytes as usize;
        is_small.then(|| ShownChunk { item: Item { excerpt, ..shown.item.clone() }, ..shown.clone() })
    }

    fn print<'t>(&self, shown: &'t ShownChunk) -> Block<'t> {
        let text = Cow::Borrowed(shown.item.excerpt.text.as_str());
        Block { text, frames: Format::ALL.map(|_| Frame::default()).into() }
    }

    /// A part of a function is on the page of the part before it.
    fn page(&self, shown: &ShownChunk, spent: Cost, last: Option<&Placed<Self>>) -> PageKey {
        let round = match (self.request.layout, last) {
            (Layout::Ranked, last) => last.map_or(1, |last| last.rank + 1),
            (Layout::Files, Some(last)) if shown.is_part_with(&last.item) => last.page.round,
            (Layout::Files, _) => round(spent.by(measure::MARKDOWN_TOKENS)),
        };
        PageKey { round, path: shown.item.file_rel_path.clone() }
    }

    fn print_page(&self, shown: &[&ShownChunk]) -> Vec<Block<'static>> {
        let items: Vec<&Item> = shown.iter().map(|shown| &shown.item).collect();
        page::print(&items, self.request.tokenizer)
    }

    /// Sections have no heading of their own: the text is in the order of files.
    fn heading(&self, _: &Candidate, _: GroupNo) -> Block<'static> {
        Block::of_frames(Format::ALL.map(|_| String::new()))
    }

    fn frame(&self) -> Block<'static> {
        Block::of_frames(
            Format::ALL
                .map(|format| render::open(&self.request.repo_id, &self.notices.lines, format) + render::close(format)),
        )
    }
}

/// Turns a filled group into a section of the pack.
pub fn section(
    section_type: SectionType,
    group: FilledGroup<PackTemplate>,
    why_empty: impl FnOnce(u32) -> EmptyReason,
) -> Section {
    let empty = group.items.is_empty().then(|| why_empty(group.considered));
    let items = group.items.into_iter().map(|placed| Item {
        rank: placed.rank,
        round: placed.page.round,
        tokens: placed.cost.by(measure::MARKDOWN_TOKENS),
        ..placed.item.item
    });
    Section {
        considered: group.considered,
        dropped: group.dropped,
        empty,
        items: items.collect(),
        tokens: group.cost.by(measure::MARKDOWN_TOKENS),
        section_type,
    }
}

/// The cost of the whole pack. A pack without items gives the reason if that fits; otherwise it is empty.
pub fn total_cost(ledger: &Ledger, why: Option<EmptyReason>) -> Cost {
    if !ledger.is_empty() {
        return ledger.spent();
    }
    let notice = ledger.cost(&Block::of_frames(Format::ALL.map(|format| render::nothing(why, format))));
    let total = ledger.spent().and(notice);
    if ledger.exceeded(total).is_none() { total } else { Cost::default() }
}

fn item(view: &IndexView, candidate: &Candidate, chunk: &Chunk, excerpt: Excerpt) -> Item {
    Item {
        byte_range: chunk.byte_range,
        chunk_uid: chunk.chunk_uid,
        excerpt,
        file_rel_path: chunk.file_rel_path.clone(),
        handle: None,
        kind: if chunk.symbol_id.is_some() { ItemKind::Symbol } else { ItemKind::Chunk },
        language_id: chunk.language_id.clone(),
        lines: chunk.lines,
        nested: Vec::new(),
        part: chunk.part,
        range: chunk.range,
        rank: 0,
        round: 0,
        scores: candidate.scores,
        symbol_id: chunk.symbol_id.clone(),
        title: title(chunk),
        tokens: 0,
        why: why(view, candidate, chunk),
    }
}

/// Whether a candidate may be in a section. The last section accepts everything.
fn accepts(section: SectionType, candidate: &Candidate, flags: FileFlags) -> bool {
    let (test, prose) = (flags.has(FileFlags::TEST), flags.has(FileFlags::PROSE));
    match section {
        SectionType::Seeds => candidate.is_seed(),
        SectionType::Tests => test,
        SectionType::Docs => prose,
        SectionType::Related => true,
        _ => !test && !prose && candidate.reached.as_ref().is_some_and(|reached| leads_to(section, &reached.path)),
    }
}

/// Whether all edges of a path have the same type and belong to the section.
fn leads_to(section: SectionType, path: &[Walked]) -> bool {
    let Some(first) = path.first() else { return false };
    path.iter().all(|walked| {
        walked.edge_type == first.edge_type && walked.edge_type.section(walked.direction) == Some(section)
    })
}

fn why(view: &IndexView, candidate: &Candidate, chunk: &Chunk) -> Why {
    let graph = view.graph();
    let by_edge = candidate.reached.as_ref().and_then(|reached| reached.path.last()).map(|last| last.edge_type.rule());
    let same_file = candidate.same_file.map(|_| Rule::SameFile);
    let mut rules: Vec<Rule> = candidate.seed.into_iter().chain(by_edge).chain(same_file).collect();
    if candidate.is_by_edge() && candidate.seed == Some(Rule::QueryMatch) {
        rules.swap(0, 1);
    }
    let mut rules = rules.into_iter();
    let rule = rules.next().unwrap_or(Rule::SameFile);
    let path = candidate.reached.as_ref().map_or(&[][..], |reached| &reached.path);
    Why {
        also: rules.collect(),
        evidence: path.iter().map(Walked::evidence).collect(),
        path: graph.iter().flat_map(|graph| path.iter().map(|walked| walked.step(graph))).collect(),
        reason: reason::reason(view, candidate, chunk),
        rule,
    }
}

/// A one-line description of a chunk.
fn title(chunk: &Chunk) -> String {
    let first = || chunk.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_string();
    let title = chunk.signature.clone().or_else(|| chunk.qualified_name.clone()).unwrap_or_else(first);
    match title.char_indices().nth(MAX_TITLE_CHARS) {
        None => title,
        Some((end, _)) => format!("{}…", &title[..end]),
    }
}

const MAX_TITLE_CHARS: usize = 100;
