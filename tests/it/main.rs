//! The real binaries on real trees.

mod cli;
mod determinism;
mod golden;
mod incremental;
mod schema;
mod tool;
mod view;
