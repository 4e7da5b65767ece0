//! Fast canonical JSON (RFC 8785) for records: an index has hundreds of thousands of them.
//!
//! A record is declared once, with serde's derives. [`write`] works with `derive(Serialize)` and [`read`] with
//! `derive(Deserialize)`. [`projection!`] declares a struct that reads a few fields of a record, and the compiler
//! checks that the record has them.

mod bytes;
mod projection;
mod reader;
mod reason;
mod writer;

pub use projection::{ReadAs, optional_text, text};
pub(crate) use projection::{check_fields, projection};
pub use reader::{ReadFault, read};
pub use reason::plain_reason;
pub use writer::{WriteFault, write};

#[cfg(test)]
mod tests;
