//! An export as it is unzipped, written by hand, and what its files become.

use super::*;
use crate::dialect::workspace::{Block, LinkTarget};
use crate::record::BlockType;

/// An id of 32 digits that ends with a number.
fn id(number: u32) -> String {
    format!("{number:032x}")
}

/// Files with `{1}` for the id of this number.
struct Export {
    texts: Vec<(RepoPath, String)>,
}

impl Export {
    fn new(files: &[(&str, &str)]) -> Self {
        let path = |path: &str| RepoPath::try_from(with_ids(path)).unwrap();
        Export { texts: files.iter().map(|(name, text)| (path(name), with_ids(text))).collect() }
    }

    fn files(&self) -> Vec<(RepoPath, &str)> {
        self.texts.iter().map(|(path, text)| (path.clone(), text.as_str())).collect()
    }

    fn read(&self) -> Vec<WorkspaceFile> {
        let files = self.files();
        let export = NotionExport::new(&files);
        files.iter().map(|(path, text)| export.read(path, text)).collect()
    }

    fn blocks(&self) -> Vec<Block> {
        self.read().into_iter().flat_map(|file| file.blocks).collect()
    }

    fn block(&self, id: &str) -> Block {
        let id = with_ids(id);
        self.blocks().into_iter().find(|block| block.id == id).unwrap_or_else(|| panic!("no block {id}"))
    }

    /// What `block` lists as its children, with numbers for ids.
    fn children(&self, block: &str) -> Vec<String> {
        self.block(block).children.iter().map(|child| numbered(child)).collect()
    }
}

fn with_ids(text: &str) -> String {
    (0..30).fold(text.to_string(), |text, number| text.replace(&format!("{{{number}}}"), &id(number)))
}

fn numbered(text: &str) -> String {
    (0..30).fold(text.to_string(), |text, number| text.replace(&id(number), &number.to_string()))
}

/// A block as `id type < parent: title`.
fn drawn(block: &Block) -> String {
    let parent = block.parent.as_deref().unwrap_or("-");
    let title = block.title.as_deref().unwrap_or("-");
    let template = if block.template { " template" } else { "" };
    numbered(&format!("{} {} < {parent}: {title}{template}", block.id, block.block_type.word()))
}

fn values(block: &Block) -> Vec<String> {
    block.named_values.iter().map(|(name, values)| format!("{name}: {}", values.join("|"))).collect()
}

fn links(block: &Block) -> Vec<String> {
    let shown = |link: &crate::dialect::workspace::BlockLink| {
        let LinkTarget::Id(id) = &link.to else { panic!("links of exports are ids") };
        assert_eq!(link.is_relation, link.label.is_some());
        numbered(&format!("{} {id}", link.label.as_deref().unwrap_or("-")))
    };
    block.links.iter().map(shown).collect()
}

const TASKS: &str = "\u{feff}Name,Due,Done,Project,Note\r\n\
    Order wood,\"April 17, 2024\",No,\"Sauna, new (Home%20{1}/Projects%20{5}/Sauna%2C%20new%20{6}.md), Fence (Home%20{1}/Projects%20{5}/Fence%20{7}.md)\",\"two\r\nlines, \"\"quoted\"\"\"\r\n\
    Call Ann,,Yes,,first\r\n\
    Call Ann,,Yes,,second\r\n\
    ,,No,,\r\n\
    Paint,,No,,";

