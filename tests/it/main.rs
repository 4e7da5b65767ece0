//! The real binaries on real trees.

mod bad_input;
mod cli;
mod cover;
mod determinism;
mod faults;
mod golden;
mod incremental;
mod schema;
mod tool;
mod view;
