//! Trees that are deeper or wider than any that people make.

use super::{entry, found};
use crate::record::workspace::PayloadPart::{Focus, Semantic};

const COUNT: usize = 100_000;

/// Blocks one in the other.
fn chain(block_type: &str) -> String {
    let line = |at: usize| {
        let parent = if at == 0 { String::new() } else { format!(r#","parent":"b{:06}""#, at - 1) };
        format!(r#"{{"id":"b{at:06}","type":"{block_type}","title":"Zebra","text":"zebra"{parent}}}"#) + "\n"
    };
    (0..COUNT).map(line).collect()
}

#[test]
fn a_hundred_thousand_levels_of_items_are_found() {
    let found = found(&chain("list_item"), r#"{"query":"zebra","focus":{"blockId":"b050000"}}"#);
    let focus = entry(&found, "b050000");
    assert_eq!(focus.blocks.len(), COUNT / 2);
    assert!(focus.content.starts_with("- zebra\n  - zebra\n"));
    assert_eq!(found.parts[&Semantic].entries.len(), 15);
}

#[test]
fn a_hundred_thousand_levels_of_any_type_are_found() {
    for block_type in ["page", "kanban_card", "row", "table_row", "kanban_column"] {
        let request = r#"{"query":"zebra","focus":{"blockId":"b099999","pageId":"b000000"}}"#;
        let found = found(&chain(block_type), request);
        let entries = &found.parts[&Focus].entries;
        assert!(entries.iter().all(|entry| entry.path.len() <= 64));
        assert_eq!(entries.is_empty(), matches!(block_type, "row" | "table_row"), "{block_type}");
    }
}
