//! Enforces budgets: what may be spent, and what was; and how much of a text still fits. Packs and bundles keep their
//! promises by it.

/// Several amounts, each with its own limit, that are spent together or not at all.
pub struct Account<const N: usize> {
    limits: [u32; N],
    spent: [u32; N],
}

impl<const N: usize> Account<N> {
    pub fn new(limits: [u32; N]) -> Self {
        Account { limits, spent: [0; N] }
    }

    pub fn spent(&self) -> [u32; N] {
        self.spent
    }

    /// What would be spent with more.
    pub fn with(&self, more: [u32; N]) -> [u32; N] {
        std::array::from_fn(|at| self.spent[at].saturating_add(more[at]))
    }

    /// The first limit that more would exceed.
    pub fn exceeded(&self, more: [u32; N]) -> Option<usize> {
        let total = self.with(more);
        (0..N).find(|at| total[*at] > self.limits[*at])
    }

    pub fn spend(&mut self, more: [u32; N]) {
        self.spent = self.with(more);
    }
}

/// The largest number up to `count` for which something fits. Of more lines there are seldom fewer tokens, so it is
/// looked for by halves; where it was so, the next smaller one that does fit is taken.
pub fn most(count: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if fits(middle) { low = middle } else { high = middle - 1 }
    }
    (0..=low).rev().find(|count| fits(*count))
}
