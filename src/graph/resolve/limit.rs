//! How much work one lookup may do. Names lead to other names, so a cycle among them must end, and so must a
//! fan: eight levels of a hundred alternatives each are never worked off.

use std::cell::Cell;

/// How far re-exports, aliases and types are followed.
const MAX_DEPTH: u32 = 16;
/// How often one lookup may follow a name to another one. The largest real one we know takes far fewer.
const MAX_STEPS: u32 = 1 << 16;

/// The steps that one lookup has left. Every lookup gets its own, so that its result depends on nothing else.
pub(super) struct Steps(Cell<u32>);

/// The depth of one step, and the steps that are left to the whole lookup.
#[derive(Clone, Copy)]
pub(super) struct Limit<'s> {
    depth: u32,
    steps: &'s Steps,
}

impl Steps {
    pub fn new() -> Self {
        Steps(Cell::new(MAX_STEPS))
    }

    pub fn limit(&self) -> Limit<'_> {
        Limit { depth: 0, steps: self }
    }
}

impl Limit<'_> {
    /// The limit of what this step leads to.
    pub fn deeper(self) -> Self {
        self.steps.0.set(self.steps.0.get().saturating_sub(1));
        Limit { depth: self.depth + 1, ..self }
    }

    pub fn is_reached(self) -> bool {
        self.depth >= MAX_DEPTH || self.steps.0.get() == 0
    }

    pub fn depth(self) -> u32 {
        self.depth
    }
}
