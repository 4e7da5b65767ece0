//! One line of `nodes.jsonl`. A value that cannot be read is left out; the rest of the line is read.

use std::borrow::Cow;

use crate::dialect::export::{Troubles, json};
use crate::dialect::note::{date_of_number, date_of_text};
use crate::record::{Date, ProblemCode};
use crate::text::Span;

/// The keys of a note, as the schema has them.
pub const KEYS: [&str; 16] = [
    "aliases", "created", "deleted", "done", "fields", "id", "modified", "name", "order", "parent", "refs", "tags",
    "text", "type", "unit", "url",
];

pub struct Line<'t> {
    pub id: Cow<'t, str>,
    pub id_span: Span,
    /// Its JSON object.
    pub span: Span,
    pub parent: Option<Cow<'t, str>>,
    pub order: Option<f64>,
    pub name: Cow<'t, str>,
    pub text: Cow<'t, str>,
    pub note_type: Option<Cow<'t, str>>,
    pub url: Option<Cow<'t, str>>,
    pub tags: Vec<Named<'t>>,
    pub aliases: Vec<Cow<'t, str>>,
    pub references: Vec<Named<'t>>,
    pub fields: Vec<(String, Vec<Value<'t>>)>,
    pub created: Option<Date>,
    pub modified: Option<Date>,
    pub done: Option<bool>,
    pub is_unit: Option<bool>,
    pub is_deleted: bool,
}

/// A text of a list, and where it stands.
pub type Named<'t> = (Cow<'t, str>, Span);

