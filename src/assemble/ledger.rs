//! Enforces a budget: tracks the cost of the answer in every limited measure, and checks whether more fits.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::GroupNo;
use crate::record::bundle::TokenCounter;
use crate::text::Tokenizer;

/// The caps of one answer.
#[derive(Clone, Debug)]
pub struct Budget {
    /// At most [`MAX_MEASURES`].
    pub measures: Vec<Measure>,
    pub max_items: u32,
    pub max_items_per_group: u32,
}

impl Budget {
    /// A limit on the tokens of an answer with one format. An estimate may be too low, so a budget that is counted with
    /// it also holds in exact tokens.
    pub fn of_tokens(counter: TokenCounter, limit: Option<u32>) -> Self {
        let counters = match counter {
            TokenCounter::O200kBase => vec![Counter::Tokens(Tokenizer::O200kBase)],
            TokenCounter::Cl100kBase => vec![Counter::Tokens(Tokenizer::Cl100kBase)],
            TokenCounter::Approx => vec![Counter::CharsByThree, Counter::Tokens(Tokenizer::O200kBase)],
        };
        let limit = limit.unwrap_or(u32::MAX);
        let measure = |counter| Measure { format: 0, counter, limit, cap: "max_tokens" };
        let measures = counters.into_iter().map(measure).collect();
        Budget { measures, max_items: u32::MAX, max_items_per_group: u32::MAX }
    }

    /// The same measures without effective limits.
    pub fn without_limits(&self) -> Budget {
        let measures = self.measures.iter().map(|measure| Measure { limit: u32::MAX, ..*measure });
        Budget { measures: measures.collect(), ..self.clone() }
    }
}

/// A limit on one printed format, in one unit.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The index of the format among a block's frames.
    pub format: usize,
    pub counter: Counter,
    pub limit: u32,
    /// The name of the limit, for reports.
    pub cap: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    Tokens(Tokenizer),
    Chars,
    /// Characters divided by three, rounded up: an estimate of tokens.
    CharsByThree,
}

pub const MAX_MEASURES: usize = 4;

/// One amount per measure, in the budget's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost([u32; MAX_MEASURES]);

/// A piece of output: a text shared by all formats, and the frame of each format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<'b> {
    pub text: Cow<'b, str>,
    pub frames: Vec<Frame>,
}

/// The text that a format prints before and after the shared text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub head: String,
    pub tail: String,
}

pub struct Ledger {
    measures: Vec<Measure>,
    spent: Cost,
    opened: BTreeSet<GroupNo>,
}

impl Ledger {
    /// Starts with the cost of the text that is printed around all items.
    pub fn new(budget: &Budget, frame: &Block) -> Self {
        assert!(budget.measures.len() <= MAX_MEASURES, "a budget has more measures than a cost has places");
        let mut ledger = Ledger { measures: budget.measures.clone(), spent: Cost::default(), opened: BTreeSet::new() };
        ledger.spent = ledger.cost(frame);
        ledger
    }

    pub fn cost(&self, block: &Block) -> Cost {
        self.framed_cost(block, self.text_cost(&block.text))
    }

    /// The cost of a text without a frame.
    pub fn text_cost(&self, text: &str) -> Cost {
        let mut cost = Cost::default();
        for (place, measure) in self.measures.iter().enumerate() {
            // A text is counted once for adjacent measures that differ only in the format.
            cost.0[place] = match place.checked_sub(1) {
                Some(before) if self.measures[before].counter == measure.counter => cost.0[before],
                _ => measure.counter.count(text),
            };
        }
        cost
    }

    /// The cost of a block whose text was counted before.
    pub fn framed_cost(&self, block: &Block, text: Cost) -> Cost {
        let mut cost = Cost::default();
        for (place, measure) in self.measures.iter().enumerate() {
            let frame = &block.frames[measure.format];
            cost.0[place] = measure.counter.count_framed(frame, &block.text, text.0[place]);
        }
        cost
    }

    pub fn spent(&self) -> Cost {
        self.spent
    }

    pub fn has_opened(&self, group: GroupNo) -> bool {
        self.opened.contains(&group)
    }

    /// Whether no item has been placed.
    pub fn is_empty(&self) -> bool {
        self.opened.is_empty()
    }

    /// The name of the first limit that a cost exceeds.
    pub fn exceeded(&self, total: Cost) -> Option<&'static str> {
        let exceeds = |(place, measure): &(usize, &Measure)| total.0[*place] > measure.limit;
        self.measures.iter().enumerate().find(exceeds).map(|(_, measure)| measure.cap)
    }

    /// Sets the cost of the answer with a new item in a group.
    pub fn spend(&mut self, total: Cost, group: GroupNo) {
        self.spent = total;
        self.opened.insert(group);
    }
}

