//! Random workspaces in which what is hidden looks like what can be read, and what they are without what is hidden. Who
//! may read what is decided here once more, by rules of its own.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::record::BlockType;

/// The same numbers on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

/// What blocks say. Titles and texts have the same words, so that hidden blocks and others collide.
pub const WORDS: [&str; 30] = [
    "invoice", "zebra", "launch", "budget", "venue", "server", "login", "report", "plan", "risk", "goal", "team",
    "sale", "price", "north", "river", "stone", "cloud", "paper", "green", "audit", "train", "glass", "night", "sugar",
    "wheel", "sound", "tower", "field", "coast",
];
pub const TITLES: [&str; 12] = [
    "Plan",
    "Launch",
    "Budget 2025",
    "Customers",
    "Risk report",
    "North team",
    "Deals",
    "Audit",
    "Goals",
    "Server",
    "Sugar price",
    "Green river",
];
const PRINCIPALS: [&str; 8] = ["public", "user:1", "user:2", "user:3", "user:4", "team:a", "team:b", "team:c"];
const TYPES: [BlockType; 24] = [
    BlockType::Page,
    BlockType::Page,
    BlockType::Page,
    BlockType::Page,
    BlockType::Text,
    BlockType::Text,
    BlockType::Text,
    BlockType::Text,
    BlockType::Heading,
    BlockType::Todo,
    BlockType::Todo,
    BlockType::Todo,
    BlockType::List,
    BlockType::ListItem,
    BlockType::ListItem,
    BlockType::KanbanBoard,
    BlockType::KanbanColumn,
    BlockType::KanbanCard,
    BlockType::KanbanCard,
    BlockType::Database,
    BlockType::DbRow,
    BlockType::DbRow,
    BlockType::Column,
    BlockType::TableRow,
];

/// A workspace.
#[derive(Clone)]
pub struct World {
    /// Parents stand before what is in them.
    pub blocks: Vec<TestBlock>,
    pub activity: Vec<(String, String, &'static str, String)>,
}

#[derive(Clone)]
pub struct TestBlock {
    pub id: String,
    pub block_type: BlockType,
    pub parent: Option<usize>,
    pub order: f64,
    /// Whether it stands in a file of its own.
    pub is_apart: bool,
    pub title: Option<String>,
    pub text: String,
    pub grant: Option<(Vec<&'static str>, bool)>,
    pub relations: Vec<String>,
    pub links: Vec<String>,
    pub updated: Option<String>,
    pub due: Option<String>,
    pub done: bool,
    pub assignee: Option<&'static str>,
    pub is_archived: bool,
    /// The value and the name of a property that only this block has.
    pub property: Option<(String, String)>,
}

impl World {
    /// 20 to 200 blocks.
    pub fn random(random: &mut Random) -> Self {
        let count = if random.one_in(4) { 20 + random.below(180) } else { 20 + random.below(40) };
        let mut world = World { blocks: Vec::new(), activity: Vec::new() };
        for at in 0..count {
            let block = world.random_block(random, at);
            world.blocks.push(block);
        }
        world.link(random);
        world.mark_hidden();
        for _ in 0..random.below(20) {
            let user = random.pick(&["1", "1", "2"]).to_string();
            let block = world.blocks[random.below(count)].id.clone();
            let action = *random.pick(&["edit", "view", "create", "comment"]);
            world.activity.push((user, block, action, date(random, 6)));
        }
        world
    }

    fn random_block(&self, random: &mut Random, at: usize) -> TestBlock {
        let block_type = *random.pick(&TYPES);
        let parent = (at > 0 && !random.one_in(8)).then(|| self.parent_for(random, block_type));
        let names = (0..1 + random.below(2)).map(|_| *random.pick(&PRINCIPALS)).collect();
        let is_page_like = block_type.may_be_shared_wider();
        let replaces = is_page_like && random.one_in(2);
        TestBlock {
            // Ids are not in the order of lines.
            id: format!("b{:03}", (at * 37 + 11) % 1000),
            block_type,
            parent,
            order: random.below(1000) as f64 + at as f64 / 1000.0,
            is_apart: false,
            title: block_title(random, block_type),
            text: sentence(random),
            grant: random.one_in(if is_page_like { 4 } else { 10 }).then_some((names, replaces)),
            relations: Vec::new(),
            links: Vec::new(),
            updated: (!random.one_in(5)).then(|| date(random, 5)),
            due: random.one_in(2).then(|| date(random, 6)),
            done: random.one_in(3),
            assignee: random.one_in(3).then(|| *random.pick(&["1", "2"])),
            is_archived: random.one_in(25),
            property: random.one_in(2).then(|| (random.pick(&WORDS).to_string(), "Size".to_string())),
        }
    }

