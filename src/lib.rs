//! contextpack: a source tree in, reproducible and explainable records out.
//!
//! Records flow one way, and only two modules open files. In reading order:

/// Paths, spans, line positions and token counts: what every record is measured in.
pub mod text;
/// What travels between stages: one declaration a record, with its schema, order and identity.
pub mod record;
/// Languages as data: one folder each, a table and its queries; front ends that read them.
pub mod language;
/// One source text in; chunks, symbols, references and problems out. Pure.
pub mod chunk;
/// The form of binary pieces that are read where they lie. Pure.
pub mod flat;
/// Symbols and references in; nodes, edges and their evidence out. Pure.
pub mod graph;
/// A question in, the chunks that answer it out; and the index of terms that makes it fast. Pure.
pub mod search;
/// A request and an index in, a ContextPack out: seeds, walk, scores, sections, budgets. Pure.
pub mod pack;
/// Spec documents in, a bundle of their sections out: ids, links, sections by rule, walk, budget. Pure.
pub mod spec;
/// Packs against the lines that real fixes changed. Pure.
pub mod eval;
/// What another tool's SCIP index says, and how it compares with what we say. Pure.
pub mod scip;
/// Keys, tokens and passwords in a text: where they are, and the text without them. Pure.
pub mod secrets;
/// The door in: a source tree becomes texts, and what is skipped becomes problems.
pub mod source;
/// The door in and out: records to and from sharded JSONL pieces, found through a manifest.
pub mod store;
/// Stages put together: which files to read again, what to carry over, what to write.
pub mod pipeline;
/// The MCP server: the same engine for agents; parses, calls, replies.
pub mod mcp;
/// The command line: parses, calls, prints; decides nothing.
pub mod cli;
