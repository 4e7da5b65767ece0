//! A database of an export: its table, and which of its rows are pages of their own.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::csv::{Record, Sheet};
use super::head::{Head, NamedValue};
use super::links::relation_ids;
use crate::dialect::workspace::media::is_address;

/// What a table says about the pages in its folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseFacts {
    /// The names of the properties, the title first.
    pub columns: Vec<String>,
    /// Where the titles are in the table.
    pub title_column: usize,
    /// Of each record the id of its page.
    pub pages: Vec<Option<String>>,
    /// Pages that are no rows, by id.
    pub templates: Vec<String>,
}

/// What Notion calls a page without a title.
const UNTITLED: &str = "Untitled";

impl DatabaseFacts {
    /// Finds the pages of the records among those of the folder, which come by id. A page belongs to a record of its
    /// title, first to one with equal properties. A title that is a link is an address in the table and words on the
    /// page: there only the properties count. All other pages are templates.
    pub fn new<'t>(sheet: Sheet, pages: &[(&'t str, &'t str)]) -> Self {
        let title_column = title_column(&sheet, pages);
        let sheet = sheet.with_first(title_column);
        let columns: Vec<String> = sheet.columns().map(str::to_string).collect();
        let mut folder = Folder::new(pages, &columns);
        let mut found: Vec<Option<usize>> = sheet.records.iter().map(|record| folder.equal(record, &columns)).collect();
        for (record, found) in sheet.records.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = folder.of_title(record);
        }
        let is_link = |record: &Record| is_address(record.field(0));
        for (record, found) in sheet.records.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = Some(record).filter(|record| is_link(record)).and_then(|record| folder.alike(record, &columns));
        }
        let id = |at: usize| pages[at].0.to_string();
        let templates = (0..pages.len()).filter(|at| !folder.is_taken[*at]).map(id).collect();
        let pages = found.into_iter().map(|page| page.map(id)).collect();
        DatabaseFacts { columns, title_column, pages, templates }
    }
}

/// The column that names most pages of the folder. Mostly it is the first, but people can move it.
fn title_column(sheet: &Sheet, pages: &[(&str, &str)]) -> usize {
    let title = |text: &str| Head::read(text, &[]).title.unwrap_or_default();
    let titles: BTreeSet<String> = pages.iter().map(|(_, text)| title_key(&title(text))).collect();
    let named = |column: usize| {
        let fields = sheet.records.iter().map(|record| record.field(column)).filter(|field| !field.is_empty());
        fields.map(title_key).filter(|title| titles.contains(title)).collect::<BTreeSet<_>>().len()
    };
    // Of equal counts the last one that is compared wins.
    (0..sheet.header.fields.len()).rev().max_by_key(|column| named(*column)).unwrap_or_default()
}

/// The values of a record: its properties without the title.
pub fn values(record: &Record, columns: &[String]) -> Vec<NamedValue> {
    let value = |(at, name): (usize, &String)| NamedValue {
        name: name.clone(),
        text: record.field(at).to_string(),
        span: record.span,
    };
    columns.iter().enumerate().skip(1).map(value).collect()
}

/// Values as they compare, with their names.
type ValueKeys = Vec<(String, String)>;

/// The pages in the folder of a database.
#[derive(Default)]
struct Folder {
    /// By title and values, those with the smallest ids first.
    by_values: BTreeMap<(String, ValueKeys), VecDeque<usize>>,
    by_title: BTreeMap<String, VecDeque<usize>>,
    /// By values alone.
    by_properties: BTreeMap<ValueKeys, VecDeque<usize>>,
    is_taken: Vec<bool>,
}

impl Folder {
    fn new(pages: &[(&str, &str)], columns: &[String]) -> Self {
        let mut folder = Folder { is_taken: vec![false; pages.len()], ..Folder::default() };
        for (at, (_, text)) in pages.iter().enumerate() {
            let head = Head::read(text, columns);
            let title = title_key(head.title.as_deref().unwrap_or_default());
            let values = value_keys(&head.values);
            folder.by_title.entry(title.clone()).or_default().push_back(at);
            folder.by_properties.entry(values.clone()).or_default().push_back(at);
            folder.by_values.entry((title, values)).or_default().push_back(at);
        }
        folder
    }

    fn equal(&mut self, record: &Record, columns: &[String]) -> Option<usize> {
        let key = (title_key(record.field(0)), value_keys(&values(record, columns)));
        self.take_first(|folder| folder.by_values.get_mut(&key))
    }

    fn of_title(&mut self, record: &Record) -> Option<usize> {
        let title = title_key(record.field(0));
        self.take_first(|folder| folder.by_title.get_mut(&title))
    }

    fn alike(&mut self, record: &Record, columns: &[String]) -> Option<usize> {
        let key = Some(value_keys(&values(record, columns))).filter(|values| !values.is_empty())?;
        self.take_first(|folder| folder.by_properties.get_mut(&key))
    }

    fn take_first(&mut self, list: impl Fn(&mut Self) -> Option<&mut VecDeque<usize>>) -> Option<usize> {
        while let Some(page) = list(self)?.pop_front() {
            if !std::mem::replace(&mut self.is_taken[page], true) {
                return Some(page);
            }
        }
        None
    }
}

/// Titles as they compare. Tables leave an empty title empty, and pages escape characters of markdown.
fn title_key(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    let key = words.join(" ").replace('\\', "");
    if key.is_empty() { UNTITLED.to_string() } else { key }
}

/// Values as they compare, without empty ones. Paths of relations differ between table and page.
fn value_keys(values: &[NamedValue]) -> ValueKeys {
    let key = |value: &NamedValue| {
        let words: Vec<&str> = value.text.split_whitespace().collect();
        let text = relation_ids(&value.text).map_or_else(|| words.join(" "), |ids| ids.join(" "));
        (value.name.clone(), text)
    };
    let mut keys: Vec<_> = values.iter().filter(|value| !value.text.is_empty()).map(key).collect();
    keys.sort();
    keys
}