    /// Columns are in boards, cards in columns and rows in databases, where there are such.
    fn parent_for(&self, random: &mut Random, block_type: BlockType) -> usize {
        let wanted = match block_type {
            BlockType::KanbanColumn => Some(BlockType::KanbanBoard),
            BlockType::KanbanCard => Some(BlockType::KanbanColumn),
            BlockType::DbRow => Some(BlockType::Database),
            BlockType::ListItem => Some(BlockType::List),
            _ => None,
        };
        let fits: Vec<usize> =
            (0..self.blocks.len()).filter(|at| Some(self.blocks[*at].block_type) == wanted).collect();
        if fits.is_empty() || random.one_in(5) { random.below(self.blocks.len()) } else { *random.pick(&fits) }
    }

    fn link(&mut self, random: &mut Random) {
        let ids: Vec<String> = self.blocks.iter().map(|block| block.id.clone()).collect();
        for block in &mut self.blocks {
            if block.block_type == BlockType::DbRow || random.one_in(10) {
                block.relations = (0..random.below(3)).map(|_| random.pick(&ids).clone()).collect();
            }
            if random.one_in(8) {
                block.links.push(random.pick(&ids).clone());
            }
        }
    }

    /// Whether the reader of these tests, user 1 of team a, may read each block.
    pub fn readable(&self) -> Vec<bool> {
        self.readable_to(&["public", "user:1", "team:a"])
    }

    pub fn readable_to(&self, reader: &[&str]) -> Vec<bool> {
        let mut readable: Vec<bool> = Vec::new();
        for block in &self.blocks {
            let may_read_around = block.parent.is_none_or(|parent| readable[parent]);
            readable.push(match &block.grant {
                None => may_read_around,
                Some((names, replaces)) => {
                    names.iter().any(|name| reader.contains(name)) && (*replaces || may_read_around)
                }
            });
        }
        readable
    }

    /// Every hidden block says something that must not be in any answer.
    fn mark_hidden(&mut self) {
        let readable = self.readable();
        let ids: BTreeMap<String, String> = (self.blocks.iter().zip(&readable))
            .filter(|(_, is_readable)| !**is_readable)
            .map(|(block, _)| (block.id.clone(), format!("{}canary", block.id)))
            .collect();
        let renamed = |id: &mut String| {
            if let Some(new) = ids.get(id) {
                id.clone_from(new);
            }
        };
        for (block, is_readable) in self.blocks.iter_mut().zip(readable) {
            renamed(&mut block.id);
            block.relations.iter_mut().chain(&mut block.links).for_each(renamed);
            if !is_readable {
                block.mark();
            }
        }
    }

    /// The workspace without what the reader of these tests may not see, in another order of lines.
    pub fn restricted(&self, random: &mut Random) -> World {
        let readable = self.readable();
        let ids: BTreeSet<&String> = self
            .blocks
            .iter()
            .zip(&readable)
            .filter(|(_, is_readable)| **is_readable)
            .map(|(block, _)| &block.id)
            .collect();
        let mut places = vec![None; self.blocks.len()];
        let mut blocks: Vec<TestBlock> = Vec::new();
        for (at, block) in self.blocks.iter().enumerate().filter(|(at, _)| readable[*at]) {
            places[at] = Some(blocks.len());
            let mut block = block.clone();
            // What it inherits is granted already.
            block.grant = None;
            block.parent = block.parent.and_then(|parent| places[parent]);
            block.relations.retain(|id| ids.contains(id));
            block.links.retain(|id| ids.contains(id));
            block.is_apart = random.one_in(9);
            blocks.push(block);
        }
        let own = |line: &&(String, String, &str, String)| line.0 == "1" && ids.contains(&line.1);
        World { blocks, activity: self.activity.iter().filter(own).cloned().collect() }
    }

