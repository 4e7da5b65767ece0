//! Explains why something is not in a pack, by building the pack again up to that candidate.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::notices::Notices;
use super::template::{PackTemplate, measure};
use super::{job, limits, pack, search};
use crate::assemble::absence::{Fate, fate};
use crate::assemble::score::Candidate;
use crate::assemble::target::{Definition, Target, is_below, last_line, path_of, resolve};
use crate::assemble::{IndexView, ReadError, RequestScope, candidates};
use crate::record::pack::{ContextPack, DropReason, SectionType};
use crate::record::request::PackRequest;
use crate::record::{ChunkNo, ChunkUid, Cut, Kind, Lines, ProblemCode, Score};
use crate::text::RepoPath;

/// The answer for one definition, file or chunk.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyNot {
    /// How many chunks it has.
    pub chunks: u32,
    /// Its best chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<ChunkUid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<String>,
    /// The qualified name and the kind of a definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    pub verdict: Verdict,
    /// The answers for other things with that name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<WhyNot>,
    /// How many more things have that name.
    #[serde(skip_serializing_if = "is_zero")]
    pub also_omitted: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", tag = "step")]
pub enum Verdict {
    /// It is in the pack.
    Shown { section: SectionType, rank: u32 },
    /// Some of its lines are in the pack, or only an outline of what is around them.
    Partial { section: SectionType, rank: u32, shown: Vec<Lines>, of: Lines },
    /// The index has nothing of that name; the most similar names are listed.
    Unknown { near: Vec<String> },
    /// A folder, of which the first file is named.
    Folder { files: u32, first: String },
    /// A file of the tree of which the index holds no text.
    NoText {
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<ProblemCode>,
        why: String,
    },
    /// The request leaves it out.
    LeftOut { by: Exclusion },
    /// Neither did the query find it nor did the walk come to it.
    NotReached,
    /// It was found and left out.
    #[serde(rename_all = "camelCase")]
    Dropped {
        reason: DropReason,
        /// The limit that was reached, if it is that.
        #[serde(skip_serializing_if = "Option::is_none")]
        cap: Option<Cap>,
        section: SectionType,
        /// Its place among all candidates, from 1.
        rank: u32,
        score: Score,
        /// How far it is behind the last item that is shown.
        score_gap: Score,
        /// The smallest token budget under which it is shown; none if no budget would do.
        #[serde(skip_serializing_if = "Option::is_none")]
        enters_at_tokens: Option<u32>,
        /// What keeps it out however many tokens there are.
        #[serde(skip_serializing_if = "Option::is_none")]
        cap_beyond_tokens: Option<Cap>,
    },
}

/// The part of a request that leaves something out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Exclusion {
    Filter,
    /// It is in the focus, which is not shown.
    IncludeFocus,
    NotIn,
}

/// A limit of the request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cap {
    pub cap: String,
    pub limit: u32,
}

impl WhyNot {
    /// An answer for something without chunks.
    fn bare(path: Option<&str>, verdict: Verdict) -> Self {
        WhyNot {
            chunks: 0,
            chunk_uid: None,
            file_rel_path: path.map(str::to_string),
            name: None,
            kind: None,
            lines: None,
            verdict,
            also: Vec::new(),
            also_omitted: 0,
        }
    }

    /// The answer for a file that the index has no text of.
    pub fn no_text(path: &str, code: Option<ProblemCode>, why: String) -> Self {
        WhyNot::bare(Some(path), Verdict::NoText { code, why })
    }
}

/// A budget that no pack exceeds.
const ALL_TOKENS: u32 = 1_000_000;
/// How many things of one name are answered for.
const MAX_ANSWERS: usize = 10;

/// Answers for everything that has exactly the name that was typed.
pub fn why_not(view: &IndexView, request: &PackRequest, typed: &str) -> Result<WhyNot, ReadError> {
    let wanted: Vec<Wanted> = match resolve(view, typed)? {
        Target::Nothing { near } => return Ok(WhyNot::bare(None, Verdict::Unknown { near })),
        Target::Externals(_) => return Ok(WhyNot::bare(None, outside())),
        Target::Folder(folder) => return folder_answer(view, &folder),
        Target::NoLine { path, .. } => {
            return Ok(WhyNot::no_text(path.as_str(), None, "that line is blank or after its end".to_string()));
        }
        Target::Definitions(all) => all.iter().map(|definition| Wanted::of_definition(view, definition)).collect(),
        Target::Files(paths) => paths.iter().map(|path| Wanted::of_file(view, path)).collect(),
        Target::Line { chunk, .. } | Target::Chunk(chunk) => vec![Wanted::of_chunk(view, chunk)],
    };
    let scope = RequestScope::of(view, request)?;
    let made = Made::new(view, request, &scope)?;
    let mut answers = Vec::new();
    for wanted in wanted.iter().take(MAX_ANSWERS) {
        answers.push(made.answer(wanted)?);
    }
    let mut first = answers.remove(0);
    first.also = answers;
    first.also_omitted = wanted.len().saturating_sub(MAX_ANSWERS) as u32;
    Ok(first)
}

