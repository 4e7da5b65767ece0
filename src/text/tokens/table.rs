//! The layout of a vocabulary in the binary: what `build.rs` writes and `vocabulary.rs` reads.
//!
//! `records` holds each token as its length (one byte), its rank (three, little-endian) and its bytes.
//! `slots` is an open-addressing hash table of little-endian `u32`: the upper bits are a part of the
//! token's hash, so that most absent tokens are told by the slot alone; the lower ones say where its
//! record starts.

/// A slot that holds no token.
pub const EMPTY: u32 = u32::MAX;

/// Bytes before a record's token.
pub const HEADER: usize = 4;

/// Bits of a slot that say where the record starts: both vocabularies' records are below 4 MiB.
pub const START_BITS: u32 = 22;

/// Which slot a token is looked for first; from there on, slot by slot.
pub fn home(hash: u64, slot_count: usize) -> usize {
    (((hash >> 32) * slot_count as u64) >> 32) as usize
}

/// The part of a token's hash that its slot keeps, in place.
pub fn fingerprint(hash: u64) -> u32 {
    (hash as u32) << START_BITS
}

/// The same on every machine, unlike a hasher that reads native words.
pub fn hash(token: &[u8]) -> u64 {
    let (first, last) = match token.len() {
        0..4 => (short_word(token), token.len() as u64),
        4..8 => (word4(token, 0), word4(token, token.len() - 4)),
        8..=16 => (word8(token, 0), word8(token, token.len() - 8)),
        _ => return long_hash(token),
    };
    mix(first ^ token.len() as u64, last)
}

fn long_hash(token: &[u8]) -> u64 {
    let blocks = (0..token.len() - 8).step_by(8);
    let folded = blocks.fold(token.len() as u64, |folded, at| mix(folded, word8(token, at)));
    mix(folded, word8(token, token.len() - 8))
}

/// The two halves of a 128-bit product; the constants are digits of pi, so that zeros do not stay zeros.
fn mix(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ 0x243F_6A88_85A3_08D3) * u128::from(right ^ 0x1319_8A2E_0370_7344);
    (product as u64) ^ ((product >> 64) as u64)
}

fn short_word(token: &[u8]) -> u64 {
    token.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

fn word4(token: &[u8], at: usize) -> u64 {
    u64::from(u32::from_le_bytes(token[at..at + 4].try_into().expect("four bytes")))
}

fn word8(token: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(token[at..at + 8].try_into().expect("eight bytes"))
}
