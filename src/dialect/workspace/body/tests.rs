//! Which blocks a body of markdown becomes.

use super::*;

/// Links to `Child`, `Page` and files of a folder are what they say.
fn find(target: &str) -> Target {
    match target {
        "Child" => Target::Child("child".to_string()),
        "Page" | "https://notion.so/page" => Target::Page("page".to_string()),
        _ if target.starts_with("Folder%20") => Target::File,
        _ => Target::Other,
    }
}

fn read(text: &str) -> BodyBlocks {
    Body { text, page: "p", place: BodyPlace::From(0) }.read(&find)
}

/// Each block as `number type < number of its parent: text`.
fn drawn(text: &str) -> Vec<String> {
    let number = |id: &str| id.strip_prefix("p:").unwrap_or(id).to_string();
    let draw = |block: &Block| {
        let parent = number(block.parent.as_deref().unwrap());
        let parent = if parent == "p" { String::new() } else { format!(" < {parent}") };
        let text = if block.text.is_empty() { String::new() } else { format!(": {}", block.text) };
        format!("{} {}{parent}{text}", number(&block.id), block.block_type.word())
    };
    read(text).blocks.iter().map(draw).collect()
}

fn check(text: &str, blocks: &[&str]) {
    assert_eq!(drawn(text), blocks, "{text}");
    let dos = text.replace('\n', "\r\n");
    assert_eq!(drawn(&dos), blocks, "with carriage returns: {text}");
}

#[test]
fn headings_and_paragraphs_are_children_of_the_page() {
    check(
        "# One **x**\n\ntext\nof two lines\n\n## Two ##\n\nThree\n=====\n\n#\n\n---\n",
        &["1 heading: One **x**", "2 text: text\nof two lines", "3 heading: Two", "4 heading: Three", "5 divider"],
    );
}

#[test]
fn tasks_stand_beside_lists() {
    check(
        "- [ ]  Call\n- [x] Write\n- [X]\tSend\n- [ ]\n- plain\n- [y] no\n- [x](u)\n- [ ]x\n- [ ] end",
        &[
            "1 todo: - [ ] Call",
            "2 todo: - [x] Write",
            "3 todo: - [x] Send",
            "4 todo: - [ ] ",
            "5 list",
            "6 list_item < 5: plain",
            "7 list_item < 5: [y] no",
            "8 list_item < 5: [x](u)",
            "9 list_item < 5: [ ]x",
            "10 todo: - [ ] end",
        ],
    );
    let done: Vec<_> = read("- [ ] a\n- [x] b\n- c").blocks.iter().map(|block| block.done).collect();
    assert_eq!(done, [Some(false), Some(true), None, None]);
}

#[test]
fn items_hold_what_is_indented_below_them() {
    check(
        "- a\n    - b\n        1. c\n    - d\n    \n    more\n    \n- \n- e\n",
        &[
            "1 list",
            "2 list_item < 1: a",
            "3 list < 2",
            "4 list_item < 3: b",
            "5 list < 4",
            "6 list_item < 5: c",
            "7 list_item < 3: d",
            "8 text < 2: more",
            "9 list_item < 1: e",
        ],
    );
    check(
        "- [ ] a\n    - [ ] b\n    - c\n",
        &["1 todo: - [ ] a", "2 todo < 1: - [ ] b", "3 list < 1", "4 list_item < 3: c"],
    );
    let ordered: Vec<_> = read("1. a\n\n- b").blocks.iter().map(|block| block.is_ordered).collect();
    assert_eq!(ordered, [true, false, false, false]);
}

#[test]
fn items_of_loose_lists_start_with_their_paragraph() {
    check(
        "- a\n  and b\n\n- c\n\n  d\n",
        &["1 list", "2 list_item < 1: a\nand b", "3 list_item < 1: c", "4 text < 3: d"],
    );
    check("- ## a\n- b", &["1 list", "2 list_item < 1", "3 heading < 2: a", "4 list_item < 1: b"]);
    check("- \\*a\n- \\[b]", &["1 list", "2 list_item < 1: \\*a", "3 list_item < 1: \\[b]"]);
}

