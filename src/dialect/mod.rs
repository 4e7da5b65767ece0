//! What one document says beyond its language: links, fields, sections and notes. One module per kind of document.
//! Pure.
//!
//! Pages (`spec`, `vault`, `logseq`) give a [`Page`], exports (`tana`, `nodes`) an [`export::Export`]. The chunk stage
//! makes records of both.

mod date_format;
/// What exports of notes share.
pub mod export;
/// Pages and journals of Logseq graphs.
pub mod logseq;
mod markup;
/// `nodes.jsonl`: notes of any program.
pub mod nodes;
/// What the sources of notes share.
pub mod note;
/// Which files of a tree hold notes.
pub mod note_tree;
mod page;
/// Spec documents: markdown with an id in its front matter, and links to other specs.
pub mod spec;
/// Exports of Tana.
pub mod tana;
/// Pages and canvases of Obsidian vaults.
pub mod vault;
/// Workspaces: blocks with people who may read them.
pub mod workspace;

pub use page::{Details, NAMELESS, Page, Part, part_ends};
