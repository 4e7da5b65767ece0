//! `nodes.jsonl`: notes of any program, one JSON object per line. The first line names the format.

mod line;

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::export::{
    Dates, Export, ExportFault, Forest, NONE, Note, NoteClass, NoteLink, OpenNotes, Troubles, Workspace, due, json,
    shortened, title,
};
use crate::record::{Field, FieldValue, NodeId, ProblemCode, Role};
use crate::text::{Span, counted, fold};

use line::{Line, Value};

/// Reads an export. It fails only if the first line is not the header.
pub fn read(text: &str) -> Result<Export<'_>, ExportFault> {
    let mut rows = rows(text);
    let workspace = header(rows.next().unwrap_or_default())?;
    let mut troubles = Troubles::default();
    let mut lines = Lines::new(text, rows, &mut troubles);
    let owners = lines.owners(&mut troubles);
    let (forest, cut) = lines.forest(owners);
    for at in cut {
        let line = &lines.lines[at as usize];
        let message = format!("the parents of `{}` form a loop; its own is left out", line.id);
        troubles.add(ProblemCode::ItemParent, line.span, message);
    }
    let order = lines.kept(&forest, &mut troubles);
    lines.check_targets(&order, &mut troubles);
    let mut open = OpenNotes::default();
    let own = workspace.clone();
    let notes = order.into_iter().map(move |at| lines.note(at, forest.owner(at), &own, &mut open));
    Ok(Export { workspace, notes: Box::new(notes), troubles: troubles.finish() })
}

/// The lines of a text without the blank ones.
fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|row| !row.is_empty())
}

fn header(row: &str) -> Result<Workspace, ExportFault> {
    let fault = |message: &str| ExportFault(format!("the first line {message}"));
    let object = json::object(row, &["contextpackNodes", "workspace"]).map_err(|_| fault("is not a JSON object"))?;
    let [version, workspace] = object.values;
    if version.and_then(json::number) != Some(1) {
        return Err(fault("does not say `\"contextpackNodes\": 1`, the version that this build reads"));
    }
    Ok(Workspace::new("nodes", &workspace.and_then(json::string).unwrap_or_default()))
}

