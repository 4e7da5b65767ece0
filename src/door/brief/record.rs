//! Writes the record of a brief.

use super::changes::fields;
use super::content::class_word;
use super::header::NOTHING_FOUND;
use super::print::{kind, named};
use super::relation::Relations;
use super::template::Shown;
use super::text::{entry, short};
use super::{Brief, Maker, brief_id};
use crate::assemble::ReadError;
use crate::assemble::notes::{NodeClass, NoteIndex, RankedNode, Topic, unknown_words};
use crate::graph::notes::NoteClass;
use crate::record::brief::{
    BriefCounts, BriefMeta, BriefNode, BriefTokens, ContextBrief, Embeddings, FoundBy, NodeForm, OverflowNode,
    ShownLines, Since, TopicFound,
};
use crate::record::pack::TreeState;
use crate::record::{NodeId, NodeNo};
use crate::text::counted;

/// A node that is only named.
pub struct Named {
    pub node: NodeNo,
    rank: Option<usize>,
    name: String,
    /// The page of a section: `General` alone says nothing.
    page: Option<String>,
    pub tags: Vec<String>,
    pub class: &'static str,
    relation: String,
}

impl Named {
    pub fn new(relations: &Relations, rank: usize) -> Result<Self, ReadError> {
        let ranked = &relations.reached.nodes[rank];
        let relation = relations.words(ranked);
        Ok(Named { rank: Some(rank), relation, ..Named::of_node(relations, ranked.node)? })
    }

    pub fn of_node(relations: &Relations, node: NodeNo) -> Result<Self, ReadError> {
        let index = relations.index;
        let item = index.notes.note(node).map(|note| index.item(note)).transpose()?;
        let class = index.class(node).map_or("note", class_word);
        let tags = item.map(|item| item.tags).unwrap_or_default();
        let page = match index.class(node) {
            Some(NodeClass::Note(note, NoteClass::Section)) => Some(index.notes.node(index.notes.unit(note))),
            _ => None,
        };
        let page = page.filter(|page| *page != node).map(|page| index.name(page).to_string());
        Ok(Named { node, rank: None, name: index.name(node).to_string(), page, tags, class, relation: String::new() })
    }

    pub fn line(&self) -> String {
        format!("- {} {}; {}\n", self.shown_name(), kind(&self.tags, self.class), self.relation)
    }

    /// Without its relation.
    pub fn short_line(&self) -> String {
        format!("- {} {}\n", self.shown_name(), kind(&self.tags, self.class))
    }

    /// The name of a section stands behind that of its page, in the form that finds it as a topic.
    fn shown_name(&self) -> String {
        match &self.page {
            Some(page) => entry(&named(&format!("{page}#{}", self.name))),
            None => entry(&named(&self.name)),
        }
    }
}

/// What a reader should know about the topics and the index.
pub fn warnings(index: &NoteIndex, topics: &[Topic], request_changed: Option<Vec<String>>) -> Vec<String> {
    let mut warnings = Vec::new();
    let is_found = topics.iter().any(|topic| topic.by.is_some());
    for topic in topics {
        let query = short(&topic.query);
        if topic.by.is_none() && is_found {
            warnings.push(format!("nothing matches {query}"));
        }
        if topic.by == Some(FoundBy::Words) {
            let unknown = unknown_words(index.view, &topic.query);
            warnings.extend(unknown.iter().map(|word| format!("no note has the word {}", short(word))));
        }
        if topic.ambiguous > 0 {
            let shown = topic.starts.len();
            let all = counted(topic.ambiguous as usize, "note");
            let from = if shown < topic.ambiguous as usize { format!("the newest {shown}") } else { "all".to_string() };
            warnings.push(format!("{all} have the name {query}; the brief starts at {from} of them"));
        }
    }
    if index.view.facts().receipt.tree == TreeState::Changed {
        warnings.push("the notes have changed since they were indexed".to_string());
    }
    let other = |part: &&String| ["lens", "depth"].contains(&part.as_str());
    for part in request_changed.iter().flatten().filter(other) {
        warnings.push(format!("the earlier brief has another {part}"));
    }
    warnings
}

