//! One question of a benchmark, as a line of JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::text::RepoPath;

/// The fields of a row that the scorer needs; other fields are ignored.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// The name of its tree's folder too, unless `tree` names another.
    pub instance_id: String,
    /// The folder of a tree that several rows ask about.
    #[serde(default)]
    tree: Option<String>,
    #[serde(default)]
    pub repo: String,
    /// The collection that it is from.
    #[serde(default)]
    pub source: String,
    #[serde(default)]
    pub language: String,
    pub query: String,
    /// The files that the fix changed, without those that it made.
    pub gold_files: Vec<RepoPath>,
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

/// Lines of a file, 1-based and inclusive. An insertion is given as the lines before and after it.
#[derive(Clone, Debug, Deserialize)]
pub struct Block {
    pub file: RepoPath,
    pub start_line: u32,
    pub end_line: u32,
}

/// A line of a file of rows that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct LineFault {
    pub line: usize,
    pub reason: String,
}

/// The rows of a file in its order.
pub fn read_rows(text: &str) -> Result<Vec<Row>, LineFault> {
    read_lines(text, |row: &Row| &row.instance_id, Row::fault)
}

impl Row {
    /// The name of its tree's folder.
    pub fn tree(&self) -> &str {
        self.tree.as_deref().unwrap_or(&self.instance_id)
    }

    /// The query names nothing of the answer.
    pub fn is_hard(&self) -> bool {
        !self.mentions.values().any(|named| *named)
    }

    fn fault(&self) -> Option<String> {
        if !is_folder_name(self.tree()) {
            return Some(format!("`{}` cannot be the name of a tree's folder", self.tree()));
        }
        if self.gold_files.is_empty() || self.gold_ranges.is_empty() {
            return Some("it has no gold_files or no gold_ranges, so there is nothing to find".to_string());
        }
        let mut blocks = self.gold_ranges.iter().chain(&self.gold_functions);
        let wrong = blocks.find(|block| block.start_line < 1 || block.start_line > block.end_line)?;
        Some(format!("`{}` has no lines {} to {}", wrong.file, wrong.start_line, wrong.end_line))
    }
}

fn is_folder_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0'])
}

/// An object a line, each with an id of its own; blank lines are passed over.
pub(super) fn read_lines<T: DeserializeOwned>(
    text: &str,
    id: impl Fn(&T) -> &str,
    fault: impl Fn(&T) -> Option<String>,
) -> Result<Vec<T>, LineFault> {
    let mut first_line: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (at, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let line = at + 1;
        let refused = |reason| LineFault { line, reason };
        let one: T = serde_json::from_str(text).map_err(|error| refused(without_line(&error)))?;
        if let Some(reason) = fault(&one) {
            return Err(refused(reason));
        }
        if let Some(earlier) = first_line.insert(id(&one).to_string(), line) {
            return Err(refused(format!("`{}` is on line {earlier} already", id(&one))));
        }
        all.push(one);
    }
    Ok(all)
}

/// To the parser every row is line 1, which would only mislead.
fn without_line(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}
