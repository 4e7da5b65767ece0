//! Which note is in which. The data may say anything: loops are cut, and depth has no limit.

use std::cmp::Ordering;

use crate::record::Date;

/// Stands for a number that is not there.
pub const NONE: u32 = u32::MAX;

/// Things by number, each with at most one owner.
pub struct Forest {
    owners: Vec<u32>,
    /// Where the owned things of each one start in `owned`; one more than there are things.
    starts: Vec<u32>,
    owned: Vec<u32>,
    roots: Vec<u32>,
}

impl Forest {
    /// Builds the forest. `order` sorts what one thing owns, and `roots` what nothing owns. Returns also the things
    /// whose owner was taken away because the owners form a loop: of each loop the first one by `loops`.
    pub fn new(
        mut owners: Vec<u32>,
        order: impl Fn(u32, u32) -> Ordering,
        roots: impl Fn(u32, u32) -> Ordering,
        loops: impl Fn(u32, u32) -> Ordering,
    ) -> (Self, Vec<u32>) {
        let cut = cut_loops(&mut owners, loops);
        let mut starts = vec![0; owners.len() + 2];
        owners.iter().filter(|owner| **owner != NONE).for_each(|owner| starts[*owner as usize + 2] += 1);
        (2..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let mut owned = vec![0; starts[starts.len() - 1] as usize];
        let mut own_roots = Vec::new();
        for (thing, owner) in owners.iter().enumerate() {
            if *owner == NONE {
                own_roots.push(thing as u32);
                continue;
            }
            let free = &mut starts[*owner as usize + 1];
            owned[*free as usize] = thing as u32;
            *free += 1;
        }
        starts.pop();
        for bounds in starts.windows(2) {
            owned[bounds[0] as usize..bounds[1] as usize].sort_by(|a, b| order(*a, *b));
        }
        own_roots.sort_by(|a, b| roots(*a, *b));
        (Forest { owners, starts, owned, roots: own_roots }, cut)
    }

    pub fn owner(&self, thing: u32) -> Option<u32> {
        Some(self.owners[thing as usize]).filter(|owner| *owner != NONE)
    }

    pub fn owned(&self, thing: u32) -> &[u32] {
        let bounds = self.starts[thing as usize]..self.starts[thing as usize + 1];
        &self.owned[bounds.start as usize..bounds.end as usize]
    }

    /// Every thing, owners before what they own.
    pub fn preorder(&self) -> Vec<u32> {
        let mut all = Vec::with_capacity(self.owners.len());
        let mut pending: Vec<u32> = self.roots.iter().rev().copied().collect();
        while let Some(thing) = pending.pop() {
            all.push(thing);
            pending.extend(self.owned(thing).iter().rev());
        }
        all
    }
}

/// Takes the owner from one thing of each loop.
fn cut_loops(owners: &mut [u32], order: impl Fn(u32, u32) -> Ordering) -> Vec<u32> {
    // The number of the walk that came by first.
    let mut seen = vec![NONE; owners.len()];
    let mut cut = Vec::new();
    for start in 0..owners.len() as u32 {
        let mut at = start;
        while at != NONE && seen[at as usize] == NONE {
            seen[at as usize] = start;
            at = owners[at as usize];
        }
        if at != NONE && seen[at as usize] == start {
            let first = first_of_loop(owners, at, &order);
            owners[first as usize] = NONE;
            cut.push(first);
        }
    }
    cut.sort_by(|a, b| order(*a, *b));
    cut
}

fn first_of_loop(owners: &[u32], start: u32, order: impl Fn(u32, u32) -> Ordering) -> u32 {
    let (mut first, mut at) = (start, owners[start as usize]);
    while at != start {
        if order(at, first).is_lt() {
            first = at;
        }
        at = owners[at as usize];
    }
    first
}

/// The notes around the next one, while notes are made in preorder.
#[derive(Default)]
pub struct OpenNotes {
    /// From the outermost one.
    open: Vec<OpenNote>,
    count: u32,
}

struct OpenNote {
    thing: u32,
    number: u32,
    /// Those of the unit that it is or is in.
    dates: Dates,
}

/// When something was made and changed last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dates {
    pub created: Option<Date>,
    pub modified: Option<Date>,
}

/// Where a note is in the outline.
pub struct Place {
    /// The number of the note around it.
    pub parent: Option<u32>,
    pub depth: u32,
    pub dates: Dates,
}

impl OpenNotes {
    /// Opens a note inside another one that is open. Dates that it does not have are those of the unit that it is in.
    pub fn open(&mut self, thing: u32, parent: Option<u32>, is_unit: bool, own: Dates) -> Place {
        while self.open.pop_if(|open| Some(open.thing) != parent).is_some() {}
        let around = self.open.last().map(|open| open.dates.clone()).unwrap_or_default();
        let modified = own.modified.or_else(|| own.created.clone()).or_else(|| around.modified.clone());
        let dates = Dates { created: own.created.or_else(|| around.created.clone()), modified };
        let parent = self.open.last().map(|open| open.number);
        let place = Place { parent, depth: self.open.len() as u32, dates: dates.clone() };
        self.open.push(OpenNote { thing, number: self.count, dates: if is_unit { dates } else { around } });
        self.count += 1;
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(owners: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let order = |a: u32, b: u32| a.cmp(&b);
        let (forest, cut) = Forest::new(owners.to_vec(), order, order, order);
        (forest.preorder(), cut)
    }

    #[test]
    fn owners_come_before_what_they_own() {
        let (preorder, cut) = forest(&[2, 0, NONE, 2, NONE]);
        assert_eq!(preorder, [2, 0, 1, 3, 4]);
        assert!(cut.is_empty());
    }

    #[test]
    fn loops_are_cut_once() {
        // 0 → 1 → 2 → 0, with 3 below 2; 4 owns itself.
        let (preorder, cut) = forest(&[1, 2, 0, 2, 4]);
        assert_eq!(cut, [0, 4]);
        assert_eq!(preorder, [0, 2, 1, 3, 4]);
    }

    #[test]
    fn depth_and_loops_take_linear_time() {
        let count = 300_000;
        let chain: Vec<u32> = (0..count).map(|at| if at == 0 { NONE } else { at - 1 }).collect();
        assert_eq!(forest(&chain).0.last(), Some(&(count - 1)));
        let ring: Vec<u32> = (0..count).map(|at| (at + 1) % count).collect();
        assert_eq!(forest(&ring).1, [0]);
        assert!(forest(&[]).0.is_empty());
    }
}
