//! Obsidian vaults: reads a page, which is a markdown file with links, tags, fields, tasks and ids of blocks, or a
//! canvas.

mod blocks;
pub mod canvas;
mod page_name;
mod parts;

use std::collections::BTreeSet;

use crate::dialect::markup::{Collector, FrontMatter, Mark, Names, Owners, Sheet, Sign, Syntax};
use crate::dialect::note::{RecordedDates, VaultRules};
use crate::dialect::{Details, Page};
use crate::language::{Facts, Limits, Mention};
use crate::record::{Date, Field, FieldValue, Lines, ProblemCode};
use crate::text::{RepoPath, Span, fold};

use page_name::PageName;
use parts::Parts;

pub use page_name::{nfc, without_ending};

/// Reads a page, and adds to the facts of its markdown what the vault's markup says.
pub fn read<'t>(path: &RepoPath, text: &'t str, rules: &VaultRules, limits: &Limits) -> (Facts<'t>, Page) {
    let mut sheet = Sheet::read(text, limits, Syntax::Vault);
    let marks = sheet.marks();
    let name = PageName::new(path, rules);
    let title = take_title_section(&mut sheet, &name.title);
    let blocks = blocks::find(block_ids(&marks), &sheet.outline.blocks, text, &mut sheet.facts);
    let Parts { mut parts, spans } = parts::arrange(&sheet.headings, title, blocks, text);
    let hidden_lines = hidden_lines(&sheet, title);
    let mut collector = Collector::new(&sheet.index, parts.len() + 1, Syntax::Vault);
    let front = sheet.front.as_ref().map(|front| front.read(&sheet.index, &mut collector, name.is_template));
    let names = front.unwrap_or_default();
    collector.take_all(marks, &sheet, &Owners { parts: &parts, spans: &spans });
    if name.is_template {
        // A date that is still to be filled in need not be readable.
        collector.complaints.retain(|complaint| complaint.code != ProblemCode::ItemDate);
    }
    let (page, details) = collector.finish(&mut sheet.facts);
    parts.iter_mut().zip(details).for_each(|(part, details)| part.describe(details));
    let page = Page {
        kind: "page",
        details: page_details(page, names, &name, rules),
        id: name.id,
        title: name.title,
        front_lines: sheet.front.as_ref().map(FrontMatter::lines),
        body_start: sheet.body_start,
        parts,
        hidden_lines,
    };
    (sheet.facts, page)
}

/// Finds the first heading that is the page's title. Its section is no definition: its lines are the page's own.
fn take_title_section(sheet: &mut Sheet, title: &str) -> Option<usize> {
    let title = fold(title);
    let at = sheet.headings.iter().position(|heading| fold(&heading.name) == title)?;
    let name_span = sheet.headings[at].name_span;
    sheet.facts.definitions.retain(|definition| definition.name_span != name_span);
    Some(at)
}

fn block_ids<'m, 't>(marks: &'m [Mark<'t>]) -> impl Iterator<Item = (&'t str, Span)> + 'm {
    marks.iter().filter_map(|mark| match mark.sign {
        Sign::BlockId(id) => Some((id, mark.span)),
        _ => None,
    })
}

/// The heading that repeats the page's title is no content either.
fn hidden_lines(sheet: &Sheet, title: Option<usize>) -> Vec<Lines> {
    let mut hidden = sheet.zones.hidden_lines(&sheet.outline, &sheet.index);
    let title = title.map(|at| &sheet.headings[at]);
    hidden.extend(title.map(|heading| Lines::from_span(Span::new(heading.start, heading.end), &sheet.index)));
    hidden.sort();
    hidden
}

fn page_details(details: Details, names: Names, name: &PageName, rules: &VaultRules) -> Details {
    let mut details = Details { aliases: aliases(names, &name.title), ..details };
    set_page_dates(&mut details, name.day.clone(), &rules.recorded);
    if name.is_template {
        let yes = FieldValue { text: Some("yes".to_string()), ..FieldValue::default() };
        details.fields.push(Field::new("template", [yes]));
    }
    details
}

/// What the page does not say itself, its name says, or else the tree. What was not changed is as old as it is.
pub fn set_page_dates(details: &mut Details, day: Option<Date>, recorded: &RecordedDates) {
    details.created = details.created.take().or(day).or_else(|| recorded.created.clone());
    let modified = details.modified.take().or_else(|| recorded.modified.clone());
    details.modified = modified.or_else(|| details.created.clone());
}

/// Other names of a page; the title that its front matter gives comes last.
pub fn aliases(names: Names, title: &str) -> Vec<String> {
    let mut known = BTreeSet::from([fold(title)]);
    let all = names.aliases.into_iter().chain(names.title);
    all.filter(|alias| known.insert(fold(alias))).collect()
}

/// What the text of a card says, and what it names.
fn read_card(text: &str, limits: &Limits) -> (Details, Vec<Mention<'static>>) {
    let mut sheet = Sheet::read(text, limits, Syntax::Vault);
    let mut collector = Collector::new(&sheet.index, 1, Syntax::Vault);
    collector.take_all(sheet.marks(), &sheet, &Owners { parts: &[], spans: &[] });
    sheet.facts = Facts::default();
    let (details, _) = collector.finish(&mut sheet.facts);
    let own = |mention: Mention| {
        let receiver = mention.receiver.map(|receiver| receiver.into_owned().into());
        Mention { receiver, ..Mention::new(mention.role, mention.name.into_owned(), mention.span) }
    };
    (details, sheet.facts.mentions.into_iter().map(own).collect())
}
