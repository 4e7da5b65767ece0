//! Go beyond its table and query: finds its packages.

pub mod modules;
