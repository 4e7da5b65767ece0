//! From byte offsets to lines, columns and UTF-16 offsets.

/// Where the lines of one text start. A line ends behind its `\n`; a lone `\r` ends nothing.
pub struct LineIndex<'t> {
    text: &'t str,
    /// Byte offset of each line's start; the first is 0. A text that ends in `\n` has no line behind it.
    starts: Vec<u32>,
    /// UTF-16 offset of each line's start; empty when the text is ASCII and both agree.
    utf16_starts: Vec<u32>,
}

impl<'t> LineIndex<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        if text.is_empty() || text.ends_with('\n') {
            starts.pop();
        }
        let utf16_starts = if text.is_ascii() { Vec::new() } else { utf16_starts(text, &starts) };
        LineIndex { text, starts, utf16_starts }
    }

    pub fn text(&self) -> &'t str {
        self.text
    }

    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// 0-based line that holds a byte offset; the last line holds the text's end.
    pub fn line(&self, offset: u32) -> u32 {
        (self.starts.partition_point(|start| *start <= offset) as u32).saturating_sub(1)
    }

    /// Byte offset at which a 0-based line starts; behind the last line, the text's end.
    pub fn start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(self.text.len() as u32)
    }

    /// A 0-based line's text with its line break.
    pub fn line_text(&self, line: u32) -> &'t str {
        &self.text[self.start(line) as usize..self.start(line + 1) as usize]
    }

    pub fn is_blank(&self, line: u32) -> bool {
        self.line_text(line).trim().is_empty()
    }

    /// UTF-16 code units before a byte offset.
    pub fn utf16(&self, offset: u32) -> u32 {
        if self.utf16_starts.is_empty() {
            return offset;
        }
        let line = self.line(offset);
        let before = &self.text[self.start(line) as usize..offset as usize];
        self.utf16_starts[line as usize] + utf16_len(before)
    }

    /// UTF-16 code units between the start of the offset's line and the offset.
    pub fn column(&self, offset: u32) -> u32 {
        let line = self.line(offset);
        self.utf16(offset) - self.utf16(self.start(line))
    }
}

/// How many lines a [`LineIndex`] of the text would have.
pub fn line_count(text: &str) -> u32 {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    (breaks + usize::from(!text.is_empty() && !text.ends_with('\n'))) as u32
}

fn utf16_starts(text: &str, starts: &[u32]) -> Vec<u32> {
    let mut total = 0;
    let mut at = 0;
    starts
        .iter()
        .map(|start| {
            total += utf16_len(&text[at..*start as usize]);
            at = *start as usize;
            total
        })
        .collect()
}

fn utf16_len(text: &str) -> u32 {
    if text.is_ascii() {
        return text.len() as u32;
    }
    text.chars().map(|c| c.len_utf16() as u32).sum()
}
