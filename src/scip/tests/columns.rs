//! `名前` is two characters: six bytes, two UTF-16 units. `😀` is one: four bytes, two units.

use ::scip::types;

use super::world::{REFERENCE, document, encoded, index, occurrence, own};
use crate::scip::{PositionEncoding, column_in_utf16};

const LINE: &str = "名前 = 😀.run()";

#[track_caller]
fn check(column: u32, encoding: PositionEncoding, expected: Option<u32>) {
    assert_eq!(column_in_utf16(LINE, column, encoding), expected);
}

#[test]
fn bytes() {
    check(0, PositionEncoding::Utf8, Some(0));
    check(3, PositionEncoding::Utf8, Some(1));
    check(9, PositionEncoding::Utf8, Some(5));
    check(14, PositionEncoding::Utf8, Some(8));
    check(19, PositionEncoding::Utf8, Some(13));
}

#[test]
fn units() {
    for encoding in [PositionEncoding::Utf16, PositionEncoding::Unspecified] {
        check(5, encoding, Some(5));
        check(8, encoding, Some(8));
        check(13, encoding, Some(13));
    }
}

#[test]
fn characters() {
    check(2, PositionEncoding::Utf32, Some(2));
    check(5, PositionEncoding::Utf32, Some(5));
    check(7, PositionEncoding::Utf32, Some(8));
    check(12, PositionEncoding::Utf32, Some(13));
}

#[test]
fn inside_a_character_or_past_the_end_is_no_column() {
    check(1, PositionEncoding::Utf8, None);
    check(11, PositionEncoding::Utf8, None);
    check(6, PositionEncoding::Utf16, None);
    check(20, PositionEncoding::Utf8, None);
    check(13, PositionEncoding::Utf32, None);
}

#[test]
fn an_index_is_recounted_line_by_line() {
    let run = |start, end| document("a.py", vec![occurrence(0, start, end, &own("run()."), REFERENCE)]);
    let expected = index(vec![encoded(run(8, 11), types::PositionEncoding::UTF16CodeUnitOffsetFromLineStart)]);
    for (encoding, start, end) in [
        (types::PositionEncoding::UTF8CodeUnitOffsetFromLineStart, 14, 17),
        (types::PositionEncoding::UTF32CodeUnitOffsetFromLineStart, 7, 10),
    ] {
        let read = index(vec![encoded(run(start, end), encoding)]);
        assert!(!read.counts_utf16());
        assert_eq!(read.clone().in_utf16(|_, _| Some(LINE)), expected);
        assert_eq!(read.in_utf16(|_, _| None).dropped.misplaced_occurrences, 1);
    }
}
