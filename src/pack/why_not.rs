//! Why something is not in a pack: the pack is made again, as far as the thing in question.

use schemars::JsonSchema;
use serde::Serialize;

use super::allocate::{self, Fate};
use super::{PackIndex, Shelf, candidate, expand, seeds};
use crate::record::pack::{DropReason, SectionType};
use crate::record::request::PackRequest;
use crate::record::{ChunkUid, ProblemCode, Score, SymbolId};

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    Chunk(ChunkUid),
    Symbol(SymbolId),
    /// A path, or a name that is defined.
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
    /// Neither did the query find it nor did the walk come to it.
    NotReached,
    /// It was found and left out.
    #[serde(rename_all = "camelCase")]
    Dropped {
        reason: DropReason,
        /// What was spent, if it is that.
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

/// A limit of the request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cap {
    pub cap: String,
    pub limit: u32,
}

impl Cap {
    fn of((cap, limit): (&'static str, u32)) -> Self {
        Cap { cap: cap.to_string(), limit }
    }
}

impl WhyNot {
    /// Of a file that the tree has and the index holds no text of.
    pub fn no_text(path: &str, code: Option<ProblemCode>, why: String) -> Self {
        let verdict = Verdict::NoText { code, why };
        WhyNot { chunks: 0, chunk_uid: None, file_rel_path: Some(path.to_string()), verdict }
    }
}

/// No pack has more.
const ALL_TOKENS: u32 = 1_000_000;

pub fn why_not<S: Shelf>(index: &PackIndex<S>, request: &PackRequest, target: &Target) -> Result<WhyNot, S::Fault> {
    if let Some(verdict) = folder(index, target) {
        return Ok(answer(index, &[], None, verdict));
    }
    let chunks = chunks(index, target);
    let found = seeds::find(index, request)?;
    let walk = expand::walk(index, request, &found)?;
    let ranked = candidate::ranked(index, request, &found, &walk);
    let place = ranked.candidates.iter().position(|candidate| chunks.contains(&candidate.chunk));
    let Some(place) = place else {
        let verdict = if chunks.is_empty() { Verdict::Unknown } else { Verdict::NotReached };
        return Ok(answer(index, &chunks, chunks.first().copied(), verdict));
    };
    let fate = allocate::fate(index, request, &ranked, place)?;
    let verdict = match fate.dropped {
        None => Verdict::Shown { section: fate.section, rank: place as u32 + 1 },
        Some(reason) => {
            let score = ranked.candidates[place].scores.hybrid_score;
            let last = fate.last_score.unwrap_or(score);
            let roomy = with_all_tokens(index, request, &ranked, place)?;
            Verdict::Dropped {
                reason,
                cap: fate.cap.map(Cap::of),
                section: fate.section,
                rank: place as u32 + 1,
                score,
                score_gap: Score::millionths(last.in_millionths().saturating_sub(score.in_millionths())),
                enters_at_tokens: roomy.dropped.is_none().then_some(roomy.needed_tokens),
                cap_beyond_tokens: roomy.cap.map(Cap::of),
            }
        }
    };
    Ok(answer(index, &chunks, Some(ranked.candidates[place].chunk), verdict))
}

/// What would become of it if tokens were no matter: how many it needs is the room that everything before it takes,
/// and its title.
fn with_all_tokens<S: Shelf>(
    index: &PackIndex<S>,
    request: &PackRequest,
    ranked: &candidate::Ranked,
    place: usize,
) -> Result<Fate, S::Fault> {
    let mut roomy = request.clone();
    roomy.budgets.max_total_tokens = ALL_TOKENS;
    allocate::fate(index, &roomy, ranked, place)
}

/// A word that is no file and has files below it.
fn folder<S: Shelf>(index: &PackIndex<S>, target: &Target) -> Option<Verdict> {
    let Target::Word(word) = target else { return None };
    let start = format!("{}/", word.trim_end_matches('/'));
    let below = || index.corpus.paths().map(|(_, path)| path).filter(|path| path.starts_with(&start));
    let first = below().min()?.to_string();
    Some(Verdict::Folder { files: below().count() as u32, first })
}

fn answer<S: Shelf>(index: &PackIndex<S>, chunks: &[u32], chunk: Option<u32>, verdict: Verdict) -> WhyNot {
    let corpus = index.corpus;
    WhyNot {
        chunks: chunks.len() as u32,
        chunk_uid: chunk.map(|chunk| corpus.uid(chunk)),
        file_rel_path: chunk.map(|chunk| corpus.path(corpus.file_of(chunk)).to_string()),
        verdict,
    }
}

/// All chunks that a target stands for.
fn chunks<S: Shelf>(index: &PackIndex<S>, target: &Target) -> Vec<u32> {
    let corpus = index.corpus;
    match target {
        Target::Chunk(uid) => corpus.chunk(*uid).into_iter().collect(),
        Target::Symbol(symbol) => seeds::chunk_of_symbol(index, symbol).into_iter().collect(),
        Target::Word(word) => match corpus.file(word) {
            Some(file) => corpus.chunks_of(file).collect(),
            None => {
                let name = word.rsplit(['.', ':', '#', '/']).next().unwrap_or(word);
                corpus.definitions(name).collect()
            }
        },
    }
}
