//! What a text is cut into, shown by the first line of every piece.

use std::collections::BTreeSet;

use super::*;
use crate::record::Kind;

fn chunked(name: &str, text: &str, max_chunk_bytes: usize) -> Chunked {
    let languages = Languages::builtin();
    let path = RepoPath::try_from(name.to_string()).unwrap();
    let source = Source { path: &path, text, language: languages.detect(&path, text), notes: None };
    let config = Config { max_chunk_bytes, ..Config::default() };
    let chunked = chunk(&source, &languages, &config, &BTreeSet::new());
    assert_covers(text, &chunked, max_chunk_bytes);
    chunked
}

/// The promise of every cut: whole pieces do not overlap, and every line that is not blank is in one.
pub fn assert_covers(text: &str, chunked: &Chunked, max_chunk_bytes: usize) {
    let index = LineIndex::new(text);
    let mut bytes = vec![0u8; text.len()];
    for chunk in chunked.chunks.iter().filter(|chunk| !chunk.is_skeleton()) {
        let range = chunk.byte_range.start as usize..chunk.byte_range.end as usize;
        if !chunk.derived {
            assert_eq!(&text[range.clone()], chunk.text);
            assert!(chunk.text.len() <= max_chunk_bytes.max(4), "{} bytes", chunk.text.len());
        }
        bytes[range].iter_mut().for_each(|count| *count += 1);
    }
    assert!(bytes.iter().all(|count| *count <= 1), "pieces overlap");
    for chunk in &chunked.chunks {
        for lines in chunk.shown.iter().flatten() {
            let range = index.start(lines.start - 1) as usize..index.start(lines.end) as usize;
            bytes[range].iter_mut().for_each(|count| *count |= 1);
        }
    }
    let lost = (0..index.line_count()).find(|line| !index.is_blank(*line) && bytes[index.start(*line) as usize] == 0);
    assert_eq!(lost.map(|line| index.line_text(line)), None, "a line is in no chunk");
}

fn heads(chunked: &Chunked) -> Vec<String> {
    let head = |chunk: &Chunk| {
        let part = chunk.part.map(|part| format!(" {}/{}", part.index, part.count)).unwrap_or_default();
        let name = chunk.qualified_name.as_deref().unwrap_or("-");
        format!("{:?} {name}{part} {}-{}", chunk.kind, chunk.lines.start, chunk.lines.end)
    };
    chunked.chunks.iter().map(head).collect()
}

#[test]
fn a_function_takes_its_comment_along() {
    let text = "package p\n\n// One.\n// More.\nfunc one() {\n\treturn\n}\n\nvar x = 1\n";
    assert_eq!(heads(&chunked("a.go", text, 4096)), ["Module - 1-1", "Function one 3-7", "Module - 9-9"]);
}

#[test]
fn a_comment_behind_a_blank_line_belongs_to_nobody() {
    let text = "package p\n// Apart.\n\nfunc one() {\n}\n";
    assert_eq!(heads(&chunked("a.go", text, 4096)), ["Module - 1-2", "Function one 4-5"]);
}

#[test]
fn two_definitions_on_one_line_stay_together() {
    let text = "package p\nfunc one() {}; func two() {}\nfunc three() {}\n";
    let chunked = chunked("a.go", text, 4096);
    assert_eq!(heads(&chunked), ["Module - 1-1", "Function one 2-2", "Function three 3-3"]);
    let two = chunked.symbols.iter().find(|symbol| symbol.name == "two").unwrap();
    assert_eq!(two.chunk_uid, chunked.chunks[1].chunk_uid);
}

#[test]
fn a_long_function_is_cut_between_statements() {
    let body: String = (0..40).map(|at| format!("\tcall_{at}(\n\t\t{at},\n\t)\n")).collect();
    let chunked = chunked("a.go", &format!("package p\n\nfunc long() {{\n{body}}}\n"), 200);
    assert!(chunked.chunks.len() > 4);
    let parts: Vec<&Chunk> = chunked.chunks.iter().filter(|chunk| chunk.part.is_some()).collect();
    assert!(parts[0].text.starts_with("func long() {\n\tcall_0("), "the head stays with what follows it");
    assert!(parts[parts.len() - 1].text.ends_with("\t)\n}\n"), "the brace stays with what it ends");
    for chunk in chunked.chunks.iter().filter(|chunk| chunk.part.is_some_and(|part| part.index > 1)) {
        assert!(chunk.text.starts_with("\tcall_"), "{}", chunk.text);
    }
}

#[test]
fn lines_that_only_close_something_are_no_chunks() {
    let text = "#if A\nint a(void) { return 1; }\n#else\nint b(void) { return 2; }\n#endif // A\n\nint c;\n";
    let found = chunked("a.c", text, 4096);
    assert_eq!(heads(&found), ["Module - 1-1", "Function a 2-3", "Function b 4-4", "Module - 5-7"]);
    let text = "describe('a', () => {\n  function one() {\n    run()\n  }\n})\n";
    assert_eq!(heads(&chunked("a.js", text, 4096)), ["Module - 1-1", "Function one 2-5"]);
}

#[test]
fn a_value_that_holds_functions_is_cut_like_a_type() {
    let text =
        "const store = {\n  size: 0,\n  get(key) {\n    return key\n  },\n  clear() {\n    this.size = 0\n  },\n}\n";
    let found = chunked("a.js", text, 4096);
    assert_eq!(heads(&found), ["Constant store 1-9", "Method store.get 3-5", "Method store.clear 6-8"]);
    assert_eq!(found.chunks[0].text, "const store = {\n  size: 0,\n  get(key) {\n  clear() {\n}\n");
}

