//! The notes of an export, one by one.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::classes::{Class, Classes};
use super::docs::{Doc, DocKind, Docs};
use super::names::{Namer, ShortNames};
use super::owners::Owners;
use crate::dialect::export::{Dates, Note, NoteClass, OpenNotes, Workspace, due, title};
use crate::dialect::note::{date_of_number, date_of_text};
use crate::record::Date;
use crate::text::fence;

pub struct Notes<'t> {
    pub docs: Docs<'t>,
    pub owners: Owners,
    pub classes: Classes,
    pub workspace: Workspace,
    /// The days, weeks and years of the journal.
    days: FxHashMap<String, u32>,
}

impl<'t> Notes<'t> {
    pub fn new(docs: Docs<'t>, owners: Owners, classes: Classes, workspace: Workspace) -> Self {
        let mut notes = Notes { docs, owners, classes, workspace, days: FxHashMap::default() };
        notes.days = notes.find_days();
        notes
    }

    /// The notes, parents first.
    pub fn order(&self) -> Vec<u32> {
        self.owners.preorder.iter().copied().filter(|doc| self.classes.class(*doc).is_node()).collect()
    }

    pub fn note(&self, number: u32, open: &mut OpenNotes, names: &mut ShortNames) -> Note<'t> {
        let doc = self.docs.doc(number);
        let parent = self.classes.parent(&self.owners, number);
        let unit = self.is_unit(number, parent);
        let place = open.open(number, parent, unit, self.dates(number, names));
        let mut parts = self.parts(number, names);
        let name = self.namer().full(number, names);
        let content = self.namer().text(doc.description, names);
        self.add_references(number, &name, &mut parts.links);
        self.add_references(number, &content, &mut parts.links);
        Note {
            id: doc.id.clone(),
            id_span: doc.id_span,
            span: doc.span,
            class: class(self.classes.class(number)),
            title: title(&name.text),
            name: shown_name(doc, name.text, parts.language.as_deref()),
            content: content.text,
            note_type: doc.doc_type.map(Cow::Borrowed),
            tags: parts.tags,
            due: due(&parts.fields),
            fields: parts.fields,
            links: parts.links,
            parent: place.parent,
            depth: place.depth,
            unit,
            created: place.dates.created,
            modified: place.dates.modified,
            done: doc.done,
            aliases: parts.aliases,
        }
    }

    pub fn namer(&self) -> Namer<'_, 't> {
        Namer { docs: &self.docs, classes: &self.classes }
    }

    /// The part of the journal with a date.
    pub fn day(&self, date: &str) -> Option<u32> {
        let start = date.split(['T', '/']).next().unwrap_or_default();
        self.days.get(start).copied()
    }

    /// Whether a note has a heading of its own.
    fn is_unit(&self, number: u32, parent: Option<u32>) -> bool {
        let doc = self.docs.doc(number);
        self.classes.class(number) != Class::Note
            || parent.is_none_or(|parent| self.classes.class(parent) == Class::Container)
            || self.classes.is_tagged(number)
            || doc.is_entity
            || matches!(doc.kind, DocKind::JournalPart | DocKind::Search)
    }

    fn dates(&self, number: u32, names: &mut ShortNames) -> Dates {
        let doc = self.docs.doc(number);
        let created = date_of_number(doc.created.into()).or_else(|| self.date_of_day(number, names));
        Dates { created, modified: date_of_number(doc.modified.into()) }
    }

    /// The day of a part of the journal, by its date or its name.
    fn date_of_day(&self, number: u32, names: &mut ShortNames) -> Option<Date> {
        if self.docs.doc(number).kind != DocKind::JournalPart {
            return None;
        }
        let written = self.journal_date(number, names);
        written.and_then(|date| date_of_text(&date)).or_else(|| date_of_text(&self.namer().short(number, names)))
    }

    fn find_days(&self) -> FxHashMap<String, u32> {
        let mut names = ShortNames::default();
        let mut days = FxHashMap::default();
        let is_part =
            |doc: &u32| self.docs.doc(*doc).kind == DocKind::JournalPart && self.classes.class(*doc) == Class::Note;
        for doc in self.owners.preorder.iter().copied().filter(is_part) {
            let date = self.journal_date(doc, &mut names);
            let date = date.or_else(|| self.date_of_day(doc, &mut names).map(|date| date.to_string()));
            date.into_iter().for_each(|date| {
                days.entry(date).or_insert(doc);
            });
        }
        days
    }
}

fn class(class: Class) -> NoteClass {
    match class {
        Class::Tag => NoteClass::Tag,
        Class::Container => NoteClass::Container,
        _ => NoteClass::Note,
    }
}

/// The name with all its lines. Code is fenced.
fn shown_name(doc: &Doc, name: String, language: Option<&str>) -> String {
    if doc.kind != DocKind::CodeBlock || name.is_empty() {
        return name;
    }
    let fence = fence(&name);
    let language: String = language.unwrap_or_default().chars().filter(|c| !c.is_whitespace() && *c != '`').collect();
    format!("{fence}{language}\n{name}\n{fence}")
}
