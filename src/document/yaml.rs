//! The part of YAML that front matter and section schemas are written in: maps and lists by indentation or in
//! brackets, words plain or in quotes and over several lines, blocks of text, comments. Anything else is a fault with
//! its line, and no text makes it crash.

mod flow;

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Deeper nesting is no front matter.
const MAX_DEPTH: usize = 32;

const NOT_PLAIN: &str = "what starts with `%`, `@` or a backtick has to stand in quotes";

/// A value and the line that it starts at, from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub line: u32,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Text(String),
    List(Vec<Node>),
    /// In the order of the text; no key twice.
    Map(Vec<(String, Node)>),
    /// An alias: what it stands for is not looked up.
    Unread,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct YamlFault {
    pub line: u32,
    pub reason: Cow<'static, str>,
}

impl YamlFault {
    pub fn new(line: u32, reason: impl Into<Cow<'static, str>>) -> Self {
        YamlFault { line, reason: reason.into() }
    }
}

/// Reads lines, the first of which has this number.
pub fn parse(text: &str, first_line: u32) -> Result<Node, YamlFault> {
    let lines = text.lines().map(|line| line.trim_end().to_string()).collect();
    let mut reader = Reader { lines, first_line, at: 0 };
    reader.skip_blank();
    let Some(indent) = reader.indent()? else { return Ok(Node { line: first_line, value: Value::Null }) };
    let node = reader.block(indent, 0)?;
    reader.skip_blank();
    if reader.at < reader.lines.len() {
        return Err(reader.fault("it is indented unlike the lines above it"));
    }
    Ok(node)
}

impl Node {
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// It is not what should stand here.
    pub fn unlike(&self, expected: &'static str) -> YamlFault {
        let reason = if self.value == Value::Unread { "this tool does not read aliases" } else { expected };
        YamlFault::new(self.line, reason)
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of a list; a lone word is a list of one, nothing is a list of none.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            Value::Text(_) => Some(std::slice::from_ref(self)),
            Value::Null => Some(&[]),
            Value::Map(_) | Value::Unread => None,
        }
    }
}

struct Reader {
    /// Without the spaces at their ends.
    lines: Vec<String>,
    first_line: u32,
    at: usize,
}

impl Reader {
    fn number(&self) -> u32 {
        self.first_line + self.at as u32
    }

    fn fault(&self, reason: &'static str) -> YamlFault {
        YamlFault::new(self.number(), reason)
    }

    fn skip_blank(&mut self) {
        let is_blank = |line: &String| line.is_empty() || line.trim_start().starts_with('#');
        while self.lines.get(self.at).is_some_and(is_blank) {
            self.at += 1;
        }
    }

    /// How far the line is indented; none at the end.
    fn indent(&self) -> Result<Option<usize>, YamlFault> {
        let Some(line) = self.lines.get(self.at) else { return Ok(None) };
        match line.trim_start_matches(' ').starts_with(char::is_whitespace) {
            true => Err(self.fault("it is indented by something else than spaces")),
            false => Ok(Some(indent(line))),
        }
    }

    fn content(&self) -> &str {
        self.lines.get(self.at).map_or("", |line| line.trim_start())
    }

    /// Where a value starts that ends with the line.
    fn column(&self, value: &str) -> usize {
        self.lines[self.at].len() - value.len()
    }