fn export() -> Export {
    Export::new(&[
        (
            "Home {1}.md",
            "# Home\n\nSee [the fence](Home%20{1}/Projects%20{5}/Fence%20{7}.md).\n\n\
             [Tasks](Home%20{1}/Tasks%20{2}.md)\n\n- [ ]  Water the plants\n\n[Notes](Notes%20{9}.md)\n",
        ),
        ("Home {1}/Tasks {2}_all.csv", TASKS),
        ("Home {1}/Tasks {2}.csv", "\u{feff}Name,Due\r\nPaint,"),
        (
            "Home {1}/Tasks {2}/Order wood {11}.md",
            "# Order wood\r\n\r\nDue: April 17, 2024\r\nDone: No\r\n\
             Project: Sauna, new (../Projects%20{5}/Sauna%2C%20new%20{6}.md), Fence (../Projects%20{5}/Fence%20{7}.md)\r\n\
             Note: two\r\nlines, \"quoted\"\r\n\r\nTwelve planks.\r\n",
        ),
        ("Home {1}/Tasks {2}/Call Ann {12}.md", "# Call Ann\n\nDone: Yes\nNote: second\n"),
        ("Home {1}/Tasks {2}/Call Ann {13}.md", "# Call Ann\n\nDone: Yes\nNote: first\n"),
        ("Home {1}/Tasks {2}/Untitled {14}.md", "# Untitled\n\nDone: No\n"),
        ("Home {1}/Tasks {2}/New task {15}.md", "# New task\n\nDone: No\n\n- [ ] Step\n"),
        ("Home {1}/Tasks {2}/Call Ann {13}/Script {16}.md", "# Script\n\nDone: this is a text\n"),
        (
            "Home {1}/Projects {5}_all.csv",
            "Name,Cost,Tasks\nFence,12.5,Paint (https://www.notion.so/Paint-{20}?pvs=21)\n\"Sauna, new\",7,\n",
        ),
        (
            "Home {1}/Projects {5}/Sauna, new {6}.md",
            "# Sauna, new\n\nCost: 7\n\n[Tasks](Sauna,%20new%20{6}/Tasks%20{8}.csv)\n",
        ),
        ("Home {1}/Projects {5}/Sauna, new {6}/Tasks {8}.csv", "Name,Due\nOrder wood,"),
        (
            "Home {1}/Projects {5}/Fence {7}.md",
            "# Fence\n\nCost: 12.5\nTasks: Paint (https://www.notion.so/Paint-{20}?pvs=21)\n",
        ),
        ("Home {1}/Notes {9}.md", "# Notes \\* of *this* year\nText: at once\n"),
        ("Home {1}/Notes/Old {10}.md", "# Old\n"),
        ("Home {1}/Attic {17}.md", "no title\n"),
        ("__MACOSX/Home {1}/._Notes {9}.md", "x"),
        ("Home {1}/index.html", "x"),
    ])
}

#[test]
fn names_say_which_files_are_of_an_export() {
    let is_named_so = |name: &str| NotionExport::is_named_so(&RepoPath::try_from(with_ids(name)).unwrap());
    for name in ["A {1}.md", "a/b/A b {1}.csv", "A {1}_all.csv", "# {1}.md"] {
        assert!(is_named_so(name), "{name}");
    }
    let capitals = format!("A {}.md", "A".repeat(32));
    for name in ["A.md", "A{1}.md", "{1}.md", "A {1}.txt", "A {1}_all.md", "._A {1}.md", "__MACOSX/A {1}.md", &capitals]
    {
        assert!(!is_named_so(name), "{name}");
    }
}

#[test]
fn pages_and_rows_have_their_places() {
    let blocks = export().blocks();
    let drawn: Vec<String> = blocks
        .iter()
        .filter(|block| block.title.is_some() || block.block_type == BlockType::DbRow)
        .map(drawn)
        .collect();
    assert_eq!(
        drawn,
        [
            "1 page < -: Home",
            "2 database < 1: Tasks",
            "2:5 db_row < 2: Paint",
            "11 db_row < 2: Order wood",
            "12 db_row < 2: Call Ann",
            "13 db_row < 2: Call Ann",
            "14 db_row < 2: Untitled",
            "15 db_row < 2: New task template",
            "16 page < 13: Script",
            "5 database < 1: Projects",
            "6 db_row < 5: Sauna, new",
            "7 db_row < 5: Fence",
            "9 page < 1: Notes \\* of *this* year",
            "10 page < 9: Old",
            "17 page < 1: Attic",
        ]
    );
    assert!(blocks.iter().filter(|block| block.block_type == BlockType::DbRow).all(|row| row.database == row.parent));
}

