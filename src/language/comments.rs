//! The comments right above a place belong to what starts there.

use crate::text::Span;

/// Where what starts at a place starts with the comments above it, so that no cut parts them.
pub fn start_with_comments(offset: u32, comments: &[Span], text: &str) -> u32 {
    let above = |offset: u32| comment_above(offset, comments, text);
    std::iter::successors(above(offset), |comment| above(comment.start)).last().map_or(offset, |first| first.start)
}

/// The comment on the line above a place, or before it on its line, if it stands alone. `comments` is sorted.
pub fn comment_above(offset: u32, comments: &[Span], text: &str) -> Option<Span> {
    let before = comments.partition_point(|comment| comment.end <= offset);
    let comment = *comments.get(before.checked_sub(1)?)?;
    let between = &text[comment.end as usize..offset as usize];
    if !between.trim().is_empty() || between.matches('\n').count() > 1 {
        return None;
    }
    let line_start = text[..comment.start as usize].rfind('\n').map_or(0, |at| at + 1);
    text[line_start..comment.start as usize].trim().is_empty().then_some(comment)
}
