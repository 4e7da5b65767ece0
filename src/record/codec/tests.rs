use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::{projection, read, write};
use crate::record::{ByteRange, Kind, Range, Reference, Role, Score, Site};

fn to_line<T: Serialize>(value: &T) -> String {
    let mut bytes = Vec::new();
    write(value, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Any JSON, with keys and texts that need escapes or are sorted differently as UTF-16.
fn json() -> impl Strategy<Value = Value> {
    let text = "[a-c\"\\\\\n\t\u{1}\u{7f}é日\u{fffd}\u{10000}]{0,6}";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (0..1u64 << 53).prop_map(Value::from),
        any::<f64>().prop_filter("JSON has finite numbers only", |number| number.is_finite()).prop_map(Value::from),
        (0..=1_000_000u32).prop_map(|count| Value::from(f64::from(count) / 1e6)),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((text, inner), 0..6).prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_canonical(value in json()) {
        prop_assert_eq!(to_line(&value), serde_json_canonicalizer::to_string(&value).unwrap());
    }

    #[test]
    fn what_is_written_is_read(value in json()) {
        let line = to_line(&value);
        prop_assert_eq!(read::<Value>(&line).unwrap(), serde_json::from_str::<Value>(&line).unwrap());
    }

    /// A truncated line or a changed byte gives an error or another value, never a panic.
    #[test]
    fn damaged_lines_do_no_harm(value in json(), at in any::<prop::sample::Index>(), byte in "[\"{}\\[\\]:,x0]") {
        let line = to_line(&value);
        let at = at.index(line.len());
        if line.is_char_boundary(at) && line.is_char_boundary(at + 1) {
            let damaged = format!("{}{byte}{}", &line[..at], &line[at + 1..]);
            let _ = (read::<Value>(&line[..at]), read::<Value>(&damaged), read::<PlaceRow>(&damaged));
        }
    }
}

#[test]
fn fields_may_be_declared_in_any_order() {
    #[derive(Serialize)]
    struct Unordered<'t> {
        start: u32,
        #[serde(rename = "a")]
        text: &'t str,
        end: BTreeMap<&'t str, u32>,
    }
    let end = BTreeMap::from([("\u{fffd}", 1), ("\u{10000}", 2), ("\"", 3)]);
    let line = to_line(&Unordered { start: 1, text: ",\"}", end });
    assert_eq!(line, "{\"a\":\",\\\"}\",\"end\":{\"\\\"\":3,\"\u{10000}\":2,\"\u{fffd}\":1},\"start\":1}");
}

#[test]
fn variants_and_numbers_are_written_as_serde_writes_them() {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    enum Shape {
        Point,
        Circle(u32),
        Box { width: i64, depth: u8 },
    }
    let shapes = [Shape::Point, Shape::Circle(u32::MAX), Shape::Box { width: i64::MIN, depth: 0 }];
    assert_eq!(to_line(&shapes), r#"["point",{"circle":4294967295},{"box":{"depth":0,"width":-9223372036854775808}}]"#);
    assert_eq!(to_line(&BTreeMap::from([(2, 'a'), (10, 'b')])), r#"{"10":"b","2":"a"}"#);
    assert_eq!(to_line(&[Score::millionths(1), Score::percent(95), Score::ONE]), "[0.000001,0.95,1]");
}

projection! {
    #[derive(Debug, PartialEq)]
    struct PlaceRow of crate::record::Symbol, crate::record::Chunk {
        byte_range: ByteRange,
        kind: Kind,
        range: Range,
    }
}

#[test]
fn a_projection_reads_what_serde_reads() {
    let line = json!({"byteRange": {"end": 7, "start": 4}, "extra": [{"a": "]"}, {}], "kind": "method",
        "other": {"x": null}, "range": {"end": 3, "start": 2}, "zz": 1});
    let line = to_line(&line);
    assert_eq!(read::<PlaceRow>(&line).unwrap(), serde_json::from_str(&line).unwrap());
    assert!(read::<PlaceRow>(&line.replace("method", "methods")).is_err());
    assert!(read::<PlaceRow>(&line.replace("\"kind\"", "\"kin\"")).unwrap_err().to_string().contains("kind"));
}

#[test]
fn texts_lists_and_options_are_read() {
    let line = r#"{"arguments":2,"name":"a\"b\\","role":"inherit","sites":[[1,20,3,0],[5,6,7,8]]}"#;
    let reference: Reference = read(line).unwrap();
    assert_eq!((reference.name.as_str(), reference.arguments, reference.role), ("a\"b\\", Some(2), Role::Inherit));
    let first = Site { start: 1, end: 20, line: 3, column: 0 };
    assert_eq!(reference.sites, [first, Site { start: 5, end: 6, line: 7, column: 8 }]);
    assert_eq!(to_line(&reference), line);
}

#[test]
fn missing_fields_are_known_by_keys_that_start_alike() {
    for fields in ["", r#""receiver":"r","#, r#""receiverType":"T","#, r#""receiver":"r","receiverType":"T","#] {
        for first in ["", r#""arguments":10,"#, r#""binding":{"module":"m"},"#] {
            let line = format!(r#"{{{first}"name":"a",{fields}"role":"use","sites":[[1,23456789,345,4]]}}"#);
            assert_eq!(to_line(&read::<Reference>(&line).unwrap()), line);
        }
    }
}

#[test]
fn what_is_something_else_is_a_fault() {
    for line in ["", "\"", "\"a", "\"a\\", "\"a\\\"", "\"\\", "x", "\"é"] {
        assert!(read::<String>(line).is_err(), "{line}");
    }
    for line in ["", "-1", "4294967296", "a", "1.5", "10000000000000000000000"] {
        assert!(read::<u32>(line).is_err(), "{line}");
    }
    for line in ["", "[", "[1,2,3]", "[1,2,3,4", "[1 ,2,3,4]", "[1,2,3,4,5]"] {
        assert!(read::<Site>(line).is_err(), "{line}");
    }
    assert!(read::<Role>("\"inherits\"").is_err());
    assert!(read::<Vec<u32>>("[1,]").is_err());
}
