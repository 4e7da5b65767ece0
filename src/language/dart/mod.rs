//! Dart beyond its table and query: where its packages lie.

pub mod modules;
