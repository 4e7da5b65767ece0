//! Whether an accelerator says what its records say: it is made again from them and compared.

use super::Index;
use super::manifest::{self, AcceleratorEntry, AcceleratorPart};
use super::piece_name::PieceName;
use super::verify::Fault;
use crate::record::Digest;

/// How an accelerator is made. The store knows no form but its own, so whoever verifies brings these.
pub struct AcceleratorCheck {
    pub name: &'static str,
    pub version: u32,
    /// Reads the index's records and gives the accelerator's parts, each with its number, in order.
    pub build: fn(&Index, PartSink<'_>) -> Result<(), Fault>,
}

/// Takes a part's number and bytes.
pub type PartSink<'s> = &'s mut dyn FnMut(u32, &[u8]) -> Result<(), Fault>;

/// Checks every accelerator that the manifest lists. One that no check can rebuild is a fault: its content cannot be
/// verified.
pub fn check_accelerators(index: &Index, checks: &[AcceleratorCheck]) -> Result<(), Fault> {
    index.manifest().accelerators.iter().try_for_each(|entry| check_accelerator(index, entry, checks))
}

fn check_accelerator(index: &Index, entry: &AcceleratorEntry, checks: &[AcceleratorCheck]) -> Result<(), Fault> {
    let check = checks.iter().find(|check| check.name == entry.name).ok_or_else(|| {
        Fault::new(
            manifest::FILE_NAME,
            format!("it lists an accelerator `{}` that this build does not know", entry.name),
        )
    })?;
    index.accelerator_entry(check.name, check.version)?;
    let mut parts = entry.parts.iter();
    (check.build)(index, &mut |number, bytes| compare(entry, parts.next(), number, bytes))?;
    match parts.next() {
        None => Ok(()),
        Some(extra) => Err(Fault::new(&extra.path, "its records do not make it")),
    }
}

/// The part's file was already checked against its digest, so comparing digests is enough.
fn compare(entry: &AcceleratorEntry, part: Option<&AcceleratorPart>, number: u32, bytes: &[u8]) -> Result<(), Fault> {
    let digest = Digest::blake3(bytes);
    let made = PieceName::accelerator(&entry.name, number, &digest);
    match part {
        None => Err(Fault::new(&made.to_string(), "its records make it and the manifest does not list it")),
        Some(part) if part.digest == digest && part.path == made.to_string() => Ok(()),
        Some(part) => Err(Fault::new(&part.path, "it is not what its records make")),
    }
}
