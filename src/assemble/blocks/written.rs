//! What a reader may see of a workspace, written as `blocks.jsonl` and `activity.jsonl`: an ordinary workspace in which
//! nothing is hidden. Whatever is made from it is what the same reader gets from the whole workspace.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{LinkKind, ReadableBlocks};
use crate::graph::blocks::Moment;
use crate::record::{BlockClass, BlockNo, BlockType, Date, is_false};

/// The files of a workspace that holds only what a reader may see.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WrittenBlocks {
    /// The blocks of each file that has readable ones, in the order of these files.
    pub blocks: Vec<String>,
    pub activity: String,
}

/// One line of `blocks.jsonl`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'b> {
    id: &'b str,
    #[serde(rename = "type")]
    block_type: BlockType,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'b str>,
    /// Among its siblings.
    order: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'b str>,
    data: Data<'b>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_by: Option<&'b str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<&'b str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assignees: Vec<&'b str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<&'b str>,
    #[serde(skip_serializing_if = "is_false")]
    archived: bool,
    #[serde(skip_serializing_if = "is_false")]
    template: bool,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    relations: BTreeMap<&'b str, Vec<&'b str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Target<'b>>,
}

/// What `blocks.jsonl` has no field for. Its text stands as the reader sees it, whatever it was made from.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'b> {
    #[serde(skip_serializing_if = "str::is_empty")]
    own_text: &'b str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    aliases: Vec<&'b str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'b str>,
    #[serde(skip_serializing_if = "is_false")]
    ordered: bool,
    #[serde(skip_serializing_if = "is_false")]
    is_done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    database_id: Option<&'b str>,
}

#[derive(Serialize)]
struct Target<'b> {
    to: &'b str,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'b str>,
}

#[derive(Serialize)]
struct ActivityLine<'b> {
    user: &'b str,
    block: &'b str,
    kind: &'b str,
    at: Date,
}

impl<'b> ReadableBlocks<'b> {
    /// Writes all blocks, and what a user did. Blocks of one file stay together and in its order: an id means a block
    /// of the same file first. Files are in the order of their smallest ids, because their paths may hold titles that the
    /// reader may not see. Only where several files have a block with the same id, the order of the files decides which
    /// of them is meant, so it stays.
    pub fn written(&self, user: Option<&str>) -> WrittenBlocks {
        let orders = self.orders();
        let mut blocks: Vec<BlockNo> = self.in_order().to_vec();
        blocks.sort_unstable();
        let mut files: Vec<&[BlockNo]> = blocks.chunk_by(|a, b| self.file(*a) == self.file(*b)).collect();
        let ids: BTreeSet<&str> = blocks.iter().map(|block| self.id(*block)).collect();
        if ids.len() == blocks.len() {
            files.sort_by_key(|blocks| blocks.iter().map(|block| self.id(*block)).min());
        }
        let written =
            files.into_iter().map(|blocks| blocks.iter().map(|block| line(&self.line(*block, &orders))).collect());
        let activity = user.map(|user| self.written_activity(user)).unwrap_or_default();
        WrittenBlocks { blocks: written.collect(), activity }
    }

    /// By block: its position among its siblings.
    fn orders(&self) -> BTreeMap<BlockNo, u32> {
        let around = std::iter::once(self.roots().to_vec());
        let below = self.in_order().iter().map(|block| self.children(*block));
        around.chain(below).flat_map(|siblings| siblings.into_iter().zip(0..)).collect()
    }

    fn line(&self, block: BlockNo, orders: &BTreeMap<BlockNo, u32>) -> Line<'b> {
        let block_type = self.block_type(block);
        let has_title = matches!(block_type.class(), BlockClass::Container | BlockClass::Record);
        let (relations, links) = self.named_by(block);
        Line {
            id: self.id(block),
            block_type,
            parent: self.parent(block).map(|parent| self.id(parent)),
            order: orders[&block],
            title: self.title(block).filter(|_| has_title),
            data: self.data(block),
            created_at: self.created(block),
            updated_at: self.modified(block),
            created_by: self.created_by(block),
            due: self.due(block),
            done: self.own_done(block),
            priority: self.priority(block),
            assignees: self.assignees(block),
            tags: self.tags(block),
            archived: self.is_archived(block),
            template: self.is_template(block),
            relations,
            links,
        }
    }

    fn data(&self, block: BlockNo) -> Data<'b> {
        Data {
            own_text: self.text(block),
            aliases: self.aliases(block),
            language: self.language(block),
            ordered: self.is_ordered(block),
            is_done: self.holds_done(block),
            database_id: self.written_database(block),
        }
    }

    /// A row whose database is hidden must not become one of another database around it, so it names no database.
    fn written_database(&self, block: BlockNo) -> Option<&'b str> {
        if self.block_type(block) != BlockType::DbRow {
            return None;
        }
        let database = self.database(block).map(|database| self.id(database));
        Some(database.unwrap_or_else(|| self.id(block)))
    }

    /// The blocks that a block names by id: of relations by their names, and links. Those that it names by title stand
    /// in its text.
    fn named_by(&self, block: BlockNo) -> (BTreeMap<&'b str, Vec<&'b str>>, Vec<Target<'b>>) {
        let mut relations: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut links = Vec::new();
        for link in self.links(block) {
            let (to, label) = (self.id(link.block), link.label);
            match link.kind {
                LinkKind::Relation => relations.entry(label.unwrap_or_default()).or_default().push(to),
                LinkKind::Reference => links.push(Target { to, label }),
                LinkKind::Mention => {}
            }
        }
        (relations, links)
    }

    fn written_activity(&self, user: &str) -> String {
        let lines = self.activity_of(user).into_iter().filter_map(|done| {
            let at = Moment { seconds: done.at, is_day: false }.to_date()?;
            Some(line(&ActivityLine { user, block: self.id(done.block), kind: done.action, at }))
        });
        lines.collect()
    }
}

fn line(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("a line is JSON") + "\n"
}
