//! Random forests: small vocabularies, so that what is hidden and what is not collide in every way.

use std::collections::BTreeMap;

use serde_json::json;

use super::forest::{Activity, Block, Forest, Grant, OWN_FILES, Right};
use super::rules::{Person, readable};
use crate::workspace::workspace_data::Random;

pub const WORDS: [&str; 30] = [
    "amber", "basalt", "cobalt", "denim", "ebony", "flint", "garnet", "hazel", "indigo", "jasmin", "kelp", "linden",
    "marble", "nickel", "onyx", "pearl", "quartz", "ruby", "slate", "topaz", "umber", "velvet", "walnut", "xenon",
    "yarrow", "zircon", "invoice", "launch", "budget", "harbor",
];
pub const TITLES: [&str; 12] = [
    "Harbor plan",
    "Launch",
    "Budget 2025",
    "Slate",
    "Weekly notes",
    "Ruby and Onyx",
    "To do",
    "Customers",
    "Invoices",
    "Flint",
    "Harbor",
    "Old plan",
];
pub const USERS: [&str; 4] = ["1", "2", "3", "4"];
pub const TEAMS: [&str; 3] = ["ops", "sales", "law"];
pub const NOW: &str = "2025-06-10T09:00:00Z";
const ACTIONS: [&str; 4] = ["edit", "view", "create", "comment"];

