//! Names in a Tana export are HTML with references in it. They become markdown.

use std::borrow::Cow;

use serde::Deserialize;

/// A part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    /// Another document, and what the name calls it, which may be nothing.
    Node {
        id: String,
        shown: String,
    },
    /// A day, a week, a year, a time or a range of them, as it is written.
    Date(String),
}

/// The parts of a name. Tags are taken out first, then entities are decoded, once.
pub fn pieces(name: &str) -> Vec<Piece> {
    let mut reader = Reader {
        name,
        at: 0,
        last_tag: name.rfind('>').unwrap_or(0),
        last_span: name.rfind(SPAN_END).unwrap_or(0),
        text: String::with_capacity(name.len()),
        links: Vec::new(),
        pieces: Vec::new(),
    };
    while reader.step() {}
    reader.finish()
}

/// The text of code: only entities are decoded.
pub fn code(name: &str) -> Cow<'_, str> {
    if name.contains('&') { Cow::Owned(decoded(name)) } else { Cow::Borrowed(name) }
}

const SPAN_END: &str = "</span>";
/// What a reference in double brackets may be long.
const MAX_BRACKETS: usize = 1000;

struct Reader<'n> {
    name: &'n str,
    at: usize,
    /// Behind these no tag and no span ends.
    last_tag: usize,
    last_span: usize,
    text: String,
    /// The addresses of links that are open.
    links: Vec<String>,
    pieces: Vec<Piece>,
}

impl<'n> Reader<'n> {
    /// Reads up to and over the next special character; false at the end.
    fn step(&mut self) -> bool {
        let rest = &self.name[self.at..];
        let Some(next) = memchr::memchr3(b'<', b'&', b'[', rest.as_bytes()) else {
            self.text.push_str(rest);
            return false;
        };
        self.text.push_str(&rest[..next]);
        self.at += next;
        let rest = &rest[next..];
        let length = match rest.as_bytes()[0] {
            b'<' => self.tag(rest),
            b'[' => self.brackets(rest),
            _ => entity(rest).map(|(c, length)| {
                self.text.push(c);
                length
            }),
        };
        let length = length.unwrap_or_else(|| {
            self.text.push_str(&rest[..1]);
            1
        });
        self.at += length;
        true
    }

    /// A tag; none if it is just the character.
    fn tag(&mut self, rest: &'n str) -> Option<usize> {
        let inside = rest[1..].strip_prefix('/').unwrap_or(&rest[1..]);
        if self.at > self.last_tag || !inside.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let end = rest.find('>')?;
        let tag = &rest[1..end];
        let (is_end, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let name_end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        match tag[..name_end].to_ascii_lowercase().as_str() {
            "b" | "strong" => self.text.push_str("**"),
            "i" | "em" => self.text.push('*'),
            "code" => self.text.push('`'),
            "strike" | "s" | "del" => self.text.push_str("~~"),
            "br" => self.text.push('\n'),
            "a" if is_end => self.close_link(),
            "a" => self.open_link(attribute(tag, "href")),
            "span" if !is_end => return Some(end + 1 + self.span(tag, &rest[end + 1..]).unwrap_or_default()),
            _ => {}
        }
        Some(end + 1)
    }

    /// A reference to a document or a date. Returns the length of what belongs to it behind its tag.
    fn span(&mut self, tag: &str, behind: &str) -> Option<usize> {
        let node = attribute(tag, "data-inlineref-node");
        let date = attribute(tag, "data-inlineref-date");
        let end = if self.at < self.last_span { behind.find(SPAN_END) } else { None };
        let inside = &behind[..end.unwrap_or_default()];
        let piece = match (node, date) {
            (Some(id), _) => Piece::Node { id: id.into_owned(), shown: plain(inside) },
            (None, Some(date)) => Piece::Date(date_time(&date)?),
            (None, None) => return None,
        };
        self.add(piece);
        // The end of the span is a tag of its own.
        Some(inside.len())
    }

    /// `[[name^id]]`.
    fn brackets(&mut self, rest: &'n str) -> Option<usize> {
        let window = &rest[..rest.floor_char_boundary(MAX_BRACKETS.min(rest.len()))];
        let inside = window.strip_prefix("[[")?;
        let inside = &inside[..inside.find("]]")?];
        let (shown, id) = inside.rsplit_once('^')?;
        if id.is_empty() || shown.contains("[[") {
            return None;
        }
        self.add(Piece::Node { id: id.trim().to_string(), shown: plain(shown) });
        Some(inside.len() + 4)
    }

    fn open_link(&mut self, address: Option<Cow<str>>) {
        self.text.push('[');
        self.links.push(address.unwrap_or_default().into_owned());
    }

    fn close_link(&mut self) {
        if let Some(address) = self.links.pop() {
            self.text.push_str("](");
            self.text.push_str(&address);
            self.text.push(')');
        }
    }

    fn add(&mut self, piece: Piece) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Text(std::mem::take(&mut self.text)));
        }
        self.pieces.push(piece);
    }

    fn finish(mut self) -> Vec<Piece> {
        while !self.links.is_empty() {
            self.close_link();
        }
        if !self.text.is_empty() {
            self.pieces.push(Piece::Text(self.text));
        }
        self.pieces
    }
}

