//! What readable blocks link to, and what the reader did to them.

use std::collections::BTreeSet;

use super::{LinkKind, ReadableBlocks};
use crate::graph::blocks::Link;
use crate::record::BlockNo;
use crate::text::fold;

/// A link from or to a readable block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReadableLink<'b> {
    /// The block at the other end.
    pub block: BlockNo,
    pub kind: LinkKind,
    pub label: Option<&'b str>,
}

/// That a user did something to a readable block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadableActivity<'b> {
    pub block: BlockNo,
    /// `edit`, `view`, `create` or `comment`.
    pub action: &'b str,
    /// Since 1970.
    pub at: i64,
}

impl<'b> ReadableBlocks<'b> {
    /// The links of a block by kind and label, those of one label in the order in which the block gives them. What leads
    /// nowhere is not there.
    pub fn links(&self, block: BlockNo) -> Vec<ReadableLink<'b>> {
        let mut found = Vec::new();
        for link in self.written_links(block) {
            let targets = self.targets(block, &link).into_iter().filter(|target| *target != block);
            found.extend(targets.map(|target| ReadableLink { block: target, kind: link.kind, label: label(&link) }));
        }
        found.sort_by_key(|link| (link.kind, link.label));
        let mut known = BTreeSet::new();
        found.retain(|link| known.insert(*link));
        found
    }

    /// The links to a block, in document order of where they start.
    pub fn linked_from(&self, block: BlockNo) -> Vec<ReadableLink<'b>> {
        let mut from: Vec<BlockNo> = self.naming(block).filter_map(|row| self.readable_block(row)).collect();
        from.sort_unstable_by_key(|from| self.place(*from));
        from.dedup();
        from.retain(|from| *from != block);
        let names = self.names_of(block);
        let to_it = |from: &BlockNo, link: &Link| match link.kind {
            LinkKind::Mention => names.contains(&fold(link.target)),
            LinkKind::Relation | LinkKind::Reference => {
                link.target == self.id(block) && self.meant(*from, link.target) == Some(block)
            }
        };
        let links = |from: BlockNo| self.written_links(from).map(move |link| (from, link));
        let all = from.into_iter().flat_map(links).filter(|(from, link)| to_it(from, link));
        all.map(|(from, link)| ReadableLink { block: from, kind: link.kind, label: label(&link) }).collect()
    }

    /// The folded titles and other names that lead to a block.
    fn names_of(&self, block: BlockNo) -> BTreeSet<String> {
        let titles = self.title(block).into_iter().chain(self.blocks.aliases(block));
        titles.filter(|title| self.blocks_titled(title).contains(&block)).map(fold).collect()
    }

    /// What a user did, in the order of the files.
    pub fn activity_of(&self, user: &str) -> Vec<ReadableActivity<'b>> {
        let lines = self.blocks.activity_of(user);
        let readable = lines.filter_map(|line| {
            let block = self.block_with_id(line.block_id)?;
            Some(ReadableActivity { block, action: line.action, at: line.seconds })
        });
        readable.collect()
    }

    /// What it gives itself, and what only the labelled form knows to be a link. What its text names is that of the text
    /// which the reader sees.
    fn written_links(&self, block: BlockNo) -> impl Iterator<Item = Link<'b>> {
        let form = self.form(block);
        let is_seen = move |link: &Link| form == block || link.kind != LinkKind::Mention;
        let labelled = (form != block).then(|| self.blocks.links(form));
        self.blocks.links(block).filter(is_seen).chain(labelled.into_iter().flatten())
    }

    fn targets(&self, from: BlockNo, link: &Link) -> Vec<BlockNo> {
        match link.kind {
            LinkKind::Mention => self.blocks_titled(link.target),
            LinkKind::Relation | LinkKind::Reference => self.meant(from, link.target).into_iter().collect(),
        }
    }

    /// The block that an id means: that of the same file, or else the first.
    fn meant(&self, from: BlockNo, id: &str) -> Option<BlockNo> {
        let file = self.blocks.file(from);
        let own = self.blocks.with_id(id).find(|block| self.is_readable(*block) && self.blocks.file(*block) == file);
        own.or_else(|| self.block_with_id(id))
    }

    /// All rows that name a block by its id, its title or another name of it.
    fn naming(&self, block: BlockNo) -> impl Iterator<Item = BlockNo> {
        let ids = self.blocks.linking_to(LinkKind::Reference, self.id(block));
        let titles = self.title(block).into_iter().chain(self.blocks.aliases(block));
        let titles: Vec<BlockNo> = titles.flat_map(|title| self.blocks.linking_to(LinkKind::Mention, title)).collect();
        ids.chain(titles)
    }

    /// The block of a row that is the block's own or the form that the reader sees.
    fn readable_block(&self, row: BlockNo) -> Option<BlockNo> {
        let block = self.blocks.block_of(row);
        let is_seen = self.is_readable(block) && (row == block || self.form(block) == row);
        is_seen.then_some(block)
    }
}

fn label<'b>(link: &Link<'b>) -> Option<&'b str> {
    Some(link.label).filter(|label| !label.is_empty())
}
