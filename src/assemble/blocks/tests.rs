//! What a reader sees of links, columns, paths and ids.

use super::{LinkKind, ReadableBlocks, reader, with_blocks, with_files};
use crate::record::BlockNo;

fn block(view: &ReadableBlocks, id: &str) -> BlockNo {
    view.block_with_id(id).unwrap()
}

fn from(view: &ReadableBlocks, id: &str) -> String {
    let links = view.linked_from(block(view, id));
    let word = |link: &super::ReadableLink| {
        format!("{} {} {}", view.id(link.block), link.kind.name(), link.label.unwrap_or("-"))
    };
    links.iter().map(word).collect::<Vec<_>>().join(", ")
}

#[test]
fn links_are_followed_back_by_id_title_and_other_name() {
    let blocks = r#"
        {"id":"a","type":"page","title":"Plan","data":{"aliases":["Roadmap"]}}
        {"id":"b","type":"text","text":"[[plan]] and [[Roadmap]] and [[Other]]"}
        {"id":"c","type":"db_row","title":"Row","relations":{"To":["a"]},"links":[{"to":"a"}]}
        {"id":"d","type":"text","text":"[[Plan]]","read":["user:2"]}
        {"id":"e","type":"page","title":"Roadmap","read":["user:2"]}"#;
    with_blocks(blocks, &reader(&[]), |view| {
        assert_eq!(from(view, "a"), "b mention -, b mention -, c relation To, c reference -");
    });
    with_blocks(blocks, &reader(&["user:2"]), |view| {
        assert_eq!(
            from(view, "a"),
            "b mention -, c relation To, c reference -, d mention -",
            "a title wins over another name"
        );
        assert_eq!(from(view, "e"), "b mention -");
        assert!(view.links(block(view, "b")).iter().all(|link| link.kind == LinkKind::Mention));
    });
}

#[test]
fn an_id_means_the_block_of_the_own_file_first() {
    let files = [
        (
            "a.jsonl",
            "{\"id\":\"x\",\"type\":\"text\",\"text\":\"first\"}\n{\"id\":\"l\",\"type\":\"text\",\"links\":[{\"to\":\"x\"}]}",
        ),
        (
            "b.jsonl",
            "{\"id\":\"x\",\"type\":\"text\",\"text\":\"second\"}\n{\"id\":\"m\",\"type\":\"text\",\"links\":[{\"to\":\"x\"}]}",
        ),
        ("c.jsonl", "{\"id\":\"n\",\"type\":\"text\",\"links\":[{\"to\":\"x\"}]}"),
    ];
    with_files(&files, &reader(&[]), |view| {
        let to = |id: &str| view.text(view.links(block(view, id))[0].block);
        assert_eq!([to("l"), to("m"), to("n")], ["first", "second", "first"]);
        assert_eq!(from(view, "x"), "l reference -, n reference -");
    });
}

#[test]
fn a_card_is_in_the_column_of_its_own_page() {
    let blocks = r#"
        {"id":"c","type":"kanban_column","title":"Done","data":{"isDone":true}}
        {"id":"s","type":"kanban_swimlane","parent":"c","title":"Lane"}
        {"id":"k","type":"kanban_card","parent":"s","title":"Card"}
        {"id":"p","type":"page","parent":"k","title":"Page of the card"}
        {"id":"k2","type":"kanban_card","parent":"p","title":"Card on the page"}
        {"id":"t","type":"todo","parent":"k","text":"Todo"}"#;
    with_blocks(blocks, &reader(&[]), |view| {
        let column = |id: &str| view.column(block(view, id)).map(|column| view.id(column));
        assert_eq!([column("k"), column("k2"), column("t")], [Some("c"), None, None]);
        let done = |id: &str| view.done(block(view, id));
        assert_eq!([done("k"), done("k2"), done("t")], [Some(true), Some(false), Some(false)]);
    });
}

#[test]
fn blocks_have_the_tokens_of_what_is_seen_of_them() {
    let blocks = r#"
        {"id":"d","type":"database","title":"Deals","properties":[{"id":"n","name":"Name","type":"text"},{"id":"x","name":"Size of it","type":"number"}]}
        {"id":"r","type":"db_row","parent":"d","data":{"values":{"n":"Globex","x":12}}}
        {"id":"l","type":"list","parent":"r"}"#;
    with_blocks(blocks, &reader(&[]), |view| {
        assert_eq!(view.text(block(view, "r")), "Globex\nSize of it: 12");
        let count = crate::text::Tokenizer::default().count(view.text(block(view, "r")));
        assert_eq!(view.tokens(block(view, "r")) as usize, count);
        assert_eq!(view.tokens(block(view, "l")), 0);
    });
}

#[test]
fn readers_have_keys_and_hidden_ids_have_none() {
    let blocks = r#"
        {"id":"a","type":"page","title":"Top"}
        {"id":"b","type":"page","parent":"a","title":"Hidden","read":["user:2"]}
        {"id":"c","type":"page","parent":"b","title":"Shared","read":["public"],"readMode":"replace"}
        {"id":"t","type":"text","parent":"c","text":"x"}"#;
    let key = |principals: &[&str]| with_blocks(blocks, &reader(principals), |view| view.reader_key());
    assert_ne!(key(&["user:1"]), key(&["user:2"]));
    assert_eq!(key(&["user:1", "team:a"]), key(&["team:a", "user:1"]));
    with_blocks(blocks, &reader(&[]), |view| {
        assert_eq!(view.absence("b"), view.absence("nobody"));
        assert_eq!(view.path(block(view, "t")), ["Shared"]);
    });
    with_blocks(blocks, &reader(&["user:2"]), |view| {
        assert_eq!(view.path(block(view, "t")), ["Top", "Hidden", "Shared"]);
    });
}
