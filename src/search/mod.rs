//! Finds the chunks that answer a query. Pure.
//!
//! `words` splits text into terms, `numbered` numbers them, `terms` is the term index of one shard, `corpus` joins all
//! shards, `query` parses the query text, `rank` scores the chunks that match it, `features` and `model` estimate how
//! likely each chunk is the wanted one, `order` sorts them by that and by their length, `relation` recognises questions
//! about one symbol, and `weights` contains all weights. `scope` limits what is found, and `term_set` shows where a text
//! contains terms of a query.
//!
//! `quotes` and `trace` read parts of a query, `translate` adds English words to a query in another language,
//! `synonyms` adds words for the same thing, `literals` finds texts of the query that occur in chunks, and `coverage`
//! finds what the tree does not contain.

mod corpus;
mod coverage;
mod features;
mod file_names;
mod found;
mod handles;
mod literals;
mod model;
mod numbered;
mod order;
mod query;
mod quotes;
mod rank;
mod relation;
mod scope;
mod synonyms;
mod term_set;
pub mod terms;
mod trace;
mod translate;
mod weights;
mod words;

pub use corpus::{Corpus, RecordPlace};
pub use coverage::Coverage;
pub use features::{ChunkVotes, FileVotes, Votes};
pub use literals::{Literal, Suspects, join as join_matches};
pub use model::Model;
pub use numbered::NumberedTerms;
pub use order::Placed;
pub use query::{Query, Zone, zones};
pub use rank::{Answer, Hit, rarity, search};
pub use relation::{Asked, Relation, asked};
pub use scope::Scope;
pub use synonyms::add_synonyms;
pub use term_set::TermSet;
pub use terms::{FileFlags, is_in_test_module};
pub use translate::{Translation, translate};
pub use weights::{ChunkFeature, Feature, FileFeature, WEIGHTS, Weights};
pub use words::{Analyser, parts, whole, words};
