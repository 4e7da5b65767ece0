use super::*;
use crate::record::ProblemCode;

mod recognition;
mod rights;
mod rows;
mod texts;

/// A tree of blocks from the inside of its map.
fn tree(blocks: &str) -> WorkspaceFile {
    read(SourceKind::BlockTree, &format!("{{\"roots\":[\"a\"],\"blocks\":{{{blocks}}}}}")).unwrap()
}

fn lines(text: &str) -> WorkspaceFile {
    read(SourceKind::Blocks, text).unwrap()
}

fn codes(file: &WorkspaceFile) -> Vec<ProblemCode> {
    file.troubles.iter().map(|trouble| trouble.code).collect()
}

fn ids(file: &WorkspaceFile) -> Vec<&str> {
    file.blocks.iter().map(|block| block.id.as_str()).collect()
}

#[test]
fn blocks_of_a_tree_have_places_dates_and_children() {
    let file = tree(
        r#""a": {"id": "a", "type": "page", "children": ["b", 7], "createdAt": "2025-05-01",
            "updatedAt": 1748599200000, "version": 3, "data": {"title": "Home", "icon": null}},
          "7": {"type": "text", "parentId": "a", "data": null}"#,
    );
    assert_eq!((file.roots.as_slice(), ids(&file)), (["a".to_string()].as_slice(), vec!["a", "7"]));
    let page = &file.blocks[0];
    assert_eq!(page.children, ["b", "7"]);
    assert_eq!(page.created.as_ref().map(|date| date.as_str()), Some("2025-05-01"));
    assert_eq!(page.modified.as_ref().map(|date| date.as_str()), Some("2025-05-30T10:00:00Z"));
    assert_eq!(file.blocks[1].parent.as_deref(), Some("a"));
    assert_eq!(file.blocks[1].text, "");
    assert!(file.troubles.is_empty(), "{:?}", file.troubles);
}