impl Cost {
    /// The amount in the measure with that index.
    pub fn by(self, measure: usize) -> u32 {
        self.0[measure]
    }

    pub fn and(self, other: Cost) -> Cost {
        Cost(std::array::from_fn(|place| self.0[place].saturating_add(other.0[place])))
    }

    /// The larger amount in each measure.
    pub fn max(self, other: Cost) -> Cost {
        Cost(std::array::from_fn(|place| self.0[place].max(other.0[place])))
    }

    /// The rest when a part of it is taken away.
    pub fn without(self, part: Cost) -> Cost {
        Cost(std::array::from_fn(|place| self.0[place].saturating_sub(part.0[place])))
    }
}

impl Block<'static> {
    /// A block whose formats share no text.
    pub fn of_frames(formats: impl IntoIterator<Item = String>) -> Self {
        let frame = |head| Frame { head, tail: String::new() };
        Block { text: Cow::Borrowed(""), frames: formats.into_iter().map(frame).collect() }
    }
}

impl Counter {
    pub fn count(self, text: &str) -> u32 {
        let count = match self {
            Counter::Tokens(tokenizer) => tokenizer.count(text),
            Counter::Chars => text.chars().count(),
            Counter::CharsByThree => text.chars().count().div_ceil(3),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The count of a text with its frame. Counts of parts are added only if the sum equals the count of the whole.
    fn count_framed(self, frame: &Frame, text: &str, text_count: u32) -> u32 {
        let Frame { head, tail } = frame;
        let adds_up = match self {
            Counter::Tokens(tokenizer) => {
                !text.is_empty() && tokenizer.counts_add_up(head, text) && tokenizer.counts_add_up(text, tail)
            }
            Counter::Chars => true,
            Counter::CharsByThree => false,
        };
        if adds_up {
            text_count + self.count(head) + self.count(tail)
        } else {
            self.count(&format!("{head}{text}{tail}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(limits: [u32; 2]) -> Budget {
        let measure = |counter, limit, cap| Measure { format: 0, counter, limit, cap };
        let tokens = measure(Counter::Tokens(Tokenizer::O200kBase), limits[0], "tokens");
        Budget {
            measures: vec![tokens, measure(Counter::Chars, limits[1], "chars")],
            max_items: u32::MAX,
            max_items_per_group: u32::MAX,
        }
    }

    fn block(head: &str, text: &'static str, tail: &str) -> Block<'static> {
        let frame = Frame { head: head.to_string(), tail: tail.to_string() };
        Block { text: text.into(), frames: vec![frame] }
    }

    #[test]
    fn a_block_costs_what_it_costs_printed() {
        let ledger = Ledger::new(&budget([9, 9]), &block("", "", ""));
        for (head, text, tail) in [("# a\n", "b c\n", "d\n"), ("a", "b", "c"), ("x;\n", "// why\n", ""), ("", "", "z")]
        {
            let cost = ledger.cost(&block(head, text, tail));
            let whole = format!("{head}{text}{tail}");
            assert_eq!(cost.by(0), Tokenizer::O200kBase.count(&whole) as u32, "{whole:?}");
            assert_eq!(cost.by(1), whole.chars().count() as u32);
        }
    }

    #[test]
    fn the_first_limit_that_is_exceeded_is_named() {
        let frame = block("", "", "");
        let words = block("", "one two three four", "");
        let exceeded = |limits| {
            let ledger = Ledger::new(&budget(limits), &frame);
            ledger.exceeded(ledger.cost(&words))
        };
        assert_eq!(exceeded([4, 18]), None);
        assert_eq!(exceeded([3, 18]), Some("tokens"));
        assert_eq!(exceeded([4, 17]), Some("chars"));
        assert_eq!(exceeded([0, 0]), Some("tokens"));
    }

    #[test]
    fn the_frame_is_paid_for_before_any_item() {
        let ledger = Ledger::new(&budget([100, 5]), &block("head", "", ""));
        assert_eq!(ledger.spent().by(1), 4);
        assert!(ledger.is_empty());
        let with = |text| ledger.exceeded(ledger.spent().and(ledger.cost(&block("", text, ""))));
        assert_eq!(with("ab"), Some("chars"));
        assert_eq!(with("a"), None);
    }
}
