//! Random access: the records whose key starts with a prefix, without reading the others.

use std::cmp::Ordering;

use serde_json::{Number, Value};

use super::manifest::Part;
use super::piece::{Piece, lines_of};
use super::{Index, StoreError};
use crate::record::{Artifact, ArtifactType};

impl Index {
    /// Gives every line of an artifact whose key starts with the prefix, in key order. Decompresses
    /// only the frames that a binary search looks into and those that hold such lines.
    pub fn find(&self, artifact: &str, prefix: &[Value], mut each: impl FnMut(&[u8])) -> Result<(), StoreError> {
        self.search(artifact, prefix, |_, line| {
            each(line);
            Ok(())
        })
    }

    /// [`Index::find`] as records.
    pub fn find_records<A: Artifact>(&self, prefix: &[Value]) -> Result<Vec<A>, StoreError> {
        let mut records = Vec::new();
        self.search(A::NAME, prefix, |piece, line| {
            records.push(serde_json::from_slice(line).map_err(|error| piece.not_a_record::<A>(&error))?);
            Ok(())
        })?;
        Ok(records)
    }

    fn search(
        &self,
        artifact: &str,
        prefix: &[Value],
        mut each: impl FnMut(&Piece, &[u8]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
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
    fn run(&mut self, each: &mut impl FnMut(&Piece, &[u8]) -> Result<(), StoreError>) -> Result<(), StoreError> {
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
    let told = |(at, (_, wanted)): &(usize, (&Value, &Value))| *at == 0 || wanted.is_number();
    key.iter()
        .zip(prefix)
        .enumerate()
        .take_while(told)
        .map(|(_, (element, wanted))| compare_elements(element, wanted))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Nothing before something, numbers by size, strings by bytes, lists by their elements.
fn compare_elements(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Null, _) => Ordering::Less,
        (_, Value::Null) => Ordering::Greater,
        (Value::Number(a), Value::Number(b)) => compare_numbers(a, b),
        (Value::String(a), Value::String(b)) => a.as_bytes().cmp(b.as_bytes()),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => {
            let difference = a.iter().zip(b).map(|(a, b)| compare_elements(a, b)).find(|order| order.is_ne());
            difference.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => Ordering::Equal,
    }
}

fn compare_numbers(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => a.as_f64().unwrap_or(f64::NAN).total_cmp(&b.as_f64().unwrap_or(f64::NAN)),
    }
}