    /// Files with all lines; blocks stand in a random order, if there is one.
    pub fn files(&self, shuffle: Option<&mut Random>) -> Vec<(&'static str, String)> {
        let mut lines: Vec<(bool, String)> =
            self.blocks.iter().map(|block| (block.is_apart, self.line(block).to_string())).collect();
        if let Some(random) = shuffle {
            for at in (1..lines.len()).rev() {
                lines.swap(at, random.below(at + 1));
            }
        }
        let text = |is_apart: bool| -> String {
            let own = lines.iter().filter(|line| line.0 == is_apart);
            own.map(|(_, line)| format!("{line}\n")).collect()
        };
        let activity: String = self.activity.iter().map(|line| format!("{}\n", activity_line(line))).collect();
        let files = [("0.jsonl", text(true)), ("activity.jsonl", activity), ("blocks.jsonl", text(false))];
        files.into_iter().filter(|(_, text)| !text.is_empty()).collect()
    }

    fn line(&self, block: &TestBlock) -> Value {
        let mut line = json!({
            "id": block.id,
            "type": block.block_type.word(),
            "order": block.order,
            "text": block.text,
            "done": block.done,
            "archived": block.is_archived,
        });
        let mut set = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                line[name] = value;
            }
        };
        set("parent", block.parent.map(|parent| json!(self.blocks[parent].id)));
        set("title", block.title.as_ref().map(|title| json!(title)));
        set("updatedAt", block.updated.as_ref().map(|date| json!(date)));
        set("due", block.due.as_ref().map(|date| json!(date)));
        set("assignees", block.assignee.map(|user| json!([user])));
        set("relations", (!block.relations.is_empty()).then(|| json!({ "Related": block.relations })));
        let links: Vec<Value> = block.links.iter().map(|id| json!({ "to": id })).collect();
        set("links", (!links.is_empty()).then(|| json!(links)));
        if let Some((names, replaces)) = &block.grant {
            set("read", Some(json!(names)));
            set("readMode", Some(json!(if *replaces { "replace" } else { "narrow" })));
        }
        match (block.block_type, &block.property) {
            (BlockType::Database, Some((_, name))) => {
                let columns = [("n", "Name", "text"), ("d", "Due", "date"), ("c", name.as_str(), "text")];
                let column = |(id, name, kind): (&str, &str, &str)| json!({ "id": id, "name": name, "type": kind });
                set("properties", Some(json!(columns.map(column))));
            }
            (BlockType::DbRow, Some((value, name))) => set("properties", Some(json!({ name.as_str(): value }))),
            (BlockType::KanbanColumn, _) => set("data", Some(json!({ "isDone": block.done }))),
            (BlockType::List, _) => set("data", Some(json!({ "ordered": block.done }))),
            _ => {}
        }
        line
    }
}

impl TestBlock {
    fn mark(&mut self) {
        let id = &self.id;
        self.text += &format!(" text{id}");
        if let Some(title) = &mut self.title {
            *title += &format!(" title{id}");
        }
        self.property = Some((format!("value{id}"), format!("name{id}")));
    }
}

fn activity_line((user, block, kind, at): &(String, String, &str, String)) -> Value {
    json!({ "user": user, "block": block, "kind": kind, "at": at })
}

fn block_title(random: &mut Random, block_type: BlockType) -> Option<String> {
    use crate::record::BlockClass::{Container, Record};
    let has_title = matches!(block_type.class(), Container | Record) && !random.one_in(10);
    has_title.then(|| random.pick(&TITLES).to_string())
}

/// Up to ten words; some are links.
pub fn sentence(random: &mut Random) -> String {
    let word = |random: &mut Random| {
        let title = random.one_in(10);
        if title { format!("[[{}]]", random.pick(&TITLES)) } else { random.pick(&WORDS).to_string() }
    };
    (0..random.below(10)).map(|_| word(random)).collect::<Vec<_>>().join(" ")
}

/// A day in 2025, in the months before one.
pub fn date(random: &mut Random, before: usize) -> String {
    let (month, day) = (1 + random.below(before), 1 + random.below(28));
    if random.one_in(2) {
        format!("2025-{month:02}-{day:02}")
    } else {
        format!("2025-{month:02}-{day:02}T{:02}:00:00Z", random.below(24))
    }
}
