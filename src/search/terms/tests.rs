use super::*;
use crate::record::{Analysis, File};

const CHUNKS: &str = concat!(
    r#"{"chunkUid":"xxh64:000000000000000b","fileRelPath":"src/user.py","kind":"function","lines":{"end":2,"start":1},"#,
    r#""qualifiedName":"User.get_name","signature":"def get_name(self)","symbolId":"scip:a . . . b","text":"def get_name(self):\n  return names"}"#,
    "\n",
    r#"{"chunkUid":"xxh64:000000000000000a","fileRelPath":"src/user.py","kind":"module","lines":{"end":9,"start":8},"text":"名前 = getName()"}"#,
    "\n"
);
const SYMBOLS: &str =
    concat!(r#"{"chunkUid":"xxh64:000000000000000b","name":"get_name","doc":"Gives the title."}"#, "\n");

fn built() -> Vec<u8> {
    let files = [file("README.md"), file("src/user.py")];
    build(&Source { files: &files, chunks: CHUNKS.as_bytes(), symbols: SYMBOLS.as_bytes() }).unwrap()
}

fn file(path: &str) -> File {
    File {
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
    assert!(CHUNKS[line.start as usize..line.end as usize].starts_with(r#"{"chunkUid":"xxh64:000000000000000a""#));
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