pub struct Generator {
    pub random: Random,
    count: usize,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // Most forests are small, so that there are many of them.
        let count = if random.is_one_of(100) { 60 + random.below(141) } else { 20 + random.below(60) };
        Generator { random, count }
    }

    pub fn person(&mut self) -> Person {
        let user = self.pick(&USERS);
        self.person_called(user)
    }

    pub fn person_called(&mut self, user: &str) -> Person {
        let teams = TEAMS.iter().filter(|_| self.random.is_one_of(400)).map(|team| team.to_string()).collect();
        let workspace = self.random.is_one_of(800).then(|| "w".to_string());
        Person { user: user.to_string(), teams, workspace }
    }

    /// Everybody, the person as they are.
    pub fn members(&mut self, person: &Person) -> Vec<Person> {
        let member = |user: &&str| if *user == person.user { person.clone() } else { self.person_called(user) };
        USERS.iter().map(member).collect()
    }

    /// A forest of which the person may read some, and not all.
    pub fn forest(&mut self, person: &Person) -> Forest {
        loop {
            let mut forest = self.unmarked();
            let may_read = readable(&forest, person);
            let visible = may_read.iter().filter(|is| **is).count();
            if 3 <= visible && visible + 3 <= may_read.len() {
                self.mark(&mut forest, &may_read);
                forest.members = self.sometimes(300, |own| own.members(person)).unwrap_or_default();
                return forest;
            }
        }
    }

    fn unmarked(&mut self) -> Forest {
        let mut forest = Forest { default_read: self.default_read(), ..Forest::default() };
        let has_order = self.random.is_one_of(500);
        for at in 0..self.count {
            let mut block = self.block(at, &forest.blocks);
            block.order = (has_order || self.random.is_one_of(100)).then(|| 1000 * self.random.below(20) as u64);
            forest.blocks.push(block);
        }
        for at in 0..self.count {
            self.relate(&mut forest, at);
        }
        forest.rights = (0..self.count / 20).map(|_| self.right(&forest)).collect();
        forest.activity = (0..self.count).map(|_| self.activity(&forest)).collect();
        let links = 0..self.random.below(4);
        forest.links =
            links.map(|_| (self.id(&forest), self.id(&forest), self.pick(&["spec", "meeting"]).into())).collect();
        // Files are read in the order of their paths.
        forest.blocks.sort_by_key(|block| block.file);
        forest
    }

    fn default_read(&mut self) -> Vec<String> {
        let all: [&[&str]; 4] =
            [&["workspace:w"], &["public"], &["workspace:w", "user:1"], &["user:1", "user:2", "team:ops"]];
        self.pick(&all).iter().map(|one| one.to_string()).collect()
    }

    fn block(&mut self, at: usize, before: &[Block]) -> Block {
        let around = (!before.is_empty() && !self.random.is_one_of(60)).then(|| self.random.below(before.len()));
        let parent = around.map(|at| &before[at]);
        let kind = self.kind(parent.map(|parent| parent.kind));
        let near = parent.map_or_else(|| self.file(), |parent| parent.file);
        let mut block = Block {
            file: if self.random.is_one_of(150) { self.file() } else { near },
            id: format!("{}{at}", &kind[..1]),
            kind,
            parent: parent.map(|parent| parent.id.clone()),
            created_by: self.sometimes(300, |own| own.pick(&USERS).to_string()),
            updated: self.sometimes(800, |own| own.date(40)),
            is_archived: self.random.is_one_of(30),
            is_template: self.random.is_one_of(20),
            grant: self.sometimes(180, Self::grant),
            ..Block::default()
        };
        if self.random.is_one_of(8) {
            block.parent = Some("never-there".to_string());
        }
        self.say(&mut block, parent);
        block
    }

    /// What fits into a block of a type, for the most part.
    fn kind(&mut self, parent: Option<&str>) -> &'static str {
        match parent {
            None => self.pick(&["page", "page", "kanban_board", "database"]),
            _ if self.random.is_one_of(100) => {
                self.pick(&["text", "page", "db_row", "todo", "image", "embed", "ai_block"])
            }
            Some("kanban_board") => self.pick(&["kanban_column", "kanban_column", "kanban_swimlane"]),
            Some("kanban_column" | "kanban_swimlane") => "kanban_card",
            Some("database") => "db_row",
            Some("list") => "list_item",
            Some("page") => self.pick(&[
                "page",
                "page",
                "text",
                "text",
                "heading",
                "todo",
                "todo",
                "list",
                "quote",
                "code",
                "kanban_board",
                "database",
                "row",
                "divider",
            ]),
            Some("row") => "column",
            Some("kanban_card" | "db_row") => self.pick(&["todo", "text"]),
            Some(_) => self.pick(&["text", "todo", "list_item"]),
        }
    }

    fn say(&mut self, block: &mut Block, parent: Option<&Block>) {
        let has_title = matches!(
            block.kind,
            "page" | "database" | "db_row" | "kanban_board" | "kanban_column" | "kanban_swimlane" | "kanban_card"
        );
        block.title = if has_title { self.sometimes(900, |own| own.pick(&TITLES).to_string()) } else { None };
        block.text = self.sometimes(if has_title { 300 } else { 950 }, Self::text);
        if has_title {
            block.aliases = self.sometimes(60, |own| own.pick(&TITLES).to_string()).into_iter().collect();
        }
        match block.kind {
            "todo" | "kanban_card" => self.make_task(block),
            "kanban_column" => block.holds_done = self.random.is_one_of(300),
            "database" => block.columns = self.columns(),
            "db_row" => self.fill_row(block, parent),
            _ => {}
        }
    }

    fn make_task(&mut self, block: &mut Block) {
        block.due = self.sometimes(600, |own| own.date(20));
        block.done = self.sometimes(600, |own| own.random.is_one_of(400));
        block.priority = self.sometimes(300, |own| own.pick(&["high", "low", "critical"]).to_string());
        block.assignees = self.sometimes(500, |own| own.pick(&USERS).to_string()).into_iter().collect();
        block.tags = self.sometimes(200, |own| own.pick(&WORDS).to_string()).into_iter().collect();
    }

    fn columns(&mut self) -> Vec<(String, String, &'static str)> {
        let due = if self.random.is_one_of(400) { "Due date" } else { "Began" };
        let all = [
            ("p1", "Name", "text"),
            ("p2", due, "date"),
            ("p3", "Status", "text"),
            ("p4", "Customer", "relation"),
            ("p5", "Sum", "rollup"),
            ("p6", "Cost", "number"),
        ];
        all.iter().map(|(id, name, kind)| (id.to_string(), name.to_string(), *kind)).collect()
    }

    fn fill_row(&mut self, block: &mut Block, parent: Option<&Block>) {
        let is_below = parent.is_some_and(|parent| parent.kind == "database");
        block.database = parent.filter(|_| is_below && self.random.is_one_of(500)).map(|parent| parent.id.clone());
        if self.random.is_one_of(300) {
            block.named = BTreeMap::from([(self.pick(&["Cost", "Phase", "Sum"]).to_string(), self.word())]);
            return;
        }
        block.title = block.title.take().filter(|_| self.random.is_one_of(300));
        let status = self.pick(&["done", "open", "doing"]);
        let all = [
            ("p1", json!(self.pick(&TITLES))),
            ("p2", json!(self.date(20))),
            ("p3", json!(status)),
            ("p5", json!(self.random.below(1000))),
            ("p6", json!(self.random.below(100))),
        ];
        let values = all.into_iter().filter(|_| self.random.is_one_of(800));
        block.values = values.map(|(id, value)| (id.to_string(), value)).collect();
    }

    /// Relations, links and words in texts that lead to other blocks.
    fn relate(&mut self, forest: &mut Forest, at: usize) {
        if forest.blocks[at].kind == "db_row" && self.random.is_one_of(700) {
            let ids: Vec<String> = (0..1 + self.random.below(3)).map(|_| self.id(forest)).collect();
            let block = &mut forest.blocks[at];
            match self.random.below(3) {
                0 => drop(block.relations.insert("Customer".to_string(), ids)),
                1 => drop(block.values.insert("p4".to_string(), json!(ids[0]))),
                _ => drop(block.values.insert("p4".to_string(), json!(ids))),
            }
        }
        if self.random.is_one_of(60) {
            let id = self.id(forest);
            forest.blocks[at].references.push(id);
        }
    }

    fn right(&mut self, forest: &Forest) -> Right {
        Right { block: self.id(forest), grant: self.grant() }
    }

    pub fn activity(&mut self, forest: &Forest) -> Activity {
        let at = self.date(12);
        Activity { user: self.pick(&USERS).to_string(), block: self.id(forest), action: self.pick(&ACTIONS), at }
    }

    pub fn grant(&mut self) -> Grant {
        let users = USERS.map(|user| format!("user:{user}"));
        let teams = TEAMS.map(|team| format!("team:{team}"));
        let all = [&users[..], &teams, &["workspace:w".to_string(), "public".to_string()]].concat();
        let count = if self.random.is_one_of(60) { 0 } else { 1 + self.random.below(3) };
        let read = (0..count).map(|_| all[self.random.below(all.len())].clone()).collect();
        Grant { read, replaces: self.random.is_one_of(400) }
    }

    /// Puts a word that stands nowhere else into everything that the person may not read. Half of the titles stay what
    /// others have, too.
    fn mark(&mut self, forest: &mut Forest, may_read: &[bool]) {
        let mut renamed = BTreeMap::new();
        for (at, block) in forest.blocks.iter_mut().enumerate().filter(|(at, _)| !may_read[*at]) {
            let canary = canary(at);
            let id = format!("{canary}-{}", block.id);
            renamed.insert(std::mem::replace(&mut block.id, id.clone()), id);
            self.mark_block(block, &canary);
        }
        forest.rename(&renamed);
        for at in 0..forest.blocks.len() {
            self.link_in_text(forest, at, may_read);
        }
    }

    fn mark_block(&mut self, block: &mut Block, canary: &str) {
        let marked = |text: &str| format!("{text} {canary}");
        block.text = block.text.take().map(|text| marked(&text));
        block.tags.push(canary.to_string());
        block.aliases.push(marked("Alias"));
        if self.random.is_one_of(500) {
            block.title = block.title.take().map(|title| marked(&title));
        }
        block.columns.iter_mut().for_each(|(_, name, _)| *name = marked(name));
        let texts = block.values.values_mut().filter(|value| value.is_string());
        texts.for_each(|value| *value = json!(marked(value.as_str().unwrap_or_default())));
        block.named = block.named.iter().map(|(name, value)| (marked(name), marked(value))).collect();
        block.relations =
            std::mem::take(&mut block.relations).into_iter().map(|(name, ids)| (marked(&name), ids)).collect();
    }

    /// What an author wrote into a text stays there, so that a readable one never names the id of a hidden block.
    fn link_in_text(&mut self, forest: &mut Forest, at: usize, may_read: &[bool]) {
        if forest.blocks[at].text.is_none() || !self.random.is_one_of(250) {
            return;
        }
        let to = self.random.below(forest.blocks.len());
        let title = self.pick(&TITLES);
        let link = match self.random.below(4) {
            0 if may_read[to] || !may_read[at] => format!("[[{title}^{}]]", forest.blocks[to].id),
            1 => format!("[[{title}#Part|so]]"),
            _ => format!("[[{title}]]"),
        };
        let block = &mut forest.blocks[at];
        block.text = block.text.take().map(|text| format!("{text} {link}"));
    }

    fn id(&mut self, forest: &Forest) -> String {
        forest.blocks[self.random.below(forest.blocks.len())].id.clone()
    }

    pub fn text(&mut self) -> String {
        let words: Vec<String> = (0..2 + self.random.below(9)).map(|_| self.word()).collect();
        words.join(" ")
    }

    pub fn word(&mut self) -> String {
        self.pick(&WORDS).to_string()
    }

    /// So many days before or after `now`, and so many seconds.
    pub fn date(&mut self, days: usize) -> String {
        let day = self.random.below(2 * days) as i64 - days as i64 + 10;
        let (month, day) = match day {
            ..=0 => (5, (31 + day).max(1)),
            1..=30 => (6, day),
            _ => (7, (day - 30).min(31)),
        };
        let day = format!("2025-{month:02}-{day:02}");
        if self.random.is_one_of(300) {
            day
        } else {
            format!("{day}T{:02}:{:02}:00Z", self.random.below(24), self.random.below(60))
        }
    }

    fn file(&mut self) -> usize {
        self.random.between(*OWN_FILES.start(), *OWN_FILES.end())
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len())]
    }

    pub fn sometimes<T>(&mut self, per_thousand: usize, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.random.is_one_of(per_thousand).then(|| make(self))
    }
}

/// A word that stands in one block and nowhere else.
pub fn canary(at: usize) -> String {
    format!("canary{at}x")
}

impl Forest {
    /// Gives blocks other ids, wherever they are named.
    pub fn rename(&mut self, ids: &BTreeMap<String, String>) {
        let new = |id: &mut String| ids.get(id).into_iter().for_each(|other| id.clone_from(other));
        for block in &mut self.blocks {
            block.parent.iter_mut().chain(&mut block.database).for_each(new);
            block.references.iter_mut().chain(block.relations.values_mut().flatten()).for_each(new);
            for value in block.values.values_mut() {
                let of = |text: &str| ids.get(text).map_or(text, String::as_str).to_string();
                *value = match &*value {
                    serde_json::Value::String(text) => json!(of(text)),
                    serde_json::Value::Array(all) => {
                        all.iter().map(|one| json!(of(one.as_str().unwrap_or_default()))).collect()
                    }
                    other => other.clone(),
                };
            }
        }
        self.rights.iter_mut().for_each(|right| new(&mut right.block));
        self.activity.iter_mut().for_each(|line| new(&mut line.block));
        self.links.iter_mut().for_each(|(from, to, _)| [from, to].into_iter().for_each(new));
    }
}
