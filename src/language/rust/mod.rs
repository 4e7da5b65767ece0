//! Rust beyond its table and query: where its modules lie.

pub mod modules;
