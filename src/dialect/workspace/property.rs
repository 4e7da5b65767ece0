//! The columns of a database and the values of a row, as JSON or as JSON inside a string.

use super::fields::{Faults, Fields, id, nested, values as list};
use super::{Property, Value};
use crate::dialect::export::json;

/// The columns of a database, in its order.
pub fn properties(data: &Fields, faults: &mut Faults) -> Vec<Property> {
    let Some(value) = data.get("properties") else { return Vec::new() };
    let list = nested(value);
    if serde_json::from_str::<&serde_json::value::RawValue>(&list).is_err() || !list.trim_start().starts_with('[') {
        faults.left_out("properties", "a list");
        return Vec::new();
    }
    json::list(list.trim()).into_iter().filter_map(|value| property(value, faults)).collect()
}

fn property(value: &str, faults: &mut Faults) -> Option<Property> {
    let fields = Fields::parse(value);
    let found = fields.as_ref().and_then(|fields| Some((fields, fields.get("id").and_then(id)?)));
    let Some((fields, id)) = found else {
        faults.shape("a property is not an object with an id; it is left out");
        return None;
    };
    let name = fields.word("name", faults).unwrap_or_else(|| id.clone());
    let kind = fields.word("type", faults).unwrap_or_else(|| "text".to_string());
    Some(Property { name, kind, options: options(fields), id })
}

/// The options of a select: ids with what people see.
fn options(fields: &Fields) -> Vec<(String, String)> {
    let config = nested(fields.get("config").unwrap_or("{}"));
    let Some(config) = Fields::parse(&config) else { return Vec::new() };
    let options = config.get("options").map(json::list).unwrap_or_default();
    options.into_iter().filter_map(option).collect()
}

fn option(value: &str) -> Option<(String, String)> {
    let fields = Fields::parse(value)?;
    let label = ["value", "name", "label"].into_iter().find_map(|key| json::string(fields.get(key)?));
    Some((id(fields.get("id")?)?, label?.into_owned()))
}

/// What a row says, in the order of the ids of its properties.
pub fn values(data: &Fields, faults: &mut Faults) -> Vec<(String, Value)> {
    let Some(value) = data.get("values") else { return Vec::new() };
    let object = nested(value);
    let Some(fields) = Fields::parse(&object) else {
        faults.left_out("values", "an object");
        return Vec::new();
    };
    let pairs = fields.sorted().into_iter().filter(|(_, value)| *value != "null");
    let read: Vec<_> = pairs.map(|(key, value)| (key.to_string(), read(value))).collect();
    if read.iter().any(|(_, value)| value.is_none()) {
        faults.shape("a value of the row is an object; it is left out");
    }
    read.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

fn read(value: &str) -> Option<Value> {
    Some(match value.as_bytes().first()? {
        b'"' => Value::Text(json::string(value)?.into_owned()),
        b't' | b'f' => Value::Flag(value == "true"),
        b'[' => Value::List(shown_values(value)),
        b'{' => return None,
        _ => Value::Number(value.to_string()),
    })
}

/// What people see of a value or of the values of a list. Objects and lists in lists are nothing that they see.
pub fn shown_values(value: &str) -> Vec<String> {
    list(value).into_iter().filter_map(shown).collect()
}

fn shown(value: &str) -> Option<String> {
    match value.as_bytes().first()? {
        b'"' => json::string(value).map(|text| text.into_owned()),
        b't' => Some("yes".to_string()),
        b'f' => Some("no".to_string()),
        b'n' | b'[' | b'{' => None,
        _ => Some(value.to_string()),
    }
}
