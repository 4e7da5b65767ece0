//! Whether a text is shallow enough for a parser that calls itself for every level.
//!
//! The fast parsers recurse, and a text nested a hundred thousand levels deep would overflow their
//! stack, which nothing can catch. This scan bounds from above how deep a text can nest without
//! knowing its language, so it may say no to a shallow text, which the grammar then reads. Only strings
//! that end on their line are left out: pictures and fonts in them look deeper than any code.

/// Levels of brackets.
const MAX_BRACKETS: usize = 500;
/// Words and operators that may stand around each other: those before an open bracket count for what
/// is inside it, and a bracket that closed counts as one for what follows it.
const MAX_RUN: u32 = 2_000;
/// Each `else if` of a chain stands inside the one before it.
const MAX_ELSE: usize = 10_000;

pub fn is_shallow(text: &str) -> bool {
    let mut scan = Scan::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += scan.step(bytes, at);
        if scan.run > MAX_RUN || scan.open.len() > MAX_BRACKETS {
            return false;
        }
    }
    memchr::memmem::find_iter(bytes, "else").take(MAX_ELSE + 1).count() <= MAX_ELSE
}

#[derive(Default)]
struct Scan {
    /// The run before each bracket that is open.
    open: Vec<u32>,
    /// Words and operators since the last thing that ends an expression, and those around it.
    run: u32,
    /// The last byte that is not white space.
    last: u8,
}

impl Scan {
    /// Takes one word, one symbol, one string or some white space, and says how long it is.
    fn step(&mut self, bytes: &[u8], at: usize) -> usize {
        let rest = &bytes[at + 1..];
        match bytes[at] {
            b' ' | b'\t' | b'\r' => 1,
            b'\n' => {
                if !continues(self.last) && !next_line_continues(rest) {
                    self.end_expression();
                }
                1
            }
            byte if is_word(byte) => {
                self.run += 1;
                self.last = byte;
                1 + rest.iter().take_while(|byte| is_word(**byte)).count()
            }
            byte => {
                self.last = byte;
                self.symbol(byte, rest);
                1 + string_length(byte, rest)
            }
        }
    }

    fn symbol(&mut self, byte: u8, rest: &[u8]) {
        self.run += 1;
        match byte {
            b'(' | b'[' | b'{' => self.open.push(self.run),
            b')' | b']' => self.close(),
            b'}' => {
                self.close();
                if starts_statement(rest) {
                    self.end_expression();
                }
            }
            b';' | b',' => self.end_expression(),
            _ => {}
        }
    }

    fn close(&mut self) {
        if let Some(before) = self.open.pop() {
            self.run = before + 1;
        }
    }

    /// What comes next stands only inside the brackets that are open.
    fn end_expression(&mut self) {
        self.run = self.open.last().copied().unwrap_or(0);
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

/// How much of a line belongs to the string that this byte opens; nothing when it is not closed there.
fn string_length(byte: u8, rest: &[u8]) -> usize {
    if !matches!(byte, b'"' | b'\'') {
        return 0;
    }
    let mut escaped = false;
    let end = rest.iter().position(|next| {
        let is_end = !escaped && (*next == byte || *next == b'\n');
        escaped = !escaped && *next == b'\\';
        is_end
    });
    end.filter(|end| rest[*end] == byte).map_or(0, |end| end + 1)
}

/// Words that go on with the expression that a brace closed.
const OPERATORS: [&[u8]; 11] =
    [b"in", b"instanceof", b"as", b"satisfies", b"is", b"not", b"and", b"or", b"if", b"else", b"for"];

/// Whether the word behind a brace starts something new: in code on one line nothing else tells.
fn starts_statement(rest: &[u8]) -> bool {
    let start = rest.iter().take(256).position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(0);
    let word = &rest[start..];
    let length = word.iter().take(12).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    length > 0 && !OPERATORS.contains(&&word[..length])
}

/// Whether an expression goes on behind this byte: an operator or an open bracket.
fn continues(byte: u8) -> bool {
    b"+-*/%&|^!~=<>?:.\\([".contains(&byte)
}

fn next_line_continues(rest: &[u8]) -> bool {
    // A bounded look ahead keeps the scan linear in a text of nothing but line breaks.
    let next = rest.iter().take(256).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    next.is_some_and(|byte| continues(*byte) && !matches!(byte, b'(' | b'['))
}
