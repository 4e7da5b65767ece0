//! What stands around a focus.

use super::{entries, entry, found, found_in, priors, try_find, warnings};
use crate::assemble::blocks::reader;
use crate::record::workspace::LeftOut;
use crate::record::workspace::PayloadPart::{Activity, Focus, Semantic};

/// Lines of texts on a page.
fn texts(page: &str, count: usize) -> String {
    let line = |at| {
        format!(
            "{{\"id\":\"t{at:03}\",\"type\":\"text\",\"parent\":\"{page}\",\"order\":{at},\"text\":\"Text {at}\"}}\n"
        )
    };
    (0..count).map(line).collect()
}

const TREE: &str = r#"
    {"id":"home","type":"page","title":"Home"}
    {"id":"p","type":"page","parent":"home","title":"Plan"}
    {"id":"col","type":"column","parent":"p","order":1}
    {"id":"a","type":"text","parent":"col","order":1,"text":"first"}
    {"id":"b","type":"text","parent":"col","order":2,"text":"second"}
    {"id":"c","type":"list_item","parent":"p","order":2,"text":"focus"}
    {"id":"in","type":"list_item","parent":"c","order":1,"text":"a part of it"}
    {"id":"sub","type":"page","parent":"c","order":2,"title":"A page in it"}
    {"id":"d","type":"text","parent":"p","order":3,"text":"fourth"}
    {"id":"e","type":"text","parent":"p","order":4,"text":"fifth"}
    {"id":"f","type":"text","parent":"p","order":5,"text":"sixth"}"#;

