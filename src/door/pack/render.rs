//! Renders a pack for a model. Text from the tree is data: fences and tags are chosen so that nothing in it can close
//! them, and headings are kept on one line.
//!
//! Every block begins with `#`, `<` or `…`, or where tokens are known to add up, and ends with a line break, so that the
//! tokens of blocks add up to the tokens of the whole (see [`crate::text::Tokenizer`]).

use std::collections::BTreeMap;

use super::page;
use crate::record::pack::{ContextPack, EmptyReason, Item, SectionType};
use crate::text::{RepoPath, one_line};

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
    let mut text = open(&pack.request.repo_id, &pack.notices, format);
    let pages = pages(pack);
    if pages.is_empty() {
        let why = pack.sections.iter().find(|section| section.section_type == SectionType::Seeds);
        text += &nothing(why.and_then(|section| section.empty), format);
    }
    for block in pages.iter().flat_map(|items| page::print(items, pack.request.tokenizer)) {
        let frame = &block.frames[format as usize];
        [&frame.head, &*block.text, &frame.tail].into_iter().for_each(|part| text += part);
    }
    text + close(format)
}

/// The items that are printed together. Pages are in the order of their rounds, in a round the page with the best item
/// first.
fn pages(pack: &ContextPack) -> Vec<Vec<&Item>> {
    let mut pages: BTreeMap<(u32, &RepoPath), Vec<&Item>> = BTreeMap::new();
    for item in pack.items() {
        pages.entry((item.round, &item.file_rel_path)).or_default().push(item);
    }
    let mut pages: Vec<Vec<&Item>> = pages.into_values().collect();
    pages.sort_by_key(|items| (items[0].round, items[0].rank));
    pages
}

/// A line of the tree in the rendered text.
pub struct PrintedLine<'p> {
    pub path: &'p RepoPath,
    pub number: u32,
    /// Where it ends in the text.
    pub end: usize,
}

/// Where each line of the tree stands in the pack as markdown.
pub fn printed_lines(pack: &ContextPack) -> Vec<PrintedLine<'_>> {
    let mut printed = Vec::new();
    let mut offset = open(&pack.request.repo_id, &pack.notices, Format::Markdown).len();
    for items in pages(pack) {
        let mut starts = Vec::new();
        for block in page::print(&items, pack.request.tokenizer) {
            let frame = &block.frames[Format::Markdown as usize];
            starts.push(offset + frame.head.len());
            offset += frame.head.len() + block.text.len() + frame.tail.len();
        }
        let lines = page::printed_lines(&items, pack.request.tokenizer).into_iter();
        let path = &items[0].file_rel_path;
        printed.extend(lines.map(|(block, number, end)| PrintedLine { path, number, end: starts[block] + end }));
    }
    printed
}

/// Whether a text is a pack as [`render`] prints it in markdown.
pub fn is_markdown_pack(text: &str) -> bool {
    let Some((title, rest)) = text.strip_prefix("# Context from ").and_then(|rest| rest.split_once("\n\n")) else {
        return false;
    };
    !title.contains('\n') && starts_with_page(rest, Format::Markdown)
}

/// Whether a text is a pack as [`render`] prints it in XML.
pub fn is_xml_pack(text: &str) -> bool {
    let rest = text.strip_prefix("<context repo=\"").and_then(|rest| rest.split_once("\">\n"));
    rest.is_some_and(|(repo, rest)| !repo.contains('\n') && starts_with_page(rest, Format::Xml))
        && text.trim_end().ends_with("</context>")
}

/// Whether a page follows after a few notices, or the reason why there is none.
fn starts_with_page(text: &str, format: Format) -> bool {
    let reasons = [None, Some(EmptyReason::NoMatch), Some(EmptyReason::NotRequested)].map(|why| nothing(why, format));
    let is_notice = |line: &str| format == Format::Xml && line.starts_with("<notice ");
    let mut lines = text.lines().take(MAX_NOTICE_LINES).skip_while(|line| match format {
        Format::Markdown => !line.starts_with("## "),
        Format::Xml => is_notice(line),
    });
    let first = lines.next().unwrap_or_default();
    let is_page = match format {
        Format::Markdown => {
            first.strip_prefix("## ").is_some_and(page::is_place) && lines.any(|line| line.starts_with("```"))
        }
        Format::Xml => first.starts_with("<file") && first.contains(" path=\""),
    };
    is_page || reasons.iter().any(|why| why.trim_end() == first)
}

/// A page starts within this many lines of the title.
const MAX_NOTICE_LINES: usize = 20;

/// The whole record as one line of JSON.
pub fn json(pack: &ContextPack) -> String {
    serde_json::to_string(pack).expect("a pack is JSON") + "\n"
}

pub fn open(repo_id: &str, notices: &[String], format: Format) -> String {
    let title = match format {
        Format::Markdown => format!("# Context from {}\n\n", one_line(repo_id)),
        Format::Xml => format!("<context repo=\"{}\">\n", attribute(repo_id)),
    };
    title + &notices.iter().map(|line| notice(line, format)).collect::<String>()
}

fn notice(line: &str, format: Format) -> String {
    match format {
        Format::Markdown => format!("{}\n\n", one_line(line)),
        Format::Xml => format!("<notice text=\"{}\"/>\n", attribute(line)),
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
        Some(EmptyReason::NotRequested) => "Nothing depends on it",
        _ => "Nothing fits the budget",
    };
    match format {
        Format::Markdown => format!("## {words}\n"),
        Format::Xml => format!("<nothing why=\"{words}\"/>\n"),
    }
}

/// One line that explains why the item is shown. Empty for items that the query found, because a line on every item
/// would use up space for code.
pub fn why(item: &Item) -> String {
    item.why.reason.clone().unwrap_or_default()
}

/// A name for a tag that does not occur in the texts.
pub fn tag<'t>(name: &str, texts: impl Iterator<Item = &'t str> + Clone) -> String {
    let with_tags = texts.filter(|text| memchr::memchr(b'<', text.as_bytes()).is_some());
    let is_in_text = |tag: &str| {
        let (end, start) = (format!("</{tag}"), format!("<{tag}"));
        with_tags.clone().any(|text| text.contains(&end) || text.contains(&start))
    };
    let numbered = (1..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_string()).chain(numbered).find(|tag| !is_in_text(tag)).expect("a text is finite")
}

pub fn attribute(text: &str) -> String {
    let line = one_line(text);
    if !line.contains(['&', '<', '>', '"']) {
        return line;
    }
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
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