#[test]
fn children_stand_as_the_body_and_the_table_have_them() {
    let export = export();
    assert_eq!(export.children("{1}"), ["1:1", "1:2", "2", "1:3", "1:4", "9", "5", "17"]);
    assert_eq!(export.children("{2}"), ["11", "13", "12", "14", "2:5", "15"]);
    assert_eq!(export.children("{9}"), ["9:1", "10"]);
    assert_eq!(export.children("{13}"), ["16"]);
    assert_eq!(links(&export.block("{1}:1")), ["- 7"]);
    assert_eq!(export.block("{1}:1").text, "See the fence.");
}

#[test]
fn rows_have_values_and_relations() {
    let export = export();
    let row = export.block("{11}");
    assert_eq!(values(&row), ["Due: April 17, 2024", "Done: No", "Note: two\nlines, \"quoted\""]);
    assert_eq!(links(&row), ["Project 6", "Project 7"]);
    assert_eq!(row.due.unwrap().as_str(), "2024-04-17");
    assert_eq!(export.block("{11}:1").text, "Twelve planks.");
    assert_eq!(links(&export.block("{7}")), ["Tasks 20"]);
    assert_eq!(values(&export.block("{2}:5")), ["Done: No"]);
    assert_eq!(values(&export.block("{15}")), ["Done: No"]);
    assert_eq!(export.block("{15}:1").text, "- [ ] Step");
    assert_eq!(export.block("{16}:1").text, "Done: this is a text");
    assert_eq!(export.block("{9}:1").text, "Text: at once");
}

#[test]
fn databases_have_properties_of_a_kind() {
    let text = |number| export().block(number).text;
    assert_eq!(
        text("{2}"),
        "Tasks\nProperties: Name (text), Due (date), Done (checkbox), Project (relation), Note (text)"
    );
    assert_eq!(text("{5}"), "Projects\nProperties: Name (text), Cost (number), Tasks (relation)");
}

#[test]
fn views_have_no_rows() {
    let export = export();
    let read = export.read();
    assert_eq!(read[2], WorkspaceFile::new(SourceKind::Notion));
    let view = &read[11];
    assert!(view.blocks.is_empty());
    assert_eq!(view.troubles.iter().map(|trouble| trouble.code).collect::<Vec<_>>(), [ProblemCode::ItemView]);
    let embed = export.block("{6}:1");
    assert_eq!((embed.block_type, embed.text.as_str()), (BlockType::Embed, ""));
    assert_eq!(links(&embed), ["- 8"]);
}

#[test]
fn every_block_is_a_piece_of_its_file() {
    let export = export();
    for (file, (path, text)) in export.read().iter().zip(&export.texts) {
        for block in &file.blocks {
            assert!(block.span.text(text).trim() == block.span.text(text), "{path}: {block:?}");
            assert!(block.links.iter().all(|link| link.span.end as usize <= text.len()));
        }
    }
    let span = |number| export.block(number).span;
    assert_eq!(span("{1}").text(&export.texts[0].1), "# Home");
    assert_eq!(span("{13}").text(&export.texts[5].1), "# Call Ann\n\nDone: Yes\nNote: first");
    assert_eq!(span("{2}:5").text(&export.texts[1].1), "Paint,,No,,");
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    let export = export();
    let mut files = export.files();
    let read = NotionExport::new(&files);
    files.reverse();
    assert_eq!(NotionExport::new(&files), read);
}

#[test]
fn facts_change_with_what_other_files_say() {
    let facts = |files: &[(&str, &str)]| {
        let export = Export::new(files);
        let files = export.files();
        NotionExport::new(&files).facts(&files[0].0)
    };
    let row = ("D {1}/A {2}.md", "# A\n\n[b](B%20{3}.md)\n");
    let alone = facts(&[row]);
    assert_eq!(alone, facts(&[row, ("C {4}.md", "# C")]));
    let in_table = facts(&[row, ("D {1}_all.csv", "Name,X\nA,1")]);
    assert_ne!(in_table, alone);
    assert_eq!(in_table, facts(&[row, ("D {1}_all.csv", "Name,X\nA,2")]));
    assert_ne!(in_table, facts(&[row, ("D {1}_all.csv", "Name,Y\nA,1")]));
    assert_ne!(in_table, facts(&[row, ("D {1}_all.csv", "Name,X\nB,1")]));
    assert_eq!(alone, facts(&[row, ("B {3}.md", "# B")]), "a link is the same whether its page is there or not");
    assert_ne!(alone, facts(&[row, ("D {1}/A {2}/B {5}.md", "# B")]));
    assert_eq!(facts(&[("A.md", "")]), "");
}

