use super::*;
use crate::language::Limits;

fn marks(text: &str, syntax: Syntax) -> Vec<Mark<'_>> {
    Sheet::read(text, &Limits { max_chunk_bytes: 4096 }, syntax).marks()
}

/// Each mark in short, as `link T`, `embed T`, `tag t`, `field k=v`, `task todo`, `due 2026-01-01`, `^id`.
fn drawn(text: &str, syntax: Syntax) -> Vec<String> {
    let draw = |mark: Mark| match mark.sign {
        Sign::Link { target, is_embed: false } => format!("link {target}"),
        Sign::Link { target, is_embed: true } => format!("embed {target}"),
        Sign::Tag(tag) => format!("tag {tag}"),
        Sign::Field { name, value } => format!("field {name}={}", value.text(text)),
        Sign::Task(state) => format!("task {}", state.name()),
        Sign::TaskDate { name, value } => format!("{name} {}", value.text(text)),
        Sign::BlockId(id) => format!("^{id}"),
    };
    marks(text, syntax).into_iter().map(draw).collect()
}

#[track_caller]
fn vault(text: &str, expected: &[&str]) {
    assert_eq!(drawn(text, Syntax::Vault), expected, "{text}");
}

#[track_caller]
fn logseq(text: &str, expected: &[&str]) {
    assert_eq!(drawn(text, Syntax::Logseq), expected, "{text}");
}

#[test]
fn links_of_all_forms() {
    vault("[[T]] [[ T | shown ]] [[T#H]] [[T#H1#H2|x]]", &["link T", "link T", "link T#H", "link T#H1#H2"]);
    vault(
        "[[T#^id]] [[T^id]] [[#H]] [[#^id]] [[^id]]",
        &["link T#^id", "link T#^id", "link #H", "link #^id", "link #^id"],
    );
    vault("[[T#H#^id]] [[T#H^id]]", &["link T#^id", "link T#H^id"]);
    vault("| a | [[T\\|b]] |\n|---|---|\n| [[U]] | c |", &["link T", "link U"]);
    vault("![[T]] ![[image.png|300]] ![[T#H|x]]", &["embed T", "embed image.png", "embed T#H"]);
    vault("[[日本語 ノート#見出し|別名]]", &["link 日本語 ノート#見出し"]);
    vault("a [[b [[c]] d]] e", &["link c"]);
    vault("[[]] [[|x]] [[a\nb]] [[open", &[]);
    vault("\\[[a]] [ [a] ] [a]", &[]);
    vault("[[a [b] c]]", &["link a [b] c"]);
}

#[test]
fn tags_stand_apart_and_are_not_digits_alone() {
    vault(
        "#a text #b/c-d_e. (#no) a#no ##no #1 #1a #été #日本語、次 #🚀/x",
        &["tag a", "tag b/c-d_e", "tag 1a", "tag été", "tag 日本語", "tag 🚀/x"],
    );
    vault("- #x\n> #y\n# H #z\n\\#no #a/", &["tag x", "tag y", "tag z", "tag a"]);
    vault("[x](https://a.b/#c) https://a.b/#c [[T #no]]", &["link T #no"]);
}

#[test]
fn fields_stand_on_lines_or_in_brackets() {
    vault(
        "key:: value\n- Owner:: [[Ada]] and [[Bob]]",
        &["field key=value", "field Owner=[[Ada]] and [[Bob]]", "link Ada", "link Bob"],
    );
    vault("a [due:: 2026-01-01] b (with:: [[Ada]]) c", &["field due=2026-01-01", "field with=[[Ada]]", "link Ada"]);
    vault("[owner:: [[Ada]]] x", &["field owner=[[Ada]]", "link Ada"]);
    vault("**Key name**:: x ^b1", &["field Key name=x", "^b1"]);
    vault("std::x a::b c ::d http::// [std::x]", &[]);
    vault("empty::\n[open:: x", &["field empty="]);
    vault("開始:: 2026-01-01", &["field 開始=2026-01-01"]);
}

