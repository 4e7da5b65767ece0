//! Why something is not in a pack: the pack is made again, as far as the thing in question.

use schemars::JsonSchema;
use serde::Serialize;

use super::allocate::{self, Fate};
use super::{PackIndex, Shelf, candidate, expand, seeds};
use crate::record::pack::{DropReason, SectionType};
use crate::record::request::PackRequest;
use crate::record::{ChunkUid, Score, SymbolId};

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
    /// Neither did the query find it nor did the walk come to it.
    NotReached,
    /// It was found and left out.
    #[serde(rename_all = "camelCase")]
    Dropped {
        reason: DropReason,
        section: SectionType,
        /// Its place among all candidates, from 1.
        rank: u32,
        score: Score,
        /// How far it is behind the last item that is shown.
        score_gap: Score,
        /// The smallest token budget under which it is shown; none if no budget would do.
        #[serde(skip_serializing_if = "Option::is_none")]
        enters_at_tokens: Option<u32>,
    },
}

/// No pack has more.
const ALL_TOKENS: u32 = 1_000_000;

pub fn why_not<S: Shelf>(index: &PackIndex<S>, request: &PackRequest, target: &Target) -> Result<WhyNot, S::Fault> {
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
            Verdict::Dropped {
                reason,
                section: fate.section,
                rank: place as u32 + 1,
                score,
                score_gap: Score::millionths(last.in_millionths().saturating_sub(score.in_millionths())),
                enters_at_tokens: enters_at(index, request, &ranked, place)?,
            }
        }
    };
    Ok(answer(index, &chunks, Some(ranked.candidates[place].chunk), verdict))
}

/// The room that everything before it takes, and its title.
fn enters_at<S: Shelf>(
    index: &PackIndex<S>,
    request: &PackRequest,
    ranked: &candidate::Ranked,
    place: usize,
) -> Result<Option<u32>, S::Fault> {
    let mut roomy = request.clone();
    roomy.budgets.max_total_tokens = ALL_TOKENS;
    let Fate { dropped, needed_tokens, .. } = allocate::fate(index, &roomy, ranked, place)?;
    Ok(dropped.is_none().then_some(needed_tokens))
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
