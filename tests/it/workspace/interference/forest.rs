//! A workspace as a test knows it: blocks, grants and activity, and the files that say so.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::rules::Person;
use crate::workspace::world::World;

/// All of a workspace.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    /// In the order of their files and lines.
    pub blocks: Vec<Block>,
    /// Lines of permissions.jsonl.
    pub rights: Vec<Right>,
    pub default_read: Vec<String>,
    /// Lines of links.jsonl: from, to and label.
    pub links: Vec<(String, String, String)>,
    pub activity: Vec<Activity>,
    /// Lines of members.jsonl; without any the caller is believed.
    pub members: Vec<Person>,
}

/// One line of blocks.jsonl.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub file: usize,
    pub id: String,
    pub kind: &'static str,
    pub parent: Option<String>,
    /// Among its siblings, in thousandths so that others fit between.
    pub order: Option<u64>,
    pub title: Option<String>,
    pub text: Option<String>,
    pub created_by: Option<String>,
    pub updated: Option<String>,
    pub due: Option<String>,
    pub done: Option<bool>,
    pub priority: Option<String>,
    pub assignees: Vec<String>,
    pub tags: Vec<String>,
    pub aliases: Vec<String>,
    pub is_archived: bool,
    pub is_template: bool,
    /// Of a column: its cards are done.
    pub holds_done: bool,
    /// Columns of a database: id, name and kind.
    pub columns: Vec<(String, String, &'static str)>,
    /// The database that a row names.
    pub database: Option<String>,
    /// Of a row, by the id of a column.
    pub values: BTreeMap<String, Value>,
    /// Values of a row under names of its own.
    pub named: BTreeMap<String, String>,
    pub relations: BTreeMap<String, Vec<String>>,
    pub references: Vec<String>,
    pub grant: Option<Grant>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    pub read: Vec<String>,
    pub replaces: bool,
}

/// A grant on a line of its own.
#[derive(Clone, Debug)]
pub struct Right {
    pub block: String,
    pub grant: Grant,
}

#[derive(Clone, Debug)]
pub struct Activity {
    pub user: String,
    pub block: String,
    pub action: &'static str,
    pub at: String,
}

/// In the order in which they are read.
pub const FILES: [&str; 5] = ["0.jsonl", "a.jsonl", "b/b.jsonl", "b/c.jsonl", "z.jsonl"];
/// The files that generated forests are in. The others are for what mutations add.
pub const OWN_FILES: std::ops::RangeInclusive<usize> = 1..=3;

impl Forest {
    /// A tree with these files. Its blocks are written in the order that they have.
    pub fn plant(&self) -> World {
        let files = self.files();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        World::new(&files)
    }

    /// Paths and texts.
    pub fn files(&self) -> Vec<(String, String)> {
        let blocks_of = |file: usize| -> Vec<Value> {
            self.blocks.iter().filter(|block| block.file == file).map(Block::line).collect()
        };
        let mut files: Vec<(String, String)> =
            FILES.iter().enumerate().map(|(at, path)| (path.to_string(), jsonl(&blocks_of(at)))).collect();
        let links = self.links.iter().map(|(from, to, label)| json!({ "from": from, "to": to, "label": label }));
        files.push(("links.jsonl".to_string(), jsonl(&links.collect::<Vec<_>>())));
        let activity = self.activity.iter().map(Activity::line);
        files.push(("activity.jsonl".to_string(), jsonl(&activity.collect::<Vec<_>>())));
        let default_read = [json!({ "default": self.default_read })];
        let rights: Vec<Value> = default_read.into_iter().chain(self.rights.iter().map(Right::line)).collect();
        files.push(("permissions.jsonl".to_string(), jsonl(&rights)));
        let members = self.members.iter().map(Person::line);
        files.push(("members.jsonl".to_string(), jsonl(&members.collect::<Vec<_>>())));
        files.retain(|(_, text)| !text.is_empty());
        files
    }

    pub fn with_id(&self, id: &str) -> impl Iterator<Item = usize> {
        self.blocks.iter().enumerate().filter(move |(_, block)| block.id == id).map(|(at, _)| at)
    }
}

fn jsonl(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

impl Block {
    fn line(&self) -> Value {
        let grant = self.grant.as_ref();
        let fields = [
            ("id", json!(self.id)),
            ("type", json!(self.kind)),
            ("parent", json!(self.parent)),
            ("order", self.order.map_or(Value::Null, |order| json!(order as f64 / 1000.0))),
            ("title", json!(self.title)),
            ("text", json!(self.text)),
            ("createdBy", json!(self.created_by)),
            ("updatedAt", json!(self.updated)),
            ("due", json!(self.due)),
            ("done", json!(self.done)),
            ("priority", json!(self.priority)),
            ("assignees", json!(self.assignees)),
            ("tags", json!(self.tags)),
            ("archived", json!(self.is_archived)),
            ("template", json!(self.is_template)),
            ("data", Value::Object(self.data())),
            ("properties", self.properties()),
            ("relations", json!(self.relations)),
            ("links", self.references.iter().map(|to| json!({ "to": to })).collect()),
            ("read", grant.map_or(Value::Null, |grant| json!(grant.read))),
            ("readMode", grant.filter(|grant| grant.replaces).map_or(Value::Null, |_| json!("replace"))),
        ];
        let is_said =
            |value: &Value| !value.is_null() && *value != json!(false) && *value != json!({}) && *value != json!([]);
        // An empty list of readers says that there are none, and what is open says so.
        let said = fields.into_iter().filter(|(name, value)| is_said(value) || *name == "read" && value.is_array());
        let mut line: Map<String, Value> = said.map(|(name, value)| (name.to_string(), value)).collect();
        self.done.into_iter().for_each(|done| drop(line.insert("done".to_string(), json!(done))));
        Value::Object(line)
    }

    pub fn has_links(&self) -> bool {
        let is_named = !self.references.is_empty() || !self.relations.is_empty();
        is_named || self.values.contains_key("p4") || self.text.as_ref().is_some_and(|text| text.contains("[["))
    }

    fn data(&self) -> Map<String, Value> {
        let mut data = Map::new();
        let mut say = |name: &str, value: Value| drop(data.insert(name.to_string(), value));
        if !self.aliases.is_empty() {
            say("aliases", json!(self.aliases));
        }
        if self.holds_done {
            say("isDone", json!(true));
        }
        if let Some(database) = &self.database {
            say("databaseId", json!(database));
        }
        if !self.values.is_empty() {
            say("values", json!(self.values));
        }
        data
    }

    fn properties(&self) -> Value {
        let column = |(id, name, kind): &(String, String, &str)| json!({ "id": id, "name": name, "type": kind });
        if self.kind == "database" { self.columns.iter().map(column).collect() } else { json!(self.named) }
    }
}

impl Right {
    fn line(&self) -> Value {
        let mode = if self.grant.replaces { "replace" } else { "narrow" };
        json!({ "block": self.block, "read": self.grant.read, "mode": mode })
    }
}

impl Activity {
    fn line(&self) -> Value {
        json!({ "user": self.user, "block": self.block, "kind": self.action, "at": self.at })
    }
}
