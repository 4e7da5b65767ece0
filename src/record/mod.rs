//! Records that stages exchange, and the requests and answers of the doors. Pure.
//!
//! A record is declared once, here. Its schema, reader, writer, validator and contract tests follow from the
//! declaration and its entry in [`ALL`].

mod artifact;
mod audience;
mod block_item;
mod block_type;
pub mod brief;
pub mod bundle;
mod chunk;
pub mod codec;
mod coverage;
mod date;
mod digest;
mod edge;
mod error_code;
mod evidence;
mod file;
mod file_lines;
mod filter;
mod focus;
pub mod frame;
mod identity;
mod item;
mod kind;
pub mod lens;
mod node;
mod note_input;
mod numbers;
pub mod pack;
mod position;
mod problem;
mod reference;
pub mod request;
mod schema_page;
mod score;
pub mod session;
mod symbol;
mod vocabulary;
pub mod workspace;

pub use artifact::{ALL, Artifact, ArtifactType, LineCheck, SchemaFault, write_line};
pub use audience::{Audience, Principal, Reader};
pub use block_item::LinkKind;
pub use block_type::{BlockClass, BlockType};
pub use bundle::SpecRole;
pub use chunk::{Chunk, Part};
pub use coverage::Coverage;
pub use date::Date;
pub use digest::Digest;
pub use edge::{Edge, EdgeStatus, Tier};
pub use error_code::ErrorCode;
pub use evidence::{Evidence, EvidenceKind, EvidencePlace};
pub use file::{Analysis, File, LineEnding, Mark, SourceKind};
pub use file_lines::{FileLines, white_lines};
pub(crate) use identity::is_hex;
pub use identity::{ChunkUid, EvidenceId, IdentityError, LanguageId, SymbolId, escaped, last_name};
pub use item::{Field, FieldValue, Item};
pub use kind::{Cut, Kind};
pub use node::{Node, NodeId, NodeKind};
pub use note_input::NoteInput;
pub use numbers::{BlockNo, ChunkNo, FileNo, NodeNo, NoteNo};
pub use position::{ByteRange, Lines, Range, Site};
pub use problem::{Problem, ProblemCode, Severity};
pub use reference::{Binding, Flow, FlowSource, Reference, References};
pub use schema_page::{schema_page, schema_words};
pub use score::Score;
pub use symbol::{Parameter, Symbol};
pub use vocabulary::{Direction, EdgeType, Medium, Origin, Role, View};

/// A count that is left out of its record when there is nothing to count.
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A flag that is left out of its record when it is not set.
pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

/// A flag that is left out of its record when it is set.
fn is_true(flag: &bool) -> bool {
    *flag
}
