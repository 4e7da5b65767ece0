//! Which names a function binds itself, and what they hold.

use std::collections::BTreeMap;

use crate::language::facts::Held;
use crate::text::Span;

const MAX_NESTED_SCOPES: usize = 64;

/// The local names of one text, by the innermost scope around them.
pub struct Scopes<'t> {
    /// Sorted, outer before inner.
    spans: Vec<Span>,
    parents: Vec<Option<usize>>,
    names: BTreeMap<&'t str, BTreeMap<usize, Vec<Binding<'t>>>>,
}

struct Binding<'t> {
    offset: u32,
    held: Held<'t>,
}

impl<'t> Scopes<'t> {
    pub fn new(mut spans: Vec<Span>) -> Self {
        spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        spans.dedup();
        let mut open: Vec<usize> = Vec::new();
        let parents = (0..spans.len())
            .map(|at| {
                while open.last().is_some_and(|outer| !spans[*outer].contains(spans[at])) {
                    open.pop();
                }
                let parent = open.last().copied();
                open.push(at);
                parent
            })
            .collect();
        Scopes { spans, parents, names: BTreeMap::new() }
    }

    /// Binds a name in the innermost scope around it; outside every scope a name is no local.
    pub fn bind(&mut self, name: &'t str, offset: u32, held: Held<'t>) {
        if let Some(scope) = self.innermost(offset) {
            let bindings = self.names.entry(name).or_default().entry(scope).or_default();
            let at = bindings.partition_point(|binding| binding.offset <= offset);
            match bindings[..at].last_mut().filter(|known| known.offset == offset) {
                // Two patterns fit one place: each may know a part.
                Some(known) => {
                    let Held { source, value_type } = std::mem::take(&mut known.held);
                    known.held = Held { source: held.source.or(source), value_type: held.value_type.or(value_type) };
                }
                None => bindings.insert(at, Binding { offset, held }),
            }
        }
    }

    pub fn is_local(&self, name: &str, offset: u32) -> bool {
        self.names.get(name).is_some_and(|scopes| self.chain(offset).any(|scope| scopes.contains_key(&scope)))
    }

    /// What a local holds at a place: the last binding before it, or the first there is.
    pub fn held(&self, name: &str, offset: u32) -> Option<&Held<'t>> {
        let scopes = self.names.get(name)?;
        let bindings = self.chain(offset).find_map(|scope| scopes.get(&scope))?;
        let before = bindings.partition_point(|binding| binding.offset < offset);
        Some(&bindings[before.saturating_sub(1)].held)
    }

    /// The innermost scope around a place.
    pub fn around(&self, offset: u32) -> Option<Span> {
        self.innermost(offset).map(|scope| self.spans[scope])
    }

    fn innermost(&self, offset: u32) -> Option<usize> {
        let mut at = self.spans.partition_point(|span| span.start <= offset).checked_sub(1);
        while let Some(scope) = at.filter(|scope| !self.spans[*scope].holds(offset)) {
            at = self.parents[scope];
        }
        at
    }

    /// The scopes around a place, innermost first; so many at most that a text of nothing but nested
    /// scopes is not looked through once for every name in it.
    fn chain(&self, offset: u32) -> impl Iterator<Item = usize> {
        std::iter::successors(self.innermost(offset), |scope| self.parents[*scope]).take(MAX_NESTED_SCOPES)
    }
}
