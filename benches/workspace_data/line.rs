//! Lines of `blocks.jsonl` and of what stands beside it, in files of a few megabytes.

use std::collections::BTreeMap;

use serde::Serialize;

/// What goes into one file.
const FILE_BYTES: usize = 4_000_000;

/// One block. The order of the fields is that of the line.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    pub created_at: String,
    pub updated_at: String,
    pub created_by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assignees: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Column>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_mode: Option<&'static str>,
}

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Data {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_done: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<&'static str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<&'static str, Value>,
}

/// What a row says of one column.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    Text(String),
    Number(usize),
    Rows(Vec<String>),
}

#[derive(Clone, Debug, Serialize)]
pub struct Column {
    pub id: &'static str,
    pub name: &'static str,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub config: Option<Config>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Config {
    Options(Vec<Choice>),
    DatabaseId(String),
}

#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    pub id: &'static str,
    pub value: &'static str,
}

/// A line of `activity.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Done {
    pub user: String,
    pub block: String,
    pub kind: &'static str,
    pub at: String,
}

/// A line of `members.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Membership<'m> {
    pub user: &'m str,
    pub teams: &'m [String],
    pub workspaces: [&'m str; 1],
}

/// Lines as files, each of them full before the next begins.
pub fn files<T: Serialize>(name: &str, lines: &[T]) -> Vec<(String, String)> {
    let mut texts = vec![String::new()];
    for line in lines {
        let line = serde_json::to_string(line).expect("a line is JSON") + "\n";
        let is_full = texts.last().is_none_or(|text| !text.is_empty() && text.len() + line.len() > FILE_BYTES);
        if is_full {
            texts.push(String::new());
        }
        texts.last_mut().expect("there is one").push_str(&line);
    }
    texts.into_iter().enumerate().map(|(at, text)| (format!("{name}-{:02}.jsonl", at + 1), text)).collect()
}
