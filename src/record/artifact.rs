//! The contract of a record type, and the table of all record types.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::brief::ContextBrief;
use super::bundle::ContextBundle;
use super::pack::ContextPack;
use super::session::SessionEvent;
use super::workspace::StoredPayload;
use super::{Chunk, Coverage, Edge, Evidence, File, Item, Node, Problem, References, Symbol, codec};

/// A record type that is stored as one canonical JSON line per record, sorted by key.
pub trait Artifact: Serialize + DeserializeOwned + JsonSchema + Debug + Send + Sync + 'static {
    /// The artifact's name, in file names, manifests and on the command line.
    const NAME: &'static str;
    /// Increases when a reader of the last version could misread this one; the history is in the doc comment.
    const VERSION: u32;
    /// Total order inside the artifact. No two records of one artifact have the same key.
    type Key<'k>: Ord + Serialize;

    fn key(&self) -> Self::Key<'_>;
}

/// Appends a record as one RFC 8785 line, including the line break. Its texts may be borrowed.
pub fn write_line<R: Serialize>(record: &R, lines: &mut Vec<u8>) {
    codec::write(record, lines).expect("records hold only what JSON can say");
    lines.push(b'\n');
}

/// A record type as a value, for code that loops over all of them.
pub struct ArtifactType {
    pub name: &'static str,
    pub version: u32,
    schema: fn() -> schemars::Schema,
    key: fn(&[u8]) -> Result<Value, SchemaFault>,
    check: fn() -> LineCheck,
}

/// Takes an artifact's lines one after another and returns the key of each as JSON, or an error about its fields, its
/// canonical form or its order.
pub type LineCheck = Box<dyn FnMut(&[u8]) -> Result<Value, SchemaFault>>;

/// A line that is not a canonical record of its type.
#[derive(Debug, thiserror::Error)]
pub enum SchemaFault {
    #[error("{0}")]
    Shape(#[from] serde_json::Error),
    #[error("the line is not canonical JSON")]
    NotCanonical,
    #[error("the record's key does not come after the key of the one before it")]
    OutOfOrder,
}

/// All record types. An entry here gives a type its schema file and its contract tests.
pub const ALL: &[ArtifactType] = &[
    ArtifactType::of::<File>(),
    ArtifactType::of::<Chunk>(),
    ArtifactType::of::<Symbol>(),
    ArtifactType::of::<References>(),
    ArtifactType::of::<Item>(),
    ArtifactType::of::<Problem>(),
    ArtifactType::of::<Node>(),
    ArtifactType::of::<Edge>(),
    ArtifactType::of::<Evidence>(),
    ArtifactType::of::<Coverage>(),
    ArtifactType::of::<ContextPack>(),
    ArtifactType::of::<ContextBundle>(),
    ArtifactType::of::<ContextBrief>(),
    ArtifactType::of::<StoredPayload>(),
    ArtifactType::of::<SessionEvent>(),
];

impl ArtifactType {
    const fn of<A: Artifact>() -> Self {
        ArtifactType {
            name: A::NAME,
            version: A::VERSION,
            schema: schema_of::<A>,
            key: key_of::<A>,
            check: ordered_check::<A>,
        }
    }

    pub fn named(name: &str) -> Option<&'static ArtifactType> {
        ALL.iter().find(|artifact| artifact.name == name)
    }

    /// The file of the committed schema, below `artifacts-schema/`.
    pub fn schema_file(&self) -> String {
        format!("{}.v{}.schema.json", self.name, self.version)
    }

    /// JSON Schema (2020-12), pretty-printed, with a final line break.
    pub fn schema_text(&self) -> String {
        schema_text((self.schema)(), &self.schema_file())
    }

    /// Checks that a line is a canonical record of this type, and returns its key as JSON.
    pub fn check_line(&self, line: &[u8]) -> Result<Value, SchemaFault> {
        self.line_check()(line)
    }

    /// A check for many consecutive lines, which must also be in strictly increasing order.
    pub fn line_check(&self) -> LineCheck {
        (self.check)()
    }

    /// The key of a line that is known to be canonical, because its digest was checked.
    pub fn key_of_line(&self, line: &[u8]) -> Result<Value, SchemaFault> {
        (self.key)(line)
    }
}

/// A schema as it is committed.
pub(super) fn schema_text(mut schema: schemars::Schema, file: &str) -> String {
    schema.insert("$id".into(), file.into());
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    text
}

fn schema_of<A: Artifact>() -> schemars::Schema {
    schemars::schema_for!(A)
}

fn key_of<A: Artifact>(line: &[u8]) -> Result<Value, SchemaFault> {
    let record: A = serde_json::from_slice(line)?;
    Ok(serde_json::to_value(record.key())?)
}

fn ordered_check<A: Artifact>() -> LineCheck {
    let mut last: Option<A> = None;
    Box::new(move |line| {
        let record: A = serde_json::from_slice(line)?;
        let value: Value = serde_json::from_slice(line)?;
        let canonical = serde_json_canonicalizer::to_vec(&value).expect("it was JSON just now");
        let mut own = Vec::with_capacity(line.len() + 1);
        write_line(&record, &mut own);
        own.pop();
        if canonical != line || own != line {
            return Err(SchemaFault::NotCanonical);
        }
        if last.as_ref().is_some_and(|last| last.key() >= record.key()) {
            return Err(SchemaFault::OutOfOrder);
        }
        let key = serde_json::to_value(record.key())?;
        last = Some(record);
        Ok(key)
    })
}
