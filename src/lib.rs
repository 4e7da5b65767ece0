//! contextpack: a source tree in, reproducible and explainable records out.
//!
//! Records flow one way, and only two modules open files. In reading order:

/// Languages as data: one folder each, a table and its queries; front ends that read them.
pub mod language;
/// What travels between stages: one declaration a record, with its schema, order and identity.
pub mod record;
/// The door in and out: records to and from sharded JSONL pieces, found through a manifest.
pub mod store;
/// Paths, spans and line positions: what every record is measured in.
pub mod text;