fn outside() -> Verdict {
    Verdict::NoText { code: None, why: "it is not in the tree: another library has it".to_string() }
}

fn folder_answer(view: &IndexView, folder: &str) -> Result<WhyNot, ReadError> {
    let paths = || view.corpus().paths().filter_map(|(file, _)| path_of(view, file));
    let below: Vec<RepoPath> = paths().filter(|path| is_below(path, folder)).collect();
    let first = below.iter().min().map(ToString::to_string).unwrap_or_default();
    Ok(WhyNot::bare(None, Verdict::Folder { files: below.len() as u32, first }))
}

/// Something of the tree, and where it is.
struct Wanted {
    path: String,
    lines: Lines,
    chunks: Vec<ChunkNo>,
    name: Option<(String, Kind)>,
}

impl Wanted {
    fn of_definition(view: &IndexView, Definition { symbol, .. }: &Definition) -> Self {
        let corpus = view.corpus();
        let path = symbol.file_rel_path.to_string();
        let own = corpus.chunk(symbol.chunk_uid);
        let of_file = corpus.file(&path).into_iter().flat_map(|file| corpus.chunks_of(file));
        let is_inside = |chunk: &ChunkNo| {
            let (start, end) = corpus.lines(*chunk);
            symbol.lines.start <= start && end <= symbol.lines.end
        };
        // A field is a line of a chunk that is about something else; the parts of a function are all about it.
        let chunks = match symbol.kind.cut() {
            Cut::Inline => own.into_iter().collect(),
            Cut::Whole | Cut::Members => of_file.filter(|chunk| Some(*chunk) == own || is_inside(chunk)).collect(),
        };
        let name = Some((symbol.qualified_name.clone(), symbol.kind));
        Wanted { path, lines: symbol.lines, chunks, name }
    }

    fn of_file(view: &IndexView, path: &RepoPath) -> Self {
        let corpus = view.corpus();
        let file = corpus.file(path.as_str());
        let chunks = file.into_iter().flat_map(|file| corpus.chunks_of(file)).collect();
        let lines = Lines { start: 1, end: file.map_or(0, |file| last_line(view, file)) };
        Wanted { path: path.to_string(), lines, chunks, name: None }
    }

    fn of_chunk(view: &IndexView, chunk: ChunkNo) -> Self {
        let (start, end) = view.corpus().lines(chunk);
        let path = view.corpus().path(view.corpus().file_of(chunk)).to_string();
        Wanted { path, lines: Lines { start, end }, chunks: vec![chunk], name: None }
    }
}

/// The pack as it was made, and everything that it was chosen from.
struct Made<'m> {
    view: &'m IndexView<'m>,
    pack: ContextPack,
    template: PackTemplate<'m>,
    units: Vec<Candidate>,
}

impl<'m> Made<'m> {
    fn new(view: &'m IndexView<'m>, request: &'m PackRequest, scope: &'m RequestScope) -> Result<Self, ReadError> {
        let found = search(view, request, scope)?;
        let template = PackTemplate::new(request, scope, Notices::of(&found.seeds));
        let units = candidates(view, &job(&template), &found)?.units;
        Ok(Made { view, pack: pack(view, request)?, template, units })
    }

    fn answer(&self, wanted: &Wanted) -> Result<WhyNot, ReadError> {
        let place =
            self.units.iter().position(|candidate| candidate.chunks().any(|chunk| wanted.chunks.contains(&chunk)));
        let verdict = match (self.shown(wanted)?, place) {
            (Some(verdict), _) => verdict,
            (None, None) => unseen(self.view, &self.template, &wanted.chunks),
            (None, Some(place)) => match verdict(self.view, &self.template, &self.units, place)? {
                // What is around it is shown without its lines.
                Verdict::Shown { section, rank } => {
                    Verdict::Partial { section, rank, shown: Vec::new(), of: wanted.lines }
                }
                verdict => verdict,
            },
        };
        let chunk = place.map(|place| self.units[place].chunk).or(wanted.chunks.first().copied());
        Ok(WhyNot {
            chunks: wanted.chunks.len() as u32,
            chunk_uid: chunk.map(|chunk| self.view.corpus().uid(chunk)),
            name: wanted.name.as_ref().map(|(name, _)| name.clone()),
            kind: wanted.name.as_ref().map(|(_, kind)| *kind),
            lines: Some(wanted.lines),
            ..WhyNot::bare(Some(&wanted.path), verdict)
        })
    }

