//! Parts of documents that no dialect owns: the front matter block, its YAML, headings and ids. Pure: reads text, decides
//! nothing about what it means.

pub mod front_matter;
pub mod heading;
mod node;
pub mod spec_id;
pub mod yaml;

#[cfg(test)]
mod tests;
