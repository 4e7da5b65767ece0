//! Positions in the lists of one index. Each list has a type of its own, so that they cannot be mixed up.

/// The position of a node in the order of node ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeNo(pub u32);

impl NodeNo {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
