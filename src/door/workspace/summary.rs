//! A page in a few lines: its title and description, its headings, and how many of its tasks are done. From what the
//! reader may see of it.

use super::content::Contents;
use super::outline::{belongs_above, class};
use crate::record::{BlockNo, BlockType};
use crate::text::{Tokenizer, one_line};

const MAX_HEADINGS: usize = 20;
/// Stands for what is cut.
const CUT: &str = " …";

/// The summary of a page. Empty if there is nothing to say.
pub fn summary(contents: &Contents, page: BlockNo) -> String {
    let Found { headings, open, done } = find(contents, page);
    let tasks = if open + done > 0 { format!("Tasks: {open} open, {done} done") } else { String::new() };
    let mut room = Room { tokenizer: contents.tokenizer, left: contents.summary_tokens };
    let tasks = room.take(&tasks);
    let head = room.take(contents.view.text(page));
    let mut lines = vec![head];
    for heading in headings {
        let line = format!("- {}", one_line(contents.view.text(heading).trim()));
        if !room.fits(&line) {
            break;
        }
        lines.push(room.take(&line));
    }
    lines.push(tasks);
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

/// What there is on a page, without the pages on it.
struct Found {
    headings: Vec<BlockNo>,
    open: u32,
    done: u32,
}

fn find(contents: &Contents, page: BlockNo) -> Found {
    let view = contents.view;
    let mut found = Found { headings: Vec::new(), open: 0, done: 0 };
    let mut left = view.below(page);
    // Where the block ends that headings are no longer those of the page in.
    let mut inner_end = 0;
    while let Some(block) = left.first().copied() {
        let block_type = view.block_type(block);
        let is_entered = block_type != BlockType::Page && !contents.excluded.holds(view, block);
        if is_entered {
            let is_of_page = view.place(block) >= inner_end;
            if is_of_page && !belongs_above(class(view, block)) {
                inner_end = view.place(block) + 1 + view.below(block).len() as u32;
            }
            if is_of_page && block_type == BlockType::Heading && found.headings.len() < MAX_HEADINGS {
                found.headings.push(block);
            }
            match view.done(block) {
                Some(true) => found.done += 1,
                Some(false) => found.open += 1,
                None => {}
            }
        }
        left = view.behind(left, is_entered);
    }
    found
}

/// The tokens that are left for lines.
struct Room {
    tokenizer: Tokenizer,
    left: usize,
}

impl Room {
    /// A line break is counted as a token.
    fn fits(&self, line: &str) -> bool {
        self.tokenizer.count_until(line, self.left.saturating_sub(1)).is_some()
    }

    /// As much of a text as there is room for.
    fn take(&mut self, text: &str) -> String {
        let text = text.trim_end();
        let shown = if text.is_empty() || self.fits(text) { text.to_string() } else { self.beginning(text) };
        if !shown.is_empty() {
            self.left = self.left.saturating_sub(self.tokenizer.count(&shown) + 1);
        }
        shown
    }

    fn beginning(&self, text: &str) -> String {
        let room = self.left.saturating_sub(1 + self.tokenizer.count(CUT));
        let start = text[..self.tokenizer.prefix(text, room)].trim_end();
        if start.is_empty() { String::new() } else { format!("{start}{CUT}") }
    }
}
