//! Parts of documents that dialects share: the front matter block, its YAML, headings and ids of specs. Pure: reads
//! text and does not interpret it.

pub mod front_matter;
pub mod heading;
mod node;
pub mod spec_id;
pub mod yaml;

#[cfg(test)]
mod tests;
