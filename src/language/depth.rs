//! Whether a text is shallow enough for a parser that calls itself for every level.
//!
//! The fast parsers recurse, and a text nested a hundred thousand levels deep would overflow their
//! stack, which nothing can catch. This scan bounds from above how deep a text can nest without
//! knowing its language: brackets in strings count too, so it may say no to a shallow text (which the
//! grammar then reads), and never yes to a deep one.

/// Levels of brackets.
const MAX_BRACKETS: u32 = 500;
/// Words and operators that follow each other with nothing between that ends an expression.
const MAX_RUN: u32 = 2_000;
/// Each `else if` of a chain stands inside the one before it.
const MAX_ELSE: usize = 10_000;

pub fn is_shallow(text: &str) -> bool {
    let mut scan = Scan::default();
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        scan.step(*byte, bytes, at);
        if scan.brackets > MAX_BRACKETS || scan.run > MAX_RUN {
            return false;
        }
    }
    text.matches("else").take(MAX_ELSE + 1).count() <= MAX_ELSE
}

#[derive(Default)]
struct Scan {
    brackets: u32,
    /// Words and operators since the last thing that ends an expression.
    run: u32,
    in_word: bool,
    /// The last byte that is not white space.
    last: u8,
}

impl Scan {
    fn step(&mut self, byte: u8, bytes: &[u8], at: usize) {
        match byte {
            b' ' | b'\t' | b'\r' => self.in_word = false,
            b'\n' => {
                self.in_word = false;
                if !continues(self.last) && !next_line_continues(&bytes[at + 1..]) {
                    self.run = 0;
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80.. => {
                self.run += u32::from(!self.in_word);
                self.in_word = true;
                self.last = byte;
            }
            _ => {
                self.in_word = false;
                self.last = byte;
                self.symbol(byte);
            }
        }
    }

    fn symbol(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' => self.brackets += 1,
            b')' | b']' | b'}' => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        match byte {
            b';' | b',' | b'{' | b'}' => self.run = 0,
            _ => self.run += 1,
        }
    }
}

/// Whether an expression goes on behind this byte: an operator or an open bracket.
fn continues(byte: u8) -> bool {
    matches!(
        byte,
        b'+' | b'-'
            | b'*'
            | b'/'
            | b'%'
            | b'&'
            | b'|'
            | b'^'
            | b'!'
            | b'~'
            | b'='
            | b'<'
            | b'>'
            | b'?'
            | b':'
            | b'.'
            | b'\\'
            | b'('
            | b'['
    )
}

fn next_line_continues(rest: &[u8]) -> bool {
    // A bounded look ahead keeps the scan linear in a text of nothing but line breaks.
    let next = rest.iter().take(256).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    next.is_some_and(|byte| continues(*byte) && !matches!(byte, b'(' | b'['))
}
