//! Resolves names between chunks.

pub mod adjacency;
