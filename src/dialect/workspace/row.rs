//! What a row says: by itself, and with the names that its database gives its values.
//!
//! Values that are computed from other rows are never shown, since the reader may not be allowed to read these rows.
//! Relations are links to other rows and no text.

use std::collections::BTreeMap;

use super::fields::{date, written_date};
use super::text::{labelled as named, lines};
use super::{Block, Property, RowRules, Value};
use crate::record::Date;

/// What a row says by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowText {
    pub title: Option<String>,
    /// With the title.
    pub text: String,
}

/// What a row says to someone who may also read its database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledRow {
    pub title: Option<String>,
    /// With the title.
    pub text: String,
    pub due: Option<Date>,
    /// Absent if it is no task.
    pub done: Option<bool>,
    pub priority: Option<String>,
    pub assignees: Vec<String>,
    pub is_task: bool,
    /// The ids that each relation of the database leads to, by its name. Relations that a line names itself are in
    /// [`Block::links`].
    pub relations: Vec<(String, Vec<String>)>,
}

/// The values that hold the title of a row, by their ids.
const TITLE_IDS: [&str; 2] = ["title", "name"];

/// A row for someone who may not read its database. Of its values it says the title at most: only the database knows
/// which values are ids of other rows, and which are sums over them, and nothing that its reader may not read may decide
/// what this reader sees. Values under names of the row's own are shown.
pub fn bare(row: &Block, rules: &RowRules) -> RowText {
    let title = row.title.clone().or_else(|| named_title(row)).or_else(|| title_value(row));
    let shown = row.named_values.iter().filter(|(name, _)| !rules.is_derived_name(name) && !holds_title(name));
    let shown = shown.map(|(name, values)| named(name, &values.join(", ")));
    let text = lines([head(row, title.as_deref()), &lines(shown)]);
    RowText { title, text }
}

/// What a row says of itself in words, else its title.
fn head<'r>(row: &'r Block, title: Option<&'r str>) -> &'r str {
    if row.text.is_empty() { title.unwrap_or_default() } else { &row.text }
}

fn value_of<'r>(row: &'r Block, id: &str) -> Option<&'r Value> {
    let at = row.values.binary_search_by(|(known, _)| known.as_str().cmp(id)).ok()?;
    Some(&row.values[at].1)
}

/// Strings, numbers and dates, which are strings.
fn plain(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) | Value::Number(text) => Some(text.as_str()).filter(|text| !text.trim().is_empty()),
        Value::Flag(_) | Value::List(_) => None,
    }
}

fn holds_title(name: &str) -> bool {
    TITLE_IDS.iter().any(|known| name.trim().eq_ignore_ascii_case(known))
}

fn named_title(row: &Block) -> Option<String> {
    let (_, values) = row.named_values.iter().find(|(name, _)| holds_title(name))?;
    values.first().cloned()
}

fn title_value(row: &Block) -> Option<String> {
    let words = TITLE_IDS.into_iter().filter_map(|id| plain(value_of(row, id)?));
    words.map(str::to_string).next()
}

/// A row with the names of its database's columns, in their order.
pub fn labelled(row: &Block, database: &Block, rules: &RowRules) -> LabelledRow {
    let cells = Cells::of(row, database, rules);
    let (title, title_id) = cells.title(row);
    let is_task = row.due.is_some() || database.properties.iter().any(|property| rules.is_due(&property.name));
    let is_hidden = |id: &str| title_id == Some(id);
    LabelledRow {
        text: lines([head(row, title.as_deref()), &cells.text(is_hidden)]),
        title,
        due: row.due.clone().or_else(|| cells.due(rules)),
        done: row.done.or_else(|| is_task.then(|| cells.is_done(rules))),
        priority: row.priority.clone().or_else(|| cells.first(|name| rules.is_priority(name))),
        assignees: cells.assignees(row, rules),
        is_task,
        relations: cells.relations(),
    }
}

/// The columns that may be shown, with what the row says.
struct Cells<'r> {
    all: Vec<Cell<'r>>,
    /// Values under names that the database does not have, in the order of these names.
    others: Vec<(&'r str, &'r [String])>,
}

struct Cell<'r> {
    property: &'r Property,
    value: Option<&'r Value>,
    /// What people see of it.
    shown: Vec<String>,
}

impl<'r> Cells<'r> {
    fn of(row: &'r Block, database: &'r Block, rules: &RowRules) -> Self {
        let mut by_name: BTreeMap<&str, &[String]> = BTreeMap::new();
        by_name.extend(row.named_values.iter().map(|(name, values)| (name.as_str(), values.as_slice())));
        let mut all = Vec::new();
        for property in &database.properties {
            let named = by_name.remove(property.name.as_str());
            if !rules.is_derived(property) {
                all.push(Cell::of(row, property, named.unwrap_or_default()));
            }
        }
        by_name.retain(|name, _| !rules.is_derived_name(name));
        Cells { all, others: by_name.into_iter().collect() }
    }