#[test]
fn code_is_kept_to_the_letter() {
    let text = "```rust\nfn a() {\n\n    b\n}\n```\n\n~~~\n- c\n~~~\n\n- d\n    \n    ```plain text\n    e\n      f\n    ```\n";
    check(text, &["1 code: fn a() {\n\n    b\n}", "2 code: - c", "3 list", "4 list_item < 3: d", "5 code < 4: e\n  f"]);
    let languages: Vec<_> = read(text).blocks.iter().map(|block| block.language.clone()).collect();
    assert_eq!(languages, [Some("rust".to_string()), None, None, None, Some("plain".to_string())]);
}

#[test]
fn quotes_lose_their_marks() {
    check(
        "> a\n> - b\n>\n>c\nlazy\n\n- d\n    > e\n    > f",
        &["1 quote: a\n- b\n\nc\nlazy", "2 list", "3 list_item < 2: d", "4 quote < 3: e\nf"],
    );
}

#[test]
fn asides_are_quotes_up_to_their_end() {
    check("<aside>\n💡 a\n\n- b\n\n</aside>\n\nc", &["1 quote: 💡 a\n\n- b", "2 text: c"]);
    check("<aside>\na\n</aside>\nb\n\nc", &["1 quote: a", "2 text: b", "3 text: c"]);
    check("<aside>\n<img src=\"https://x.y/i.svg\" alt=\"i\" />\n\na\n</aside>", &["1 quote: a"]);
    check("<aside>\n<img src=\"i.svg\"/>\n\n</aside>", &[]);
    check("<aside>\nnever closed\n\nb", &["1 text: <aside>\nnever closed", "2 text: b"]);
    check(
        "- a\n    \n    <aside>\n    b\n    \n    </aside>\n    \n- c",
        &["1 list", "2 list_item < 1: a", "3 quote < 2: b", "4 list_item < 1: c"],
    );
}

#[test]
fn tables_have_rows_of_cells() {
    check(
        "| **A** | B |\n| --- | --- |\n| a \\| b |  |\n\nc",
        &[
            "1 table",
            "2 table_row < 1",
            "3 table_cell < 2: **A**",
            "4 table_cell < 2: B",
            "5 table_row < 1",
            "6 table_cell < 5: a | b",
            "7 table_cell < 5",
            "8 text: c",
        ],
    );
    check(
        "A | B\n-|-\na | b\nc | d",
        &[
            "1 table",
            "2 table_row < 1",
            "3 table_cell < 2: A",
            "4 table_cell < 2: B",
            "5 table_row < 1",
            "6 table_cell < 5: a",
            "7 table_cell < 5: b",
            "8 table_row < 1",
            "9 table_cell < 8: c",
            "10 table_cell < 8: d",
        ],
    );
}

#[test]
fn pictures_and_links_alone_on_a_line_are_blocks() {
    check(
        "![A cat](a%20b/c.png)\n\n![](x/d%20e.png?v=1)\n\n![x/f.png](x/f.png)",
        &["1 image: Image: A cat", "2 image: Image: d e.png", "3 image: Image: f.png"],
    );
    check("![A cat](c.png)\n\nA cat\n\nA cat", &["1 image: Image: A cat", "2 text: A cat"]);
    check(
        "see\n[**Docs**](https://x.y)\nand [this](https://x.z)\n<https://a.b>",
        &["1 text: see", "2 embed: Embed: Docs", "3 text: and [this](https://x.z)", "4 embed: Embed: https://a.b"],
    );
    check(
        "[](https://x.y)\n\n[]()\n\n- [Docs](https://x.y)",
        &["1 embed: Embed: https://x.y", "2 list", "3 list_item < 2: [Docs](https://x.y)"],
    );
}

/// The words of a block and the ids that it links to.
fn linked(block: &Block) -> String {
    let name = |link: &BlockLink| match &link.to {
        LinkTarget::Id(id) => id.clone(),
        LinkTarget::Title(title) => panic!("{title} is no id"),
    };
    let links: Vec<String> = block.links.iter().map(name).collect();
    format!("{} {}", block.text, links.join(","))
}

