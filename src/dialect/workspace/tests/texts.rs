use super::super::*;

/// The own text of a block with such data, from both formats.
fn check(block_type: &str, data: &str, wanted: &str) {
    let tree = super::tree(&format!(r#""a":{{"type":"{block_type}","data":{data}}}"#));
    assert_eq!(tree.blocks[0].text, wanted, "{block_type} {data}");
    let line = super::lines(&format!(r#"{{"id":"a","type":"{block_type}","data":{}}}"#, data.replace('\n', " ")));
    assert_eq!(line.blocks[0].text, wanted, "{block_type} {data}");
    assert!(tree.troubles.is_empty() && line.troubles.is_empty(), "{:?}", tree.troubles);
}

/// The own text of a line with such fields.
fn check_line(block_type: &str, fields: &str, wanted: &str) {
    let file = super::lines(&format!(r#"{{"id":"a","type":"{block_type}",{fields}}}"#));
    assert_eq!(file.blocks[0].text, wanted, "{block_type} {fields}");
}

#[test]
fn containers_say_title_and_description() {
    check("page", r#"{"title":"Q3 Plan","description":"What we do","icon":"x"}"#, "Q3 Plan\nWhat we do");
    check("page", r#"{"title":null,"description":null}"#, "");
    check("kanban_board", r#"{"name":"Launch","description":""}"#, "Launch");
    check("kanban_column", r#"{"name":"Done","isDone":true,"wipLimit":3}"#, "Done");
    check("kanban_swimlane", r#"{"name":"Fast","color":"red"}"#, "Fast");
    let properties = r#"[{"id":"p","name":"Name","type":"text"},{"id":"q","name":"Due","type":"date","config":{}}]"#;
    let wanted = "Deals\nAll of them\nProperties: Name (text), Due (date)";
    check("database", &format!(r#"{{"name":"Deals","description":"All of them","properties":{properties}}}"#), wanted);
    let string = serde_json::to_string(properties).unwrap();
    check("database", &format!(r#"{{"name":"Deals","description":"All of them","properties":{string}}}"#), wanted);
}

#[test]
fn tasks_say_what_is_known_of_them() {
    check("todo", r#"{"content":"Pay"}"#, "- [ ] Pay");
    check(
        "todo",
        r#"{"content":"Pay","completed":true,"dueDate":"2025-06-01","priority":"high"}"#,
        "- [x] Pay (due 2025-06-01, high)",
    );
    check("todo", r#"{"content":"Pay","dueDate":1748772000,"priority":""}"#, "- [ ] Pay (due 2025-06-01T10:00:00Z)");
    check("todo", r#"{"priority":"low"}"#, "- [ ] (low)");
    check("todo", "{}", "- [ ]");
    let card = r#"{"title":"Ship","description":"Now\nor later","priority":"high","dueDate":"2025-06-01","assignedTo":7,"tags":["a","b"],
        "estimatedHours":8,"completedAt":"2025-06-02","archived":true}"#;
    let facts = "due: 2025-06-01; priority: high; assigned: 7; tags: a, b; estimate: 8 h; completed: 2025-06-02";
    check("kanban_card", card, &format!("Ship\nNow\nor later\n{facts}"));
    check("kanban_card", r#"{"title":"Ship","tags":[]}"#, "Ship");
    let card = &super::tree(&format!(r#""a":{{"type":"kanban_card","data":{card}}}"#)).blocks[0];
    assert_eq!((card.done, card.archived, card.title.as_deref()), (Some(true), true, Some("Ship")));
    let open = &super::tree(r#""a":{"type":"kanban_card","data":{"completedAt":""}}"#).blocks[0];
    assert_eq!(open.done, None, "its column may say that it is done");
}

#[test]
fn media_and_talks_say_what_a_reader_sees() {
    check("image", r#"{"url":"https://x.y/a/b.png?c=/d","alt":"A","caption":"B"}"#, "Image: A, B");
    check("image", r#"{"url":"https://x.y/a/b.png?c=/d#/e","alt":""}"#, "Image: b.png");
    check("image", r#"{"url":"data:image/png;base64,AA/BB"}"#, "");
    check("embed", r#"{"url":"https://x.y/","title":"Talk"}"#, "Embed: Talk");
    check("embed", r#"{"url":"https://x.y/"}"#, "Embed: https://x.y/");
    check("quote", r#"{"content":"Less","author":"Mies","source":"1947"}"#, "Less — Mies, 1947");
    check("quote", r#"{"content":"Less","source":"1947"}"#, "Less — 1947");
    check("ai_block", r#"{"prompt":"Why?","response":"So."}"#, "Q: Why?\nA: So.");
    check("ai_block", r#"{"prompt":"Why?"}"#, "Q: Why?");
    let messages =
        r#"[{"role":"user","content":"Hi","timestamp":1},{"role":"assistant","content":null},{"content":"x"}]"#;
    check("ai_chat", &format!(r#"{{"messages":{messages}}}"#), "user: Hi\nx");
    check(
        "ai_suggestion",
        r#"{"suggestion":"Cut","reason":"Long","confidence":0.5,"accepted":null}"#,
        "Cut\nReason: Long",
    );
}

#[test]
fn other_types_say_their_content_to_the_letter() {
    for block_type in ["text", "heading", "table_cell", "code", "list_item"] {
        check(block_type, r#"{"content":"  a\r\n\tb\u0000 $& "}"#, "  a\r\n\tb\0 $& ");
    }
    check("table", r#"{"caption":"Costs","hasHeader":true}"#, "Costs");
    check("table_cell", r#"{"content":12.50}"#, "12.50");
    for block_type in ["row", "column", "divider", "list", "table_row"] {
        check(block_type, r#"{"style":"x","content":"y"}"#, "");
    }
}

#[test]
fn every_type_has_a_text() {
    for block_type in BlockType::ALL {
        let file = super::tree(&format!(r#""a":{{"type":"{}","data":null}}"#, block_type.word()));
        assert_eq!((file.blocks[0].block_type, file.troubles.len()), (*block_type, 0));
    }
}

#[test]
fn fields_of_a_line_win_over_its_data() {
    check_line("page", r#""title":"A","text":"B","data":{"title":"x","description":"y"}"#, "A\nB");
    check_line(
        "todo",
        r#""done":true,"due":"2025-06-01","data":{"content":"A","completed":false}"#,
        "- [x] A (due 2025-06-01)",
    );
    check_line(
        "kanban_card",
        r#""title":"A","assignees":["7"],"data":{"estimatedHours":8}"#,
        "A\nassigned: 7; estimate: 8 h",
    );
    check_line("list_item", r#""title":"A""#, "A");
    check_line("list_item", r#""title":"A","text":"B""#, "B");
    check_line("db_row", r#""title":"A","text":"B""#, "A\nB");
    check_line("todo", r#""text":"A","data":{"ownText":"- [x] A (by hand)"}"#, "- [x] A (by hand)");
}

#[test]
fn other_data_have_their_own_places() {
    let file = super::tree(
        r#""a":{"type":"code","data":{"language":"rust"}},"b":{"type":"list","data":{"ordered":true}},
          "c":{"type":"kanban_column","data":{"isDone":true}},"d":{"type":"db_row","data":{"databaseId":5,"archived":true}}"#,
    );
    let [code, list, column, row] = &file.blocks[..] else { panic!("four blocks") };
    assert_eq!((code.language.as_deref(), list.is_ordered, column.holds_done), (Some("rust"), true, true));
    assert_eq!((row.database.as_deref(), row.archived, row.title.as_deref()), (Some("5"), true, None));
}
