//! The data that may stand before a text. Cut off by hand, because the parser would take any two
//! rules further down for it as well.

use crate::spec::front_matter::is_of_spec;

/// Where the text starts behind its front matter: 0 when there is none.
pub fn end(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let mark = match first.trim_end() {
        mark @ ("---" | "+++") => mark,
        _ => return 0,
    };
    let mut at = first.len();
    for line in lines {
        let words = line.trim_end();
        if words == mark || words == "..." && mark == "---" {
            return if starts(&text[first.len()..at]) { at + line.len() } else { 0 };
        }
        at += line.len();
    }
    0
}

/// A rule stands alone and front matter starts at once, but a spec document is known by its keys.
fn starts(inside: &str) -> bool {
    inside.lines().next().is_none_or(|line| !line.trim().is_empty()) || is_of_spec(inside)
}