#[test]
fn links_to_pages_are_children_or_edges() {
    let body = read(
        "before [p](Page) and [c](Child)\n\n[c](Child)\n\n- [p](Page)\n\n[p](Page)\n\n[p](https://notion.so/page)\n\n[c](Child)",
    );
    assert_eq!(body.children, ["p:1", "p:2", "child", "p:3", "p:5", "p:6", "p:7"]);
    assert_eq!(body.mentioned, ["child", "child"]);
    let all: Vec<String> = body.blocks.iter().map(linked).collect();
    assert_eq!(all, ["before p and c page,child", " ", " ", "p page", " page", "Embed: p page", " child"]);
}

#[test]
fn whether_a_page_is_there_changes_nothing_but_the_order_of_children() {
    let text = "see [c](Child)\n\n[c](Child)\n\nthen\n";
    let gone = Body { text, page: "p", place: BodyPlace::From(0) }.read(&|_| Target::Page("child".to_string()));
    let all = |body: &BodyBlocks| -> Vec<(String, String, String)> {
        body.blocks.iter().map(|block| (block.id.clone(), block.text.clone(), format!("{:?}", block.span))).collect()
    };
    assert_eq!(all(&gone), all(&read(text)));
}

#[test]
fn paths_inside_of_an_export_are_no_words() {
    check(
        "## [**More** of it](Page) >>\n\n- [ ] see [a](Page), [b](Folder%20x/b.pdf), [c](https://x.y/Page) and [](Child)!\n\n> [d](Page)\n\n| [e](Page) | f |\n| --- | --- |\n\n`[g](Page)`",
        &[
            "1 heading: More of it >>",
            "2 todo: - [ ] see a, b, [c](https://x.y/Page) and !",
            "3 quote: d",
            "4 table",
            "5 table_row < 4",
            "6 table_cell < 5: e",
            "7 table_cell < 5: f",
            "8 text: `[g](Page)`",
        ],
    );
    check(
        "[Folder%20x/b%20c.pdf](Folder%20x/b%20c.pdf)\n\n[Slides](Folder%20x/b.pdf)\n\n[](Folder%20x/b.pdf)",
        &["1 embed: Embed: b c.pdf", "2 embed: Embed: Slides", "3 embed: Embed: b.pdf"],
    );
    check("[a](other.md) [b](#place)", &["1 text: [a](other.md) [b](#place)"]);
}

#[test]
fn nothing_is_lost() {
    check(
        "[a]: https://x.y\n\nb\n\n- [c]: https://x.y\n",
        &["1 text: [a]: https://x.y", "2 text: b", "3 list", "4 list_item < 3: [c]: https://x.y"],
    );
    check(
        "a\n\n    indented\n\n<div>\nb\n</div>\n\n<!-- c -->\n\n[^1]: d",
        &["1 text: a", "2 text: indented", "3 text: <div>\nb\n</div>", "4 text: [^1]: d"],
    );
    check("", &[]);
}

#[test]
fn blocks_know_where_they_are() {
    let text = "# A\n\n- b\n    - c\n\n> d\n\n[e](https://x.y)\n";
    let body = Body { text, page: "p", place: BodyPlace::From(10) }.read(&find);
    let spans: Vec<_> = body
        .blocks
        .iter()
        .map(|block| Span::new(block.span.start as usize - 10, block.span.end as usize - 10).text(text))
        .collect();
    assert_eq!(spans, ["# A", "- b\n    - c", "- b", "- c", "- c", "> d", "[e](https://x.y)"]);
    let around = Span::new(3, 7);
    let body = Body { text, page: "p", place: BodyPlace::Inside(around) }.read(&find);
    assert!(body.blocks.iter().all(|block| block.span == around));
}

#[test]
fn any_depth_and_length_is_read() {
    let deep: String = (0..100_000).map(|level| format!("{}- a\n", "  ".repeat(level % 400))).collect();
    assert!(!read(&deep).blocks.is_empty());
    assert_eq!(drawn(&format!("{}a", "> ".repeat(100_000))).len(), 1);
    let asides = "<aside>\n\n".repeat(50_000);
    assert_eq!(read(&asides).blocks.len(), 50_000);
    let links = "[a](Page)\n".repeat(50_000);
    assert_eq!(read(&links).blocks.len(), 50_000);
}