    fn block(&mut self, indent: usize, depth: usize) -> Result<Node, YamlFault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("it is nested too deep"));
        }
        let line = self.number();
        let value = match self.content() {
            content if is_item(content) => Value::List(self.list(indent, depth)?),
            content if split_key(content).is_some() => Value::Map(self.map(indent, depth)?),
            _ => self.inline(indent, indent.saturating_sub(1), depth)?.value,
        };
        Ok(Node { line, value })
    }

    fn list(&mut self, indent: usize, depth: usize) -> Result<Vec<Node>, YamlFault> {
        let mut items = Vec::new();
        while self.indent()? == Some(indent) && is_item(self.content()) {
            let rest = value_start(&self.content()[1..]);
            let column = self.column(rest);
            if rest.is_empty() {
                items.push(self.below(indent + 1, depth)?);
            } else if is_item(rest) || split_key(rest).is_some() {
                // What stands behind the dash is a block that starts there.
                self.lines[self.at].replace_range(..column, &" ".repeat(column));
                items.push(self.block(column, depth + 1)?);
            } else {
                items.push(self.inline(column, indent, depth)?);
            }
            self.skip_blank();
        }
        Ok(items)
    }

    fn map(&mut self, indent: usize, depth: usize) -> Result<Vec<(String, Node)>, YamlFault> {
        let (mut entries, mut known) = (Vec::new(), BTreeSet::new());
        while self.indent()? == Some(indent) && !is_item(self.content()) {
            let line = self.number();
            let Some((key, rest)) = split_key(self.content()) else {
                return Err(self.fault("it is neither a key with its value nor an item"));
            };
            if !known.insert(key.clone()) {
                return Err(self.fault("its key is there already"));
            }
            let node = match value_start(rest) {
                "" => self.below_key(indent, depth)?,
                rest => self.inline(self.column(rest), indent, depth)?,
            };
            entries.push((key, Node { line, ..node }));
            self.skip_blank();
        }
        match self.indent()? {
            Some(deeper) if deeper > indent => Err(self.fault("it is indented unlike the lines above it")),
            _ => Ok(entries),
        }
    }

    /// A list may stand as far out as its key.
    fn below_key(&mut self, indent: usize, depth: usize) -> Result<Node, YamlFault> {
        let (line, key) = (self.number(), self.at);
        self.at += 1;
        self.skip_blank();
        match self.indent()? {
            Some(same) if same == indent && is_item(self.content()) => {
                Ok(Node { line, value: Value::List(self.list(indent, depth + 1)?) })
            }
            _ => {
                self.at = key;
                self.below(indent + 1, depth)
            }
        }
    }

    /// What stands below this line, indented at least so far; nothing, if nothing does.
    fn below(&mut self, indent: usize, depth: usize) -> Result<Node, YamlFault> {
        let line = self.number();
        self.at += 1;
        self.skip_blank();
        match self.indent()? {
            Some(deeper) if deeper >= indent => self.block(deeper, depth + 1),
            _ => Ok(Node { line, value: Value::Null }),
        }
    }

    /// A value that starts in this line, and may go on in lines that are indented further than what it belongs to.
    fn inline(&mut self, column: usize, indent: usize, depth: usize) -> Result<Node, YamlFault> {
        let line = self.number();
        let value = match self.lines[self.at].as_bytes()[column] {
            b'|' | b'>' => Value::Text(self.text_block(column, indent)),
            b'"' | b'\'' | b'[' | b'{' => {
                let (value, last) = flow::parse(self, column, indent, depth)?;
                self.at = last + 1;
                value
            }
            b'*' => {
                self.at += 1;
                Value::Unread
            }
            b'%' | b'@' | b'`' => return Err(self.fault(NOT_PLAIN)),
            _ => self.plain(column, indent)?,
        };
        Ok(Node { line, value })
    }

    fn plain(&mut self, column: usize, indent: usize) -> Result<Value, YamlFault> {
        let mut text = without_comment(&self.lines[self.at][column..]).to_string();
        self.at += 1;
        self.skip_blank();
        while self.indent()?.is_some_and(|deeper| deeper > indent) && is_words(self.content()) {
            text.push(' ');
            text.push_str(without_comment(self.content()));
            self.at += 1;
            self.skip_blank();
        }
        Ok(plain_value(text))
    }

    /// The lines that are indented further than the key, `|` as they are and `>` put together.
    fn text_block(&mut self, mark: usize, indent_of_key: usize) -> String {
        let as_they_are = self.lines[self.at].as_bytes()[mark] == b'|';
        self.at += 1;
        let start = self.at;
        let inside = |line: &String| line.is_empty() || indent(line) > indent_of_key;
        self.at += self.lines[start..].iter().take_while(|line| inside(line)).count();
        let lines: Vec<&str> = self.lines[start..self.at].iter().map(|line| line.trim()).collect();
        lines.join(if as_they_are { "\n" } else { " " }).trim().to_string()
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn is_item(content: &str) -> bool {
    content.strip_prefix('-').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// Neither an item nor a key.
fn is_words(content: &str) -> bool {
    !is_item(content) && split_key(content).is_none()
}

/// The key of `key: value` and `"key": value`, and what stands behind it.
pub fn split_key(content: &str) -> Option<(String, &str)> {
    if content.starts_with(['[', '{', '|', '>']) {
        return None;
    }
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    if content.starts_with(['"', '\'']) {
        let (key, rest) = flow::quoted(content)?;
        return rest.trim_start().strip_prefix(':').filter(|rest| ends(rest)).map(|rest| (key, rest));
    }
    let words = without_comment(content);
    let colon = words.match_indices(':').map(|(at, _)| at).find(|at| ends(&words[at + 1..]))?;
    let key = words[..colon].trim();
    (!key.is_empty()).then(|| (key.to_string(), &content[colon + 1..]))
}

/// Without the anchor and the tag that may stand before a value; empty where nothing stands but a comment.
fn value_start(rest: &str) -> &str {
    let rest = rest.trim_start();
    match rest.as_bytes().first() {
        Some(b'&' | b'!') => value_start(rest.split_once(char::is_whitespace).map_or("", |(_, value)| value)),
        Some(b'#') => "",
        _ => rest,
    }
}

/// Plain words without the comment behind them: a `#` starts one at the start or behind a space.
fn without_comment(words: &str) -> &str {
    let mut marks = words.match_indices('#').map(|(at, _)| at);
    let comment = marks.find(|at| words[..*at].chars().next_back().is_none_or(char::is_whitespace));
    words[..comment.unwrap_or(words.len())].trim_end()
}

fn plain_value(text: String) -> Value {
    match text.as_str() {
        "" | "~" | "null" => Value::Null,
        _ => Value::Text(text),
    }
}
