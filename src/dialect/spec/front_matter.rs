//! The front matter of a spec document: its fields and links.

use crate::document::front_matter::Block;
use crate::document::spec_id::split_entries;
use crate::document::yaml::{self, Node, Value, YamlFault};
use crate::record::{Field, FieldValue, Role};

/// The keys that a spec document has to have.
pub const REQUIRED: [&str; 5] = ["kind", "scope", "id", "spec_title", "status"];
/// The keys of named lists: ids by role, design points, and documents to read.
const MAPS: [&str; 3] = ["trace", "dp", "doc"];

/// A value of the front matter that names a document: an id, or for `read_next` also a path or a file name.
pub struct Link<'f> {
    /// [`Role::Trace`] or [`Role::ReadNext`].
    pub role: Role,
    pub line: u32,
    pub text: &'f str,
}

/// The links of a document, in the order of their lines.
pub fn links(fields: &[Field]) -> Vec<Link<'_>> {
    let role = |name: &str| match name {
        "doc.read_next" => Some(Role::ReadNext),
        name => name.starts_with("trace.").then_some(Role::Trace),
    };
    let mut links = Vec::new();
    for (role, field) in fields.iter().filter_map(|field| Some((role(&field.name)?, field))) {
        let link = |value| Link { role, line: FieldValue::line_or_first(value), text: FieldValue::as_str(value) };
        links.extend(field.values.iter().map(link));
    }
    links.sort_by_key(|link| link.line);
    links
}

/// The required keys that are there, then the lists, named `trace.req` and so on. Each list may be absent.
pub fn fields(block: &Block) -> Result<Vec<Field>, YamlFault> {
    if !block.is_closed {
        return Err(YamlFault::new(1, "no line `---` ends it"));
    }
    let root = yaml::parse(block.inside, 2)?;
    if !matches!(root.value, Value::Map(_)) {
        return Err(YamlFault::new(root.line, "keys with values are expected here"));
    }
    let mut fields = Vec::new();
    for key in REQUIRED {
        let value = root.get(key).map_or(Ok(None), Node::field_value)?;
        fields.extend(value.map(|value| Field::new(key, [value])));
    }
    for key in MAPS {
        fields.extend(root.get(key).map_or(Ok(Vec::new()), |node| lists(key, node))?);
    }
    Ok(fields)
}

/// Sorted by name.
fn lists(key: &str, node: &Node) -> Result<Vec<Field>, YamlFault> {
    let mut lists = Vec::new();
    for (name, list) in node.entries().ok_or_else(|| YamlFault::new(node.line, "keys with lists are expected here"))? {
        let values = list.field_values()?;
        let entries = values.iter().flat_map(|value| {
            split_entries(value.as_str()).into_iter().map(|entry| FieldValue::at(value.line_or_first(), entry))
        });
        lists.push(Field::new(format!("{key}.{name}"), entries));
    }
    lists.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(lists)
}
