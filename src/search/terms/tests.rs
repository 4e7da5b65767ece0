use super::*;
use crate::record::{
    Analysis, Audience, ByteRange, Chunk, File, Kind, Lines, Range as TextRange, Site, Symbol, write_line,
};

fn chunk(uid: u64, kind: Kind, lines: Lines, text: &str) -> Chunk {
    Chunk {
        audience: Audience::default(),
        derived: false,
        blank_after: 0,
        byte_range: ByteRange { start: 0, end: 0 },
        chunk_uid: ChunkUid::from_hash(uid),
        file_rel_path: "src/user.py".to_string().try_into().unwrap(),
        kind,
        language_id: "python".into(),
        lines,
        name: None,
        part: None,
        qualified_name: None,
        range: TextRange { start: 0, end: 0 },
        salt: None,
        shown: None,
        signature: None,
        symbol_id: None,
        text: text.to_string(),
    }
}

fn chunks() -> Vec<Chunk> {
    let getter = chunk(11, Kind::Function, Lines { start: 1, end: 2 }, "def get_name(self):\n  return names");
    let getter = Chunk {
        qualified_name: Some("User.get_name".to_string()),
        signature: Some("def get_name(self)".to_string()),
        ..getter
    };
    vec![getter, chunk(10, Kind::Module, Lines { start: 8, end: 9 }, "名前 = getName()")]
}

fn symbols() -> Vec<Symbol> {
    vec![Symbol {
        audience: Audience::default(),
        byte_range: ByteRange { start: 0, end: 0 },
        chunk_uid: ChunkUid::from_hash(11),
        doc: Some("Gives the title.".to_string()),
        exported: true,
        file_rel_path: "src/user.py".to_string().try_into().unwrap(),
        kind: Kind::Function,
        language_id: "python".into(),
        lines: Lines { start: 1, end: 2 },
        name: "get_name".to_string(),
        parameters: vec![],
        qualified_name: "User.get_name".to_string(),
        range: TextRange { start: 0, end: 0 },
        signature: None,
        site: Site { start: 0, end: 0, line: 1, column: 0 },
        symbol_id: "scip:a . . . b".to_string().try_into().unwrap(),
        value_type: None,
    }]
}

fn lines(chunks: &[Chunk]) -> Vec<u8> {
    let mut lines = Vec::new();
    chunks.iter().for_each(|chunk| write_line(chunk, &mut lines));
    lines
}

fn files() -> [File; 2] {
    [file("README.md"), file("src/user.py")]
}

fn built() -> Vec<u8> {
    let ([readme, user], counters, chunks) = (files(), Counters::default(), chunks());
    let content =
        FileContent { chunks: &chunks, chunk_lines: &lines(&chunks), symbols: &symbols(), only_importing: &[] };
    let terms = counters.count(&content);
    build(&[(&readme, &FileTerms::default()), (&user, &terms)], counters)
}

fn file(path: &str) -> File {
    File {
        audience: Audience::default(),
        source_kind: None,
        analysis: Analysis::Parsed,
        bytes: 0,
        chunks: vec![],
        digest: None,
        encoding: None,
        file_rel_path: path.to_string().try_into().unwrap(),
        language_id: Some(if path.ends_with("md") { "markdown" } else { "python" }.into()),
        line_ending: None,
        lines: 0,
        marks: vec![],
        package: None,
        references: 0,
        symbols: 0,
    }
}

#[test]
fn a_term_is_found_where_it_stands() {
    let bytes = built();
    let terms = Terms::parse(&bytes).unwrap();
    let found = |term: &str| terms.postings(terms.term(term).unwrap()).collect::<Vec<_>>();
    let in_all = Field::Name as u8 | Field::Signature as u8;
    let both = [Posting { chunk: 0, count: 1, fields: in_all }, Posting { chunk: 1, count: 1, fields: 0 }];
    assert_eq!(found("getname"), both);
    assert_eq!(terms.holders(terms.term("getname").unwrap()), 2);
    assert_eq!(found("name")[0], Posting { chunk: 0, count: 2, fields: in_all });
    assert_eq!(found("titl"), [Posting { chunk: 0, count: 0, fields: Field::Doc as u8 }]);
    assert_eq!(found("名前"), [Posting { chunk: 1, count: 1, fields: 0 }]);
    assert_eq!(terms.files_with(terms.term("user").unwrap()).collect::<Vec<_>>(), [1]);
    assert_eq!(terms.term("absent"), None);
}

#[test]
fn chunks_files_and_records_are_found() {
    let bytes = built();
    let terms = Terms::parse(&bytes).unwrap();
    assert_eq!([0, 1].map(|chunk| terms.uid(chunk)), [11, 10].map(ChunkUid::from_hash));
    assert_eq!((terms.chunks_of(0), terms.chunks_of(1)), (0..0, 0..2));
    assert_eq!((terms.file_of(0), terms.file_of(1)), (1, 1));
    let line = terms.record(1);
    let line = &lines(&chunks())[line.start as usize..line.end as usize];
    assert_eq!(line, lines(&chunks()[1..]));
    assert_eq!(terms.definitions(terms.name("get_name").unwrap()).collect::<Vec<_>>(), [0]);
    assert!(terms.file_flags(0).has(FileFlags::PROSE) && !terms.file_flags(1).has(FileFlags::PROSE));
    assert_eq!(terms.lines(1), (8, 9));
    assert_eq!([0, 1].map(|chunk| terms.code_lines(chunk)), [2, 1]);
    assert!(terms.chunk_flags(0).has(ChunkFlags::CALLABLE) && !terms.chunk_flags(1).has(ChunkFlags::CALLABLE));
}