#[test]
fn prose_around_code_is_one_chunk() {
    let text = "# Use\n\nFirst:\n\n```go\nfunc a() {\n\tb()\n}\n```\n\nThen go.\n";
    let found = chunked("a.md", text, 4096);
    assert_eq!(heads(&found), ["Section Use 1-11", "Function a 6-8"]);
    assert_eq!(found.chunks[0].text, "# Use\n\nFirst:\n\n```go\n```\n\nThen go.\n");
}

#[test]
fn a_long_decorator_does_not_hide_what_it_decorates() {
    let cases: String = (0..40).map(|at| format!("        ({at}, {at}),\n")).collect();
    let test = format!("    @each(\n{cases}    )\n    def test_all(self, a, b):\n        assert a == b\n");
    let found = chunked("a.py", &format!("class Tests:\n{test}"), 4096);
    assert_eq!(found.chunks[0].text, "class Tests:\n    def test_all(self, a, b):\n");
    assert_eq!(found.chunks[1].signature.as_deref(), Some("def test_all(self, a, b)"));
    let found = chunked("a.py", "@property\ndef size(self):\n    return 1\n", 4096);
    assert_eq!(found.chunks[0].signature.as_deref(), Some("@property def size(self)"));
    let marks: String = (0..40).map(|at| format!("  @Mark({at})\n")).collect();
    let found =
        chunked("A.java", &format!("interface A {{\n{marks}  int size();\n\n  @Mark\n  int depth();\n}}\n"), 4096);
    let signatures: Vec<_> = found.symbols.iter().filter_map(|symbol| symbol.signature.as_deref()).collect();
    assert_eq!(signatures, ["interface A", "int size();", "@Mark int depth();"]);
}

#[test]
fn a_line_longer_than_a_chunk_is_cut_at_characters() {
    let text = format!("{}\nshort\n", "日本😀".repeat(100));
    let chunked = chunked("a.unknown", &text, 64);
    assert!(chunked.chunks.iter().all(|chunk| chunk.kind == Kind::Text));
    let all: String = chunked.chunks.iter().map(|chunk| chunk.text.as_str()).collect();
    assert_eq!(all, text);
}

#[test]
fn nothing_comes_of_nothing() {
    for text in ["", "\n", "  \n\t\n"] {
        let chunked = chunked("a.go", text, 4096);
        assert!(chunked.chunks.is_empty() && chunked.symbols.is_empty() && chunked.references.is_empty());
    }
}

#[test]
fn identical_chunks_get_uids_of_their_own() {
    let text = "package p\n\nfunc init() {\n}\n\nfunc init() {\n}\n";
    let chunked = chunked("a.go", text, 4096);
    let uids: BTreeSet<_> = chunked.chunks.iter().map(|chunk| chunk.chunk_uid).collect();
    assert_eq!(uids.len(), 3);
    let ids: Vec<_> = chunked.symbols.iter().map(|symbol| symbol.symbol_id.as_str()).collect();
    assert_eq!(ids, ["scip:contextpack . . . `a.go`/init().", "scip:contextpack . . . `a.go`/init(+1)."]);
}

#[test]
fn a_uid_survives_an_edit_elsewhere_in_the_file() {
    let before = chunked("a.go", "package p\n\nfunc one() {\n}\n", 4096);
    let after = chunked("a.go", "package p\n\nvar x = 1\n\nfunc one() {\n}\n", 4096);
    assert_eq!(before.chunks[1].chunk_uid, after.chunks[1].chunk_uid);
}

#[test]
fn uids_that_collide_are_salted_and_said() {
    let languages = Languages::builtin();
    let path = RepoPath::try_from("a.go".to_string()).unwrap();
    let text: String = (0..20).map(|at| format!("func f{at}() {{\n}}\n\n")).collect();
    let source = Source { path: &path, text: &text, language: languages.detect(&path, &text), notes: None };
    let config = Config { uid_mask: 0x1F, ..Config::default() };
    let chunked = chunk(&source, &languages, &config, &BTreeSet::new());
    let uids: BTreeSet<_> = chunked.chunks.iter().map(|chunk| chunk.chunk_uid).collect();
    assert_eq!(uids.len(), chunked.chunks.len());
    let salted = chunked.chunks.iter().filter(|chunk| chunk.salt.is_some()).count();
    assert!(salted > 0);
    assert_eq!(chunked.problems.iter().filter(|problem| problem.code == ProblemCode::UidCollision).count(), salted);
}

#[test]
fn a_record_is_canonical_as_serde_writes_it() {
    use crate::record::{Artifact, ArtifactType, write_line};
    fn check<A: Artifact>(records: &[A]) {
        assert!(!records.is_empty());
        for record in records {
            let mut line = Vec::new();
            write_line(record, &mut line);
            line.pop();
            ArtifactType::named(A::NAME).unwrap().check_line(&line).unwrap();
        }
    }
    let text = include_str!("../../golden/go/input/store.go");
    let chunked = chunked("a.go", &format!("{text}\nfunc broken( {{"), 400);
    check(&chunked.chunks);
    check(&chunked.symbols);
    check(&chunked.references);
    check(&chunked.problems);
}
