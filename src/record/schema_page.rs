//! Generates the reference page of all records from their schemas.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use schemars::JsonSchema;
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
    let has_list = schema.get("properties").is_some() || !all_words(schema).is_empty();
    let form = if has_list { String::new() } else { format!("{}.", type_of(schema)) };
    format!("{} {form}", text(schema, "description")).trim().replace('\n', " ")
}

/// A table of an object's fields; empty if the schema is not an object.
fn fields(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object() else { return String::new() };
    let mut table = String::from("\n| field | always | type | |\n| --- | --- | --- | --- |\n");
    for (name, field) in properties {
        let always = if list(schema, "required").any(|one| one == name) { "yes" } else { "" };
        let (form, description) = (cell(&type_of(field)), cell(text(field, "description")));
        let _ = writeln!(table, "| `{name}` | {always} | {form} | {description} |");
    }
    table
}

/// A list of the words of an enumeration, each with its meaning.
fn words(schema: &Value) -> String {
    let line = |(word, meaning): &(String, String)| match meaning.is_empty() {
        true => format!("- `{word}`\n"),
        false => format!("- `{word}`: {}\n", meaning.replace('\n', " ")),
    };
    let lines: String = all_words(schema).iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// The words of an enumeration.
pub fn schema_words<T: JsonSchema>() -> Vec<String> {
    all_words(schemars::schema_for!(T).as_value()).into_iter().map(|(word, _)| word).collect()
}

/// The words of an enumeration, each with its meaning.
fn all_words(schema: &Value) -> Vec<(String, String)> {
    let words = |one: &Value, meaning: &str| {
        let words = list(one, "enum").chain(one.get("const")).filter_map(Value::as_str);
        words.map(|word| (word.to_string(), meaning.to_string())).collect::<Vec<_>>()
    };
    let documented = list(schema, "oneOf").flat_map(|one| words(one, text(one, "description")));
    words(schema, "").into_iter().chain(documented).collect()
}

fn text<'s>(schema: &'s Value, key: &str) -> &'s str {
    schema[key].as_str().unwrap_or_default()
}

fn list<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s Value> {
    schema[key].as_array().into_iter().flatten()
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
