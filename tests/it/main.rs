//! The real binaries on real trees.

#![expect(clippy::disallowed_methods, reason = "tests make trees and look at what was written")]

mod arrows;
mod bad_input;
mod brief;
mod build;
mod cli;
mod cover;
mod determinism;
mod doctor;
mod eval;
mod faults;
mod focus;
mod frame;
mod gate;
mod golden;
mod graph;
mod graph_view;
mod help;
mod incremental;
mod mcp;
mod named;
mod notes;
mod pack;
mod pages;
mod payload;
mod pipelines;
mod query;
mod schema;
mod secrets;
mod service;
mod shards;
mod show;
mod spec;
mod tool;
mod view;
mod workspace;
