//! What a request is about, as a record or as a user types it.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::request::RequestFault;
use super::{ChunkUid, Lines, SymbolId};
use crate::text::RepoPath;

/// One of a chunk, a file, a symbol or a name; a file may have lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Focus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunk_uid: Option<ChunkUid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<RepoPath>,
    /// Of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    /// A path, a folder, `PATH:LINE`, a symbol's name or an item's handle: what the index has of that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<SymbolId>,
    /// A name that only symbols are looked up by, such as `Class.method`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_name: Option<String>,
}

impl Focus {
    /// How many of the things it names that exclude each other.
    pub(super) fn count(&self) -> usize {
        let named = [
            self.chunk_uid.is_some(),
            self.file_rel_path.is_some(),
            self.name.is_some(),
            self.symbol_id.is_some(),
            self.symbol_name.is_some(),
        ];
        named.iter().filter(|is_named| **is_named).count()
    }

    pub fn of_file(path: RepoPath) -> Self {
        Focus { file_rel_path: Some(path), ..Focus::default() }
    }

    fn of_name(name: &str) -> Self {
        Focus { name: Some(plain_path(name)), ..Focus::default() }
    }
}

/// As a message names it.
impl std::fmt::Display for Focus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Focus { chunk_uid, file_rel_path, lines, name, symbol_id, symbol_name } = self;
        match (chunk_uid, file_rel_path, symbol_id) {
            (Some(uid), ..) => write!(f, "{uid}"),
            (_, Some(path), _) => match lines {
                Some(lines) => write!(f, "{path}:{}-{}", lines.start, lines.end),
                None => write!(f, "{path}"),
            },
            (.., Some(symbol)) => write!(f, "{symbol}"),
            _ => f.write_str(name.as_ref().or(symbol_name.as_ref()).map_or("", String::as_str)),
        }
    }
}

/// As it is typed: a path, `PATH:LINE`, a symbol's name or a handle. `file:`, `symbol:` and `chunk:` say which.
impl FromStr for Focus {
    type Err = RequestFault;

    fn from_str(text: &str) -> Result<Self, RequestFault> {
        let text = text.trim();
        let fault = |reason: &dyn std::fmt::Display| RequestFault::NoFocus {
            text: text.to_string(),
            reason: format!("\n  because {reason}"),
        };
        if let Some(uid) = ChunkUid::parse(text.strip_prefix("chunk:").unwrap_or(text)) {
            return Ok(Focus { chunk_uid: Some(uid), ..Focus::default() });
        }
        if let Some(path) = text.strip_prefix("file:") {
            let (path, lines) = split_lines(path);
            let path = RepoPath::try_from(plain_path(path)).map_err(|error| fault(&error))?;
            return Ok(Focus { lines, ..Focus::of_file(path) });
        }
        let name = text.strip_prefix("symbol:").unwrap_or(text);
        let id = if name.starts_with("scip:") { name.to_string() } else { format!("scip:{name}") };
        match SymbolId::try_from(id) {
            _ if name.is_empty() => Err(fault(&"it is empty")),
            Ok(symbol) => Ok(Focus { symbol_id: Some(symbol), ..Focus::default() }),
            Err(_) if name.len() < text.len() => Ok(Focus { symbol_name: Some(name.to_string()), ..Focus::default() }),
            Err(_) => Ok(Focus::of_name(text.strip_prefix("chunk:").unwrap_or(text))),
        }
    }
}

/// Splits `PATH:LINE` or `PATH:FIRST-LAST`.
pub fn split_lines(text: &str) -> (&str, Option<Lines>) {
    let lines = |numbers: &str| {
        let (start, end) = numbers.split_once('-').unwrap_or((numbers, numbers));
        let (start, end) = (start.parse().ok()?, end.parse().ok()?);
        (1 <= start && start <= end).then_some(Lines { start, end })
    };
    match text.rsplit_once(':') {
        Some((path, numbers)) if !path.is_empty() => match lines(numbers) {
            Some(lines) => (path, Some(lines)),
            None => (text, None),
        },
        _ => (text, None),
    }
}

