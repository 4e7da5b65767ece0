//! What is like the question.

use super::{entry, found, ids, priors};
use crate::record::workspace::LeftOut;
use crate::record::workspace::PayloadPart::{Focus, Semantic};

#[test]
fn a_part_is_shown_with_what_is_around_it_if_that_is_not_too_long() {
    let card = |words: usize| {
        format!(
            r#"{{"id":"b","type":"kanban_board","title":"Board"}}
            {{"id":"k","type":"kanban_card","parent":"b","title":"Card"}}
            {{"id":"l","type":"list","parent":"k","order":1}}
            {{"id":"i","type":"list_item","parent":"l","text":"zebra"}}
            {{"id":"t","type":"text","parent":"k","order":2,"text":"{}"}}"#,
            "word ".repeat(words)
        )
    };
    let of = |blocks: &str| ids(&found(blocks, r#"{"query":"zebra"}"#), Semantic);
    assert_eq!(of(&card(9)), "k");
    assert_eq!(of(&card(600)), "l", "the card has more than 512 tokens, the list does not");
}

#[test]
fn a_unit_is_as_like_as_the_best_in_it_and_has_all_of_it() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Page"}
        {"id":"l","type":"list","parent":"p"}
        {"id":"i","type":"list_item","parent":"l","order":1,"text":"zebra"}
        {"id":"j","type":"list_item","parent":"l","order":2,"text":"lion"}"#;
    let found = found(blocks, r#"{"query":"zebra"}"#);
    let list = entry(&found, "l");
    assert_eq!(list.content, "- zebra\n- lion");
    let why = list.why.as_ref().unwrap();
    assert_eq!(why.prior, why.semantic);
    assert!(why.prior.in_millionths() > 200_000);
}

#[test]
fn fifteen_units_are_taken_and_the_rest_is_counted() {
    let line = |at| format!("{{\"id\":\"t{at:02}\",\"type\":\"text\",\"text\":\"zebra number\"}}\n");
    let blocks: String = (0..20).map(line).collect();
    let few = found(&blocks, r#"{"query":"zebra"}"#);
    assert_eq!(ids(&few, Semantic), (0..15).map(|at| format!("t{at:02}")).collect::<Vec<_>>().join(" "));
    assert_eq!(few.parts[&Semantic].left_out[&LeftOut::Limit], 5);
    assert_eq!(few.considered, 20);
    let many = found(&blocks, r#"{"query":"zebra","type":"search"}"#);
    assert!(many.parts[&Semantic].left_out.is_empty());
}

#[test]
fn what_the_focus_shows_is_neither_repeated_nor_the_measure() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Page"}
        {"id":"t","type":"text","parent":"p","text":"zebra zebra zebra"}
        {"id":"q","type":"page","title":"Other"}
        {"id":"u","type":"text","parent":"q","text":"lion bear wolf zebra crane stork heron otter"}
        {"id":"v","type":"text","parent":"q","text":"crane"}
        {"id":"w","type":"text","parent":"q","text":"heron"}"#;
    let alone = found(blocks, r#"{"query":"zebra"}"#);
    assert_eq!(ids(&alone, Semantic), "t", "the other text has less than 0.6 of it");
    let found = found(blocks, r#"{"query":"zebra","focus":{"blockId":"t"}}"#);
    assert_eq!(ids(&found, Semantic), "u");
    let shown = entry(&found, "t").why.as_ref().unwrap();
    assert_eq!((shown.collector, shown.also.as_slice()), (Focus, &[Semantic][..]));
}

const TASKS: &str = r#"
    {"id":"p","type":"page","title":"Plan","updatedAt":"2025-06-10"}
    {"id":"late","type":"todo","parent":"p","order":1,"text":"Send invoices","due":"2025-06-09"}
    {"id":"today","type":"todo","parent":"p","order":2,"text":"Book venue","due":"2025-06-10"}
    {"id":"done","type":"todo","parent":"p","order":3,"text":"Sweep","due":"2025-06-01","done":true}
    {"id":"k","type":"kanban_card","parent":"p","order":4,"title":"Ship invoices","due":"2025-06-20"}
    {"id":"in","type":"todo","parent":"k","order":1,"text":"Renew","due":"2025-06-01"}
    {"id":"x","type":"text","parent":"k","order":2,"text":"invoices"}
    {"id":"y","type":"text","parent":"p","order":5,"text":"wolf"}"#;

#[test]
fn tasks_have_to_meet_the_conditions_and_stand_for_themselves() {
    let late = found(TASKS, r#"{"query":"overdue","now":"2025-06-10"}"#);
    assert_eq!(priors(&late, Semantic), "late 0.9, in 0.9");
    let both = found(TASKS, r#"{"query":"overdue invoices","now":"2025-06-10"}"#);
    assert_eq!(ids(&both, Semantic), "late x", "`in` has nothing to do with invoices, and `k` is not overdue");
}

/// A page with a heading and what follows it.
fn section(rest: &str) -> String {
    format!(
        r#"{{"id":"p","type":"page","title":"Page"}}
        {{"id":"h","type":"heading","parent":"p","order":1,"text":"Animals"}}
        {{"id":"t","type":"text","parent":"p","order":2,"text":"zebra"}}
        {{"id":"u","type":"text","parent":"p","order":3,"text":"{rest}"}}
        {{"id":"o","type":"todo","parent":"p","order":4,"text":"lion","done":false}}
        {{"id":"g","type":"heading","parent":"p","order":5,"text":"Plants"}}
        {{"id":"v","type":"text","parent":"p","order":6,"text":"lily"}}"#
    )
}

#[test]
fn a_heading_and_what_follows_it_are_one_unit() {
    let found_for = |query: &str| found(&section("wolf"), &format!(r#"{{"query":"{query}"}}"#));
    let zebra = found_for("zebra");
    assert_eq!(ids(&zebra, Semantic), "h");
    assert_eq!(entry(&zebra, "h").content, "Animals\nzebra\nwolf\n- [ ] lion");
    assert_eq!(ids(&found_for("lily"), Semantic), "g");
    assert_eq!(ids(&found_for("lion"), Semantic), "o", "a task stands for itself");
}

#[test]
fn a_section_ends_where_it_is_too_long() {
    let long = found(&section(&"word ".repeat(300)), r#"{"query":"zebra"}"#);
    assert_eq!(entry(&long, "h").content, "Animals\nzebra");
    let below = found(&section(&"word ".repeat(300)), r#"{"query":"animals word"}"#);
    assert!(ids(&below, Semantic).contains('u'), "{}", ids(&below, Semantic));
}

#[test]
fn titles_do_not_decide_how_like_a_text_has_to_be() {
    let blocks = r#"
        {"id":"d","type":"database","title":"Zebra crossings"}
        {"id":"r","type":"db_row","parent":"d","title":"Crossings of the main street and the market near the old town"}"#;
    let both = found(blocks, r#"{"query":"zebra crossings"}"#);
    assert_eq!(ids(&both, Semantic), "d r");
}
