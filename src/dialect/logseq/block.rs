//! The lines of one block: its text, its properties, its task and its dates.

use xxhash_rust::xxh64::Xxh64;

use super::properties::is_hidden;
use crate::dialect::markup::{Property, TaskState, property};
use crate::text::{LineIndex, Span};

/// What the lines of a block or of the page before all blocks say.
#[derive(Debug, Default)]
pub struct BlockText<'t> {
    /// The text of its first line, without what marks a heading or a task.
    pub title: Title<'t>,
    pub task: Option<(TaskState, Span)>,
    /// Names of fields, and where their values are.
    pub properties: Vec<(&'t str, Span)>,
    /// `scheduled` and `due`, and where their dates are.
    pub dates: Vec<(&'static str, Span)>,
    /// Lines, from 0, that are no content.
    pub hidden: Vec<u32>,
    /// The text that its id is made from if it gives none.
    pub content: Vec<&'t str>,
}

/// The name of a block, and where it starts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Title<'t> {
    pub text: &'t str,
    pub start: usize,
}

impl<'t> BlockText<'t> {
    /// Reads the lines of a bullet, from its text on.
    pub fn read(index: &LineIndex<'t>, content: usize, end: usize) -> Self {
        let first = index.line(content as u32);
        let behind = (index.start(first + 1) as usize).min(end).max(content);
        let mut reader = LineReader::new(index.text());
        reader.take_first(first, content, behind);
        reader.take_lines(index, behind, end);
        reader.block
    }

    /// Reads the lines before the first bullet.
    pub fn read_preamble(index: &LineIndex<'t>, start: usize, end: usize) -> Self {
        let mut reader = LineReader::new(index.text());
        reader.take_lines(index, start, end);
        reader.block
    }

    /// The id that it gives itself.
    pub fn id(&self, text: &'t str) -> Option<&'t str> {
        let (_, value) = self.properties.iter().find(|(name, _)| name.eq_ignore_ascii_case("id"))?;
        Some(value.text(text)).filter(|id| !id.is_empty())
    }

    /// A hash of the page's path and the text: an edit elsewhere does not change it.
    pub fn hash(&self, path: &str) -> u64 {
        let mut hasher = Xxh64::new(0);
        hasher.update(path.as_bytes());
        self.content.iter().for_each(|line| {
            hasher.update(b"\n");
            hasher.update(line.as_bytes());
        });
        hasher.digest()
    }
}

struct LineReader<'t> {
    block: BlockText<'t>,
    text: &'t str,
    in_drawer: bool,
    /// Whether only properties and dates came since the first line.
    is_head: bool,
    /// Whether the first line is a property that nobody sees, so that the next text is the name.
    is_nameless: bool,
}

impl<'t> LineReader<'t> {
    fn new(text: &'t str) -> Self {
        LineReader { block: BlockText::default(), text, in_drawer: false, is_head: true, is_nameless: false }
    }

    /// Takes whole lines.
    fn take_lines(&mut self, index: &LineIndex<'t>, start: usize, end: usize) {
        let mut line = index.line(start as u32);
        while (index.start(line) as usize) < end {
            let from = (index.start(line) as usize).max(start);
            self.take(line, from, (index.start(line + 1) as usize).min(end));
            line += 1;
        }
    }

    fn take(&mut self, line: u32, start: usize, end: usize) {
        let raw = &self.text[start..end];
        let bare = raw.trim();
        if bare.is_empty() {
            return;
        }
        let start = start + (raw.len() - raw.trim_start().len());
        let is_property = self.is_head && self.take_property(bare, start);
        if self.take_drawer(bare) || is_property || self.take_dates(bare, start) {
            self.block.hidden.push(line);
        } else {
            self.is_head = false;
            self.block.content.push(bare);
            if std::mem::take(&mut self.is_nameless) {
                self.take_name(bare, start);
            }
        }
    }

    fn take_first(&mut self, line: u32, start: usize, end: usize) {
        let raw = &self.text[start..end];
        let bare = raw.trim();
        let start = start + (raw.len() - raw.trim_start().len());
        self.is_head = !bare.starts_with("```") && !bare.starts_with("~~~");
        let is_property = self.take_property(bare, start);
        if is_property && self.block.properties.iter().all(|(name, _)| is_hidden(name)) {
            self.is_nameless = true;
            self.block.hidden.push(line);
            return;
        }
        self.block.content.push(bare);
        if is_property {
            self.block.title = Title { text: bare, start };
        } else {
            self.take_dates(bare, start);
            self.take_name(bare, start);
        }
    }

    /// Takes the line that names the block.
    fn take_name(&mut self, bare: &'t str, start: usize) {
        let title = without_box(without_heading_mark(bare));
        self.take_title(title, start + (bare.len() - title.len()));
    }

    fn take_title(&mut self, title: &'t str, start: usize) {
        let word = title.split_whitespace().next().unwrap_or_default();
        self.block.title = match TaskState::of_word(word) {
            Some(state) => {
                self.block.task = Some((state, Span::new(start, start + word.len())));
                let text = title[word.len()..].trim_start();
                Title { text, start: start + (title.len() - text.len()) }
            }
            None => Title { text: title, start },
        };
    }

    fn take_property(&mut self, bare: &'t str, start: usize) -> bool {
        let Some(Property { name, value_start }) = property(bare).filter(|found| is_key(found.name)) else {
            return false;
        };
        self.block.properties.push((name, Span::new(start + value_start.min(bare.len()), start + bare.len())));
        true
    }

    /// `:LOGBOOK:` and what follows up to `:END:`.
    fn take_drawer(&mut self, bare: &str) -> bool {
        let was_in = self.in_drawer;
        if was_in {
            self.in_drawer = !bare.eq_ignore_ascii_case(":END:");
        } else {
            self.in_drawer = bare == ":LOGBOOK:" || bare == ":PROPERTIES:";
        }
        was_in || self.in_drawer
    }

    /// Whether a line starts with a date of the task.
    fn take_dates(&mut self, bare: &str, start: usize) -> bool {
        const DATES: [(&str, &str); 2] = [("SCHEDULED: <", "scheduled"), ("DEADLINE: <", "due")];
        let mut starts_line = false;
        for (word, name) in DATES {
            let Some(at) = bare.find(word) else { continue };
            let value = at + word.len();
            let Some(len) = bare[value..].find('>') else { continue };
            self.block.dates.push((name, Span::new(start + value, start + value + len)));
            starts_line |= at == 0;
        }
        starts_line
    }
}

/// Names of properties have no blanks.
fn is_key(name: &str) -> bool {
    !name.contains(char::is_whitespace)
}

/// Without the box of a task.
fn without_box(text: &str) -> &str {
    match text.as_bytes() {
        [b'[', inside, b']', b' ', ..] if TaskState::of_box(*inside).is_some() => text[4..].trim_start(),
        _ => text,
    }
}

fn without_heading_mark(text: &str) -> &str {
    let bare = text.trim_start_matches('#');
    match bare.strip_prefix(' ') {
        Some(title) if (1..=6).contains(&(text.len() - bare.len())) => title.trim_start(),
        _ => text,
    }
}
