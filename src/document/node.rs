//! A value of a YAML text with its line.

use std::borrow::Cow;

use crate::record::FieldValue;

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

    /// The entries of a map; null and an empty list are an empty map.
    pub fn entries(&self) -> Option<&[(String, Node)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            Value::Null => Some(&[]),
            Value::List(items) => items.is_empty().then_some(&[]),
            Value::Text(_) => None,
        }
    }

    pub fn words(&self) -> Result<Vec<String>, YamlFault> {
        let fault = YamlFault::new(self.line, "words are expected here");
        let items = self.items().ok_or(fault.clone())?;
        items.iter().map(|item| item.text().map(str::to_string).ok_or(fault.clone())).collect()
    }

    pub fn flag(&self) -> Result<bool, YamlFault> {
        let flag = self.text().and_then(|text| text.parse().ok());
        flag.ok_or(YamlFault::new(self.line, "`true` or `false` is expected here"))
    }

    pub fn number(&self) -> Result<u32, YamlFault> {
        let number = self.text().and_then(|text| text.parse().ok());
        number.ok_or(YamlFault::new(self.line, "a whole number is expected here"))
    }

    /// A text as the value of a field; null is none.
    pub fn field_value(&self) -> Result<Option<FieldValue>, YamlFault> {
        match &self.value {
            // A block of text ends with a line break, which is no part of a field.
            Value::Text(text) => Ok(Some(FieldValue::at(self.line, text.trim_end_matches('\n')))),
            Value::Null => Ok(None),
            _ => Err(YamlFault::new(self.line, "a text is expected here")),
        }
    }

    /// The texts of a list as the values of a field.
    pub fn field_values(&self) -> Result<Vec<FieldValue>, YamlFault> {
        let items = self.items().ok_or_else(|| YamlFault::new(self.line, "a list is expected here"))?;
        items.iter().filter_map(|item| item.field_value().transpose()).collect()
    }

    /// Refuses keys that are not in a list such as `id, kinds`: most often they are misspelt.
    pub fn check_keys(&self, known: &str) -> Result<(), YamlFault> {
        let Value::Map(entries) = &self.value else { return Ok(()) };
        match entries.iter().find(|(key, _)| !known.split(", ").any(|known| known == key)) {
            Some((key, node)) => Err(YamlFault::new(node.line, format!("`{key}` is none of {known}"))),
            None => Ok(()),
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
