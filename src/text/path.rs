//! A file's path inside its tree, the same on every machine.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// Slash-separated, relative, without `.` or `..`; compared by bytes.
///
/// Bytes that are not UTF-8 are written `\xHH` and a backslash `\\`, so that every name a file
/// system can hold has exactly one spelling and [`RepoPath::to_bytes`] gives it back.
///
/// Cheap to clone: every record of a file carries its path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct RepoPath(Arc<str>);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is not a path inside the tree: {reason}")]
pub struct PathError {
    path: String,
    reason: &'static str,
}

impl RepoPath {
    /// From a name as the file system gives it, `/` between folders.
    pub fn from_bytes(raw: &[u8]) -> Result<Self, PathError> {
        Self::try_from(escape(raw))
    }

    /// The name as the file system knows it.
    pub fn to_bytes(&self) -> Vec<u8> {
        unescape(&self.0).expect("checked when it was made")
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Folders from the root down, without the file's own name.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        let end = self.0.len() - self.file_name().len();
        self.0[..end].split_terminator('/')
    }
}

impl TryFrom<String> for RepoPath {
    type Error = PathError;

    fn try_from(path: String) -> Result<Self, PathError> {
        match fault(&path) {
            None => Ok(RepoPath(path.into())),
            Some(reason) => Err(PathError { path, reason }),
        }
    }
}

impl std::borrow::Borrow<str> for RepoPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Serialize for RepoPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for RepoPath {
    fn schema_name() -> Cow<'static, str> {
        "RepoPath".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "type": "string",
            "minLength": 1,
            "pattern": "^[^/]",
            "description": "Path inside the tree: relative, slash-separated, no `.` or `..`. \
                            Bytes that are not UTF-8 are written \\xHH, a backslash \\\\."
        })
    }
}

fn fault(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("it is empty");
    }
    if path.contains('\0') {
        return Some("it holds a NUL");
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Some("a part is empty, `.` or `..`");
    }
    match unescape(path) {
        Some(raw) if escape(&raw) == path => None,
        _ => Some("a backslash does not start `\\\\` or `\\xHH`"),
    }
}

fn escape(raw: &[u8]) -> String {
    let mut path = String::with_capacity(raw.len());
    for piece in raw.utf8_chunks() {
        path.push_str(&piece.valid().replace('\\', "\\\\"));
        for byte in piece.invalid() {
            path.push_str(&format!("\\x{byte:02X}"));
        }
    }
    path
}

fn unescape(path: &str) -> Option<Vec<u8>> {
    let mut raw = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('\\') {
        raw.extend_from_slice(&rest.as_bytes()[..at]);
        let tail = &rest[at + 1..];
        if let Some(after) = tail.strip_prefix('\\') {
            raw.push(b'\\');
            rest = after;
        } else {
            let digits = tail.strip_prefix('x')?.get(..2)?;
            raw.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[3..];
        }
    }
    raw.extend_from_slice(rest.as_bytes());
    Some(raw)
}
