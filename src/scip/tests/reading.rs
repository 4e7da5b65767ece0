//! What `parse` keeps, drops, merges and refuses.

use ::scip::types;

use super::world::{DEFINITION, REFERENCE, bytes, document, encoded, index, occurrence, own, path};
use crate::scip::{Dropped, Location, PositionEncoding, ScipFault, ScipIndex, parse};

fn texts(index: &ScipIndex) -> Vec<&str> {
    index.symbols.iter().map(|symbol| &*symbol.text).collect()
}

#[test]
fn documents_and_symbols_are_sorted_whatever_the_order_in_the_file() {
    let one = || document("b.ts", vec![occurrence(4, 2, 5, &own("run()."), REFERENCE)]);
    let other = || document("a.ts", vec![occurrence(0, 9, 12, &own("run()."), DEFINITION)]);
    let read = index(vec![one(), other()]);
    assert_eq!(read, index(vec![other(), one()]));
    assert_eq!(read.tool, "test 1");
    assert_eq!(read.documents[0].path.as_str(), "a.ts");
    assert_eq!(read.definitions(), [[Location { file: path("a.ts"), line: 1, column: 9 }]]);
}

#[test]
fn a_local_symbol_is_another_one_in_each_document() {
    let read = index(vec![
        document("a.ts", vec![occurrence(0, 0, 1, "local 1", DEFINITION)]),
        document("b.ts", vec![occurrence(0, 0, 1, "local 1", REFERENCE)]),
    ]);
    assert_eq!(texts(&read), ["local 1", "local 1"]);
    assert_eq!(read.definitions().iter().map(Vec::len).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn copies_of_a_document_are_one() {
    let first = vec![occurrence(0, 0, 1, &own("a."), DEFINITION)];
    let second = vec![occurrence(0, 0, 1, &own("a."), DEFINITION), occurrence(0, 4, 5, &own("b."), DEFINITION)];
    let read = index(vec![document("a.ts", second.clone()), document("a.ts", first.clone())]);
    assert_eq!(read.documents.len(), 1);
    assert_eq!(read, index(vec![document("a.ts", first), document("a.ts", second)]));
    assert_eq!(read.documents[0].occurrences.len(), 2);
}

#[test]
fn a_copy_that_counts_otherwise_is_dropped() {
    let utf8 = encoded(document("a.ts", vec![]), types::PositionEncoding::UTF8CodeUnitOffsetFromLineStart);
    let read = index(vec![document("a.ts", vec![]), utf8]);
    assert_eq!(read.documents[0].encoding, PositionEncoding::Unspecified);
    assert_eq!(read.dropped.conflicting_documents, 1);
}

#[test]
fn paths_that_lead_out_of_the_tree_are_dropped() {
    let outside = ["../x.ts", "/etc/x.ts", "a/../../x.ts", "", "./x.ts"];
    let read = index(outside.iter().map(|path| document(path, vec![])).collect());
    assert!(read.documents.is_empty());
    assert_eq!(read.dropped, Dropped { outside_documents: 5, ..Dropped::default() });
}

#[test]
fn ranges_that_are_none_are_dropped() {
    let range = |range: &[i32]| types::Occurrence { range: range.to_vec(), ..occurrence(0, 0, 0, &own("a."), 0) };
    let bad: [&[i32]; 6] = [&[], &[1], &[1, 2], &[-1, 0, 1], &[1, 5, 4], &[1, 2, 3, 4, 5]];
    let read = index(vec![document("a.ts", bad.iter().copied().map(range).collect())]);
    assert_eq!(read.dropped.misplaced_occurrences, 6);
    let read = index(vec![document("a.ts", vec![range(&[1, 2, 3, 4])])]);
    assert_eq!(read.documents[0].occurrences[0].end, (3, 4));
}

#[test]
fn a_typed_range_goes_before_the_old_one() {
    let typed = types::SingleLineRange { line: 7, start_character: 1, end_character: 3, ..Default::default() };
    let mut both = occurrence(0, 0, 1, &own("a."), REFERENCE);
    both.typed_range = Some(types::occurrence::Typed_range::SingleLineRange(typed));
    assert_eq!(index(vec![document("a.ts", vec![both])]).documents[0].occurrences[0].start, (7, 1));
}

#[test]
fn an_occurrence_without_a_symbol_is_only_colour() {
    let read = index(vec![document("a.ts", vec![occurrence(0, 0, 1, "", REFERENCE)])]);
    assert!(read.documents[0].occurrences.is_empty());
    assert_eq!(read.dropped, Dropped::default());
}

#[test]
fn relationships_are_kept() {
    let relationship = types::Relationship { symbol: own("A#"), is_implementation: true, ..Default::default() };
    let information =
        types::SymbolInformation { symbol: own("B#"), relationships: vec![relationship], ..Default::default() };
    let read = index(vec![types::Document { symbols: vec![information], ..document("a.ts", vec![]) }]);
    assert_eq!(texts(&read), [own("A#"), own("B#")]);
    assert_eq!(read.symbols[1].relationships[0].symbol, 0);
    assert!(read.symbols[1].relationships[0].is_implementation);
}

#[test]
fn a_file_cut_anywhere_is_a_fault_or_a_shorter_index() {
    let whole = bytes(vec![
        document("a.ts", vec![occurrence(0, 0, 1, &own("a."), DEFINITION)]),
        document("b.ts", vec![occurrence(0, 0, 1, &own("a."), REFERENCE)]),
    ]);
    let read = (0..whole.len()).filter_map(|end| parse(&whole[..end]).ok()).map(|index| index.documents.len());
    assert_eq!(read.collect::<Vec<_>>(), [0, 1], "only between two documents");
}

#[test]
fn what_is_no_index_is_a_fault() {
    assert!(matches!(parse(b""), Err(ScipFault::Empty)));
    assert!(matches!(parse(b"{\"version\": 1}\n"), Err(ScipFault::Damaged(_))));
    assert!(matches!(parse(&[0x12, 0x00]), Err(ScipFault::NoMetadata)));
    assert!(matches!(parse(&[0xff; 64]), Err(ScipFault::Damaged(_))));
}

proptest::proptest! {
    #[test]
    fn no_bytes_panic(bytes: Vec<u8>) {
        let _ = parse(&bytes);
    }

    #[test]
    fn no_flipped_byte_panics(at in 0usize..60, with: u8) {
        let mut bytes = bytes(vec![document("a.ts", vec![occurrence(0, 0, 1, "local 1", DEFINITION)])]);
        if let Some(byte) = bytes.get_mut(at) {
            *byte = with;
        }
        let _ = parse(&bytes);
    }
}
