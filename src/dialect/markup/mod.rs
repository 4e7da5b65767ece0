//! The markup that Obsidian and Logseq add to markdown: links in double brackets, tags, fields, tasks.

mod collect;
mod dates;
mod field;
mod front_matter;
mod link;
mod nest;
mod org_block;
mod outdent;
mod scan;
mod sheet;
mod tag;
mod task;
mod zones;

pub use collect::{Collector, Owners};
pub use dates::value_date;
pub use field::{Property, property};
pub use front_matter::{FrontMatter, Names};
pub use link::{is_attachment, percent_decoded};
pub use nest::Nest;
pub use org_block::OrgBlock;
pub use outdent::columns;
pub use scan::{Mark, Sign, Syntax, content_start};
pub use sheet::Sheet;
pub use tag::is_tag;
pub use task::TaskState;

#[cfg(test)]
mod tests;
