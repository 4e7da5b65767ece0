//! The records of exports.

use super::*;
use crate::chunk::chunk as chunk_source;
use crate::record::Role;
use crate::text::RepoPath;

fn chunked(name: &str, text: &str, notes: &NoteSource) -> Chunked {
    let languages = Languages::builtin();
    let path = RepoPath::try_from(name.to_string()).unwrap();
    let source = Source { path: &path, text, language: languages.detect(&path, text), notes: Some(notes) };
    chunk_source(&source, &languages, &Config::default(), &BTreeSet::new())
}

const HEADER: &str = "{\"contextpackNodes\":1,\"workspace\":\"crm\"}\n";

fn nodes(lines: &str) -> Chunked {
    chunked("crm.jsonl", &format!("{HEADER}{lines}"), &NoteSource::Nodes)
}

#[test]
fn a_note_is_a_chunk_a_symbol_and_an_item() {
    let chunked = nodes(
        "{\"id\":\"p1\",\"name\":\"SOC\\nDefender\",\"text\":\"Detects.\\n\\nAlerts.\",\"tags\":[\"project\"],\"fields\":{\"Owner\":[{\"ref\":\"a7\"},\"x\\ny\"]},\"refs\":[\"a7\"]}\n{\"id\":\"a7\",\"parent\":\"p1\"}\n",
    );
    let [chunk, other] = chunked.chunks.as_slice() else { panic!("{chunked:?}") };
    assert_eq!(chunk.text, "SOC\nDefender\nDetects.\n\nAlerts.\nOwner:: (untitled), x y\n");
    assert_eq!((chunk.derived, chunk.lines, chunk.kind), (true, Lines { start: 2, end: 2 }, Kind::Item));
    assert_eq!((chunk.language_id.as_str(), other.text.as_str()), ("nodes", "(untitled)\n"));
    let [symbol, _] = chunked.symbols.as_slice() else { panic!("{chunked:?}") };
    assert_eq!(symbol.symbol_id.as_str(), "scip:contextpack nodes crm . `p1`.");
    assert_eq!((symbol.name.as_str(), symbol.signature.as_deref()), ("SOC Defender", Some("SOC Defender #project")));
    assert_eq!(symbol.doc.as_deref(), Some("Detects.\n\nAlerts."));
    let [item, child] = chunked.items.as_slice() else { panic!("{chunked:?}") };
    assert_eq!(item.head, Some(Lines { start: 1, end: 2 }));
    assert_eq!(item.body, Some(Lines { start: 3, end: 5 }));
    assert_eq!((item.kind.as_str(), item.source_id.as_str(), item.unit), ("note", "p1", true));
    assert_eq!((child.parent.as_ref(), child.depth, child.order), (Some(&item.node_id), 1, 1));
    assert_eq!((child.head, child.body), (Some(Lines { start: 1, end: 1 }), None));
    let [references] = chunked.references.as_slice() else { panic!("{chunked:?}") };
    let named: Vec<_> = references.references.iter().map(|one| (one.role, one.name.as_str())).collect();
    assert_eq!(named, [(Role::Tag, "project"), (Role::Field, "a7"), (Role::Link, "a7")]);
    assert_eq!(references.symbol_id.as_ref(), Some(&symbol.symbol_id));
}

/// A place in UTF-16 units is that of the same characters in the text.
#[test]
fn places_in_one_long_line_are_exact() {
    let filler = "é😀x".repeat(500);
    let doc = |id: &str, name: &str| format!("{{\"id\":\"{id}\",\"props\":{{\"name\":\"{name}\"}}}}");
    let docs = [doc("a", &filler), doc("b", "see [[A^a]]"), doc("c", &format!("{filler}[[B^b]][[B^b]]"))];
    let text = format!("{{\"formatVersion\":1,\"docs\":[{}]}}", docs.join(","));
    let chunked = chunked("t.json", &text, &NoteSource::Tana);
    let units: Vec<u16> = text.encode_utf16().collect();
    let at = |start: u32, end: u32| String::from_utf16(&units[start as usize..end as usize]).unwrap();
    assert_eq!(chunked.chunks.len(), 3);
    for (chunk, doc) in chunked.chunks.iter().zip(&docs) {
        assert_eq!(&at(chunk.range.start, chunk.range.end), doc);
        assert_eq!(&text[chunk.byte_range.start as usize..chunk.byte_range.end as usize], doc);
    }
    for symbol in &chunked.symbols {
        let Site { start, end, line, column } = symbol.site;
        assert_eq!(
            (at(start, end), line, column),
            (symbol.symbol_id.as_str().split('`').nth(1).unwrap().into(), 1, start)
        );
    }
    let sites = chunked.references.iter().flat_map(|record| &record.references);
    for reference in sites {
        reference.sites.iter().for_each(|site| assert_eq!(at(site.start, site.end), reference.name));
    }
    assert_eq!(chunked.references[1].references[0].sites.len(), 2);
}

#[test]
fn what_only_looks_like_an_export_is_read_as_it_is() {
    let text = "{\"formatVersion\": 1, \"docs\": [{\"id\": \"a\"}\n";
    let chunked = chunked("t.json", text, &NoteSource::Tana);
    assert_eq!(chunked.chunks[0].text, text);
    assert!(chunked.items.is_empty() && !chunked.chunks[0].derived);
    let codes: Vec<ProblemCode> = chunked.problems.iter().map(|problem| problem.code).collect();
    assert!(codes.contains(&ProblemCode::ItemSource), "{codes:?}");
}

#[test]
fn problems_have_their_lines() {
    let chunked = nodes("{\"id\":\"a\"}\n\n{\"id\":\n{\"id\":\"a\"}\n");
    let told: Vec<_> = chunked.problems.iter().map(|problem| (problem.code, problem.lines.unwrap().start)).collect();
    assert_eq!(told, [(ProblemCode::ItemData, 4), (ProblemCode::ItemDuplicate, 5)]);
}

/// An edit of one note leaves the uids of all others.
#[test]
fn equal_notes_have_uids_of_their_own() {
    let uids = |lines: &str| nodes(lines).items.iter().map(|item| item.chunk_uid).collect::<Vec<_>>();
    let all = uids("{\"id\":\"a\"}\n{\"id\":\"b\"}\n{\"id\":\"c\"}\n");
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 3);
    let fewer = uids("{\"id\":\"b\"}\n{\"id\":\"c\"}\n");
    assert_eq!(fewer, all[1..]);
}
