//! What goes back to a client, never over the tokens that were asked for.
//!
//! A reply is a text, notes about it, and facts as structured content. Clients show their models the text, or the
//! structured content, or both; so all of it counts. The text may have what the limit leaves over the reserve, and so
//! it depends on the request alone; the reserve is for the rest.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::fault::Fault;
use crate::record::ErrorCode;
use crate::text::Tokenizer;

/// Tokens of a reply that are not for its text.
pub const RESERVE: u32 = 128;
/// Tokens of the text by default, as on the command line.
pub const DEFAULT_ROOM: u32 = 8_000;
/// Between two blocks a client may put a line break.
const JOIN: usize = 1;

/// How much a reply may be.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub max_tokens: u32,
    pub tokenizer: Tokenizer,
}

impl Limit {
    pub fn standard(cap: u32) -> Self {
        Limit { max_tokens: (DEFAULT_ROOM + RESERVE).min(cap), tokenizer: Tokenizer::default() }
    }

    /// For the text.
    pub fn room(&self) -> u32 {
        self.max_tokens.saturating_sub(RESERVE)
    }
}

#[derive(Debug, Default)]
pub struct Reply {
    pub text: String,
    /// What the text does not say: that there is more, that it is stale.
    pub notes: Vec<String>,
    pub facts: Map<String, Value>,
}

impl Reply {
    pub fn within(mut self, limit: Limit, is_structured: bool) -> CallToolResult {
        let count = |text: &str| limit.tokenizer.count(text);
        self.facts.insert("tokens".to_string(), count(&self.text).into());
        let facts = Value::Object(self.facts);
        let spent = count(&self.text) + count(&facts.to_string());
        let Some(mut left) = (limit.max_tokens as usize).checked_sub(spent) else {
            let fault = Fault::new(
                ErrorCode::BudgetExceeded,
                format!("the reply has {spent} tokens and may have {}", limit.max_tokens),
            );
            return refused(&fault, limit, is_structured);
        };
        let mut content = vec![ContentBlock::text(self.text)];
        for note in &self.notes {
            let note = &note[..limit.tokenizer.prefix(note, left.saturating_sub(JOIN))];
            if !note.is_empty() {
                left -= count(note) + JOIN;
                content.push(ContentBlock::text(note));
            }
        }
        let mut result = CallToolResult::success(content);
        result.structured_content = is_structured.then_some(facts);
        result
    }
}

/// A fault is a reply too, so that the model reads it; it ends where the limit is.
pub fn refused(fault: &Fault, limit: Limit, is_structured: bool) -> CallToolResult {
    let text = fault.to_string();
    let text = &text[..limit.tokenizer.prefix(&text, limit.max_tokens as usize)];
    let content = if text.is_empty() { Vec::new() } else { vec![ContentBlock::text(text)] };
    let mut result = CallToolResult::error(content);
    let facts = match &fault.hint {
        Some(hint) => json!({ "code": fault.code, "message": fault.message, "hint": hint }),
        None => json!({ "code": fault.code, "message": fault.message }),
    };
    let fits = limit.tokenizer.count(text) + limit.tokenizer.count(&facts.to_string()) <= limit.max_tokens as usize;
    result.structured_content = (is_structured && fits).then_some(facts);
    result
}

/// The part of a text from an offset on that fits, and where the next one begins. All parts together are the text.
pub fn page(text: &str, offset: usize, limit: Limit) -> Result<(&str, Option<usize>), Fault> {
    let rest = text.get(offset..).filter(|rest| offset == 0 || !rest.is_empty());
    let rest = rest.ok_or_else(|| {
        let message = format!("`offset` is {offset}, where no part of the {} bytes begins", text.len());
        Fault::bad_request(message).hint("use `next` of the reply before it")
    })?;
    let room = limit.room() as usize;
    let mut end = limit.tokenizer.prefix(rest, room);
    if end == rest.len() {
        return Ok((rest, None));
    }
    if end == 0 {
        // One piece is longer than a page. No character has more tokens than bytes.
        end = rest.floor_char_boundary(room);
    }
    let mut part = &rest[..border(&rest[..end])];
    while limit.tokenizer.count_until(part, room).is_none() {
        let shorter = part.floor_char_boundary(part.len() - 1);
        part = &part[..border(&part[..shorter])];
    }
    match part.is_empty() {
        true => Err(Fault::new(ErrorCode::BudgetExceeded, format!("nothing fits {} tokens", limit.max_tokens))),
        false => Ok((part, Some(offset + part.len()))),
    }
}

/// Before the last heading or tag, else behind the last line, else where it ends.
fn border(text: &str) -> usize {
    let heads = ["\n## ", "\n### ", "\n<section", "\n<item"];
    let head = heads.iter().filter_map(|head| text.rfind(head)).max();
    head.or_else(|| text.rfind('\n')).map_or(text.len(), |line_break| line_break + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(max_tokens: u32) -> Limit {
        Limit { max_tokens, tokenizer: Tokenizer::default() }
    }

    /// All tokens that a client may put before its model.
    fn spent(result: &CallToolResult, limit: Limit) -> usize {
        let texts = result.content.iter().filter_map(|block| block.as_text().map(|text| text.text.clone()));
        let facts = result.structured_content.iter().map(Value::to_string);
        texts.chain(facts).map(|text| limit.tokenizer.count(&text)).sum()
    }

    #[test]
    fn a_reply_without_a_limit_has_the_room_of_the_command_line() {
        assert_eq!(Limit::standard(u32::MAX).room(), DEFAULT_ROOM);
        assert_eq!(Limit::standard(RESERVE + 5).room(), 5);
        assert_eq!(Limit::standard(0).room(), 0);
    }

    #[test]
    fn a_reply_is_never_over_its_limit() {
        for max_tokens in [0, 1, 20, 60, 128, 300] {
            let notes = vec!["[stale: the tree has changed since it was indexed]".to_string(); 8];
            let reply = Reply { text: "one two three ".repeat(20), notes, facts: Map::new() };
            let result = reply.within(limit(max_tokens), true);
            assert!(spent(&result, limit(max_tokens)) <= max_tokens as usize, "{max_tokens}: {result:?}");
        }
    }

    #[test]
    fn pages_fit_and_together_are_the_text() {
        let text: String = (0..300).map(|line| format!("line {line} of the text\n")).collect();
        let small = limit(RESERVE + 50);
        let (mut offset, mut whole) = (0, String::new());
        loop {
            let (part, next) = page(&text, offset, small).unwrap();
            assert!(small.tokenizer.count(part) <= 50);
            whole += part;
            let Some(next) = next else { break };
            assert_eq!(next, offset + part.len());
            offset = next;
        }
        assert_eq!(whole, text);
        assert_eq!(page(&text, text.len(), small).unwrap_err().code, ErrorCode::BadRequest);
        assert_eq!(page(&text, 0, limit(RESERVE)).unwrap_err().code, ErrorCode::BudgetExceeded);
        assert_eq!(page("é", 1, small).unwrap_err().code, ErrorCode::BadRequest, "not where a character begins");
    }

    #[test]
    fn a_fault_is_cut_at_the_limit() {
        let fault = Fault::bad_request("a long message ".repeat(50)).hint("ask for less");
        for max_tokens in [0, 3, 40] {
            let result = refused(&fault, limit(max_tokens), true);
            assert!(result.is_error == Some(true) && spent(&result, limit(max_tokens)) <= max_tokens as usize);
        }
    }
}
