//! What links and relations of a Notion export lead to. Exports write paths from several directories, also to files that
//! do not exist, so that only the 32 digits of the id count.

use super::name::{ID_LEN, is_id, without_csv};
use crate::dialect::workspace::media::is_address;

/// The id of the page or database that the target of a link names.
pub fn target_id(target: &str) -> Option<&str> {
    let path = without_fragment(target);
    let is_address = target.contains("://");
    let stem = match path.strip_suffix(".md") {
        Some(stem) => stem,
        None if path.ends_with(".csv") => without_csv(path)?.0,
        None if is_address || target.starts_with('/') => path,
        None => return None,
    };
    if is_address && !is_of_notion(target) {
        return None;
    }
    let (before, id) = stem.split_at_checked(stem.len().checked_sub(ID_LEN)?)?;
    let stands_apart = before.is_empty() || before.ends_with(['/', ' ', '-', '(']) || before.ends_with("%20");
    (stands_apart && is_id(id)).then_some(id)
}

/// Whether a link that names no page leads to a file of the export.
pub fn is_file(target: &str) -> bool {
    let is_heading = target.starts_with('#') && !target.contains('/');
    !target.is_empty() && !is_heading && !is_address(target)
}

/// Without `?pvs=21` and `#heading`. Names of files may hold these characters, too.
fn without_fragment(target: &str) -> &str {
    if target.ends_with(".md") || target.ends_with(".csv") {
        return target;
    }
    let start = target.rfind('/').map_or(0, |at| at + 1);
    let end = target[start..].find(['?', '#']).map_or(target.len(), |at| start + at);
    &target[..end]
}

fn is_of_notion(address: &str) -> bool {
    let host = address.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    ["notion.so", "notion.site", "notion.com"].iter().any(|end| host == *end || host.ends_with(&format!(".{end}")))
}

/// Longer texts are no title and path of one row.
const MAX_ENTRY_LEN: usize = 8_192;

/// The ids of the rows that a value names: `Title (path ID.md), Title (path ID.md)`, or only the paths. None if the
/// value says something else, too.
pub fn relation_ids(value: &str) -> Option<Vec<&str>> {
    let value = value.trim();
    let ends = value.match_indices(',').map(|(at, _)| at).chain([value.len()]);
    let (mut ids, mut start) = (Vec::new(), 0);
    for end in ends {
        if end - start > MAX_ENTRY_LEN {
            return None;
        }
        if let Some(id) = entry_id(&value[start..end]) {
            ids.push(id);
            start = (end + 1).min(value.len());
        }
    }
    (start == value.len() && !ids.is_empty()).then_some(ids)
}

/// The id of one row. Commas in its title are no ends.
fn entry_id(entry: &str) -> Option<&str> {
    let entry = entry.trim();
    let Some(inside) = entry.strip_suffix(')') else { return target_id(entry) };
    // The path may hold parentheses, too. Its end is enough.
    target_id(inside.rsplit_once(" (").map_or(inside, |(_, path)| path))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "104d4deadd2c803a935ef9917447529e";
    const OTHER: &str = "78a634ceb042493e8919763b3f37830e";

    fn with_ids(text: &str) -> String {
        text.replace("ID", ID).replace("OTHER", OTHER)
    }

    #[test]
    fn the_digits_name_the_page() {
        for target in [
            "A%20b%20ID.md",
            "../C%20OTHER/A%20ID.csv",
            "A ID_all.csv",
            "A%20b%20ID.md",
            "#a (b)%20OTHER/c?%20ID.md",
            "https://www.notion.so/A-b-ID?pvs=21",
            "https://www.notion.so/ID",
            "https://team.notion.site/A-ID?v=OTHER#x",
            "/ID?pvs=21",
        ] {
            assert_eq!(target_id(&with_ids(target)), Some(ID), "{target}");
        }
        for target in [
            "A.md",
            "A%20ID/b.md",
            "A%20ID/b.png",
            "xID.md",
            "ID",
            "https://example.org/ID",
            "https://example.org/notion.so/ID",
            "https://www.notion.so/help",
            "#ID",
            "",
            "日本語日本語日本語日本語日本語.md",
        ] {
            assert_eq!(target_id(&with_ids(target)), None, "{target}");
        }
    }

    #[test]
    fn relations_are_values_of_nothing_but_rows() {
        let check = |value: &str, ids: Option<&[&str]>| {
            assert_eq!(relation_ids(&with_ids(value)).as_deref(), ids, "{value}");
        };
        check("A (../A%20ID.md)", Some(&[ID]));
        check("A, b (c) (A,%20b%20(c)%20ID.md), D (x/D%20OTHER.md)", Some(&[ID, OTHER]));
        check("x/A b ID.md, x/D OTHER.md", Some(&[ID, OTHER]));
        check("A (https://www.notion.so/A-ID?pvs=21)", Some(&[ID]));
        check("See https://x.y (A%20ID.md)", Some(&[ID]));
        check("A (../A%20ID.md) and more", None);
        check("A, b", None);
        check("x/A%20ID/photo.png", None);
        check("", None);
        check(&"a,".repeat(10_000), None);
    }
}
