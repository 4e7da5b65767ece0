//! The values of a row: what they say, which rows they name, and which of them are dates that people ask for.

use super::dates::period;
use super::head::NamedValue;
use super::links::relation_ids;
use super::name::title_and_id;
use crate::dialect::markup::percent_decoded;
use crate::dialect::workspace::media::is_address;
use crate::dialect::workspace::{Block, BlockLink, LinkTarget};
use crate::text::fold;

/// Words in the name of a property that says when something is due.
const DUE: &[&str] = &["due", "deadline"];
/// Words in the name of a property that says who does it.
const ASSIGNED: &[&str] = &["assign", "assigned", "assignee", "assignees"];
const CREATED: &[&str] = &["created", "created time", "created at", "created on", "date created"];
const MODIFIED: &[&str] = &["last edited time", "last edited", "last updated", "updated", "updated at", "modified"];

/// Gives a row its values. Empty ones say nothing. Relations are links and no text.
pub fn fill(row: &mut Block, values: &[NamedValue]) {
    for value in values.iter().filter(|value| !value.text.is_empty()) {
        match relation_ids(&value.text) {
            Some(ids) => row.links.extend(ids.into_iter().map(|id| relation(value, id))),
            None => {
                take_meaning(row, value);
                row.named_values.push((value.name.clone(), vec![without_paths(&value.text)]));
            }
        }
    }
}

/// Files of the export as their names. Their paths are the exporter's, and made of titles of other pages.
fn without_paths(text: &str) -> String {
    let parts: Vec<&str> = text.split(", ").collect();
    if !parts.iter().all(|part| is_path(part)) {
        return text.to_string();
    }
    let names = parts.iter().map(|part| percent_decoded(part.rsplit('/').next().unwrap_or(part)).into_owned());
    names.collect::<Vec<_>>().join(", ")
}

/// `../photo.png`, `Title%20ID/photo.png`. Words with a slash between them are none.
fn is_path(part: &str) -> bool {
    let Some((folder, name)) = part.rsplit_once('/') else { return false };
    let is_of_export =
        || folder.split('/').any(|folder| folder == ".." || title_and_id(&percent_decoded(folder)).is_some());
    !is_address(part) && !part.contains(char::is_whitespace) && name.contains('.') && is_of_export()
}

fn relation(value: &NamedValue, id: &str) -> BlockLink {
    let label = Some(value.name.clone());
    BlockLink { to: LinkTarget::Id(id.to_string()), label, is_relation: true, span: value.span }
}

/// What some properties say of any row. Of two properties with one meaning the first counts.
fn take_meaning(row: &mut Block, value: &NamedValue) {
    let name = fold(&value.name);
    let has_word = |known: &[&str]| name.split(|c: char| !c.is_alphanumeric()).any(|word| known.contains(&word));
    if has_word(DUE) {
        row.due = row.due.take().or_else(|| period(&value.text).map(|period| period.end));
    } else if CREATED.contains(&name.as_str()) {
        row.created = row.created.take().or_else(|| period(&value.text).map(|period| period.start));
    } else if MODIFIED.contains(&name.as_str()) {
        row.modified = row.modified.take().or_else(|| period(&value.text).map(|period| period.end));
    } else if name == "created by" {
        row.created_by.get_or_insert_with(|| value.text.clone());
    } else if name == "priority" {
        row.priority.get_or_insert_with(|| value.text.clone());
    } else if name == "tags" && row.tags.is_empty() {
        row.tags = words(&value.text);
    } else if has_word(ASSIGNED) && row.assignees.is_empty() {
        row.assignees = words(&value.text);
    }
}

/// The values of a property that may have several.
fn words(text: &str) -> Vec<String> {
    text.split(", ").map(str::trim).filter(|word| !word.is_empty()).map(str::to_string).collect()
}

type IsKind = fn(&str) -> bool;

/// The kind of a property, by all of its values.
pub fn kind<'v>(values: impl Iterator<Item = &'v str> + Clone) -> &'static str {
    let values = values.filter(|value| !value.is_empty());
    let all = |is_one: IsKind| values.clone().all(is_one);
    let kinds: [(&'static str, IsKind); 4] = [
        ("checkbox", |value| matches!(value, "Yes" | "No")),
        ("number", is_number),
        ("date", |value| period(value).is_some()),
        ("relation", |value| relation_ids(value).is_some()),
    ];
    match values.clone().next() {
        None => "text",
        Some(_) => kinds.into_iter().find(|(_, is_one)| all(*is_one)).map_or("text", |(kind, _)| kind),
    }
}

/// `7`, `-0.25`, `1e21`. Words such as `inf` are none.
fn is_number(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.')) && value.parse::<f64>().is_ok()
}
