//! Enforces the budgets of a pack: what it has cost so far, in tokens and characters of both forms that a model may
//! be given, and whether more fits.

use std::collections::BTreeSet;

use super::budget::Account;
use super::render::{self, Format};
use crate::record::pack::{EmptyReason, Item, Rendered, SectionType};
use crate::record::request::PackRequest;
use crate::text::Tokenizer;

/// Tokens and characters of a piece of output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub tokens: Rendered,
    pub chars: Rendered,
}

pub struct Ledger {
    tokenizer: Tokenizer,
    /// Tokens and characters of both forms; see [`Cost::amounts`].
    account: Account<4>,
    opened: BTreeSet<SectionType>,
}

impl Ledger {
    /// Before the first item: what stands around all of them.
    pub fn new(request: &PackRequest) -> Self {
        let (tokens, chars) = (request.budgets.max_total_tokens, request.budgets.max_total_chars);
        let account = Account::new([tokens, tokens, chars, chars]);
        let mut ledger = Ledger { tokenizer: request.tokenizer, account, opened: BTreeSet::new() };
        let around = ledger.cost(|format| render::open(&request.repo_id, format) + render::close(format));
        ledger.account.spend(around.amounts());
        ledger
    }

    pub fn cost(&self, text: impl Fn(Format) -> String) -> Cost {
        let (markdown, xml) = (text(Format::Markdown), text(Format::Xml));
        let tokens = |text: &str| self.tokenizer.count(text) as u32;
        let chars = |text: &str| text.chars().count() as u32;
        Cost {
            tokens: Rendered { markdown: tokens(&markdown), xml: tokens(&xml) },
            chars: Rendered { markdown: chars(&markdown), xml: chars(&xml) },
        }
    }

    /// What an item costs, with its section's heading if it is the first there.
    pub fn cost_of(&self, item: &Item, section: SectionType) -> Cost {
        let item = self.cost_of_item(item);
        match self.opened.contains(&section) {
            true => item,
            false => item.and(self.heading(section)),
        }
    }

    /// The text is counted once for both forms where its tokens and those around it add up.
    fn cost_of_item(&self, item: &Item) -> Cost {
        let text = render::text(item);
        let (text_tokens, text_chars) = (self.tokenizer.count(&text) as u32, text.chars().count() as u32);
        let of = |format: Format| {
            let render::Frame { head, tail } = render::frame(item, format);
            let chars = text_chars + (head.chars().count() + tail.chars().count()) as u32;
            let apart = self.tokenizer.counts_add_up(&head, &text) && self.tokenizer.counts_add_up(&text, &tail);
            let tokens = match apart {
                true => text_tokens + (self.tokenizer.count(&head) + self.tokenizer.count(&tail)) as u32,
                false => self.tokenizer.count(&(head + &text + &tail)) as u32,
            };
            (tokens, chars)
        };
        let (markdown, xml) = (of(Format::Markdown), of(Format::Xml));
        Cost {
            tokens: Rendered { markdown: markdown.0, xml: xml.0 },
            chars: Rendered { markdown: markdown.1, xml: xml.1 },
        }
    }

    pub fn heading(&self, section: SectionType) -> Cost {
        self.cost(|format| render::section_open(section, format) + render::section_close(format))
    }

    /// What there is, and more.
    pub fn with(&self, more: Cost) -> Cost {
        Cost::of(self.account.with(more.amounts()))
    }

    pub fn fits(&self, more: Cost) -> bool {
        self.exceeded(more).is_none()
    }

    /// The budget that more would exceed.
    pub fn exceeded(&self, more: Cost) -> Option<&'static str> {
        self.account.exceeded(more.amounts()).map(|at| if at < 2 { "maxTotalTokens" } else { "maxTotalChars" })
    }

    pub fn spend(&mut self, cost: Cost, section: SectionType) {
        self.account.spend(cost.amounts());
        self.opened.insert(section);
    }

    /// What the whole pack costs. One that has nothing to show says so, if that fits.
    pub fn finish(self, why: Option<EmptyReason>) -> Cost {
        if !self.opened.is_empty() {
            return Cost::of(self.account.spent());
        }
        let notice = self.cost(|format| render::nothing(why, format));
        match self.fits(notice) {
            true => self.with(notice),
            false => Cost::default(),
        }
    }
}

impl Cost {
    pub fn and(self, other: Cost) -> Cost {
        let (own, other) = (self.amounts(), other.amounts());
        Cost::of(std::array::from_fn(|at| own[at] + other[at]))
    }

    fn amounts(self) -> [u32; 4] {
        [self.tokens.markdown, self.tokens.xml, self.chars.markdown, self.chars.xml]
    }

    fn of([markdown, xml, markdown_chars, xml_chars]: [u32; 4]) -> Cost {
        Cost { tokens: Rendered { markdown, xml }, chars: Rendered { markdown: markdown_chars, xml: xml_chars } }
    }
}
