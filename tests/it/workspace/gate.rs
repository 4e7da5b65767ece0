//! The gate between an index and its readers, drawn as text: everything that [`ReadableBlocks`] gives.

use std::fmt::{Debug, Write};

use contextpack::assemble::blocks::{LinkKind, ReadableBlocks, ReadableLink};
use contextpack::record::{BlockNo, Reader};

use super::world::World;

/// What is asked of the gate besides the blocks themselves.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub ids: Vec<String>,
    pub terms: Vec<String>,
    pub titles: Vec<String>,
    pub users: Vec<String>,
}

/// Everything that a reader may see of a workspace. Blocks stand in document order, and are named by their places in
/// it: their numbers say how many hidden ones lie between.
#[track_caller]
pub fn drawn(world: &World, reader: &Reader, asked: &Asked) -> String {
    let source = world.source();
    let drawn = source.with_blocks(reader, |blocks| Drawing { blocks, text: String::new() }.draw(asked));
    drawn.expect("the index can be read").unwrap_or_else(|| "no workspace\n".to_string())
}

struct Drawing<'d> {
    blocks: &'d ReadableBlocks<'d>,
    text: String,
}

impl Drawing<'_> {
    fn draw(mut self, asked: &Asked) -> String {
        let blocks = self.blocks;
        self.line("blocks", &blocks.count());
        self.line("newest", &blocks.newest());
        self.line("texts", &(blocks.text_count(), blocks.mean_words()));
        self.line("roots", &self.places(blocks.roots()));
        blocks.in_order().iter().for_each(|block| self.block(*block));
        for id in &asked.ids {
            self.line(&format!("id {id}"), &blocks.block_with_id(id).map(|block| blocks.place(block)));
        }
        for title in &asked.titles {
            self.line(&format!("title {title}"), &self.places(&blocks.blocks_titled(title)));
        }
        for term in &asked.terms {
            let mut matches: Vec<(u32, u32, bool)> =
                blocks.matches(term).iter().map(|it| (blocks.place(it.block), it.count, it.in_title)).collect();
            matches.sort_unstable();
            self.line(&format!("term {term}"), &matches);
        }
        for user in &asked.users {
            let lines = blocks.activity_of(user).into_iter().map(|it| (blocks.place(it.block), it.action, it.at));
            self.line(&format!("activity {user}"), &lines.collect::<Vec<_>>());
        }
        self.text
    }

    fn block(&mut self, block: BlockNo) {
        let blocks = self.blocks;
        let _ = writeln!(self.text, "{} {} {}", blocks.place(block), blocks.block_type(block).word(), blocks.id(block));
        let around = blocks.parent(block).map(|parent| blocks.place(parent));
        self.line("  tree", &(around, self.places(&blocks.children(block)), blocks.below(block).len()));
        self.line("  title", &blocks.title(block));
        self.line("  text", &(blocks.text(block), blocks.words(block)));
        self.line("  dates", &(blocks.created(block), blocks.modified(block), blocks.due(block)));
        self.line("  seconds", &(blocks.modified_seconds(block), blocks.due_seconds(block)));
        let task = (blocks.is_task(block), blocks.done(block), blocks.own_done(block), blocks.holds_done(block));
        self.line("  task", &(task, blocks.priority(block), blocks.assignees(block)));
        self.line("  people", &(blocks.created_by(block), blocks.tags(block), blocks.aliases(block)));
        let flags = (blocks.is_archived(block), blocks.is_template(block), blocks.is_ordered(block));
        self.line("  form", &(flags, blocks.language(block)));
        self.line("  database", &blocks.database(block).map(|database| blocks.place(database)));
        self.line("  links", &self.links(blocks.links(block)));
        self.line("  linked from", &self.links(blocks.linked_from(block)));
    }

    fn line(&mut self, name: &str, value: &dyn Debug) {
        let _ = writeln!(self.text, "{name}: {value:?}");
    }

    fn places(&self, blocks: &[BlockNo]) -> Vec<u32> {
        blocks.iter().map(|block| self.blocks.place(*block)).collect()
    }

    fn links<'l>(&self, links: Vec<ReadableLink<'l>>) -> Vec<(LinkKind, u32, Option<&'l str>)> {
        links.iter().map(|link| (link.kind, self.blocks.place(link.block), link.label)).collect()
    }
}
