//! Prints the nodes of a brief, each by itself. Every text begins with a mark of markdown and ends with a line break, so
//! that the tokens of all texts add up (see [`crate::text::Tokenizer`]).

use super::content::{Content, Shape};
use super::fields::{ShownField, is_wanted};
use super::text::{MAX_NAME_CHARS, content_lines, cut, list_entry, short, with_closed_fence};
use crate::record::brief::{BriefRequest, BriefValue};
use crate::text::{fence, one_line};

/// A node with what is printed of it.
pub struct Sheet {
    pub content: Content,
    /// Its relation to the topic, its score and its date.
    pub meta: String,
    /// How deep a block is below its unit.
    pub steps: usize,
    fields: Vec<String>,
    /// The lines behind the fields.
    lines: Vec<String>,
}

/// How deep blocks are indented at most.
pub const MAX_STEPS: usize = 3;
const MAX_VALUES: usize = 20;
const MAX_VALUE_CHARS: usize = 200;

impl Sheet {
    pub fn new(content: Content, meta: String, steps: usize, request: &BriefRequest) -> Self {
        let wanted = |field: &&ShownField| !field.is_hidden && is_wanted(&request.lens.fields, &field.name);
        let mut fields: Vec<String> = Vec::new();
        if request.include_fields {
            fields.extend(content.fields.iter().filter(wanted).map(|field| field_line(&field.name, &field.values)));
            let files = &content.unnamed_attachments;
            fields.extend((!files.is_empty()).then(|| attachments_line(files)));
        }
        let name = if content.shape == Shape::Unit { long_name(&content) } else { content.name_lines.clone() };
        let lines = content_lines(&name).into_iter().chain(content.lines.iter().cloned()).collect();
        Sheet { content, meta, steps, fields, lines }
    }

    /// How many lines can be left out: all but its name.
    pub fn line_count(&self) -> usize {
        let first = usize::from(self.content.shape == Shape::Block);
        (self.fields.len() + self.lines.len()).saturating_sub(first)
    }

    /// Its name and so many of its other lines: first the fields, then the text. A block starts with its text.
    pub fn print(&self, shown: usize) -> String {
        match self.content.shape {
            Shape::Unit => self.unit(shown),
            Shape::Section => self.section(shown),
            Shape::Block => self.block(shown),
            Shape::Inside => String::new(),
        }
    }

    /// The lines of the content that are among the first lines.
    pub fn content_shown(&self, shown: usize) -> Vec<String> {
        let name = self.lines.len() - self.content.lines.len();
        let count = match self.content.shape {
            Shape::Block => (shown + 1).saturating_sub(name),
            _ => shown.saturating_sub(self.fields.len() + name),
        };
        self.content.lines.iter().take(count).cloned().collect()
    }

    fn unit(&self, shown: usize) -> String {
        format!("{}{}\n{}", self.heading(), self.meta, self.below(shown))
    }

    fn section(&self, shown: usize) -> String {
        format!("### {}\n{}", named(&self.content.name), self.below(shown))
    }

    /// Fields and text below a heading, with a blank line behind each.
    fn below(&self, shown: usize) -> String {
        let mut text: String = self.fields.iter().take(shown).map(|field| format!("{field}\n")).collect();
        text.push('\n');
        let lines = &self.lines[..self.lines.len().min(shown.saturating_sub(self.fields.len()))];
        if !lines.is_empty() {
            self.framed(lines).iter().for_each(|line| text += &format!("{line}\n"));
            text.push('\n');
        }
        text
    }

    /// Code in a fence; of other texts the open fence closed.
    fn framed(&self, lines: &[String]) -> Vec<String> {
        let Some(code) = &self.content.code else { return with_closed_fence(lines) };
        let fence = fence(&self.content.lines.join("\n"));
        let first = std::iter::once(format!("{fence}{}", code.language));
        first.chain(lines.iter().cloned()).chain([fence.clone()]).collect()
    }

    fn block(&self, shown: usize) -> String {
        let untitled = [named(&self.content.name)];
        let lines = if self.lines.is_empty() { &untitled[..] } else { &self.lines };
        let mut text = list_entry(&lines[..lines.len().min(shown + 1)], self.steps);
        let fields = self.fields.iter().take((shown + 1).saturating_sub(lines.len()));
        let indent = "  ".repeat(self.steps + 1);
        fields.for_each(|field| text += &format!("{indent}{field}\n"));
        text
    }

    /// The heading of a unit that is only the place of what is in it.
    pub fn place(&self) -> String {
        format!("{}place of what follows\n\n", self.heading())
    }

    fn heading(&self) -> String {
        match &self.content.code {
            Some(code) => {
                format!("## {}:{}-{} [code]\n", one_line(code.path.as_str()), code.lines.start, code.lines.end)
            }
            None => format!("## {} {}\n", named(&self.content.name), kind(&self.content.tags, self.content.class)),
        }
    }
}

/// A name as it is shown.
pub fn named(name: &str) -> String {
    if name.trim().is_empty() { "(untitled)".to_string() } else { short(name) }
}

/// The tags of a node, else its class, in brackets.
pub fn kind(tags: &[String], class: &str) -> String {
    if tags.is_empty() {
        return format!("[{class}]");
    }
    let tags: Vec<String> = tags.iter().map(|tag| short(tag)).collect();
    format!("[{}]", cut(&tags.join(", "), MAX_NAME_CHARS))
}

/// The lines of a name that does not fit its heading.
fn long_name(content: &Content) -> Vec<String> {
    let is_long = content.name_lines.len() > 1 || content.name.chars().count() > MAX_NAME_CHARS;
    if is_long { content.name_lines.clone() } else { Vec::new() }
}

fn field_line(name: &str, values: &[BriefValue]) -> String {
    let texts = values.iter().map(|value| value.text.as_str()).filter(|text| !text.is_empty());
    format!("- **{}**: {}", short(name), value_list(texts))
}

fn attachments_line(paths: &[String]) -> String {
    format!("- **attachments**: {}", value_list(paths.iter().map(String::as_str)))
}

/// Values with commas between them, or semicolons if a value has a comma; how many more there are stands at the end.
fn value_list<'v>(values: impl Iterator<Item = &'v str>) -> String {
    let all: Vec<&str> = values.collect();
    let shown = all.iter().take(MAX_VALUES).map(|value| {
        let value = one_line(value).replace("<|", "<\\|");
        cut(value.trim(), MAX_VALUE_CHARS)
    });
    let more = all.len().checked_sub(MAX_VALUES).filter(|more| *more > 0).map(|more| format!("+{more}"));
    let separator = if all.iter().take(MAX_VALUES).any(|value| value.contains(',')) { "; " } else { ", " };
    shown.chain(more).collect::<Vec<_>>().join(separator)
}
