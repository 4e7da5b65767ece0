//! The kinds of character that the published patterns tell apart.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Kinds as bits, so that a class of a pattern is a union of them.
pub type Kinds = u8;

/// `\p{Lu}` and `\p{Lt}`.
pub const UPPER: Kinds = 1;
/// `\p{Ll}`.
pub const LOWER: Kinds = 2;
/// `\p{Lm}` and `\p{Lo}`.
pub const CASELESS: Kinds = 4;
/// `\p{M}`.
pub const MARK: Kinds = 8;
/// `\p{N}`.
pub const NUMBER: Kinds = 16;
/// `[\r\n]`.
pub const LINE_BREAK: Kinds = 32;
/// The rest of `\s`.
pub const SPACE: Kinds = 64;
/// Everything else: punctuation, symbols, controls, what no one assigned.
pub const OTHER: Kinds = 128;

/// `\p{L}`.
pub const LETTER: Kinds = UPPER | LOWER | CASELESS;
/// `\s`.
pub const WHITESPACE: Kinds = LINE_BREAK | SPACE;

/// One character of a text.
#[derive(Clone, Copy)]
pub struct Character {
    /// One bit; none at the end of the text.
    pub kind: Kinds,
    /// Byte offset behind it.
    pub end: usize,
}

impl Character {
    pub fn is(self, kinds: Kinds) -> bool {
        self.kind & kinds != 0
    }
}

/// The character at a byte offset.
#[inline]
pub fn character(text: &str, at: usize) -> Character {
    match text.as_bytes().get(at) {
        Some(byte) if byte.is_ascii() => Character { kind: ASCII[usize::from(*byte)], end: at + 1 },
        Some(_) => beyond_ascii(text, at),
        None => Character { kind: 0, end: at },
    }
}

/// Whether a text's last character is one of some kinds.
pub fn ends_with(text: &str, kinds: Kinds) -> bool {
    text.char_indices().next_back().is_some_and(|(last, _)| character(text, last).is(kinds))
}

/// Where the characters of some kinds end that start at a byte offset.
#[inline]
pub fn run(text: &str, mut at: usize, kinds: Kinds) -> usize {
    loop {
        let next = character(text, at);
        if !next.is(kinds) {
            return at;
        }
        at = next.end;
    }
}

fn beyond_ascii(text: &str, at: usize) -> Character {
    let character = text[at..].chars().next().expect("there is a byte");
    Character { kind: kind(character), end: at + character.len_utf8() }
}

static ASCII: [Kinds; 128] = ascii_kinds();

const fn ascii_kinds() -> [Kinds; 128] {
    let mut kinds = [OTHER; 128];
    let mut at = 0;
    while at < kinds.len() {
        kinds[at] = match at as u8 {
            b'A'..=b'Z' => UPPER,
            b'a'..=b'z' => LOWER,
            b'0'..=b'9' => NUMBER,
            b'\r' | b'\n' => LINE_BREAK,
            b' ' | b'\t' | 0x0B | 0x0C => SPACE,
            _ => OTHER,
        };
        at += 1;
    }
    kinds
}

/// The kind of a character that is not ASCII.
fn kind(character: char) -> Kinds {
    use GeneralCategory as Category;
    match get_general_category(character) {
        Category::UppercaseLetter | Category::TitlecaseLetter => UPPER,
        Category::LowercaseLetter => LOWER,
        Category::ModifierLetter | Category::OtherLetter => CASELESS,
        Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark => MARK,
        Category::DecimalNumber | Category::LetterNumber | Category::OtherNumber => NUMBER,
        _ if character.is_whitespace() => SPACE,
        _ => OTHER,
    }
}
