//! Recognises packs, bundles and payloads that were saved in a tree. They are made from the tree: as sources they would
//! repeat it, and answer questions with old answers. A payload was made for one reader, and others must not see it.

use serde_json::Value;

use super::pack::{is_markdown_pack, is_xml_pack};

/// Whether a text is a pack, bundle or payload that this program printed: as markdown, XML, JSON or JSON lines. Checks more
/// than the first line, so that a document about packs is not taken for one.
pub fn is_own_output(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        Some('#') => is_markdown_pack(text),
        Some('<') => is_xml_pack(text),
        Some('{') => is_records(text),
        _ => false,
    }
}

/// What a record of this program has, whichever of them it is.
const MARKS: [&str; 3] = ["\"ContextPack\"", "\"bundle:", "\"ctx:"];

/// Whether the first line, or else all of it, is a record of a pack, a bundle or a payload.
fn is_records(text: &str) -> bool {
    if !MARKS.iter().any(|mark| text.contains(mark)) {
        return false;
    }
    let first = text.lines().next().unwrap_or_default();
    let record = serde_json::from_str::<Value>(first).or_else(|_| serde_json::from_str(text));
    record.is_ok_and(|record| is_pack(&record) || is_bundle(&record) || is_payload(&record))
}

/// Alone, or stored with its request.
fn is_payload(record: &Value) -> bool {
    let payload = record.get("payload").unwrap_or(record);
    let id = payload.get("payloadId").and_then(Value::as_str).unwrap_or_default();
    id.starts_with("ctx:") && payload["sections"].is_array()
}

fn is_pack(record: &Value) -> bool {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default();
    text("schema") == "ContextPack" && text("packId").starts_with("pack:") && record["sections"].is_array()
}

fn is_bundle(record: &Value) -> bool {
    let id = record.get("bundle_id").and_then(Value::as_str).unwrap_or_default();
    id.starts_with("bundle:") && record["items"].is_array() && record["seed_ids"].is_array()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::pack::{Format, json, render};
    use crate::record::pack::ContextPack;

    fn packs() -> Vec<ContextPack> {
        let lines = include_str!("../../golden/pack_answer/expected/context_packs.jsonl");
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn every_form_of_a_pack_is_recognised() {
        assert!(is_own_output(include_str!("../../golden/pack_answer/expected/context_packs.jsonl")));
        for mut pack in packs() {
            assert!(is_own_output(&json(&pack)));
            assert!(is_own_output(&serde_json::to_string_pretty(&pack).unwrap()));
            for format in Format::ALL {
                assert!(is_own_output(&render(&pack, format)), "{format:?}");
            }
            pack.sections.iter_mut().for_each(|section| section.items.clear());
            for format in Format::ALL {
                assert!(is_own_output(&render(&pack, format)), "{format:?} without items");
            }
        }
    }

    #[test]
    fn bundles_are_recognised() {
        let bundle = r#"{"bundle_id":"bundle:00","items":[],"seed_ids":["REQ-1"]}"#;
        assert!(is_own_output(bundle) && is_own_output(&format!("{bundle}\n{bundle}\n")));
    }

    #[test]
    fn payloads_are_recognised() {
        let payload = r#"{"metadata":{},"payloadId":"ctx:00","sections":[],"serialized":""}"#;
        let pretty = serde_json::from_str::<Value>(payload).map(|value| format!("{value:#}")).unwrap();
        for text in [payload, &pretty, &format!("{{\"payload\":{payload},\"request\":{{}}}}\n{{}}\n")] {
            assert!(is_own_output(text), "{text}");
        }
    }

    #[test]
    fn documents_about_packs_are_sources() {
        for text in [
            "",
            "# Context from the past\n\nHow it came about.\n",
            "# Context from contextpack\n\n## seeds\n\nText.\n",
            "# Context from a\n",
            "Intro\n\n# Context from a\n\n## seeds: what was asked for\n\n### a.py:1-2\n",
            "<context repo=\"a\">\n<bean/>\n</context>\n",
            "<context>\n<section type=\"seeds\">\n</section>\n</context>\n",
            r#"{"title":"ContextPack","type":"object"}"#,
            r#"{"schema":"ContextPack","version":1}"#,
            r#"{"bundle_id":"bundle:x"}"#,
            r#"{"payloadId":"ctx:x"}"#,
            r#"{"ContextPack": broken"#,
        ] {
            assert!(!is_own_output(text), "{text}");
        }
    }
}
