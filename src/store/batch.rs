//! The lines of one piece before they are written.

use serde_json::Value;

use crate::record::{Artifact, ArtifactType, SchemaFault, write_line};

/// Canonical lines in key order, each with its line break, and what the manifest says of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    pub lines: Vec<u8>,
    pub records: u64,
    /// The first record's key.
    pub first: Value,
    /// The last record's key.
    pub last: Value,
}

impl Batch {
    /// From records in strictly rising order. Nothing for no records: an empty piece is not written.
    pub fn of<A: Artifact>(records: &[A]) -> Option<Batch> {
        debug_assert!(records.windows(2).all(|pair| pair[0].key() < pair[1].key()), "records come sorted");
        let (first, last) = (key(records.first()?), key(records.last()?));
        let mut lines = Vec::new();
        records.iter().for_each(|record| write_line(record, &mut lines));
        Some(Batch { lines, records: records.len() as u64, first, last })
    }

    /// From lines that are already canonical and sorted, as an old piece gives them.
    pub fn of_lines(artifact: &ArtifactType, lines: Vec<u8>) -> Result<Option<Batch>, SchemaFault> {
        let records = memchr::memchr_iter(b'\n', &lines).count() as u64;
        Self::of_counted_lines(artifact, lines, records)
    }

    /// [`Batch::of_lines`] of somebody who has counted them.
    pub fn of_counted_lines(
        artifact: &ArtifactType,
        lines: Vec<u8>,
        records: u64,
    ) -> Result<Option<Batch>, SchemaFault> {
        let Some(whole) = lines.strip_suffix(b"\n") else {
            return Ok(None);
        };
        let first = artifact.key_of_line(&whole[..memchr::memchr(b'\n', whole).unwrap_or(whole.len())])?;
        let last = artifact.key_of_line(&whole[memchr::memrchr(b'\n', whole).map_or(0, |at| at + 1)..])?;
        Ok(Some(Batch { lines, records, first, last }))
    }
}

fn key<A: Artifact>(record: &A) -> Value {
    serde_json::to_value(record.key()).expect("a key holds only what JSON can say")
}
