//! The order in which hits are selected: by what each adds per token, in two phases.
//!
//! The start of a pack is what everybody reads, so it goes to the likeliest hits, whatever files they are in. After that,
//! a hit also counts for its file if nothing of the file was selected: a few lines of a further file tell that it matters.
//! In the other order, a pack would start with the shortest hit of each file.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A hit, as the order sees it.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The index of its file.
    pub file: usize,
    /// The probability that it is wanted.
    pub chance: f64,
    /// Roughly how many tokens it takes.
    pub room: f64,
}

/// A hit and its gain, in the order of selection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Its index in the list of hits.
    pub hit: usize,
    /// What it adds to the pack per token, relative to the first hit: starts at 1 and falls with every hit, so that the
    /// gains of the second phase are lowered where they would rise.
    pub gain: f64,
    /// Its own chance per token, without that of its file, relative to the hit for which that is largest.
    pub own: f64,
}

/// How many tokens the first phase fills.
const START_TOKENS: f64 = 1_000.0;
/// How much smaller a gain is, at least, than the one before it.
const FALL: f64 = 0.999;

/// Sorts hits. `files` are the probabilities that each file is wanted, and `new_file` is the value of a new file
/// relative to that of a wanted hit.
pub fn order(pieces: &[Piece], files: &[f64], new_file: f64) -> Vec<Placed> {
    let mut order = Order {
        pieces,
        files,
        new_file,
        best_own: pieces.iter().map(Piece::own).fold(f64::MIN_POSITIVE, f64::max),
        seen: vec![false; files.len()],
        best: None,
        placed: Vec::new(),
    };
    order.place_first();
    order.place_start();
    order.place_rest();
    order.placed
}

impl Piece {
    fn own(&self) -> f64 {
        self.chance / self.room
    }
}

struct Order<'o> {
    pieces: &'o [Piece],
    files: &'o [f64],
    new_file: f64,
    /// The largest chance per token.
    best_own: f64,
    /// The files of which something is placed.
    seen: Vec<bool>,
    /// The gain of the first hit.
    best: Option<f64>,
    placed: Vec<Placed>,
}

impl Order<'_> {
    /// The likeliest hit of the file that is worth the most per token. Of two such hits, a much shorter one is better.
    fn place_first(&mut self) {
        let best = self.queue(true).pop();
        let Some(file) = best.map(|best| self.pieces[best.hit].file) else { return };
        let of_file = (0..self.pieces.len()).filter(|hit| self.pieces[*hit].file == file);
        let chance = |hit: usize| {
            let piece = &self.pieces[hit];
            Next { gain: piece.chance / libm::sqrt(piece.room), hit, first: false }
        };
        if let Some(next) = of_file.map(chance).max() {
            self.place(next.hit, self.gain(next.hit, true));
        }
    }

    /// The likeliest hits per token.
    fn place_start(&mut self) {
        let mut queue = self.queue(false);
        let mut room = self.placed.iter().map(|placed| self.pieces[placed.hit].room).sum::<f64>();
        while room < START_TOKENS
            && let Some(Next { gain, hit, .. }) = queue.pop()
        {
            room += self.pieces[hit].room;
            self.place(hit, gain);
        }
    }

    /// All others; the first of a file also counts for the file.
    fn place_rest(&mut self) {
        let mut queue = self.queue(true);
        while let Some(Next { gain, hit, first }) = queue.pop() {
            if first && self.seen[self.pieces[hit].file] {
                queue.push(Next { gain: self.gain(hit, false), hit, first: false });
            } else {
                self.place(hit, gain);
            }
        }
    }

    /// The hits that have no place. With `with_files`, they count for their files.
    fn queue(&self, with_files: bool) -> BinaryHeap<Next> {
        let mut is_placed = vec![false; self.pieces.len()];
        self.placed.iter().for_each(|placed| is_placed[placed.hit] = true);
        let next = |hit: usize| {
            let first = with_files && !self.seen[self.pieces[hit].file];
            Next { gain: self.gain(hit, first), hit, first }
        };
        (0..self.pieces.len()).filter(|hit| !is_placed[*hit]).map(next).collect()
    }

    fn gain(&self, hit: usize, first: bool) -> f64 {
        let piece = &self.pieces[hit];
        let new = if first { self.new_file * self.files[piece.file] } else { 0.0 };
        (piece.chance + new) / piece.room
    }

    fn place(&mut self, hit: usize, gain: f64) {
        self.seen[self.pieces[hit].file] = true;
        let best = self.best.get_or_insert(gain);
        let most = self.placed.last().map_or(1.0, |last| last.gain * FALL);
        let own = self.pieces[hit].own() / self.best_own;
        self.placed.push(Placed { hit, gain: (gain / *best).min(most), own });
    }
}

/// The largest gain comes first; of equal gains, the better hit.
#[derive(PartialEq)]
struct Next {
    gain: f64,
    hit: usize,
    first: bool,
}

impl Eq for Next {}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.hit.cmp(&self.hit))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each hit is given as its file, its chance and its room.
    fn hits(pieces: &[(usize, f64, f64)], files: &[f64]) -> Vec<usize> {
        let pieces: Vec<Piece> =
            pieces.iter().map(|(file, chance, room)| Piece { file: *file, chance: *chance, room: *room }).collect();
        let placed = order(&pieces, files, 0.8);
        assert!(placed.is_sorted_by(|a, b| a.gain > b.gain), "gains fall");
        assert_eq!(placed.first().map_or(1.0, |first| first.gain), 1.0);
        placed.into_iter().map(|placed| placed.hit).collect()
    }

    #[test]
    fn the_first_file_starts_with_its_likeliest_hit() {
        assert_eq!(hits(&[(0, 0.1, 100.0), (0, 0.5, 900.0), (1, 0.1, 100.0)], &[0.9, 0.1])[0], 1);
    }

    #[test]
    fn short_hits_do_not_introduce_their_files_at_the_start() {
        let all = [(0, 0.3, 400.0), (1, 0.001, 100.0), (0, 0.2, 400.0), (0, 0.1, 400.0)];
        assert_eq!(hits(&all, &[0.95, 0.05]), [0, 2, 3, 1]);
    }

    #[test]
    fn later_a_new_file_counts_beside_a_likelier_hit() {
        let all = [(0, 0.4, 1_000.0), (0, 0.1, 100.0), (1, 0.01, 100.0)];
        assert_eq!(hits(&all, &[0.6, 0.4]), [0, 2, 1]);
    }

    #[test]
    fn of_equal_hits_the_better_one_comes_first() {
        let all = [(0, 0.1, 100.0); 30];
        assert_eq!(hits(&all, &[1.0]), (0..30).collect::<Vec<_>>());
        assert!(hits(&[], &[]).is_empty());
    }
}
