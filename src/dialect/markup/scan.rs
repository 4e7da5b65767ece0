//! Finds the markup of a text: links, tags, fields, tasks and ids of blocks, in one pass over its lines.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr3};

use super::field::{Property, property};
use super::link::{is_block_id, reference_name};
use super::tag::tag_len;
use super::task::TaskState;
use super::zones::Zones;
use crate::language::list_item_indent;
use crate::text::Span;

/// Longer links and fields in brackets are none.
const MAX_INSIDE_BYTES: usize = 2_000;
/// The length of a block's id in Logseq: `65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01`.
const UUID_BYTES: usize = 36;

/// Which program's markup a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    Vault,
    Logseq,
}

/// One piece of markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark<'t> {
    pub span: Span,
    pub sign: Sign<'t>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign<'t> {
    /// A link to a page, or to a place in it.
    Link {
        target: Cow<'t, str>,
        is_embed: bool,
    },
    /// Without `#`.
    Tag(&'t str),
    /// What links in its value lead to are values, too.
    Field {
        name: &'t str,
        value: Span,
    },
    Task(TaskState),
    /// A date of a task, as the value of a field.
    TaskDate {
        name: &'static str,
        value: Span,
    },
    /// The id of the block that ends here, without `^`.
    BlockId(&'t str),
}

/// The marks of a text from an offset on, in its order.
pub fn scan<'t>(text: &'t str, start: usize, zones: &Zones, syntax: Syntax) -> Vec<Mark<'t>> {
    let mut scanner = Scanner { text, zones, syntax, zone: 0, marks: Vec::new() };
    let mut from = start;
    for end in memchr_iter(b'\n', &text.as_bytes()[start..]).map(|at| start + at).chain([text.len()]) {
        scanner.take_line(from, end);
        from = end + 1;
    }
    scanner.marks
}

struct Scanner<'t, 'z> {
    text: &'t str,
    zones: &'z Zones,
    syntax: Syntax,
    /// Where the zones are that were not passed yet.
    zone: usize,
    marks: Vec<Mark<'t>>,
}

