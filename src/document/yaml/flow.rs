//! Values in quotes and brackets, which may go on in the next lines.

use std::collections::BTreeSet;

use super::{MAX_DEPTH, NOT_PLAIN, Node, Reader, Value, YamlFault, indent, plain_value, without_comment};

/// Reads the value that starts in the reader's line at a column and stands alone there, and tells its last line. One in
/// quotes goes on only where lines are indented further than what it belongs to.
pub fn parse(reader: &Reader, column: usize, outer: usize, depth: usize) -> Result<(Value, usize), YamlFault> {
    let Reader { lines, first_line, at } = reader;
    let rest = &lines[*at][column..];
    let min_indent = if rest.starts_with(['[', '{']) { 0 } else { outer + 1 };
    let mut flow = Flow { lines, first_line: *first_line, at: *at, rest, min_indent };
    let value = flow.value(depth)?;
    match flow.rest.trim_start() {
        rest if rest.is_empty() || rest.starts_with('#') => Ok((value, flow.at)),
        _ => Err(flow.fault("something stands behind its value")),
    }
}

/// The text of the quotes that a line starts with, and what stands behind them.
pub fn quoted(line: &str) -> Option<(String, &str)> {
    let mut flow = Flow { lines: &[], first_line: 1, at: 0, rest: line, min_indent: 0 };
    let text = flow.quoted().ok()?;
    Some((text, flow.rest))
}

const UNCLOSED: &str = "a bracket is not closed";

struct Flow<'t> {
    lines: &'t [String],
    first_line: u32,
    at: usize,
    /// What is still to be read of the line.
    rest: &'t str,
    /// What stands further out does not go on with the value.
    min_indent: usize,
}

impl Flow<'_> {
    fn number(&self) -> u32 {
        self.first_line + self.at as u32
    }

    fn fault(&self, reason: &'static str) -> YamlFault {
        YamlFault::new(self.number(), reason)
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    fn next_is(&mut self, c: char) -> bool {
        self.rest.strip_prefix(c).map(|rest| self.rest = rest).is_some()
    }

    fn next_line(&mut self) -> bool {
        let goes_on = |line: &&String| line.is_empty() || indent(line) >= self.min_indent;
        let Some(line) = self.lines.get(self.at + 1).filter(goes_on) else { return false };
        self.at += 1;
        self.rest = line.trim_start();
        true
    }

    /// Between words, over comments and the ends of lines.
    fn skip_spaces(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.starts_with('#') {
                self.rest = "";
            }
            if !self.rest.is_empty() || !self.next_line() {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, YamlFault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("it is nested too deep"));
        }
        self.skip_spaces();
        match self.rest.chars().next() {
            Some('[') => self.list(depth),
            Some('{') => self.map(depth),
            Some('"' | '\'') => self.quoted().map(Value::Text),
            Some('*') => {
                self.plain(false);
                Ok(Value::Unread)
            }
            Some('&' | '!') => Err(self.fault("this tool does not read anchors and tags in brackets")),
            Some('%' | '@' | '`') => Err(self.fault(NOT_PLAIN)),
            _ => Ok(self.plain(false)),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, YamlFault> {
        let (unclosed, mut items) = (self.fault(UNCLOSED), Vec::new());
        self.next();
        loop {
            self.skip_spaces();
            if self.next_is(']') {
                return Ok(Value::List(items));
            }
            items.push(self.node(depth)?);
            self.comma(']', &unclosed)?;
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, YamlFault> {
        let (unclosed, mut entries, mut known) = (self.fault(UNCLOSED), Vec::new(), BTreeSet::new());
        self.next();
        loop {
            self.skip_spaces();
            if self.next_is('}') {
                return Ok(Value::Map(entries));
            }
            let key = self.key()?;
            if !known.insert(key.clone()) {
                return Err(self.fault("its key is there already"));
            }
            entries.push((key, self.node(depth)?));
            self.comma('}', &unclosed)?;
        }
    }

    /// A value inside of brackets.
    fn node(&mut self, depth: usize) -> Result<Node, YamlFault> {
        self.skip_spaces();
        let line = self.number();
        Ok(Node { line, value: self.value(depth + 1)? })
    }

    fn key(&mut self) -> Result<String, YamlFault> {
        let key = match self.rest.starts_with(['"', '\'']) {
            true => Value::Text(self.quoted()?),
            false => self.plain(true),
        };
        self.skip_spaces();
        match key {
            Value::Text(key) if self.next_is(':') => Ok(key),
            Value::Text(_) => Err(self.fault("a key has no value")),
            _ => Err(self.fault("a key is missing")),
        }
    }

    /// Behind a value in brackets.
    fn comma(&mut self, close: char, unclosed: &YamlFault) -> Result<(), YamlFault> {
        self.skip_spaces();
        match self.rest.starts_with(close) || self.next_is(',') {
            true => Ok(()),
            false => Err(unclosed.clone()),
        }
    }

    fn quoted(&mut self) -> Result<String, YamlFault> {
        let unclosed = self.fault("a quote is not closed");
        let quote = self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => text.push_str(&self.line_break().ok_or_else(|| unclosed.clone())?),
                Some('\'') if quote == Some('\'') && self.next_is('\'') => text.push('\''),
                c if c == quote => return Ok(text),
                Some('\\') if quote == Some('"') => match self.rest.is_empty() {
                    // The end of the line itself is escaped.
                    true if self.next_line() => {}
                    true => return Err(unclosed),
                    false => text.push(self.escaped()?),
                },
                Some(c) => text.push(c),
            }
        }
    }

    /// One end of a line is a space; of several, the first is nothing. None where nothing goes on.
    fn line_break(&mut self) -> Option<String> {
        let start = self.at;
        while self.next_line() {
            if !self.rest.is_empty() {
                let breaks = self.at - start;
                return Some(if breaks == 1 { " ".to_string() } else { "\n".repeat(breaks - 1) });
            }
        }
        None
    }

    /// What stands behind a backslash.
    fn escaped(&mut self) -> Result<char, YamlFault> {
        let unread = self.fault("this tool does not read this escape");
        let c = match self.next() {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some('x') => self.code(2),
            Some('u') => self.code(4),
            Some('U') => self.code(8),
            c => c.filter(|c| matches!(c, '"' | '\\' | '/' | ' ')),
        };
        c.ok_or(unread)
    }

    /// A character by its number of so many digits.
    fn code(&mut self, digits: usize) -> Option<char> {
        let (number, rest) = self.rest.split_at_checked(digits)?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.rest = rest;
        u32::from_str_radix(number, 16).ok().filter(|_| is_number).and_then(char::from_u32)
    }

    fn plain(&mut self, key: bool) -> Value {
        let mut text = String::new();
        let ends = |c: char| matches!(c, ',' | ']' | '}' | '[' | '{') || key && c == ':';
        loop {
            let end = self.rest.find(ends).unwrap_or(self.rest.len());
            let words = without_comment(&self.rest[..end]);
            let is_cut = words.len() < self.rest[..end].trim_end().len();
            text.push_str(words);
            self.rest = if is_cut { "" } else { &self.rest[end..] };
            if !self.rest.is_empty() {
                return plain_value(text);
            }
            self.skip_spaces();
            if self.rest.is_empty() || self.rest.starts_with(ends) {
                return plain_value(text);
            }
            text.push(' ');
        }
    }
}
