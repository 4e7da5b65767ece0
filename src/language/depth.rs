//! Whether a text is shallow enough for a parser that calls itself for every level.
//!
//! Such a parser overflows its stack, which nothing can catch, on a text nested a hundred thousand
//! levels deep. This scan bounds how deep a text in a language with brackets and operators can nest. It
//! reads the text twice, once with quotes as strings and once without, because it does not know where
//! a comment or a regular expression hides one; both must be shallow. It may say no to a shallow text,
//! which the grammar then reads.

/// Words, operators and brackets around and before the deepest place, with nothing between that ends
/// an expression.
const MAX_DEPTH: u32 = 2_000;
/// Each `else if` of a chain stands inside the one before it.
const MAX_ELSE: usize = 10_000;

pub fn is_shallow(text: &str) -> bool {
    is_shallow_read(text.as_bytes(), true)
        && is_shallow_read(text.as_bytes(), false)
        && memchr::memmem::find_iter(text.as_bytes(), "else").take(MAX_ELSE + 1).count() <= MAX_ELSE
}

fn is_shallow_read(bytes: &[u8], with_strings: bool) -> bool {
    let mut scan = Scan::default();
    let mut at = 0;
    while at < bytes.len() {
        if with_strings && matches!(bytes[at], b'"' | b'\'') {
            scan.word(b'"');
            at = string_end(bytes, at);
            continue;
        }
        scan.step(bytes[at], bytes, at);
        if scan.depth() > MAX_DEPTH {
            return false;
        }
        at += 1;
    }
    true
}

/// Behind the quote that closes the one at `start`, or at the line's end.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == bytes[start] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at.min(bytes.len())
}

#[derive(Default)]
struct Scan {
    /// Words and operators of this level since the last thing that ends an expression.
    run: u32,
    /// What `run` was at each bracket that is open, and all of them together.
    open: Vec<u32>,
    outer: u32,
    in_word: bool,
    /// The last byte that is not white space.
    last: u8,
}

impl Scan {
    fn depth(&self) -> u32 {
        self.outer + self.run
    }

    fn step(&mut self, byte: u8, bytes: &[u8], at: usize) {
        match byte {
            b' ' | b'\t' | b'\r' => self.in_word = false,
            b'\n' => {
                self.in_word = false;
                if !continues(self.last) && !next_continues(&bytes[at + 1..]) {
                    self.run = 0;
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80.. => self.word(byte),
            _ => {
                self.in_word = false;
                self.last = byte;
                self.symbol(byte, &bytes[at + 1..]);
            }
        }
    }

    fn word(&mut self, byte: u8) {
        self.run += u32::from(!self.in_word);
        self.in_word = byte != b'"';
        self.last = byte;
    }

    fn symbol(&mut self, byte: u8, rest: &[u8]) {
        match byte {
            b'(' | b'[' | b'{' => {
                self.open.push(self.run + 1);
                self.outer += self.run + 1;
                self.run = 0;
            }
            b')' | b']' | b'}' => {
                let around = self.open.pop().unwrap_or_default();
                self.outer -= around;
                // A block ends what it stands in, unless an operator follows it.
                self.run = if byte == b'}' && !next_continues(rest) { 0 } else { around };
            }
            b';' | b',' => self.run = 0,
            _ => self.run += 1,
        }
    }
}

/// Whether an expression goes on behind this byte: an operator or an open bracket.
fn continues(byte: u8) -> bool {
    is_operator(byte) || matches!(byte, b'(' | b'[')
}

fn is_operator(byte: u8) -> bool {
    b"+-*/%&|^!~=<>?:.\\".contains(&byte)
}

fn next_continues(rest: &[u8]) -> bool {
    // A bounded look ahead keeps the scan linear in a text of nothing but line breaks.
    let next = rest.iter().take(256).find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    next.is_some_and(|byte| is_operator(*byte))
}
