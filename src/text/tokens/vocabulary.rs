//! Which byte strings are tokens, and their ranks; read in place from the binary.

use super::table::{EMPTY, HEADER, START_BITS, fingerprint, hash, home};

/// The longest token of both vocabularies, in bytes; a test looks for a longer one.
pub const LONGEST_TOKEN: usize = 128;

/// A token's place in the order of merges: the lowest is merged first.
pub type Rank = u32;

/// `table.rs` describes the layout.
pub struct Vocabulary {
    slots: &'static [u8],
    records: &'static [u8],
}

pub static CL100K_BASE: Vocabulary = Vocabulary {
    slots: include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.slots")),
    records: include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.records")),
};

pub static O200K_BASE: Vocabulary = Vocabulary {
    slots: include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.slots")),
    records: include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.records")),
};

impl Vocabulary {
    pub fn rank(&self, token: &[u8]) -> Option<Rank> {
        if token.len() > LONGEST_TOKEN {
            return None;
        }
        let slots = self.slots.as_chunks().0;
        let hash = hash(token);
        let mut at = home(hash, slots.len());
        loop {
            let slot = u32::from_le_bytes(slots[at]);
            if slot == EMPTY {
                return None;
            }
            if slot >> START_BITS == fingerprint(hash) >> START_BITS
                && let Some(rank) = self.rank_at(slot, token)
            {
                return Some(rank);
            }
            at = if at + 1 == slots.len() { 0 } else { at + 1 };
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.slots.as_chunks().0.iter().filter(|slot| u32::from_le_bytes(**slot) != EMPTY).count()
    }

    /// The rank in a slot's record, if it is this token's.
    fn rank_at(&self, slot: u32, token: &[u8]) -> Option<Rank> {
        let record = &self.records[(slot & ((1 << START_BITS) - 1)) as usize..];
        let ([length, rank @ ..], bytes) = record.split_first_chunk::<HEADER>()?;
        let same = usize::from(*length) == token.len() && bytes[..token.len()] == *token;
        same.then(|| Rank::from_le_bytes([rank[0], rank[1], rank[2], 0]))
    }
}