impl Maker<'_> {
    /// Writes the record. Its nodes are those that are shown, in the order of their ranks.
    pub fn finish(self, markdown: String, shown: Vec<(Shown, u32)>, named: Vec<Named>, since: Option<Since>) -> Brief {
        let facts = self.index.view.facts();
        let nodes: Vec<BriefNode> = shown.iter().filter_map(|(shown, tokens)| self.node(shown, *tokens)).collect();
        let overflow: Vec<OverflowNode> = named.iter().filter_map(|named| self.overflow(named)).collect();
        let record = ContextBrief {
            brief_id: brief_id(facts.signature, self.request),
            created_at: facts.created_at.to_string(),
            index_signature: facts.signature.to_string(),
            meta: self.meta(&markdown, &nodes, overflow.len()),
            nodes,
            overflow,
            request: self.request.clone(),
            schema: "ContextBrief".to_string(),
            schema_version: "1.0.0".to_string(),
            since,
        };
        Brief { record, markdown }
    }

    fn meta(&self, markdown: &str, nodes: &[BriefNode], named: usize) -> BriefMeta {
        let reached = self.reached();
        let heads = nodes.iter().filter(|node| node.form == NodeForm::Head);
        let summarized: Vec<String> = heads.map(|node| node.id.clone()).collect();
        let undated = reached.nodes.iter().filter(|node| self.index.modified(node.node).is_none()).count() as u32;
        let included = nodes.len() as u32;
        let counts = BriefCounts {
            included,
            omitted: reached.observed.saturating_sub(included + named as u32),
            reached: reached.observed,
            summarized: summarized.len() as u32,
            undated,
        };
        BriefMeta {
            as_of: self.as_of.clone(),
            counts,
            depth: self.depth,
            embeddings: Embeddings { available: false, missing: 0 },
            lens: self.request.lens.name.clone(),
            message: reached.nodes.is_empty().then(|| NOTHING_FOUND.to_string()),
            summarized,
            tokens: BriefTokens {
                budget: self.request.max_tokens,
                tokenizer: self.request.tokenizer,
                used: self.count(markdown),
            },
            topics: self.topics.iter().map(|topic| self.topic(topic)).collect(),
            tree: self.index.view.facts().receipt.tree,
            truncated: reached.caps.clone(),
            warnings: self.warnings.clone(),
        }
    }

    fn topic(&self, topic: &Topic) -> TopicFound {
        let starts = topic.starts.iter().map(|start| self.index.id(start.node).to_string());
        TopicFound { ambiguous: topic.ambiguous, by: topic.by, query: topic.query.clone(), starts: starts.collect() }
    }

    fn node(&self, shown: &Shown, tokens: u32) -> Option<BriefNode> {
        let rank = shown.rank?;
        let ranked: &RankedNode = &self.reached().nodes[rank];
        let (index, content) = (self.index, &shown.sheet.content);
        let item = content.item.as_ref();
        let code = content.code.as_ref();
        let all = shown.sheet.line_count() as u32;
        let tag_ids = index.tags(ranked.node).filter(|tag| index.notes.note(*tag).is_some());
        let lines = item.and_then(|item| index.lines(ranked.node, item)).or(code.map(|code| code.lines));
        Some(BriefNode {
            also: self.relations.also(ranked),
            attachments: content.attachments.clone(),
            class: content.class.to_string(),
            content: shown.sheet.content_shown(shown.lines).join("\n"),
            content_digest: content.digest(),
            created: item.and_then(|item| item.created.clone()),
            depth: item.map_or(0, |item| item.depth),
            distance: ranked.distance,
            fields: fields(content, self.request),
            file_rel_path: item.map(|item| &item.file_rel_path).or(code.map(|code| &code.path)).cloned(),
            form: if shown.is_whole() { NodeForm::Full } else { NodeForm::Head },
            id: index.id(ranked.node).to_string(),
            lexical: ranked.lexical,
            lines,
            modified: item.and_then(|item| item.modified.clone()),
            name: content.name.clone(),
            node_id: NodeId::of_symbol(index.graph.id(ranked.node)),
            parent: index.parent(ranked.node).map(|parent| index.id(parent).to_string()),
            path: self.relations.path(ranked),
            rank: rank as u32 + 1,
            score: ranked.score,
            score_parts: ranked.parts,
            shown: ShownLines { lines: shown.lines as u32 + 1, of: all + 1 },
            tag_ids: tag_ids.map(|tag| index.id(tag).to_string()).collect(),
            tags: content.tags.clone(),
            tokens,
            topic: ranked.topic as u32,
            unit: index.id(shown.unit).to_string(),
        })
    }

    fn overflow(&self, named: &Named) -> Option<OverflowNode> {
        let rank = named.rank?;
        let ranked = &self.reached().nodes[rank];
        Some(OverflowNode {
            class: named.class.to_string(),
            distance: ranked.distance,
            id: self.index.id(ranked.node).to_string(),
            name: named.name.clone(),
            node_id: NodeId::of_symbol(self.index.graph.id(ranked.node)),
            path: self.relations.path(ranked),
            rank: rank as u32 + 1,
            score: ranked.score,
            tags: named.tags.clone(),
        })
    }
}