    /// The title, and the id of the property that gives it.
    fn title(&self, row: &Block) -> (Option<String>, Option<&'r str>) {
        let first = self.all.iter().find(|cell| cell.property.kind == "text");
        let id = first.map(|cell| cell.property.id.as_str());
        let said = first.map(|cell| cell.shown.join(", ")).filter(|title| !title.trim().is_empty());
        let is_column = |id: &str| self.all.iter().any(|cell| cell.property.id == id);
        let ids = TITLE_IDS.into_iter().filter(|id| !is_column(id));
        let other = || ids.filter_map(|id| plain(value_of(row, id)?)).next().map(str::to_string);
        (row.title.clone().or(said).or_else(other), id)
    }

    fn text(&self, is_hidden: impl Fn(&str) -> bool) -> String {
        let shown = self.all.iter().filter(|cell| !cell.is_relation() && !is_hidden(&cell.property.id));
        let shown = shown.map(|cell| named(&cell.property.name, &cell.shown.join(", ")));
        let others = self.others.iter().map(|(name, values)| named(name, &values.join(", ")));
        lines(shown.chain(others))
    }

    fn due(&self, rules: &RowRules) -> Option<Date> {
        self.all.iter().filter(|cell| rules.is_due(&cell.property.name)).find_map(Cell::date)
    }

    /// By the status; without such a column by a checkbox, and without one by a date.
    fn is_done(&self, rules: &RowRules) -> bool {
        let of_kind = |kind: &str, holds: &dyn Fn(&str) -> bool| {
            self.all.iter().find(|cell| cell.property.kind == kind && holds(&cell.property.name))
        };
        if let Some(status) = self.all.iter().find(|cell| rules.is_status(&cell.property.name)) {
            return status.shown.iter().any(|word| rules.says_done(word));
        }
        if let Some(checkbox) = of_kind("checkbox", &|name| rules.says_done(name)) {
            return checkbox.is_checked();
        }
        of_kind("date", &|name| rules.is_completed(name)).is_some_and(|cell| cell.date().is_some())
    }

    /// What the first column of such a name says.
    fn first(&self, is_it: impl Fn(&str) -> bool) -> Option<String> {
        let cells = self.all.iter().filter(|cell| !cell.is_relation() && is_it(&cell.property.name));
        cells.filter_map(|cell| cell.shown.first().cloned()).next()
    }

    fn assignees(&self, row: &Block, rules: &RowRules) -> Vec<String> {
        let is_it = |cell: &&Cell| !cell.is_relation() && rules.is_assignee(&cell.property.name);
        let cells = self.all.iter().filter(is_it).flat_map(|cell| cell.shown.iter().cloned());
        if row.assignees.is_empty() { cells.collect() } else { row.assignees.clone() }
    }

    fn relations(&self) -> Vec<(String, Vec<String>)> {
        let relations = self.all.iter().filter(|cell| cell.is_relation() && cell.value.is_some());
        relations.map(|cell| (cell.property.name.clone(), cell.shown.clone())).collect()
    }
}

impl<'r> Cell<'r> {
    fn of(row: &'r Block, property: &'r Property, named: &[String]) -> Self {
        let value = value_of(row, &property.id);
        let shown = value.map_or_else(|| named.to_vec(), |value| shown(value, property));
        Cell { property, value, shown: shown.into_iter().filter(|text| !text.trim().is_empty()).collect() }
    }

    fn is_relation(&self) -> bool {
        self.property.kind == "relation"
    }

    fn is_checked(&self) -> bool {
        self.shown.iter().any(|word| word.eq_ignore_ascii_case("yes") || word.eq_ignore_ascii_case("true"))
    }

    /// A number is a date only in a column of dates.
    fn date(&self) -> Option<Date> {
        match self.value {
            Some(Value::Number(number)) if self.property.kind == "date" => date(number),
            Some(Value::Number(_)) => None,
            _ => self.shown.first().and_then(|text| written_date(text)),
        }
    }
}

/// The words of options stand for their ids.
fn shown(value: &Value, property: &Property) -> Vec<String> {
    let word = |id: &String| {
        let option = property.options.iter().find(|(known, _)| known == id);
        option.map_or_else(|| id.clone(), |(_, word)| word.clone())
    };
    match value {
        Value::Text(text) | Value::Number(text) => vec![word(text)],
        Value::Flag(flag) => vec![if *flag { "yes" } else { "no" }.to_string()],
        Value::List(list) => list.iter().map(word).collect(),
    }
}
