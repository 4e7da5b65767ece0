//! The blocks of a workspace become records: for each an item, and if it says something a chunk, a symbol and what it
//! names. Each record carries the audience of what it was made from.

mod links;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::identity::{Uids, collisions};
use super::kind_name::kind_name;
use super::{Chunked, Config, Source, export};
use crate::dialect::export::{Trouble, Workspace as IdSpace, shortened};
use crate::dialect::workspace::audiences::Workspace;
use crate::dialect::workspace::{
    Activity, Block, BlockLink, GivenGrant, Grant, LabelledRow, Member, RowRules, Wikilinks, WorkspaceFile, bare,
    labelled, wikilinks,
};
use crate::record::{
    Audience, BlockType, ByteRange, Chunk, ChunkUid, Field, FieldValue, Item, Kind, LanguageId, Lines, LinkKind,
    NodeId, Range, Reference, References, Site, Symbol, SymbolId,
};
use crate::text::{LineIndex, Span};
use links::{label, link_field, link_kind, links_of, reference, target};

/// A workspace, and how its rows are read.
#[derive(Debug, Default)]
pub struct Blocks {
    pub workspace: Workspace,
    pub rules: RowRules,
}

/// The language of the chunks of blocks, and the word for them in ids.
pub const LANGUAGE: &str = "blocks";
/// What stands for a block without a title.
const MAX_NAME_CHARS: usize = 80;

pub fn chunk(
    source: &Source,
    file: &WorkspaceFile,
    blocks: &Arc<Blocks>,
    config: &Config,
    taken: &BTreeSet<ChunkUid>,
) -> Chunked {
    let index = LineIndex::new(source.text);
    let mut builder = Builder {
        source,
        index: &index,
        blocks,
        ids: IdSpace::new(LANGUAGE, ""),
        uids: Uids::new(config, taken),
        chunked: export::empty(),
    };
    let audiences = blocks.workspace.audiences_of(source.path);
    for (block, audience) in file.blocks.iter().zip(audiences) {
        builder.add(block, audience);
    }
    file.links.iter().for_each(|(from, link)| builder.add_link(from, link));
    file.grants.iter().for_each(|grant| builder.add_grant(grant));
    file.default_grants.iter().for_each(|grant| builder.add_default(grant));
    file.members.iter().for_each(|member| builder.add_member(member));
    file.activity.iter().for_each(|line| builder.add_activity(line));
    let troubles = file.troubles.iter().chain(blocks.workspace.troubles_of(source.path));
    builder.finish(troubles)
}

struct Builder<'b> {
    source: &'b Source<'b>,
    index: &'b LineIndex<'b>,
    blocks: &'b Blocks,
    ids: IdSpace,
    uids: Uids<'b>,
    chunked: Chunked,
}

/// What a block says, in the form that becomes a chunk.
struct Said<'s> {
    title: Option<&'s str>,
    text: &'s str,
    audience: &'s Audience,
    /// Makes the chunks of one block different.
    form: &'s str,
}

