//! Characters that make a text read otherwise than it runs. Pure.

/// Embeddings, overrides and isolates of writing direction. The marks that Hebrew and Arabic texts hold (U+200E,
/// U+200F) turn nothing around.
pub fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The byte offsets of the first and the last of them.
pub fn bidi_controls(text: &str) -> Option<(usize, usize)> {
    // All of them begin with this byte, which few texts hold.
    let is_one = |at: &usize| text.get(*at..).and_then(|rest| rest.chars().next()).is_some_and(is_bidi_control);
    let mut places = memchr::memchr_iter(0xE2, text.as_bytes()).filter(is_one);
    let first = places.next()?;
    Some((first, places.next_back().unwrap_or(first)))
}
