//! What the path of a page says: its title, and the day of a journal.

use crate::dialect::date_format::DateFormat;
use crate::dialect::markup::percent_decoded;
use crate::dialect::note::LogseqRules;
use crate::dialect::vault::{nfc, without_ending};
use crate::record::Date;
use crate::text::RepoPath;

pub struct PageName {
    /// The path from the root of the graph, without its ending.
    pub id: String,
    pub title: String,
    /// The day of a journal.
    pub day: Option<Date>,
}

impl PageName {
    pub fn new(path: &RepoPath, rules: &LogseqRules) -> Self {
        let path = nfc(path.as_str().strip_prefix(rules.root.as_str()).unwrap_or(path.as_str()));
        let id = without_ending(&path).to_string();
        let name = id.rsplit('/').next().unwrap_or(&id);
        let day = if id.starts_with("journals/") { journal_day(name, rules) } else { None };
        let title = day.and_then(|day| journal_title(day, rules)).unwrap_or_else(|| page_title(name));
        let in_range = day.filter(|day| (1970..2200).contains(&day.year()));
        let day = in_range.and_then(|day| Date::try_from(day.to_string()).ok());
        PageName { id, title, day }
    }
}

/// File names write `/` as `___` or `%2F`, and other characters as `%XX`.
fn page_title(name: &str) -> String {
    percent_decoded(&name.replace("___", "/")).into_owned()
}

fn journal_day(name: &str, rules: &LogseqRules) -> Option<jiff::civil::Date> {
    DateFormat::java(rules.journal_file_format.as_deref().unwrap_or("yyyy_MM_dd"))?.read(name)
}

fn journal_title(day: jiff::civil::Date, rules: &LogseqRules) -> Option<String> {
    let format = DateFormat::java(rules.journal_title_format.as_deref().unwrap_or("MMM do, yyyy"))?;
    Some(format.write(day))
}
