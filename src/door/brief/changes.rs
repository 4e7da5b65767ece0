//! What has changed since an earlier brief about the same topics.

use std::collections::{BTreeMap, BTreeSet};

use super::content::Content;
use super::fields::is_wanted;
use super::print::{kind, named};
use super::template::Sheets;
use super::text::{entry, short};
use crate::assemble::ReadError;
use crate::assemble::notes::NoteIndex;
use crate::record::NodeNo;
use crate::record::brief::{
    BriefChange, BriefFault, BriefNode, BriefRequest, BriefValue, ChangeKind, ContextBrief, FieldChange, GoneWhy,
    Since, TagChange, TextChange,
};

/// An earlier brief, compared with what its nodes are now.
pub struct Earlier<'e> {
    index: &'e NoteIndex<'e>,
    request: &'e BriefRequest,
    brief: &'e ContextBrief,
    /// Its nodes that the walk reaches now, by their nodes' numbers, with their changes.
    known: BTreeMap<NodeNo, Vec<BriefChange>>,
}

/// Other topics cannot be compared.
pub fn check(request: &BriefRequest, earlier: &ContextBrief) -> Result<(), BriefFault> {
    match earlier.request.topics == request.topics {
        true => Ok(()),
        false => Err(BriefFault::OtherTopics(earlier.request.topics.join(" + "))),
    }
}

/// The parts of the request that are others than those of the earlier brief.
pub fn request_changes(request: &BriefRequest, earlier: &ContextBrief) -> Vec<String> {
    let was = &earlier.request;
    let parts = [
        ("lens", was.lens != request.lens),
        ("depth", was.depth != request.depth),
        ("within", was.within != request.within),
        ("includeFields", was.include_fields != request.include_fields),
        ("maxTokens", was.max_tokens != request.max_tokens),
        ("tokenizer", was.tokenizer != request.tokenizer),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name.to_string()).collect()
}

impl<'e> Earlier<'e> {
    /// Reads the nodes of the earlier brief that are still reached.
    pub fn new(
        index: &'e NoteIndex<'e>,
        request: &'e BriefRequest,
        brief: &'e ContextBrief,
        sheets: &Sheets,
    ) -> Result<Self, ReadError> {
        let mut earlier = Earlier { index, request, brief, known: BTreeMap::new() };
        for was in &brief.nodes {
            let node = index.graph.node(was.node_id.as_str());
            let Some((node, rank)) = node.and_then(|node| Some((node, sheets.rank(node)?))) else { continue };
            let now = sheets.of(node)?;
            let changes = earlier.differences(was, &now.content, rank);
            earlier.known.insert(node, changes);
        }
        Ok(earlier)
    }

    pub fn request_changes(&self) -> Vec<String> {
        request_changes(self.request, self.brief)
    }

    /// Whether the earlier brief showed a node as it is now.
    pub fn is_unchanged(&self, node: NodeNo) -> bool {
        self.known.get(&node).is_some_and(Vec::is_empty)
    }

    fn differences(&self, was: &BriefNode, now: &Content, rank: usize) -> Vec<BriefChange> {
        let mut changes = Vec::new();
        let change = |change| BriefChange {
            change,
            fields: Vec::new(),
            id: self.index.id(now.node).to_string(),
            name: now.name.clone(),
            node_id: was.node_id.clone(),
            parent: None,
            rank: rank as u32 + 1,
            tags: None,
            text: false,
            why: None,
        };
        if now.digest() != was.content_digest {
            changes.push(self.edited(was, now, change(ChangeKind::Edited)));
        }
        let parent = self.index.parent(now.node).map(|parent| self.index.id(parent).to_string());
        if parent != was.parent {
            let parent = Some(TextChange { now: parent, was: was.parent.clone() });
            changes.push(BriefChange { parent, ..change(ChangeKind::Moved) });
        }
        changes
    }

    fn edited(&self, was: &BriefNode, now: &Content, change: BriefChange) -> BriefChange {
        let mut fields = field_changes(&was.fields, &fields(now, self.request));
        fields.retain(|field| shows(&self.brief.request, &field.name) && shows(self.request, &field.name));
        let tags = (was.tags != now.tags).then(|| TagChange { now: now.tags.clone(), was: was.tags.clone() });
        let is_explained = !fields.is_empty() || tags.is_some();
        let is_whole = was.shown.lines == was.shown.of;
        // Of a text that was cut, only what else has changed tells whether it has.
        let is_other_text = if is_whole { was.content != now.lines.join("\n") } else { !is_explained };
        let text = was.name != now.name || is_other_text;
        BriefChange { fields, tags, text, ..change }
    }

    /// All changes, with what is shown or named now.
    pub fn since(&self, shown: &[NodeNo], ranks: &Sheets) -> Since {
        let present: BTreeSet<NodeNo> = shown.iter().copied().collect();
        let named = self.brief.overflow.iter().map(|node| node.node_id.as_str());
        let before: BTreeSet<&str> = self.brief.nodes.iter().map(|node| node.node_id.as_str()).chain(named).collect();
        let new = shown.iter().filter(|node| !before.contains(self.index.graph.id(**node)));
        let mut changes: Vec<BriefChange> = new.map(|node| self.new_node(*node, ranks)).collect();
        changes.extend(self.known.iter().filter(|(node, _)| present.contains(node)).flat_map(|(_, all)| all.clone()));
        changes.extend(self.brief.nodes.iter().filter_map(|was| self.gone(was, &present)));
        changes.sort_by(|a, b| (a.change, a.rank, &a.node_id).cmp(&(b.change, b.rank, &b.node_id)));
        Since {
            as_of: self.brief.meta.as_of.date.clone(),
            brief_id: self.brief.brief_id.clone(),
            changes,
            request_changed: self.request_changes(),
        }
    }

