//! Candidates into sections, in order, until a budget is spent.
//!
//! The items that are shown under some token budget are the first of those shown under a larger one: the
//! order of candidates does not depend on it, none is passed over for being too long, and the first that
//! does not fit whole is shortened and the last.

use std::collections::BTreeMap;

use super::budget::most;
use super::candidate::{Candidate, Ranked};
use super::excerpt::Text;
use super::expand::Walked;
use super::ledger::{Cost, Ledger};
use super::{PackIndex, Shelf, intent};
use crate::graph::adjacency::Adjacency;
use crate::record::pack::{
    CapReport, DropReason, EmptyReason, Excerpt, Item, ItemKind, Rendered, Rule, Section, SectionType, Why,
};
use crate::record::request::{PackRequest, Strictness};
use crate::record::{Chunk, ChunkUid, Score};
use crate::search::FileFlags;

pub struct Allocated {
    pub sections: Vec<Section>,
    pub dropped: BTreeMap<DropReason, u32>,
    pub evidence_gaps: Vec<ChunkUid>,
    pub caps: Vec<CapReport>,
    pub tokens: Rendered,
    pub chars: Rendered,
}

pub fn allocate<S: Shelf>(index: &PackIndex<S>, request: &PackRequest, ranked: &Ranked) -> Result<Allocated, S::Fault> {
    let mut allocation = Allocation::new(index, request);
    for candidate in &ranked.candidates {
        allocation.take(candidate)?;
    }
    Ok(allocation.finish(ranked))
}

/// What became of one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// The section that claimed it.
    pub section: SectionType,
    /// Why it is not shown.
    pub dropped: Option<DropReason>,
    /// The cap that it is not shown for, if it is one, and its limit.
    pub cap: Option<(&'static str, u32)>,
    /// The tokens that the pack needs to have room for at least its title.
    pub needed_tokens: u32,
    /// Of the last item that is shown before it.
    pub last_score: Option<Score>,
}

/// Allocates up to one candidate and says what becomes of it.
pub fn fate<S: Shelf>(
    index: &PackIndex<S>,
    request: &PackRequest,
    ranked: &Ranked,
    place: usize,
) -> Result<Fate, S::Fault> {
    let mut allocation = Allocation::new(index, request);
    for candidate in &ranked.candidates[..place] {
        allocation.take(candidate)?;
    }
    allocation.fate(&ranked.candidates[place])
}

struct Allocation<'a, 'i, S> {
    index: &'a PackIndex<'i, S>,
    request: &'a PackRequest,
    sections: Vec<Section>,
    ledger: Ledger,
    items: u32,
    /// Why no more items are taken.
    full: Option<&'static str>,
    evidence_gaps: Vec<ChunkUid>,
    /// Why the candidate that was taken last is not shown.
    last_drop: Option<DropReason>,
}

impl<'a, 'i, S: Shelf> Allocation<'a, 'i, S> {
    fn new(index: &'a PackIndex<'i, S>, request: &'a PackRequest) -> Self {
        let sections = intent::sections(request.intent).into_iter().map(|section_type| Section {
            considered: 0,
            dropped: BTreeMap::new(),
            empty: None,
            items: Vec::new(),
            tokens: 0,
            section_type,
        });
        Allocation {
            index,
            request,
            sections: sections.collect(),
            ledger: Ledger::new(request),
            items: 0,
            full: None,
            evidence_gaps: Vec::new(),
            last_drop: None,
        }
    }

    /// The section for a candidate, and whether there is room in it.
    fn home(&self, candidate: &Candidate) -> (usize, bool) {
        let claims = self.claims(candidate);
        let limit = self.request.budgets.max_items_per_section as usize;
        let claimed = claims.iter().find(|at| self.sections[**at].items.len() < limit);
        (*claimed.or(claims.first()).expect("the last section claims everything"), claimed.is_some())
    }

    fn fate(mut self, candidate: &Candidate) -> Result<Fate, S::Fault> {
        let (home, _) = self.home(candidate);
        let section = self.sections[home].section_type;
        let shown = self.sections.iter().flat_map(|section| &section.items);
        let last_score = shown.max_by_key(|item| item.rank).map(|item| item.scores.hybrid_score);
        let chunk = self.index.shelf.chunk(&self.index.corpus.record(candidate.chunk))?;
        let title = Text::of(&chunk).head(0, self.request.budgets.max_bytes_per_item, "maxTotalTokens");
        let cost = self.ledger.cost_of(&self.item(candidate, &chunk, title), section);
        let needed_tokens = self.ledger.with(cost).tokens.largest();
        self.take(candidate)?;
        Ok(Fate { section, dropped: self.last_drop, cap: self.last_cap(), needed_tokens, last_score })
    }

