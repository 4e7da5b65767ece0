//! A payload shows only what its reader may see, and a check of it finds everything else.

use contextpack::door::workspace::{
    Entry, Found, PartFound, ShownBlock, Summaries, WorkspaceSettings, payload, validate,
};
use contextpack::pipeline::{Access, PackSource};
use contextpack::record::pack::TreeState;
use contextpack::record::workspace::{
    ContextPayload, ContextRequest, PayloadErrorCode, PayloadPart, RequestType, Similarity,
};
use contextpack::record::{BlockType, Date, Principal, Reader, Score};
use tempfile::TempDir;

use crate::tool::{chunk, graph, plant};

/// A public page with a todo, and a page of user 2 with another one.
const BLOCKS: &[u8] = br#"{"id":"home","type":"page","title":"Home","read":["public"]}
{"id":"plan","type":"page","parent":"home","title":"Q3 Plan"}
{"id":"todo","type":"todo","parent":"plan","text":"Send invoices"}
{"id":"layoffs","type":"page","title":"Layoffs","read":["user:2"]}
{"id":"secret","type":"todo","parent":"layoffs","text":"Call the lawyer"}
"#;

fn index() -> TempDir {
    let scratch = TempDir::new().unwrap();
    plant(scratch.path(), &[("tree/blocks.jsonl", BLOCKS)]);
    let index = scratch.path().join("index");
    chunk(&scratch.path().join("tree"), &index.join("chunk"), &["--source-kind", "workspace"]);
    graph(&index, &[]);
    scratch
}

fn todo(id: &str, page: &str, path: &[&str]) -> Entry {
    Entry {
        block_id: id.to_string(),
        block_type: BlockType::Todo,
        page_title: Some(page.to_string()),
        path: path.iter().map(ToString::to_string).collect(),
        modified: None,
        content: "- [ ] Something".to_string(),
        blocks: vec![ShownBlock { block_id: id.to_string(), range: 0..15 }],
        language: None,
        is_whole: false,
        order: 0,
        relevance: Score::percent(50),
        why: None,
    }
}

fn payload_of(entry: Entry) -> ContextPayload {
    let part = PartFound { entries: vec![entry], ..PartFound::default() };
    let found = Found {
        parts: [(PayloadPart::Semantic, part)].into(),
        considered: 1,
        focus_block_id: None,
        focus_page_id: None,
        similarity: Similarity::Lexical,
        warnings: Vec::new(),
        query_terms: Default::default(),
        now: "2025-06-10T09:00:00Z".to_string(),
        today: Date::try_from("2025-06-10".to_string()).unwrap(),
    };
    let request = ContextRequest { query: "What is open?".to_string(), ..ContextRequest::default() };
    payload(&request, &WorkspaceSettings::default().profile(RequestType::Assist), &found, &Summaries::default())
}

/// What is wrong with a payload for a user.
fn errors(index: &TempDir, payload: &ContextPayload, user: &str) -> Vec<(PayloadErrorCode, String)> {
    let source = PackSource::open_with(&index.path().join("index"), TreeState::Unchecked, Access::Operator).unwrap();
    let principals = ["public", user].map(|name| Principal::try_from(name.to_string()).unwrap());
    let reader = Reader::As(principals.into());
    let validation = source.with_blocks(&reader, |view| validate(payload, None, Some(view))).unwrap().unwrap();
    validation.errors.into_iter().map(|error| (error.code, error.path)).collect()
}

#[test]
fn a_payload_for_one_reader_is_an_error_for_another() {
    let index = index();
    let open = payload_of(todo("todo", "Q3 Plan", &["Home", "Q3 Plan"]));
    let secret = payload_of(todo("secret", "Layoffs", &["Layoffs"]));
    for user in ["user:1", "user:2"] {
        assert_eq!(errors(&index, &open, user), [], "{user}");
    }
    assert_eq!(errors(&index, &secret, "user:2"), []);
    let fields = ["blockId", "metadata.pageTitle", "metadata.path[0]"];
    let hidden = fields.map(|field| (PayloadErrorCode::Permission, format!("sections[2].items[0].{field}")));
    assert_eq!(errors(&index, &secret, "user:1"), hidden);
    let unknown = payload_of(todo("nobody", "Layoffs", &["Layoffs"]));
    assert_eq!(errors(&index, &unknown, "user:1"), hidden, "a block that is not there looks the same");
}

#[test]
fn titles_have_to_be_those_around_an_item() {
    let index = index();
    let other_page = payload_of(todo("todo", "Layoffs", &["Home", "Layoffs", "Q3 Plan"]));
    let fields = ["metadata.pageTitle", "metadata.path[1]"];
    let hidden = fields.map(|field| (PayloadErrorCode::Permission, format!("sections[2].items[0].{field}")));
    assert_eq!(errors(&index, &other_page, "user:2"), hidden);
    let wrong_type = payload_of(Entry { block_type: BlockType::Page, ..todo("todo", "Q3 Plan", &["Home"]) });
    let expected = [(PayloadErrorCode::BlockType, "sections[2].items[0].blockType".to_string())];
    assert_eq!(errors(&index, &wrong_type, "user:2"), expected);
    let mut focused = payload_of(todo("todo", "Q3 Plan", &["Home"]));
    focused.metadata.focus_page_id = Some("layoffs".to_string());
    assert!(
        errors(&index, &focused, "user:1")
            .contains(&(PayloadErrorCode::Permission, "metadata.focusPageId".to_string()))
    );
}
