//! The data that may stand before a text. Cut off by hand, because the parser would take any two
//! rules further down for it as well.

/// Where the text starts behind its front matter: 0 when there is none.
pub fn end(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let mark = match lines.next().map(str::trim_end) {
        Some(mark @ ("---" | "+++")) => mark,
        _ => return 0,
    };
    let mut at = text.find('\n').map_or(text.len(), |at| at + 1);
    for (number, line) in lines.enumerate() {
        at += line.len();
        let words = line.trim_end();
        if words == mark || words == "..." && mark == "---" {
            return at;
        }
        // A rule stands alone; front matter starts at once.
        if number == 0 && words.is_empty() {
            return 0;
        }
    }
    0
}