/// The text inside a reference, without its tags.
fn plain(inside: &str) -> String {
    let mut text = String::new();
    let mut rest = inside;
    while let Some((before, behind)) = rest.split_once('<') {
        text.push_str(before);
        rest = behind.split_once('>').map_or("", |(_, behind)| behind);
    }
    text.push_str(rest);
    decoded(&text).trim().to_string()
}

/// The value of an attribute of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<Cow<'t, str>> {
    let at = tag.find(&format!("{name}="))?;
    let value = &tag[at + name.len() + 1..];
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let value = value[1..].split(quote).next()?;
    Some(if value.contains('&') { Cow::Owned(decoded(value)) } else { Cow::Borrowed(value) })
}

/// The date of an inline reference, which is JSON.
fn date_time(json: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct InlineDate {
        #[serde(rename = "dateTimeString")]
        date_time: String,
    }
    serde_json::from_str::<InlineDate>(json).ok().map(|date| date.date_time)
}

/// A text without entities.
fn decoded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        let (c, length) = entity(&rest[at..]).unwrap_or(('&', 1));
        plain.push(c);
        rest = &rest[at + length..];
    }
    plain + rest
}

/// The character of the entity at the start of a text, and how long the entity is.
fn entity(text: &str) -> Option<(char, usize)> {
    const MAX_BYTES: usize = 10;
    let end = text.bytes().take(MAX_BYTES).position(|byte| byte == b';')?;
    let name = &text[1..end];
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => digits.parse(),
            };
            char::from_u32(code.ok()?).filter(|c| !c.is_control() || *c == '\n')?
        }
    };
    Some((c, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, shown: &str) {
        let text = |piece: Piece| match piece {
            Piece::Text(text) => text,
            Piece::Node { id, shown } => format!("{{{shown}|{id}}}"),
            Piece::Date(date) => format!("{{{date}}}"),
        };
        assert_eq!(pieces(name).into_iter().map(text).collect::<String>(), shown, "{name}");
    }

    #[test]
    fn markup_becomes_markdown() {
        check("a <b>b</b> <strong>c</strong> <i>d</i> <EM>e</EM>", "a **b** **c** *d* *e*");
        check("<code>x</code> <strike>y</strike><s>z</s><del>q</del>", "`x` ~~y~~~~z~~~~q~~");
        check("one<br>two<br/>three", "one\ntwo\nthree");
        check("<mark class=\"x\">kept</mark><span>too</span>", "kepttoo");
        check("<a href=\"https://x.org/?a=1&amp;b=2\">t</a>", "[t](https://x.org/?a=1&b=2)");
        check("<a href='u'>open", "[open](u)");
        check("</a>closed", "closed");
    }

    #[test]
    fn what_is_no_tag_stays() {
        check("a < b and 1<2, c > d", "a < b and 1<2, c > d");
        check("<b", "<b");
        check("if a <b then", "if a <b then");
        check("Science-Fiction &amp; Fantasy &#39;x&#x41;&nope; & &;", "Science-Fiction & Fantasy 'xA&nope; & &;");
    }

    #[test]
    fn entities_are_decoded_once_and_behind_tags() {
        check("&lt;b&gt;bold&lt;/b&gt;", "<b>bold</b>");
        check("&amp;lt;", "&lt;");
        assert_eq!(code("a &lt; b <i> &amp;amp;"), "a < b <i> &amp;");
    }

    #[test]
    fn references_in_both_forms() {
        check("see <span data-inlineref-node=\"abc\"></span>.", "see {|abc}.");
        check("<span data-inlineref-node=\"abc\">A <b>&amp;</b> B</span>!", "{A & B|abc}!");
        check("[[A &amp; B^abc]] and [[plain]] and [[a^]]", "{A & B|abc} and [[plain]] and [[a^]]");
        check("[[x [[y^id]]", "[[x {y|id}");
        check("<span data-inlineref-node=\"a\"><span data-inlineref-node=\"b\">", "{|a}{|b}");
    }

    #[test]
    fn dates_stand_as_they_are() {
        let span = |date: &str| {
            format!(
                "<span data-inlineref-date=\"{{&quot;dateTimeString&quot;:&quot;{date}&quot;,&quot;timezone&quot;:&quot;Europe/Zurich&quot;}}\"></span>"
            )
        };
        for date in ["2025", "2025-W50", "2025-12-13T10:00", "2025-12-01/2025-12-05"] {
            check(&span(date), &format!("{{{date}}}"));
        }
        check("<span data-inlineref-date=\"nothing\">x</span>", "x");
    }

    #[test]
    fn hostile_names_take_linear_time() {
        for part in ["<a", "[[", "<span data-inlineref-node=\"a\">", "&", "<b", "[[a^", "<a href=\"x\">"] {
            let name = part.repeat(200_000);
            assert!(!pieces(&name).is_empty());
        }
    }
}
