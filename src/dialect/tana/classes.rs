//! What each document is: a note, or a part of one, or nothing that people wrote.

use super::docs::{DocKind, Docs};
use super::owners::{Area, Owners};
use super::system::{DEFINITIONS, SYSTEM, TAGS, is_system_id};
use crate::dialect::export::{NONE, json};
use crate::dialect::note::date_of_number;

pub struct Classes {
    classes: Vec<Class>,
    /// The note, tag or container that each id leads to, by number.
    places: Vec<u32>,
    is_tagged: Vec<bool>,
    /// How many notes are in the trash.
    pub trashed: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Trashed,
    /// Not written by people.
    System,
    /// The definition of a field.
    Field,
    /// A text that fields may have as a value.
    Choice,
    Tag,
    Container,
    /// A field of a note, with its values.
    FieldTuple,
    /// A field of a tag: what notes with the tag start with.
    Template,
    /// Holds children of the note around it.
    Group,
    /// The text of a field's value.
    Value,
    /// Another id of the document that owns it.
    Merged,
    Note,
}

/// What a tuple is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    Doc(u32),
    /// A field of Tana itself, by its number in the table.
    System(usize),
    /// A field of Tana itself that is not shown.
    Setting,
}

impl Class {
    /// Whether it becomes a node of the graph.
    pub fn is_node(self) -> bool {
        matches!(self, Class::Tag | Class::Container | Class::Note)
    }

    fn is_tuple(self) -> bool {
        matches!(self, Class::FieldTuple | Class::Template | Class::Group)
    }
}

impl Classes {
    pub fn new(docs: &Docs, owners: &Owners) -> Self {
        let count = docs.list.len();
        let inherited = inherited(docs, owners);
        let mut classifier = Classifier {
            docs,
            owners,
            classes: Classes {
                classes: vec![Class::System; count],
                places: vec![NONE; count],
                is_tagged: tagged(docs, owners, &inherited),
                trashed: 0,
            },
            inherited,
            holders: vec![NONE; count],
        };
        owners.preorder.iter().for_each(|doc| classifier.visit(*doc));
        classifier.classes
    }

    pub fn class(&self, doc: u32) -> Class {
        self.classes[doc as usize]
    }

    /// The note, tag or container that the id of a document leads to.
    pub fn place(&self, doc: u32) -> Option<u32> {
        Some(*self.places.get(doc as usize)?).filter(|place| *place != NONE)
    }

    /// The note, tag or container that a document is in.
    pub fn parent(&self, owners: &Owners, doc: u32) -> Option<u32> {
        self.place(owners.forest.owner(doc)?)
    }

    pub fn is_tagged(&self, doc: u32) -> bool {
        self.is_tagged[doc as usize]
    }

    /// How many notes have no parent.
    pub fn orphans(&self, docs: &Docs, owners: &Owners) -> usize {
        let is_orphan = |doc: &u32| self.class(*doc) == Class::Note && self.parent(owners, *doc).is_none();
        docs.numbers().filter(is_orphan).count()
    }

    /// How many dates of notes cannot be read.
    pub fn undated(&self, docs: &Docs) -> usize {
        // The milliseconds from 1973 to 2199 need no closer look.
        let is_bad = |number: &i64| {
            *number != 0
                && !(100_000_000_000..7_258_118_400_000).contains(number)
                && date_of_number((*number).into()).is_none()
        };
        let notes = docs.numbers().filter(|doc| self.class(*doc).is_node()).map(|doc| docs.doc(doc));
        notes.flat_map(|doc| [doc.created, doc.modified]).filter(is_bad).count()
    }
}

/// What a document has from its owners and is itself.
#[derive(Clone, Copy, Default)]
struct Inherited {
    is_trashed: bool,
    is_system: bool,
    is_choice: bool,
}

fn inherited(docs: &Docs, owners: &Owners) -> Vec<Inherited> {
    let mut all = vec![Inherited::default(); docs.list.len()];
    for number in &owners.preorder {
        let doc = docs.doc(*number);
        let area = owners.area(&doc.id);
        let from = owners.forest.owner(*number).map(|owner| all[owner as usize]).unwrap_or_default();
        let is_setting = matches!(doc.kind, DocKind::System | DocKind::Metanode) || owners.is_meta[*number as usize];
        all[*number as usize] = Inherited {
            is_trashed: from.is_trashed || area == Some(Area::Trash),
            is_system: from.is_system || is_setting || area == Some(Area::System) || is_system_id(&doc.id),
            is_choice: from.is_choice || area == Some(Area::Users) || doc.kind == DocKind::Field,
        };
    }
    all
}

