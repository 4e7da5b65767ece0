//! One question of a benchmark, as a line of JSON.

use std::collections::BTreeMap;

use serde::Deserialize;

/// What the scorer needs of a row; others may stand beside it.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    pub instance_id: String,
    #[serde(default)]
    pub repo: String,
    #[serde(default)]
    pub language: String,
    pub query: String,
    /// The files that the fix changed, without those that it made.
    pub gold_files: Vec<String>,
    /// The blocks of lines that it changed, in the tree before it.
    pub gold_ranges: Vec<Block>,
    #[serde(default)]
    pub gold_functions: Vec<Block>,
    /// Whether the query names the path, the file or the function.
    #[serde(default)]
    pub mentions: BTreeMap<String, bool>,
    #[serde(default)]
    pub core: bool,
}

/// Lines of a file, 1-based and inclusive.
#[derive(Clone, Debug, Deserialize)]
pub struct Block {
    pub file: String,
    pub start_line: u32,
    pub end_line: u32,
}

impl Row {
    /// The query names nothing of the answer.
    pub fn is_hard(&self) -> bool {
        !self.mentions.values().any(|named| *named)
    }
}
