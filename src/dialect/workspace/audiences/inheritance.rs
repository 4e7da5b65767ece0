//! What blocks inherit from what is around them.

use super::{Workspace, clause};
use crate::dialect::workspace::Grant;
use crate::record::Audience;

/// What so many blocks claim to hold is for nobody.
pub(super) const MAX_SAME: usize = 64;

/// Follows parents from the roots down.
pub(super) struct Inheritance<'w> {
    workspace: &'w Workspace,
    /// By block: those that it inherits from, and those that inherit from it.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// Blocks that nobody may read, because a parent of them is not there or they are their own ancestors.
    is_lost: Vec<bool>,
    /// What is granted by lines of their own.
    given: Vec<Vec<&'w Grant>>,
}

impl<'w> Inheritance<'w> {
    pub(super) fn new(workspace: &'w Workspace) -> Self {
        let count = workspace.count();
        let mut inheritance = Inheritance {
            workspace,
            above: vec![Vec::new(); count],
            below: vec![Vec::new(); count],
            is_lost: vec![false; count],
            given: vec![Vec::new(); count],
        };
        (0..count).for_each(|at| inheritance.link(at));
        for given in workspace.files.iter().flat_map(|(_, file)| &file.grants) {
            workspace.with_id(&given.block).iter().for_each(|at| inheritance.given[*at].push(&given.grant));
        }
        inheritance.above.iter_mut().for_each(|above| {
            above.sort_unstable();
            above.dedup();
        });
        for at in 0..count {
            inheritance.above[at].iter().for_each(|parent| inheritance.below[*parent].push(at));
        }
        inheritance.lose_cycles();
        inheritance
    }

    /// A block inherits from the parent that it names and from those that list it.
    fn link(&mut self, at: usize) {
        let (block, file) = (self.workspace.block(at), self.workspace.file_of(at));
        for child in block.children.iter().flat_map(|child| self.workspace.meant(child, file)) {
            self.above[child].push(at);
            self.is_lost[child] |= self.above[child].len() > MAX_SAME;
            self.above[child].truncate(MAX_SAME + 1);
        }
        let Some(parent) = &block.parent else { return };
        let parents = self.workspace.meant(parent, file);
        let too_many = parents.len() > MAX_SAME;
        let is_root = || self.workspace.files[file].1.roots.contains(&block.id);
        self.is_lost[at] |= too_many || parents.is_empty() && !is_root();
        self.above[at].extend(parents.into_iter().take(MAX_SAME));
    }

    /// Takes away blocks from both ends until only cycles, and what is between them, are left.
    fn lose_cycles(&mut self) {
        let mut is_left = vec![true; self.above.len()];
        for (from, to) in [(&self.above, &self.below), (&self.below, &self.above)] {
            let mut counts: Vec<usize> =
                from.iter().map(|ends| ends.iter().filter(|end| is_left[**end]).count()).collect();
            let mut free: Vec<usize> = (0..counts.len()).filter(|at| is_left[*at] && counts[*at] == 0).collect();
            while let Some(at) = free.pop() {
                is_left[at] = false;
                for end in to[at].iter().copied().filter(|end| is_left[*end]) {
                    counts[end] -= 1;
                    if counts[end] == 0 {
                        free.push(end);
                    }
                }
            }
        }
        self.is_lost.iter_mut().zip(is_left).for_each(|(is_lost, is_left)| *is_lost |= is_left);
    }

    pub(super) fn audiences(&self) -> Vec<Audience> {
        let is_decided = |at: usize| self.is_lost[at];
        let waits = |at: usize| self.above[at].iter().filter(|parent| !is_decided(**parent)).count();
        let mut counts: Vec<usize> = (0..self.above.len()).map(waits).collect();
        let mut audiences = vec![Audience::nobody(); counts.len()];
        let mut free: Vec<usize> = (0..counts.len()).filter(|at| !is_decided(*at) && counts[*at] == 0).collect();
        while let Some(at) = free.pop() {
            audiences[at] = self.audience(at, &audiences);
            for child in self.below[at].iter().copied().filter(|child| !is_decided(*child)) {
                counts[child] -= 1;
                if counts[child] == 0 {
                    free.push(child);
                }
            }
        }
        audiences
    }

    /// The blocks that nobody may read because of what is around them.
    pub(super) fn lost(&self) -> Vec<usize> {
        (0..self.is_lost.len()).filter(|at| self.is_lost[*at]).collect()
    }

    fn audience(&self, at: usize, audiences: &[Audience]) -> Audience {
        let block = self.workspace.block(at);
        let grants: Vec<&Grant> = block.grants.iter().chain(self.given[at].iter().copied()).collect();
        let own = Audience::new(grants.iter().map(|grant| clause(grant)).collect());
        let replaces = block.block_type.may_be_shared_wider() && grants.iter().any(|grant| grant.replaces);
        match (self.above[at].as_slice(), grants.is_empty()) {
            (_, false) if replaces => own,
            ([], true) => self.workspace.root.clone(),
            (above, _) => above.iter().fold(own, |own, parent| own.and(&audiences[*parent])),
        }
    }
}
