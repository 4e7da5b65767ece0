//! The documents of a Tana export, as they are written.

use std::borrow::Cow;
use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use crate::dialect::export::json::{self, EachSeed, KeySeed};
use crate::dialect::export::{ExportFault, NONE, Troubles};
use crate::record::ProblemCode;
use crate::text::Span;

/// All documents by number.
pub struct Docs<'t> {
    pub text: &'t str,
    pub list: Vec<Doc<'t>>,
    numbers: FxHashMap<Cow<'t, str>, u32>,
    /// Where the children of each document start in `children`; one more than there are documents.
    starts: Vec<u32>,
    children: Vec<Child>,
}

/// One document. Texts are JSON strings with their quotes, because most are needed once or never.
pub struct Doc<'t> {
    pub id: Cow<'t, str>,
    pub id_span: Span,
    pub span: Span,
    pub name: Option<&'t str>,
    pub description: Option<&'t str>,
    owner: Option<&'t str>,
    meta: Option<&'t str>,
    children: Option<&'t str>,
    /// What Tana calls its type.
    pub doc_type: Option<&'t str>,
    pub kind: DocKind,
    /// Counts of time since 1970, in a unit that their size tells; 0 if there is none.
    pub created: i64,
    pub modified: i64,
    /// Whether Tana takes it for more than a line of text.
    pub is_entity: bool,
    pub done: Option<bool>,
}

/// The types of documents that are read in a way of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocKind {
    Plain,
    /// A field with its values.
    Tuple,
    /// Holds what is said about another document.
    Metanode,
    Field,
    Tag,
    Home,
    Journal,
    JournalPart,
    Search,
    CodeBlock,
    /// Settings and tools of Tana.
    System,
}

/// An id among the children of a document.
#[derive(Clone, Copy)]
pub struct Child {
    /// `NONE` if the export has no such document.
    pub doc: u32,
    /// Where the id starts.
    pub start: u32,
}

impl<'t> Docs<'t> {
    /// Reads an export; fails if it is not JSON to its end or has no documents.
    pub fn read(text: &'t str, troubles: &mut Troubles) -> Result<Self, ExportFault> {
        let mut docs =
            Docs { text, list: Vec::new(), numbers: FxHashMap::default(), starts: vec![0], children: Vec::new() };
        let mut has_docs = false;
        let mut add = |value| docs.add(value, troubles);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        StoreSeed { add: &mut add, has_docs: &mut has_docs }
            .deserialize(&mut deserializer)
            .and_then(|()| deserializer.end())
            .map_err(|fault| ExportFault(format!("it is not whole: {fault}")))?;
        if !has_docs {
            return Err(ExportFault("it has no `docs`".to_string()));
        }
        docs.link();
        Ok(docs)
    }

    fn add(&mut self, value: &'t str, troubles: &mut Troubles) {
        let Some(doc) = Doc::read(self.text, value) else {
            let span = json::span_in(self.text, value);
            return troubles.add(ProblemCode::ItemData, span, "a document without an id; it is left out");
        };
        if self.numbers.contains_key(&doc.id) {
            let message = format!("another document before has the id `{}`; this one is left out", doc.id);
            return troubles.add(ProblemCode::ItemDuplicate, doc.span, message);
        }
        self.numbers.insert(doc.id.clone(), self.list.len() as u32);
        self.list.push(doc);
    }

    /// Finds the children of all documents.
    fn link(&mut self) {
        for at in 0..self.list.len() {
            json::each(self.list[at].children.unwrap_or_default(), |value| {
                if let Some(id) = json::string(value) {
                    let start = json::string_span(self.text, value).start;
                    self.children.push(Child { doc: self.numbers.get(&id).copied().unwrap_or(NONE), start });
                }
            });
            self.starts.push(self.children.len() as u32);
        }
    }

