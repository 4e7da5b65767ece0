//! Tags: `#a`, `#a/b`.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Longer words are no tags.
const MAX_TAG_BYTES: usize = 200;

/// How many bytes of a text that follows `#` are a tag; 0 if it is none.
pub fn tag_len(text: &str) -> usize {
    let window = &text[..text.floor_char_boundary(MAX_TAG_BYTES + 4)];
    let len = window.find(|c| !is_tag_char(c)).unwrap_or(window.len());
    let tag = window[..len].trim_end_matches('/');
    if is_tag(tag) { tag.len() } else { 0 }
}

/// Whether a word can be a tag: not empty, and not digits alone.
pub fn is_tag(word: &str) -> bool {
    (1..=MAX_TAG_BYTES).contains(&word.len()) && !word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Letters, digits, `_`, `-`, `/` and emoji, with what joins and colours them.
fn is_tag_char(c: char) -> bool {
    use GeneralCategory::*;
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/');
    }
    let category = get_general_category(c);
    let is_mark = matches!(category, NonspacingMark | SpacingMark | EnclosingMark);
    c.is_alphanumeric() || is_mark || c == '\u{200d}' || matches!(category, OtherSymbol | ModifierSymbol)
}
