//! What the tokens alone tell: comments, and how deep the tree can be.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::Ranged;

use crate::text::Span;

/// Tokens from the start of a statement to the deepest one of it. The parser keeps its own stack in
/// check, walking and dropping what it made does not.
const MAX_RUN: u32 = 20_000;
/// Python itself stops at a hundred.
const MAX_INDENT: u32 = 500;

#[derive(Default)]
pub struct Scan {
    /// First to last.
    pub comments: Vec<Span>,
    /// Where `:=` stands, first to last.
    pub walruses: Vec<u32>,
    indent: u32,
    /// Tokens of the statement so far that what comes next can be nested in.
    run: u32,
    /// What `run` was at each bracket that is open.
    open: Vec<u32>,
}

impl Scan {
    /// `None` for a text that may be nested too deep to walk.
    pub fn new(tokens: &Tokens, text: &str) -> Option<Self> {
        let mut scan = Scan::default();
        for token in tokens.iter() {
            match token.kind() {
                TokenKind::Comment => {
                    let (start, end) = (token.start().to_usize(), token.end().to_usize());
                    scan.comments.push(Span::new(start, start + text[start..end].trim_end().len()));
                }
                TokenKind::ColonEqual => scan.walruses.push(token.start().to_u32()),
                kind => scan.nest(kind),
            }
            if scan.run > MAX_RUN || scan.indent > MAX_INDENT {
                return None;
            }
        }
        Some(scan)
    }

    fn nest(&mut self, kind: TokenKind) {
        match kind {
            TokenKind::NonLogicalNewline => {}
            TokenKind::Newline | TokenKind::Semi => {
                self.run = 0;
                self.open.clear();
            }
            TokenKind::Indent => self.indent += 1,
            TokenKind::Dedent => self.indent = self.indent.saturating_sub(1),
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                self.open.push(self.run);
                self.run += 1;
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                self.run = self.open.pop().unwrap_or(self.run) + 1;
            }
            TokenKind::Comma => self.run = self.open.last().map_or(0, |run| run + 1),
            _ => self.run += 1,
        }
    }
}
