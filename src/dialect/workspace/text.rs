//! What each type of block says by itself: its own text.

use super::fields::{Faults, Fields, nested};
use super::{Block, Property};
use crate::dialect::export::json;
use crate::record::BlockType;

/// The field of a type's data that holds its main text.
pub fn content_key(block_type: BlockType) -> &'static str {
    use BlockType::*;
    match block_type {
        Page | Database | KanbanBoard | KanbanColumn | KanbanSwimlane | KanbanCard => "description",
        Table | Image => "caption",
        Embed => "title",
        AiBlock => "prompt",
        AiSuggestion => "suggestion",
        _ => "content",
    }
}

/// The own text of a block whose other fields are already read. Empty if it says nothing.
pub fn own_text(block: &Block, data: &Fields, faults: &mut Faults) -> String {
    use BlockType::*;
    let content = data.word(content_key(block.block_type), faults).unwrap_or_default();
    match block.block_type {
        Row | Column | Divider | List | TableRow => String::new(),
        Page | KanbanBoard | KanbanColumn | KanbanSwimlane | DbRow => lines([title(block), &content]),
        Database => lines([title(block), &content, &columns(&block.properties)]),
        KanbanCard => lines([title(block), &content, &facts(block, data, faults)]),
        Todo => todo(block, &content),
        Image => image(&content, data, faults),
        Embed => embed(&content, data, faults),
        AiBlock => lines([labelled("Q", &content), labelled("A", &word(data, "response", faults))]),
        AiChat => lines([&messages(data, faults), &content]),
        AiSuggestion => lines([content, labelled("Reason", &word(data, "reason", faults))]),
        Quote => quote(&content, data, faults),
        Text | Heading | Table | TableCell | Code | ListItem => content,
    }
}

/// Texts one below the other, without the empty ones.
pub fn lines<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    joined(texts, "\n")
}

fn joined<T: AsRef<str>>(texts: impl IntoIterator<Item = T>, between: &str) -> String {
    let mut all = String::new();
    for text in texts.into_iter().filter(|text| !text.as_ref().is_empty()) {
        if !all.is_empty() {
            all.push_str(between);
        }
        all.push_str(text.as_ref());
    }
    all
}

fn title(block: &Block) -> &str {
    block.title.as_deref().unwrap_or_default()
}

fn word(data: &Fields, key: &str, faults: &mut Faults) -> String {
    data.word(key, faults).unwrap_or_default()
}

/// `Name: text`, or nothing if there is no text.
pub fn labelled(name: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{name}: {text}") }
}

fn columns(properties: &[Property]) -> String {
    let named = properties.iter().map(|property| format!("{} ({})", property.name, property.kind));
    labelled("Properties", &joined(named, ", "))
}

/// What a card says in fields, on one line.
fn facts(block: &Block, data: &Fields, faults: &mut Faults) -> String {
    let date = |date: Option<&crate::record::Date>| date.map(ToString::to_string).unwrap_or_default();
    let estimate = data.word("estimatedHours", faults).map(|hours| format!("{hours} h"));
    let completed = data.date("completedAt", faults);
    let facts = [
        labelled("due", &date(block.due.as_ref())),
        labelled("priority", block.priority.as_deref().unwrap_or_default()),
        labelled("assigned", &block.assignees.join(", ")),
        labelled("tags", &block.tags.join(", ")),
        labelled("estimate", &estimate.unwrap_or_default()),
        labelled("completed", &date(completed.as_ref())),
    ];
    joined(facts, "; ")
}

fn todo(block: &Block, content: &str) -> String {
    let due = block.due.as_ref().map(|due| format!("due {due}"));
    let notes = joined(due.iter().chain(&block.priority), ", ");
    let mark = if block.done == Some(true) { "- [x]" } else { "- [ ]" };
    let notes = if notes.is_empty() { notes } else { format!("({notes})") };
    joined([mark, content, &notes], " ")
}

fn image(caption: &str, data: &Fields, faults: &mut Faults) -> String {
    let shown = joined([word(data, "alt", faults).as_str(), caption], ", ");
    let shown = if shown.is_empty() { last_part(&word(data, "url", faults)).to_string() } else { shown };
    labelled("Image", &shown)
}

fn embed(title: &str, data: &Fields, faults: &mut Faults) -> String {
    let shown = if title.is_empty() { word(data, "url", faults) } else { title.to_string() };
    labelled("Embed", &shown)
}

/// The last part of a URL's path. A `data:` URL has none that anybody could read.
fn last_part(url: &str) -> &str {
    if url.starts_with("data:") {
        return "";
    }
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    path.rsplit('/').next().unwrap_or_default()
}

fn quote(content: &str, data: &Fields, faults: &mut Faults) -> String {
    let from = joined([word(data, "author", faults), word(data, "source", faults)], ", ");
    let from = if from.is_empty() { from } else { format!("— {from}") };
    joined([content, &from], " ")
}

fn messages(data: &Fields, faults: &mut Faults) -> String {
    let list = nested(data.get("messages").unwrap_or("[]"));
    let all = json::list(&list).into_iter().map(|value| message(value, faults).unwrap_or_default());
    lines(all.collect::<Vec<_>>())
}

fn message(value: &str, faults: &mut Faults) -> Option<String> {
    let Some(fields) = Fields::parse(value) else {
        faults.shape("a message is not an object; it is left out");
        return None;
    };
    let content = fields.word("content", faults)?;
    Some(fields.word("role", faults).map_or(content.clone(), |role| labelled(&role, &content)))
}
