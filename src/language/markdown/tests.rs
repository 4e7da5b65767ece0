use super::*;
use crate::record::Role;

fn read(text: &str) -> Facts<'_> {
    let mut facts = parse(text, &Limits { max_chunk_bytes: 4096 }).expect("prose is always read");
    facts.settle();
    facts
}

/// Each section as `container/name: text`.
fn sections(text: &str) -> Vec<String> {
    let show = |section: &crate::language::Definition| {
        let path: Vec<&str> = section.container.iter().chain([&section.name]).map(|name| &**name).collect();
        format!("{}: {}", path.join("/"), section.span.text(text))
    };
    read(text).definitions.iter().map(show).collect()
}

fn names(text: &str) -> Vec<String> {
    read(text).definitions.iter().map(|section| section.name.to_string()).collect()
}

fn embedded(text: &str) -> Vec<(String, &str)> {
    read(text).embedded.iter().map(|piece| (piece.language.to_string(), piece.span.text(text))).collect()
}

fn mentions(text: &str) -> Vec<String> {
    let show = |mention: &Mention| {
        let word = if mention.role == Role::Import { "import" } else { "use" };
        let binding = mention.binding.as_ref().map(|binding| {
            format!(" {} {}", binding.style.as_deref().unwrap_or("-"), binding.module.as_deref().unwrap_or("-"))
        });
        format!("{word} {}{} at {}", mention.name, binding.unwrap_or_default(), mention.span.text(text))
    };
    read(text).mentions.iter().map(show).collect()
}

/// The text with each break's depth in front of its line.
fn breaks(text: &str) -> String {
    let mut drawn = text.to_string();
    for at in read(text).breaks.iter().rev() {
        drawn.insert_str(at.offset as usize, &at.depth.to_string());
    }
    drawn
}

#[test]
fn sections_run_to_the_next_heading() {
    let text = "before\n\n# A\n\none\n## B\ntwo\n\n\nC\n===\n### D ###\n";
    assert_eq!(sections(text), ["A: # A\n\none", "A/B: ## B\ntwo", "C: C\n===", "C/D: ### D ###"]);
}

#[test]
fn a_body_starts_below_its_heading() {
    let text = "A\nand b\n===\n\n  body\n\n# C";
    let facts = read(text);
    assert_eq!(facts.definitions[0].name, "A and b");
    assert_eq!(facts.definitions[0].name_span.text(text), "A\nand b");
    assert_eq!(facts.definitions[0].body.map(|body| body.text(text)), Some("  body"));
    assert_eq!(facts.definitions[1].body, None);
}

#[test]
fn names_are_plain_text() {
    assert_eq!(names("# The `run` *call* [here](x.md)\n"), ["The run call here"]);
    assert_eq!(names("# 日本語 🦀 {#anchor}\r\n\r\nx"), ["日本語 🦀"]);
    assert_eq!(names("## GET /users/{id}"), ["GET /users/{id}"]);
    assert_eq!(names("# <img src=\"a.png\">\n"), ["<img src=\"a.png\">"]);
    assert_eq!(names("#\n\n#   \n"), [""; 0]);
    assert_eq!(names(&format!("# {}", "あ".repeat(400)))[0].chars().count(), 66);
}

#[test]
fn quoted_and_fenced_headings_are_none() {
    assert_eq!(names("> # no\n\n- # no\n\n```\n# no\n```\n\n    # no\n\n<!--\n# no\n-->\n# yes"), ["yes"]);
    assert_eq!(names("# yes\n```\n# never closed"), ["yes"]);
}

#[test]
fn a_heading_behind_a_lone_carriage_return_is_none() {
    assert_eq!(sections("# a\r# b\n# c"), ["a: # a\r# b", "c: # c"]);
}

#[test]
fn front_matter_is_no_heading() {
    for text in ["---\ntitle: a\n---\n# A", "+++\nt = 1\n+++\n# A", "---\r\nt: a\r\n...\r\n# A\r\n"] {
        assert_eq!(names(text), ["A"], "{text}");
    }
    assert_eq!(names("---\n\nB\n---\n"), ["B"]);
    assert_eq!(names("# A\n\n---\nB\n---\n"), ["A", "B"]);
}