    /// The verdict for something of which the pack shows lines.
    fn shown(&self, wanted: &Wanted) -> Result<Option<Verdict>, ReadError> {
        let Lines { start, end } = wanted.lines;
        let (mut lines, mut first) = (BTreeSet::new(), None);
        for section in &self.pack.sections {
            for item in section.items.iter().filter(|item| item.file_rel_path.as_str() == wanted.path) {
                let shown = item.excerpt.shown.iter().flat_map(|shown| shown.start.max(start)..=shown.end.min(end));
                let known = lines.len();
                lines.extend(shown);
                let is_first = first.is_none_or(|(_, rank)| item.rank < rank);
                first = if lines.len() > known && is_first { Some((section.section_type, item.rank)) } else { first };
            }
        }
        let Some((section, rank)) = first else { return Ok(None) };
        Ok(Some(match self.lacks_text(wanted, &lines)? {
            true => Verdict::Partial { section, rank, shown: ranges(&lines), of: wanted.lines },
            false => Verdict::Shown { section, rank },
        }))
    }

    /// Whether a line that is not blank is not shown.
    fn lacks_text(&self, wanted: &Wanted, shown: &BTreeSet<u32>) -> Result<bool, ReadError> {
        let Ok(path) = RepoPath::try_from(wanted.path.clone()) else { return Ok(false) };
        let Lines { start, end } = wanted.lines;
        let text = self.view.file_lines(&path, &[])?.text(wanted.lines);
        let mut lines = (start..=end).zip(text.lines());
        Ok(lines.any(|(number, line)| !line.trim().is_empty() && !shown.contains(&number)))
    }
}

/// Numbers that follow each other, as ranges.
fn ranges(numbers: &BTreeSet<u32>) -> Vec<Lines> {
    let mut ranges: Vec<Lines> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end + 1 == *number => last.end = *number,
            _ => ranges.push(Lines { start: *number, end: *number }),
        }
    }
    ranges
}

/// Why none of a target's chunks is a candidate.
fn unseen(view: &IndexView, template: &PackTemplate, chunks: &[ChunkNo]) -> Verdict {
    let (request, scope) = (template.request(), template.scope());
    match () {
        () if chunks.iter().all(|chunk| !scope.files.has(*chunk)) => Verdict::LeftOut { by: Exclusion::Filter },
        () if chunks.iter().any(|chunk| request.not_in.contains(&view.chunk_uid(*chunk))) => {
            Verdict::LeftOut { by: Exclusion::NotIn }
        }
        () if !request.expansion.include_focus && chunks.iter().any(|chunk| scope.is_in_focus(*chunk)) => {
            Verdict::LeftOut { by: Exclusion::IncludeFocus }
        }
        () => Verdict::NotReached,
    }
}

fn verdict(view: &IndexView, template: &PackTemplate, units: &[Candidate], place: usize) -> Result<Verdict, ReadError> {
    let request = template.request();
    let fate = fate(view, &job(template), units, place)?;
    let (section, rank) = (template.section(fate.group), place as u32 + 1);
    let Some(reason) = fate.dropped else { return Ok(Verdict::Shown { section, rank }) };
    let score = units[place].scores.hybrid_score;
    let last = fate.last_before.as_ref().map_or(score, |last| last.item.scores.hybrid_score);
    let unlimited = PackRequest { budgets: request.budgets.with_tokens(ALL_TOKENS), ..request.clone() };
    let fate_of_unlimited = with_all_tokens(view, template, &unlimited, units, place)?;
    Ok(Verdict::Dropped {
        reason,
        cap: cap(request, &fate),
        section,
        rank,
        score,
        score_gap: Score::millionths(last.in_millionths().saturating_sub(score.in_millionths())),
        enters_at_tokens: fate_of_unlimited.dropped.is_none().then_some(tokens(&fate_of_unlimited)),
        cap_beyond_tokens: cap(&unlimited, &fate_of_unlimited),
    })
}

/// The outcome of a unit without a token limit. It then needs the tokens of everything before it and of its title.
fn with_all_tokens<'r>(
    view: &IndexView,
    template: &PackTemplate<'r>,
    unlimited: &'r PackRequest,
    units: &[Candidate],
    place: usize,
) -> Result<Fate<PackTemplate<'r>>, ReadError> {
    let template = PackTemplate::new(unlimited, template.scope(), template.notices().clone());
    let Fate { group, dropped, full, needed, last_before } = fate(view, &job(&template), units, place)?;
    Ok(Fate { group, dropped, full, needed, last_before })
}

fn tokens(fate: &Fate<PackTemplate>) -> u32 {
    fate.needed.by(measure::MARKDOWN_TOKENS).max(fate.needed.by(measure::XML_TOKENS))
}

/// The cap because of which a unit is not shown.
fn cap(request: &PackRequest, fate: &Fate<PackTemplate>) -> Option<Cap> {
    let (cap, limit) = match fate.dropped? {
        DropReason::Budget => limits(request).into_iter().find(|(cap, _)| fate.full == Some(cap))?,
        DropReason::SectionFull => ("maxItemsPerSection", request.budgets.max_items_per_section),
        DropReason::NoEvidence | DropReason::BelowFloor => return None,
    };
    Some(Cap { cap: cap.to_string(), limit })
}
