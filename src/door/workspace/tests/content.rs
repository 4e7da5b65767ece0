//! What is shown of a block.

use super::{entry, found};

/// The content of a focus block.
fn content(blocks: &str, id: &str) -> String {
    let found = found(blocks, &format!(r#"{{"focus":{{"blockId":"{id}"}}}}"#));
    entry(&found, id).content.clone()
}

/// Where blocks stand in the content of a focus block.
fn places(blocks: &str, id: &str) -> Vec<String> {
    let found = found(blocks, &format!(r#"{{"focus":{{"blockId":"{id}"}}}}"#));
    let entry = entry(&found, id);
    let place =
        |shown: &super::super::ShownBlock| format!("{}={}", shown.block_id, &entry.content[shown.range.clone()]);
    entry.blocks.iter().map(place).collect()
}

const CARD: &str = r#"
    {"id":"b","type":"kanban_board","title":"Launch"}
    {"id":"c","type":"kanban_column","parent":"b","order":1,"title":"To Do"}
    {"id":"k","type":"kanban_card","parent":"c","title":"Ship it","due":"2025-06-20"}
    {"id":"r","type":"row","parent":"k","order":1}
    {"id":"t1","type":"todo","parent":"r","text":"Write\nnotes","done":true}
    {"id":"l","type":"list","parent":"k","order":2}
    {"id":"i1","type":"list_item","parent":"l","order":1,"text":"one\nmore"}
    {"id":"i2","type":"list_item","parent":"i1","text":"inner"}
    {"id":"sub","type":"page","parent":"k","order":3,"title":"Another page"}
    {"id":"x","type":"text","parent":"sub","text":"not here"}"#;

#[test]
fn a_card_has_its_column_and_its_parts_two_spaces_a_level() {
    let expected = "Ship it\ndue: 2025-06-20\nstatus: To Do\n  - [x] Write\n  notes\n  - one\n    more\n    - inner";
    assert_eq!(content(CARD, "k"), expected);
}

#[test]
fn each_shown_block_has_its_place_with_what_is_below_it() {
    let list = "  - one\n    more\n    - inner";
    let all = [
        format!("k=Ship it\ndue: 2025-06-20\nstatus: To Do\n  - [x] Write\n  notes\n{list}"),
        "t1=  - [x] Write\n  notes".to_string(),
        format!("l={list}"),
        format!("i1={list}"),
        "i2=    - inner".to_string(),
    ];
    assert_eq!(places(CARD, "k"), all);
}

#[test]
fn items_of_ordered_lists_are_numbered_wherever_they_are_found() {
    let blocks = r#"
        {"id":"l","type":"list","data":{"ordered":true}}
        {"id":"a","type":"list_item","parent":"l","order":1,"text":"first"}
        {"id":"b","type":"list_item","parent":"l","order":2,"text":"second"}"#;
    assert_eq!(content(blocks, "l"), "1. first\n2. second");
    assert_eq!(content(blocks, "b"), "2. second");
}

#[test]
fn rows_of_tables_are_lines() {
    let blocks = r#"
        {"id":"t","type":"table","data":{"caption":"Sizes"}}
        {"id":"r1","type":"table_row","parent":"t","order":1}
        {"id":"c1","type":"table_cell","parent":"r1","order":1,"text":"a\nb"}
        {"id":"c2","type":"table_cell","parent":"r1","order":2,"text":"c"}
        {"id":"in","type":"table_row","parent":"c2","text":"ignored"}
        {"id":"deep","type":"text","parent":"in","text":"d"}
        {"id":"r2","type":"table_row","parent":"t","order":2}"#;
    assert_eq!(content(blocks, "t"), "Sizes\n  a b | c d");
    assert_eq!(places(blocks, "r1"), ["r1=a b | c d", "c1=a b", "c2=c d", "in=c d", "deep=c d"]);
}

#[test]
fn a_row_names_what_it_is_related_to_as_far_as_it_can_be_read() {
    let blocks = r#"
        {"id":"d","type":"database","title":"Deals","properties":[{"id":"n","name":"Name","type":"text"}]}
        {"id":"d1","type":"db_row","parent":"d","title":"Big deal","relations":{"Customers":["r1","r3","gone"],"Also":["r2"]}}
        {"id":"r1","type":"db_row","title":"Globex"}
        {"id":"r2","type":"db_row","title":"Initech"}
        {"id":"r3","type":"db_row","title":"Hooli","read":["user:2"]}"#;
    assert_eq!(content(blocks, "d1"), "Big deal\nAlso: Initech\nCustomers: Globex");
}

#[test]
fn a_page_is_summarized() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Plan","data":{"description":"What we do"}}
        {"id":"h","type":"heading","parent":"p","order":1,"text":"Goals"}
        {"id":"t","type":"todo","parent":"p","order":2,"text":"a"}
        {"id":"k","type":"kanban_card","parent":"p","order":3,"title":"b","data":{"completed":true}}
        {"id":"kh","type":"heading","parent":"k","text":"Of a card"}
        {"id":"s","type":"todo","parent":"p","order":4,"text":"hidden","read":["user:2"]}
        {"id":"q","type":"page","parent":"p","order":5,"title":"Inner"}
        {"id":"qt","type":"todo","parent":"q","text":"of the inner page"}
        {"id":"h2","type":"heading","parent":"p","order":6,"text":"Risks"}"#;
    assert_eq!(content(blocks, "p"), "Plan\nWhat we do\n- Goals\n- Risks\nTasks: 1 open, 1 done");
}

#[test]
fn a_summary_has_a_limit_and_keeps_its_tasks() {
    let headings: String = (0..30)
        .map(|at| {
            format!(
                "{{\"id\":\"h{at:02}\",\"type\":\"heading\",\"parent\":\"p\",\"order\":{at},\"text\":\"Part {at}\"}}\n"
            )
        })
        .collect();
    let page = r#"{"id":"p","type":"page","title":"Plan"}
        {"id":"t","type":"todo","parent":"p","order":99,"text":"a"}"#;
    let text = content(&format!("{page}\n{headings}"), "p");
    assert_eq!(text.lines().filter(|line| line.starts_with("- ")).count(), 20, "{text}");
    let long =
        format!(r#"{{"id":"p","type":"page","title":"Plan","data":{{"description":"{}"}}}}"#, "many words ".repeat(99));
    let text = content(&format!("{long}\n{{\"id\":\"t\",\"type\":\"todo\",\"parent\":\"p\",\"text\":\"a\"}}"), "p");
    assert!(text.ends_with(" …\nTasks: 1 open, 0 done"), "{text}");
    let tokens = crate::text::Tokenizer::default().count(&text);
    assert!((110..=120).contains(&tokens), "{tokens}");
}

#[test]
fn a_text_is_shown_as_it_was_written() {
    let blocks = r#"{"id":"c","type":"code","text":"a\r\n\n  b \n","data":{"language":"rust"}}"#;
    assert_eq!(content(blocks, "c"), "a\r\n\n  b \n");
    let found = found(blocks, r#"{"focus":{"blockId":"c"}}"#);
    assert_eq!(entry(&found, "c").language.as_deref(), Some("rust"));
}
