//! What the front ends for prose share: sections, links, and names of code between the words.

mod code_name;
mod link;
mod list_item;
mod section;

pub use code_name::{code_mention, dotted_mention};
pub use link::{is_external, link_mention};
pub use list_item::list_item_indent;
pub use section::{Heading, capped_name, sections};

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
