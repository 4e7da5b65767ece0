//! YAML with the line of every value. Scalars stay the text that is written: `no`, `1.0` and dates are not interpreted.

use std::borrow::Cow;
use std::collections::BTreeMap;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, StrInput, StructureStyle};

pub use super::node::{Node, Value, YamlFault};

/// Values that are nested deeper are refused.
const MAX_DEPTH: usize = 32;
/// How many values and bytes of text all aliases together may repeat. More is an attack, not a document.
const MAX_REPEATED: usize = 1 << 20;

/// Reads one document whose first line has this number.
pub fn parse(text: &str, first_line: u32) -> Result<Node, YamlFault> {
    let parser = Parser::new_from_str(text);
    let (anchors, brackets) = (BTreeMap::new(), Vec::new());
    let mut reader = Reader { parser, first_line, last_line: first_line, brackets, anchors, repeated: 0 };
    loop {
        match reader.next()? {
            (Event::StreamStart | Event::DocumentStart(..), _) => {}
            (Event::StreamEnd, _) => return Ok(Node { line: first_line, value: Value::Null }),
            (event, line) => {
                let root = reader.node(event, line, 0)?;
                return reader.end().map(|()| root);
            }
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    first_line: u32,
    /// The line of the last event.
    last_line: u32,
    /// The lines of the brackets that are open.
    brackets: Vec<u32>,
    /// Values that aliases may repeat, by the parser's number of their anchor; 0 is no anchor.
    anchors: BTreeMap<usize, Node>,
    /// The size of all values that aliases repeated.
    repeated: usize,
}

impl<'t> Reader<'t> {
    /// The next event and its line.
    fn next(&mut self) -> Result<(Event<'t>, u32), YamlFault> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                self.last_line = self.line(span.start.line());
                Ok((event, self.last_line))
            }
            Some(Err(error)) => Err(self.fault(&error)),
            None => Ok((Event::StreamEnd, self.last_line)),
        }
    }

    fn line(&self, line: usize) -> u32 {
        self.first_line + line.saturating_sub(1) as u32
    }

    /// Where a quote or a bracket is not closed, the parser fails in a later line; the one to look at is where it opens.
    fn fault(&self, error: &ScanError) -> YamlFault {
        let line = self.line(error.marker().line());
        match error.kind() {
            ErrorKind::UnclosedQuotedScalar => YamlFault::new(line, "a quote is not closed"),
            ErrorKind::InvalidQuotedScalarIndent => {
                YamlFault::new(self.last_line, "a quote is not closed, or its next lines are not indented")
            }
            _ => match self.brackets.last() {
                Some(open) if *open < line => {
                    let reason = format!("a bracket is not closed, or line {line} is wrong: {}", error.info());
                    YamlFault::new(*open, reason)
                }
                _ => YamlFault::new(line, error.info()),
            },
        }
    }

    fn node(&mut self, event: Event<'t>, line: u32, depth: usize) -> Result<Node, YamlFault> {
        if depth > MAX_DEPTH {
            return Err(YamlFault::new(line, "nested too deep"));
        }
        let (anchor, value) = match event {
            Event::Alias(anchor) => return self.repeat(anchor, line),
            Event::Scalar(text, style, anchor, _) => (anchor, scalar(text, style)),
            Event::SequenceStart(style, anchor, _) => (anchor, Value::List(self.inside(style, |one| one.list(depth))?)),
            Event::MappingStart(style, anchor, _) => (anchor, Value::Map(self.inside(style, |one| one.map(depth))?)),
            _ => return Err(YamlFault::new(line, "a value is missing")),
        };
        let node = Node { line, value };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    /// Reads a list or a map, and remembers its bracket meanwhile.
    fn inside<V>(
        &mut self,
        style: StructureStyle,
        read: impl Fn(&mut Self) -> Result<V, YamlFault>,
    ) -> Result<V, YamlFault> {
        let open = self.brackets.len();
        self.brackets.extend((style == StructureStyle::Flow).then_some(self.last_line));
        let value = read(self)?;
        self.brackets.truncate(open);
        Ok(value)
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, YamlFault> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(items),
                (event, line) => items.push(self.node(event, line, depth + 1)?),
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Vec<(String, Node)>, YamlFault> {
        let (mut entries, mut lines) = (Vec::new(), BTreeMap::new());
        loop {
            let (key, line) = match self.next()? {
                (Event::MappingEnd, _) => return Ok(entries),
                (Event::Scalar(key, ..), line) => (key.into_owned(), line),
                (_, line) => return Err(YamlFault::new(line, "a key has to be a word")),
            };
            if let Some(first) = lines.insert(key.clone(), line) {
                return Err(YamlFault::new(line, format!("the key `{key}` is already in line {first}")));
            }
            let (event, _) = self.next()?;
            entries.push((key, self.node(event, line, depth + 1)?));
        }
    }

    fn repeat(&mut self, anchor: usize, line: u32) -> Result<Node, YamlFault> {
        let Some(node) = self.anchors.get(&anchor) else {
            return Err(YamlFault::new(line, "an alias is inside the value that it names"));
        };
        self.repeated += node.size();
        if self.repeated > MAX_REPEATED {
            return Err(YamlFault::new(line, "aliases repeat too much text"));
        }
        Ok(Node { line, value: node.value.clone() })
    }

    /// Nothing may follow the document.
    fn end(&mut self) -> Result<(), YamlFault> {
        loop {
            match self.next()? {
                (Event::StreamEnd, _) => return Ok(()),
                (Event::DocumentEnd, _) => {}
                (_, line) => return Err(YamlFault::new(line, "a second document starts here")),
            }
        }
    }
}

/// Only what is written without quotes can be null.
fn scalar(text: Cow<str>, style: ScalarStyle) -> Value {
    match (style, &*text) {
        (ScalarStyle::Plain, "" | "~" | "null") => Value::Null,
        _ => Value::Text(text.into_owned()),
    }
}
