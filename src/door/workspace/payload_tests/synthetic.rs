//! Candidates made from words.

use super::*;
use crate::record::workspace::{ContextRequest, Message, MessageRole, PayloadPart, RequestBudget, Similarity};
use crate::record::{BlockType, Date, Score};

pub fn date(text: &str) -> Date {
    Date::try_from(text.to_string()).unwrap()
}

pub fn profile() -> Profile {
    WorkspaceSettings::default().profile(crate::record::workspace::RequestType::Assist)
}

pub fn request() -> ContextRequest {
    ContextRequest { query: "What tasks are overdue?".to_string(), ..ContextRequest::default() }
}

/// With the same budget for all parts.
pub fn with_budget(request: ContextRequest, total: u32, parts: u32) -> ContextRequest {
    let part = Some(parts);
    let token_budget = RequestBudget {
        total: Some(total),
        focus: part,
        semantic: part,
        relations: part,
        activity: part,
        history: part,
        system: part,
    };
    ContextRequest { token_budget, ..request }
}

/// A block that shows itself only.
pub fn entry(id: &str, block_type: BlockType, content: &str) -> Entry {
    Entry {
        block_id: id.to_string(),
        block_type,
        page_title: Some("Q3 Plan".to_string()),
        path: vec!["Home".to_string(), "Q3 Plan".to_string()],
        modified: Some(date("2025-06-01T10:00:00Z")),
        content: content.to_string(),
        blocks: vec![ShownBlock { block_id: id.to_string(), range: 0..content.len() }],
        language: (block_type == BlockType::Code).then(|| "rust".to_string()),
        is_whole: false,
        order: 0,
        relevance: Score::default(),
        why: None,
    }
}

/// With entries by part, the best first, and in the document the other way round.
pub fn found(parts: Vec<(PayloadPart, Vec<Entry>)>) -> Found {
    let considered = parts.iter().map(|(_, entries)| entries.len() as u32).sum();
    let part = |(part, mut entries): (PayloadPart, Vec<Entry>)| {
        let count = entries.len() as u32;
        for (at, entry) in (0..count).zip(&mut entries) {
            entry.relevance = Score::millionths(900_000 - 1000 * at);
            entry.order = count - at;
        }
        (part, PartFound { entries, ..PartFound::default() })
    };
    Found {
        parts: parts.into_iter().map(part).collect(),
        considered,
        focus_block_id: None,
        focus_page_id: None,
        similarity: Similarity::Lexical,
        warnings: Vec::new(),
        query_terms: ["task", "overdu"].map(String::from).into(),
        now: "2025-06-10T09:00:00Z".to_string(),
        today: date("2025-06-10"),
    }
}

pub fn message(role: MessageRole, content: &str) -> Message {
    Message { role, content: content.to_string(), timestamp: None }
}

/// Sentences of a few words each, always the same for a seed.
pub fn sentences(seed: usize, count: usize) -> String {
    const WORDS: [&str; 12] =
        ["invoices", "overdue", "the", "plan", "of", "venue", "TLS", "renewal", "ships", "tasks", "is", "page-4711"];
    let word = |at: usize| WORDS[(at * 7 + seed * 5 + at * at) % WORDS.len()];
    let sentence = |at: usize| (0..4 + at % 5).map(|place| word(at + place)).collect::<Vec<_>>().join(" ") + ".";
    (0..count).map(sentence).collect::<Vec<_>>().join(" ")
}
