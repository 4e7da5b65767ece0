//! The text of a payload. It is built from blocks and never searched for places to fill in, so no content can change
//! what is around it.
//!
//! Blocks are the head, a heading, an item and the tail. Each begins with `#`, `[`, `_` or `-` and ends with an empty
//! line, so the tokens of the blocks add up to those of the text (see [`crate::text::Tokenizer`]).

use crate::record::BlockType;
use crate::record::workspace::{PayloadItem, PayloadItemFacts, PayloadPart, PayloadSection};
use crate::text::{disturbs_line, fence, one_line};

/// The first block.
pub const HEAD: &str = "## Current Context\n\n";
const RULE: &str = "---\n\n";
const QUERY: &str = "User Query:";

/// What stands around a content, so that a reader can see where it starts and ends.
pub struct Around {
    pub before: String,
    pub after: String,
}

/// The whole text, if it has a frame.
pub fn text(sections: &[PayloadSection], lacks_room: impl Fn(PayloadPart) -> bool, query: &str) -> String {
    let sections = sections.iter().map(|printed| section(printed, lacks_room(printed.part)));
    [HEAD.to_string()].into_iter().chain(sections).chain([tail(query)]).collect()
}

/// The last block.
pub fn tail(query: &str) -> String {
    if query.is_empty() {
        format!("{RULE}{QUERY}\n")
    } else if one_line(query) == query {
        format!("{RULE}{QUERY} {query}\n")
    } else {
        let fence = fence(query);
        format!("{RULE}{QUERY}\n{fence}\n{query}\n{fence}\n")
    }
}

/// The query in a last block, if it is one.
pub fn query_of(last: &str) -> Option<String> {
    let printed = last.strip_prefix(RULE)?.strip_prefix(QUERY)?.strip_suffix('\n')?;
    let query = match printed.strip_prefix('\n') {
        Some(fenced) => {
            let (fence, rest) = fenced.split_once('\n')?;
            rest.strip_suffix(fence)?.strip_suffix('\n')?
        }
        None => printed.strip_prefix(' ').unwrap_or(printed),
    };
    (tail(query) == last).then(|| query.to_string())
}

/// A section as it is printed. Nothing if it is off, or not even its notice fits.
pub fn section(section: &PayloadSection, lacks_room: bool) -> String {
    if section.items.is_empty() && section.token_count == 0 {
        return String::new();
    }
    let items: String = section.items.iter().map(item).collect();
    let items = if section.items.is_empty() { notice(lacks_room).to_string() } else { items };
    format!("{}{items}", heading(section.part))
}

pub fn heading(part: PayloadPart) -> String {
    format!("### {}\n\n", part.title())
}

/// What an empty section says: that its items do not fit, or that there are none.
pub fn notice(lacks_room: bool) -> &'static str {
    if lacks_room { "_Nothing fits the budget._\n\n" } else { "_No relevant content found._\n\n" }
}

pub fn item(item: &PayloadItem) -> String {
    let Around { before, after } = around(&item.metadata, item.block_type, &item.content);
    format!("{before}{}{after}", item.content)
}

/// Of an item with a content. Only content that cannot be taken for anything else stands there as it is.
pub fn around(facts: &PayloadItemFacts, block_type: BlockType, content: &str) -> Around {
    let head = head(facts, block_type);
    if content.is_empty() {
        return Around { before: head, after: "\n\n".to_string() };
    }
    if block_type != BlockType::Code && is_plain(content) {
        return Around { before: format!("{head}\n"), after: "\n\n".to_string() };
    }
    let (fence, language) = (fence(content), facts.language.as_deref().unwrap_or_default());
    Around { before: format!("{head}\n{fence}{language}\n"), after: format!("\n{fence}\n\n") }
}

/// The title of the page, the type, and the hints.
fn head(facts: &PayloadItemFacts, block_type: BlockType) -> String {
    let title = facts.page_title.as_ref().map_or_else(String::new, |title| format!("[{}] ", escaped(title)));
    let path: Vec<String> = facts.path.iter().map(|title| escaped(title)).collect();
    let path = (!path.is_empty()).then(|| path.join(" > "));
    let modified = facts.last_modified.as_ref().map(|date| format!("modified {}", &date.as_str()[..DAY_LENGTH]));
    let hints: Vec<String> = path.into_iter().chain(modified).collect();
    let hints = if hints.is_empty() { String::new() } else { format!(" {}", hints.join(" · ")) };
    format!("{title}[{}]{hints}", block_type.word())
}

const DAY_LENGTH: usize = "2025-06-01".len();

/// On one line, with a backslash before everything that has a meaning in the first line of an item.
fn escaped(title: &str) -> String {
    let mut escaped = String::with_capacity(title.len());
    for character in one_line(title).chars() {
        if matches!(character, '\\' | '[' | ']' | '>') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// Whether every line starts with a letter or digit, or as an item of a list, and none looks like the query.
fn is_plain(content: &str) -> bool {
    let is_plain_line = |line: &str| {
        let starts_plain = line.starts_with(char::is_alphanumeric) || line.trim_start_matches(' ').starts_with("- ");
        starts_plain && !line.starts_with(QUERY) && !line.contains(|c| c != '\t' && disturbs_line(c))
    };
    content.split('\n').all(is_plain_line)
}

/// The name of a language, if it can stand behind a fence.
pub fn fence_language(language: &str) -> Option<String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-');
    let is_name = (1..=20).contains(&language.len()) && language.chars().all(is_allowed);
    is_name.then(|| language.to_string())
}
