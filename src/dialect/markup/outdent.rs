//! Text that markdown takes for code because it is indented. Logseq knows no such code: bullets below a heading are
//! indented, too.

use pulldown_cmark::CowStr;

use crate::language::{Limits, Mention, Prose, ProseFence, ProseLink, read_prose};
use crate::text::Span;

/// How many columns a tab takes at most.
const TAB: usize = 4;

/// Reads indented code again without its indentation, and adds what is found. Code that is indented even then is text.
pub fn read_outdented(text: &str, limits: &Limits, prose: &mut Prose) {
    for span in std::mem::take(&mut prose.outline.indented) {
        let piece = Outdented::new(text, span);
        let inner = read_prose(&piece.text, limits);
        let outer = &mut prose.outline;
        outer.verbatim.extend(inner.outline.verbatim.iter().map(|span| piece.outer(*span)));
        outer.links.extend(inner.outline.links.iter().map(|link| piece.link(link)));
        outer.fences.extend(inner.outline.fences.iter().map(|fence| piece.fence(fence)));
        prose.facts.mentions.extend(inner.facts.mentions.into_iter().map(|mention| piece.mention(mention)));
    }
}

/// A copy of some lines without their common indentation.
struct Outdented {
    text: String,
    /// For each line: where it starts in the copy, and how much further it starts in the text.
    lines: Vec<(u32, u32)>,
}

impl Outdented {
    fn new(text: &str, span: Span) -> Self {
        let start = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let indented = &text[start..span.end as usize];
        let width = columns(&indented[..white_len(indented)]);
        let (mut copy, mut lines, mut at) = (String::with_capacity(indented.len()), Vec::new(), start);
        for line in indented.split_inclusive('\n') {
            let kept = &line[cut_len(line, width)..];
            let outer = at + line.len() - kept.len();
            lines.push((copy.len() as u32, (outer - copy.len()) as u32));
            copy.push_str(kept);
            at += line.len();
        }
        Outdented { text: copy, lines }
    }

    fn outer(&self, span: Span) -> Span {
        Span { start: self.outer_offset(span.start), end: self.outer_offset(span.end.max(1) - 1) + 1 }
    }

    fn outer_offset(&self, offset: u32) -> u32 {
        let line = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        offset + self.lines.get(line).map_or(0, |(_, shift)| *shift)
    }

    fn link<'t>(&self, link: &ProseLink) -> ProseLink<'t> {
        ProseLink { target: owned(&link.target), span: self.outer(link.span), is_image: link.is_image }
    }

    fn fence<'t>(&self, fence: &ProseFence) -> ProseFence<'t> {
        ProseFence { info: owned(&fence.info), span: self.outer(fence.span) }
    }

    fn mention<'t>(&self, mention: Mention) -> Mention<'t> {
        let receiver = mention.receiver.map(|receiver| receiver.into_owned().into());
        Mention { receiver, ..Mention::new(mention.role, mention.name.into_owned(), self.outer(mention.span)) }
    }
}

fn owned<'t>(text: &CowStr) -> CowStr<'t> {
    text.to_string().into()
}

fn white_len(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// How wide white space is.
pub fn columns(white: &str) -> usize {
    white.bytes().fold(0, |column, byte| if byte == b'\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// The length of the white space at the start of a line that is at most so wide.
fn cut_len(line: &str, width: usize) -> usize {
    (0..=white_len(line)).rev().find(|len| columns(&line[..*len]) <= width).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_the_copy_are_places_in_the_text() {
        let text = "## H\n\t- one `a`\n\t\t- [x](b.md)\n    - two\n";
        let piece = Outdented::new(text, Span::new(text.find("- one").unwrap(), text.len()));
        assert_eq!(piece.text, "- one `a`\n\t- [x](b.md)\n- two\n");
        for word in ["one", "`a`", "b.md", "two"] {
            let at = piece.text.find(word).unwrap();
            assert_eq!(piece.outer(Span::new(at, at + word.len())).text(text), word);
        }
    }
}
