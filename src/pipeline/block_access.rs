//! Explains who may read a block: the grants that count for it, and where each is said. For operators: it tells of blocks
//! around it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::ChunkSettings;
use crate::record::{BlockType, Field, Item, Principal};
use crate::store::{Index, StoreError};

/// Who may read a block, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BlockAccess {
    pub block_id: String,
    pub block_type: String,
    pub file_rel_path: String,
    pub line: u32,
    /// All of them have to be met, each by one of its principals.
    pub clauses: Vec<Vec<Principal>>,
    /// The grants that these come from: its own first, then those of the blocks around it.
    pub grants: Vec<GrantShown>,
}

/// A grant, and where it is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GrantShown {
    /// `narrow`, `replace` or `default`.
    pub mode: String,
    /// The block that has it.
    pub of: String,
    pub read: Vec<String>,
    /// Absent: the settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<String>,
    pub line: u32,
}

/// More blocks around a block are not followed.
const MAX_AROUND: usize = 10_000;

/// All blocks with an id, in the order of their files.
pub fn block_access(index: &Path, id: &str) -> Result<Vec<BlockAccess>, StoreError> {
    let chunks = Index::open(&index.join("chunk"))?;
    let grants = Grants::read(&chunks)?;
    let own = grants.blocks.iter().filter(|block| block.item.source_id == id);
    Ok(own.map(|block| grants.access(block)).collect())
}

/// Everything in an index that says who may read what.
#[derive(Default)]
struct Grants {
    blocks: Vec<Placed>,
    by_id: BTreeMap<String, Vec<usize>>,
    /// The blocks that list an id as a child.
    listing: BTreeMap<String, Vec<usize>>,
    /// Lines of permissions, by the id of their block.
    lines: BTreeMap<String, Vec<Item>>,
    defaults: Vec<Item>,
    default_read: Vec<String>,
}

/// A block, with the item that says where it belongs and what it grants.
struct Placed {
    item: Item,
    structure: Option<Item>,
}

impl Grants {
    fn read(chunks: &Index) -> Result<Self, StoreError> {
        let settings = ChunkSettings::of(chunks)?;
        let default_read = settings.workspace.map(|workspace| workspace.default_read).unwrap_or_default();
        let mut grants = Grants { default_read, ..Grants::default() };
        for item in chunks.records::<Item>()? {
            grants.add(item?);
        }
        for (at, block) in grants.blocks.iter().enumerate() {
            grants.by_id.entry(block.item.source_id.clone()).or_default().push(at);
            for child in block.texts("children") {
                grants.listing.entry(child).or_default().push(at);
            }
        }
        Ok(grants)
    }

    fn add(&mut self, item: Item) {
        match item.kind.as_str() {
            Item::STRUCTURE => {
                if let Some(block) = self.blocks.last_mut() {
                    block.structure = Some(item);
                }
            }
            Item::GRANT if item.source_id.is_empty() => self.defaults.push(item),
            Item::GRANT => self.lines.entry(item.source_id.clone()).or_default().push(item),
            kind if BlockType::named(kind).is_some() => self.blocks.push(Placed { item, structure: None }),
            _ => {}
        }
    }

    fn access(&self, block: &Placed) -> BlockAccess {
        BlockAccess {
            block_id: block.item.source_id.clone(),
            block_type: block.item.kind.clone(),
            file_rel_path: block.item.file_rel_path.to_string(),
            line: block.item.head_lines().start,
            clauses: block.item.audience.clauses().to_vec(),
            grants: self.grants_of(block),
        }
    }

    /// Its own and those of everything around it, up to a block whose grant replaces the rest.
    fn grants_of(&self, block: &Placed) -> Vec<GrantShown> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open = vec![block];
        while let Some(block) = open.pop().filter(|_| seen.len() < MAX_AROUND) {
            let id = &block.item.source_id;
            if !seen.insert((block.item.file_rel_path.clone(), block.item.order)) {
                continue;
            }
            let own = self.own_grants(block);
            let may_replace = BlockType::named(&block.item.kind).is_some_and(BlockType::may_be_shared_wider);
            let replaces = may_replace && own.iter().any(|grant| grant.mode == Item::REPLACE);
            let around = if replaces { Vec::new() } else { self.around(block) };
            if around.is_empty() && own.is_empty() {
                found.extend(self.defaults_for(id));
            }
            found.extend(own);
            open.extend(around.into_iter().rev());
        }
        found
    }

    fn own_grants(&self, block: &Placed) -> Vec<GrantShown> {
        let lines = self.lines.get(&block.item.source_id).into_iter().flatten();
        let items = block.structure.iter().chain(lines);
        let grants = items.flat_map(|item| {
            let fields =
                item.fields.iter().filter(|field| [Item::NARROW, Item::REPLACE].contains(&field.name.as_str()));
            fields.map(|field| shown(item, field, &block.item.source_id)).collect::<Vec<_>>()
        });
        grants.collect()
    }

    /// The blocks that it names as its parent, and those that list it.
    fn around(&self, block: &Placed) -> Vec<&Placed> {
        let named = block.texts("parent").into_iter().flat_map(|id| self.by_id.get(&id).cloned().unwrap_or_default());
        let listing = self.listing.get(&block.item.source_id).into_iter().flatten().copied();
        let numbers: BTreeSet<usize> = named.chain(listing).collect();
        numbers.into_iter().map(|at| &self.blocks[at]).collect()
    }

    fn defaults_for(&self, id: &str) -> Vec<GrantShown> {
        if self.defaults.is_empty() {
            let read = self.default_read.clone();
            return vec![GrantShown { mode: Item::DEFAULT.into(), of: id.into(), read, file_rel_path: None, line: 0 }];
        }
        self.defaults.iter().flat_map(|item| item.fields.iter().map(|field| shown(item, field, id))).collect()
    }
}

fn shown(item: &Item, field: &Field, of: &str) -> GrantShown {
    GrantShown {
        mode: field.name.clone(),
        of: of.to_string(),
        read: field.texts(),
        file_rel_path: Some(item.file_rel_path.to_string()),
        line: item.head_lines().start,
    }
}

impl Placed {
    fn texts(&self, field: &str) -> Vec<String> {
        self.structure.as_ref().map(|structure| structure.texts(field)).unwrap_or_default()
    }
}
