//! The keys at the beginning of JSON that may be cut off anywhere.

/// The beginning of an object.
pub struct Head<'t> {
    pub keys: Vec<HeadKey<'t>>,
    /// Whether the object ends in the text.
    pub is_whole: bool,
}

/// One key, as it is written, without its quotes.
pub struct HeadKey<'t> {
    pub name: &'t str,
    /// 1 in the outermost object. Lists count, too.
    pub depth: usize,
    /// The text from its value on, which goes on behind the value.
    pub value: &'t str,
}

/// Finds the keys of the first object, down to a depth.
pub fn keys(text: &str, max_depth: usize) -> Head<'_> {
    let mut head = Head { keys: Vec::new(), is_whole: false };
    let (mut at, mut depth) = (0, 0usize);
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let end = string_end(text.as_bytes(), at);
                head.keys.extend(key(text, at, end, depth).filter(|key| key.depth <= max_depth));
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
        if depth == 0 && matches!(byte, b'}' | b']') {
            head.is_whole = true;
            break;
        }
    }
    head
}

/// The string between two offsets, if it is a key.
fn key(text: &str, start: usize, end: usize, depth: usize) -> Option<HeadKey<'_>> {
    let value = text.get(end..)?.trim_start().strip_prefix(':')?.trim_start();
    let name = text.get(start + 1..end - 1)?;
    Some(HeadKey { name, depth, value })
}

/// The offset behind the string that starts at a quotation mark.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += 1 + usize::from(bytes[at] == b'\\');
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, max_depth: usize, wanted: &[(usize, &str)], is_whole: bool) {
        let head = keys(text, max_depth);
        let found: Vec<_> = head.keys.iter().map(|key| (key.depth, key.name)).collect();
        assert_eq!((found.as_slice(), head.is_whole), (wanted, is_whole), "{text}");
    }

    #[test]
    fn keys_have_depths_until_the_object_ends() {
        check(
            r#"{"a": {"b" : 1, "c": ["d", {"e": 1}]}, "f": "g"} {"h": 1}"#,
            2,
            &[(1, "a"), (2, "b"), (2, "c"), (1, "f")],
            true,
        );
        check(r#"{"a\"{": 1}"#, 1, &[(1, "a\\\"{")], true);
    }

    #[test]
    fn any_cut_gives_the_keys_before_it() {
        let text = r#"{"ä": {"b": "\"x"}, "c": []}"#;
        let whole = keys(text, 9).keys.len();
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let head = keys(&text[..end], 9);
            assert!(!head.is_whole && head.keys.len() <= whole, "{}", &text[..end]);
        }
        check("{\"a", 9, &[], false);
        check("{\"a\"", 9, &[], false);
        check("{\"a\":", 9, &[(1, "a")], false);
        check("{\"a\\", 9, &[], false);
    }
}
