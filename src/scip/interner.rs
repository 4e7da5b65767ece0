//! Symbols by number. A local symbol is another one in every document.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::symbol::kind_of;
use super::{Relationship, ScipFault, Symbol, SymbolKind};
use crate::text::RepoPath;

#[derive(Default)]
pub(super) struct Interner {
    symbols: Vec<Symbol>,
    numbers: FxHashMap<Option<RepoPath>, FxHashMap<Arc<str>, u32>>,
}

impl Interner {
    pub fn number(&mut self, text: &str, document: Option<&RepoPath>) -> Result<u32, ScipFault> {
        let kind = kind_of(text);
        let document = document.filter(|_| kind == SymbolKind::Local);
        let numbers = self.numbers.entry(document.cloned()).or_default();
        if let Some(number) = numbers.get(text) {
            return Ok(*number);
        }
        let number = u32::try_from(self.symbols.len()).map_err(|_| ScipFault::TooManySymbols)?;
        let text: Arc<str> = text.into();
        numbers.insert(text.clone(), number);
        self.symbols.push(Symbol { text, kind, document: document.cloned(), relationships: Vec::new() });
        Ok(number)
    }

    pub fn relate(&mut self, symbol: u32, relationship: Relationship) {
        self.symbols[symbol as usize].relationships.push(relationship);
    }

    /// The symbols in their order, and for each number given before, its place there: the order of documents
    /// in a file is the indexer's whim.
    pub fn sorted(self) -> (Vec<Symbol>, Vec<u32>) {
        let mut numbered: Vec<(u32, Symbol)> = (0..).zip(self.symbols).collect();
        numbered.sort_unstable_by(|(_, a), (_, b)| (&a.text, &a.document).cmp(&(&b.text, &b.document)));
        let mut renumbered = vec![0; numbered.len()];
        for (place, (number, _)) in (0..).zip(&numbered) {
            renumbered[*number as usize] = place;
        }
        let mut symbols: Vec<Symbol> = numbered.into_iter().map(|(_, symbol)| symbol).collect();
        for symbol in &mut symbols {
            for relationship in &mut symbol.relationships {
                relationship.symbol = renumbered[relationship.symbol as usize];
            }
            symbol.relationships.sort_unstable();
            symbol.relationships.dedup();
        }
        (symbols, renumbered)
    }
}
