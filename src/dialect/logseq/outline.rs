//! The bullets of a page. Read line by line: the parser of markdown walks through every open list at every line, and an
//! outline may be as deep as it likes.

use memchr::memchr_iter;

use crate::dialect::markup::{OrgBlock, columns};

/// A bullet and the lines up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bullet {
    /// Where its first line starts.
    pub start: usize,
    /// Where its text starts, behind the mark.
    pub content: usize,
    /// The column of its mark.
    pub indent: usize,
}

/// The bullets of a text from the start of a line on. In a block of Org mode only the first line may be one.
pub fn bullets(text: &str, start: usize, org_blocks: &[OrgBlock]) -> Vec<Bullet> {
    let (mut found, mut fence, mut from) = (Vec::new(), None, start);
    let mut blocks = org_blocks.iter().map(|block| block.span).peekable();
    for end in memchr_iter(b'\n', &text.as_bytes()[start..]).map(|at| start + at).chain([text.len()]) {
        while blocks.next_if(|block| (block.end as usize) < from).is_some() {}
        if blocks.peek().is_none_or(|block| from <= block.start as usize) {
            found.extend(bullet(text, from, end, &mut fence));
        }
        from = end + 1;
    }
    found
}

/// A fence that is open: its marks, how many of them, and its column.
struct Fence {
    mark: u8,
    count: usize,
    indent: usize,
}

fn bullet(text: &str, start: usize, end: usize, fence: &mut Option<Fence>) -> Option<Bullet> {
    let line = text.get(start..end)?;
    let bare = line.trim_start_matches([' ', '\t']);
    let indent = columns(&line[..line.len() - bare.len()]);
    if let Some(open) = fence {
        if is_closing(bare, open) {
            *fence = None;
            return None;
        }
        // What is less indented than a fence is not in it.
        if bare.trim().is_empty() || indent >= open.indent {
            return None;
        }
        *fence = None;
    }
    let mark = mark_len(bare);
    let content = &bare[mark.unwrap_or(0)..];
    *fence = opened(content, indent + mark.unwrap_or(0));
    mark.map(|_| Bullet { start, content: end - content.len(), indent })
}

/// The mark of a list item and the blank behind it.
fn mark_len(line: &str) -> Option<usize> {
    let digits = line.bytes().take(10).take_while(u8::is_ascii_digit).count();
    let mark = match line.as_bytes().get(digits)? {
        b'-' | b'*' | b'+' if digits == 0 => 1,
        b'.' | b')' if (1..10).contains(&digits) => digits + 1,
        _ => return None,
    };
    match line.as_bytes().get(mark) {
        None | Some(b'\r') => Some(mark),
        Some(b' ' | b'\t') => Some(mark + 1),
        _ => None,
    }
}

fn opened(content: &str, indent: usize) -> Option<Fence> {
    let mark = *content.as_bytes().first().filter(|mark| matches!(mark, b'`' | b'~'))?;
    let count = content.bytes().take_while(|byte| *byte == mark).count();
    let is_fence = count >= 3 && !(mark == b'`' && content[count..].contains('`'));
    is_fence.then_some(Fence { mark, count, indent })
}

fn is_closing(bare: &str, fence: &Fence) -> bool {
    let marks = bare.trim_end();
    marks.len() >= fence.count && marks.bytes().all(|byte| byte == fence.mark)
}
