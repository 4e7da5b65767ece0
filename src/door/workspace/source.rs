//! A text that is shown whole or cut.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use super::truncate::{self, Cuts, Extractor, Kept};
use crate::record::workspace::TruncationStrategy;
use crate::text::{CountedText, Tokenizer};

/// How the items of one payload are cut.
pub struct Shortening {
    pub tokenizer: Tokenizer,
    pub strategy: TruncationStrategy,
    /// Characters. Shorter texts are never cut, and nothing is cut to less.
    pub min_characters: usize,
    pub extractor: RefCell<Extractor>,
}

impl Shortening {
    /// Whether a text is too long for so many tokens, and long enough to be cut.
    pub fn is_cut(&self, text: &str, max_tokens: usize) -> bool {
        let may_be_cut = truncate::characters(text, &truncate::only(0..text.len())) >= self.min_characters;
        may_be_cut && self.tokenizer.count_until(text, max_tokens).is_none()
    }
}

/// A text, and all its cuts by one strategy.
pub struct Source<'s> {
    shortening: &'s Shortening,
    text: CountedText<'s>,
    is_code: bool,
    strategy: TruncationStrategy,
    cuts: OnceCell<Cuts>,
}

/// How much of a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Whole,
    /// The cut with this number.
    Cut(usize),
}

impl<'s> Source<'s> {
    pub fn new(shortening: &'s Shortening, text: &'s str, is_code: bool, strategy: TruncationStrategy) -> Self {
        let text = CountedText::new(shortening.tokenizer, text);
        Source { shortening, text, is_code, strategy, cuts: OnceCell::new() }
    }

    pub fn strategy(&self) -> TruncationStrategy {
        self.strategy
    }

    /// Of the whole text.
    pub fn tokens(&self) -> usize {
        self.text.tokens()
    }

    pub fn kept(&self, extent: Extent) -> Kept {
        match extent {
            Extent::Whole => self.whole(),
            Extent::Cut(number) => self.cuts().kept(number),
        }
    }

    pub fn shown(&self, kept: &[Range<usize>]) -> String {
        truncate::shown(self.text.text(), kept)
    }

    /// The tokens of what is shown between two other texts.
    pub fn tokens_of(&self, kept: &[Range<usize>], before: &str, after: &str) -> usize {
        truncate::tokens(&self.text, kept, before, after)
    }

    /// The whole text if it has at most so many tokens or is too short to be cut, or else the last cut that has. A cut
    /// that keeps too little gives way to the first that keeps enough.
    pub fn within(&self, max_tokens: usize) -> Extent {
        if !self.needs_cut(max_tokens) {
            return Extent::Whole;
        }
        let number = self.cuts().within(&self.text, max_tokens);
        if self.keeps_enough(number) {
            return Extent::Cut(number);
        }
        let numbers: Vec<usize> = (number + 1..=self.cuts().count()).collect();
        let enough = numbers.partition_point(|number| !self.keeps_enough(*number));
        numbers.get(enough).map_or(Extent::Whole, |number| Extent::Cut(*number))
    }

    /// Whether it has more tokens and is long enough to be cut.
    pub fn needs_cut(&self, max_tokens: usize) -> bool {
        self.tokens() > max_tokens && self.may_be_cut()
    }

    /// The last cut that shows less than an extent and fits.
    pub fn less_than(&self, extent: Extent, fits: impl Fn(&[Range<usize>]) -> bool) -> Option<Extent> {
        let max = match extent {
            Extent::Cut(number) => number - 1,
            Extent::Whole => self.may_be_cut().then(|| self.cuts().count())?,
        };
        let number = self.cuts().last_that_fits(max, fits);
        self.keeps_enough(number).then_some(Extent::Cut(number))
    }

    fn cuts(&self) -> &Cuts {
        let make = || {
            let extractor = &mut self.shortening.extractor.borrow_mut();
            Cuts::new(self.text.text(), self.is_code, self.strategy, extractor)
        };
        self.cuts.get_or_init(make)
    }

    fn whole(&self) -> Kept {
        truncate::only(0..self.text.text().len())
    }

    fn may_be_cut(&self) -> bool {
        truncate::characters(self.text.text(), &self.whole()) >= self.shortening.min_characters
    }

    fn keeps_enough(&self, number: usize) -> bool {
        let kept = self.cuts().kept(number);
        !kept.is_empty() && truncate::characters(self.text.text(), &kept) >= self.shortening.min_characters
    }
}

impl Extent {
    /// Whether it shows more than another extent of the same text.
    pub fn shows_more_than(self, other: Extent) -> bool {
        match (self, other) {
            (Extent::Cut(number), Extent::Cut(other)) => number > other,
            (Extent::Whole, other) => other != Extent::Whole,
            (Extent::Cut(_), Extent::Whole) => false,
        }
    }
}
