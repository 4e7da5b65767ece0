//! How a pack shows chunks: the section and form of each chunk, and how it is printed.

use std::cmp::Ordering;
use std::sync::Arc;

use super::render::{self, Format};
use super::{lead, profile, reason, sections};
use crate::assemble::excerpt::Text;
use crate::assemble::expand::Walked;
use crate::assemble::score::{self, Candidate};
use crate::assemble::{Block, Cost, FilledGroup, Found, GroupNo, IndexView, Ledger, Profile, ReadError, Template};
use crate::record::Chunk;
use crate::record::pack::{DropReason, EmptyReason, Excerpt, Item, ItemKind, Rule, Section, SectionType, Why};
use crate::record::request::{PackRequest, Strictness};
use crate::search::FileFlags;

/// The indexes of a pack's measures in its budget.
pub mod measure {
    pub const MARKDOWN_TOKENS: usize = 0;
    pub const XML_TOKENS: usize = 1;
    pub const MARKDOWN_CHARS: usize = 2;
    pub const XML_CHARS: usize = 3;
}

pub struct PackTemplate<'r> {
    request: &'r PackRequest,
    profile: &'static Profile,
    sections: Vec<SectionType>,
}

/// An item and the chunk that it shows.
#[derive(Clone)]
pub struct ShownChunk {
    pub item: Item,
    /// Its only reason is a path that lacks required evidence.
    pub has_gap: bool,
    chunk: Arc<Chunk>,
}

impl<'r> PackTemplate<'r> {
    pub fn new(request: &'r PackRequest) -> Self {
        let profile = profile(request.intent);
        PackTemplate { request, profile, sections: sections(profile) }
    }

    pub fn section(&self, group: GroupNo) -> SectionType {
        self.sections[group]
    }
}

impl Template for PackTemplate<'_> {
    type Unit = Candidate;
    type Item = ShownChunk;

    fn units(&self, view: &IndexView, found: &Found) -> Result<Vec<Candidate>, ReadError> {
        let same_file = self.request.expansion.include_same_file_neighbors;
        Ok(lead::order(view, found, self.profile, score::candidates(view, found, same_file)))
    }

    fn compare(&self, view: &IndexView, a: &Candidate, b: &Candidate) -> Ordering {
        score::compare(view, &self.request.ordering, a, b)
    }

    fn groups(&self, view: &IndexView, candidate: &Candidate) -> Vec<GroupNo> {
        let flags = view.file_flags(candidate.chunk);
        let sections = self.sections.iter().enumerate();
        sections.filter(|(_, section)| accepts(**section, candidate, flags)).map(|(group, _)| group).collect()
    }

    fn refusal(&self, candidate: &Candidate) -> Option<DropReason> {
        let is_strict = self.request.strictness == Strictness::Strict;
        (is_strict && candidate.has_gap()).then_some(DropReason::NoEvidence)
    }

    fn whole(&self, view: &IndexView, candidate: &Candidate) -> Result<ShownChunk, ReadError> {
        let chunk = view.chunk(candidate.chunk)?;
        let excerpt = Text::new(&chunk).within(self.request.budgets.max_bytes_per_item);
        let item = item(view, candidate, &chunk, excerpt);
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
        let frames = Format::ALL.map(|format| render::frame(&shown.item, format));
        Block { text: render::text(&shown.item), frames: frames.into() }
    }

    fn heading(&self, _: &Candidate, group: GroupNo) -> Block<'static> {
        let section = self.sections[group];
        Block::of_frames(
            Format::ALL.map(|format| render::section_open(section, format) + render::section_close(format)),
        )
    }

    fn frame(&self) -> Block<'static> {
        Block::of_frames(Format::ALL.map(|format| render::open(&self.request.repo_id, format) + render::close(format)))
    }
}

/// Turns a filled group into a section of the pack.
pub fn section(
    section_type: SectionType,
    group: FilledGroup<ShownChunk>,
    why_empty: impl FnOnce(u32) -> EmptyReason,
) -> Section {
    let empty = group.items.is_empty().then(|| why_empty(group.considered));
    let items = group.items.into_iter().map(|placed| Item {
        rank: placed.rank,
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
    if ledger.fits(notice) { ledger.spent().and(notice) } else { Cost::default() }
}

fn item(view: &IndexView, candidate: &Candidate, chunk: &Chunk, excerpt: Excerpt) -> Item {
    Item {
        byte_range: chunk.byte_range,
        chunk_uid: chunk.chunk_uid,
        excerpt,
        file_rel_path: chunk.file_rel_path.clone(),
        kind: if chunk.symbol_id.is_some() { ItemKind::Symbol } else { ItemKind::Chunk },
        language_id: chunk.language_id.clone(),
        lines: chunk.lines,
        range: chunk.range,
        rank: 0,
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
