use super::*;

#[test]
fn a_path_keeps_bytes_that_are_not_utf8() {
    for raw in [&b"src/a.py"[..], b"caf\xE9/x", b"back\\slash", b"\\xE9", "日本.py".as_bytes(), b"line\nbreak"] {
        assert_eq!(RepoPath::from_bytes(raw).unwrap().to_bytes(), raw);
    }
    assert_ne!(RepoPath::from_bytes(b"\xE9").unwrap(), RepoPath::from_bytes(b"\\xE9").unwrap());
}

#[test]
fn a_path_stays_inside_the_tree() {
    for path in ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/", "a\0b", "a\\b", "\\xe9"] {
        assert!(RepoPath::try_from(path.to_string()).is_err(), "{path:?}");
    }
}

#[test]
fn lines_and_utf16_of_mixed_text() {
    let text = "a\r\nb😀c\n日本";
    let index = LineIndex::new(text);
    assert_eq!(index.line_count(), 3);
    let c = text.find('c').unwrap() as u32;
    assert_eq!((index.line(c), index.column(c), index.utf16(c)), (1, 3, 6));
    assert_eq!(index.utf16(text.len() as u32), text.encode_utf16().count() as u32);
    assert_eq!(index.line_text(0), "a\r\n");
}

#[test]
fn an_empty_text_has_no_lines() {
    for text in ["", "\n", "a", "a\n", "a\nb", "\n\n"] {
        assert_eq!(LineIndex::new(text).line_count(), line_count(text), "{text:?}");
    }
    assert_eq!(LineIndex::new("").line_count(), 0);
    assert_eq!(LineIndex::new("\n").line_count(), 1);
    assert_eq!(LineIndex::new("a\n").line_count(), 1);
}
