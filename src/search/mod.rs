//! Query text into the chunks that answer it. Pure.
//!
//! `words` takes text apart, `terms` is the index of what comes out, `corpus` all shards of it, `query`
//! what a question says, `rank` the chunks that fit it, `weights` every number of that.

mod corpus;
mod file_names;
mod query;
mod rank;
pub mod terms;
mod weights;
mod words;

pub use corpus::{Corpus, RecordPlace};
pub use query::Query;
pub use rank::{Found, Hit, search, spread};
pub use terms::FileFlags;
pub use weights::{Feature, WEIGHTS, Weights};
