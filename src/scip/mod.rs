//! Another tool's word on what names mean: a SCIP index, read and compared with ours. Pure: bytes in,
//! values out; which file they are in is for the caller to know.

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
