use super::*;
use crate::language::Mention;
use crate::record::Role;

fn read(text: &str) -> Facts<'_> {
    let mut facts = parse(text, &Limits { max_chunk_bytes: 4096 }).expect("prose is always read");
    facts.settle();
    facts
}

/// Each definition of a kind as `container/name: text`.
fn definitions(text: &str, kind: Kind) -> Vec<String> {
    let show = |definition: &Definition| {
        let path: Vec<&str> = definition.container.iter().chain([&definition.name]).map(|name| &**name).collect();
        format!("{}: {}", path.join("/"), definition.span.text(text))
    };
    read(text).definitions.iter().filter(|definition| definition.kind == kind).map(show).collect()
}

fn mentions(text: &str) -> Vec<String> {
    let show = |mention: &Mention| match &mention.binding {
        Some(binding) => format!("{} {}", binding.style.as_deref().unwrap_or("-"), mention.span.text(text)),
        None => format!("{:?} {}", mention.role, mention.name),
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
fn titles_nest_in_the_order_of_their_marks() {
    let text = "=====\n Top\n=====\n\na\n\nOne\n===\n\nb\n\nIn it\n-----\nc\n\nTwo\n===";
    assert_eq!(
        definitions(text, Kind::Section),
        [
            "Top: =====\n Top\n=====\n\na",
            "Top/One: One\n===\n\nb",
            "Top/One/In it: In it\n-----\nc",
            "Top/Two: Two\n==="
        ]
    );
    assert_eq!(read(text).definitions[0].body.map(|body| body.text(text)), Some("a"));
    assert_eq!(read(text).definitions[3].body, None);
}

#[test]
fn wide_and_crlf_titles_are_titles() {
    assert_eq!(
        definitions("設計🦀\r\n======\r\n\r\n本文\r\n", Kind::Section),
        ["設計🦀: 設計🦀\r\n======\r\n\r\n本文"]
    );
    assert_eq!(definitions("A longer title\n====\n", Kind::Section).len(), 1);
    assert_eq!(definitions("1. First\n========\n", Kind::Section).len(), 1);
    assert_eq!(
        definitions(":mod:`a.b` --- c\n=================", Kind::Section)[0].split(": ").next(),
        Some("a.b --- c")
    );
}

#[test]
fn what_only_looks_like_a_title_is_none() {
    for text in [
        "a\n\n----\n\nb",
        "a longer line\n==",
        "x\ny\n====",
        "    a\n    ====",
        "::\n\n    a\n    ====\n",
        "=====  =====\na      b\n=====  =====\n",
        "- item\n------",
        ".. note\n=======",
        "====\n====\n====",
        "a\n::\n",
    ] {
        assert!(definitions(text, Kind::Section).is_empty(), "{text}");
    }
}

#[test]
fn labels_belong_to_the_title_below_them() {
    let text = "A\n===\n\n.. _b-1:\n.. _`b 2`:\n\nB\n===\n\n.. _url: https://a.b\n.. __: c";
    assert_eq!(
        definitions(text, Kind::Section)[1],
        "B: .. _b-1:\n.. _`b 2`:\n\nB\n===\n\n.. _url: https://a.b\n.. __: c"
    );
    assert_eq!(definitions(text, Kind::Element), ["b-1: .. _b-1:", "b 2: .. _`b 2`:"]);
}

#[test]
fn documented_names_hold_what_is_indented_below_them() {
    let text =
        ".. class:: a.Model(x, **y)\n\n   About.\n\n   .. method:: save()\n\n      How.\n\nAfter.\n\n.. function:: f\n";
    assert_eq!(
        definitions(text, Kind::Element),
        [
            "a/Model: .. class:: a.Model(x, **y)\n\n   About.\n\n   .. method:: save()\n\n      How.",
            "save: .. method:: save()\n\n      How.",
            "f: .. function:: f"
        ]
    );
}

#[test]
fn files_and_documents_are_imports() {
    let text = ".. include:: ../a.txt\n\n.. image:: b.png\n\n.. toctree::\n   :maxdepth: 2\n\n   c/d\n   E <e>\n   self\n   https://x.y\n\n:doc:`f`";
    assert_eq!(mentions(text), ["include ../a.txt", "image b.png", "toctree c/d", "toctree e", "link f"]);
    assert_eq!(mentions(".. autoclass:: a.B\n   :members:\n"), [format!("{:?} B", Role::Use)]);
}

#[test]
fn code_and_comments_say_nothing() {
    for text in [
        "::\n\n    ``a``\n\n    ``b``\n",
        ".. code-block:: python\n\n    ``a``\n",
        ".. a comment ``a``\n   ``b``\n",
        "..\n   ``b``\n",
        ">>> ``a``\n",
    ] {
        assert!(mentions(text).is_empty(), "{text}");
    }
    assert_eq!(mentions("- x::\n\n      ``no``\n\n  ``a``\n\n..\n\n  ``b``"), ["Use a", "Use b"]);
    assert_eq!(mentions(".. note:: ``a``\n   ``b``\n\n   ``c``\n"), ["Use a", "Use b", "Use c"]);
}

#[test]
fn code_blocks_are_no_pieces_of_another_language() {
    assert!(read(".. code-block:: python\n\n    a = 1\n").embedded.is_empty());
}

#[test]
fn breaks_stand_at_paragraphs_by_their_indentation() {
    let text = "A\n===\n\na\nb\n\n* c\n* d\n\n.. note::\n\n   e\n\n::\n\n   f\n\n   g\n";
    let drawn = "0A\n===\n\na\nb\n\n0* c\n1* d\n\n0.. note::\n\n3   e\n\n0::\n\n43   f\n\n43   g\n";
    assert_eq!(breaks(text), drawn);
    assert_eq!(breaks("a\n\n.. _b:\n.. _c:\n\nD\n==\n"), "0a\n\n0.. _b:\n.. _c:\n\nD\n==\n");
}
