//! Shows what is read from a real export. Such exports are not part of the project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::*;

/// Reads the export in the folder that `NOTION_EXPORT` names, and prints what comes out.
#[test]
#[ignore = "needs a folder with an export"]
#[expect(clippy::disallowed_methods, reason = "reads what a person points it to")]
fn shows_a_real_export() {
    let root = PathBuf::from(std::env::var("NOTION_EXPORT").unwrap());
    let mut texts: Vec<(RepoPath, String)> = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = RepoPath::from_bytes(relative(&root, &path).as_bytes()).unwrap();
            if NotionExport::is_named_so(&name) {
                texts.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    texts.sort();
    let files: Vec<(RepoPath, &str)> = texts.iter().map(|(path, text)| (path.clone(), text.as_str())).collect();
    let export = NotionExport::new(&files);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, text) in &files {
        let read = export.read(path, text);
        println!("\n=== {path} {:?}", export.files[path].role);
        for trouble in &read.troubles {
            println!("!!! {trouble:?}");
            *counts.entry("trouble").or_default() += 1;
        }
        for block in &read.blocks {
            *counts.entry(block.block_type.word()).or_default() += 1;
            println!("{}", shown(block));
        }
        println!("lost: {:?}", lost(text, &read));
    }
    println!("{counts:#?}");
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap().to_str().unwrap().to_string()
}

fn shown(block: &crate::dialect::workspace::Block) -> String {
    let mut line = format!("{} {} < {}", block.id, block.block_type.word(), block.parent.as_deref().unwrap_or("-"));
    if let Some(title) = &block.title {
        line += &format!(" title={title:?}");
    }
    if !block.text.is_empty() {
        line += &format!(" {:?}", block.text);
    }
    if !block.children.is_empty() {
        line += &format!(" children={:?}", block.children);
    }
    if block.template {
        line += " TEMPLATE";
    }
    for (name, values) in &block.named_values {
        line += &format!("\n    {name} = {values:?}");
    }
    for link in &block.links {
        line += &format!("\n    -> {:?} {:?}", link.to, link.label);
    }
    for (name, date) in [("due", &block.due), ("created", &block.created), ("modified", &block.modified)] {
        if let Some(date) = date {
            line += &format!("\n    {name} {date}");
        }
    }
    line
}

/// Lines of the file that are in no block.
fn lost<'t>(text: &'t str, read: &WorkspaceFile) -> Vec<&'t str> {
    let mut lost = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_start_matches('\u{feff}').trim();
        let start = (at + line.find(words).unwrap_or(0)) as u32;
        at += line.len();
        if words.is_empty() {
            continue;
        }
        if !read.blocks.iter().any(|block| block.span.holds(start)) {
            lost.push(words);
        }
    }
    lost
}
