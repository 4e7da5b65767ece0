//! Query text into the chunks that answer it. Pure.
//!
//! `words` takes text apart, `terms` is the index of what comes out, `corpus` all shards of it, `query`
//! what a question says, `rank` the chunks that fit it, `model` how likely each is what is asked for, `weights`
//! every number of that.

mod corpus;
mod file_names;
mod model;
mod query;
mod rank;
pub mod terms;
mod weights;
mod words;

pub use corpus::{Corpus, RecordPlace};
pub use model::{FileVotes, Model, Placed, Votes};
pub use query::Query;
pub use rank::{Answer, Hit, rarity, search};
pub use terms::FileFlags;
pub use weights::{ChunkFeature, Feature, FileFeature, WEIGHTS, Weights};
pub use words::{Analyser, words};
