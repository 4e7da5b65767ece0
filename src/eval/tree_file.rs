//! A file of a tree, cut into lines as the benchmark's scorer cuts it.

/// The lines of one file.
pub struct TreeFile {
    pub lines: Vec<String>,
    /// The number of the last line as diffs count, 0 where the file is empty.
    pub last: u32,
}

impl TreeFile {
    /// Without a byte order mark: an index does not show it.
    pub fn parse(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let lines = split_lines(&String::from_utf8_lossy(bytes)).map(str::to_string).collect();
        TreeFile { lines, last: count_lines(bytes) }
    }
}

/// Python's `str.splitlines`, which also ends a line at form feeds, separators and U+2028.
pub(super) fn split_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (line, after) = rest.split_at(rest.find(ENDS).unwrap_or(rest.len()));
        if line.is_empty() && after.is_empty() {
            return None;
        }
        let end = after.chars().next().map_or(0, char::len_utf8);
        rest = after.strip_prefix("\r\n").unwrap_or(&after[end..]);
        Some(line)
    })
}

const ENDS: [char; 10] = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

/// The length of Python's `bytes.splitlines`: only `\n`, `\r` and the two together end a line.
fn count_lines(bytes: &[u8]) -> u32 {
    let ends = (0..bytes.len()).filter(|&at| match bytes[at] {
        b'\n' => at == 0 || bytes[at - 1] != b'\r',
        byte => byte == b'\r',
    });
    let has_rest = bytes.last().is_some_and(|last| !matches!(last, b'\n' | b'\r'));
    ends.count() as u32 + u32::from(has_rest)
}
