//! What belongs to a note besides its name: the values of its fields, its tags, and what it lists of others.

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::{Class, Label, label};
use super::docs::{Child, DocKind};
use super::names::{ShortNames, Target, Text};
use super::notes::Notes;
use super::system::{CODE_LANGUAGE, DEFINITIONS, JOURNAL_DATE, SOURCE, SYSTEM, TAGS};
use crate::dialect::export::{NONE, NoteLink, shortened};
use crate::dialect::note::date_of_text;
use crate::record::{Field, FieldValue, NodeId, Role};
use crate::text::{Span, fold};

/// Longer values are cut.
const MAX_VALUE_CHARS: usize = 4000;

/// What a note is made of, while it is collected.
#[derive(Default)]
pub struct Parts {
    pub tags: Vec<String>,
    pub fields: Vec<Field>,
    pub links: Vec<NoteLink>,
    pub aliases: Vec<String>,
    /// The language of a code block.
    pub language: Option<String>,
    /// Fields by their labels, so that one that stands twice is merged.
    places: FxHashMap<Label, usize>,
}

impl Notes<'_> {
    /// Everything that the documents of a note say.
    pub fn parts(&self, note: u32, names: &mut ShortNames) -> Parts {
        let mut parts = Parts::default();
        self.add_tags(note, &mut parts, names);
        self.add_listed(note, note, &mut parts);
        let mut pending: Vec<u32> = self.owners.forest.owned(note).iter().rev().copied().collect();
        while let Some(doc) = pending.pop() {
            match self.classes.class(doc) {
                Class::FieldTuple => self.add_field(note, doc, &mut parts, names),
                Class::Group => self.add_listed(note, doc, &mut parts),
                Class::Value => parts.aliases.push(format!("id:{}", self.docs.doc(doc).id)),
                Class::Merged => {
                    parts.aliases.push(format!("id:{}", self.docs.doc(doc).id));
                    self.add_listed(note, doc, &mut parts);
                }
                _ => continue,
            }
            pending.extend(self.owners.forest.owned(doc).iter().rev());
        }
        for tuple in self.meta_tuples(note) {
            match self.docs.label_id(tuple) {
                Some(SOURCE) => self.add_field(note, tuple, &mut parts, names),
                Some(CODE_LANGUAGE) => self.add_language(tuple, &mut parts, names),
                _ => {}
            }
        }
        parts.fields.retain(|field| !field.values.is_empty());
        parts
    }

    /// The tuples that say something about a document.
    pub fn meta_tuples(&self, doc: u32) -> impl Iterator<Item = u32> {
        let owned = |doc: u32| self.owners.forest.owned(doc).iter().copied();
        let metas = owned(doc).filter(|meta| self.owners.is_meta[*meta as usize]);
        metas.flat_map(owned).filter(|tuple| self.docs.doc(*tuple).kind == DocKind::Tuple)
    }

    /// The date of a part of the journal, as it is written.
    pub fn journal_date(&self, doc: u32, names: &mut ShortNames) -> Option<String> {
        let tuple = self.meta_tuples(doc).find(|tuple| self.docs.label_id(*tuple) == Some(JOURNAL_DATE))?;
        let value = self.docs.children(tuple).get(1).filter(|child| child.doc != NONE)?;
        match self.namer().full(value.doc, names).whole? {
            Target::Date(date) => Some(date),
            Target::Doc(_) => None,
        }
    }

    /// The tags of a note, or what a tag extends.
    fn add_tags(&self, note: u32, parts: &mut Parts, names: &mut ShortNames) {
        let is_tag = self.classes.class(note) == Class::Tag;
        let mut seen = FxHashSet::default();
        for tuple in self.meta_tuples(note).filter(|tuple| self.docs.label_id(*tuple) == Some(TAGS)) {
            let children = &self.docs.children(tuple)[1..];
            if !is_tag && children.iter().any(|child| DEFINITIONS.contains(&self.docs.child_id(*child))) {
                continue;
            }
            for child in children {
                let id = self.docs.child_id(*child);
                let base = SYSTEM.base_types.get(id).filter(|_| is_tag);
                let (shown, target) = match base {
                    Some(base) => (base.clone(), fold(base)),
                    None if child.doc != NONE && child.doc != note && self.classes.class(child.doc) == Class::Tag => {
                        (self.namer().short(child.doc, names), id.to_string())
                    }
                    None => continue,
                };
                if seen.insert(target.clone()) {
                    parts.tags.push(shown);
                    parts.links.push(self.link(Role::Tag, target, None, *child));
                }
            }
        }
    }

    /// What a document lists that is in another note.
    fn add_listed(&self, note: u32, lister: u32, parts: &mut Parts) {
        let is_search = self.docs.doc(lister).kind == DocKind::Search;
        let receiver = is_search.then(|| "search".to_string());
        for child in self.docs.children(lister).iter().filter(|child| child.doc != NONE) {
            let class = self.classes.class(child.doc);
            let is_note = class.is_node() || matches!(class, Class::Value | Class::Merged);
            let Some(target) = self.classes.place(child.doc).filter(|target| is_note && *target != note) else {
                continue;
            };
            if !class.is_node() || self.classes.parent(&self.owners, child.doc) != Some(note) {
                let target = self.docs.doc(target).id.to_string();
                parts.links.push(self.link(Role::Link, target, receiver.clone(), *child));
            }
        }
    }

    fn add_field(&self, note: u32, tuple: u32, parts: &mut Parts, names: &mut ShortNames) {
        let is_trashed = |doc: u32| self.classes.class(doc) == Class::Trashed;
        let Some(label) = label(&self.docs, tuple, is_trashed) else { return };
        let name = match label {
            Label::Doc(doc) => self.namer().short(doc, names),
            Label::System(field) => SYSTEM.fields.values().nth(field).cloned().unwrap_or_default(),
            Label::Setting if self.docs.label_id(tuple) == Some(CODE_LANGUAGE) => {
                return self.add_language(tuple, parts, names);
            }
            Label::Setting => return,
        };
        let place = *parts.places.entry(label).or_insert_with(|| {
            parts.fields.push(Field::new(name.as_str(), []));
            parts.fields.len() - 1
        });
        for child in &self.docs.children(tuple)[1..] {
            let value = self.value(note, &name, *child, &mut parts.links, names);
            parts.fields[place].values.extend(value);
        }
    }

    fn add_language(&self, tuple: u32, parts: &mut Parts, names: &mut ShortNames) {
        let value = self.docs.children(tuple).get(1).filter(|child| child.doc != NONE);
        let value = value.filter(|child| self.classes.class(child.doc) != Class::Trashed);
        parts.language = value.map(|child| self.namer().full(child.doc, names).text).or(parts.language.take());
    }

    /// One value of a field. What it refers to is added to the links.
    fn value(
        &self,
        note: u32,
        field: &str,
        child: Child,
        links: &mut Vec<NoteLink>,
        names: &mut ShortNames,
    ) -> Option<FieldValue> {
        if let Some(word) = SYSTEM.values.get(self.docs.child_id(child)) {
            return Some(text_value(word));
        }
        let doc = Some(child.doc).filter(|doc| *doc != NONE)?;
        match self.classes.class(doc) {
            Class::Value => self.text_of_value(note, field, self.namer().full(doc, names), links, names),
            Class::Choice | Class::Field => Some(self.namer().full(doc, names).text).map(|text| text_value(&text)),
            Class::Note | Class::Tag | Class::Container | Class::Merged => {
                let target = self.classes.place(doc)?;
                Some(self.note_value(note, field, target, self.docs.child_span(child), links, names))
            }
            _ => None,
        }
        .filter(|value| !value.as_str().is_empty())
    }

    fn text_of_value(
        &self,
        note: u32,
        field: &str,
        text: Text,
        links: &mut Vec<NoteLink>,
        names: &mut ShortNames,
    ) -> Option<FieldValue> {
        let node = match &text.whole {
            Some(Target::Doc(doc)) => self.classes.place(*doc),
            _ => None,
        };
        if let (Some(target), Some((_, span))) = (node, text.references.first()) {
            return Some(self.note_value(note, field, target, *span, links, names));
        }
        self.add_references(note, &text, links);
        let date = match &text.whole {
            Some(Target::Date(date)) => date_of_text(date.split('/').next().unwrap_or_default()),
            _ => None,
        };
        Some(FieldValue { date, ..text_value(&text.text) })
    }

    /// A value that is a note itself.
    fn note_value(
        &self,
        note: u32,
        field: &str,
        target: u32,
        span: Span,
        links: &mut Vec<NoteLink>,
        names: &mut ShortNames,
    ) -> FieldValue {
        let id = &self.docs.doc(target).id;
        if target != note {
            let receiver = Some(field.to_string());
            links.push(NoteLink { role: Role::Field, target: id.to_string(), receiver, span });
        }
        let reference = Some(NodeId::from(&self.workspace.symbol_id(id)));
        FieldValue { reference, ..text_value(&self.namer().short(target, names)) }
    }

    /// What a text refers to.
    pub fn add_references(&self, note: u32, text: &Text, links: &mut Vec<NoteLink>) {
        for (target, span) in &text.references {
            let target = match target {
                Target::Doc(doc) => self.classes.place(*doc),
                Target::Date(date) => self.day(date),
            };
            if let Some(target) = target.filter(|target| *target != note) {
                let target = self.docs.doc(target).id.to_string();
                links.push(NoteLink { role: Role::Link, target, receiver: None, span: *span });
            }
        }
    }

    fn link(&self, role: Role, target: String, receiver: Option<String>, child: Child) -> NoteLink {
        NoteLink { role, target, receiver, span: self.docs.child_span(child) }
    }
}

/// A value on one line; empty if the text is.
fn text_value(text: &str) -> FieldValue {
    let text = if text.trim().is_empty() { String::new() } else { shortened(text, MAX_VALUE_CHARS) };
    FieldValue { text: Some(text), ..FieldValue::default() }
}
