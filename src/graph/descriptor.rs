//! The descriptors of a SCIP symbol, as far as nesting needs them.

use std::borrow::Cow;

/// The symbol without its last descriptor: its parent. The parent of a file's namespace is that of its directory.
pub fn parent(symbol: &str) -> Option<&str> {
    let before = &symbol[..last_start(symbol)?];
    (!before.is_empty() && !before.ends_with(' ')).then_some(before)
}

/// The names of a symbol's descriptors from the innermost out, without what marks their kinds.
pub fn names(symbol: &str) -> impl Iterator<Item = Cow<'_, str>> {
    std::iter::successors(Some(symbol), |symbol| parent(symbol)).map_while(|symbol| {
        let last = &symbol[last_start(symbol)?..];
        let name = last.strip_suffix(").").map_or(last, |call| call.rsplit_once('(').map_or(call, |(name, _)| name));
        let name = name.trim_end_matches(['.', '#', '/', ':', '!']);
        Some(match name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) {
            Some(quoted) => Cow::Owned(quoted.replace("``", "`")),
            None => Cow::Borrowed(name),
        })
    })
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
    use super::{names, parent};

    #[test]
    fn names_go_from_the_innermost_out() {
        let all = |symbol| names(symbol).map(|name| name.into_owned()).collect::<Vec<_>>();
        assert_eq!(all("scip:c . . . src/`a.py`/A#`od``d`()."), ["od`d", "A", "a.py", "src"]);
        assert_eq!(all("scip:c . . . `a.go`/S#m(+1)."), ["m", "S", "a.go"]);
        assert_eq!(all("scip:c . . . `a.md`/`One two`:"), ["One two", "a.md"]);
        assert_eq!(all("xxh64:0123"), Vec::<String>::new());
    }

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
