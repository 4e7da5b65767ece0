//! Blocks in files, and who may read them.

use super::*;
use crate::record::{ProblemCode, SourceKind};
use crate::text::Span;

/// Blocks as `id type parent grants`, where grants are `narrow=a|b` or `replace=a`; `-` for nothing.
fn file(lines: &[&str]) -> Arc<WorkspaceFile> {
    let mut file = WorkspaceFile::new(SourceKind::Blocks);
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let mut block = Block::new(words[0].into(), BlockType::named(words[1]).unwrap(), Span::new(0, 0));
        block.parent = Some(words[2].to_string()).filter(|parent| parent != "-");
        block.grants = words[3..].iter().map(|grant| grant_of(grant)).collect();
        file.blocks.push(block);
    }
    Arc::new(file)
}

fn grant_of(word: &str) -> Grant {
    let (mode, names) = word.split_once('=').unwrap();
    let read = names.split('|').filter(|name| !name.is_empty()).map(str::to_string).collect();
    Grant { read, replaces: mode == "replace" }
}

fn workspace(lines: &[&str], default_read: &[&str]) -> Workspace {
    let path = RepoPath::try_from("a.jsonl".to_string()).unwrap();
    let default_read: Vec<String> = default_read.iter().map(|one| one.to_string()).collect();
    Workspace::new(vec![(path, file(lines))], &default_read)
}

fn audiences(lines: &[&str], default_read: &[&str]) -> Vec<String> {
    let workspace = workspace(lines, default_read);
    workspace.audiences.iter().map(|audience| serde_json::to_string(audience).unwrap()).collect()
}

