use super::super::*;
use crate::record::SourceKind::*;

fn check(name: &str, head: &str, wanted: Option<SourceKind>) {
    let path = name.to_string().try_into().unwrap();
    assert_eq!(recognised(&path, head), wanted, "{name}: {}", &head[..head.floor_char_boundary(200)]);
}

#[test]
fn rights_are_known_by_their_names_alone() {
    for (name, wanted) in [
        ("permissions.jsonl", Some(Permissions)),
        ("a/b/Members.jsonl", Some(Members)),
        ("my-permissions.jsonl", None),
        ("permissions.json", None),
    ] {
        check(name, "", wanted);
        check(name, "{\"x\":1}\n", wanted);
    }
    // It grants nothing, and what says who may read what is no text.
    check("other.jsonl", r#"{"block":"a","read":["public"]}"#, Some(Blocks));
}

#[test]
fn lines_are_known_by_the_first_one() {
    for (line, wanted) in [
        (r#"{"id":"a","type":"text"}"#, Some(Blocks)),
        (r#"{"type" : "anything", "id":"a"}"#, Some(Blocks)),
        (r#"{"id":5,"type":"page"}"#, Some(Blocks)),
        (r#"{"id":5,"type":"push"}"#, None),
        (r#"{"id":"a","type":null}"#, None),
        (r#"{"x":{"id":"a","type":"text"}}"#, None),
        (r#"["id","type"]"#, None),
        (r#"{"id":1,"title":"A","contentMarkdown":""}"#, Some(Notes)),
        (r#"{"content_markdown":"","title":"A"}"#, Some(Notes)),
        (r#"{"id":"1","type":"edit","userId":1,"blockId":"b","timestamp":5}"#, Some(Activity)),
        (r#"{"user":1,"block":"b"}"#, None),
        (r#"{"from":"a","to":"b"}"#, Some(Links)),
        (r#"{"taskId":"a","noteId":"b"}"#, Some(Links)),
        (r#"{"from":"a","noteId":"b"}"#, None),
        ("", None),
        ("{", None),
        ("\0", None),
    ] {
        check("x.jsonl", &format!("\u{feff}\r\n {line}\r\n{{}}"), wanted);
        check("x.JSONL", line, wanted);
        check("x.txt", line, None);
    }
}

#[test]
fn a_cut_line_is_what_it_may_be() {
    let text = "x".repeat(80_000);
    check("x.jsonl", &format!(r#"{{"data":{{}},"id":"a","text":"{text}","type":"text"}}"#), Some(Blocks));
    check("x.jsonl", &format!(r#"{{"id":"a","message":"{text}"}}"#), None);
    check("x.jsonl", &format!("{{\"id\":\"a\",\"text\":\"\n{text}"), None);
    check("x.jsonl", &format!(r#"{{"content_markdown":"{text}","title":"a"}}"#), Some(Notes));
    check("x.json", &format!(r#"[{{"contentMarkdown":"{text}","title":"a"}}]"#), Some(Notes));
}

#[test]
fn json_files_are_trees_or_lists_of_notes() {
    check("x.json", r#" {"roots":[],"blocks":{}}"#, Some(BlockTree));
    check("x.json", r#"{"a":{"b":{"c":{"d":{"blocks":{"x":{"type":"t"}},"roots":[]}}}}}"#, Some(BlockTree));
    check("x.json", r#"{"a":{"b":{"c":{"d":{"e":{"blocks":{"x":{"type":"t"}},"roots":[]}}}}}}"#, None);
    check("x.json", r#"{"roots":[],"blocks":{"x":{}}}"#, None);
    check("x.json", r#"{"roots":{},"blocks":{}}"#, None);
    check("x.json", r#"[{"title":"A","contentMarkdown":"x"}, 5]"#, Some(Notes));
    check("x.json", r#"[{"title":"A"}]"#, None);
    check("x.json", r#"[5,{"title":"A","contentMarkdown":"x"}]"#, None);
    check("x.json", "[", None);
    let text = "x".repeat(80_000);
    check(
        "x.json",
        &format!(r#"{{"examples":{{"a":{{"tree":{{"blocks":{{"b":{{"type":"text","data":"{text}"#),
        Some(BlockTree),
    );
    check("x.json", &format!(r#"{{"roots":["{text}"#), Some(BlockTree));
    check("x.json", &format!(r#"{{"blocks":["{text}"#), None);
    check("x.json", &format!("{{\"a\":{}", "[".repeat(80_000)), None);
}

#[test]
fn no_cut_of_a_head_does_harm() {
    let text = "{\"ä\":{\"roots\":[\"é\"],\"blocks\":{\"é\":{\"type\":\"text\",\"data\":{\"a\\\"\":\"\\u00e9\"}}}}}";
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        for name in ["x.json", "x.jsonl"] {
            recognised(&name.to_string().try_into().unwrap(), &text[..end]);
        }
    }
}

/// A text in which blocks stand is never read as a text.
#[test]
fn one_line_with_a_block_makes_a_file_of_blocks() {
    let block = r#"{"id":"a","type":"text","read":["user:2"]}"#;
    for first in ["{\"id\":\"x\", broken", "{\"version\":1}", "{\"id\":5,\"type\":\"push\"}", "# a comment", "", "[]"] {
        for name in ["x.jsonl", "x.JSONL", "x.ndjson"] {
            check(name, &format!("{first}\n{block}\n"), Some(Blocks));
        }
    }
    for line in [
        r#"{"read":["user:2"],"text":"secret"}"#,
        r#"{"id":"a","type":"text","read":["user:2""#,
        r#"{"\u0072ead":["user:2"]}"#,
        r#"{"x":1,"id":"a","type":"page"}"#,
    ] {
        check("x.jsonl", &format!("{{\"a\":1}}\n\u{feff} {line}\r\n"), Some(Blocks));
        check("x.json", &format!("[{line}"), Some(BlockTree));
    }
    check("x.jsonl", "{\"a\":1}\n{\"b\":{\"read\":[]}}\n{\"id\":\"a\",\"text\":\"read\"}\n", None);
}

#[test]
fn a_tree_may_have_no_list_of_roots() {
    let blocks = r#"{"blocks":{"x":{},"a":{"type":"text"}}}"#;
    check("x.json", blocks, Some(BlockTree));
    check("x.json", &blocks[..blocks.len() - 1], Some(BlockTree));
    check("x.json", &format!("[{blocks}]"), Some(BlockTree));
    check("x.json", &format!(r#"{{"history":"{}",{}"#, "x".repeat(80_000), &blocks[1..]), Some(BlockTree));
    check("x.json", r#"{"blocks":{"a":{"type":5}}}"#, None);
    check("x.json", r#"{"blocks":{}}"#, None);
    check("x.json", r#"{"blocks":[{"type":"text"}]}"#, None);
    let file = read(BlockTree, blocks).unwrap();
    assert_eq!((file.blocks.len(), file.blocks[0].id.as_str(), file.roots.len()), (1, "a", 0));
}

#[test]
fn lines_that_are_no_blocks_are_said() {
    let file =
        read(Blocks, "{\"id\":\"x\", broken\n{\"read\":[\"user:1\"]}\n{\"id\":\"a\",\"type\":\"text\"}\n").unwrap();
    assert_eq!((file.blocks.len(), file.blocks[0].id.as_str()), (1, "a"));
    assert_eq!(file.troubles.len(), 2);
    assert!(read(Blocks, "{\"read\":[\"user:1\"]}\n").is_err());
}