#[test]
fn tasks_and_their_dates() {
    vault(
        "- [ ] a 📅 2026-01-02 ⏳ 2026-01-01\n- [x] b ✅ 2026-01-03\n* [-] c\n- [?] d\n[ ] e",
        &["task todo", "due 2026-01-02", "scheduled 2026-01-01", "task done", "done 2026-01-03", "task cancelled"],
    );
    vault("- [ ] owner:: [[Ada]]", &["task todo", "field owner=[[Ada]]", "link Ada"]);
}

#[test]
fn ids_of_blocks_end_lines() {
    vault("text ^a1\n- item ^b-2  \n\n^c\n2^3 x^d ^é ^e f", &["^a1", "^b-2", "^c"]);
}

#[test]
fn code_formulas_and_comments_hold_no_markup() {
    vault("`[[a]] #b` ``k:: v`` $[[a]]$ [[c]]", &["link c"]);
    vault("```\n[[a]] #b\nk:: v ^id\n```\n\n    [[a]]\n\n$$\n[[a]]\n$$\n", &[]);
    vault("<!-- [[a]] #b\nk:: v --> [[c]] %% #x %% #d", &["link c", "tag d"]);
    vault("%%\n[[a]]\nk:: v\n%%\n[[b]] 100%% sure", &["link b"]);
    vault("`%%` [[a]] `%%`", &["link a"]);
    vault("a %% b", &[]);
    vault("<!-- open\n[[a]]", &[]);
}

#[test]
fn logseq_has_blocks_and_tags_as_pages() {
    let id = "65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01";
    logseq(
        &format!("(({id})) [x]((({id}))) {{{{embed (({id}))}}}} ((no))"),
        &[&format!("link (({id}))"), &format!("link (({id}))"), &format!("embed (({id}))")],
    );
    logseq(
        "{{embed [[A b]]}} #tag #[[a b]] [[c]]",
        &["embed A b", "tag tag", "link tag", "tag a b", "link a b", "link c"],
    );
    logseq("key:: value [k:: v] text ^id", &[]);
}

#[test]
fn names_of_links_are_shown_in_values() {
    for (text, plain) in [
        ("[[A/B|x]] and [[C/D.md#E]]", "x and D"),
        ("no link", "no link"),
        ("![[a.png]]", "a.png"),
        ("open [[a", "open [[a"),
        ("a]] b", "a]] b"),
        ("[[#H]]", "#H"),
    ] {
        assert_eq!(link::plain_text(text), plain);
    }
}

#[test]
fn percent_signs_stand_for_bytes() {
    for (text, decoded) in
        [("a%20b", "a b"), ("%E6%97%A5", "日"), ("100%", "100%"), ("%zz%2", "%zz%2"), ("%ff", "%ff"), ("%+1", "%+1")]
    {
        assert_eq!(percent_decoded(text), decoded);
    }
}

#[test]
fn files_without_notes() {
    for (target, expected) in [
        ("a.png", true),
        ("b/C.PDF#page=2", true),
        ("v1.2 Release", false),
        ("A.md", false),
        ("A", false),
        ("X.base", true),
    ] {
        assert_eq!(link::is_attachment(target), expected, "{target}");
    }
}

/// Text that makes careless scanners look back or ahead over and over.
#[test]
fn hostile_texts_are_scanned_in_time() {
    let before = crate::text::thread_seconds();
    for piece in [
        "[[",
        "]]",
        "[[a]]",
        "#a",
        "#a/",
        "# ",
        "(",
        "((",
        "[a:: ",
        "(a:: ",
        "%%",
        "<!--",
        "$",
        "a:: b\n",
        "- [ ] 📅\n",
        "^a\n",
        "`",
        "![",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        marks(&text, Syntax::Vault);
        marks(&text, Syntax::Logseq);
    }
    let seconds = crate::text::thread_seconds() - before;
    assert!(seconds < 60.0, "{seconds} s");
}
