//! Blocks of Org mode in Logseq's markdown, `#+BEGIN_SRC` to `#+END_SRC`, whose text is no markup.

use std::ops::Range;

use memchr::memchr_iter;

use super::outdent::columns;
use crate::language::ProseOutline;
use crate::text::Span;

/// The words of blocks that hold no markup, and whether readers see what is in them.
const WORDS: [(&str, bool); 5] =
    [("SRC", true), ("EXAMPLE", true), ("EXPORT", true), ("QUERY", false), ("COMMENT", false)];

/// Whole lines, from the line of `#+BEGIN_` to that of `#+END_`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgBlock {
    pub span: Span,
    /// Whether readers see it. Queries and comments are for the program.
    pub is_shown: bool,
}

/// The blocks of a text from the start of a line on. One that no line ends is none, and so is one that is left by a
/// bullet that is indented less.
pub fn org_blocks(text: &str, start: usize, outline: &ProseOutline) -> Vec<OrgBlock> {
    let (mut found, mut open, mut from): (Vec<OrgBlock>, Option<Open>, usize) = (Vec::new(), None, start);
    if !text[start..].contains("#+") {
        return found;
    }
    for end in memchr_iter(b'\n', &text.as_bytes()[start..]).map(|at| start + at).chain([text.len()]) {
        let line = Line::of(text, from..end);
        match &open {
            Some(block) if line.word("#+END_") == Some(block.word) => {
                let span = Span::new(block.start, end);
                found.push(OrgBlock { span, is_shown: block.is_shown });
                open = None;
            }
            Some(block) if line.is_bullet && line.indent < block.indent => open = None,
            Some(_) => {}
            None => open = line.opened().filter(|block| !is_code(block.mark, outline)),
        }
        from = end + 1;
    }
    found
}

/// A block that is not ended yet.
struct Open {
    /// Where its first line starts.
    start: usize,
    /// Where its `#+` is.
    mark: usize,
    indent: usize,
    word: &'static str,
    is_shown: bool,
}

struct Line<'t> {
    start: usize,
    /// Where its text starts, behind the mark of a bullet.
    content: usize,
    text: &'t str,
    is_bullet: bool,
    indent: usize,
}

impl<'t> Line<'t> {
    fn of(text: &'t str, range: Range<usize>) -> Self {
        let line = &text[range.clone()];
        let bare = line.trim_start_matches([' ', '\t']);
        let content = bare.strip_prefix("- ").map(str::trim_start);
        let indent = columns(&line[..line.len() - bare.len()]);
        let (is_bullet, content) = (content.is_some() || bare.trim_end() == "-", content.unwrap_or(bare));
        Line { start: range.start, content: range.end - content.len(), text: content.trim_end(), is_bullet, indent }
    }

    /// Which block the line begins or ends.
    fn word(&self, prefix: &str) -> Option<&'static str> {
        let word = self.text.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix))?;
        let word = self.text[word.len()..].split_whitespace().next()?;
        WORDS.iter().map(|(known, _)| *known).find(|known| known.eq_ignore_ascii_case(word))
    }

    fn opened(&self) -> Option<Open> {
        let word = self.word("#+BEGIN_")?;
        let is_shown = WORDS.iter().any(|(known, is_shown)| *known == word && *is_shown);
        // A bullet whose text is a block has the block's lines below its mark.
        let indent = self.indent + usize::from(self.is_bullet);
        Some(Open { start: self.start, mark: self.content, indent, word, is_shown })
    }
}

fn is_code(offset: usize, outline: &ProseOutline) -> bool {
    outline.verbatim.iter().any(|span| (span.start as usize..span.end as usize).contains(&offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<(&str, bool)> {
        let found = org_blocks(text, 0, &ProseOutline::default());
        found.iter().map(|block| (block.span.text(text), block.is_shown)).collect()
    }

    #[test]
    fn a_block_ends_at_the_line_of_its_own_word() {
        let text = "- a\n  #+BEGIN_SRC clojure\n  #+BEGIN_QUERY\n  - [[x]]\n  #+END_QUERY\n  #+end_src\n- b";
        assert_eq!(blocks(text), [(&text[4..text.len() - 4], true)]);
        assert_eq!(
            blocks("- #+BEGIN_QUERY\n  {:query 1}\n  #+END_QUERY"),
            [("- #+BEGIN_QUERY\n  {:query 1}\n  #+END_QUERY", false)]
        );
    }

    #[test]
    fn what_is_not_ended_is_text() {
        assert!(blocks("- #+BEGIN_SRC\n  x\n- b").is_empty());
        assert!(blocks("\t- #+BEGIN_EXAMPLE\n- next\n  #+END_EXAMPLE").is_empty());
        assert!(blocks("#+BEGIN_NOTE\n[[x]]\n#+END_NOTE").is_empty(), "a note has markup");
    }
}
