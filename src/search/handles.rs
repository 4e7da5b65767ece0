//! Short names of chunks: the first hex digits of their uids, as many as tell them apart.

use crate::record::ChunkUid;

/// The uids of an index, sorted.
pub struct Handles(Vec<u64>);

/// The hex digits of a handle that no other chunk shares. Two of 100,000 chunks share so many by chance.
const DIGITS: usize = 8;
/// The hex digits of a uid.
const ALL_DIGITS: usize = 16;

impl Handles {
    pub fn new(uids: impl Iterator<Item = ChunkUid>) -> Self {
        let mut all: Vec<u64> = uids.map(ChunkUid::to_hash).collect();
        all.sort_unstable();
        all.dedup();
        Handles(all)
    }

    /// The first digits of a uid: eight, or more if other chunks start with the same.
    pub fn of(&self, uid: ChunkUid) -> String {
        let hash = uid.to_hash();
        let at = self.0.partition_point(|other| *other < hash);
        let before = at.checked_sub(1).and_then(|before| self.0.get(before));
        let after = self.0[at..].iter().find(|other| **other != hash);
        let shared = |other: &u64| (hash ^ other).leading_zeros() as usize / 4;
        let digits = before.into_iter().chain(after).map(shared).max().map_or(DIGITS, |shared| shared + 1);
        format!("{hash:016x}")[..digits.clamp(DIGITS, ALL_DIGITS)].to_string()
    }

    /// The only chunk whose uid starts with the digits.
    pub fn find(&self, handle: &str) -> Option<ChunkUid> {
        let is_handle = (DIGITS..=ALL_DIGITS).contains(&handle.len()) && handle.bytes().all(|c| c.is_ascii_hexdigit());
        let first = u64::from_str_radix(handle, 16).ok().filter(|_| is_handle)? << (4 * (ALL_DIGITS - handle.len()));
        let last = first | (1u64 << (4 * (ALL_DIGITS - handle.len()))).wrapping_sub(1);
        let at = self.0.partition_point(|other| *other < first);
        match &self.0[at..] {
            [only, rest @ ..] if *only <= last && rest.first().is_none_or(|next| *next > last) => {
                Some(ChunkUid::from_hash(*only))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handles(all: &[u64]) -> Handles {
        Handles::new(all.iter().map(|hash| ChunkUid::from_hash(*hash)))
    }

    #[test]
    fn a_handle_is_as_long_as_it_takes() {
        let all = [0x0123_4567_0000_0001, 0x0123_4567_0000_0002, 0xffff_ffff_ffff_ffff, 0];
        let handles = handles(&all);
        let of = |hash: u64| handles.of(ChunkUid::from_hash(hash));
        assert_eq!(of(all[0]), "0123456700000001", "it differs from its neighbour in the last digit");
        assert_eq!(of(all[2]), "ffffffff");
        assert_eq!(of(all[3]), "00000000");
        for hash in all {
            assert_eq!(handles.find(&of(hash)), Some(ChunkUid::from_hash(hash)), "{hash:x}");
        }
    }

    #[test]
    fn what_is_no_handle_finds_nothing() {
        let handles = handles(&[0x0123_4567_0000_0001, 0x0123_4567_0000_0002]);
        for wrong in ["01234567", "0123456", "0123456g", "", "+1234567", "99999999", "01234567000000010"] {
            assert_eq!(handles.find(wrong), None, "{wrong}");
        }
    }
}
