//! A difference as markdown, for a comment on a pull request or the summary of a run.

use std::fmt::Write as _;

use super::diff_words;
use crate::door::pack::{ItemChange, PackDiff};
use crate::pipeline::{IndexDiff, PackMove};

/// A comment holds 65,536 characters; rows beyond these are counted.
const MAX_ROWS: usize = 100;
/// As much of a question as it takes to know it again.
const MAX_QUERY_CHARS: usize = 80;

pub fn index(diff: &IndexDiff) -> String {
    let (added, removed, changed) = (diff.files_added.len(), diff.files_removed.len(), diff.files_changed.len());
    if diff.is_empty() {
        return "### Context: nothing changed\n".to_string();
    }
    let mut text = format!("### Context: files changed {changed}, added {added}, removed {removed}\n");
    let named = |what: &'static str| move |path: &String| vec![code(path), what.to_string()];
    let files = diff.files_changed.iter().map(named("changed"));
    let files = files.chain(diff.files_added.iter().map(named("added")));
    table(&mut text, "| file | |\n| --- | --- |\n", files.chain(diff.files_removed.iter().map(named("removed"))));
    let packs = &diff.packs;
    let only = |what: &'static str| move |query: &String| [vec![question(query), what.to_string()], dashes(5)].concat();
    let rows = packs.changed.iter().map(|pack| [vec![question(&pack.query)], counts(pack)].concat());
    let rows = rows.chain(packs.added.iter().map(only("new"))).chain(packs.removed.iter().map(only("gone")));
    let head = "| pack | items that came | went | were edited | moved | resized | the same |\n";
    table(&mut text, &format!("{head}| --- {}|\n", "| --: ".repeat(6)), rows);
    let records = diff.artifacts.iter().map(|(name, found)| {
        let numbers = [found.added, found.removed, found.of_changed_files].map(|count| count.to_string());
        [vec![code(name)], numbers.to_vec()].concat()
    });
    let head = "| records | added | removed | of files that changed |\n| --- | --: | --: | --: |\n";
    table(&mut text, head, records);
    for rules in &diff.other_rules {
        let _ = write!(text, "\nOther rules: {}\n", code(rules));
    }
    text
}

pub fn pack(diff: &PackDiff) -> String {
    let mut text = format!("### Context: {} items differ, {} are the same\n", diff.items.len(), diff.same);
    if diff.index_changed {
        text += "\nThe indexes differ.\n";
    }
    if !diff.request.is_empty() {
        let _ = write!(text, "\nThe requests differ in {}.\n", code(&diff.request.join(", ")));
    }
    let row = |item: &ItemChange| {
        let (change, cause) = (diff_words::change(&item.change), diff_words::cause(item.cause).to_string());
        vec![code(&format!("{} {}", item.file_rel_path, item.title)), change, cause]
    };
    table(&mut text, "| item | change | because of |\n| --- | --- | --- |\n", diff.items.iter().map(row));
    text
}

/// Nothing at all for no rows.
fn table(text: &mut String, head: &str, rows: impl Iterator<Item = Vec<String>>) {
    let (mut shown, mut left) = (String::new(), 0);
    for (at, row) in rows.enumerate() {
        match at < MAX_ROWS {
            true => shown += &format!("| {} |\n", row.join(" | ")),
            false => left += 1,
        }
    }
    if !shown.is_empty() {
        let _ = write!(text, "\n{head}{shown}");
    }
    if left > 0 {
        let _ = write!(text, "\n… and {left} more\n");
    }
}

fn counts(pack: &PackMove) -> Vec<String> {
    [pack.added, pack.removed, pack.edited, pack.moved, pack.resized, pack.same].map(|count| count.to_string()).to_vec()
}

fn dashes(count: usize) -> Vec<String> {
    vec!["–".to_string(); count]
}

/// The start of a question, on one line.
fn question(query: &str) -> String {
    let words = query.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MAX_QUERY_CHARS) {
        None => code(&words),
        Some((end, _)) => code(&format!("{}…", &words[..end])),
    }
}

/// Text as code, so that nothing in it is a link, a mention, a column or markup.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let (fence, pad) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::{code, question};

    #[test]
    fn nothing_in_a_name_is_markup() {
        assert_eq!(code("a/b.py"), "`a/b.py`");
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(code("a\nb"), "`a b`");
        assert_eq!(question("why\n  @me?"), "`why @me?`");
        assert_eq!(question(&"é".repeat(99)), format!("`{}…`", "é".repeat(80)));
    }
}
