//! What of a bundle was taken so far, and whether more fits.

use std::collections::BTreeMap;

use super::bundle::{Entry, Piece, rank};
use super::catalog::{Catalog, DocNo};
use super::render;
use crate::record::bundle::{BundleRequest, ContextItem, SectionSnippet, Strategy, TokenCounter};

/// What was taken so far, and what it costs.
pub struct Shelf<'c> {
    catalog: &'c Catalog,
    counter: TokenCounter,
    left: Option<u32>,
    /// As markdown.
    pub spent: u32,
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
        let (counter, left) = (request.tokenizer, request.max_tokens);
        Shelf { catalog, counter, left, spent: 0, in_sections: 0, shortened: false, items: BTreeMap::new() }
    }

    /// Takes an entry whole, and says whether it did. One that does not fit is shortened to what does.
    pub fn take(&mut self, entry: &Entry) -> bool {
        let item = self.item(entry);
        let head = match self.items.contains_key(&entry.document) {
            true => 0,
            false => self.counter.count(&render::item_head(&item)),
        };
        let Some(piece) = &entry.piece else { return self.put(entry, item, head, None) };
        let whole = self.snippet(piece);
        if self.put(entry, item.clone(), head, Some(whole.clone())) {
            return true;
        }
        if let Some(short) = self.shorter(whole, head) {
            self.shortened = self.put(entry, item, head, Some(short));
        }
        false
    }

    fn put(&mut self, entry: &Entry, item: ContextItem, head: u32, snippet: Option<SectionSnippet>) -> bool {
        let tokens = snippet.as_ref().map_or(0, |snippet| snippet.approx_tokens);
        let total = self.spent.saturating_add(head).saturating_add(tokens);
        if self.left.is_some_and(|left| total > left) {
            return false;
        }
        self.spent = total;
        self.in_sections += tokens;
        let shown = self.items.entry(entry.document).or_insert_with(|| Shown { item, sections: Vec::new() });
        if let (Some(snippet), Some(piece)) = (snippet, &entry.piece) {
            shown.sections.push((piece.order, snippet));
        }
        true
    }

    /// The most lines of a section that fit; at least one.
    fn shorter(&self, whole: SectionSnippet, head: u32) -> Option<SectionSnippet> {
        let room = self.left?.saturating_sub(self.spent).checked_sub(head)?;
        let ends: Vec<usize> = whole.body.match_indices('\n').map(|(at, _)| at).collect();
        let first = |lines: usize| SectionSnippet {
            body: whole.body[..ends[lines - 1]].trim_end().to_string(),
            truncated: true,
            ..whole.clone()
        };
        let cost = |snippet: &SectionSnippet| self.counter.count(&render::section(snippet));
        let (mut fits, mut over) = (0, ends.len() + 1);
        while over - fits > 1 {
            let middle = fits.midpoint(over);
            if cost(&first(middle)) <= room { fits = middle } else { over = middle }
        }
        (fits > 0).then(|| {
            let snippet = first(fits);
            SectionSnippet { approx_tokens: cost(&snippet), ..snippet }
        })
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
        let mut snippet = SectionSnippet {
            rule_id: piece.rule_id.to_string(),
            heading: render::heading(piece.level, piece.name),
            level: piece.level,
            body: piece.body.to_string(),
            approx_tokens: 0,
            truncated: false,
        };
        snippet.approx_tokens = self.counter.count(&render::section(&snippet));
        snippet
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