#[test]
fn parts_of_an_export_are_read() {
    let export =
        Export::new(&[("Home {1}/Work {2}/A {3}.md", "# A"), ("Home {1}/B {4}/C {5}.md", "#"), ("Home {1}.md", "")]);
    let drawn: Vec<String> = export.blocks().iter().map(drawn).collect();
    assert_eq!(drawn, ["3 page < 1: A", "5 page < 1: C", "1 page < -: Home"]);
    assert_eq!(export.children("{1}"), ["3", "5"]);
}

#[test]
fn tables_of_older_exports_have_rows() {
    let export = Export::new(&[
        ("Old {1}.csv", "Name,Created\nA,\"Jul 9, 2020 9:53 PM\"\nB,"),
        ("Old {1}/A {2}.md", "# A\n\nCreated: Jul 9, 2020 9:53 PM\n"),
        ("View {3}.csv", "Name\nA"),
    ]);
    let drawn: Vec<String> = export.blocks().iter().map(drawn).collect();
    assert_eq!(drawn, ["1 database < -: Old", "1:2 db_row < 1: B", "2 db_row < 1: A"]);
    assert_eq!(export.block("{2}").created.unwrap().as_str(), "2020-07-09T21:53:00Z");
}

#[test]
fn folders_of_newer_exports_have_no_ids() {
    let export = Export::new(&[
        ("Team {1}.md", "# Team\n\n[Plans](Team/Plans%20{2}.csv)\n"),
        ("Team/Plans {2}_all.csv", "Name\nQ1\n\nQ2"),
        ("Team/Plans {2}.csv", "Name\nQ1"),
        ("Team/Plans/Q1 {3}.md", "# Q1\n"),
        ("Team/Plans/Untitled {4}.md", "# Untitled\n"),
        ("Team/Plans/Q1/Part {5}.md", "# Part\n"),
    ]);
    let drawn: Vec<String> = export.blocks().iter().filter(|block| block.title.is_some()).map(drawn).collect();
    assert_eq!(
        drawn,
        [
            "1 page < -: Team",
            "2 database < 1: Plans",
            "2:3 db_row < 2: Q2",
            "3 db_row < 2: Q1",
            "4 db_row < 2: Untitled",
            "5 page < 3: Part"
        ]
    );
    assert_eq!(export.children("{1}"), ["1:1", "2"]);
}

#[test]
fn a_page_that_is_gone_changes_no_other_page() {
    let home = (
        "Home {1}.md",
        "# Home\n\n[A](Home%20{1}/A%20{2}.md)\n\nsee [A](Home%20{1}/A%20{2}.md)\n\n- [B](B%20{3}.md)\n",
    );
    let others = [home, ("B {3}.md", "# B\n\n[A](https://www.notion.so/A-{2})\n\n[A](Home%20{1}/A%20{2}.md)\n")];
    let all = |files: &[(&str, &str)]| -> Vec<String> {
        let blocks = Export::new(files).blocks().into_iter().filter(|block| !block.id.starts_with(&id(2)));
        let said = blocks.map(|block| (block.id, block.block_type, block.title, block.text, block.parent, block.span));
        said.map(|said| numbered(&format!("{said:?}"))).collect()
    };
    let with_page = [&others[..], &[("Home {1}/A {2}.md", "# A\n\ntext\n")]].concat();
    assert_eq!(all(&others), all(&with_page));
    assert_eq!(all(&others).len(), 8);
}

