//! Values on one line: words, quotes, lists and maps in brackets.

use std::iter::Peekable;
use std::str::Chars;

use super::{MAX_DEPTH, Node, Value, YamlFault};

/// Reads all of a text as one value of a line.
pub fn parse(text: &str, line: u32, depth: usize) -> Result<Value, YamlFault> {
    let mut flow = Flow { chars: text.chars().peekable(), line };
    let value = flow.value(false, depth)?;
    flow.end()?;
    Ok(value)
}

struct Flow<'t> {
    chars: Peekable<Chars<'t>>,
    line: u32,
}

impl Flow<'_> {
    fn fault(&self, reason: &'static str) -> YamlFault {
        YamlFault { line: self.line, reason }
    }

    fn skip_spaces(&mut self) {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn end(&mut self) -> Result<(), YamlFault> {
        self.skip_spaces();
        match self.chars.next() {
            None => Ok(()),
            Some(_) => Err(self.fault("something stands behind its value")),
        }
    }

    fn value(&mut self, in_brackets: bool, depth: usize) -> Result<Value, YamlFault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("it is nested too deep"));
        }
        self.skip_spaces();
        match self.chars.peek() {
            Some('[') => self.list(depth),
            Some('{') => self.map(depth),
            Some('"' | '\'') => self.quoted().map(Value::Text),
            Some('&' | '*' | '!' | '%' | '@' | '`') => Err(self.fault("anchors, tags and the like are not read here")),
            _ => Ok(self.plain(in_brackets, false)),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, YamlFault> {
        self.chars.next();
        let mut items = Vec::new();
        loop {
            self.skip_spaces();
            if self.chars.next_if_eq(&']').is_some() {
                return Ok(Value::List(items));
            }
            items.push(Node { line: self.line, value: self.value(true, depth + 1)? });
            self.comma(']')?;
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, YamlFault> {
        self.chars.next();
        let mut entries: Vec<(String, Node)> = Vec::new();
        loop {
            self.skip_spaces();
            if self.chars.next_if_eq(&'}').is_some() {
                return Ok(Value::Map(entries));
            }
            let key = match self.chars.peek() {
                Some('"' | '\'') => self.quoted()?,
                _ => match self.plain(true, true) {
                    Value::Text(key) => key,
                    _ => return Err(self.fault("a key is missing")),
                },
            };
            self.skip_spaces();
            if self.chars.next_if_eq(&':').is_none() {
                return Err(self.fault("a key has no value"));
            }
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(self.fault("its key is there already"));
            }
            entries.push((key, Node { line: self.line, value: self.value(true, depth + 1)? }));
            self.comma('}')?;
        }
    }

    fn comma(&mut self, close: char) -> Result<(), YamlFault> {
        self.skip_spaces();
        match self.chars.peek() {
            Some(c) if *c == close => Ok(()),
            Some(',') => {
                self.chars.next();
                Ok(())
            }
            _ => Err(self.fault("a bracket is not closed")),
        }
    }

    fn quoted(&mut self) -> Result<String, YamlFault> {
        let quote = self.chars.next();
        let mut text = String::new();
        while let Some(c) = self.chars.next() {
            match c {
                c if Some(c) == quote => match quote == Some('\'') && self.chars.next_if_eq(&'\'').is_some() {
                    true => text.push('\''),
                    false => return Ok(text),
                },
                '\\' if quote == Some('"') => text.push(match self.chars.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some(c @ ('"' | '\\' | '/')) => c,
                    _ => return Err(self.fault("it holds an escape that is not read here")),
                }),
                c => text.push(c),
            }
        }
        Err(self.fault("a quote is not closed"))
    }

    fn plain(&mut self, in_brackets: bool, key: bool) -> Value {
        let mut text = String::new();
        let ends = |c: &char| in_brackets && matches!(c, ',' | ']' | '}' | '[' | '{') || key && *c == ':';
        while let Some(c) = self.chars.next_if(|c| !ends(c)) {
            text.push(c);
        }
        match text.trim() {
            "" | "~" | "null" => Value::Null,
            text => Value::Text(text.to_string()),
        }
    }
}
