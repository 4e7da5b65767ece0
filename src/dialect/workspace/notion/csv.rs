//! The records of a CSV file, with their places. Fields in quotes may hold line breaks, commas, and quotes that are
//! written twice.

use std::borrow::Cow;

use crate::text::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'t> {
    /// Without the line break behind it.
    pub span: Span,
    pub fields: Vec<Cow<'t, str>>,
}

/// A table as its file writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet<'t> {
    pub header: Record<'t>,
    pub records: Vec<Record<'t>>,
    /// Whether the last field opens a quote that nothing closes.
    pub is_unclosed: bool,
}

impl<'t> Sheet<'t> {
    /// Blank lines are no records, unless there is one column: then a blank line is a row without a title.
    pub fn read(text: &'t str) -> Self {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut reader = Reader { text, at: start, is_unclosed: false };
        let header = reader.record();
        let mut records = Vec::new();
        while reader.at < text.len() {
            let record = reader.record();
            if header.fields.len() == 1 || !record.span.is_empty() {
                records.push(record);
            }
        }
        Sheet { header, records, is_unclosed: reader.is_unclosed }
    }

    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.header.fields.iter().map(|name| name.trim())
    }

    /// Moves a column to the front. Records that are too short for it get an empty field there.
    pub fn with_first(mut self, column: usize) -> Self {
        for record in std::iter::once(&mut self.header).chain(&mut self.records).filter(|_| column > 0) {
            let first = if column < record.fields.len() { record.fields.remove(column) } else { Cow::Borrowed("") };
            record.fields.insert(0, first);
        }
        self
    }
}

impl Record<'_> {
    /// The field of a column; empty if the record is too short.
    pub fn field(&self, column: usize) -> &str {
        self.fields.get(column).map_or("", |field| field.trim())
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    is_unclosed: bool,
}

impl<'t> Reader<'t> {
    /// The record at the current place, which is then behind its line break.
    fn record(&mut self) -> Record<'t> {
        let start = self.at;
        let mut fields = vec![self.field()];
        while self.text[self.at..].starts_with(',') {
            self.at += 1;
            fields.push(self.field());
        }
        let span = Span::new(start, self.at);
        self.at += line_break_len(&self.text[self.at..]);
        Record { span, fields }
    }

    /// The field at the current place, which is then at the comma or line break behind it.
    fn field(&mut self) -> Cow<'t, str> {
        if !self.text[self.at..].starts_with('"') {
            return Cow::Borrowed(self.plain());
        }
        self.at += 1;
        let quoted = self.quoted();
        let behind = self.plain();
        if behind.is_empty() { quoted } else { Cow::Owned(quoted.into_owned() + behind) }
    }

    fn plain(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let mut len = 0;
        while let Some(found) = rest[len..].find([',', '\n', '\r']) {
            len += found;
            if line_break_len(&rest[len..]) > 0 || rest[len..].starts_with(',') {
                self.at += len;
                return &rest[..len];
            }
            len += 1;
        }
        self.at = self.text.len();
        rest
    }

    fn quoted(&mut self) -> Cow<'t, str> {
        let inside = &self.text[self.at..];
        let (mut len, mut has_quotes) = (0, false);
        loop {
            let Some(found) = inside[len..].find('"') else {
                self.is_unclosed = true;
                len = inside.len();
                self.at = self.text.len();
                break;
            };
            len += found;
            if !inside[len + 1..].starts_with('"') {
                self.at += len + 1;
                break;
            }
            has_quotes = true;
            len += 2;
        }
        let field = &inside[..len];
        if has_quotes { Cow::Owned(field.replace("\"\"", "\"")) } else { Cow::Borrowed(field) }
    }
}

/// The length of the line break that a text starts with; 0 if it starts with none.
fn line_break_len(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each record as its fields between bars.
    fn drawn(text: &str) -> Vec<String> {
        let sheet = Sheet::read(text);
        std::iter::once(&sheet.header).chain(&sheet.records).map(|record| record.fields.join("|")).collect()
    }

    #[test]
    fn records_end_with_lines_outside_of_quotes() {
        let rows = ["a|b", "1|x, \"y\"\r\nz", "|", "2|3"];
        assert_eq!(drawn("\u{feff}a,b\r\n1,\"x, \"\"y\"\"\r\nz\"\r\n,\r\n\r\n2,3"), rows);
        assert_eq!(drawn("a,b\n1,\"x, \"\"y\"\"\r\nz\"\n,\n\n2,3\n"), rows);
        assert_eq!(drawn("a\n1\n\n2\n"), ["a", "1", "", "2"]);
        assert_eq!(drawn("a\rb,c"), ["a\rb|c"]);
        assert_eq!(drawn("\"a\"b,c\"d\"\n"), ["ab|c\"d\""]);
        assert_eq!(drawn(""), [""]);
        assert!(!Sheet::read("a,\"\"\"\"").is_unclosed);
        assert!(Sheet::read("a,\"b").is_unclosed);
    }

    #[test]
    fn a_column_moves_to_the_front() {
        let moved = |column: usize| {
            let sheet = Sheet::read("#,Name,Due\n1,a,x\n2\n").with_first(column);
            std::iter::once(&sheet.header)
                .chain(&sheet.records)
                .map(|record| record.fields.join("|"))
                .collect::<Vec<_>>()
        };
        assert_eq!(moved(0), ["#|Name|Due", "1|a|x", "2"]);
        assert_eq!(moved(1), ["Name|#|Due", "a|1|x", "|2"]);
        assert_eq!(moved(2), ["Due|#|Name", "x|1|a", "|2"]);
    }

    #[test]
    fn records_know_where_they_are() {
        let text = "\u{feff}a,b\r\n1,\"x\r\ny\"\r\n";
        let sheet = Sheet::read(text);
        assert_eq!(sheet.header.span.text(text), "a,b");
        assert_eq!(sheet.records[0].span.text(text), "1,\"x\r\ny\"");
    }
}
