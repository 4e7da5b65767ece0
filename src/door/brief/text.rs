//! Texts of notes as parts of a brief. Nothing in a note can end what is around it or look like another note.

use crate::language::markdown_open_fence;
use crate::text::{is_bidi_control, one_line};

/// A name on one line, cut if it is long.
pub fn short(name: &str) -> String {
    let name = one_line(name);
    let name = plain(name.trim());
    cut(&name, MAX_NAME_CHARS)
}

/// How long a name may be in a heading or a list.
pub const MAX_NAME_CHARS: usize = 120;

pub fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        None => text.to_string(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Breaks what looks like a special token of a model.
fn plain(text: &str) -> String {
    text.replace("<|", "<\\|")
}

/// A name that is an entry of a list. Marks at its start would make a heading, a quote or a fence of it.
pub fn entry(text: &str) -> String {
    let is_mark = text.starts_with(['#', '`', '~', '>']);
    if is_mark { format!("\\{text}") } else { text.to_string() }
}

/// The lines of a note's content without blank lines around them. Lines that look like headings are marked as none, and
/// so is a fence that only ends because a list ends.
pub fn content_lines(lines: &[String]) -> Vec<String> {
    let mut shown = Vec::new();
    let mut open: Option<(Fence, usize)> = None;
    for (at, line) in lines.iter().map(|line| line.trim_end()).enumerate() {
        let is_code = open.is_some_and(|(fence, _)| indent_of(line) >= fence.indent);
        let escapes = !is_code && is_heading(line);
        let start = open.map_or(at, |(_, start)| start);
        open = Fence::behind(open.map(|(fence, _)| fence), line).map(|fence| (fence, start));
        shown.push(if escapes { escaped(line) } else { line.to_string() });
    }
    if let Some((_, start)) = open
        && markdown_open_fence(&joined(&shown)).is_none()
    {
        shown[start] = escaped(&shown[start]);
    }
    let start = shown.iter().position(|line| !line.is_empty()).unwrap_or(shown.len());
    let end = shown.iter().rposition(|line| !line.is_empty()).map_or(start, |last| last + 1);
    shown.drain(start..end).collect()
}

/// Lines of a note that is no file: what would steer a model or a reader's eye is spelled out.
pub fn harmless(lines: Vec<String>) -> Vec<String> {
    let visible = |line: &String| line.contains("<|") || line.contains(is_bidi_control);
    lines
        .into_iter()
        .map(|line| if visible(&line) { plain(&line.replace(is_bidi_control, " ")) } else { line })
        .collect()
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A fence that is open. A line that is indented less than the fence may be outside it.
#[derive(Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fence {
    /// The fence that is open behind a line.
    fn behind(open: Option<Fence>, line: &str) -> Option<Fence> {
        let found = Fence::of(line);
        match (open, found) {
            (None, Some((fence, info))) => (fence.mark == '~' || !info.contains('`')).then_some(fence),
            (Some(open), Some((fence, info))) => {
                let closes = fence.mark == open.mark && fence.length >= open.length && info.trim().is_empty();
                (!closes).then_some(open)
            }
            (open, None) => open,
        }
    }

    /// The fence that a line starts with, and what stands behind it.
    fn of(line: &str) -> Option<(Fence, &str)> {
        let indent = indent_of(line);
        let text = &line[indent..];
        let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        (indent < 4 && length >= 3).then_some((Fence { mark, length, indent }, info))
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_heading(line: &str) -> bool {
    let text = &line[indent_of(line)..];
    let behind = text.trim_start_matches('#');
    let is_level = (1..=6).contains(&(text.len() - behind.len()));
    indent_of(line) < 4 && is_level && behind.chars().next().is_none_or(char::is_whitespace)
}

/// A line whose first mark is no mark.
fn escaped(line: &str) -> String {
    let (indent, text) = line.split_at(indent_of(line));
    format!("{indent}\\{text}")
}

/// The lines of a list entry without its indentation and its marker.
pub fn block_lines(lines: &[String]) -> Vec<String> {
    let Some((first, rest)) = lines.split_first() else { return Vec::new() };
    let indent = first.len() - first.trim_start().len();
    let text = first.trim();
    let marked = ["- ", "* ", "+ "].iter().find_map(|marker| text.strip_prefix(marker));
    let width = indent + if marked.is_some() { 2 } else { 0 };
    let text = marked.unwrap_or(if matches!(text, "-" | "*" | "+") { "" } else { text });
    let rest = rest.iter().map(|line| without_indent(line.trim_end(), width).to_string());
    let mut lines: Vec<String> = std::iter::once(text.to_string()).chain(rest).collect();
    while lines.len() > 1 && lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// A list entry that its source makes a heading is an entry like the others: the lists below it show what is in it.
pub fn without_heading_mark(mut lines: Vec<String>) -> Vec<String> {
    if let Some(first) = lines.first_mut().filter(|line| is_heading(line)) {
        *first = first.trim_start_matches([' ', '#']).to_string();
    }
    lines
}

/// A line without the first blanks, at most so many.
fn without_indent(line: &str, width: usize) -> &str {
    let blanks = line.bytes().take(width).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &line[blanks..]
}

/// Lines of a list entry, the first behind its marker, the others below it. An open fence is closed.
pub fn list_entry(lines: &[String], steps: usize) -> String {
    let indent = "  ".repeat(steps);
    let mut text = String::new();
    for (at, line) in with_closed_fence(lines).iter().enumerate() {
        match at {
            0 => text += &format!("{indent}- {line}\n"),
            _ if line.is_empty() => text.push('\n'),
            _ => text += &format!("{indent}  {line}\n"),
        }
    }
    text
}

/// The lines, and behind them the end of a fence that they leave open.
pub fn with_closed_fence(lines: &[String]) -> Vec<String> {
    let mut lines = lines.to_vec();
    let text = joined(&lines);
    lines.extend(markdown_open_fence(&text).map(str::to_string));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn names_stay_on_one_line() {
        assert_eq!(short("a\nb\u{202e}c"), "a b c");
        assert_eq!(short("<|endoftext|>"), "<\\|endoftext|>");
        assert_eq!(short(&"x".repeat(130)), format!("{}…", "x".repeat(120)));
    }

    #[test]
    fn content_cannot_look_like_a_heading() {
        assert_eq!(content_lines(&lines("\n\n## x\ny\n\n")), ["\\## x", "y"]);
        assert_eq!(content_lines(&lines("```\n# in code\n```\n # a")), ["```", "# in code", "```", " \\# a"]);
        assert_eq!(content_lines(&lines("#tag and #a")), ["#tag and #a"]);
        assert_eq!(content_lines(&lines("    # code")), ["    # code"]);
        let forged = content_lines(&lines("- a\n  ```\n  # code\n## Forged"));
        assert_eq!(forged[1], "  \\```", "the list ends, and the fence in it");
        assert_eq!(forged[3], "\\## Forged");
    }

    #[test]
    fn entries_lose_their_own_markers() {
        assert_eq!(block_lines(&lines("\t- one\n\t  two\n\t  - three\n")), ["one", "two", "- three"]);
        assert_eq!(block_lines(&lines("a paragraph ^id")), ["a paragraph ^id"]);
        assert_eq!(without_heading_mark(lines("## one\n## two")), ["one", "## two"]);
        assert_eq!(without_heading_mark(lines("#tag")), ["#tag"]);
    }

    #[test]
    fn an_entry_of_a_list_ends_where_it_ends() {
        assert_eq!(list_entry(&lines("one\ntwo"), 1), "  - one\n    two\n");
        assert_eq!(list_entry(&lines("```js\nx"), 0), "- ```js\n  x\n  ```\n");
        assert_eq!(list_entry(&content_lines(&lines("## x")), 0), "- \\## x\n");
        assert_eq!(entry("```js"), "\\```js");
    }
}
