//! Names as people see them: with the names of the documents that they refer to.

use rustc_hash::FxHashMap;

use super::classes::{Class, Classes};
use super::docs::{DocKind, Docs};
use super::name::{Piece, code, pieces};
use crate::dialect::export::{json, shortened};
use crate::text::Span;

/// Names inside names are shown this deep.
const MAX_LEVEL: u8 = 3;
/// Longer names are cut where they stand in another name.
const MAX_SHORT_CHARS: usize = 200;

/// Short names that took some effort. Without them, names that refer to each other would be read again and again.
#[derive(Default)]
pub struct ShortNames(FxHashMap<(u32, u8), String>);

/// A text with what it refers to.
#[derive(Debug, Default)]
pub struct Text {
    pub text: String,
    /// What it refers to, as documents, and where.
    pub references: Vec<(Target, Span)>,
    /// The one reference that it consists of.
    pub whole: Option<Target>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Doc(u32),
    /// A date as it is written.
    Date(String),
}

/// What the names of documents depend on.
#[derive(Clone, Copy)]
pub struct Namer<'n, 't> {
    pub docs: &'n Docs<'t>,
    pub classes: &'n Classes,
}

impl Namer<'_, '_> {
    /// What a document says in its name, or in another string of it.
    pub fn text(self, literal: Option<&str>, names: &mut ShortNames) -> Text {
        self.text_at(literal, 0, names)
    }

    fn text_at(self, literal: Option<&str>, level: u8, names: &mut ShortNames) -> Text {
        let Some(literal) = literal else { return Text::default() };
        let name = json::string(literal).unwrap_or_default();
        if !name.contains(['<', '&', '[', '\r']) {
            return Text { text: name.trim().to_string(), ..Text::default() };
        }
        let pieces = pieces(&name);
        let start = json::span_in(self.docs.text, literal).start as usize;
        let mut text = Text { whole: self.whole(&pieces), ..Text::default() };
        let mut from = 0;
        for piece in pieces {
            let (target, written) = match piece {
                Piece::Text(part) => {
                    text.text.push_str(&part);
                    continue;
                }
                Piece::Node { id, shown } => {
                    text.text.push_str(&self.node(&id, &shown, level, names));
                    (self.docs.number(&id).map(Target::Doc), id)
                }
                Piece::Date(date) => {
                    text.text.push_str(&date);
                    (Some(Target::Date(date.clone())), date)
                }
            };
            let at = literal[from..].find(&written).map_or(from, |at| from + at);
            let end = (at + written.len()).min(literal.len());
            from = literal.floor_char_boundary(end);
            text.references.extend(target.map(|target| (target, Span::new(start + at, start + from.max(at)))));
        }
        text.text = text.text.replace('\r', "").trim().to_string();
        text
    }

    /// The target of a name that is nothing but one reference.
    fn whole(self, pieces: &[Piece]) -> Option<Target> {
        let is_blank = |piece: &&Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
        let mut rest = pieces.iter().filter(|piece| !is_blank(piece));
        let target = match rest.next()? {
            Piece::Node { id, .. } => Target::Doc(self.docs.number(id)?),
            Piece::Date(date) => Target::Date(date.clone()),
            Piece::Text(_) => return None,
        };
        rest.next().is_none().then_some(target)
    }

    /// `[[name]]`; of an id that is not known what the text itself calls it.
    fn node(self, id: &str, shown: &str, level: u8, names: &mut ShortNames) -> String {
        let is_known = |doc: &u32| self.classes.class(*doc) != Class::Trashed && level < MAX_LEVEL;
        let name = self.docs.number(id).filter(is_known).map(|doc| self.short_at(doc, level + 1, names));
        match name {
            Some(name) => format!("[[{name}]]"),
            None if shown.is_empty() => format!("[[{}]]", shortened(id, MAX_SHORT_CHARS)),
            None => format!("[[{}]]", shortened(shown, MAX_SHORT_CHARS)),
        }
    }

    /// The name of a document on one line, for other documents.
    pub fn short(self, doc: u32, names: &mut ShortNames) -> String {
        self.short_at(doc, 1, names)
    }

    fn short_at(self, doc: u32, level: u8, names: &mut ShortNames) -> String {
        let literal = self.docs.doc(doc).name;
        if !literal.is_some_and(|literal| literal.contains("inlineref") || literal.contains("[[")) {
            return shortened(&self.full_at(doc, level, names).text, MAX_SHORT_CHARS);
        }
        if let Some(known) = names.0.get(&(doc, level)) {
            return known.clone();
        }
        let name = shortened(&self.full_at(doc, level, names).text, MAX_SHORT_CHARS);
        names.0.insert((doc, level), name.clone());
        name
    }

    /// The name of a document with all its lines. Of a user only what stands before the `@`.
    pub fn full(self, doc: u32, names: &mut ShortNames) -> Text {
        self.full_at(doc, 0, names)
    }

    fn full_at(self, doc: u32, level: u8, names: &mut ShortNames) -> Text {
        let own = self.docs.doc(doc);
        if own.kind == DocKind::CodeBlock {
            let name = own.name.and_then(json::string).unwrap_or_default();
            return Text { text: code(&name).trim_end().to_string(), ..Text::default() };
        }
        let mut text = self.text_at(own.name, level, names);
        if self.classes.class(doc) == Class::Choice && is_address(&text.text) {
            text.text.truncate(text.text.find('@').unwrap_or_default());
        }
        text
    }
}

/// Whether a text is an e-mail address, as Tana writes it in names and in ids.
fn is_address(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
    text.split_once('@').is_some_and(|(user, host)| is_part(user) && is_part(host))
}
