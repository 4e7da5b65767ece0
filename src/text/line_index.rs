//! From byte offsets to lines, columns and UTF-16 offsets.

/// Where the lines of one text start. A line ends behind its `\n`; a lone `\r` ends nothing.
pub struct LineIndex<'t> {
    text: &'t str,
    /// Byte offset of each line's start; the first is 0. A text that ends in `\n` has no line behind it.
    starts: Vec<u32>,
    /// UTF-16 code units before each block of [`BLOCK`] bytes; empty when the text is ASCII and both counts agree. A
    /// line may be the whole text, so units are not counted from the starts of lines.
    utf16_blocks: Vec<u32>,
}

const BLOCK: usize = 256;

impl<'t> LineIndex<'t> {
    pub fn new(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        if text.is_empty() || text.ends_with('\n') {
            starts.pop();
        }
        let utf16_blocks = if text.is_ascii() { Vec::new() } else { utf16_blocks(text) };
        LineIndex { text, starts, utf16_blocks }
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
        if self.utf16_blocks.is_empty() {
            return offset;
        }
        let block = offset as usize / BLOCK;
        self.utf16_blocks[block] + utf16_len(&self.text.as_bytes()[block * BLOCK..offset as usize])
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

fn utf16_blocks(text: &str) -> Vec<u32> {
    let mut total = 0;
    let mut blocks = vec![0];
    blocks.extend(text.as_bytes().chunks(BLOCK).map(|block| {
        total += utf16_len(block);
        total
    }));
    blocks
}

/// The UTF-16 code units of the characters whose first byte is among these.
fn utf16_len(bytes: &[u8]) -> u32 {
    let units = |byte: &u8| u32::from(byte & 0xc0 != 0x80) + u32::from(*byte >= 0xf0);
    bytes.iter().map(units).sum()
}
