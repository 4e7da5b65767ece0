//! Random access: the records whose key starts with a prefix, without reading the others.

use std::cmp::Ordering;

use serde_json::Value;

use super::manifest::Part;
use super::piece::{Piece, lines_of};
use super::{Index, StoreError};
use crate::record::{Artifact, ArtifactType};

impl Index {
    /// Gives every line of an artifact whose key starts with the prefix, in key order. Decompresses
    /// only the frames that a binary search looks into and those that hold such lines.
    pub fn find<E: From<StoreError>>(
        &self,
        artifact: &str,
        prefix: &[Value],
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.search(artifact, prefix, |_, line| each(line))
    }

    /// [`Index::find`] as records.
    pub fn find_records<A: Artifact>(&self, prefix: &[Value]) -> Result<Vec<A>, StoreError> {
        let mut records = Vec::new();
        self.search(A::NAME, prefix, |piece, line| {
            records.push(piece.parse::<A, _>(line)?);
            Ok::<(), StoreError>(())
        })?;
        Ok(records)
    }

    fn search<E: From<StoreError>>(
        &self,
        artifact: &str,
        prefix: &[Value],
        mut each: impl FnMut(&Piece, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let entry = self.artifact(artifact)?;
        let artifact = ArtifactType::named(artifact).expect("a manifest that was read lists only known artifacts");
        for part in entry.parts.iter().filter(|part| may_hold(part, prefix)) {
            let piece = self.piece(part)?;
            Search { piece: &piece, artifact, prefix, buffer: Vec::new() }.run(&mut each)?;
        }
        Ok(())
    }
}

struct Search<'s> {
    piece: &'s Piece,
    artifact: &'static ArtifactType,
    prefix: &'s [Value],
    buffer: Vec<u8>,
}

impl Search<'_> {
    fn run<E: From<StoreError>>(&mut self, each: &mut impl FnMut(&Piece, &[u8]) -> Result<(), E>) -> Result<(), E> {
        for frame in self.first_frame()?..self.piece.frame_count() {
            self.piece.read_frame(frame, &mut self.buffer)?;
            for line in lines_of(&self.buffer) {
                let key = self.key(line)?;
                if compare(&key, self.prefix) == Ordering::Greater {
                    return Ok(());
                }
                if starts_with(&key, self.prefix) {
                    each(self.piece, line)?;
                }
            }
        }
        Ok(())
    }

    /// The last frame that starts before the prefix, since the first hit may be at its end.
    fn first_frame(&mut self) -> Result<usize, StoreError> {
        let (mut low, mut high) = (0, self.piece.frame_count());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.starts_before_prefix(middle)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low.saturating_sub(1))
    }

    fn starts_before_prefix(&mut self, frame: usize) -> Result<bool, StoreError> {
        self.piece.read_frame(frame, &mut self.buffer)?;
        let first = lines_of(&self.buffer).next().unwrap_or_default();
        Ok(compare(&self.key(first)?, self.prefix) == Ordering::Less)
    }

    fn key(&self, line: &[u8]) -> Result<Value, StoreError> {
        self.artifact.key_of_line(line).map_err(|fault| self.piece.corrupt(fault))
    }
}

fn may_hold(part: &Part, prefix: &[Value]) -> bool {
    compare(&part.first, prefix) != Ordering::Greater && compare(&part.last, prefix) != Ordering::Less
}

fn starts_with(key: &Value, prefix: &[Value]) -> bool {
    key.as_array().is_some_and(|key| key.starts_with(prefix))
}

/// How a key compares with a prefix; `Equal` where the JSON alone cannot tell.
///
/// Behind the first element only numbers count. A later string may be the word of an enum, and enums
/// are ordered as they are declared, not by their words; a later object is ordered by its fields'
/// declaration, which JSON has lost.
fn compare(key: &Value, prefix: &[Value]) -> Ordering {
    let key = key.as_array().map_or(&[][..], Vec::as_slice);
    let is_told = |(at, (_, wanted)): &(usize, (&Value, &Value))| *at == 0 || wanted.is_number();
    let elements = key.iter().zip(prefix).enumerate().take_while(is_told);
    elements
        .map(|(_, (element, wanted))| match (element, wanted) {
            (Value::Number(a), Value::Number(b)) => {
                a.as_i128().zip(b.as_i128()).map_or(Ordering::Equal, |(a, b)| a.cmp(&b))
            }
            (Value::String(a), Value::String(b)) => a.cmp(b),
            _ => Ordering::Equal,
        })
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
