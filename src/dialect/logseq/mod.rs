//! Logseq graphs: reads a page or a journal, which is an outline in which every bullet is a block.

mod block;
mod outline;
mod page_name;
mod parts;
mod properties;

use crate::dialect::markup::{Collector, FrontMatter, Names, Owners, Sheet, Syntax};
use crate::dialect::note::LogseqRules;
use crate::dialect::vault::{aliases, set_page_dates};
use crate::dialect::{Details, Page};
use crate::language::{Facts, Limits};
use crate::record::Lines;
use crate::text::RepoPath;

use block::BlockText;
use page_name::PageName;
use parts::Blocks;
use properties::Properties;

/// Whether every bullet of a file is a block: pages and journals are outlines, other files are not.
pub fn is_outline(path: &RepoPath, rules: &LogseqRules) -> bool {
    let path = path.as_str().strip_prefix(rules.root.as_str()).unwrap_or(path.as_str());
    path.starts_with("pages/") || path.starts_with("journals/")
}

/// Reads a page, and adds to the facts of its markdown its bullets and what their markup says.
pub fn read<'t>(path: &RepoPath, text: &'t str, rules: &LogseqRules, limits: &Limits) -> (Facts<'t>, Page) {
    let mut sheet = Sheet::read(text, limits, Syntax::Logseq);
    let Blocks { mut parts, spans, texts } = Blocks::read(path, &mut sheet);
    let mut collector = Collector::new(&sheet.index, parts.len() + 1, Syntax::Logseq);
    let mut names =
        sheet.front.as_ref().map(|front| front.read(&sheet.index, &mut collector, false)).unwrap_or_default();
    let mut properties = Properties::default();
    for (owner, block) in texts.iter().enumerate() {
        properties.take(owner, block, &mut names, &mut collector);
    }
    let marks = properties.merge(sheet.marks());
    collector.take_all(marks, &sheet, &Owners { parts: &parts, spans: &spans });
    let (page, details) = collector.finish(&mut sheet.facts);
    for (part, details) in parts.iter_mut().zip(details) {
        part.is_unit = part.kind == "block" && !details.tags.is_empty();
        part.describe(details);
    }
    let name = PageName::new(path, rules);
    let (title, details) = page_details(page, names, &name, rules);
    let page = Page {
        kind: "page",
        id: name.id,
        title,
        details,
        front_lines: sheet.front.as_ref().map(FrontMatter::lines),
        body_start: sheet.body_start,
        parts,
        hidden_lines: hidden_lines(&sheet, &texts),
    };
    (sheet.facts, page)
}

/// The title of a page, and what it says of itself. A property overrides the file's name.
fn page_details(details: Details, names: Names, name: &PageName, rules: &LogseqRules) -> (String, Details) {
    let Names { title, aliases: others } = names;
    let title = title.unwrap_or_else(|| name.title.clone());
    let mut details = Details { aliases: aliases(Names { aliases: others, title: None }, &title), ..details };
    set_page_dates(&mut details, name.day.clone(), &rules.recorded);
    (title, details)
}

/// Lines of properties, drawers and dates are no content; what is shown of them is fields. Nor are queries.
fn hidden_lines(sheet: &Sheet, texts: &[BlockText]) -> Vec<Lines> {
    let mut hidden = sheet.zones.hidden_lines(&sheet.outline, &sheet.index);
    let single = texts.iter().flat_map(|block| &block.hidden).map(|line| Lines { start: line + 1, end: line + 1 });
    let mut joined: Vec<Lines> = Vec::new();
    for line in single {
        match joined.last_mut() {
            Some(last) if last.end + 1 == line.start => last.end = line.end,
            _ => joined.push(line),
        }
    }
    hidden.extend(joined);
    let blocks = sheet.org_blocks.iter().filter(|block| !block.is_shown);
    hidden.extend(blocks.map(|block| Lines::from_span(block.span, &sheet.index)));
    hidden.sort();
    hidden
}
