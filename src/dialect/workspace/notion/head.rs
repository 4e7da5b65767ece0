//! The first lines of an exported page: its title, and below it the values of a row.

use crate::text::Span;

/// What stands before the body of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The words behind `# `; absent if the page does not start with such a line.
    pub title: Option<String>,
    /// The line of the title; of a row with the lines of its values.
    pub span: Span,
    pub values: Vec<NamedValue>,
    /// Where the body starts.
    pub end: usize,
}

/// One property of a row, as a page or table writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    pub name: String,
    pub text: String,
    pub span: Span,
}

impl Head {
    /// Reads the head of a page. Of a row, `columns` are the names of its properties.
    pub fn read(text: &str, columns: &[String]) -> Self {
        let start = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
        let line = text[start..].lines().next().unwrap_or_default().trim_end();
        let title = line.strip_prefix('#').filter(|title| title.is_empty() || title.starts_with(' '));
        let end = if title.is_some() { start + line.len() } else { start };
        let title = title.map(|title| title.trim().to_string());
        let head = Head { title, span: Span::new(start, end), values: Vec::new(), end };
        head.with_values(text, columns)
    }

    /// The lines up to the first blank one, if the first of them names a property.
    fn with_values(mut self, text: &str, columns: &[String]) -> Self {
        let blank = text[self.end..].len() - text[self.end..].trim_start().len();
        let mut at = self.end + blank;
        for line in text[at..].split_inclusive('\n') {
            let words = line.trim_end();
            let span = Span::new(at, at + words.len());
            match named(words, columns) {
                _ if words.trim().is_empty() => break,
                Some((name, value)) => {
                    self.values.push(NamedValue { name: name.to_string(), text: value.trim().to_string(), span });
                }
                None => {
                    // A value of several lines. Where there is no value yet, the body starts here.
                    let Some(last) = self.values.last_mut() else { break };
                    last.text.push('\n');
                    last.text.push_str(words.trim());
                    last.span.end = span.end;
                }
            }
            self.span.end = span.end;
            at += line.len();
            self.end = at;
        }
        self
    }
}

/// A line as a property and its value. Of several names that fit, the longest is meant.
fn named<'t, 'c>(line: &'t str, columns: &'c [String]) -> Option<(&'c str, &'t str)> {
    let fits = |name: &'c String| {
        let rest = line.strip_prefix(name.as_str())?.strip_prefix(':')?;
        (rest.is_empty() || rest.starts_with(' ')).then_some((name.as_str(), rest))
    };
    columns.iter().filter(|name| !name.is_empty()).filter_map(fits).max_by_key(|(name, _)| name.len())
}
