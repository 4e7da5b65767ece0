//! Finds the chunks that answer a query. Pure.
//!
//! `words` splits text into terms, `terms` is the term index of one shard, `corpus` joins all shards, `query` parses
//! the query text, `rank` scores the chunks that match it, `model` estimates how likely each chunk is the wanted one,
//! `relation` recognises questions about one symbol, and `weights` contains every number that they use. `term_set` shows where a text contains terms of a query.

mod corpus;
mod file_names;
mod model;
mod query;
mod rank;
mod relation;
mod term_set;
pub mod terms;
mod weights;
mod words;

pub use corpus::{Corpus, RecordPlace};
pub use model::{FileVotes, Model, Placed, Votes};
pub use query::Query;
pub use rank::{Answer, Hit, rarity, search};
pub use relation::{Asked, Relation, asked};
pub use term_set::TermSet;
pub use terms::FileFlags;
pub use weights::{ChunkFeature, Feature, FileFeature, WEIGHTS, Weights};
pub use words::{Analyser, whole, words};
