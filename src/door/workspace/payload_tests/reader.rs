//! Reads the text of a payload back.

use std::iter::Peekable;
use std::str::Split;

/// An item as it was printed.
#[derive(Debug, PartialEq, Eq)]
pub struct Read {
    pub title: Option<String>,
    pub block_type: String,
    pub content: String,
}

/// All items in order, and the query.
pub fn read(text: &str) -> (Vec<Read>, String) {
    let (mut items, mut lines) = (Vec::new(), text.split('\n').peekable());
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix('[') {
            let (first, rest) = bracket(head);
            let second = rest.strip_prefix(" [").map(|rest| bracket(rest).0);
            let (title, block_type) = second.map_or((None, first.clone()), |second| (Some(first.clone()), second));
            items.push(Read { title, block_type, content: content(&mut lines) });
        } else if line == "---" {
            let query = lines.nth(1).unwrap().strip_prefix("User Query:").unwrap();
            let query = if query.is_empty() { content(&mut lines) } else { query[1..].to_string() };
            return (items, query);
        }
    }
    (items, String::new())
}

/// What stands in front of a bracket, without backslashes, and what stands behind it.
fn bracket(text: &str) -> (String, &str) {
    let (mut found, mut rest) = (String::new(), text.chars());
    loop {
        match rest.next().unwrap() {
            ']' => return (found, rest.as_str()),
            '\\' => found.push(rest.next().unwrap()),
            character => found.push(character),
        }
    }
}

/// Lines up to an empty one, or those in a fence.
fn content(lines: &mut Peekable<Split<char>>) -> String {
    let first = lines.peek().copied().unwrap_or_default();
    let fence = &first[..first.len() - first.trim_start_matches('`').len()];
    let end = if fence.is_empty() { "" } else { lines.next().map_or("", |_| fence) };
    lines.take_while(|line| *line != end).collect::<Vec<_>>().join("\n")
}
