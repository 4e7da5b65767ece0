//! What the pages of `docs/` show can be used as it stands there.

use std::fs;

use contextpack::dialect::workspace::read;
use contextpack::record::SourceKind;
use contextpack::record::workspace::{ContextRequest, PayloadPart};
use toml::Table;

use crate::tool::home;

/// The indented blocks of a page of `docs/`.
pub fn examples(page: &str) -> Vec<String> {
    let page = text(page);
    let mut blocks = vec![String::new()];
    for line in page.lines() {
        match line.strip_prefix("    ") {
            Some(line) => *blocks.last_mut().unwrap() += &format!("{line}\n"),
            None if line.is_empty() && !blocks.last().unwrap().is_empty() => blocks.last_mut().unwrap().push('\n'),
            None => blocks.push(String::new()),
        }
    }
    blocks.into_iter().map(|block| block.trim_end().to_string()).filter(|block| !block.is_empty()).collect()
}

/// The first block of a page that starts so.
pub fn example(page: &str, start: &str) -> String {
    examples(page).into_iter().find(|block| block.starts_with(start)).expect("the page has the block")
}

/// A page of `docs/`.
pub fn text(page: &str) -> String {
    fs::read_to_string(home().join("docs").join(page)).unwrap()
}

const WORKSPACE: &str = "workspace.md";

fn workspace_table(start: &str) -> Table {
    let table: Table = example(WORKSPACE, start).parse().unwrap();
    table["workspace"].as_table().unwrap().clone()
}

#[test]
fn the_page_of_workspaces_has_every_setting_and_its_default() {
    let defaults = fs::read_to_string(home().join("src/profiles/workspace.toml")).unwrap();
    let mut defaults: Table = defaults.parse().unwrap();
    defaults.remove("types").expect("types of requests have settings of their own");
    let mut shown = workspace_table("[workspace]\ndefault_read = []");
    let read_with =
        "default_read = []\nderived_columns = []\ndue_words = ['due', 'deadline']\nmax_file_bytes = 536870912";
    let read_with: Table = read_with.parse().unwrap();
    for (key, default) in read_with {
        assert_eq!(shown.remove(&key), Some(default), "{key}");
    }
    assert_eq!(shown, defaults);
}

#[test]
fn the_examples_of_the_page_of_workspaces_can_be_read() {
    let blocks = read(SourceKind::Blocks, &example(WORKSPACE, "{\"id\":\"p1\"")).unwrap();
    assert_eq!((blocks.blocks.len(), blocks.troubles.len()), (4, 0));
    let rights = read(SourceKind::Permissions, &example(WORKSPACE, "{\"block\":")).unwrap();
    assert_eq!((rights.grants.len(), rights.default_grants.len(), rights.troubles.len()), (2, 1, 0));
    let request: ContextRequest = serde_json::from_str(&example(WORKSPACE, "{\"query\":")).unwrap();
    request.check().unwrap();
    for start in ["[workspace]\ndefault_read = [\"w", "[workspace]\nderived_columns"] {
        assert_eq!(workspace_table(start).len(), 1);
    }
}

#[test]
fn the_page_of_workspaces_names_every_section() {
    let page = text(WORKSPACE);
    let missing = PayloadPart::ALL.into_iter().find(|part| !page.contains(&format!("| {} |", part.title())));
    assert_eq!(missing, None);
}