#[test]
fn all_trees_of_a_file_are_read_in_the_order_of_keys() {
    let tree =
        |id: &str| format!(r#"{{"tree":{{"metadata":{{}},"blocks":{{"{id}":{{"type":"text"}}}},"roots":["{id}"]}}}}"#);
    let text = format!(r#"{{"version":1,"examples":{{"z":{},"b":{}}},"a":[{}]}}"#, tree("1"), tree("2"), tree("3"));
    let file = read(SourceKind::BlockTree, &text).unwrap();
    assert_eq!((file.roots.join(" "), ids(&file)), ("2 1".to_string(), vec!["2", "1"]));
    let deep = |levels: usize| {
        let (open, close) = ("{\"x\":".repeat(levels), "}".repeat(levels));
        read(SourceKind::BlockTree, &format!("{open}{{\"roots\":[],\"blocks\":{{}}}}{close}"))
    };
    assert!(deep(4).is_ok());
    assert!(deep(5).is_err());
}

#[test]
fn what_is_no_tree_fails() {
    for text in
        ["", "[]", "{", "{}", "{\"roots\":[],\"blocks\":[]}", "{\"roots\":[],\"blocks\":{\"a\":1}}", "{\"roots\":[]} x"]
    {
        assert!(read(SourceKind::BlockTree, text).is_err(), "{text}");
    }
    let tree = r#"{"roots":["ä"],"blocks":{"ä":{"type":"text","data":{"content":"x"}}}}"#;
    for end in (0..tree.len()).filter(|end| tree.is_char_boundary(*end)) {
        assert!(read(SourceKind::BlockTree, &tree[..end]).is_err(), "{end}");
    }
}

#[test]
fn a_bad_block_leaves_the_others_alone() {
    let file = tree(
        r#""a": 5, "b": {}, "c": {"type": 7}, "": {"type":"text"}, "d": {"type":"text","parentId":{}},
          "e": {"type":"text","id":"x","children":[[],"f"],"data":[]}, "g": {"type":"text","data":{"content":"fine"}}"#,
    );
    assert_eq!(ids(&file), ["e", "g"]);
    assert_eq!(codes(&file), vec![ProblemCode::ItemData; 8]);
    assert_eq!(file.blocks[0].children, ["f"]);
    assert_eq!(file.blocks[1].text, "fine");
    let long = "x".repeat(513);
    let file = tree(&format!(r#""{long}":{{"type":"text"}},"{}":{{"type":"text"}}"#, &long[1..]));
    assert_eq!((file.blocks.len(), codes(&file).len()), (1, 1));
}

#[test]
fn an_unknown_type_is_a_text_of_its_strings() {
    let file = tree(r#""a":{"type":"poll","data":{"z":"last","n":5,"question":"Lunch?","x":["no"]}}"#);
    assert_eq!((file.blocks[0].block_type, file.blocks[0].text.as_str()), (BlockType::Text, "Lunch?\nlast"));
    assert_eq!(codes(&file), [ProblemCode::ItemType]);
    let file = lines(r#"{"id":"a","type":"poll","text":"Lunch?","data":{"z":"last"},"due":"2025-06-01"}"#);
    assert_eq!(file.blocks[0].text, "Lunch?\nlast");
    assert!(file.blocks[0].due.is_some());
}

#[test]
fn two_values_of_one_key_are_read_as_everybody_does() {
    let file =
        tree(r#""a":{"type":"text","type":"todo","data":{"content":"1"},"data":{"content":"2"}},"a":{"type":"code"}"#);
    assert_eq!(ids(&file), ["a", "a"], "both stay: another file may name either");
    assert_eq!(file.blocks[0].text, "- [ ] 2");
}

#[test]
fn large_and_deep_files_are_read() {
    let block =
        |at: usize| format!(r#""{at}":{{"type":"text","parentId":"{}","children":["{}"]}}"#, at + 1, at.max(1) - 1);
    let all: Vec<String> = (0..100_000).map(block).collect();
    assert_eq!(tree(&all.join(",")).blocks.len(), 100_000);
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    for value in [&deep, &objects] {
        let file = tree(&format!(
            r#""a":{{"type":"db_row","metadata":{{"uiState":{value}}},"data":{{"x":{value},"values":{{"p":{value},"q":1}}}}}}"#
        ));
        assert_eq!(file.blocks[0].values.last().unwrap().0, "q");
        assert!(read(SourceKind::BlockTree, &format!("{{\"x\":{value}}}")).is_err());
        assert!(read(SourceKind::Permissions, value).is_err());
    }
}

#[test]
fn a_line_has_all_fields() {
    let text = concat!(
        "\u{feff}\r\n  ",
        r#"{"id":"b7","type":"todo","parent":"p1","order":3,"title":null,"text":"Renew TLS","data":{},"createdAt":"2025-05-01","#,
        r#""updatedAt":"2025-05-30T10:00:00Z","createdBy":"7","due":"2025-06-01","done":false,"priority":"high","assignees":["7"],"#,
        r#""tags":["ops"],"archived":false,"template":true,"properties":{"Cost":"12","A":[1,true,null]},"relations":{"Project":["r1",2]},"#,
        r#""links":[{"to":"p9","label":"see"}],"read":["team:ops"],"readMode":"replace"}"#,
        "\r\n\r\n{\"id\":5,\"type\":\"text\",\"order\":-0.5}\r\n",
    );
    let file = lines(text);
    assert!(file.troubles.is_empty(), "{:?}", file.troubles);
    let block = &file.blocks[0];
    assert_eq!(block.text, "- [ ] Renew TLS (due 2025-06-01, high)");
    assert_eq!((block.id_span.text(text), block.parent.as_deref(), block.order), ("b7", Some("p1"), Some(3.0)));
    assert!(block.span.text(text).starts_with("{\"id\":\"b7\"") && block.span.text(text).ends_with('}'));
    assert_eq!((block.assignees.join(","), block.tags.join(",")), ("7".to_string(), "ops".to_string()));
    assert_eq!((block.done, block.template, block.archived), (Some(false), true, false));
    let named = |name: &str, values: &[&str]| (name.to_string(), values.iter().map(|it| it.to_string()).collect());
    assert_eq!(block.named_values, [named("A", &["1", "yes"]), named("Cost", &["12"])]);
    let links: Vec<_> =
        block.links.iter().map(|it| (it.is_relation, it.label.as_deref(), it.span.text(text))).collect();
    assert_eq!(links[..2], [(true, Some("Project"), "\"r1\""), (true, Some("Project"), "2")]);
    assert_eq!(links[2], (false, Some("see"), r#"{"to":"p9","label":"see"}"#));
    assert_eq!(block.grants, [Grant { read: vec!["team:ops".to_string()], replaces: true }]);
    assert_eq!((file.blocks[1].id.as_str(), file.blocks[1].order), ("5", Some(-0.5)));
}

#[test]
fn a_bad_line_leaves_the_others_alone() {
    let good = r#"{"id":"a","type":"text","text":"ok"}"#;
    for bad in [
        "{",
        "\0",
        "[]",
        "{\"id\":\"b\"}",
        r#"{"id":"","type":"text"}"#,
        r#"{"id":1.5,"type":"text"}"#,
        r#"{"id":"b","type":"text","parents":"p"}"#,
        r#"{"id":"b","type":"text","parent":["p"]}"#,
        r#"{"id":"b","type":"text","text":"a\u0000"#,
    ] {
        let file = lines(&format!("{good}\n{bad}\n{good}"));
        assert_eq!((file.blocks.len(), codes(&file)), (2, vec![ProblemCode::ItemData]), "{bad}");
        assert!(read(SourceKind::Blocks, bad).is_err() || bad.contains("type"), "{bad}");
    }
}

#[test]
fn a_bad_value_leaves_the_rest_of_its_line_alone() {
    let bad = |field: &str, code: ProblemCode| {
        let file = lines(&format!(r#"{{"id":"a","type":"text","text":"ok",{field}}}"#));
        assert_eq!((file.blocks[0].text.as_str(), codes(&file)), ("ok", vec![code]), "{field}");
        assert_eq!(file.blocks[0].order, None);
    };
    for field in [
        "\"order\":1e999",
        "\"order\":\"1\"",
        "\"done\":1",
        "\"tags\":[{}]",
        "\"links\":[5]",
        "\"relations\":[]",
        "\"data\":7",
        "\"properties\":\"x\"",
    ] {
        bad(field, ProblemCode::ItemData);
    }
    for date in ["\"soon\"", "\"2025-02-30\"", "1e30", "-5", "true", "\"2025-06-01x\"", "\"2025-06-01 at 10:00\"", "[]"]
    {
        bad(&format!("\"createdAt\":{date}"), ProblemCode::ItemDate);
    }
    bad("\"read\":\"public\"", ProblemCode::Permission);
}

#[test]
fn dates_are_days_seconds_or_counts() {
    for (written, wanted) in [
        ("\"2025-06-01\"", "2025-06-01"),
        ("\"2025-06-01T10:00:00+02:00\"", "2025-06-01T08:00:00Z"),
        ("\"2025-06-01 10:00\"", "2025-06-01T10:00:00Z"),
        ("1748772000", "2025-06-01T10:00:00Z"),
        ("1748772000000", "2025-06-01T10:00:00Z"),
    ] {
        let file = lines(&format!(r#"{{"id":"a","type":"text","updatedAt":{written}}}"#));
        assert_eq!(file.blocks[0].modified.as_ref().map(|date| date.as_str()), Some(wanted), "{written}");
    }
}

#[test]
fn messages_name_no_words_of_blocks() {
    let secret = "canary";
    let text = format!(
        r#"{{"id":"a","type":"{secret}","parent":null,"title":"{secret}","order":"{secret}","due":"{secret}","read":["{secret} x"],
        "readMode":"{secret}","links":["{secret}"],"relations":{{"{secret}":{{}}}},"data":{{"{secret}":1}}}}"#
    );
    let mut text = text.replace('\n', "");
    text += &format!(
        "\n{{\"id\":\"b\",\"type\":\"db_row\",\"data\":{{\"values\":\"{secret}\"}}}}\n{{\"{secret}\":1}}\n{secret}"
    );
    let troubles = lines(&text).troubles;
    assert!(troubles.len() > 7, "{troubles:?}");
    assert!(troubles.iter().all(|trouble| !trouble.message.contains(secret)), "{troubles:?}");
}

#[test]
fn activity_and_links_are_read_line_by_line() {
    let text = "{\"user\":7,\"block\":\"p\",\"kind\":\"edit\",\"at\":1748772000}\n\
        {\"userId\":\"8\",\"blockId\":\"q\",\"kind\":\"view\",\"timestamp\":\"2025-06-01\",\"id\":1}\n\
        {\"user\":\"7\",\"block\":\"p\",\"kind\":\"like\",\"at\":1}\n\
        {\"user\":\"7\",\"block\":\"p\",\"kind\":\"view\",\"at\":\"x\"}\n{}\nx\n";
    let file = read(SourceKind::Activity, text).unwrap();
    let found: Vec<_> =
        file.activity.iter().map(|it| (it.user.as_str(), it.block.as_str(), it.action, it.at.as_str())).collect();
    assert_eq!(found, [("7", "p", Action::Edit, "2025-06-01T10:00:00Z"), ("8", "q", Action::View, "2025-06-01")]);
    use ProblemCode::*;
    assert_eq!(codes(&file), [ItemData, ItemDate, ItemData, ItemData]);

    let text = "{\"from\":\"a\",\"to\":\"b\",\"label\":\"spec\"}\n{\"taskId\":1,\"noteId\":\"n\",\"relationType\":\"meeting\"}\n{\"from\":\"a\"}";
    let file = read(SourceKind::Links, text).unwrap();
    let found: Vec<_> =
        file.links.iter().map(|(from, link)| (from.as_str(), &link.to, link.label.as_deref())).collect();
    let id = |id: &str| LinkTarget::Id(id.to_string());
    assert_eq!(found, [("a", &id("b"), Some("spec")), ("1", &id("n"), Some("meeting"))]);
    assert_eq!(codes(&file), [ItemData]);
}