#[test]
fn damage_is_refused_or_harmless() {
    let bytes = built();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let Ok(terms) = Terms::parse(&damaged) else { continue };
        for term in 0..terms.terms.count() {
            let _ = (terms.postings(term).count(), terms.files_with(term).count());
        }
        let _ = (0..terms.names.count()).map(|name| terms.definitions(name).count()).sum::<usize>();
        let _ = (0..terms.chunk_count()).map(|chunk| terms.file_of(chunk) + terms.record(chunk).start as usize).max();
        assert!((0..terms.terms.count()).all(|term| terms.holders(term) as usize <= terms.chunk_count()));
    }
    assert!(Terms::parse(&bytes[..bytes.len() - 1]).is_err());
}

#[test]
fn reused_terms_make_the_same_bytes() {
    let (bytes, [readme, user], counters) = (built(), files(), Counters::default());
    let reused = counters.reuse(&Terms::parse(&bytes).unwrap(), &[1]);
    assert_eq!(build(&[(&readme, &FileTerms::default()), (&user, &reused[0])], counters), bytes);
}

#[test]
fn terms_of_dropped_files_are_dropped() {
    let (bytes, [readme, _], counters) = (built(), files(), Counters::default());
    counters.reuse(&Terms::parse(&bytes).unwrap(), &[1]);
    let without = build(&[(&readme, &FileTerms::default())], counters);
    assert_eq!(Terms::parse(&without).unwrap().all_terms().collect::<Vec<_>>(), ["md", "readm"]);
}

#[test]
fn files_without_chunks_have_the_terms_of_their_paths() {
    let ([readme, user], none) = (files(), FileTerms::default());
    let bytes = build(&[(&readme, &none), (&user, &none)], Counters::default());
    let terms = Terms::parse(&bytes).unwrap();
    assert_eq!(terms.all_terms().collect::<Vec<_>>(), ["md", "py", "readm", "src", "user"]);
    assert_eq!((terms.file_count(), terms.chunk_count()), (2, 0));
}

#[test]
fn the_bytes_do_not_depend_on_who_counts() {
    let ([first, second], chunks) = (files(), chunks());
    let content =
        |at: usize| FileContent { chunks: &chunks[at..=at], chunk_lines: b"\n", symbols: &[], only_importing: &[] };
    let one = Counters::default();
    let terms = [one.count(&content(0)), one.count(&content(1))];
    let by_one = build(&[(&first, &terms[0]), (&second, &terms[1])], one);
    let several = Counters::default();
    // The second file is counted first, with another dictionary.
    let terms = several.count(&content(1));
    let previous = build(&[(&first, &terms)], several);
    let several = Counters::default();
    let reused = several.reuse(&Terms::parse(&previous).unwrap(), &[0]);
    let counted = Counters::count(&several, &content(0));
    assert_eq!(build(&[(&first, &counted), (&second, &reused[0])], several), by_one);
}

#[test]
fn boilerplate_is_told_by_kinds_and_references() {
    let at = |kind, text: &str| chunk(1, kind, Lines { start: 1, end: 9 }, text);
    let is_boilerplate = |chunk: &Chunk, kinds: &[Kind], code_lines: u32, only_imports: bool| {
        let symbols: Vec<Symbol> = kinds.iter().map(|kind| Symbol { kind: *kind, ..symbols()[0].clone() }).collect();
        let symbols: Vec<&Symbol> = symbols.iter().collect();
        ChunkFlags::of(chunk, &symbols, code_lines, only_imports).has(ChunkFlags::BOILERPLATE)
    };
    let outside = at(Kind::Module, "…");
    assert!(is_boilerplate(&outside, &[], 0, false), "only comments");
    assert!(is_boilerplate(&outside, &[], 3, true), "only imports");
    assert!(!is_boilerplate(&outside, &[], 3, false), "statements");
    assert!(is_boilerplate(&outside, &[Kind::Namespace, Kind::Namespace], 2, true), "a list of modules");
    assert!(is_boilerplate(&outside, &[Kind::Function], 1, false), "a function without a body");
    assert!(!is_boilerplate(&outside, &[Kind::Constant], 1, true), "a constant");
    let namespace = at(Kind::Namespace, "…");
    let skeleton =
        Chunk { shown: Some(vec![Lines { start: 1, end: 1 }, Lines { start: 9, end: 9 }]), ..namespace.clone() };
    assert!(is_boilerplate(&skeleton, &[Kind::Namespace], 2, false) && !is_boilerplate(&namespace, &[], 9, false));
    assert!(!is_boilerplate(&at(Kind::Text, "…"), &[], 0, false), "text without structure");
}
