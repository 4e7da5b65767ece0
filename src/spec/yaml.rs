//! The part of YAML that front matter and section schemas are written in: maps and lists by indentation or in
//! brackets, words plain or in quotes, blocks of text, comments. Anything else is a fault with its line, and no
//! text makes it crash.

mod flow;

/// Deeper nesting is no front matter.
const MAX_DEPTH: usize = 32;

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
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct YamlFault {
    pub line: u32,
    pub reason: &'static str,
}

/// Reads lines, the first of which has this number.
pub fn parse(text: &str, first_line: u32) -> Result<Node, YamlFault> {
    let mut reader = Reader { lines: text.lines().map(str::to_string).collect(), first_line, at: 0 };
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
            Value::Map(_) => None,
        }
    }
}

struct Reader {
    lines: Vec<String>,
    first_line: u32,
    at: usize,
}

impl Reader {
    fn number(&self) -> u32 {
        self.first_line + self.at as u32
    }

    fn fault(&self, reason: &'static str) -> YamlFault {
        YamlFault { line: self.number(), reason }
    }

    fn skip_blank(&mut self) {
        while self.lines.get(self.at).is_some_and(|line| without_comment(line).trim().is_empty()) {
            self.at += 1;
        }
    }

    /// How far the line is indented; none at the end.
    fn indent(&self) -> Result<Option<usize>, YamlFault> {
        let Some(line) = self.lines.get(self.at) else { return Ok(None) };
        match line.trim_start_matches(' ').starts_with('\t') {
            true => Err(self.fault("it is indented by a tab")),
            false => Ok(Some(line.len() - line.trim_start_matches(' ').len())),
        }
    }

    fn content(&self) -> &str {
        self.lines.get(self.at).map_or("", |line| without_comment(line).trim())
    }

    fn block(&mut self, indent: usize, depth: usize) -> Result<Node, YamlFault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("it is nested too deep"));
        }
        let line = self.number();
        let value = match is_item(self.content()) {
            true => Value::List(self.list(indent, depth)?),
            false => Value::Map(self.map(indent, depth)?),
        };
        Ok(Node { line, value })
    }

    fn list(&mut self, indent: usize, depth: usize) -> Result<Vec<Node>, YamlFault> {
        let mut items = Vec::new();
        while self.indent()? == Some(indent) && is_item(self.content()) {
            let rest = self.content()[1..].trim_start().to_string();
            if rest.is_empty() {
                items.push(self.below(indent + 1, depth)?);
            } else if is_item(&rest) || split_key(&rest).is_some() {
                // What stands behind the dash is a block that starts there.
                let start = self.lines[self.at].len() - self.lines[self.at][indent + 1..].trim_start().len();
                self.lines[self.at].replace_range(indent..indent + 1, " ");
                items.push(self.block(start, depth + 1)?);
            } else {
                items.push(self.inline(&rest, indent, depth)?);
            }
            self.skip_blank();
        }
        Ok(items)
    }

    fn map(&mut self, indent: usize, depth: usize) -> Result<Vec<(String, Node)>, YamlFault> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        while self.indent()? == Some(indent) && !is_item(self.content()) {
            let line = self.number();
            let content = self.content().to_string();
            let Some((key, rest)) = split_key(&content) else {
                return Err(self.fault("it is neither a key with its value nor an item"));
            };
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(self.fault("its key is there already"));
            }
            let node = match rest.is_empty() {
                true => self.below_key(indent, depth)?,
                false => self.inline(rest, indent, depth)?,
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

    /// A value that starts behind a key or a dash; one in brackets may go on in the next lines.
    fn inline(&mut self, rest: &str, indent: usize, depth: usize) -> Result<Node, YamlFault> {
        let line = self.number();
        if rest.starts_with(['|', '>']) {
            return Ok(Node { line, value: Value::Text(self.text_block(rest, indent)) });
        }
        let mut text = rest.to_string();
        while text.starts_with(['[', '{']) && open_brackets(&text) > 0 && self.at + 1 < self.lines.len() {
            self.at += 1;
            text.push(' ');
            text.push_str(self.content());
        }
        let value = flow::parse(&text, line, depth)?;
        self.at += 1;
        Ok(Node { line, value })
    }

    /// The lines that are indented further than the key, `|` as they are and `>` put together.
    fn text_block(&mut self, mark: &str, indent: usize) -> String {
        self.at += 1;
        let start = self.at;
        let inside = |line: &String| line.trim().is_empty() || line.len() - line.trim_start_matches(' ').len() > indent;
        self.at += self.lines[start..].iter().take_while(|line| inside(line)).count();
        let lines: Vec<&str> = self.lines[start..self.at].iter().map(|line| line.trim()).collect();
        lines.join(if mark.starts_with('|') { "\n" } else { " " }).trim().to_string()
    }
}

fn is_item(content: &str) -> bool {
    content == "-" || content.starts_with("- ")
}

/// The key of `key: value` and `"key": value`, and what stands behind it.
fn split_key(content: &str) -> Option<(String, &str)> {
    if content.starts_with(['[', '{', '|', '>']) {
        return None;
    }
    if let Some(quote) = content.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let close = content[1..].find(quote)? + 1;
        let rest = content[close + 1..].trim_start().strip_prefix(':')?;
        return (rest.is_empty() || rest.starts_with(' ')).then(|| (content[1..close].to_string(), rest.trim()));
    }
    let colon = content.find(": ").or_else(|| content.ends_with(':').then(|| content.len() - 1))?;
    let key = content[..colon].trim();
    (!key.is_empty()).then(|| (key.to_string(), content[colon + 1..].trim()))
}

/// A `#` starts a comment at the start of a line or behind a space, outside of quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '#') if before.is_whitespace() => return &line[..at],
            // An apostrophe inside a word is no quote.
            (None, '"' | '\'') if before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        before = c;
    }
    line
}

/// How many brackets stay open.
fn open_brackets(text: &str) -> i32 {
    let (mut open, mut quote) = (0, None);
    for c in text.chars() {
        match (quote, c) {
            (None, '"' | '\'') => quote = Some(c),
            (Some(mark), c) if mark == c => quote = None,
            (None, '[' | '{') => open += 1,
            (None, ']' | '}') => open -= 1,
            _ => {}
        }
    }
    open
}