/// A path without `.`, `..` and repeated slashes, as far as that is possible without a file system.
pub fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." if !parts.is_empty() || part == "." => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty() && *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Reads a list, or one of its entries alone. An entry is a record, or a text as it is typed. An empty record, which
/// older versions wrote, names nothing.
pub(super) fn one_or_many<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<Focus>, D::Error> {
    let all = match Value::deserialize(deserializer)? {
        Value::Null => Vec::new(),
        Value::Array(all) => all,
        one => vec![one],
    };
    let read = |value: Value| match value {
        Value::String(text) => text.parse().map_err(D::Error::custom),
        value @ Value::Object(_) => Focus::deserialize(value).map_err(D::Error::custom),
        _ => Err(D::Error::custom("a focus is an object or a text")),
    };
    let mut all = all.into_iter().map(read).collect::<Result<Vec<Focus>, D::Error>>()?;
    all.retain(|focus| *focus != Focus::default());
    Ok(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::request::PackRequest;

    fn parsed(text: &str) -> Value {
        serde_json::to_value(text.parse::<Focus>().unwrap()).unwrap()
    }

    #[test]
    fn what_is_typed_says_what_it_is() {
        for (text, expected) in [
            ("src/a.py", json!({ "name": "src/a.py" })),
            ("./src//a.py", json!({ "name": "src/a.py" })),
            ("src/b/../a.py", json!({ "name": "src/a.py" })),
            ("src/a.py:12", json!({ "name": "src/a.py:12" })),
            ("file:./src/a.py", json!({ "fileRelPath": "src/a.py" })),
            ("file:src/a.py:12", json!({ "fileRelPath": "src/a.py", "lines": { "start": 12, "end": 12 } })),
            ("file:src/a.py:12-30", json!({ "fileRelPath": "src/a.py", "lines": { "start": 12, "end": 30 } })),
            ("Order.cost", json!({ "name": "Order.cost" })),
            ("symbol:Order.cost", json!({ "symbolName": "Order.cost" })),
            ("symbol:c . . . `a.py`/A#", json!({ "symbolId": "scip:c . . . `a.py`/A#" })),
            ("scip:c . . . `a.py`/A#", json!({ "symbolId": "scip:c . . . `a.py`/A#" })),
            ("chunk:xxh64:0123456789abcdef", json!({ "chunkUid": "xxh64:0123456789abcdef" })),
            ("xxh64:0123456789abcdef", json!({ "chunkUid": "xxh64:0123456789abcdef" })),
            ("0123abcd", json!({ "name": "0123abcd" })),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
        for wrong in ["", "symbol:", "file:", "file:../a.py", "file:/a.py"] {
            assert!(wrong.parse::<Focus>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn lines_follow_the_last_colon() {
        assert_eq!(split_lines("a:b.py:3"), ("a:b.py", Some(Lines { start: 3, end: 3 })));
        for whole in ["a.py", "a.py:x", "a.py:0", "a.py:4-2", ":3", "Class::method"] {
            assert_eq!(split_lines(whole), (whole, None));
        }
    }

    #[test]
    fn a_request_has_one_focus_or_several() {
        let focus = |value: Value| {
            serde_json::from_value::<PackRequest>(json!({ "focus": value })).map(|request| request.focus)
        };
        let file = Focus::of_file("a.py".to_string().try_into().unwrap());
        assert_eq!(focus(json!({ "fileRelPath": "a.py" })).unwrap(), vec![file.clone()], "the form of older versions");
        assert_eq!(focus(json!([{ "fileRelPath": "a.py" }, "file:a.py"])).unwrap(), [file.clone(), file]);
        assert_eq!(focus(json!({})).unwrap(), []);
        assert_eq!(focus(json!("load")).unwrap()[0].name.as_deref(), Some("load"));
        assert!(focus(json!(3)).is_err() && focus(json!([3])).is_err());
    }
}
