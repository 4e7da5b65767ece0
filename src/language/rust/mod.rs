//! Rust beyond its table and query: finds its modules.

pub mod modules;