    /// The cap for which the candidate that was taken last is not shown.
    fn last_cap(&self) -> Option<(&'static str, u32)> {
        match self.last_drop? {
            DropReason::Budget => limits(self.request).into_iter().find(|(cap, _)| self.full == Some(cap)),
            DropReason::SectionFull => Some(("maxItemsPerSection", self.request.budgets.max_items_per_section)),
            DropReason::Duplicate | DropReason::NoEvidence | DropReason::Unsupported => None,
        }
    }

    fn take(&mut self, candidate: &Candidate) -> Result<(), S::Fault> {
        let (home, has_room) = self.home(candidate);
        self.sections[home].considered += 1;
        let gap = candidate.seed.is_none() && candidate.reached.as_ref().is_some_and(|reached| reached.gap);
        let reason = match () {
            () if gap && self.request.strictness == Strictness::Strict => Some(DropReason::NoEvidence),
            () if !has_room => Some(DropReason::SectionFull),
            () if self.full.is_some() => Some(DropReason::Budget),
            () => self.place(candidate, home)?,
        };
        self.last_drop = reason;
        match reason {
            Some(reason) => *self.sections[home].dropped.entry(reason).or_default() += 1,
            None if gap && self.request.strictness == Strictness::Warn => {
                self.evidence_gaps.push(self.index.corpus.uid(candidate.chunk));
            }
            None => {}
        }
        Ok(())
    }

    /// Shows a candidate, shortened if need be; or says why not.
    fn place(&mut self, candidate: &Candidate, home: usize) -> Result<Option<DropReason>, S::Fault> {
        if self.items == self.request.budgets.max_items {
            self.full = Some("maxItems");
            return Ok(Some(DropReason::Budget));
        }
        let chunk = self.index.shelf.chunk(&self.index.corpus.record(candidate.chunk))?;
        let text = Text::of(&chunk);
        let section = self.sections[home].section_type;
        let mut item = self.item(candidate, &chunk, text.within(self.request.budgets.max_bytes_per_item));
        let mut cost = self.ledger.cost_of(&item, section);
        if let Some(cap) = self.ledger.exceeded(cost) {
            self.full = Some(cap);
            match self.shortened(&item, &text, section, cap) {
                None => return Ok(Some(DropReason::Budget)),
                Some(excerpt) => item.excerpt = excerpt,
            }
            cost = self.ledger.cost_of(&item, section);
        }
        self.show(item, cost, home);
        Ok(None)
    }

    fn show(&mut self, mut item: Item, cost: Cost, home: usize) {
        let section = &mut self.sections[home];
        let first = section.items.is_empty();
        let heading = if first { self.ledger.heading(section.section_type).tokens.markdown } else { 0 };
        self.items += 1;
        item.rank = self.items;
        item.tokens = cost.tokens.markdown - heading;
        section.tokens += cost.tokens.markdown;
        self.ledger.spend(cost, section.section_type);
        section.items.push(item);
    }

    /// As many of the first lines as still fit; None if not even the title does.
    fn shortened(&self, item: &Item, text: &Text, section: SectionType, cap: &str) -> Option<Excerpt> {
        let max_bytes = self.request.budgets.max_bytes_per_item;
        let with = |count: usize| text.head(count, max_bytes, cap);
        let fits = |count: usize| {
            let excerpt = with(count);
            let small = excerpt.text.len() <= max_bytes as usize;
            small && self.ledger.fits(self.ledger.cost_of(&Item { excerpt, ..item.clone() }, section))
        };
        most(text.line_count(), fits).map(with)
    }