impl<'t> Scanner<'t, '_> {
    fn take_line(&mut self, start: usize, end: usize) {
        if start >= end {
            return;
        }
        let (content, is_item) = content_start(&self.text[start..end]);
        let content = start + content;
        // A line that starts in a comment may end behind it; then only links and tags behind it count.
        if self.zones.around(content, &mut self.zone).is_some() {
            return self.take_inline(content, end);
        }
        let content = if is_item { self.take_task(content, end) } else { content };
        if self.syntax == Syntax::Logseq {
            return self.take_inline(content, end);
        }
        let behind = self.before_block_id(content, end);
        self.take_line_field(content, behind);
        self.take_inline(content, behind);
        if behind < end {
            self.take_block_id(behind, end);
        }
    }

    /// The box of a task, and its dates. Gives the offset behind the box.
    fn take_task(&mut self, content: usize, end: usize) -> usize {
        let state = match &self.text.as_bytes()[content..end] {
            [b'[', inside, b']', b' ' | b'\t', ..] => TaskState::of_box(*inside),
            _ => None,
        };
        let Some(state) = state else { return content };
        self.push(content, content + 3, Sign::Task(state));
        self.take_task_dates(content + 3, end);
        content + 4
    }

    fn take_task_dates(&mut self, start: usize, end: usize) {
        const DATES: [(&str, &str); 3] = [("📅", "due"), ("⏳", "scheduled"), ("✅", "done")];
        let line = &self.text[start..end];
        if line.is_ascii() {
            return;
        }
        for (emoji, name) in DATES {
            let Some(at) = line.find(emoji) else { continue };
            let behind = line[at + emoji.len()..].trim_start_matches(['\u{fe0f}', ' ', '\t']);
            let value = line.len() - behind.len();
            let len = behind.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(behind.len());
            if len > 0 {
                let value = Span::new(start + value, start + value + len);
                self.push(start + at, value.end as usize, Sign::TaskDate { name, value });
            }
        }
    }

    /// Where the text ends if `^id` follows it, else where the line ends.
    fn before_block_id(&self, start: usize, end: usize) -> usize {
        let line = self.text[start..end].trim_end();
        let Some((before, id)) = line.rsplit_once('^') else { return end };
        let stands_apart = before.is_empty() || before.ends_with(char::is_whitespace);
        if stands_apart && is_block_id(id) && !self.zones.holds(start + before.len()) {
            start + before.len()
        } else {
            end
        }
    }

    fn take_block_id(&mut self, start: usize, end: usize) {
        let id = self.text[start + 1..end].trim_end();
        self.push(start, start + 1 + id.len(), Sign::BlockId(id));
    }

    /// `key:: value` that fills the line.
    fn take_line_field(&mut self, start: usize, end: usize) {
        let line = &self.text[start..end];
        if line.starts_with(['[', '(', '#', '|', '`', '!']) {
            return;
        }
        if let Some(Property { name, value_start }) = property(line) {
            let value = start + value_start;
            let len = self.text[value.min(end)..end].trim_end().len();
            self.push(start, end, Sign::Field { name, value: Span::new(value.min(end), value.min(end) + len) });
        }
    }

    /// Links, tags and fields in brackets.
    fn take_inline(&mut self, start: usize, end: usize) {
        let mut at = start;
        while let Some(found) = memchr3(b'[', b'(', b'#', &self.text.as_bytes()[at.min(end)..end]) {
            at += found;
            if let Some(zone) = self.zones.around(at, &mut self.zone) {
                at = zone.end as usize;
                continue;
            }
            at = match self.text.as_bytes()[at] {
                b'#' => self.take_tag(at, start, end),
                _ if self.text[..at].ends_with('\\') => at + 1,
                b'[' => self.take_bracket(at, end),
                _ => self.take_parenthesis(at, end),
            };
        }
    }

    fn take_bracket(&mut self, at: usize, end: usize) -> usize {
        if self.text[at + 1..end].starts_with('[') {
            return self.take_link(at, end);
        }
        self.take_bracket_field(at, end, b'[', b']')
    }

    fn take_link(&mut self, at: usize, end: usize) -> usize {
        let Some(close) = self.link_end(at, end) else { return at + 1 };
        if let Some(target) = reference_name(&self.text[at + 2..close]) {
            let is_embed = self.is_embed(at);
            self.push(at, close + 2, Sign::Link { target, is_embed });
        }
        close + 2
    }

    /// Where the brackets of a link close, if no other link opens before that.
    fn link_end(&self, at: usize, end: usize) -> Option<usize> {
        let bytes = &self.text.as_bytes()[..end.min(at + MAX_INSIDE_BYTES)];
        let inside = bytes.get(at + 2..)?;
        let close = inside.windows(2).position(|pair| pair == b"]]" || pair == b"[[")?;
        (inside[close] == b']').then_some(at + 2 + close)
    }

    fn is_embed(&self, at: usize) -> bool {
        let before = &self.text[..at];
        match self.syntax {
            Syntax::Vault => before.ends_with('!') && !before.ends_with("\\!"),
            Syntax::Logseq => before.trim_end_matches(' ').ends_with("{{embed"),
        }
    }

    /// `[key:: value]` and `(key:: value)`.
    fn take_bracket_field(&mut self, at: usize, end: usize, open: u8, close: u8) -> usize {
        let found = if self.syntax == Syntax::Vault { property(&self.text[at + 1..end]) } else { None };
        let Some(Property { name, value_start }) = found else { return at + 1 };
        let value = at + 1 + value_start;
        let Some(value_end) = closing(&self.text.as_bytes()[..end], value, open, close) else { return at + 1 };
        let len = self.text[value..value_end].trim_end().len();
        self.push(at, value_end + 1, Sign::Field { name, value: Span::new(value, value + len) });
        value
    }

    fn take_parenthesis(&mut self, at: usize, end: usize) -> usize {
        if self.syntax == Syntax::Vault {
            return self.take_bracket_field(at, end, b'(', b')');
        }
        let inside = self.text[at..end].strip_prefix("((");
        let id = inside.and_then(|inside| inside.get(..UUID_BYTES)).filter(|id| is_block_id(id));
        if id.is_none_or(|id| !self.text[at + 2 + id.len()..end].starts_with("))")) {
            return at + 1;
        }
        let behind = at + UUID_BYTES + 4;
        let (target, is_embed) = (self.text[at..behind].into(), self.is_embed(at));
        self.push(at, behind, Sign::Link { target, is_embed });
        behind
    }

    fn take_tag(&mut self, at: usize, line_start: usize, end: usize) -> usize {
        let is_apart = at == line_start || self.text[..at].ends_with(char::is_whitespace);
        let behind = &self.text[at + 1..end];
        if !is_apart {
            return at + 1;
        }
        if self.syntax == Syntax::Logseq && behind.starts_with("[[") {
            return self.take_bracketed_tag(at, end);
        }
        let len = tag_len(behind);
        if len > 0 {
            let tag = &behind[..len];
            self.push(at, at + 1 + len, Sign::Tag(tag));
            self.push_tag_page(at, at + 1 + len, tag);
        }
        at + 1 + len
    }

    /// `#[[a b]]`
    fn take_bracketed_tag(&mut self, at: usize, end: usize) -> usize {
        let Some(close) = self.link_end(at + 1, end) else { return at + 1 };
        let tag = self.text[at + 3..close].trim();
        if !tag.is_empty() {
            self.push(at, close + 2, Sign::Tag(tag));
            self.push_tag_page(at, close + 2, tag);
        }
        close + 2
    }

    /// In Logseq a tag is a page.
    fn push_tag_page(&mut self, start: usize, end: usize, tag: &'t str) {
        if self.syntax == Syntax::Logseq {
            self.push(start, end, Sign::Link { target: tag.into(), is_embed: false });
        }
    }

    fn push(&mut self, start: usize, end: usize, sign: Sign<'t>) {
        self.marks.push(Mark { span: Span::new(start, end), sign });
    }
}

/// Where the text of a line starts, behind quotes and the mark of a list item, and whether it has such a mark.
pub fn content_start(line: &str) -> (usize, bool) {
    let bare = line.trim_start_matches([' ', '\t', '>']);
    let start = line.len() - bare.len();
    match list_item_indent(bare) {
        Some(indent) => (start + indent, true),
        None => (start, false),
    }
}

/// The bracket that closes one whose inside starts at an offset.
fn closing(bytes: &[u8], start: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in bytes.iter().enumerate().skip(start).take(MAX_INSIDE_BYTES) {
        if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth = match depth.checked_sub(1) {
                Some(outer) => outer,
                None => return Some(at),
            };
        }
    }
    None
}
