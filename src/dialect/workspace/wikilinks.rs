//! Links in texts: `[[Title]]`, `[[Title#Heading]]` and `[[Title^blockId]]`, each with `|alias`.

use super::{BlockLink, LinkTarget};
use crate::dialect::export::Trouble;
use crate::language::{Limits, read_prose};
use crate::record::ProblemCode;
use crate::text::{Span, fold};

/// What a text links to. All spans are in the text that was read, not in the file that it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wikilinks {
    /// In the order of the text.
    pub links: Vec<BlockLink>,
    pub troubles: Vec<Trouble>,
}

/// Longer links are none.
const MAX_INSIDE_BYTES: usize = 2_000;

/// Finds the links in the own text of a block. Those in code are none; of a block of code nothing should be asked.
pub fn wikilinks(text: &str) -> Wikilinks {
    let mut found = Wikilinks::default();
    let spans = link_spans(text);
    let code = if spans.is_empty() { Vec::new() } else { code(text) };
    for span in spans.into_iter().filter(|span| !is_inside(*span, &code)) {
        found.take(&text[span.start as usize + 2..span.end as usize - 2], span);
    }
    found
}

/// Titles compare without case, normal form or runs of white space.
pub fn folded_title(title: &str) -> String {
    fold(title)
}

/// What stands between the last `[[` before a `]]` and that, on one line.
fn link_spans(text: &str) -> Vec<Span> {
    let (mut spans, mut from) = (Vec::new(), 0);
    for close in memchr::memmem::find_iter(text.as_bytes(), "]]") {
        if close < from {
            continue;
        }
        let before = &text[from..close];
        if let Some(open) = before.rfind("[[").filter(|open| is_inside_of_link(&before[open + 2..])) {
            spans.push(Span::new(from + open, close + 2));
        }
        from = close + 2;
    }
    spans
}

fn is_inside_of_link(inside: &str) -> bool {
    inside.len() <= MAX_INSIDE_BYTES && !inside.contains('\n') && !inside.trim().is_empty()
}

/// Fenced and inline code. What only its indentation or a `$` marks is none: many texts here are not markdown.
fn code(text: &str) -> Vec<Span> {
    let mut code = read_prose(text, &Limits { max_chunk_bytes: usize::MAX }).outline.verbatim;
    code.retain(|span| span.text(text).trim_start().starts_with(['`', '~']));
    code
}

fn is_inside(link: Span, code: &[Span]) -> bool {
    let at = code.partition_point(|span| span.end <= link.start);
    code.get(at).is_some_and(|span| span.start < link.end)
}

impl Wikilinks {
    fn take(&mut self, inside: &str, span: Span) {
        let target = inside.split('|').next().unwrap_or_default();
        // In tables the bar is escaped.
        let target = if target.len() < inside.len() { target.trim_end_matches('\\') } else { target };
        let (title, place) = target.split_at(target.find(['#', '^']).unwrap_or(target.len()));
        if place.contains('#') && place.contains('^') {
            let message = "a link names a heading and a block; only its title counts".to_string();
            self.troubles.push(Trouble { code: ProblemCode::ItemData, span: Some(span), message });
            return self.push(title, None, span);
        }
        match place.strip_prefix('^').map(str::trim).filter(|id| !id.is_empty()) {
            Some(id) => self.links.push(link(LinkTarget::Id(id.to_string()), None, span)),
            None => self.push(title, place.strip_prefix('#'), span),
        }
    }

    fn push(&mut self, title: &str, heading: Option<&str>, span: Span) {
        let heading = heading.map(str::trim).filter(|heading| !heading.is_empty());
        let title = title.trim();
        if !title.is_empty() {
            let to = LinkTarget::Title(title.to_string());
            self.links.push(link(to, heading.map(str::to_string), span));
        }
    }
}

fn link(to: LinkTarget, label: Option<String>, span: Span) -> BlockLink {
    BlockLink { to, label, is_relation: false, span }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Targets as they would be written, with the heading.
    fn found(text: &str) -> Vec<String> {
        let links = wikilinks(text).links.into_iter();
        links
            .map(|link| match (link.to, link.label) {
                (LinkTarget::Id(id), _) => format!("^{id}"),
                (LinkTarget::Title(title), Some(heading)) => format!("{title}#{heading}"),
                (LinkTarget::Title(title), None) => title,
            })
            .collect()
    }

    #[test]
    fn links_name_titles_headings_and_blocks() {
        assert_eq!(found("see [[Launch]] and [[ Q3  Plan |the plan]]"), ["Launch", "Q3  Plan"]);
        assert_eq!(found("[[A#Goals]] [[A^b-7|x]] [[^b8]] | [[B\\|b]] |"), ["A#Goals", "^b-7", "^b8", "B"]);
        assert_eq!(found("[[#Goals]] [[]] [[ ]] [[A\nB]] [A] [[A]"), Vec::<String>::new());
        assert_eq!(found("[[[A]]] [[ [[B]] ]] [[C]]]"), ["A", "B", "C"]);
    }

    #[test]
    fn a_heading_and_a_block_are_too_much() {
        for text in ["[[A#B^c]]", "[[A^c#B]]"] {
            assert_eq!(found(text), ["A"], "{text}");
            let troubles = wikilinks(text).troubles;
            assert_eq!((troubles.len(), troubles[0].span), (1, Some(Span::new(0, 9))), "{text}");
        }
        assert!(wikilinks("[[A#B]] [[A^c]]").troubles.is_empty());
    }

    #[test]
    fn code_has_no_links() {
        assert_eq!(found("`[[A]]` [[B]] ``x ` [[C]]`` \\`[[D]]\n\n```\n[[E]]\n```\n[[F]]"), ["B", "D", "F"]);
        assert_eq!(found("~~~\n[[A]]\n~~~\n> ```\n> [[B]]\n> ```\n\n    [[C]]"), ["C"]);
        assert_eq!(found("costs $5 [[A]] and 6$"), ["A"]);
    }

    #[test]
    fn spans_are_in_the_text() {
        let text = "über [[Ä|b]]";
        let span = wikilinks(text).links[0].span;
        assert_eq!(span.text(text), "[[Ä|b]]");
    }

    #[test]
    fn many_openings_take_no_time() {
        let started = crate::text::thread_seconds();
        let text = format!("{}]]", "[[".repeat(1_000_000));
        assert!(found(&text).is_empty());
        assert!(found(&"[[a ".repeat(500_000)).is_empty());
        assert_eq!(found(&"[[a]]\0".repeat(100_000)).len(), 100_000);
        assert!(thread_seconds_since(started) < 20.0);
    }

    fn thread_seconds_since(started: f64) -> f64 {
        crate::text::thread_seconds() - started
    }

    #[test]
    fn titles_fold() {
        assert_eq!(folded_title("  Q3 \n PLAN "), "q3 plan");
    }
}
