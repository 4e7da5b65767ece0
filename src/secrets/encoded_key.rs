//! A private key whose lines, `BEGIN` and all, are in base64 once more, as Kubernetes and CI settings have them: on one
//! line however long it is, or wrapped and indented.

use std::ops::Range;

use super::private_key::{MIN_KEY_RUN_BYTES, is_base64};
use super::strength::decoded_base64;

pub const KIND: &str = "base64-private-key";

/// `-----BEGIN ` in base64, and how many characters on a group of four begins: as the first byte of three, as the
/// second, as the third.
pub const BEGINNINGS: [(&str, usize); 3] = [("LS0tLS1CRUdJTi", 0), ("0tLS0tQkVHSU4g", 2), ("tLS0tLUJFR0lOI", 1)];

/// Where `-----BEGIN … PRIVATE KEY-----` is at most, in base64.
const LABEL_BYTES: usize = 72;
/// What may be between two lines of it: indentation, quotes, the marks of comments.
const MAX_GAP_BYTES: usize = 64;
/// A line that has only that, and the end of the label, is no key.
const MIN_BYTES: usize = 100;

/// All lines of the key whose first line has a beginning at `at`.
pub fn span(text: &str, at: usize, phase: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let label: Vec<u8> =
        bytes[at + phase..].iter().copied().filter(|byte| is_base64(*byte)).take(LABEL_BYTES).collect();
    let label = decoded_base64(std::str::from_utf8(&label).ok()?);
    memchr::memmem::find(&label, b"PRIVATE KEY")?;
    let is_of_run = |byte: &&u8| is_base64(**byte) && **byte != b'=';
    let start = at - bytes[..at].iter().rev().take_while(is_of_run).count();
    let mut end = run_end(bytes, at);
    while let Some(next) = next_line(bytes, end) {
        let is_last = next.len() < MIN_KEY_RUN_BYTES;
        end = next.end;
        if is_last {
            break;
        }
    }
    (end - start >= MIN_BYTES).then_some(start..end)
}

/// A `\n` in a string literal ends a run: its letter is not part of the run.
fn run_end(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].iter().take_while(|byte| is_base64(**byte)).count()
}

/// The run that is all of the next line, if the one before ends a line and does not end the key.
fn next_line(bytes: &[u8], end: usize) -> Option<Range<usize>> {
    if bytes[..end].ends_with(b"=") {
        return None;
    }
    let start = gap_end(bytes, end).filter(|start| *start < bytes.len())?;
    let next = start..run_end(bytes, start);
    let is_whole = next.end == bytes.len() || matches!(bytes[next.end], b'\r' | b'\n' | b'\\' | b'"' | b'\'' | b'`');
    (is_whole && next.len() >= 4).then_some(next)
}

/// After a line break, plain or escaped, and the indentation of the next line.
fn gap_end(bytes: &[u8], start: usize) -> Option<usize> {
    let (mut at, mut breaks) = (start, false);
    while at < bytes.len().min(start + MAX_GAP_BYTES) {
        match &bytes[at..] {
            [b'\n', ..] => breaks = true,
            [b'\\', b'n', ..] => {
                breaks = true;
                at += 1;
            }
            [b'\\', b'r', ..] => at += 1,
            // The mark of a comment, and not the first digits of a line.
            [b'/', ..] if bytes[at..].iter().find(|byte| **byte != b'/') == Some(&b' ') => {}
            [b'+', b' ' | b'\r' | b'\n', ..] => {}
            [b' ' | b'\t' | b'\r' | b'\\' | b'"' | b'\'' | b'`' | b',' | b'#' | b'*' | b'.', ..] => {}
            _ => break,
        }
        at += 1;
    }
    breaks.then_some(at)
}
