//! Reads the SCIP index of another tool and compares its resolution of names with ours. Pure: bytes in, values out; the
//! caller knows the file.

pub mod compare;
mod encoding;
mod index;
mod interner;
mod parse;
mod location;
pub mod symbol;

pub use encoding::{PositionEncoding, column_in_utf16};
pub use index::{Document, Dropped, Occurrence, Relationship, ScipIndex, Symbol};
pub use location::Location;
pub use parse::{ScipFault, parse};
pub use symbol::{SymbolKind, kind_of};

#[cfg(test)]
mod tests;
