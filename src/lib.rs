//! contextpack: a source tree in, reproducible and explainable records out.
//!
//! Records flow one way, and only two modules open files. In reading order:

/// What travels between stages: one declaration a record, with its schema, order and identity.
pub mod record;
/// The door in: a source tree becomes texts, and what is skipped becomes problems.
pub mod source;
/// Paths, spans and line positions: what every record is measured in.
pub mod text;