#[test]
fn grants_narrow_from_the_root_down() {
    let lines = ["r page - ", "p page r narrow=team:a|user:1", "t text p", "u text r narrow=public"];
    let lines = lines.map(str::trim_end);
    let team = r#"[["team:a","user:1"],["workspace:w"]]"#;
    assert_eq!(audiences(&lines, &["workspace:w"]), [r#"[["workspace:w"]]"#, team, team, r#"[["workspace:w"]]"#]);
}

#[test]
fn nothing_is_granted_by_default() {
    assert_eq!(audiences(&["r page -", "p page r narrow=user:1"], &[]), ["[[]]", "[[]]"]);
    assert_eq!(audiences(&["r page - narrow="], &["public"]), ["[[]]"], "an empty grant is for nobody");
    assert_eq!(audiences(&["r page - narrow=group:1"], &["public"]), ["[[]]"], "what is no principal admits nobody");
    assert!(workspace(&["r page -"], &[]).is_closed());
}

#[test]
fn a_page_may_replace_what_is_around_it_and_a_text_may_not() {
    let lines = ["r page - narrow=user:1", "p page r replace=public", "t text p", "u text r replace=public"];
    assert_eq!(audiences(&lines, &[]), [r#"[["user:1"]]"#, "[]", "[]", r#"[["user:1"]]"#]);
    let workspace = workspace(&lines, &[]);
    let troubles: Vec<_> = workspace.troubles.values().flatten().map(|trouble| trouble.code).collect();
    assert_eq!(troubles, [ProblemCode::Permission]);
}

#[test]
fn nobody_reads_a_cycle_or_what_has_lost_its_parent() {
    let lines = ["a page b", "b page a", "c page b", "d page c replace=user:1", "e page gone", "f text e"];
    assert_eq!(audiences(&lines, &["public"]), ["[[]]", "[[]]", "[[]]", r#"[["user:1"]]"#, "[[]]", "[[]]"]);
}

#[test]
fn both_chains_count() {
    let path = |name: &str| RepoPath::try_from(name.to_string()).unwrap();
    let mut listing = WorkspaceFile::clone(&file(&["p page - narrow=user:1", "q page - narrow=user:2", "t text p"]));
    listing.blocks[1].children = vec!["t".into()];
    let workspace = Workspace::new(vec![(path("a.jsonl"), Arc::new(listing))], &[]);
    assert_eq!(serde_json::to_string(&workspace.audiences[2]).unwrap(), r#"[["user:1"],["user:2"]]"#);
}

#[test]
fn an_id_means_the_block_of_its_own_file_or_else_all() {
    let path = |name: &str| RepoPath::try_from(name.to_string()).unwrap();
    let files = vec![
        (path("a.jsonl"), file(&["p page - narrow=user:1", "t text p"])),
        (path("b.jsonl"), file(&["p page - narrow=user:2"])),
        (path("c.jsonl"), file(&["u text p"])),
    ];
    let workspace = Workspace::new(files, &[]);
    assert_eq!(
        serde_json::to_string(workspace.audiences_of(&path("a.jsonl"))).unwrap(),
        r#"[[["user:1"]],[["user:1"]]]"#
    );
    assert_eq!(
        serde_json::to_string(workspace.audiences_of(&path("c.jsonl"))).unwrap(),
        r#"[[["user:1"],["user:2"]]]"#
    );
    assert_eq!(workspace.troubles_of(&path("b.jsonl")).len(), 1);
}

#[test]
fn long_chains_take_no_stack() {
    let mut blocks = WorkspaceFile::new(SourceKind::Blocks);
    for at in 0..100_000 {
        let mut block = Block::new(at.to_string(), BlockType::Page, Span::new(0, 0));
        block.parent = (at > 0).then(|| (at - 1).to_string());
        blocks.blocks.push(block);
    }
    let path = RepoPath::try_from("a.jsonl".to_string()).unwrap();
    let workspace = Workspace::new(vec![(path, Arc::new(blocks))], &["user:1".to_string()]);
    assert_eq!(serde_json::to_string(&workspace.audiences[99_999]).unwrap(), r#"[["user:1"]]"#);
}

/// What is said about blocks that are all in one file.
fn troubles(lines: &[&str]) -> Vec<String> {
    let workspace = workspace(lines, &["public"]);
    let all = workspace.troubles.values().flatten();
    all.map(|trouble| format!("{:?}: {}", trouble.code, trouble.message)).collect()
}

#[test]
fn parents_that_are_not_there_or_go_round_are_said() {
    assert_eq!(
        troubles(&["a page gone", "b text a", "c page d", "d page c"]),
        [
            "ItemParent: block `a`: its parent `gone` is not there; nobody may read it",
            "ItemParent: block `c`: it is in a loop of blocks, or has too many parents; nobody may read it",
            "ItemParent: block `d`: it is in a loop of blocks, or has too many parents; nobody may read it",
        ]
    );
    assert_eq!(troubles(&["a page -", "b text a"]), [""; 0]);
}

#[test]
fn a_block_that_another_block_lists_has_two_parents() {
    let mut listing = WorkspaceFile::clone(&file(&["p page -", "q page -", "t text p", "u text -"]));
    listing.blocks[1].children = vec!["t".into(), "u".into()];
    let path = RepoPath::try_from("a.jsonl".to_string()).unwrap();
    let workspace = Workspace::new(vec![(path, Arc::new(listing))], &["public".to_string()]);
    let said: Vec<_> = workspace.troubles.values().flatten().map(|trouble| trouble.message.as_str()).collect();
    assert_eq!(said, ["block `t`: its parent is `p`, and `q` lists it; who reads it may read both"]);
}

#[test]
fn what_other_files_hold_is_part_of_the_digest() {
    let path = |name: &str| RepoPath::try_from(name.to_string()).unwrap();
    let digest = |id: &str| {
        let lines = [format!("{id} page - narrow=public")];
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let files = vec![(path("a.jsonl"), file(&lines)), (path("b.jsonl"), file(&["t text - narrow=public"]))];
        Workspace::new(files, &[]).digest()
    };
    assert_eq!(digest("p"), digest("p"));
    assert_ne!(digest("p"), digest("q"), "whether `p` is there decides what is said of a grant for it");
}
