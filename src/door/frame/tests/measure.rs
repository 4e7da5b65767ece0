use serde::Deserialize;

use crate::door::frame::{FrameOptions, frame};
use crate::record::frame::Slot;
use std::collections::BTreeMap;

/// Requests with the slots that are expected, written before the rules were run on them.
const FRESH: &str = include_str!("../fresh.jsonl");

#[derive(Deserialize)]
struct Fresh {
    query: String,
    slots: BTreeMap<Slot, Option<String>>,
}

/// Further ones, written before the rules were improved by the first.
const CONFIRMING: &str = include_str!("../fresh2.jsonl");

/// Harder ones, written before the rules were run on them: slang, polite forms, several sentences.
const HARDER: &str = include_str!("../fresh3.jsonl");

/// How many slots of some requests come out as expected, of how many, and those that do not.
fn measured(rows: &str) -> (usize, usize, Vec<String>) {
    let (mut right, mut all, mut wrong) = (0, 0, Vec::new());
    for line in rows.lines() {
        let row: Fresh = serde_json::from_str(line).unwrap();
        let answer = frame(&row.query, &FrameOptions::default()).unwrap();
        for (slot, wanted) in row.slots {
            let found = answer.frame.slot(slot);
            all += 1;
            right += usize::from(found == wanted.as_deref());
            if found != wanted.as_deref() {
                wrong.push(format!("{}\n  {}: {found:?}\n    not {wanted:?}", row.query, slot.name()));
            }
        }
    }
    (right, all, wrong)
}

fn check(rows: &str, requests: usize) {
    let (right, all, wrong) = measured(rows);
    println!("{right} of {all}\n{}", wrong.join("\n"));
    assert_eq!(all, 4 * requests);
    assert!(right * 5 >= all * 4, "{right} of {all}\n{}", wrong.join("\n"));
}

#[test]
fn four_of_five_slots_of_fresh_requests_come_out_right() {
    check(FRESH, 60);
}

#[test]
fn four_of_five_slots_of_further_requests_come_out_right() {
    check(CONFIRMING, 30);
}

#[test]
fn four_of_five_slots_of_harder_requests_come_out_right() {
    check(HARDER, 30);
}
