//! Keeps the parts of one function together: when a part is chosen, the others follow before anything else.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::assemble::score::Candidate;
use crate::assemble::{IndexView, ReadError};
use crate::record::ChunkNo;

/// How many candidates are looked at. Later ones are seldom shown.
const MAX_LOOKED_AT: usize = 60;
/// The bytes of a function that is shown whole. Of a longer one, only the parts that were found are shown.
const MAX_FUNCTION_BYTES: u32 = 8_000;

/// Sorted candidates, with all parts of a function behind the first of them. A part that was not found itself is shown
/// for the same reason as that one.
pub fn arrange(view: &IndexView, units: Vec<Candidate>) -> Result<Vec<Candidate>, ReadError> {
    let places: FxHashMap<ChunkNo, usize> = units.iter().zip(0..).map(|(unit, place)| (unit.chunk, place)).collect();
    let mut arranged: Vec<Candidate> = Vec::with_capacity(units.len());
    let mut units: Vec<Option<Candidate>> = units.into_iter().map(Some).collect();
    let mut added = FxHashSet::default();
    for place in 0..units.len() {
        let Some(unit) = units[place].take() else { continue };
        let others = if place < MAX_LOOKED_AT { other_parts(view, unit.chunk)? } else { Vec::new() };
        let first = arranged.len();
        arranged.push(unit);
        for chunk in others {
            match places.get(&chunk) {
                Some(place) => {
                    let is_below_floor = arranged[first].is_below_floor;
                    arranged.extend(units[*place].take().map(|part| Candidate { is_below_floor, ..part }));
                }
                None if added.insert(chunk) => arranged.push(Candidate { chunk, ..arranged[first].clone() }),
                None => {}
            }
        }
    }
    Ok(arranged)
}

/// The other parts of the definition that a chunk is a part of; empty if it is too long, or if it is not cut.
fn other_parts(view: &IndexView, chunk: ChunkNo) -> Result<Vec<ChunkNo>, ReadError> {
    let own = view.chunk(chunk)?;
    let Some(part) = own.part else { return Ok(Vec::new()) };
    let first = chunk.0.saturating_sub(part.index - 1);
    let corpus = view.corpus();
    let end = first.saturating_add(part.count).min(corpus.chunk_count() as u32);
    let others: Vec<ChunkNo> = (first..end).map(ChunkNo).filter(|other| *other != chunk).collect();
    let bytes = |chunk: &ChunkNo| corpus.facts(*chunk).text_bytes;
    if others.iter().map(bytes).sum::<u32>().saturating_add(bytes(&chunk)) > MAX_FUNCTION_BYTES {
        return Ok(Vec::new());
    }
    let mut parts = Vec::new();
    for other in others.into_iter().filter(|other| corpus.file_of(*other) == corpus.file_of(chunk)) {
        let record = view.chunk(other)?;
        let is_same = record.part.is_some_and(|other| other.count == part.count);
        if is_same && record.qualified_name == own.qualified_name {
            parts.push(other);
        }
    }
    Ok(parts)
}
