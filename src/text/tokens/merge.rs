//! Byte pair encoding of one piece: how many tokens are left when nothing more can be merged.
//!
//! Of all neighbours whose bytes together are a token, those of the lowest rank are merged, the
//! leftmost first, until there are none.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{Rank, Vocabulary};

/// No token: neighbours that cannot be merged come last.
const NEVER: Rank = Rank::MAX;

/// Up to here, looking through all parts for the lowest rank is quicker than keeping a heap of them.
const LONGEST_SCANNED: usize = 128;

/// Encodes pieces; what it needs to do so is kept for the next piece.
#[derive(Default)]
pub struct Merger {
    parts: Vec<Part>,
    queue: BinaryHeap<Reverse<(Rank, u32)>>,
}

/// A token so far, at the index of the byte it starts with (in a heap), or in order (in a scan).
#[derive(Clone, Copy)]
struct Part {
    start: u32,
    end: u32,
    /// Start of the part before it; only a heap asks.
    before: u32,
    /// Of this part's and the next one's bytes together.
    rank: Rank,
}

impl Merger {
    pub fn count(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        if vocabulary.rank(piece).is_some() {
            return 1;
        }
        self.fill(vocabulary, piece);
        if piece.len() <= LONGEST_SCANNED { self.scan(vocabulary, piece) } else { self.work_off(vocabulary, piece) }
    }

    /// One part for every byte.
    fn fill(&mut self, vocabulary: &Vocabulary, piece: &[u8]) {
        let length = u32::try_from(piece.len()).expect("a piece is below 4 GiB");
        let part = |start: u32| Part {
            start,
            end: start + 1,
            before: start.wrapping_sub(1),
            rank: rank(vocabulary, piece, start, start + 2),
        };
        self.parts.clear();
        self.parts.extend((0..length).map(part));
    }

    /// Quadratic, for short pieces.
    fn scan(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        let parts = &mut self.parts;
        loop {
            let lowest = parts.iter().enumerate().min_by_key(|(_, part)| part.rank);
            let Some((at, start)) = lowest.filter(|(_, part)| part.rank != NEVER).map(|(at, part)| (at, part.start))
            else {
                return parts.len();
            };
            let end = parts.remove(at + 1).end;
            let next_end = parts.get(at + 1).map_or(NEVER, |next| next.end);
            parts[at].end = end;
            parts[at].rank = rank(vocabulary, piece, start, next_end);
            if at > 0 {
                parts[at - 1].rank = rank(vocabulary, piece, parts[at - 1].start, end);
            }
        }
    }

    /// For long pieces: a megabyte of one letter is one piece.
    fn work_off(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        self.queue.clear();
        self.queue
            .extend(self.parts.iter().filter(|part| part.rank != NEVER).map(|part| Reverse((part.rank, part.start))));
        let mut count = piece.len();
        while let Some(Reverse((rank, start))) = self.queue.pop() {
            // What was merged since has another rank: its bytes only ever grow.
            if self.parts[start as usize].rank == rank {
                self.merge_at(vocabulary, piece, start);
                count -= 1;
            }
        }
        count
    }

    fn merge_at(&mut self, vocabulary: &Vocabulary, piece: &[u8], start: u32) {
        let next = self.parts[start as usize].end;
        let end = self.parts[next as usize].end;
        self.parts[next as usize].rank = NEVER;
        self.parts[start as usize].end = end;
        if let Some(behind) = self.parts.get_mut(end as usize) {
            behind.before = start;
        }
        self.rank_again(vocabulary, piece, start);
        self.rank_again(vocabulary, piece, self.parts[start as usize].before);
    }

    /// Ranks a part and its next neighbour, one of which has grown. There may be no such part.
    fn rank_again(&mut self, vocabulary: &Vocabulary, piece: &[u8], start: u32) {
        let Some(part) = self.parts.get(start as usize) else { return };
        let next_end = self.parts.get(part.end as usize).map_or(NEVER, |next| next.end);
        let rank = rank(vocabulary, piece, start, next_end);
        self.parts[start as usize].rank = rank;
        if rank != NEVER {
            self.queue.push(Reverse((rank, start)));
        }
    }
}

/// [`NEVER`] if the bytes are no token, or the end is after the piece.
fn rank(vocabulary: &Vocabulary, piece: &[u8], start: u32, end: u32) -> Rank {
    let bytes = piece.get(start as usize..end as usize);
    bytes.and_then(|bytes| vocabulary.rank(bytes)).unwrap_or(NEVER)
}
