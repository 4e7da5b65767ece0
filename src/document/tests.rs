use super::yaml::{self, Node, Value};

/// A value in short: `[a,b]`, `{k:v}`, `~`.
fn drawn(node: &Node) -> String {
    match &node.value {
        Value::Null => "~".to_string(),
        Value::Text(text) => text.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(drawn).collect::<Vec<_>>().join(",")),
        Value::Map(entries) => {
            let entries = entries.iter().map(|(key, node)| format!("{key}:{}", drawn(node)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
    }
}

#[test]
fn yaml_of_front_matter_is_read() {
    for (text, expected) in [
        ("", "~"),
        ("a: b", "{a:b}"),
        ("a: 'it''s' # why", "{a:it's}"),
        ("a: \"b # c: d\"", "{a:b # c: d}"),
        ("a:\n  - b\n  - c\nd: e", "{a:[b,c],d:e}"),
        ("a:\n- b\n- c\nd:", "{a:[b,c],d:~}"),
        ("a: [b, \"c, d\", [e]]", "{a:[b,c, d,[e]]}"),
        ("a: {b: c, d: [e]}", "{a:{b:c,d:[e]}}"),
        ("a: [b,\n  c]\nd: e", "{a:[b,c],d:e}"),
        ("a:\n  b:\n    - c # x\n\n    # y\n    - d", "{a:{b:[c,d]}}"),
        ("- a: b\n  c: d\n- e", "[{a:b,c:d},e]"),
        ("a: |\n  b\n    c\nd: >\n  e\n  f", "{a:b\n  c\n,d:e f\n}"),
        ("役割: 値　です", "{役割:値　です}"),
        ("a: b\r\nc: d\r\n", "{a:b,c:d}"),
        ("a: http://x/y#z", "{a:http://x/y#z}"),
        ("a: 'it''s #1'", "{a:it's #1}"),
        (r#"a: "say \"a # b\" now" # c"#, r#"{a:say "a # b" now}"#),
        (r#""a \" # b": c"#, r#"{a " # b:c}"#),
        (r#"a: "\u65e5\x41\U0001F980""#, "{a:日A🦀}"),
        ("a: one\n  two\n\n  three # c\nb: c", "{a:one two\nthree,b:c}"),
        ("a: \"one\n  two\n\n  three \\\n  four\"\nb: c", "{a:one two\nthree four,b:c}"),
        ("a:\n  one\n  two\nb:\n  [c, # d\n   e]", "{a:one two,b:[c,e]}"),
        ("- one\n  two\n- three", "[one two,three]"),
        ("a: [it's, b 'c, d\n  e # f\n  , 'g]\n  h']", "{a:[it's,b 'c,d e,g] h]}"),
        ("a: [\n  b,\n]\nc: {\n  d: e}", "{a:[b],c:{d:e}}"),
        ("a:\tb\n-c:\n-\td: e", "{a:b,-c:[{d:e}]}"),
        ("a: &x b\nc: &y\n  d: !!str e\nf: *x\ng: [*y]", "{a:b,c:{d:e},f:b,g:[{d:e}]}"),
    ] {
        assert_eq!(yaml::parse(text, 1).map(|node| drawn(&node)), Ok(expected.to_string()), "{text}");
    }
}

#[test]
fn yaml_that_is_not_understood_is_a_fault_with_its_line() {
    for (text, line) in [
        ("a: \"b", 1),
        ("a: b\n  c: d", 2),
        ("a: b\na: c", 2),
        ("a: [b\nc: d", 1),
        ("a: b\nc: [d,\n  {e: f},\n  g\nh: i", 2),
        ("a: b\nc: \"d\ne: \"f\"", 2),
        ("a: [b,\n  \"c]", 2),
        ("a: '\n  b' c", 2),
        ("a: @b", 1),
        ("a: \"\\q\"", 1),
        ("a: \"\\ud800\"", 1),
        ("a:\n\tb: c", 2),
        ("a: one\n  two # c\n\n  three", 4),
        ("a: b\nwords", 2),
        ("a: b\n[c]: d", 2),
        ("a: b\nc: *d", 2),
        ("a: &b [c, *b]", 1),
        ("a: b\n--- \nc: d", 2),
        ("a:\n    b: c\n  d: e", 3),
    ] {
        assert_eq!(yaml::parse(text, 1).map_err(|fault| fault.line), Err(line), "{text}");
    }
    assert!(yaml::parse(&"[".repeat(100_000), 1).is_err());
    assert!(yaml::parse(&format!("a: {}", "[".repeat(100_000)), 1).is_err());
    assert!(yaml::parse(&"- ".repeat(100_000), 1).is_err());
    assert!(yaml::parse(&format!("a: {}", "[\n".repeat(100_000)), 1).is_err());
}

#[test]
fn long_yaml_takes_no_longer_a_line() {
    let list = format!("a: [\n{}]", "b,\n".repeat(200_000));
    assert_eq!(yaml::parse(&list, 1).unwrap().get("a").and_then(Node::items).map(<[Node]>::len), Some(200_000));
    let (keys, inside): (String, String) = (0..200_000).map(|at| (format!("k{at}: v\n"), format!("k{at}: v,"))).unzip();
    for text in [keys, format!("a: {{{inside}}}")] {
        assert!(yaml::parse(&text, 1).is_ok());
    }
}

#[test]
fn aliases_cannot_blow_up() {
    let levels = (1..30).map(|at| format!("a{at}: &a{at} [*a{0}, *a{0}]\n", at - 1));
    let bomb = format!("a0: &a0 x\n{}", levels.collect::<String>());
    let fault = yaml::parse(&bomb, 1).unwrap_err();
    assert_eq!((fault.line, &*fault.reason), (19, "aliases repeat too much text"));
    let long = format!("a: &a {}\nb: [{}]", "x".repeat(100_000), "*a, ".repeat(100));
    assert!(yaml::parse(&long, 1).is_err());
}

#[test]
fn scalars_stay_the_text_that_is_written() {
    let text = "[no, 1.0, 0x10, 2026-01-02, True, 1_000, '~', \"null\", ~, null]";
    assert_eq!(drawn(&yaml::parse(text, 1).unwrap()), "[no,1.0,0x10,2026-01-02,True,1_000,~,null,~,~]");
    let node = yaml::parse(text, 1).unwrap();
    let nulls: Vec<bool> = node.items().unwrap().iter().map(|item| item.value == Value::Null).collect();
    assert_eq!(nulls.iter().filter(|null| **null).count(), 2);
}

#[test]
fn a_duplicate_key_names_both_lines() {
    let fault = yaml::parse("a: b\nc: d\n\na: e", 10).unwrap_err();
    assert_eq!(fault.to_string(), "line 13: the key `a` is already in line 10");
}
