//! Notes as JSON: one object per line, or a list of objects. Each is a page with its body as markdown.

use serde::de::DeserializeSeed;

use crate::dialect::export::{ExportFault, Troubles, json};
use crate::dialect::note::{date_of_number, date_of_text};
use crate::document::front_matter;
use crate::record::{BlockType, Date, ProblemCode, SourceKind};
use crate::text::Span;

use super::body::{Body, BodyPlace, Target};
use super::{Block, WorkspaceFile};

/// Each key as the two spellings have it. `folderPath` is known and says nothing here.
const KEYS: [&str; 11] = [
    "id",
    "title",
    "contentMarkdown",
    "content_markdown",
    "frontmatter",
    "createdBy",
    "created_by",
    "createdAt",
    "created_at",
    "updatedAt",
    "updated_at",
];

/// Reads a file of notes. It fails only if it is a list that is not JSON.
pub fn read(text: &str) -> Result<WorkspaceFile, ExportFault> {
    let mut read = WorkspaceFile::new(SourceKind::Notes);
    let mut troubles = Troubles::default();
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('[') {
        let mut deserializer = serde_json::Deserializer::from_str(start);
        let mut take = |value| take_note(text, value, &mut read.blocks, &mut troubles);
        json::EachSeed(&mut take)
            .deserialize(&mut deserializer)
            .and_then(|()| deserializer.end())
            .map_err(|fault| ExportFault(format!("the list of notes is not JSON: {fault}")))?;
    } else {
        for row in start.lines().map(str::trim).filter(|row| !row.is_empty()) {
            take_note(text, row, &mut read.blocks, &mut troubles);
        }
    }
    read.troubles = troubles.finish();
    Ok(read)
}

fn take_note(text: &str, value: &str, blocks: &mut Vec<Block>, troubles: &mut Troubles) {
    let span = json::span_in(text, value);
    let mut leave_out = |message: &str| troubles.add(ProblemCode::ItemData, span, message);
    let Ok(object) = json::object(value, &KEYS) else {
        return leave_out("not a JSON object; the note is left out");
    };
    let Some((id, id_span)) = object.values[0].and_then(|id| own_id(text, id)) else {
        return leave_out("a note without an id; it is left out");
    };
    let mut note = Note { text, span, values: object.values, troubles };
    note.read(id, id_span, blocks);
}

/// A string, or the digits of an integer.
fn own_id(text: &str, value: &str) -> Option<(String, Span)> {
    let is_whole = value.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    let (id, span) = match json::string(value) {
        Some(id) => (id.into_owned(), json::string_span(text, value)),
        None => (is_whole.then(|| value.to_string())?, json::span_in(text, value)),
    };
    (!id.is_empty()).then_some((id, span))
}

/// One note while it is read.
struct Note<'n, 't> {
    text: &'t str,
    span: Span,
    values: [Option<&'t str>; KEYS.len()],
    troubles: &'n mut Troubles,
}

impl<'t> Note<'_, 't> {
    fn read(&mut self, id: String, id_span: Span, blocks: &mut Vec<Block>) {
        let content = self.string("contentMarkdown").unwrap_or_default();
        // Some programs keep the front matter in the content, too.
        let content = &content[front_matter::end(&content)..];
        let body = Body { text: content, page: &id, place: BodyPlace::Inside(self.span) };
        let body = body.read(&|_| Target::Other);
        let mut page = Block::new(id.clone(), BlockType::Page, self.span);
        page.id_span = id_span;
        page.title = self.string("title");
        page.text = page.title.clone().unwrap_or_default();
        page.created = self.date("createdAt");
        page.modified = self.date("updatedAt");
        page.created_by = self.value("createdBy").and_then(|value| Some(own_id(self.text, value)?.0));
        self.take_front_matter(&mut page);
        page.children = body.children;
        blocks.push(page);
        blocks.extend(body.blocks);
    }

    /// The value of a key, in whichever spelling; `null` is as good as none.
    fn value(&self, key: &str) -> Option<&'t str> {
        let at = KEYS.iter().position(|known| *known == key)?;
        let is_spelt_twice = KEYS.get(at + 1).is_some_and(|other| other.contains('_'));
        let other = if is_spelt_twice { self.values[at + 1] } else { None };
        self.values[at].or(other).filter(|value| *value != "null")
    }

    fn string(&mut self, key: &str) -> Option<String> {
        let value = self.value(key)?;
        let string = json::string(value);
        if string.is_none() {
            self.fault(ProblemCode::ItemData, format!("`{key}` is not a text; it is left out"));
        }
        string.map(|string| string.into_owned())
    }

    fn date(&mut self, key: &str) -> Option<Date> {
        let value = self.value(key)?;
        let date = match json::string(value) {
            Some(text) => date_of_text(&text),
            None => json::number(value).and_then(date_of_number),
        };
        if date.is_none() {
            self.fault(ProblemCode::ItemDate, format!("`{key}` is no date between 1970 and 2199"));
        }
        date
    }

    /// An object, or a string that is one.
    fn take_front_matter(&mut self, page: &mut Block) {
        let Some(value) = self.value("frontmatter") else { return };
        let inside = json::string(value);
        let written = inside.as_deref().unwrap_or(value).trim();
        if written.is_empty() {
            return;
        }
        match json::object(written, &["aliases", "alias", "tags", "tag"]) {
            Ok(object) => {
                let [aliases, alias, tags, tag] = object.values.map(|value| value.map(words).unwrap_or_default());
                page.aliases = [aliases, alias].concat();
                page.tags = [tags, tag].concat().iter().map(|tag| tag.trim_start_matches('#').to_string()).collect();
            }
            Err(_) => {
                self.fault(ProblemCode::ItemData, "`frontmatter` is not a JSON object; it is left out".to_string())
            }
        }
    }

    fn fault(&mut self, code: ProblemCode, message: String) {
        self.troubles.add(code, self.span, message);
    }
}

/// The texts of a list, or the parts of a text between commas.
fn words(value: &str) -> Vec<String> {
    let texts: Vec<String> = match json::string(value) {
        Some(text) => text.split(',').map(str::to_string).collect(),
        None => json::list(value).into_iter().filter_map(json::string).map(|text| text.into_owned()).collect(),
    };
    texts.iter().map(|text| text.trim().to_string()).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests;