#[test]
fn a_block_has_ancestors_siblings_and_children() {
    let found = found(TREE, r#"{"focus":{"blockId":"c"}}"#);
    assert_eq!(priors(&found, Focus), "home 0.8, p 0.9, a 0.7, b 0.8, c 1, sub 0.85, d 0.75, e 0.65");
    assert_eq!(entry(&found, "p").content, "Plan", "an ancestor is shown by itself");
    assert_eq!(entry(&found, "c").content, "- focus\n  - a part of it");
    assert_eq!((entry(&found, "c").is_whole, entry(&found, "d").is_whole), (true, false));
    assert_eq!(found.focus_block_id.as_deref(), Some("c"));
    assert_eq!(entry(&found, "c").path, ["Home", "Plan"]);
    assert_eq!(entry(&found, "c").page_title.as_deref(), Some("Plan"));
    assert_eq!(entry(&found, "sub").page_title.as_deref(), Some("A page in it"));
}

#[test]
fn a_request_may_look_less_far() {
    let found = found(TREE, r#"{"focus":{"blockId":"c"},"hints":{"maxDepth":1}}"#);
    assert_eq!(priors(&found, Focus), "p 0.9, a 0.7, b 0.8, c 1, sub 0.85, d 0.75, e 0.65");
    let found = super::found(TREE, r#"{"focus":{"blockId":"c"},"hints":{"maxDepth":0}}"#);
    assert_eq!(priors(&found, Focus), "a 0.7, b 0.8, c 1, d 0.75, e 0.65");
}

#[test]
fn what_stands_around_is_what_the_reader_may_see() {
    let hidden = TREE.replace(r#""text":"second""#, r#""text":"second","read":["user:2"]"#);
    let found = found(&hidden, r#"{"focus":{"blockId":"c"}}"#);
    assert_eq!(priors(&found, Focus), "home 0.8, p 0.9, a 0.8, c 1, sub 0.85, d 0.75, e 0.7");
}

#[test]
fn a_block_has_five_children() {
    let cards: String = (1..=7)
        .map(|at| format!("{{\"id\":\"k{at}\",\"type\":\"kanban_card\",\"parent\":\"c\",\"order\":{at},\"title\":\"Card {at}\"}}\n"))
        .collect();
    let column = r#"{"id":"c","type":"kanban_column","title":"To Do"}"#;
    let found = found(&format!("{column}\n{cards}"), r#"{"focus":{"blockId":"c"}}"#);
    assert_eq!(priors(&found, Focus), "c 1, k1 0.85, k2 0.8, k3 0.75, k4 0.7, k5 0.65");
    assert_eq!(found.parts[&Focus].left_out[&LeftOut::Limit], 2);
    assert_eq!(found.considered, 8);
}

#[test]
fn a_page_shows_what_is_on_it_once_in_order() {
    let found = found(TREE, r#"{"focus":{"pageId":"p"}}"#);
    let expected = "p 0.95, a 0.85, b 0.85, c 0.85, sub 0.8, d 0.85, e 0.85, f 0.85";
    assert_eq!(priors(&found, Focus), expected);
    assert_eq!(found.focus_page_id.as_deref(), Some("p"));
    let shown = entries(&found, Focus).iter().flat_map(|entry| &entry.blocks);
    let mut shown: Vec<&str> = shown.map(|shown| shown.block_id.as_str()).collect();
    shown.sort_unstable();
    assert_eq!(shown, ["a", "b", "c", "d", "e", "f", "in", "p", "sub"]);
}

#[test]
fn a_page_shows_two_hundred_units_down_to_some_depth() {
    let page = r#"{"id":"p","type":"page","title":"Plan"}"#;
    let many = found(&format!("{page}\n{}", texts("p", 203)), r#"{"focus":{"pageId":"p"}}"#);
    assert_eq!(entries(&many, Focus).len(), 201);
    assert_eq!(many.parts[&Focus].left_out[&LeftOut::Limit], 3);
    let nested: String = (1..=12)
        .map(|at| {
            format!("{{\"id\":\"p{at:02}\",\"type\":\"page\",\"parent\":\"p{:02}\",\"title\":\"Page {at}\"}}\n", at - 1)
        })
        .collect();
    let nested = format!("{{\"id\":\"p00\",\"type\":\"page\",\"title\":\"Page 0\"}}\n{nested}");
    let deep = found(&nested, r#"{"focus":{"pageId":"p00"},"tokenBudget":{"semantic":0}}"#);
    let expected =
        "p00 0.95, p01 0.85, p02 0.8, p03 0.75, p04 0.7, p05 0.65, p06 0.6, p07 0.55, p08 0.5, p09 0.5, p10 0.5";
    assert_eq!(priors(&deep, Focus), expected);
    let near = found(&nested, r#"{"focus":{"pageId":"p00"},"hints":{"maxDepth":2}}"#);
    assert_eq!(priors(&near, Focus), "p00 0.95, p01 0.85, p02 0.8");
}

#[test]
fn a_database_shows_the_rows_that_are_most_like_the_question() {
    let row = |at: usize| {
        let name = if at == 40 || at == 55 { "Zebra" } else { "Row" };
        format!(
            "{{\"id\":\"r{at:02}\",\"type\":\"db_row\",\"parent\":\"d\",\"order\":{at},\"title\":\"{name} {at}\"}}\n"
        )
    };
    let rows: String = (0..60).map(row).collect();
    let blocks = format!("{}\n{rows}", r#"{"id":"d","type":"database","title":"Animals"}"#);
    let found = found(&blocks, r#"{"query":"zebra","focus":{"databaseId":"d"}}"#);
    let ids: Vec<&str> = entries(&found, Focus).iter().map(|entry| entry.block_id.as_str()).collect();
    assert_eq!(ids.len(), 51);
    assert!(ids.contains(&"r55") && ids.contains(&"r40") && ids.contains(&"r47") && !ids.contains(&"r49"), "{ids:?}");
    assert!(priors(&found, Focus).starts_with("d 0.95, r00 0.75, "));
    assert_eq!(found.parts[&Focus].left_out[&LeftOut::Limit], 10);
}

#[test]
fn a_row_belongs_to_its_database_wherever_it_stands() {
    let blocks = r#"
        {"id":"d","type":"database","title":"Animals","properties":[{"id":"n","name":"Name","type":"text"}]}
        {"id":"p","type":"page","title":"Page"}
        {"id":"r","type":"db_row","parent":"p","data":{"databaseId":"d","values":{"n":"Zebra"}}}"#;
    assert_eq!(priors(&found(blocks, r#"{"focus":{"databaseId":"d"}}"#), Focus), "d 0.95, r 0.75");
}

#[test]
fn hidden_and_unknown_ids_give_the_same_warning() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Plan"}
        {"id":"s","type":"page","title":"Secret","read":["user:2"]}"#;
    let ask = |id: &str| {
        let request = format!(r#"{{"query":"plan","focus":{{"pageId":"{id}"}},"hints":{{"includeBlocks":["{id}"]}}}}"#);
        warnings(&found(blocks, &request))
    };
    let expected = [
        "NotFound: `focus.pageId`: no block with this id can be read",
        "NotFound: `hints.includeBlocks`: no block with this id can be read",
    ];
    assert_eq!(ask("s"), expected);
    assert_eq!(ask("nobody"), expected);
    assert!(ask("p").is_empty());
}

#[test]
fn a_focus_is_of_the_kind_that_it_says() {
    let found = found(TREE, r#"{"focus":{"pageId":"c","databaseId":"p"}}"#);
    assert_eq!(
        warnings(&found)[..2],
        [
            "NotFound: `focus.pageId`: the block with this id is no page",
            "NotFound: `focus.databaseId`: the block with this id is no database"
        ]
    );
    assert!(entries(&found, Focus).is_empty());
}

#[test]
fn several_focuses_are_all_shown() {
    let found = found(TREE, r#"{"focus":{"blockId":"c","pageId":"p"}}"#);
    assert_eq!(priors(&found, Focus), "home 0.8, p 0.95, a 0.85, b 0.85, c 1, sub 0.85, d 0.85, e 0.85, f 0.85");
    assert_eq!(entry(&found, "p").content, "Plan", "the form of who found it first");
}

#[test]
fn blocks_may_be_included_and_excluded() {
    let request = r#"{"focus":{"blockId":"d"},"hints":{"includeBlocks":["sub","a","in"],"excludeBlocks":["c","e"]}}"#;
    let found = found(TREE, request);
    assert_eq!(priors(&found, Focus), "home 0.8, p 0.9, a 1, b 0.8, d 1, f 0.75");
    assert!(entry(&found, "a").is_whole);
    assert!(warnings(&found).is_empty());
    let off = super::found(TREE, r#"{"query":"x","tokenBudget":{"focus":0},"hints":{"includeBlocks":["a"]}}"#);
    assert_eq!(priors(&off, Semantic), "a 1");
    assert!(!off.parts.contains_key(&Focus));
    let outer = super::found(TREE, r#"{"focus":{"blockId":"c"},"hints":{"excludeBlocks":["p"]}}"#);
    assert_eq!(priors(&outer, Focus), "home 0.8");
    let card = r#"
        {"id":"k","type":"kanban_card","title":"Card"}
        {"id":"t","type":"text","parent":"k","order":1,"text":"out"}
        {"id":"u","type":"text","parent":"k","order":2,"text":"in"}"#;
    let cut = super::found(card, r#"{"focus":{"blockId":"k"},"hints":{"excludeBlocks":["t"]}}"#);
    assert_eq!(entry(&cut, "k").content, "Card\n  in");
}

/// The section of the heading ends before the code, in the middle of the row.
#[test]
fn a_section_may_end_inside_of_what_is_excluded() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Page"}
        {"id":"h","type":"heading","parent":"p","order":1,"text":"Goals"}
        {"id":"r","type":"row","parent":"p","order":2}
        {"id":"t","type":"text","parent":"r","order":1,"text":"Ship it"}
        {"id":"c","type":"code","parent":"r","order":2,"text":"make"}"#;
    let content = |excluded: &str| {
        let request = format!(r#"{{"focus":{{"blockId":"h"}},"hints":{{"excludeBlocks":["{excluded}"]}}}}"#);
        entry(&found(blocks, &request), "h").content.clone()
    };
    assert_eq!(content("c"), "Goals\nShip it");
    assert_eq!(content("r"), "Goals");
}

#[test]
fn archived_blocks_and_templates_are_found_where_the_request_points_at_them() {
    let blocks = r#"
        {"id":"home","type":"page","title":"Home"}
        {"id":"old","type":"page","parent":"home","order":1,"title":"Old","archived":true}
        {"id":"x","type":"text","parent":"old","text":"zebra stripes"}
        {"id":"form","type":"page","parent":"home","order":2,"title":"Form","template":true}
        {"id":"y","type":"text","parent":"home","order":3,"text":"zebra"}"#;
    assert_eq!(priors(&found(blocks, r#"{"focus":{"pageId":"home"}}"#), Focus), "home 0.95, y 0.85");
    assert_eq!(priors(&found(blocks, r#"{"focus":{"pageId":"old"}}"#), Focus), "old 0.95, x 0.85");
    let ids = |request: &str| super::ids(&found(blocks, request), Semantic);
    assert_eq!(ids(r#"{"query":"zebra"}"#), "y");
    assert_eq!(super::ids(&found(blocks, r#"{"query":"q","hints":{"includeBlocks":["x"]}}"#), Focus), "x");
}

#[test]
fn parts_that_are_off_are_not_there() {
    let off = found(TREE, r#"{"focus":{"pageId":"p"},"tokenBudget":{"focus":0}}"#);
    assert!(!off.parts.contains_key(&Focus) && off.parts.contains_key(&Activity));
    let search = found(TREE, r#"{"query":"second","type":"search"}"#);
    assert!(!search.parts.contains_key(&Activity));
}

#[test]
fn nothing_to_show_is_said() {
    let blocks = r#"{"id":"s","type":"page","title":"Secret","read":["user:2"]}"#;
    let found = found(blocks, r#"{"query":"secret","queryVector":[0.5]}"#);
    assert_eq!(
        warnings(&found),
        [
            "Lexical: the index has no vectors; likeness is that of words",
            "NoContext: there is nothing to show for this request"
        ]
    );
    assert_eq!(found.considered, 0);
}

#[test]
fn a_page_that_is_shared_wider_says_nothing_of_what_is_around_it() {
    let blocks = r#"
        {"id":"sec","type":"page","title":"Layoffs","read":["user:2"]}
        {"id":"pub","type":"page","parent":"sec","title":"Notes","read":["public"],"readMode":"replace"}"#;
    let found = found(blocks, r#"{"focus":{"pageId":"pub"}}"#);
    assert_eq!(priors(&found, Focus), "pub 0.95");
    assert!(entry(&found, "pub").path.is_empty());
    let all = found_in(&[("b.jsonl", blocks)], r#"{"focus":{"pageId":"pub"}}"#, &reader(&["user:2"]));
    assert_eq!(entry(&all, "pub").path, ["Layoffs"]);
}

#[test]
fn dates_of_the_request_are_checked() {
    for (request, fault) in [
        (r#"{"query":"a","now":"tomorrow"}"#, "`now` is no date or date and time: `tomorrow`"),
        (
            r#"{"query":"a","hints":{"timeRange":{"end":"2025"}}}"#,
            "`hints.timeRange.end` is no date or date and time: `2025`",
        ),
    ] {
        let refused = try_find(&[("b.jsonl", TREE)], request, &reader(&[])).unwrap_err();
        assert_eq!(refused.to_string(), fault);
    }
}
