//! Ids of spec documents: their form, and where a text names them.

use crate::record::SpecRole;
use crate::text::Span;

const MIN_DIGITS: usize = 3;

/// A prefix that is known, a dash, three digits or more.
pub fn is_id(text: &str) -> bool {
    text.split_once('-').is_some_and(|(prefix, digits)| {
        prefixes().any(|known| known == prefix)
            && digits.len() >= MIN_DIGITS
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn prefixes() -> impl Iterator<Item = &'static str> {
    SpecRole::PREFIXES.into_iter().map(|(prefix, _)| prefix)
}

/// What an entry names: the id that it starts with, as in `DATA-900: the index`, or a path without its anchor.
pub fn link_target(entry: &str) -> &str {
    match leading_id(entry) {
        Some((id, _)) => id,
        None => entry.split(['#', '?']).next().unwrap_or(entry).trim(),
    }
}

/// The entries of one text: as many as it has ids with nothing but marks between them, as in `REQ-008, REQ-009`.
pub fn split_entries(text: &str) -> Vec<&str> {
    let mut entries = Vec::new();
    let mut left = text;
    while let Some((id, rest)) = leading_id(left) {
        let next = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;/&、，；・".contains(c));
        if next.len() == rest.len() || leading_id(next).is_none() {
            break;
        }
        entries.push(id);
        left = next;
    }
    entries.push(left);
    entries
}

/// The id that a text starts with and the text after it. A path may start like an id.
fn leading_id(text: &str) -> Option<(&str, &str)> {
    let (id, rest) = first_word(text);
    let is_path = match rest.strip_prefix('/').map(|next| first_word(next.trim_start())) {
        Some((next, behind)) => !is_id(next) || behind.starts_with(['_', '.']),
        None => rest.starts_with(['_', '.']),
    };
    (is_id(id) && !is_path).then_some((id, rest))
}

fn first_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(text.len()))
}

/// The spans of ids in a text that are whole words.
pub fn ids_in(text: &str) -> impl Iterator<Item = Span> {
    memchr::memchr_iter(b'-', text.as_bytes()).filter_map(|dash| id_around(text.as_bytes(), dash))
}

fn id_around(text: &[u8], dash: usize) -> Option<Span> {
    let (before, behind) = (&text[..dash], &text[dash + 1..]);
    let digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits < MIN_DIGITS {
        return None;
    }
    let prefix = prefixes().find(|prefix| before.ends_with(prefix.as_bytes()))?;
    let (start, end) = (dash - prefix.len(), dash + 1 + digits);
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
    let alone = !is_word(text[..start].last()) && !is_word(text.get(end));
    alone.then(|| Span::new(start, end))
}
