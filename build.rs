//! Lays the token vocabularies out as they are used, so that a process has nothing to load.
//!
//! Needs no crate and takes a fraction of a second: it stands in front of every build.

#![expect(clippy::disallowed_methods, reason = "a build script reads its input and writes its output")]

use std::path::Path;
use std::{env, fs};

#[path = "src/text/tokens/table.rs"]
mod table;

use table::{EMPTY, HEADER, START_BITS, fingerprint, hash, home};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/text/tokens/table.rs");
    for name in ["cl100k_base", "o200k_base"] {
        let input = format!("src/text/tokens/vocabulary/{name}.tokens");
        println!("cargo::rerun-if-changed={input}");
        let (slots, records) = lay_out(&fs::read(&input).expect("the vocabulary is committed"));
        let out = env::var_os("OUT_DIR").expect("cargo names it");
        let out = Path::new(&out).join(name);
        fs::write(out.with_extension("slots"), slots).expect("cargo made the folder");
        fs::write(out.with_extension("records"), records).expect("cargo made the folder");
    }
}

/// The bytes of the slots and of the records of a vocabulary.
fn lay_out(vocabulary: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut records = Vec::with_capacity(2 * vocabulary.len());
    // Half empty: an absent token, the common case while merging, is told after two or three slots.
    let mut slots = vec![EMPTY; 2 * tokens(vocabulary).count()];
    for (rank, token) in tokens(vocabulary).enumerate() {
        let start = records.len() as u32;
        assert!(start < 1 << START_BITS, "records are too long for their slots");
        *free_slot(&mut slots, hash(token)) = fingerprint(hash(token)) | start;
        records.push(token.len() as u8);
        records.extend_from_slice(&(rank as u32).to_le_bytes()[..HEADER - 1]);
        records.extend_from_slice(token);
    }
    (slots.into_iter().flat_map(u32::to_le_bytes).collect(), records)
}

/// Tokens by rank: each is a byte of length and its bytes.
fn tokens(mut rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, behind) = rest.split_first()?;
        let (token, behind) = behind.split_at(usize::from(*length));
        rest = behind;
        Some(token)
    })
}

fn free_slot(slots: &mut [u32], hash: u64) -> &mut u32 {
    let mut at = home(hash, slots.len());
    while slots[at] != EMPTY {
        at = (at + 1) % slots.len();
    }
    &mut slots[at]
}
