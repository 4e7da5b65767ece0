//! Generates the reference page of all records from their schemas.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{ALL, ArtifactType};

/// Markdown. A type that several records use is described once, below them.
pub fn schema_page() -> String {
    let mut page = String::from(
        "# Artifacts\n\nMade by `contextpack schema --markdown` from the declarations in `src/record/`; the schemas \
         themselves are in\n`artifacts-schema/`. A field without *yes* may be absent. Records are one canonical JSON \
         line each (RFC 8785), in the order\nof their keys.\n",
    );
    let mut shared = BTreeMap::new();
    for artifact in ALL {
        let schema = schema(artifact);
        let _ = write!(page, "\n## {} (version {})\n\n{}\n", artifact.name, artifact.version, describe(&schema));
        page += &fields(&schema);
        let definitions = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
        shared.extend(definitions);
    }
    page += "\n## Types\n";
    for (name, definition) in shared {
        let _ = write!(page, "\n### {name}\n\n{}\n", describe(&definition));
        page += &fields(&definition);
        page += &words(&definition);
    }
    page
}

fn schema(artifact: &ArtifactType) -> Value {
    serde_json::from_str(&artifact.schema_text()).expect("a schema is JSON")
}

fn describe(schema: &Value) -> String {
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let form = match (schema.get("properties").is_some(), all_words(schema).is_empty()) {
        (false, true) => format!("{}.", type_of(schema)),
        _ => String::new(),
    };
    [description, &form]
        .iter()
        .filter(|part| !part.is_empty())
        .map(|part| part.replace('\n', " "))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A table of an object's fields; empty if the schema is not an object.
fn fields(schema: &Value) -> String {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return String::new() };
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut table = String::from("\n| field | always | type | |\n| --- | --- | --- | --- |\n");
    for (name, field) in properties {
        let always = if required.iter().any(|one| one == name) { "yes" } else { "" };
        let description = field.get("description").and_then(Value::as_str).unwrap_or_default();
        let _ = writeln!(table, "| `{name}` | {always} | {} | {} |", cell(&type_of(field)), cell(description));
    }
    table
}

/// A list of the words of an enumeration, each with its meaning.
fn words(schema: &Value) -> String {
    let all = all_words(schema);
    let line = |(word, meaning): &(String, String)| {
        if meaning.is_empty() {
            format!("- `{word}`\n")
        } else {
            format!("- `{word}`: {}\n", meaning.replace('\n', " "))
        }
    };
    if all.is_empty() { String::new() } else { format!("\n{}", all.iter().map(line).collect::<String>()) }
}

fn all_words(schema: &Value) -> Vec<(String, String)> {
    let plain = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    let plain = plain.filter_map(|word| Some((word.as_str()?.to_string(), String::new())));
    let mut all: Vec<(String, String)> = plain.collect();
    for one in schema.get("oneOf").and_then(Value::as_array).into_iter().flatten() {
        let meaning = one.get("description").and_then(Value::as_str).unwrap_or_default();
        all.extend(one.get("const").and_then(Value::as_str).map(|word| (word.to_string(), meaning.to_string())));
        let several = one.get("enum").and_then(Value::as_array).into_iter().flatten();
        all.extend(several.filter_map(|word| Some((word.as_str()?.to_string(), meaning.to_string()))));
    }
    all
}

/// A short name of a type: the name of the referenced type, or the JSON type.
fn type_of(schema: &Value) -> String {
    let Some(schema) = schema.as_object() else { return "anything".to_string() };
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or_default();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        if let Some(all) = schema.get(key).and_then(Value::as_array) {
            let named: Vec<String> = all.iter().map(type_of).filter(|name| name != "null").collect();
            return named.join(" or ");
        }
    }
    match schema.get("type") {
        Some(Value::String(name)) => simple(name, schema),
        Some(Value::Array(names)) => {
            let named = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
            named.map(|name| simple(name, schema)).collect::<Vec<_>>().join(" or ")
        }
        _ => schema.get("const").map_or("anything".to_string(), |word| format!("`{}`", word.as_str().unwrap_or("?"))),
    }
}

fn simple(name: &str, schema: &Map<String, Value>) -> String {
    match (name, schema.get("items"), schema.get("additionalProperties"), schema.get("pattern")) {
        ("array", Some(items), _, _) => format!("list of {}", type_of(items)),
        ("object", _, Some(values @ Value::Object(_)), _) => format!("map to {}", type_of(values)),
        ("string", _, _, Some(Value::String(pattern))) => format!("string like `{pattern}`"),
        _ => name.to_string(),
    }
}

/// Escapes text for a table cell.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}