#[test]
fn titles_may_stand_in_any_column() {
    let export = Export::new(&[
        ("D {1}_all.csv", "#,Status,Name,Seen\n7,A,A,x\n8,B,C,\n9,A,B"),
        ("D {1}/A {2}.md", "# A\n\n#: 7\nStatus: A\nSeen: x\n\n#: text\n"),
        ("D {1}/C {3}.md", "# C\n\n#: 8\nStatus: B\n"),
        ("E {4}_all.csv", "Name,Kind\nA,A\nB,A"),
        ("E {4}/A {5}.md", "# A\n\nKind: A\n"),
    ]);
    let drawn: Vec<String> = export.blocks().iter().filter(|block| block.title.is_some()).map(drawn).collect();
    assert_eq!(
        drawn,
        [
            "1 database < -: D",
            "1:3 db_row < 1: B",
            "2 db_row < 1: A",
            "3 db_row < 1: C",
            "4 database < -: E",
            "4:2 db_row < 4: B",
            "5 db_row < 4: A"
        ]
    );
    assert_eq!(export.block("{1}").text, "D\nProperties: Name (text), # (number), Status (text), Seen (text)");
    assert_eq!(values(&export.block("{2}")), ["#: 7", "Status: A", "Seen: x"]);
    assert_eq!(export.block("{2}:1").text, "#: text");
    assert_eq!(values(&export.block("{1}:3")), ["#: 9", "Status: A"]);
}

#[test]
fn titles_that_are_links_are_addresses_in_the_table() {
    let export = Export::new(&[
        ("D {1}_all.csv", "Name,N\nhttps://x.y/a,1\nhttps://x.y/b,2\nhttps://x.y/c,\nC,3"),
        ("D {1}/A {2}.md", "# A\n\nN: 1\n"),
        ("D {1}/E {3}.md", "# E\n"),
        ("D {1}/F {4}.md", "# F\n\nN: 3\n"),
    ]);
    let drawn: Vec<String> = export.blocks().iter().map(drawn).collect();
    assert_eq!(
        drawn,
        [
            "1 database < -: D",
            "1:2 db_row < 1: https://x.y/b",
            "1:3 db_row < 1: https://x.y/c",
            "1:4 db_row < 1: C",
            "2 db_row < 1: A",
            "3 db_row < 1: E template",
            "4 db_row < 1: F template"
        ]
    );
}

#[test]
fn files_in_values_have_no_paths() {
    let export = Export::new(&[(
        "D {1}_all.csv",
        "Name,Files\nA,\"D%20{1}/A%20{2}/a%20b.png, ../c.pdf\"\nB,and/or.x\nC,https://x.y/z.png\nD,../e.png and more",
    )]);
    let shown: Vec<String> = export.blocks().iter().flat_map(values).collect();
    assert_eq!(
        shown,
        ["Files: a b.png, c.pdf", "Files: and/or.x", "Files: https://x.y/z.png", "Files: ../e.png and more"]
    );
}

#[test]
fn tables_that_are_broken_are_read_and_said() {
    let export = Export::new(&[("A {1}_all.csv", "Name,B\nx,1,2\ny,\"z")]);
    let read = &export.read()[0];
    assert_eq!(read.blocks.len(), 3);
    let messages: Vec<&str> = read.troubles.iter().map(|trouble| trouble.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "a row with 3 fields in a table with 2 columns",
            "a quote that nothing closes; the rest of the table is one field"
        ]
    );
    assert_eq!(Export::new(&[("A {1}_all.csv", "")]).blocks().len(), 1);
}

#[test]
fn many_equal_rows_are_read() {
    let rows = 20_000;
    let mut files: Vec<(String, String)> =
        (0..rows).map(|row| (format!("D {}/A {}.md", id(1), id(row + 50)), "# A\n\nX: 1\n".to_string())).collect();
    files.push((format!("D {}_all.csv", id(1)), "Name,X\n".to_string() + &"A,1\n".repeat(rows as usize)));
    let files: Vec<(RepoPath, &str)> =
        files.iter().map(|(path, text)| (RepoPath::try_from(path.clone()).unwrap(), text.as_str())).collect();
    let export = NotionExport::new(&files);
    let (path, text) = files.last().unwrap();
    let read = export.read(path, text);
    assert_eq!((read.blocks.len(), read.blocks[0].children.len()), (1, rows as usize));
    assert!(read.blocks[0].children.is_sorted());
}
