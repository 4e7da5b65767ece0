//! Selects how much of a chunk is shown. Text is never reflowed: every form consists of whole lines of the chunk.

use crate::record::pack::{Excerpt, ExcerptForm, Truncation};
use crate::record::{Chunk, Lines};
use crate::text::may_be_redacted;

/// The text of a chunk, by line.
pub struct Text<'c> {
    lines: Vec<Line<'c>>,
    /// Blank lines after the chunk. They are shown only with the whole chunk.
    blank: Vec<Line<'static>>,
    /// The form of the whole text.
    form: ExcerptForm,
}

/// A line's text, and its number in the file if the line is complete.
type Line<'c> = (Option<u32>, &'c str);

impl<'c> Text<'c> {
    pub fn new(chunk: &'c Chunk) -> Self {
        let whole = chunk.shown_lines().iter().flat_map(|lines| lines.start..=lines.end);
        let numbers = whole.map(Some).chain(std::iter::repeat(None));
        let form = if chunk.is_skeleton() { ExcerptForm::Outline } else { ExcerptForm::Full };
        Text { lines: numbers.zip(chunk.text.split_inclusive('\n')).collect(), blank: blank_after(chunk), form }
    }

    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The whole text, or the largest form that fits into `max_bytes`.
    pub fn within(&self, max_bytes: u32) -> Excerpt {
        let fits = |lines: &[Line]| bytes(lines) <= max_bytes as usize;
        let whole = [&self.lines[..], &self.blank].concat();
        for lines in [&whole, &self.lines] {
            if fits(lines) {
                return excerpt(lines, self.form, None);
            }
        }
        let cut = Some(Truncation { max_bytes, reason: "maxBytesPerItem".to_string() });
        let outline = self.outline();
        if fits(&outline) && outline.len() > 1 {
            return excerpt(&outline, ExcerptForm::Outline, cut);
        }
        let count = (0..=self.lines.len()).rev().find(|count| fits(&self.lines[..*count])).unwrap_or(0);
        self.head(count, max_bytes, "maxBytesPerItem")
    }

    /// The first lines; with a count of 0, only the title.
    pub fn head(&self, count: usize, max_bytes: u32, reason: &str) -> Excerpt {
        let form = if count == 0 { ExcerptForm::Title } else { ExcerptForm::Head };
        excerpt(&self.lines[..count], form, Some(Truncation { max_bytes, reason: reason.to_string() }))
    }

    /// The lines that are indented no deeper than the first: the signature of a function, the statements of a module.
    fn outline(&self) -> Vec<Line<'c>> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let least = self.lines.first().map_or(0, |(_, line)| indent(line));
        self.lines.iter().filter(|(_, line)| !line.trim().is_empty() && indent(line) <= least).copied().collect()
    }
}

/// The first blank line also ends the chunk's last line, if that has no line break.
fn blank_after(chunk: &Chunk) -> Vec<Line<'static>> {
    let numbers = (chunk.lines.end + 1..=chunk.lines.end + chunk.blank_after).map(Some);
    let first = if chunk.text.ends_with('\n') { "\n" } else { "\n\n" };
    numbers.zip([first].into_iter().chain(std::iter::repeat("\n"))).collect()
}

fn bytes(lines: &[Line]) -> usize {
    lines.iter().map(|(_, line)| line.len()).sum()
}

fn excerpt(lines: &[Line], form: ExcerptForm, truncation: Option<Truncation>) -> Excerpt {
    let (redacted, shown) = lines.iter().partition::<Vec<&Line>, _>(|(_, line)| may_be_redacted(line));
    let text = lines.iter().map(|(_, line)| *line).collect();
    Excerpt {
        form,
        redacted: ranges(&redacted),
        shown: ranges(&shown),
        text,
        truncated: truncation.is_some(),
        truncation,
    }
}

fn ranges(lines: &[&Line]) -> Vec<Lines> {
    let mut ranges: Vec<Lines> = Vec::new();
    for number in lines.iter().filter_map(|(number, _)| *number) {
        match ranges.last_mut() {
            Some(last) if last.end + 1 == number => last.end = number,
            _ => ranges.push(Lines { start: number, end: number }),
        }
    }
    ranges
}
