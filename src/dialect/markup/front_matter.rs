//! The front matter of a page: names, tags, and fields.

use super::collect::Collector;
use super::link::{is_attachment, plain_text, reference_name};
use super::tag::is_tag;
use crate::document::front_matter::Block;
use crate::document::yaml::{self, Node, Value};
use crate::language::{Complaint, Mention};
use crate::record::{Lines, ProblemCode, Role};
use crate::text::{LineIndex, Span};

/// How far below its line a value is looked for.
const MAX_PLACE_BYTES: usize = 4_096;

/// Front matter that is closed.
pub struct FrontMatter<'t> {
    block: Block<'t>,
}

/// Names that front matter gives a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Names {
    pub aliases: Vec<String>,
    pub title: Option<String>,
}

impl<'t> FrontMatter<'t> {
    pub fn find(text: &'t str) -> Option<Self> {
        Block::find(text).filter(|block| block.is_closed).map(|block| FrontMatter { block })
    }

    pub fn lines(&self) -> Lines {
        self.block.lines()
    }

    /// Where the text behind it starts.
    pub fn end(&self) -> usize {
        self.block.end
    }

    /// Gives the page its tags and fields, and returns its names. In a template, `{{date}}` is a text to be filled in.
    pub fn read(&self, index: &LineIndex<'t>, page: &mut Collector<'t, '_>, is_template: bool) -> Names {
        let filled = |fault| if is_template { self.parse_template().ok_or(fault) } else { Err(fault) };
        let root = match yaml::parse(self.block.inside, 2).or_else(filled) {
            Ok(root) => root,
            Err(fault) => {
                let message = format!("the front matter cannot be read: {}", fault.reason);
                let span = page.line_span(fault.line.clamp(1, self.lines().end));
                page.complaints.push(Complaint { code: ProblemCode::ItemData, span, message });
                return Names::default();
            }
        };
        let mut reader = Reader { index, end: self.end(), page, names: Names::default() };
        root.entries().unwrap_or_default().iter().for_each(|(key, node)| reader.take_key(key, node));
        reader.names
    }

    /// The same with quotes for the braces of placeholders, which YAML reads as maps.
    fn parse_template(&self) -> Option<Node> {
        let has_quotes = self.block.inside.contains(QUOTES);
        let text = self.block.inside.replace("{{", "«").replace("}}", "»");
        let mut root = yaml::parse(&text, 2).ok().filter(|_| !has_quotes)?;
        restore_braces(&mut root);
        Some(root)
    }
}

const QUOTES: [char; 2] = ['«', '»'];

/// Depth is bounded: YAML that nests deeper is refused.
fn restore_braces(node: &mut Node) {
    match &mut node.value {
        Value::Null => {}
        Value::Text(text) => *text = text.replace('«', "{{").replace('»', "}}"),
        Value::List(items) => items.iter_mut().for_each(restore_braces),
        Value::Map(entries) => entries.iter_mut().for_each(|(_, value)| restore_braces(value)),
    }
}

struct Reader<'r, 't, 'i> {
    index: &'r LineIndex<'t>,
    end: usize,
    page: &'r mut Collector<'t, 'i>,
    names: Names,
}

impl Reader<'_, '_, '_> {
    fn take_key(&mut self, key: &str, node: &Node) {
        match key.trim().to_ascii_lowercase().as_str() {
            "tags" | "tag" => self.take_tags(node),
            "aliases" | "alias" => self.names.aliases.extend(words(node, &[','])),
            "title" => self.names.title = words(node, &[]).into_iter().next(),
            _ => self.take_field(key.trim(), node),
        }
    }

    /// A list, or a text that is split at commas and blanks.
    fn take_tags(&mut self, node: &Node) {
        for item in node.items().unwrap_or_default() {
            let separators: &[char] = if matches!(node.value, Value::List(_)) { &[] } else { &[',', ' ', '\t', '\n'] };
            for word in words(item, separators) {
                let tag = word.trim_start_matches('#').trim_matches('/');
                if is_tag(tag) {
                    let span = self.place(item.line, tag);
                    self.page.tag(0, tag, span);
                }
            }
        }
    }

    /// Keys of nested maps are joined by dots; values of lists are values of the field.
    fn take_field(&mut self, name: &str, node: &Node) {
        match &node.value {
            Value::Null => {}
            Value::Text(text) => self.take_value(name, text, node.line),
            Value::List(items) => match unquoted_link(items) {
                Some(target) => self.take_value(name, &format!("[[{target}]]"), node.line),
                None => items.iter().for_each(|item| self.take_field(name, item)),
            },
            Value::Map(entries) => {
                entries.iter().for_each(|(key, value)| self.take_field(&format!("{name}.{}", key.trim()), value));
            }
        }
    }

    fn take_value(&mut self, name: &str, text: &str, line: u32) {
        self.page.field(0, name, text, line);
        let insides = text.split("[[").skip(1).filter_map(|rest| Some(rest.split_once("]]")?.0));
        for target in insides.filter_map(reference_name) {
            let span = self.place(line, &target);
            if is_attachment(&target) {
                self.page.link(0, target.into_owned().into(), false, span);
                continue;
            }
            let mention = Mention::new(Role::Field, target.into_owned(), span).with_receiver(name.to_string());
            self.page.mentions.push(mention);
        }
    }

    /// Where a word is written, from its line on; else the line.
    fn place(&self, line: u32, word: &str) -> Span {
        let start = self.index.start(line - 1) as usize;
        let text = self.index.text();
        let window = &text[start..text.floor_char_boundary(self.end.min(start + MAX_PLACE_BYTES)).max(start)];
        match window.find(word) {
            Some(at) => Span::new(start + at, start + at + word.len()),
            None => self.page.line_span(line),
        }
    }
}

/// `[[X]]` without quotes, which YAML reads as a list in a list.
fn unquoted_link(items: &[Node]) -> Option<String> {
    let [Node { value: Value::List(inner), .. }] = items else { return None };
    let words: Option<Vec<&str>> = inner.iter().map(Node::text).collect();
    words.filter(|words| !words.is_empty()).map(|words| words.join(", "))
}

/// The words of a text or a list, as people see them.
fn words(node: &Node, separators: &[char]) -> Vec<String> {
    let texts = match &node.value {
        Value::List(items) => match unquoted_link(items) {
            Some(target) => vec![plain_text(&format!("[[{target}]]")).into_owned()],
            None => return items.iter().flat_map(|item| words(item, &[])).collect(),
        },
        Value::Text(text) if separators.is_empty() => vec![text.clone()],
        Value::Text(text) => text.split(separators).map(str::to_string).collect(),
        _ => Vec::new(),
    };
    let plain = texts.iter().map(|text| plain_text(text.trim()).into_owned());
    plain.filter(|text| !text.is_empty()).collect()
}
