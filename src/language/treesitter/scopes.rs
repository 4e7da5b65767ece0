//! Which names a function binds itself, and what they hold.

use rustc_hash::FxHashMap;

use crate::language::facts::Held;
use crate::text::Span;

const MAX_NESTED_SCOPES: usize = 64;

/// The local names of one text, by the innermost scope around them.
pub struct Scopes<'t> {
    /// Sorted, outer before inner.
    spans: Vec<Span>,
    parents: Vec<Option<usize>>,
    names: FxHashMap<&'t str, FxHashMap<usize, Vec<Binding<'t>>>>,
}

/// A name and, while its value is worked out, not yet what it holds: the `x` in `f(x)` of
/// `let x = f(x)` is an older one.
struct Binding<'t> {
    name: u32,
    value_end: u32,
    held: Held<'t>,
}

impl Binding<'_> {
    /// Whether a place stands in the very value that the name is set to.
    fn is_being_set(&self, offset: u32) -> bool {
        self.name < offset && offset < self.value_end
    }
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
        Scopes { spans, parents, names: FxHashMap::default() }
    }

    /// Binds a name in the innermost scope around it; outside every scope a name is no local.
    pub fn bind(&mut self, name: &'t str, offset: u32, value_end: Option<u32>, held: Held<'t>) {
        if let Some(scope) = self.innermost(offset) {
            let value_end = value_end.map_or(offset, |end| end.max(offset));
            let bindings = self.names.entry(name).or_default().entry(scope).or_default();
            let at = bindings.partition_point(|binding| binding.value_end <= value_end);
            bindings.insert(at, Binding { name: offset, value_end, held });
        }
    }

    pub fn is_local(&self, name: &str, offset: u32) -> bool {
        self.bindings(name, offset).flatten().any(|binding| !binding.is_being_set(offset))
    }

    /// What a local holds at a place: the last binding before it, or the first there is.
    pub fn held(&self, name: &str, offset: u32) -> Option<&Held<'t>> {
        let before = |bindings: &'_ [Binding<'t>]| bindings.partition_point(|binding| binding.value_end < offset);
        let last = self.bindings(name, offset).find_map(|bindings| bindings[..before(bindings)].last());
        let first = || self.bindings(name, offset).flatten().find(|binding| !binding.is_being_set(offset));
        last.or_else(first).map(|binding| &binding.held)
    }

    /// What the scopes around a place bind a name to, innermost first.
    fn bindings(&self, name: &str, offset: u32) -> impl Iterator<Item = &[Binding<'t>]> {
        let scopes = self.names.get(name);
        scopes
            .into_iter()
            .flat_map(move |scopes| self.chain(offset).filter_map(|scope| scopes.get(&scope).map(Vec::as_slice)))
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
