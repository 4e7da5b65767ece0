//! Explains why something is not in a pack, by building the pack again up to that candidate.

use schemars::JsonSchema;
use serde::Serialize;

use super::template::{PackTemplate, measure};
use super::{job, limits};
use crate::assemble::absence::{Fate, fate};
use crate::assemble::score::Candidate;
use crate::assemble::{IndexView, ReadError, RequestScope, candidates, find};
use crate::record::pack::{DropReason, SectionType};
use crate::record::request::PackRequest;
use crate::record::{ChunkNo, ChunkUid, ProblemCode, Score, SymbolId};

/// What the question is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Chunk(ChunkUid),
    Symbol(SymbolId),
    /// A path or a defined name.
    Word(String),
}

/// The answer for the best of the target's chunks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WhyNot {
    /// How many chunks the target has.
    pub chunks: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<ChunkUid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<String>,
    pub verdict: Verdict,
}

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", tag = "step")]
pub enum Verdict {
    /// It is in the pack.
    Shown { section: SectionType, rank: u32 },
    /// The index has nothing of that name.
    Unknown,
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
    /// The answer for a file that the index has no text of.
    pub fn no_text(path: &str, code: Option<ProblemCode>, why: String) -> Self {
        let verdict = Verdict::NoText { code, why };
        WhyNot { chunks: 0, chunk_uid: None, file_rel_path: Some(path.to_string()), verdict }
    }
}

/// A budget that no pack exceeds.
const ALL_TOKENS: u32 = 1_000_000;

pub fn why_not(view: &IndexView, request: &PackRequest, target: &Target) -> Result<WhyNot, ReadError> {
    if let Some(verdict) = directory(view, target) {
        return Ok(answer(view, &[], None, verdict));
    }
    let chunks = chunks(view, target);
    let scope = RequestScope::of(view, request)?;
    let template = PackTemplate::new(request, &scope);
    let job = job(request, &scope, &template);
    let units = candidates(view, &job, &find(view, &job)?)?.units;
    let place = units.iter().position(|candidate| chunks.contains(&candidate.chunk));
    let Some(place) = place else {
        let verdict = unseen(view, request, &scope, &chunks);
        return Ok(answer(view, &chunks, chunks.first().copied(), verdict));
    };
    let verdict = verdict(view, request, &scope, &units, place)?;
    Ok(answer(view, &chunks, Some(units[place].chunk), verdict))
}

/// Why none of a target's chunks is a candidate.
fn unseen(view: &IndexView, request: &PackRequest, scope: &RequestScope, chunks: &[ChunkNo]) -> Verdict {
    match () {
        () if chunks.is_empty() => Verdict::Unknown,
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

fn verdict(
    view: &IndexView,
    request: &PackRequest,
    scope: &RequestScope,
    units: &[Candidate],
    place: usize,
) -> Result<Verdict, ReadError> {
    let template = PackTemplate::new(request, scope);
    let fate = fate(view, &job(request, scope, &template), units, place)?;
    let (section, rank) = (template.section(fate.group), place as u32 + 1);
    let Some(reason) = fate.dropped else { return Ok(Verdict::Shown { section, rank }) };
    let score = units[place].scores.hybrid_score;
    let last = fate.last_before.as_ref().map_or(score, |last| last.item.scores.hybrid_score);
    let unlimited = PackRequest { budgets: request.budgets.with_tokens(ALL_TOKENS), ..request.clone() };
    let fate_of_unlimited = with_all_tokens(view, &unlimited, scope, units, place)?;
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
    unlimited: &'r PackRequest,
    scope: &'r RequestScope,
    units: &[Candidate],
    place: usize,
) -> Result<Fate<PackTemplate<'r>>, ReadError> {
    let template = PackTemplate::new(unlimited, scope);
    let Fate { group, dropped, full, needed, last_before } =
        fate(view, &job(unlimited, scope, &template), units, place)?;
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
        DropReason::NoEvidence => return None,
    };
    Some(Cap { cap: cap.to_string(), limit })
}

/// The answer for a word that is a directory.
fn directory(view: &IndexView, target: &Target) -> Option<Verdict> {
    let Target::Word(word) = target else { return None };
    let start = format!("{}/", word.trim_end_matches('/'));
    let paths_below = || view.corpus().paths().map(|(_, path)| path).filter(|path| path.starts_with(&start));
    let first = paths_below().min()?.to_string();
    Some(Verdict::Folder { files: paths_below().count() as u32, first })
}

fn answer(view: &IndexView, chunks: &[ChunkNo], chunk: Option<ChunkNo>, verdict: Verdict) -> WhyNot {
    let corpus = view.corpus();
    WhyNot {
        chunks: chunks.len() as u32,
        chunk_uid: chunk.map(|chunk| corpus.uid(chunk)),
        file_rel_path: chunk.map(|chunk| corpus.path(corpus.file_of(chunk)).to_string()),
        verdict,
    }
}

/// All chunks of a target.
fn chunks(view: &IndexView, target: &Target) -> Vec<ChunkNo> {
    let corpus = view.corpus();
    match target {
        Target::Chunk(uid) => corpus.chunk(*uid).into_iter().collect(),
        Target::Symbol(symbol) => view.chunk_of_symbol(symbol).into_iter().collect(),
        Target::Word(word) => match corpus.file(word) {
            Some(file) => corpus.chunks_of(file).collect(),
            None => {
                let name = word.rsplit(['.', ':', '#', '/']).next().unwrap_or(word);
                corpus.definitions(name).collect()
            }
        },
    }
}
