//! A canvas of a vault: cards with text, cards that show files, and the lines between them, as JSON.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::page_name::PageName;
use super::{page_details, read_card};
use crate::dialect::markup::{Names, is_attachment};
use crate::dialect::note::VaultRules;
use crate::dialect::page::NAMELESS;
use crate::dialect::{Details, Page, Part};
use crate::language::{Definition, Facts, Limits, Mention, capped_name};
use crate::record::{Field, FieldValue, Kind, Role};
use crate::text::{LineIndex, RepoPath, Span};

#[derive(Default, Deserialize)]
struct Canvas<'t> {
    #[serde(borrow, default)]
    nodes: Vec<&'t RawValue>,
    #[serde(borrow, default)]
    edges: Vec<Edge<'t>>,
}

#[derive(Deserialize)]
struct Card<'t> {
    #[serde(borrow)]
    id: &'t RawValue,
    #[serde(borrow, default)]
    text: Option<&'t RawValue>,
    #[serde(borrow, default)]
    file: Option<&'t RawValue>,
    #[serde(borrow, default)]
    subpath: Option<Cow<'t, str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Edge<'t> {
    #[serde(borrow)]
    from_node: Cow<'t, str>,
    #[serde(borrow)]
    to_node: Cow<'t, str>,
}

/// What a line between cards can lead to, and where the card is written.
struct End {
    target: String,
    place: Span,
    is_text: bool,
}

/// Reads a canvas; absent if it is not JSON.
pub fn read<'t>(path: &RepoPath, text: &'t str, rules: &VaultRules, limits: &Limits) -> Option<(Facts<'t>, Page)> {
    let canvas: Canvas = if text.trim().is_empty() { Canvas::default() } else { serde_json::from_str(text).ok()? };
    let index = LineIndex::new(text);
    let mut reader = Reader {
        text,
        index: &index,
        limits,
        facts: Facts::default(),
        parts: Vec::new(),
        page: Details::default(),
        ends: BTreeMap::new(),
    };
    canvas.nodes.iter().for_each(|card| reader.take_card(card));
    canvas.edges.iter().for_each(|edge| reader.take_edge(edge));
    let Reader { mut facts, parts, page, .. } = reader;
    facts.settle();
    let name = PageName::new(path, rules);
    let details = page_details(page, Names::default(), &name, rules);
    // A page may have the same name, and links to a canvas have its ending.
    let id = name.id + ".canvas";
    let (title, body_start) = (name.title, text.len());
    Some((
        facts,
        Page { kind: "page", id, title, details, front_lines: None, body_start, parts, hidden_lines: Vec::new() },
    ))
}

struct Reader<'r, 't> {
    text: &'t str,
    index: &'r LineIndex<'t>,
    limits: &'r Limits,
    facts: Facts<'t>,
    parts: Vec<Part>,
    page: Details,
    /// Cards by their ids.
    ends: BTreeMap<String, End>,
}

impl<'t> Reader<'_, 't> {
    /// A card that is no object with an id is none.
    fn take_card(&mut self, raw: &'t RawValue) {
        let Ok(card) = serde_json::from_str::<Card>(raw.get()) else { return };
        let Some(id) = string(card.id) else { return };
        let end = match (card.text.map(|text| (text, string(text))), card.file.map(|file| (file, string(file)))) {
            (Some((place, Some(text))), _) => self.take_text(&id, raw, place, text),
            (_, Some((place, Some(file)))) => self.take_file(place, file + card.subpath.as_deref().unwrap_or_default()),
            _ => return,
        };
        self.ends.insert(id, End { place: self.place(card.id), ..end });
    }

    fn take_text(&mut self, id: &str, raw: &'t RawValue, place: &RawValue, text: String) -> End {
        let (span, place) = (self.place(raw), self.place(place));
        let title = capped_name(text.trim_start().lines().next().unwrap_or_default().trim_start_matches(['#', ' ']));
        let mut part = Part::new("block", (Kind::Item, place.start), title, span.start as usize..span.end as usize);
        let (details, mentions) = read_card(&text, self.limits);
        part.details = details;
        part.id = Some(format!("^{id}"));
        part.depth = 1;
        self.facts.mentions.extend(mentions.into_iter().map(|mention| Mention { span: place, ..mention }));
        let name = if title.is_empty() { NAMELESS } else { title };
        let mut definition = Definition::new(Kind::Item, name.to_string(), place, span);
        definition.key = Some(format!("^{id}").into());
        self.parts.push(part);
        definition.derived_text = Some(text.into());
        self.facts.definitions.push(definition);
        End { target: format!("#^{id}"), place, is_text: true }
    }

    fn take_file(&mut self, place: &RawValue, target: String) -> End {
        let place = self.place(place);
        if is_attachment(&target) {
            let value = FieldValue::at(self.index.line(place.start) + 1, target.clone());
            match self.page.fields.iter_mut().find(|field| field.name == "attachments") {
                Some(field) => field.values.push(value),
                None => self.page.fields.push(Field::new("attachments", [value])),
            }
        } else {
            self.facts.mentions.push(Mention::new(Role::Link, target.clone(), place));
        }
        End { target, place, is_text: false }
    }

    /// A line is a link of the card with text that it starts or else ends at; cards with files have no text here.
    fn take_edge(&mut self, edge: &Edge) {
        let (from, to) = (self.ends.get(&*edge.from_node), self.ends.get(&*edge.to_node));
        let (Some(from), Some(to)) = (from, to) else { return };
        let (from, to) = if from.is_text { (from, to) } else { (to, from) };
        if from.is_text && !is_attachment(&to.target) {
            self.facts.mentions.push(Mention::new(Role::Link, to.target.clone(), from.place));
        }
    }

    fn place(&self, raw: &RawValue) -> Span {
        let start = raw.get().as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(start, start + raw.get().len())
    }
}

fn string(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}
