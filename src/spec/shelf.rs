//! What of a bundle was taken so far, and whether more fits.

use std::collections::BTreeMap;

use super::account::{Account, most};
use super::bundle::{Entry, Piece, rank};
use super::catalog::{Catalog, DocNo};
use super::render;
use crate::record::bundle::{BundleRequest, ContextItem, SectionSnippet, Strategy, TokenCounter};

/// What was taken so far, and what it costs.
pub struct Shelf<'c> {
    catalog: &'c Catalog,
    counter: TokenCounter,
    /// By the counter, and exactly.
    account: Account<2>,
    pub in_sections: u32,
    /// The last one that was taken is not whole.
    pub shortened: bool,
    items: BTreeMap<DocNo, Shown>,
}

/// What is taken of one document.
struct Shown {
    item: ContextItem,
    /// With the order in which they are shown.
    sections: Vec<((u32, u32), SectionSnippet)>,
}

impl<'c> Shelf<'c> {
    pub fn new(catalog: &'c Catalog, request: &BundleRequest) -> Self {
        let account = Account::new([request.max_tokens.unwrap_or(u32::MAX); 2]);
        let counter = request.tokenizer;
        Shelf { catalog, counter, account, in_sections: 0, shortened: false, items: BTreeMap::new() }
    }

    /// As markdown, by the counter.
    pub fn spent(&self) -> u32 {
        self.account.spent()[0]
    }

    /// A rule of thumb may say too little: where it counts, no text is given that is over the budget in truth.
    fn cost(&self, text: &str) -> [u32; 2] {
        let counted = self.counter.count(text);
        match self.counter {
            TokenCounter::Approx => [counted, TokenCounter::O200kBase.count(text)],
            TokenCounter::O200kBase | TokenCounter::Cl100kBase => [counted; 2],
        }
    }

    /// Takes an entry whole, and says whether it did. One that does not fit is shortened to what does.
    pub fn take(&mut self, entry: &Entry) -> bool {
        let item = self.item(entry);
        let head = match self.items.contains_key(&entry.document) {
            true => String::new(),
            false => render::item_head(&item),
        };
        let Some(piece) = &entry.piece else { return self.put(entry, item, &head, None) };
        let whole = self.snippet(piece);
        if self.put(entry, item.clone(), &head, Some(whole.clone())) {
            return true;
        }
        if let Some(short) = self.shorter(&whole, &head) {
            self.shortened = self.put(entry, item, &head, Some(short));
        }
        false
    }

    fn put(&mut self, entry: &Entry, item: ContextItem, head: &str, snippet: Option<SectionSnippet>) -> bool {
        let cost = self.cost_with_head(head, snippet.as_ref());
        if self.account.exceeded(cost).is_some() {
            return false;
        }
        self.account.spend(cost);
        self.in_sections += snippet.as_ref().map_or(0, |snippet| snippet.approx_tokens);
        let shown = self.items.entry(entry.document).or_insert_with(|| Shown { item, sections: Vec::new() });
        if let (Some(snippet), Some(piece)) = (snippet, &entry.piece) {
            shown.sections.push((piece.order, snippet));
        }
        true
    }

    /// Blocks are counted apart: their tokens add up.
    fn cost_with_head(&self, head: &str, snippet: Option<&SectionSnippet>) -> [u32; 2] {
        let (head, body) = (self.cost(head), snippet.map_or([0; 2], |snippet| self.cost(&render::section(snippet))));
        std::array::from_fn(|at| head[at] + body[at])
    }

    /// The most lines of a section that fit; at least one, and not all.
    fn shorter(&self, whole: &SectionSnippet, head: &str) -> Option<SectionSnippet> {
        let ends: Vec<usize> = whole.body.match_indices('\n').map(|(at, _)| at).collect();
        let first = |lines: usize| SectionSnippet {
            body: whole.body[..ends[lines - 1]].trim_end().to_string(),
            truncated: true,
            ..whole.clone()
        };
        let fits = |lines: usize| {
            lines == 0 || self.account.exceeded(self.cost_with_head(head, Some(&first(lines)))).is_none()
        };
        let lines = most(ends.len(), fits).filter(|lines| *lines > 0)?;
        Some(self.counted(first(lines)))
    }

    fn item(&self, entry: &Entry) -> ContextItem {
        let document = &self.catalog.documents[entry.document];
        let word = |key| document.word(key).to_string();
        ContextItem {
            id: word("id"),
            file: document.path.to_string(),
            kind: word("kind"),
            scope: word("scope"),
            role: document.role(),
            spec_title: word("spec_title"),
            distance: entry.distance,
            sections: Vec::new(),
        }
    }

    fn snippet(&self, piece: &Piece) -> SectionSnippet {
        self.counted(SectionSnippet {
            rule_id: piece.rule_id.to_string(),
            heading: render::heading(piece.level, piece.name),
            level: piece.level,
            body: piece.body.to_string(),
            approx_tokens: 0,
            truncated: false,
        })
    }

    fn counted(&self, snippet: SectionSnippet) -> SectionSnippet {
        SectionSnippet { approx_tokens: self.counter.count(&render::section(&snippet)), ..snippet }
    }

    /// Near before far, then by role and id; sections in the schema's order.
    pub fn items(self, strategy: Strategy) -> Vec<ContextItem> {
        let mut items: Vec<ContextItem> = self
            .items
            .into_values()
            .map(|Shown { item, mut sections }| {
                sections.sort_by_key(|(order, _)| *order);
                ContextItem { sections: sections.into_iter().map(|(_, snippet)| snippet).collect(), ..item }
            })
            .collect();
        items.sort_by(|a, b| {
            let order = |item: &ContextItem| (item.distance, rank(strategy, item.role));
            order(a).cmp(&order(b)).then_with(|| a.id.cmp(&b.id))
        });
        items
    }
}
