//! Renders a pack for a model. Text from the tree is data: fences and tags are chosen so that nothing in it can close
//! them, and headings are kept on one line.
//!
//! Every block begins with `#` or `<` and ends with a line break, so that the tokens of blocks add up to the tokens
//! of the whole (see [`crate::text::Tokenizer`]).

use std::borrow::Cow;

use crate::assemble::Frame;
use crate::record::pack::{ContextPack, EmptyReason, ExcerptForm, Item, SectionType};
use crate::text::{fence, one_line};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Markdown,
    Xml,
}

impl Format {
    /// In the order of a block's frames.
    pub const ALL: [Format; 2] = [Format::Markdown, Format::Xml];
}

/// The whole pack; empty if not even its heading fits the budget.
pub fn render(pack: &ContextPack, format: Format) -> String {
    let rendered = match format {
        Format::Markdown => pack.stats.rendered_tokens.markdown,
        Format::Xml => pack.stats.rendered_tokens.xml,
    };
    if rendered == 0 {
        return String::new();
    }
    let mut text = open(&pack.request.repo_id, format);
    if pack.sections.iter().all(|section| section.items.is_empty()) {
        let why = pack.sections.iter().find(|section| section.section_type == SectionType::Seeds);
        text += &nothing(why.and_then(|section| section.empty), format);
    }
    for section in pack.sections.iter().filter(|section| !section.items.is_empty()) {
        text += &section_open(section.section_type, format);
        section.items.iter().for_each(|one| text += &item(one, format));
        text += section_close(format);
    }
    text + close(format)
}

/// The whole record as one line of JSON.
pub fn json(pack: &ContextPack) -> String {
    serde_json::to_string(pack).expect("a pack is JSON") + "\n"
}

pub fn open(repo_id: &str, format: Format) -> String {
    match format {
        Format::Markdown => format!("# Context from {}\n\n", one_line(repo_id)),
        Format::Xml => format!("<context repo=\"{}\">\n", attribute(repo_id)),
    }
}

pub fn close(format: Format) -> &'static str {
    match format {
        Format::Markdown => "",
        Format::Xml => "</context>\n",
    }
}

/// The text of a pack without items.
pub fn nothing(why: Option<EmptyReason>, format: Format) -> String {
    let words = match why {
        Some(EmptyReason::NoMatch) => "No match",
        _ => "Nothing fits the budget",
    };
    match format {
        Format::Markdown => format!("## {words}\n"),
        Format::Xml => format!("<nothing why=\"{words}\"/>\n"),
    }
}

pub fn section_open(section: SectionType, format: Format) -> String {
    match format {
        Format::Markdown => format!("## {}: {}\n\n", section.name(), section.meaning()),
        Format::Xml => format!("<section type=\"{}\">\n", section.name()),
    }
}

pub fn section_close(format: Format) -> &'static str {
    match format {
        Format::Markdown => "",
        Format::Xml => "</section>\n",
    }
}

pub fn item(item: &Item, format: Format) -> String {
    let Frame { head, tail } = frame(item, format);
    head + &text(item) + &tail
}

/// An item's text, ending with a line break. It is the same in every format.
pub fn text(item: &Item) -> Cow<'_, str> {
    let text = item.excerpt.text.as_str();
    if text.is_empty() || text.ends_with('\n') { Cow::Borrowed(text) } else { Cow::Owned(format!("{text}\n")) }
}

pub fn frame(item: &Item, format: Format) -> Frame {
    let (place, why) = (place(item), why(item));
    let title = title(item);
    let text = &item.excerpt.text;
    let only_title = item.excerpt.form == ExcerptForm::Title;
    match format {
        Format::Markdown => {
            let title = if title.is_empty() { title } else { format!(" {title}") };
            let why = if why.is_empty() { why } else { one_line(&why) + "\n" };
            let heading = format!("### {}{}\n{why}", one_line(&place), one_line(&title));
            let fence = fence(text);
            if only_title {
                Frame { head: heading + "\n", tail: String::new() }
            } else {
                Frame { head: format!("{heading}{fence}{}\n", item.language_id.as_str()), tail: format!("{fence}\n\n") }
            }
        }
        Format::Xml => {
            let tag = tag(text);
            let title = if title.is_empty() { title } else { format!(" title=\"{}\"", attribute(&title)) };
            let why = if why.is_empty() { why } else { format!(" why=\"{}\"", attribute(&why)) };
            let heading = format!("path=\"{}\"{title}{why}", attribute(&place));
            if only_title {
                Frame { head: format!("<{tag} {heading}/>\n"), tail: String::new() }
            } else {
                Frame { head: format!("<{tag} {heading}>\n"), tail: format!("</{tag}>\n") }
            }
        }
    }
}

fn place(item: &Item) -> String {
    let lines = &item.lines;
    match item.excerpt.form {
        ExcerptForm::Full => format!("{}:{}-{}", item.file_rel_path, lines.start, lines.end),
        ExcerptForm::Outline => format!("{}:{}-{} (outline)", item.file_rel_path, lines.start, lines.end),
        ExcerptForm::Head => format!("{}:{}-{} (head)", item.file_rel_path, lines.start, lines.end),
        ExcerptForm::Title => format!("{}:{}-{} (title)", item.file_rel_path, lines.start, lines.end),
    }
}

/// The item's title; empty if the text already contains it.
fn title(item: &Item) -> String {
    let first = item.excerpt.text.lines().next().unwrap_or_default();
    let is_in_text = item.excerpt.form == ExcerptForm::Full || first.contains(item.title.as_str());
    if is_in_text { String::new() } else { item.title.clone() }
}

/// One line that explains why the item is shown. Empty for items that the query found, because a line on every item
/// would use up space for code.
fn why(item: &Item) -> String {
    item.why.reason.clone().unwrap_or_default()
}

/// The name of a tag that does not occur in the text.
fn tag(text: &str) -> String {
    let is_in_text = |tag: &str| text.contains(&format!("</{tag}")) || text.contains(&format!("<{tag}"));
    let numbered = (1..).map(|number| format!("item-{number}"));
    std::iter::once("item".to_string()).chain(numbered).find(|tag| !is_in_text(tag)).expect("a text is finite")
}

fn attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}
