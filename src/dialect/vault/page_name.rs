//! What the path of a page says: its title, its day, and whether it is a template.

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::dialect::date_format::DateFormat;
use crate::dialect::note::VaultRules;
use crate::record::Date;
use crate::text::RepoPath;

pub struct PageName {
    /// The path from the root of the vault, without its ending.
    pub id: String,
    pub title: String,
    /// The day of a daily note.
    pub day: Option<Date>,
    pub is_template: bool,
}

impl PageName {
    pub fn new(path: &RepoPath, rules: &VaultRules) -> Self {
        let path = nfc(path.as_str().strip_prefix(rules.root.as_str()).unwrap_or(path.as_str()));
        let id = without_ending(&path);
        PageName {
            title: id.rsplit('/').next().unwrap_or(id).to_string(),
            day: daily_day(id, rules),
            is_template: rules.templates.as_deref().is_some_and(|folder| below(id, folder).is_some()),
            id: id.to_string(),
        }
    }
}

/// The normal form that people type.
pub fn nfc(text: &str) -> String {
    if is_nfc(text) { text.to_string() } else { text.nfc().collect() }
}

/// A path without the ending of its file.
pub fn without_ending(path: &str) -> &str {
    match path.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') && !stem.is_empty() && !stem.ends_with('/') => stem,
        _ => path,
    }
}

/// The rest of a path below a directory.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let folder = folder.trim_matches('/');
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

fn daily_day(path: &str, rules: &VaultRules) -> Option<Date> {
    let format = rules.daily_format.as_deref().filter(|format| !format.trim().is_empty()).unwrap_or("YYYY-MM-DD");
    let format = DateFormat::moment(format)?;
    let name = match rules.daily_folder.as_deref().filter(|folder| !folder.trim_matches('/').is_empty()) {
        Some(folder) => below(path, folder)?,
        None => last_parts(path, format.depth() + 1),
    };
    let day = format.read(name)?;
    (1970..2200).contains(&day.year()).then(|| Date::try_from(day.to_string()).ok())?
}

fn last_parts(path: &str, count: usize) -> &str {
    match path.rmatch_indices('/').nth(count - 1) {
        Some((at, _)) => &path[at + 1..],
        None => path,
    }
}
