//! contextpack: a source tree in, reproducible and explainable records out.
//!
//! Records flow one way: a module uses only modules that are listed above it. `tests/it/arrows.rs` has the table of
//! allowed uses and checks it. Only the doors open files, run programs, or read the clock and the environment:
//! `source`, `store`, `cli`, and the files of `pipeline` that say so at their top. `clippy.toml` checks that.

#![warn(clippy::iter_over_hash_type)]

/// Paths, spans, line positions, escapes and token counts. Pure.
pub mod text;
/// Records that stages exchange, requests and answers: schema, order and identity. Pure.
pub mod record;
/// Parts of documents that no dialect owns: front matter, YAML, ids of specs. Pure.
pub mod document;
/// Keys, tokens and passwords in a text: finds and replaces them. Pure.
pub mod secrets;
/// The layout of memory-mapped binary pieces. Pure.
pub mod flat;
/// Reads SCIP indexes of other tools and compares their edges with ours. Pure.
pub mod scip;
/// Languages: for each a table, its queries or its front end. Pure.
pub mod language;
/// What one document says beyond its language: spec documents and notes. Pure.
pub mod dialect;
/// Turns one text into chunks, symbols, references, items and problems. Pure.
pub mod chunk;
/// Resolves references to definitions: nodes, edges and their evidence. Pure.
pub mod graph;
/// Ranks chunks for a query; builds the index of terms that makes it fast. Pure.
pub mod search;
/// The engine: finds seeds, walks the graph, orders units and fills a budget with them, for every door. Pure.
pub mod assemble;
/// One module per request contract: the request becomes a job, the engine's assembly becomes a record. Pure.
pub mod door;
/// Measures packs against the lines that real fixes changed. Pure.
pub mod eval;
/// A door: lists and reads a source tree.
pub mod source;
/// A door: reads and writes records as sharded JSONL pieces, found through a manifest.
pub mod store;
/// Runs the stages: decides which files to read again and which records to reuse.
pub mod pipeline;
/// The MCP server. Parses requests, calls the pipeline, replies.
pub mod mcp;
/// A door: the command line. Parses arguments, calls the pipeline, prints.
pub mod cli;
