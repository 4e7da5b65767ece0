use super::*;
use crate::text::Span;

/// `receiver|name`, or `-` where there is no name.
fn name(code: &str) -> String {
    let Some(mention) = code_mention(code, Span::new(0, code.len())) else { return "-".to_string() };
    assert_eq!(mention.span.text(code), mention.name, "the span is the name's");
    mention.receiver.map_or(mention.name.to_string(), |receiver| format!("{receiver}|{}", mention.name))
}

#[test]
fn code_in_prose_names_its_last_part() {
    for (code, expected) in [
        ("foo_bar", "foo_bar"),
        (" Foo.bar() ", "Foo|bar"),
        ("a.b.c(x, y)", "a.b|c"),
        ("std::mem::swap", "std::mem|swap"),
        ("Vec<T>", "Vec"),
        ("vec!", "vec"),
        ("items[0]", "items"),
        ("@app.route", "app|route"),
        ("Array#each", "Array|each"),
        ("node->next", "node|next"),
        (".collect()", "collect"),
        ("設定", "設定"),
        ("src/x.py", "src/x.py"),
        ("Cargo.toml", "Cargo.toml"),
        ("user.name", "user|name"),
        (".gitignore", ".gitignore"),
        ("'app.models.User'", "app.models|User"),
        ("\"a/b.py\"", "a/b.py"),
    ] {
        assert_eq!(name(code), expected, "{code}");
    }
}

#[test]
fn what_is_no_name_is_left_out() {
    for code in [
        "",
        " ",
        "1.2.3",
        "v1.2",
        "--flag",
        "cargo build",
        "a = b",
        "<div>",
        "true",
        "()",
        "_",
        "1/2",
        "==",
        "🦀",
        "'word'",
        "91573c7",
        "'",
    ] {
        assert_eq!(name(code), "-", "{code}");
    }
}

#[test]
fn links_keep_the_file_and_leave_the_tree_alone() {
    let module = |target| {
        let mention = link_mention(target, Span::new(0, 0), "link")?;
        Some((mention.name.to_string(), mention.binding?.module?))
    };
    let said = |name: &str, module: &str| Some((name.to_string(), module.to_string()));
    assert_eq!(module("../guide/setup.md#linux"), said("setup.md", "../guide/setup.md"));
    assert_eq!(module("logo.png?raw=true"), said("logo.png", "logo.png"));
    assert_eq!(module("docs/"), said("docs", "docs/"));
    assert_eq!(module("a/b:c"), said("b:c", "a/b:c"));
    for outside in ["https://example.org", "mailto:a@b.c", "//host/x", "#anchor", "", "?q"] {
        assert_eq!(module(outside), None, "{outside}");
    }
}

#[test]
fn items_start_with_a_mark_and_a_space() {
    for (line, indent) in [("- a", 2), ("*   a", 4), ("1. a", 3), ("(a) b", 4), ("#. a", 3), ("・ あ", 4), ("-", 1)] {
        assert_eq!(list_item_indent(line), Some(indent), "{line}");
    }
    for line in ["-a", "**a** b", "1.5 a", "word", "", "あ. い"] {
        assert_eq!(list_item_indent(line), None, "{line}");
    }
}