/// The lines that are notes.
struct Lines<'t> {
    lines: Vec<Line<'t>>,
    numbers: FxHashMap<String, u32>,
    /// Which notes are shown, by number.
    is_kept: Vec<bool>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str, rows: impl Iterator<Item = &'t str>, troubles: &mut Troubles) -> Self {
        let mut all = Lines { lines: Vec::new(), numbers: FxHashMap::default(), is_kept: Vec::new() };
        for row in rows {
            if let Some(line) = Line::read(text, row, troubles) {
                all.add(line, troubles);
            }
        }
        all
    }

    fn add(&mut self, line: Line<'t>, troubles: &mut Troubles) {
        if self.numbers.contains_key(line.id.as_ref()) {
            let message = format!("another note before has the id `{}`; this one is left out", line.id);
            return troubles.add(ProblemCode::ItemDuplicate, line.span, message);
        }
        self.numbers.insert(line.id.to_string(), self.lines.len() as u32);
        self.lines.push(line);
    }

    /// The parents by number.
    fn owners(&self, troubles: &mut Troubles) -> Vec<u32> {
        let mut owner = |line: &Line| {
            let parent = line.parent.as_ref()?;
            let number = self.numbers.get(parent.as_ref()).copied();
            if number.is_none() {
                troubles.add(
                    ProblemCode::ItemData,
                    line.span,
                    format!("its parent `{parent}` is no note of this file"),
                );
            }
            number
        };
        self.lines.iter().map(|line| owner(line).unwrap_or(NONE)).collect()
    }

    fn forest(&self, owners: Vec<u32>) -> (Forest, Vec<u32>) {
        let line = |at: u32| &self.lines[at as usize];
        let place = |a: u32, b: u32| in_order(line(a).order, line(b).order).then(a.cmp(&b));
        Forest::new(owners, place, place, |a, b| line(a).id.cmp(&line(b).id))
    }

    /// The notes that are not deleted, in the order of the outline.
    fn kept(&mut self, forest: &Forest, troubles: &mut Troubles) -> Vec<u32> {
        self.is_kept = vec![false; self.lines.len()];
        let mut order = forest.preorder();
        order.retain(|at| {
            let is_around = forest.owner(*at).is_none_or(|owner| self.is_kept[owner as usize]);
            self.is_kept[*at as usize] = is_around && !self.lines[*at as usize].is_deleted;
            self.is_kept[*at as usize]
        });
        let deleted = self.lines.len() - order.len();
        if deleted > 0 {
            troubles.of_all(ProblemCode::ItemData, format!("{} left out", counted(deleted, "deleted note")));
        }
        order
    }

    fn check_targets(&self, order: &[u32], troubles: &mut Troubles) {
        for line in order.iter().map(|at| &self.lines[*at as usize]) {
            for (id, span) in line.targets().filter(|(id, _)| !self.numbers.contains_key(id.as_ref())) {
                troubles.add(ProblemCode::ItemData, *span, format!("`{id}` is no note of this file"));
            }
        }
    }

    /// Another note that is shown.
    fn target(&self, id: &str) -> Option<&Line<'t>> {
        let at = *self.numbers.get(id)? as usize;
        self.is_kept[at].then(|| &self.lines[at])
    }

    fn note(&self, at: u32, parent: Option<u32>, workspace: &Workspace, open: &mut OpenNotes) -> Note<'t> {
        let line = &self.lines[at as usize];
        let unit = line.is_unit.unwrap_or(!line.tags.is_empty() || parent.is_none());
        let dates = Dates { created: line.created.clone(), modified: line.modified.clone() };
        let place = open.open(at, parent, unit, dates);
        let fields = self.fields(line, workspace);
        Note {
            id: line.id.clone(),
            id_span: line.id_span,
            span: line.span,
            class: NoteClass::Note,
            title: title(&line.name),
            name: line.name.trim().to_string(),
            content: line.text.trim().to_string(),
            note_type: line.note_type.clone(),
            tags: line.tags.iter().map(|(tag, _)| shortened(tag, MAX_TAG_CHARS)).collect(),
            links: self.links(line),
            parent: place.parent,
            depth: place.depth,
            unit,
            created: place.dates.created,
            modified: place.dates.modified,
            due: due(&fields),
            done: line.done,
            aliases: line.aliases.iter().map(|alias| alias.to_string()).collect(),
            fields,
        }
    }

    fn fields(&self, line: &Line, workspace: &Workspace) -> Vec<Field> {
        let value = |value: &Value| match value {
            Value::Text(text) => FieldValue { text: Some(text.to_string()), ..FieldValue::default() },
            Value::Date(text, date) => {
                FieldValue { text: Some(text.clone()), date: date.clone(), ..FieldValue::default() }
            }
            Value::Reference(id, _) => match self.target(id) {
                Some(target) => FieldValue {
                    text: Some(title(&target.name)),
                    reference: Some(NodeId::from(&workspace.symbol_id(id))),
                    ..FieldValue::default()
                },
                None => FieldValue { text: Some(id.to_string()), ..FieldValue::default() },
            },
        };
        let named = line.fields.iter().filter(|(_, values)| !values.is_empty());
        let named = named.map(|(name, values)| Field::new(name.as_str(), values.iter().map(value)));
        let url = line.url.iter().map(|url| Field::new("url", [value(&Value::Text(url.clone()))]));
        named.chain(url).collect()
    }

    fn links(&self, line: &Line) -> Vec<NoteLink> {
        let mut links = Vec::new();
        for (tag, span) in &line.tags {
            links.extend(tag_names(tag).map(|target| NoteLink {
                role: Role::Tag,
                target,
                receiver: None,
                span: *span,
            }));
        }
        let link = |role, id: &str, receiver: Option<&str>, span: Span| {
            let target = self.target(id).filter(|target| target.id != line.id)?.id.to_string();
            Some(NoteLink { role, target, receiver: receiver.map(str::to_string), span })
        };
        for (name, values) in &line.fields {
            links.extend(values.iter().filter_map(|value| match value {
                Value::Reference(id, span) => link(Role::Field, id, Some(name), *span),
                _ => None,
            }));
        }
        links.extend(line.references.iter().filter_map(|(id, span)| link(Role::Link, id, None, *span)));
        links
    }
}

const MAX_TAG_CHARS: usize = 100;

/// Numbers first, by size.
fn in_order(a: Option<f64>, b: Option<f64>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

/// A tag and the tags that it is below: `a/b` is also `a`.
fn tag_names(tag: &str) -> impl Iterator<Item = String> {
    let whole = fold(tag);
    let ends: Vec<usize> = whole.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0).collect();
    let names: Vec<String> = ends.iter().map(|end| whole[..*end].to_string()).collect();
    std::iter::once(whole).chain(names.into_iter().rev())
}

#[cfg(test)]
mod tests;