pub enum Value<'t> {
    Text(Cow<'t, str>),
    /// As it is written, and what it is.
    Date(String, Option<Date>),
    Reference(Cow<'t, str>, Span),
}

impl<'t> Line<'t> {
    /// Reads a line; none if it is no note.
    pub fn read(text: &'t str, row: &'t str, troubles: &mut Troubles) -> Option<Self> {
        let span = json::span_in(text, row);
        let object = match json::object(row, &KEYS) {
            Ok(object) => object,
            Err(fault) => {
                let place = if fault.column() > 0 { format!(", see column {}", fault.column()) } else { String::new() };
                let message = format!("not a JSON object{place}; the line is left out");
                troubles.add(ProblemCode::ItemData, span, message);
                return None;
            }
        };
        for key in &object.unknown {
            troubles.add(ProblemCode::ItemData, span, format!("the key `{key}` is not known"));
        }
        let mut values = Values { text, span, values: object.values, troubles };
        let id = values.string("id").filter(|id| !id.is_empty());
        let Some(id) = id else {
            troubles.add(ProblemCode::ItemData, span, "a note without an id; it is left out");
            return None;
        };
        Some(values.line(id))
    }

    /// The ids of other notes that it names, and where.
    pub fn targets(&self) -> impl Iterator<Item = (&Cow<'t, str>, &Span)> {
        let in_fields = self.fields.iter().flat_map(|(_, values)| values).filter_map(|value| match value {
            Value::Reference(id, span) => Some((id, span)),
            _ => None,
        });
        in_fields.chain(self.references.iter().map(|(id, span)| (id, span)))
    }
}

/// The values of a line while it is read.
struct Values<'v, 't> {
    text: &'t str,
    span: Span,
    values: [Option<&'t str>; KEYS.len()],
    troubles: &'v mut Troubles,
}

impl<'t> Values<'_, 't> {
    fn line(&mut self, id: Cow<'t, str>) -> Line<'t> {
        Line {
            id,
            id_span: self.value("id").map_or(self.span, |value| json::string_span(self.text, value)),
            span: self.span,
            parent: self.string("parent"),
            order: self.order(),
            name: self.string("name").unwrap_or_default(),
            text: self.string("text").unwrap_or_default(),
            note_type: self.string("type"),
            url: self.string("url").filter(|url| !url.is_empty()),
            tags: self.tags(),
            aliases: self.strings("aliases").into_iter().map(|(alias, _)| alias).collect(),
            references: self.strings("refs"),
            fields: self.fields(),
            created: self.value("created").and_then(|value| self.date("created", value)),
            modified: self.value("modified").and_then(|value| self.date("modified", value)),
            done: self.done(),
            is_unit: self.flag("unit"),
            is_deleted: self.flag("deleted").unwrap_or_default(),
        }
    }

    /// The value of a key; `null` is as good as none.
    fn value(&self, key: &str) -> Option<&'t str> {
        let at = KEYS.iter().position(|known| *known == key)?;
        self.values[at].filter(|value| *value != "null")
    }

    fn fault(&mut self, key: &str, wanted: &str) {
        self.troubles.add(ProblemCode::ItemData, self.span, format!("`{key}` is not {wanted}; it is left out"));
    }

    /// Reads the value of a key, if it has one and that can be read.
    fn read<T>(&mut self, key: &str, wanted: &str, read: impl Fn(&'t str) -> Option<T>) -> Option<T> {
        let value = self.value(key)?;
        let found = read(value);
        if found.is_none() {
            self.fault(key, wanted);
        }
        found
    }

    fn string(&mut self, key: &str) -> Option<Cow<'t, str>> {
        self.read(key, "a text", json::string)
    }

    fn flag(&mut self, key: &str) -> Option<bool> {
        self.read(key, "`true` or `false`", |value| value.parse().ok())
    }

    fn order(&mut self) -> Option<f64> {
        self.read("order", "a number", |value| value.parse::<f64>().ok().filter(|order| order.is_finite()))
    }

    fn strings(&mut self, key: &str) -> Vec<Named<'t>> {
        let Some(values) = self.read(key, "a list", |value| value.starts_with('[').then(|| json::list(value))) else {
            return Vec::new();
        };
        let mut named = Vec::with_capacity(values.len());
        for value in values {
            match json::string(value) {
                Some(string) => named.push((string, json::string_span(self.text, value))),
                None => self.fault(key, "a list of texts"),
            }
        }
        named
    }

    fn tags(&mut self) -> Vec<Named<'t>> {
        let mut tags = self.strings("tags");
        for (tag, _) in &mut tags {
            *tag = Cow::Owned(tag.trim().trim_start_matches('#').to_string());
        }
        tags.retain(|(tag, _)| !tag.is_empty());
        tags
    }

    fn fields(&mut self) -> Vec<(String, Vec<Value<'t>>)> {
        let pairs = self.read("fields", "an object", |value| value.starts_with('{').then(|| json::pairs(value)));
        let pairs = pairs.unwrap_or_default().into_iter();
        pairs.map(|(name, value)| (name.trim().to_string(), self.field_values(&name, value))).collect()
    }

    /// One value may stand without a list around it.
    fn field_values(&mut self, name: &str, value: &'t str) -> Vec<Value<'t>> {
        let values = if value.starts_with('[') { json::list(value) } else { vec![value] };
        values.into_iter().filter_map(|value| self.field_value(name, value)).collect()
    }

    fn field_value(&mut self, name: &str, value: &'t str) -> Option<Value<'t>> {
        match value.as_bytes().first()? {
            b'"' => json::string(value).filter(|text| !text.is_empty()).map(Value::Text),
            b't' => Some(Value::Text("yes".into())),
            b'f' => Some(Value::Text("no".into())),
            b'n' => None,
            b'{' => self.field_object(name, value),
            b'[' => {
                self.fault(name, "a list of single values");
                None
            }
            _ => Some(Value::Text(value.into())),
        }
    }

    fn field_object(&mut self, name: &str, value: &'t str) -> Option<Value<'t>> {
        let object = json::object(value, &["ref", "date"]).ok()?;
        match object.values {
            [Some(id), None] if id.starts_with('"') => {
                Some(Value::Reference(json::string(id)?, json::string_span(self.text, id)))
            }
            [None, Some(date)] => Some(Value::Date(written(date).to_string(), self.date(name, date))),
            _ => {
                self.fault(name, "`{\"ref\": id}` or `{\"date\": date}`");
                None
            }
        }
    }

    fn date(&mut self, key: &str, value: &str) -> Option<Date> {
        let date = date(value);
        if date.is_none() {
            let message = format!("`{key}` is no date between 1970 and 2199: {}", written(value));
            self.troubles.add(ProblemCode::ItemDate, self.span, message);
        }
        date
    }

    fn done(&mut self) -> Option<bool> {
        match self.value("done")? {
            "true" => Some(true),
            "false" => Some(false),
            when => self.date("done", when).map(|_| true),
        }
    }
}

fn date(value: &str) -> Option<Date> {
    match json::string(value) {
        Some(text) => date_of_text(&text),
        None => date_of_number(json::number(value)?),
    }
}

/// A text without its quotes, another value as it is.
fn written(value: &str) -> Cow<'_, str> {
    json::string(value).unwrap_or(Cow::Borrowed(value))
}