impl Builder<'_> {
    fn add(&mut self, block: &Block, audience: &Audience) {
        let row = (block.block_type == BlockType::DbRow).then(|| bare(block, &self.blocks.rules));
        let title = row.as_ref().map_or(&block.title, |row| &row.title).clone();
        let text = row.map_or_else(|| block.text.clone(), |row| row.text);
        let said = Said { title: title.as_deref(), text: &text, audience, form: "" };
        let Wikilinks { links, troubles } = links_of(block, &text);
        let problems = troubles.into_iter().map(|trouble| export::problem(trouble, self.source, self.index));
        self.chunked.problems.extend(problems);
        let chunk_uid = self.add_chunk(block, &said, &links);
        let item = self.item(block, &said, chunk_uid);
        self.push(item);
        let structure = self.structure(block, &links);
        self.push_if_named(structure);
        if block.block_type == BlockType::DbRow {
            self.add_labelled(block, audience);
        }
    }

    fn add_labelled(&mut self, row: &Block, audience: &Audience) {
        let blocks = self.blocks;
        for (at, (database, above)) in blocks.workspace.databases_of(self.source.path, row).into_iter().enumerate() {
            let form = labelled(row, database, &blocks.rules);
            let audience = audience.and(above);
            let said = Said {
                title: form.title.as_deref(),
                text: &form.text,
                audience: &audience,
                form: &format!("{} {at}", Item::ROW_LABELS),
            };
            let chunk_uid = self.add_chunk(row, &said, &[]);
            let item = self.labels(row, &form, &said, chunk_uid);
            self.push(item);
        }
    }

    /// The chunk of what a block says, with its symbol and what it names.
    fn add_chunk(&mut self, block: &Block, said: &Said, links: &[BlockLink]) -> Option<ChunkUid> {
        if said.text.trim().is_empty() {
            return None;
        }
        let symbol_id = self.ids.symbol_id(&block.id);
        let chunk = self.chunk(block, said, symbol_id.clone());
        let uid = chunk.chunk_uid;
        if said.form.is_empty() {
            let site = Site::from_span(block.id_span, self.index);
            self.chunked.references.extend(self.references(&chunk, links, site));
            let symbol = self.symbol(block, &chunk, symbol_id);
            self.chunked.symbols.push(symbol);
        }
        self.chunked.chunks.push(chunk);
        Some(uid)
    }

    fn chunk(&mut self, block: &Block, said: &Said, symbol_id: SymbolId) -> Chunk {
        let parts =
            [self.source.path.as_str(), LANGUAGE, kind_name(Kind::Item), &format!("{}\n{}", block.id, said.form), ""];
        let (chunk_uid, salt) = self.uids.assign(&parts);
        let name = said.title.map(|title| shortened(title, MAX_NAME_CHARS));
        Chunk {
            audience: said.audience.clone(),
            blank_after: 0,
            byte_range: ByteRange::from_span(block.span),
            chunk_uid,
            derived: true,
            file_rel_path: self.source.path.clone(),
            kind: Kind::Item,
            language_id: LanguageId::from(LANGUAGE),
            lines: Lines::from_span(block.span, self.index),
            name: name.clone(),
            part: None,
            qualified_name: name,
            range: Range::from_span(block.span, self.index),
            salt,
            shown: None,
            // Its words are those of a title for searches of workspaces.
            signature: said.title.map(str::to_string),
            symbol_id: said.form.is_empty().then_some(symbol_id),
            text: format!("{}\n", said.text),
        }
    }

    fn symbol(&self, block: &Block, chunk: &Chunk, symbol_id: SymbolId) -> Symbol {
        let name = chunk.name.clone().unwrap_or_else(|| shortened(&chunk.text, MAX_NAME_CHARS));
        Symbol {
            audience: chunk.audience.clone(),
            byte_range: chunk.byte_range,
            chunk_uid: chunk.chunk_uid,
            doc: None,
            exported: true,
            file_rel_path: chunk.file_rel_path.clone(),
            kind: chunk.kind,
            language_id: chunk.language_id.clone(),
            lines: chunk.lines,
            name: name.clone(),
            parameters: Vec::new(),
            qualified_name: name,
            range: chunk.range,
            signature: chunk.signature.clone(),
            site: Site::from_span(block.id_span, self.index),
            symbol_id,
            value_type: Some(block.block_type.word().to_string()),
        }
    }

    fn item(&self, block: &Block, said: &Said, chunk_uid: Option<ChunkUid>) -> Item {
        // Whoever reads a block that is shared wider may not know what is around it.
        let is_shared_wider = self.is_shared_wider(block);
        let known = |parent: &&String| !is_shared_wider && self.blocks.workspace.has_block(parent);
        let parent = block.parent.as_ref().filter(known);
        Item {
            aliases: block.aliases.clone(),
            archived: block.archived,
            assignees: block.assignees.clone(),
            created: block.created.clone(),
            done: block.done,
            due: block.due.clone(),
            fields: facts(block),
            modified: block.modified.clone(),
            parent: parent.map(|parent| NodeId::from(&self.ids.symbol_id(parent))),
            tags: block.tags.clone(),
            title: said.title.unwrap_or_default().to_string(),
            ..self.bare_item(block.block_type.word(), &block.id, block.span, said.audience, chunk_uid)
        }
    }

    fn is_shared_wider(&self, block: &Block) -> bool {
        let may_be = block.block_type.may_be_shared_wider();
        may_be && (block.grants.iter().any(|grant| grant.replaces) || self.blocks.workspace.is_replaced(&block.id))
    }

    fn labels(&self, row: &Block, form: &LabelledRow, said: &Said, chunk_uid: Option<ChunkUid>) -> Item {
        let priority = form.priority.iter().map(|priority| field("priority", priority));
        let relations = form.relations.iter().map(|(name, ids)| texts(&link_field(LinkKind::Relation, name), ids));
        let in_text = wikilinks(&form.text).links;
        let in_text = in_text.iter().map(link_texts);
        Item {
            assignees: form.assignees.clone(),
            done: form.done,
            due: form.due.clone(),
            fields: priority.chain(relations).chain(in_text).collect(),
            title: said.title.unwrap_or_default().to_string(),
            ..self.bare_item(Item::ROW_LABELS, &row.id, row.span, said.audience, chunk_uid)
        }
    }

    /// Where a block belongs and what it names. Nobody may read it: it names blocks that its readers may not know.
    fn structure(&self, block: &Block, links: &[BlockLink]) -> Item {
        let parent = block.parent.iter().map(|parent| field("parent", parent));
        let root = (block.parent.is_some() && self.is_listed_root(block)).then(|| Field::new(Item::IS_ROOT, []));
        let database = block.database.iter().map(|database| field("database", database));
        let children = (!block.children.is_empty()).then(|| texts("children", &block.children));
        let grants = block.grants.iter().map(grant_field);
        let links = links.iter().map(link_texts);
        Item {
            fields: parent.chain(root).chain(database).chain(children).chain(grants).chain(links).collect(),
            ..self.bare_item(Item::STRUCTURE, &block.id, block.span, &Audience::nobody(), None)
        }
    }

    fn is_listed_root(&self, block: &Block) -> bool {
        let file = self.blocks.workspace.file(self.source.path);
        file.is_some_and(|file| file.roots.contains(&block.id))
    }

    fn add_link(&mut self, from: &str, link: &BlockLink) {
        let field = link_texts(link);
        let item = self.bare_item(Item::LINK, from, link.span, &Audience::nobody(), None);
        self.push(Item { fields: vec![field], ..item });
    }

    fn add_grant(&mut self, given: &GivenGrant) {
        let item = self.bare_item(Item::GRANT, &given.block, given.span, &Audience::nobody(), None);
        self.push(Item { fields: vec![grant_field(&given.grant)], ..item });
    }

    fn add_default(&mut self, grant: &Grant) {
        let item = self.bare_item(Item::GRANT, "", Span::new(0, 0), &Audience::nobody(), None);
        self.push(Item { fields: vec![texts(Item::DEFAULT, &grant.read)], ..item });
    }

    fn add_member(&mut self, member: &Member) {
        let fields = vec![texts("teams", &member.teams), texts("workspaces", &member.workspaces)];
        self.push(Item {
            fields,
            ..self.bare_item(Item::MEMBER, &member.user, member.span, &Audience::nobody(), None)
        });
    }

    fn add_activity(&mut self, line: &Activity) {
        let user = format!("user:{}", line.user).try_into().map(|user| Audience::new(vec![vec![user]]));
        let audience =
            self.blocks.workspace.audience_of_id(&line.block).and(&user.unwrap_or_else(|_| Audience::nobody()));
        let item = self.bare_item(Item::ACTIVITY, &line.block, line.span, &audience, None);
        let fields = vec![field("user", &line.user)];
        self.push(Item { created: Some(line.at.clone()), fields, title: line.action.word().to_string(), ..item });
    }

    fn bare_item(&self, kind: &str, id: &str, span: Span, audience: &Audience, chunk_uid: Option<ChunkUid>) -> Item {
        Item {
            audience: audience.clone(),
            chunk_uid,
            head: Some(Lines::from_span(span, self.index)),
            source_id: id.to_string(),
            ..Item::new(kind, NodeId::from(&self.ids.symbol_id(id)), self.source.path)
        }
    }

    fn push(&mut self, item: Item) {
        let order = self.chunked.items.len() as u32;
        self.chunked.items.push(Item { order, ..item });
    }

    fn push_if_named(&mut self, item: Item) {
        if !item.fields.is_empty() {
            self.push(item);
        }
    }

    /// Nobody may read them: they name blocks that the readers of this one may not know.
    fn references(&self, chunk: &Chunk, links: &[BlockLink], site: Site) -> Option<References> {
        let mut references: Vec<Reference> = links.iter().map(|link| reference(link, site)).collect();
        references.sort_by(|a, b| a.order().cmp(&b.order()));
        references.dedup();
        (!references.is_empty()).then(|| References {
            audience: Audience::nobody(),
            chunk_uid: chunk.chunk_uid,
            file_rel_path: chunk.file_rel_path.clone(),
            language_id: chunk.language_id.clone(),
            references,
            start: chunk.range.start,
            symbol_id: chunk.symbol_id.clone(),
        })
    }

    fn finish<'t>(self, troubles: impl Iterator<Item = &'t Trouble>) -> Chunked {
        let Builder { mut chunked, source, index, .. } = self;
        chunked.problems.extend(troubles.map(|trouble| export::problem(trouble.clone(), source, index)));
        chunked.problems.extend(collisions(source.path, &chunked.chunks));
        chunked.problems.iter_mut().for_each(|problem| problem.audience = Audience::nobody());
        chunked.sort();
        chunked
    }
}

/// A link as a field of an item.
fn link_texts(link: &BlockLink) -> Field {
    texts(&link_field(link_kind(link), label(link)), &[target(link)])
}

/// What readers of a block may know of it besides its text.
fn facts(block: &Block) -> Vec<Field> {
    let order = block.order.map(|order| order.to_string());
    let words = [
        ("createdBy", block.created_by.as_deref()),
        ("language", block.language.as_deref()),
        ("order", order.as_deref()),
        ("priority", block.priority.as_deref()),
    ];
    let flags = [("holdsDone", block.holds_done), ("ordered", block.is_ordered), ("template", block.template)];
    let words = words.into_iter().filter_map(|(name, word)| Some(field(name, word?)));
    words.chain(flags.into_iter().filter(|(_, is)| *is).map(|(name, _)| Field::new(name, []))).collect()
}

fn grant_field(grant: &Grant) -> Field {
    texts(if grant.replaces { Item::REPLACE } else { Item::NARROW }, &grant.read)
}

fn field(name: &str, text: &str) -> Field {
    texts(name, &[text.to_string()])
}

fn texts(name: &str, texts: &[String]) -> Field {
    Field::new(name, texts.iter().map(|text| FieldValue { text: Some(text.clone()), ..FieldValue::default() }))
}