/// Which documents have a tag.
fn tagged(docs: &Docs, owners: &Owners, inherited: &[Inherited]) -> Vec<bool> {
    let is_tag = |doc: u32| {
        let Inherited { is_trashed, is_system, is_choice } = inherited[doc as usize];
        docs.doc(doc).kind == DocKind::Tag && !is_trashed && !is_system && !is_choice
    };
    let mut tagged = vec![false; docs.list.len()];
    for tuple in docs.numbers().filter(|doc| gives_tags(docs, *doc)) {
        let meta = owners.forest.owner(tuple).filter(|meta| owners.is_meta[*meta as usize]);
        if let Some(holder) = meta.and_then(|meta| owners.forest.owner(meta)) {
            let mut tags = docs.children(tuple).iter().filter(|child| child.doc != NONE);
            tagged[holder as usize] |= tags.any(|child| is_tag(child.doc));
        }
    }
    tagged
}

/// Whether a tuple lists the tags of a note.
fn gives_tags(docs: &Docs, tuple: u32) -> bool {
    let is_definition = |tuple| docs.children(tuple).iter().any(|child| DEFINITIONS.contains(&docs.child_id(*child)));
    docs.doc(tuple).kind == DocKind::Tuple && docs.label_id(tuple) == Some(TAGS) && !is_definition(tuple)
}

/// Goes through the documents, owners first.
struct Classifier<'c, 't> {
    docs: &'c Docs<'t>,
    owners: &'c Owners,
    inherited: Vec<Inherited>,
    classes: Classes,
    /// The nearest owner of each document that is no tuple.
    holders: Vec<u32>,
}

impl Classifier<'_, '_> {
    fn visit(&mut self, number: u32) {
        let at = number as usize;
        let owner = self.owners.forest.owner(number).unwrap_or(NONE);
        let is_in_tuple = owner != NONE && self.classes.class(owner).is_tuple();
        self.holders[at] = if is_in_tuple { self.holders[owner as usize] } else { owner };
        let holder = self.classes.place(self.holders[at]);
        let class = self.class(number, owner, holder);
        self.classes.classes[at] = class;
        self.classes.places[at] = match class {
            Class::Tag | Class::Container | Class::Note => number,
            Class::FieldTuple | Class::Template | Class::Group | Class::Value | Class::Merged => holder.unwrap_or(NONE),
            Class::Trashed | Class::System | Class::Field | Class::Choice => NONE,
        };
        let doc = self.docs.doc(number);
        let is_written = !matches!(doc.kind, DocKind::Tuple | DocKind::Metanode | DocKind::System)
            && self.owners.area(&doc.id).is_none();
        self.classes.trashed += usize::from(class == Class::Trashed && is_written);
    }

    fn class(&self, number: u32, owner: u32, holder: Option<u32>) -> Class {
        let doc = self.docs.doc(number);
        let Inherited { is_trashed, is_system, is_choice } = self.inherited[number as usize];
        match doc.kind {
            _ if is_trashed => Class::Trashed,
            _ if is_system => Class::System,
            DocKind::Tuple if is_choice => Class::System,
            DocKind::Tuple => self.tuple(number, holder),
            DocKind::Field => Class::Field,
            _ if is_choice => Class::Choice,
            DocKind::Tag => Class::Tag,
            DocKind::Home | DocKind::Journal => Class::Container,
            _ if self.owners.area(&doc.id) == Some(Area::Container) => Class::Container,
            _ if self.owners.is_merged[number as usize] && holder.is_some() => Class::Merged,
            _ if self.is_value(number, owner) => Class::Value,
            _ => Class::Note,
        }
    }

    fn tuple(&self, number: u32, holder: Option<u32>) -> Class {
        let is_trashed = |doc: u32| self.inherited[doc as usize].is_trashed;
        match holder.map(|holder| self.classes.class(holder)) {
            Some(Class::Tag) => Class::Template,
            Some(Class::Note) if label(self.docs, number, is_trashed).is_some() => Class::FieldTuple,
            _ => Class::Group,
        }
    }

    fn is_value(&self, number: u32, owner: u32) -> bool {
        let is_in_field = owner != NONE && matches!(self.classes.class(owner), Class::FieldTuple | Class::Template);
        is_in_field && !self.docs.doc(number).has_children() && !self.classes.is_tagged(number)
    }
}

/// A field with more values than this is a list that has another purpose, unless its label is a field.
const MAX_LABELLED: usize = 50;

/// What a tuple is about; none if its first child does not say.
pub fn label(docs: &Docs, tuple: u32, is_trashed: impl Fn(u32) -> bool) -> Option<Label> {
    let children = docs.children(tuple);
    let first = *children.first()?;
    let id = docs.child_id(first);
    if let Some(field) = SYSTEM.fields.keys().position(|known| known == id) {
        return Some(Label::System(field));
    }
    if id.starts_with("SYS_A") {
        return Some(Label::Setting);
    }
    if first.doc == NONE || is_trashed(first.doc) {
        return None;
    }
    let doc = docs.doc(first.doc);
    let is_name = |name: &str| !name.trim().is_empty() && !name.starts_with("  - ");
    let is_named = || doc.name.and_then(json::string).is_some_and(|name| is_name(&name));
    let is_label = doc.kind == DocKind::Field || children.len() <= MAX_LABELLED && is_named();
    is_label.then_some(Label::Doc(first.doc))
}