    fn item(&self, candidate: &Candidate, chunk: &Chunk, excerpt: Excerpt) -> Item {
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
            why: why(candidate, self.index.graph.as_ref()),
        }
    }

    /// The sections that a candidate could stand in, by their places; the last one takes everything.
    fn claims(&self, candidate: &Candidate) -> Vec<usize> {
        let flags = self.index.corpus.file_flags(self.index.corpus.file_of(candidate.chunk));
        let claims = |section: &SectionType| claims(*section, candidate, flags);
        let places = self.sections.iter().enumerate();
        places.filter(|(_, section)| claims(&section.section_type)).map(|(at, _)| at).collect()
    }

    fn finish(mut self, ranked: &Ranked) -> Allocated {
        let types = self.request.edge_types();
        let nothing_found = ranked.candidates.is_empty();
        let has_graph = self.index.graph.is_some();
        for section in self.sections.iter_mut().filter(|section| section.items.is_empty()) {
            let walked = section.section_type.edge_type().is_none_or(|edge_type| types.contains(&edge_type));
            section.empty = Some(match () {
                () if section.considered > 0 => EmptyReason::NothingLeft,
                () if section.section_type == SectionType::Seeds => EmptyReason::NoMatch,
                () if !has_graph => EmptyReason::NotAvailable,
                () if !walked => EmptyReason::NotRequested,
                () if nothing_found => EmptyReason::NoMatch,
                () => EmptyReason::NoEdges,
            });
        }
        let mut dropped: BTreeMap<DropReason, u32> = BTreeMap::new();
        for (reason, count) in self.sections.iter().flat_map(|section| &section.dropped) {
            *dropped.entry(*reason).or_default() += count;
        }
        let seeds = self.sections.iter().find(|section| section.section_type == SectionType::Seeds);
        let why = seeds.and_then(|section| section.empty);
        let caps = caps(self.request, ranked, self.items, self.full, &dropped);
        let cost = self.ledger.finish(why);
        Allocated {
            sections: self.sections,
            dropped,
            evidence_gaps: self.evidence_gaps,
            caps,
            tokens: cost.tokens,
            chars: cost.chars,
        }
    }
}

fn caps(
    request: &PackRequest,
    ranked: &Ranked,
    items: u32,
    full: Option<&str>,
    dropped: &BTreeMap<DropReason, u32>,
) -> Vec<CapReport> {
    let mut caps = Vec::new();
    let mut report = |cap: &str, limit: u32, observed: u32, omitted: u32| {
        let (cap, scope) = (cap.to_string(), "pack".to_string());
        caps.push(CapReport { cap, limit, observed, omitted, scope });
    };
    let limit = request.expansion.max_candidates;
    if ranked.observed > limit {
        report("maxCandidates", limit, ranked.observed, ranked.observed - limit);
    }
    let left = dropped.get(&DropReason::Budget).copied().unwrap_or(0);
    if let Some((cap, limit)) = limits(request).into_iter().find(|(cap, _)| full == Some(cap)) {
        report(cap, limit, items + left, left);
    }
    let limit = request.budgets.max_items_per_section;
    if let Some(full) = dropped.get(&DropReason::SectionFull) {
        report("maxItemsPerSection", limit, limit + full, *full);
    }
    caps
}

/// The caps after which no more items are taken.
fn limits(request: &PackRequest) -> [(&'static str, u32); 3] {
    let budgets = &request.budgets;
    [
        ("maxItems", budgets.max_items),
        ("maxTotalTokens", budgets.max_total_tokens),
        ("maxTotalChars", budgets.max_total_chars),
    ]
}

fn claims(section: SectionType, candidate: &Candidate, flags: FileFlags) -> bool {
    let (test, prose) = (flags.has(FileFlags::TEST), flags.has(FileFlags::PROSE));
    match section {
        SectionType::Seeds => candidate.seed.is_some(),
        SectionType::Tests => test,
        SectionType::Docs => prose,
        SectionType::Related => true,
        _ => !test && !prose && candidate.reached.as_ref().is_some_and(|reached| leads_to(section, &reached.path)),
    }
}

/// Whether a path is of one edge type, all of whose edges lead to the section.
fn leads_to(section: SectionType, path: &[Walked]) -> bool {
    let Some(first) = path.first() else { return false };
    path.iter().all(|walked| {
        walked.edge_type == first.edge_type && walked.edge_type.section(walked.direction) == Some(section)
    })
}

fn why(candidate: &Candidate, graph: Option<&Adjacency>) -> Why {
    let by_edge = candidate.reached.as_ref().and_then(|reached| reached.path.last()).map(|last| last.edge_type.rule());
    let same_file = candidate.same_file.then_some(Rule::SameFile);
    let mut rules = candidate.seed.into_iter().chain(by_edge).chain(same_file);
    let rule = rules.next().unwrap_or(Rule::SameFile);
    let path = candidate.reached.as_ref().map_or(&[][..], |reached| &reached.path);
    Why {
        also: rules.collect(),
        evidence: path.iter().map(Walked::evidence).collect(),
        path: graph.iter().flat_map(|graph| path.iter().map(|walked| walked.step(graph))).collect(),
        rule,
    }
}

/// What a chunk is, on one line.
fn title(chunk: &Chunk) -> String {
    let first = || chunk.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_string();
    let title = chunk.signature.clone().or_else(|| chunk.qualified_name.clone()).unwrap_or_else(first);
    match title.char_indices().nth(MAX_TITLE_CHARS) {
        None => title,
        Some((end, _)) => format!("{}…", &title[..end]),
    }
}

const MAX_TITLE_CHARS: usize = 100;