#[test]
fn fences_that_say_their_language_are_pieces_of_it() {
    assert_eq!(embedded("```Rust\nfn a() {}\n\nx\n```\n"), [("rust".to_string(), "fn a() {}\n\nx\n")]);
    assert_eq!(embedded("~~~~ py\r\n~~~\r\n~~~~~\r\n"), [("py".to_string(), "~~~\r\n")]);
    assert_eq!(embedded("```js\nnever closed"), [("js".to_string(), "never closed")]);
    for (info, language) in [
        ("rust,no_run", "rust"),
        ("{.python .numbered}", "python"),
        ("{r, echo=FALSE}", "r"),
        ("ts:app/main.ts", "ts"),
        ("js{1,3}", "js"),
        ("c++ title=x", "c++"),
    ] {
        assert_eq!(embedded(&format!("```{info}\na\n```"))[0].0, language, "{info}");
    }
}

#[test]
fn code_that_is_not_verbatim_is_no_piece() {
    for text in [
        "```\na\n```",
        "```py\n\n \n```",
        "```py\n```",
        "```py",
        "  ```py\n  a\n  ```",
        "- ```py\n  a\n  ```",
        "> ```py\n> a\n> ```",
        "    a\n",
    ] {
        assert!(embedded(text).is_empty(), "{text}");
    }
}

#[test]
fn names_of_code_are_uses() {
    assert_eq!(mentions("call `Foo.bar()` in ``src/x.py``, not `a b`"), ["use bar at bar", "use src/x.py at src/x.py"]);
    assert_eq!(read("`Foo.bar()`").mentions[0].receiver.as_deref(), Some("Foo"));
    assert_eq!(mentions("```\n`no`\n```"), [""; 0]);
}

#[test]
fn links_are_imports_of_files() {
    assert_eq!(mentions("[a](b/c.md#d 'e')"), ["import c.md link b/c.md at b/c.md#d"]);
    assert_eq!(mentions("![a](b.png)"), ["import b.png image b.png at b.png"]);
    assert_eq!(
        mentions("[a][r] [r] [a](<b c>)\n\n[r]: ../x.md"),
        ["import x.md link ../x.md at [a][r]", "import x.md link ../x.md at [r]", "import b c link b c at b c"]
    );
    assert_eq!(mentions("[![a](b.png)](c.md)"), ["import b.png image b.png at b.png", "import c.md link c.md at c.md"]);
    assert_eq!(mentions("<https://a.b> [a](https://c.d) <e@f.g> [h](mailto:i) [j](#none) [k]()"), [""; 0]);
}

#[test]
fn anchors_are_uses_of_their_section() {
    assert_eq!(mentions("[x](#the-api-v2)\n\n# The `API`, v2"), ["use The API, v2 at #the-api-v2", "use API at API"]);
}

#[test]
fn breaks_stand_between_blocks() {
    assert_eq!(
        breaks("a\nb\n\n- c\n- d\n  - e\n\n```\nf\n\ng\n```\n"),
        "0a\nb\n\n0- c\n1- d\n2  - e\n\n0```\nf\n\ng\n```\n"
    );
    assert_eq!(breaks("# A\n\n- b\n- c\n\nd\n\n***\n"), "0# A\n\n- b\n1- c\n\n0d\n\n0***\n");
    assert_eq!(breaks("|a|b|\n|-|-|\n|c|d|\n"), "0|a|b|\n|-|-|\n1|c|d|\n");
}

#[test]
fn a_fence_too_long_for_one_piece_is_cut_behind_blank_lines() {
    let text = format!("```\n{0}\n\n{0}\n```\n", "x".repeat(3000));
    let at: Vec<_> = read(&text).breaks.iter().map(|at| (at.offset, at.depth)).collect();
    assert_eq!(at, [(0, 0), (3006, 1)]);
}

#[test]
fn what_nests_too_deep_is_plain_text() {
    let facts = read("# a\n\n");
    assert_eq!(facts.definitions.len(), 1);
    let text = format!("# a\n\n{}b", "> ".repeat(100_000));
    assert_eq!(read(&text).definitions.len(), 0);
    assert_eq!(read(&text).breaks.len(), 2);
}
