//! The descriptors of a SCIP symbol, as far as nesting needs them.

/// The symbol without its last descriptor: its parent. The parent of a file's namespace is that of its directory.
pub fn parent(symbol: &str) -> Option<&str> {
    let before = &symbol[..last_start(symbol)?];
    (!before.is_empty() && !before.ends_with(' ')).then_some(before)
}

/// Where the last descriptor starts.
fn last_start(symbol: &str) -> Option<usize> {
    let bytes = symbol.as_bytes();
    let mut end = bytes.len();
    match bytes.last()? {
        b'.' if symbol.ends_with(").") => end = symbol.rfind('(')?,
        b'.' | b'#' | b'/' | b':' | b'!' => end -= 1,
        b')' => return symbol.rfind('('),
        b']' => return symbol.rfind('['),
        _ => return None,
    }
    if end > 0 && bytes[end - 1] == b'`' {
        return opening_backtick(bytes, end - 1);
    }
    let is_plain =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'$') || *byte >= 128;
    Some(end - bytes[..end].iter().rev().take_while(|byte| is_plain(byte)).count())
}

/// The backtick that the one at `closing` closes; two in a row stand for one inside the name.
fn opening_backtick(bytes: &[u8], closing: usize) -> Option<usize> {
    let mut at = closing;
    loop {
        at = bytes[..at].iter().rposition(|byte| *byte == b'`')?;
        if at > 0 && bytes[at - 1] == b'`' {
            at -= 1;
            continue;
        }
        return Some(at);
    }
}

#[cfg(test)]
mod tests {
    use super::parent;

    #[test]
    fn a_descriptor_is_taken_off_at_a_time() {
        let chain = [
            "scip:c . . . src/`a.py`/A#`od``d`().",
            "scip:c . . . src/`a.py`/A#",
            "scip:c . . . src/`a.py`/",
            "scip:c . . . src/",
        ];
        chain.windows(2).for_each(|pair| assert_eq!(parent(pair[0]), Some(pair[1])));
        assert_eq!(parent(chain[3]), None);
        assert_eq!(parent("scip:c . . . `a.go`/S#m(+1)."), Some("scip:c . . . `a.go`/S#"));
        assert_eq!(parent("scip:c . . . `a.go`/S#f."), Some("scip:c . . . `a.go`/S#"));
        assert_eq!(parent("scip:c . . . `a.md`/`One two`:`Thr.ee`:"), Some("scip:c . . . `a.md`/`One two`:"));
    }
}
