//! Shows parts of a text that is too long.
//!
//! A strategy is a series of cuts. Each cut keeps everything that the one before it keeps, so more room never shows
//! less. What is left out between and around the kept parts is marked by `…`.

mod extract;
mod pieces;
mod units;

use std::ops::Range;

use crate::assemble::budget::largest_that_fits;
use crate::record::workspace::TruncationStrategy;
use crate::text::CountedText;

pub use extract::Extractor;
use extract::Ranking;

/// The parts of a text that are kept, in order. There is always some text between two of them.
pub type Kept = Vec<Range<usize>>;

/// One part.
pub fn only(part: Range<usize>) -> Kept {
    std::iter::once(part).collect()
}

/// All cuts of a text by one strategy, the shortest first.
pub enum Cuts {
    /// Keeps the first pieces.
    Start(Vec<Range<usize>>),
    /// Keeps the last pieces.
    End { pieces: Vec<Range<usize>>, end: usize },
    /// Keeps the beginning of the best unit, then the best units.
    Best { beginning: Vec<Range<usize>>, ranking: Ranking },
}

impl Cuts {
    /// Code is cut between lines, other text between words. A summary is cut at its end.
    pub fn new(text: &str, is_code: bool, strategy: TruncationStrategy, extractor: &mut Extractor) -> Self {
        let all = || pieces::pieces(text, 0..text.len(), is_code);
        match strategy {
            TruncationStrategy::KeepStart | TruncationStrategy::Summarize => Cuts::Start(all()),
            TruncationStrategy::KeepEnd => Cuts::End { pieces: all(), end: text.trim_end().len() },
            TruncationStrategy::Extractive => {
                let ranking = extractor.rank(text, is_code);
                let beginning = ranking.best().map_or_else(Vec::new, |best| pieces::pieces(text, best, is_code));
                Cuts::Best { beginning, ranking }
            }
        }
    }

    /// How many cuts there are. Cut 0, which keeps nothing, is not counted.
    pub fn count(&self) -> usize {
        match self {
            Cuts::Start(pieces) | Cuts::End { pieces, .. } => pieces.len(),
            Cuts::Best { beginning, ranking } => ranking.count() + beginning.len().saturating_sub(1),
        }
    }

    /// What the cut with that number keeps.
    pub fn kept(&self, number: usize) -> Kept {
        let Some(last) = number.checked_sub(1) else { return Kept::new() };
        match self {
            Cuts::Start(pieces) => only(0..pieces[last].end),
            Cuts::End { pieces, end } => only(pieces[pieces.len() - number].start..*end),
            Cuts::Best { beginning, ranking } => match number.checked_sub(beginning.len()) {
                Some(more) => ranking.best_units(more + 1),
                None => only(beginning[0].start..beginning[last].end),
            },
        }
    }

    /// The number of the last cut up to `max` that fits.
    pub fn last_that_fits(&self, max: usize, fits: impl Fn(&[Range<usize>]) -> bool) -> usize {
        largest_that_fits(max, |number| number == 0 || fits(&self.kept(number))).unwrap_or(0)
    }

    /// The number of the last cut with at most so many tokens.
    pub fn within(&self, text: &CountedText, max_tokens: usize) -> usize {
        self.last_that_fits(self.count(), |kept| tokens(text, kept, "", "") <= max_tokens)
    }
}

const MARK: &str = "…";
const MARK_BEHIND: &str = " …";

/// The kept parts with marks for what is left out.
pub fn shown(text: &str, kept: &[Range<usize>]) -> String {
    let mut shown = String::new();
    let mut end = 0;
    for part in kept {
        if is_gap(text, end..part.start) {
            shown.push_str(if end == 0 { MARK } else { MARK_BEHIND });
            shown.push(' ');
        }
        shown.push_str(&text[part.clone()]);
        end = part.end;
    }
    if !kept.is_empty() && is_gap(text, end..text.len()) {
        shown.push_str(MARK_BEHIND);
    }
    shown
}

/// The tokens of [`shown`] between two other texts. A mark and what it stands beside add up: kept parts end before white
/// space, and a space follows the mark.
pub fn tokens(text: &CountedText, kept: &[Range<usize>], before: &str, after: &str) -> usize {
    let count = |text_of_mark: &[&str]| text.tokenizer().count(&text_of_mark.concat());
    let whole = text.text();
    let (Some(first), Some(last)) = (kept.first(), kept.last()) else { return count(&[before, after]) };
    let (is_marked_before, is_marked_after) = (is_gap(whole, 0..first.start), is_gap(whole, last.end..whole.len()));
    let mut tokens = if is_marked_before { count(&[before, MARK]) } else { 0 };
    for (at, part) in kept.iter().enumerate() {
        let (is_first, is_last) = (at == 0, at + 1 == kept.len());
        let lead = if is_first && !is_marked_before { before } else { " " };
        let tail = if is_last && !is_marked_after { after } else { "" };
        tokens += text.count_part(lead, part.clone(), tail);
    }
    tokens += (kept.len() - 1) * count(&[MARK_BEHIND]);
    tokens + if is_marked_after { count(&[MARK_BEHIND, after]) } else { 0 }
}

/// Characters of the text that are kept, without marks.
pub fn characters(text: &str, kept: &[Range<usize>]) -> usize {
    kept.iter().map(|part| text[part.clone()].chars().count()).sum()
}

/// Whether the skipped part holds more than white space.
fn is_gap(text: &str, skipped: Range<usize>) -> bool {
    !text[skipped].trim_start().is_empty()
}
