//! What holds of every text that a front end for prose reads, however broken.

use proptest::prelude::*;

use crate::language::facts::Facts;
use crate::language::table::{FrontEnd, Limits};
use crate::language::{markdown, rst, text};
use crate::record::Kind;
use crate::text::{Span, thread_seconds};

const FRONT_ENDS: [(&str, FrontEnd); 3] = [("markdown", markdown::parse), ("rst", rst::parse), ("text", text::parse)];

/// Pieces that mean something to one of the front ends, and letters of every width.
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "    ",
    "\t",
    "\0",
    "a",
    "word",
    "日本語",
    "🦀",
    "é",
    "\u{3000}",
    "# ",
    "## ",
    "#",
    "===",
    "====",
    "----",
    "---",
    "+++",
    "~~~",
    "```",
    "``",
    "`",
    "```rust\n",
    "```\n",
    "> ",
    ">",
    "- ",
    "* ",
    "1. ",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "](x.md#y)",
    "[a]: b.md\n",
    "[^1]: ",
    "[^1]",
    "|",
    "|-|-|\n",
    "<a>",
    "<!--",
    "-->",
    "&amp;",
    "\\",
    "*",
    "_",
    "**",
    "~~",
    "::",
    "::\n\n",
    ".. ",
    ".. _a:\n",
    ".. class:: A.b(c)\n",
    ".. toctree::\n",
    ".. code-block:: c\n",
    ".. include:: x\n",
    "..\n",
    ":ref:`",
    ":func:`",
    ":",
    "<",
    ">",
    "<a>`_",
    "foo_bar",
    "A.b()",
    "{#id}",
    "}",
    "http://x",
    "   ",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn check(source: &str) {
    for (id, parse) in FRONT_ENDS {
        let limits = Limits { max_chunk_bytes: 40 };
        let mut facts = parse(source, &limits).unwrap_or_else(|| panic!("{id} reads every text"));
        facts.settle();
        check_spans(source, &facts, id);
        check_sections(&facts, id);
    }
}

fn check_spans(source: &str, facts: &Facts, id: &str) {
    let definitions = facts.definitions.iter().flat_map(|d| [Some(d.span), Some(d.name_span), d.body]);
    let mentions = facts.mentions.iter().map(|mention| Some(mention.span));
    let embedded = facts.embedded.iter().map(|piece| Some(piece.span));
    for span in definitions.chain(mentions).chain(embedded).flatten() {
        let Span { start, end } = span;
        assert!(start <= end && source.get(start as usize..end as usize).is_some(), "{id}: {span:?} in {source:?}");
    }
    for at in &facts.breaks {
        let at = at.offset as usize;
        assert!(at == 0 || source.as_bytes()[at - 1] == b'\n', "{id}: a break at {at}, inside a line, in {source:?}");
    }
    for definition in &facts.definitions {
        assert!(definition.span.contains(definition.name_span) && !definition.name.is_empty(), "{id}: {source:?}");
        assert!(definition.body.is_none_or(|body| definition.span.contains(body)), "{id}: {source:?}");
    }
}

fn check_sections(facts: &Facts, id: &str) {
    let sections = facts.definitions.iter().filter(|definition| definition.kind == Kind::Section);
    let spans: Vec<Span> = sections.map(|section| section.span).collect();
    assert!(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{id}: {spans:?}");
    for definition in &facts.definitions {
        let section = spans[..spans.partition_point(|section| section.start <= definition.span.start)].last();
        let crosses = section.filter(|s| s.holds(definition.span.start) && !s.contains(definition.span));
        assert_eq!(crosses, None, "{id}: {} leaves its section", definition.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn facts_hold_for_soups_of_markup(source in soup()) {
        check(&source);
    }

    #[test]
    fn facts_hold_for_any_text(source in any::<String>()) {
        check(&source);
    }
}

/// The processor time that checking a text takes, the least of some runs.
fn seconds(text: &str, runs: usize) -> f64 {
    let timed = |_| {
        let before = thread_seconds();
        check(text);
        thread_seconds() - before
    };
    (0..runs).map(timed).fold(f64::INFINITY, f64::min)
}

/// Checks texts of two sizes: where the longer is twice as long, twice the work is linear and four times quadratic.
fn check_growth(name: &str, monster: impl Fn(usize) -> String) {
    let (short, long) = (monster(1), monster(2));
    let growth = long.len() as f64 / short.len() as f64;
    let is_linear = |runs| seconds(&long, runs) <= 0.03 + 1.6 * growth * seconds(&short, runs);
    // The first run may be disturbed by others on the machine.
    assert!(is_linear(1) || is_linear(3), "{name:?}: the work grows faster than the text");
}

/// Texts that make careless parsers recurse or look back over and over, up to 300 kB.
#[test]
fn monsters_are_read_in_time() {
    let lines = |size: usize| "\n".repeat(150_000 * size);
    let nested_lists = |size: usize| (0..350 * size).map(|level| format!("{}- a\n", "  ".repeat(level)));
    check_growth("deep lists", |size| "- ".repeat(50_000 * size) + "a" + &lines(size));
    check_growth("nested lists", |size| nested_lists(size).collect::<String>() + &lines(size));
    check_growth("headings", |size| {
        "x".repeat(100_000 * size) + "\n====\n\n" + &"## y\n\ny\n----\n".repeat(5_000 * size)
    });
    let pieces = [
        "> ",
        ">",
        "- ",
        "* ",
        "1. ",
        "[",
        "![",
        "]",
        "(",
        "[a](",
        "](",
        "`",
        "`a",
        "``a ",
        "*",
        "*a",
        "_a ",
        "**a*",
        "<",
        "<a ",
        "<!--",
        "<?",
        "<![CDATA[",
        "&",
        "|",
        "|a\n",
        "\\",
        "~",
        "#",
        "# a\n",
        "\n",
        "\r",
        "\0",
        " ",
        "\t",
        "a\n",
        "a\n-\n",
        "=\n",
        "====\na\n",
        "```\n",
        "~~~ a\n",
        "[^a]:",
        "[^a]: b\n",
        "[a]: b\n",
        "[a]:\n",
        ".. a::\n",
        ".. _a:\n",
        "..\n",
        ".. class:: a\n",
        ":a:`",
        ":a:`b` ",
        "::\n\n",
        "日本",
        "🦀\n",
        "---\na\n",
        "> - ",
        "* > 1. ",
        "`` ` ",
        "![a](b) ",
        "[![a](b)](c) ",
        "<a@b.c>",
    ];
    for piece in pieces {
        check_growth(piece, |size| piece.repeat(150_000 * size / piece.len()));
    }
    check_growth("stairs", |size| {
        (0..350 * size).map(|level| format!("{}.. class:: a\n\n", " ".repeat(level))).collect()
    });
    check_growth("ticks", |size| (0..350 * size).map(|count| "`".repeat(count) + "a").collect());
    check_growth("images", |size| "!".to_string() + &"![a ".repeat(25_000 * size) + &"](b.md)".repeat(25_000 * size));
    check_growth("tables", |size| {
        let count = 25_000 * size;
        "|".repeat(count) + "\n" + &"|-".repeat(count) + "|\n" + &"|a\n".repeat(count)
    });
}
