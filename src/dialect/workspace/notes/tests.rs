//! What notes become, in both spellings and both forms of files.

use super::*;

fn drawn(text: &str) -> Vec<String> {
    let draw = |block: &Block| format!("{} {}: {}", block.id, block.block_type.word(), block.text);
    read(text).unwrap().blocks.iter().map(draw).collect()
}

fn troubles(text: &str) -> Vec<String> {
    let line = |span: Option<Span>| span.map_or(0, |span| text[..span.start as usize].matches('\n').count() + 1);
    let troubles = read(text).unwrap().troubles;
    troubles.iter().map(|trouble| format!("{}: {}: {}", line(trouble.span), trouble.code, trouble.message)).collect()
}

const CAMEL: &str = r##"{"id":"n1","title":"Plan","folderPath":"/work","contentMarkdown":"# Goals\n\n- [ ] \"Ship\"\n","frontmatter":"{\"aliases\":[\"The plan\"],\"tags\":\"#ops, q3\"}","createdBy":7,"createdAt":"2025-05-01","updatedAt":1748598000000}"##;
const SNAKE: &str = r##"{"id":"n1","title":"Plan","folder_path":"/work","content_markdown":"# Goals\n\n- [ ] \"Ship\"\n","frontmatter":{"alias":"The plan","tags":["ops","q3"]},"created_by":"7","created_at":"2025-05-01","updated_at":"2025-05-30T09:40:00Z"}"##;

#[test]
fn notes_are_pages_with_blocks() {
    for text in [CAMEL.to_string(), SNAKE.to_string(), format!("\u{feff}[\n {CAMEL}\n]"), format!("\n{SNAKE}\r\n")] {
        assert_eq!(drawn(&text), ["n1 page: Plan", "n1:1 heading: Goals", "n1:2 todo: - [ ] \"Ship\""]);
        let read = read(&text).unwrap();
        let page = &read.blocks[0];
        assert_eq!(read.kind, SourceKind::Notes);
        assert_eq!(read.troubles, []);
        assert_eq!((page.id_span.text(&text), page.children.len()), ("n1", 2));
        assert_eq!(
            (&page.aliases[..], &page.tags[..]),
            (&["The plan".to_string()][..], &["ops".to_string(), "q3".to_string()][..])
        );
        assert_eq!(page.created_by.as_deref(), Some("7"));
        assert_eq!(page.created.as_ref().unwrap().as_str(), "2025-05-01");
        assert_eq!(page.modified.as_ref().unwrap().as_str(), "2025-05-30T09:40:00Z");
        assert!(read.blocks.iter().all(|block| block.span.text(&text).starts_with("{\"id\"")));
    }
}

#[test]
fn a_note_may_say_little() {
    assert_eq!(
        drawn(r#"{"id":12,"title":null,"contentMarkdown":"---\ntitle: x\n---\na"}"#),
        ["12 page: ", "12:1 text: a"]
    );
    assert_eq!(drawn(r#"[{"id":"a"},{"id":"b"}]"#), ["a page: ", "b page: "]);
}

#[test]
fn what_cannot_be_read_is_said() {
    assert_eq!(
        troubles(
            "{\"id\":\"a\"}\n{\"title\":\"b\"}\nno\n{\"id\":\"c\",\"title\":1,\"frontmatter\":\"[]\",\"createdAt\":\"soon\"}"
        ),
        [
            "2: itemData: a note without an id; it is left out",
            "3: itemData: not a JSON object; the note is left out",
            "4: itemData: `title` is not a text; it is left out",
            "4: itemDate: `createdAt` is no date between 1970 and 2199",
            "4: itemData: `frontmatter` is not a JSON object; it is left out",
        ]
    );
    assert!(read("[{\"id\":\"a\"}").is_err());
    assert!(read("[{\"id\":\"a\"}] more").is_err());
}
