//! Where a definition really ends.
//!
//! A grammar that reads indentation closes a block only at the next line of code, so the comment above
//! the next definition ends up inside the one before it.

use crate::text::Span;

/// The span without the comments at its end that are not indented deeper than the line it starts on.
pub fn without_following_comments(mut span: Span, comments: &[Span], text: &str) -> Span {
    let own = indentation(span.start, text);
    while let Some(comment) = comment_at_end(span, comments) {
        match indentation_if_alone(comment.start, text) {
            Some(depth) if depth <= own => {
                let kept = text[span.start as usize..comment.start as usize].trim_end();
                span = Span::new(span.start as usize, span.start as usize + kept.len());
            }
            _ => break,
        }
    }
    span
}

/// `comments` is sorted, and comments do not overlap.
fn comment_at_end(span: Span, comments: &[Span]) -> Option<Span> {
    let at = comments.partition_point(|comment| comment.end < span.end);
    comments.get(at).copied().filter(|comment| comment.end == span.end && comment.start > span.start)
}

fn indentation(offset: u32, text: &str) -> usize {
    let line = &text[line_start(offset, text)..];
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn indentation_if_alone(offset: u32, text: &str) -> Option<usize> {
    let before = &text[line_start(offset, text)..offset as usize];
    before.trim().is_empty().then_some(before.len())
}

fn line_start(offset: u32, text: &str) -> usize {
    text[..offset as usize].rfind('\n').map_or(0, |at| at + 1)
}
