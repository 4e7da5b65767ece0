use serde_json::{Value, json};

use crate::door::frame::{FrameOptions, frame};
use crate::record::frame::{FrameAnswer, Slot};

const WORKED: &str = include_str!("../worked.jsonl");

/// An answer in the form of the table.
fn row(query: &str, answer: &FrameAnswer) -> Value {
    let (frame, routing) = (&answer.frame, &answer.routing);
    let slot = |slot: Slot| match (frame.slot(slot), frame.slot_quotes.get(&slot)) {
        (Some(value), Some(quote)) => {
            json!({ "value": value, "quote": quote.quote, "rule": quote.rule, "confidence": quote.confidence })
        }
        _ => Value::Null,
    };
    let slots: serde_json::Map<String, Value> =
        Slot::ALL.into_iter().map(|name| (name.name().to_string(), slot(name))).collect();
    json!({
        "query": query,
        "slots": slots,
        "intent": answer.intent,
        "risk": routing.risk_level,
        "risk_rules": routing.risk_rules,
        "missing_slots": frame.missing_slots,
        "priority_slots": routing.priority_slots,
        "initial_tools": routing.initial_tools,
        "recommended_tools": routing.recommended_tools,
        "extraction_confidence": frame.extraction_confidence,
    })
}

#[test]
fn all_worked_requests_come_out_as_they_are_written() {
    let mut wrong = Vec::new();
    for line in WORKED.lines() {
        let wanted: Value = serde_json::from_str(line).unwrap();
        let query = wanted["query"].as_str().unwrap();
        let found = row(query, &frame(query, &FrameOptions::default()).unwrap());
        if found != wanted {
            let differ = |key: &&String| found[key.as_str()] != wanted[key.as_str()];
            let keys = wanted.as_object().unwrap().keys().filter(differ);
            let told = keys.map(|key| format!("  {key}: {}\n    not {}", found[key], wanted[key]));
            wrong.push(format!("{query}\n{}", told.collect::<Vec<_>>().join("\n")));
        }
    }
    assert_eq!(WORKED.lines().count(), 23);
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
