//! What one document says: definitions, links, fields and sections. One module per kind of document.

mod page;
/// Spec documents: markdown with an id in its front matter, and links to other specs.
pub mod spec;

pub use page::Page;