    pub fn doc(&self, number: u32) -> &Doc<'t> {
        &self.list[number as usize]
    }

    pub fn number(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<'t> {
        0..self.list.len() as u32
    }

    pub fn children(&self, number: u32) -> &[Child] {
        let bounds = self.starts[number as usize]..self.starts[number as usize + 1];
        &self.children[bounds.start as usize..bounds.end as usize]
    }

    /// The id of a child, whether there is such a document or not.
    pub fn child_id(&self, child: Child) -> &str {
        match child.doc {
            NONE => self.text[child.start as usize..].split('"').next().unwrap_or_default(),
            doc => &self.doc(doc).id,
        }
    }

    pub fn child_span(&self, child: Child) -> Span {
        let rest = &self.text[child.start as usize..];
        Span::new(child.start as usize, child.start as usize + rest.find('"').unwrap_or_default())
    }

    /// What the first child of a tuple is, which says what the others are.
    pub fn label_id(&self, tuple: u32) -> Option<&str> {
        self.children(tuple).first().map(|child| self.child_id(*child))
    }

    /// The document that owns another one, as that says itself.
    pub fn owner(&self, number: u32) -> Option<u32> {
        self.number(&json::string(self.doc(number).owner?)?)
    }

    /// The document that holds what is said about another one.
    pub fn meta(&self, number: u32) -> Option<u32> {
        self.number(&json::string(self.doc(number).meta?)?)
    }

    /// How many children lead to no document, other than those of Tana itself.
    pub fn unknown_children(&self) -> usize {
        let unknown = self.children.iter().filter(|child| child.doc == NONE);
        unknown.filter(|child| !super::system::is_system_id(self.child_id(**child))).count()
    }
}

impl<'t> Doc<'t> {
    /// A value of another type than it should have is as good as none.
    fn read(text: &'t str, value: &'t str) -> Option<Self> {
        let object = json::object(value, &["id", "props", "children", "modifiedTs"]).ok()?;
        let [id, props, children, modified] = object.values;
        let keys = ["name", "description", "created", "_ownerId", "_metaNodeId", "_docType", "_flags", "_done"];
        let props = json::object(props.unwrap_or("{}"), &keys).map_or([None; 8], |props| props.values);
        let [name, description, created, owner, meta, doc_type, flags, done] = props;
        let is_string = |value: &&str| value.starts_with('"');
        let id = id.filter(is_string)?;
        let doc_type = doc_type.filter(is_string).map(|word| word.trim_matches('"'));
        Some(Doc {
            id: json::string(id).filter(|id| !id.is_empty())?,
            id_span: json::string_span(text, id),
            span: json::span_in(text, value),
            name: name.filter(is_string),
            description: description.filter(is_string),
            owner: owner.filter(is_string),
            meta: meta.filter(is_string),
            children,
            doc_type,
            kind: DocKind::of(doc_type.unwrap_or_default()),
            created: created.map_or(0, largest_number),
            modified: modified.map_or(0, largest_number),
            is_entity: flags.and_then(json::number).is_some_and(|flags| flags % 2 != 0),
            done: done.and_then(is_done),
        })
    }

    pub fn has_children(&self) -> bool {
        self.children.is_some_and(|children| children.contains('"'))
    }
}

impl DocKind {
    fn of(word: &str) -> Self {
        match word {
            "tuple" => DocKind::Tuple,
            "metanode" => DocKind::Metanode,
            "attrDef" => DocKind::Field,
            "tagDef" => DocKind::Tag,
            "home" => DocKind::Home,
            "journal" => DocKind::Journal,
            "journalPart" => DocKind::JournalPart,
            "search" => DocKind::Search,
            "codeblock" => DocKind::CodeBlock,
            "viewDef" | "associatedData" | "workspace" | "settings" | "command" | "systemTool" | "syntax"
            | "chatbot" | "placeholder" => DocKind::System,
            _ => DocKind::Plain,
        }
    }
}

/// The largest number of a list, of a list inside a string, or of a value that is a number itself; 0 if there is none.
fn largest_number(value: &str) -> i64 {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let numbers = value.split(|c| !is_of_number(c)).filter_map(json::number);
    numbers.max().map_or(0, |number| number.clamp(0, i64::MAX.into()) as i64)
}

/// Tana writes when something was done, or whether.
fn is_done(value: &str) -> Option<bool> {
    match value {
        "true" => Some(true),
        "false" => Some(false),
        "null" => None,
        when => json::number(when).map(|when| when > 0),
    }
}

/// Hands each document to a function, wherever `docs` stands.
struct StoreSeed<'s, A> {
    add: &'s mut A,
    has_docs: &'s mut bool,
}

impl<'t, A: FnMut(&'t str)> DeserializeSeed<'t> for StoreSeed<'_, A> {
    type Value = ();

    fn deserialize<D: Deserializer<'t>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'t, A: FnMut(&'t str)> Visitor<'t> for StoreSeed<'_, A> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'t>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key_seed(KeySeed)? {
            match key.as_ref() {
                "docs" => {
                    *self.has_docs = true;
                    map.next_value_seed(EachSeed(self.add))?;
                }
                "storeData" => map.next_value_seed(StoreSeed { add: self.add, has_docs: self.has_docs })?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}
