//! Indexes are written by SCIP's own encoder and read back.

mod columns;
mod reading;
mod symbols;
pub(super) mod world;
