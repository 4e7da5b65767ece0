//! A value of a YAML text with its line.

use std::borrow::Cow;

/// A value and the line that it starts at, from 1. A value of a map has the line of its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub line: u32,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Text(String),
    List(Vec<Node>),
    /// In the order of the text; no key twice.
    Map(Vec<(String, Node)>),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct YamlFault {
    pub line: u32,
    pub reason: Cow<'static, str>,
}

impl YamlFault {
    pub fn new(line: u32, reason: impl Into<Cow<'static, str>>) -> Self {
        YamlFault { line, reason: reason.into() }
    }
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; a single text is a list of one, and null is an empty list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            Value::Text(_) => Some(std::slice::from_ref(self)),
            Value::Null => Some(&[]),
            Value::Map(_) => None,
        }
    }

    /// How many values and bytes of text it consists of.
    pub(super) fn size(&self) -> usize {
        1 + match &self.value {
            Value::Null => 0,
            Value::Text(text) => text.len(),
            Value::List(items) => items.iter().map(Node::size).sum(),
            Value::Map(entries) => entries.iter().map(|(key, node)| key.len() + node.size()).sum(),
        }
    }
}
