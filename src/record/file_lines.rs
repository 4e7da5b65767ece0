//! The lines of a file, reassembled from its chunks.

use std::collections::BTreeMap;

use super::{Chunk, FieldValue, Lines};

/// The lines of one file by number, each with its line break.
///
/// Chunks contain whole lines, or pieces of one line that is too long, and every non-blank line is in one of them. A
/// skeleton repeats lines of other chunks and has some of its own. Only blank lines are missing: each equals the line
/// break of the line before it, unless the document's item lists it as a white line.
pub struct FileLines(BTreeMap<u32, String>);

impl FileLines {
    /// Takes all chunks of a file in order, and the white lines of its item.
    pub fn new<'c>(chunks: impl IntoIterator<Item = &'c Chunk>, white_lines: &[FieldValue]) -> Self {
        let mut lines: BTreeMap<u32, String> = BTreeMap::new();
        let mut skeletons = Vec::new();
        for chunk in chunks.into_iter().filter(|chunk| !chunk.derived) {
            if chunk.is_skeleton() {
                skeletons.push(chunk);
                continue;
            }
            for (number, line) in numbered_lines(chunk) {
                lines.entry(number).or_default().push_str(line);
            }
        }
        for (number, line) in skeletons.into_iter().flat_map(numbered_lines) {
            lines.entry(number).or_insert_with(|| line.to_string());
        }
        let white = white_lines.iter().filter_map(|value| Some((value.line?, value.text.clone()?)));
        white.for_each(|(number, line)| drop(lines.insert(number, line)));
        FileLines(lines)
    }

    /// The lines that are not blank, by number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.0.iter().map(|(number, line)| (*number, line.as_str()))
    }

    /// The text of a range of lines.
    pub fn text(&self, lines: Lines) -> String {
        let before = self.0.range(..lines.start).next_back();
        let mut line_break = before.map_or("\n", |(_, line)| line_break_of(line));
        let mut text = String::new();
        for number in lines.start..=lines.end {
            let line = self.0.get(&number).map_or(line_break, String::as_str);
            text.push_str(line);
            line_break = line_break_of(line);
        }
        text
    }
}

/// The blank lines of a text that cannot be derived from its chunks.
pub fn white_lines(text: &str, chunks: &[Chunk]) -> Vec<FieldValue> {
    let known = FileLines::new(chunks, &[]);
    let mut line_break = "\n";
    let mut white = Vec::new();
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        if line != line_break && !known.0.contains_key(&number) {
            white.push(FieldValue::at(number, line));
        }
        line_break = line_break_of(line);
    }
    white
}

/// The lines of a chunk's text with their numbers.
fn numbered_lines(chunk: &Chunk) -> impl Iterator<Item = (u32, &str)> {
    let lines = if chunk.is_skeleton() { chunk.shown_lines() } else { std::slice::from_ref(&chunk.lines) };
    let numbers = lines.iter().flat_map(|lines| lines.start..=lines.end);
    numbers.zip(chunk.text.split_inclusive('\n'))
}

fn line_break_of(line: &str) -> &'static str {
    if line.ends_with("\r\n") { "\r\n" } else { "\n" }
}