    fn new_node(&self, node: NodeNo, ranks: &Sheets) -> BriefChange {
        let rank = ranks.rank(node).map_or(0, |rank| rank as u32 + 1);
        self.change(ChangeKind::New, node, rank)
    }

    fn change(&self, change: ChangeKind, node: NodeNo, rank: u32) -> BriefChange {
        BriefChange {
            change,
            fields: Vec::new(),
            id: self.index.id(node).to_string(),
            name: self.index.name(node).to_string(),
            node_id: crate::record::NodeId::of_symbol(self.index.graph.id(node)),
            parent: None,
            rank,
            tags: None,
            text: false,
            why: None,
        }
    }

    fn gone(&self, was: &BriefNode, present: &BTreeSet<NodeNo>) -> Option<BriefChange> {
        let node = self.index.graph.node(was.node_id.as_str());
        let why = match node {
            None => GoneWhy::Deleted,
            Some(node) if present.contains(&node) => return None,
            Some(node) if self.is_unchanged(node) && self.request.changed_only => return None,
            Some(node) if self.known.contains_key(&node) => GoneWhy::Cut,
            Some(_) => GoneWhy::OutOfReach,
        };
        Some(BriefChange {
            change: ChangeKind::Gone,
            fields: Vec::new(),
            id: was.id.clone(),
            name: was.name.clone(),
            node_id: was.node_id.clone(),
            parent: None,
            rank: was.rank,
            tags: None,
            text: false,
            why: Some(why),
        })
    }
}

/// The fields of a node that the request shows, by name.
pub fn fields(content: &Content, request: &BriefRequest) -> BTreeMap<String, Vec<BriefValue>> {
    let mut fields: BTreeMap<String, Vec<BriefValue>> = BTreeMap::new();
    for field in content.fields.iter().filter(|field| shows(request, &field.name)) {
        fields.entry(field.name.clone()).or_default().extend(field.values.iter().cloned());
    }
    fields
}

/// Whether a request shows a field. What another lens left out has not changed.
fn shows(request: &BriefRequest, field: &str) -> bool {
    request.include_fields && is_wanted(&request.lens.fields, field)
}

fn field_changes(was: &BTreeMap<String, Vec<BriefValue>>, now: &BTreeMap<String, Vec<BriefValue>>) -> Vec<FieldChange> {
    let text = |values: Option<&Vec<BriefValue>>| {
        let texts = values.into_iter().flatten().map(|value| value.text.as_str());
        texts.collect::<Vec<_>>().join(", ")
    };
    let names: BTreeSet<&String> = was.keys().chain(now.keys()).collect();
    let changes = names.into_iter().filter(|name| was.get(*name) != now.get(*name)).map(|name| FieldChange {
        name: name.clone(),
        now: text(now.get(name)),
        was: text(was.get(name)),
    });
    changes.collect()
}

/// A change in one line.
pub fn line(change: &BriefChange, tags: &[String], class: &str) -> String {
    let name = entry(&named(&change.name));
    match change.change {
        ChangeKind::New => format!("- new: {name} {}\n", kind(tags, class)),
        ChangeKind::Edited => format!("- edited: {name}; {}\n", edits(change)),
        ChangeKind::Moved => format!("- moved: {name}; {}\n", moves(change)),
        ChangeKind::Gone => format!("- gone: {name}; {}\n", reason(change.why)),
    }
}

fn edits(change: &BriefChange) -> String {
    let value = |text: &str| if text.is_empty() { "nothing".to_string() } else { short(text) };
    let fields = change.fields.iter();
    let fields =
        fields.map(|field| format!("{} from {} to {}", short(&field.name), value(&field.was), value(&field.now)));
    let tags = change
        .tags
        .iter()
        .map(|tags| format!("tags from {} to {}", value(&tags.was.join(", ")), value(&tags.now.join(", "))));
    let text = change.text.then(|| "text".to_string());
    let edits: Vec<String> = fields.chain(tags).chain(text).collect();
    if edits.is_empty() { "fields that are not shown".to_string() } else { edits.join("; ") }
}

fn moves(change: &BriefChange) -> String {
    let id = |id: Option<&String>| id.map_or_else(|| "nothing".to_string(), |id| short(id));
    let parent = change.parent.as_ref();
    let (was, now) = (parent.and_then(|one| one.was.as_ref()), parent.and_then(|one| one.now.as_ref()));
    format!("from {} to {}", id(was), id(now))
}

fn reason(why: Option<GoneWhy>) -> &'static str {
    match why {
        Some(GoneWhy::Deleted) => "deleted",
        Some(GoneWhy::OutOfReach) => "out of reach",
        Some(GoneWhy::Cut) | None => "left out by the budget",
    }
}
