//! The door to the index: reads and writes records as JSONL pieces with a manifest and accelerators.
//!
//! A directory holds the index of one stage. `recorder` writes it: first the pieces, last the manifest, by renaming it.
//! So a stop at any moment leaves the old index or the new one. `reader` finds every piece through the manifest, never
//! by listing the directory. `verify` checks both. `log` is for what only grows: the events of a session.

#![expect(clippy::disallowed_methods, reason = "the door to the index")]

mod accelerator_check;
mod batch;
mod disk;
mod error;
mod find;
mod frames;
mod links;
mod lock;
mod log;
mod manifest;
mod manifest_check;
mod mapped;
mod owner;
mod piece;
mod piece_name;
mod reader;
mod recorder;
mod sidecar;
mod sweep;
mod verify;

pub use accelerator_check::{AcceleratorCheck, PartSink};
pub use batch::Batch;
pub use disk::{Disk, Hook};
pub use error::StoreError;
pub use frames::{Compression, FrameFault, Frames, encode};
pub use lock::{Lock, WhenLocked};
pub use log::{LineLog, LogBytes, log_names};
pub use manifest::{AcceleratorEntry, AcceleratorPart, ArtifactEntry, Draft, Input, Manifest, Part, SHARE_STAGE};
pub use manifest_check::ManifestFault;
pub use mapped::Mapped;
pub use owner::{
    MARKS, VIEW_FILE, VIEW_SCHEMA, check_view, holds_index, holds_view, is_own, is_written_to, written_folders,
};
pub use piece::Piece;
pub use reader::{Index, Records};
pub use recorder::Recorder;
pub use verify::{Fault, Report, verify};

#[cfg(test)]
mod tests;
