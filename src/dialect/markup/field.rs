//! Fields in the text: `key:: value`.

/// Longer words are no names of fields.
const MAX_KEY_BYTES: usize = 80;

/// A field that a line or a bracket gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property<'t> {
    pub name: &'t str,
    /// Where the value starts, from the start of the text.
    pub value_start: usize,
}

/// The field that a text starts with. A blank or the end of the text follows `::`, so that `std::x` is none.
pub fn property(text: &str) -> Option<Property<'_>> {
    let window = &text[..text.floor_char_boundary(MAX_KEY_BYTES + 2)];
    let colons = window.find("::")?;
    // The name may be marked: `**key**:: value`.
    let name = window[..colons].trim_matches(['*', '_', '~', ' ', '\t']);
    let behind = &text[colons + 2..];
    let is_name = name.contains(char::is_alphanumeric) && !name.contains(is_foreign);
    let is_separated = behind.is_empty() || behind.starts_with(char::is_whitespace);
    let blank = behind.len() - behind.trim_start_matches([' ', '\t', '\u{3000}']).len();
    (is_name && is_separated).then_some(Property { name, value_start: colons + 2 + blank })
}

/// Whether a character is in no name.
fn is_foreign(c: char) -> bool {
    matches!(c, ':' | '[' | ']' | '(' | ')' | '{' | '}' | '`' | '|' | '#' | '"' | ',' | ';' | '<' | '>' | '=' | '\n')
}
