//! Whether lists and quotes nest no deeper than people write them.
//!
//! The parser walks through every open list and quote at every line, so a line that opens a hundred
//! thousand of them would make each line below it as slow. Such a text is read as plain text.

/// Real texts stay below twenty; this much keeps a text of nothing but blank lines quick.
const MAX_LEVELS: usize = 250;

pub fn are_shallow(text: &str) -> bool {
    text.lines().all(|line| max_levels(line) <= MAX_LEVELS)
}

/// How many lists and quotes can be open at a line at most: those that it opens itself, and those
/// that its indentation continues, each of which takes two columns.
fn max_levels(line: &str) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut columns, mut marks) = (0, 0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 4,
            b'>' => marks += 1,
            _ => match mark_len(&bytes[at..]) {
                Some(len) => {
                    marks += 1;
                    at += len - 1;
                }
                None => break,
            },
        }
        at += 1;
    }
    marks + columns / 2
}

/// The mark of a list or of a footnote, which must end its word.
fn mark_len(bytes: &[u8]) -> Option<usize> {
    let digits = bytes.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let len = match bytes.get(digits)? {
        b'-' | b'+' | b'*' if digits == 0 => 1,
        b'.' | b')' if digits > 0 => digits + 1,
        b'[' if bytes.starts_with(b"[^") => footnote_len(bytes)?,
        _ => return None,
    };
    let footnote = bytes[0] == b'[';
    (footnote || matches!(bytes.get(len), None | Some(b' ' | b'\t'))).then_some(len)
}

fn footnote_len(bytes: &[u8]) -> Option<usize> {
    let close = bytes.iter().position(|byte| *byte == b']')?;
    (bytes.get(close + 1) == Some(&b':')).then_some(close + 2)
}
