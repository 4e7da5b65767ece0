//! Changes of what somebody may not read. None of them may change what that person gets.

use std::collections::BTreeSet;

use super::forest::{Block, FILES, Forest, Grant};
use super::generate::{Generator, TITLES, USERS, canary};
use super::rules::{Person, readable};

/// What a mutation may look at.
pub struct Scene<'s> {
    pub forest: &'s Forest,
    pub person: &'s Person,
    pub may_read: &'s [bool],
    /// The id of a block that requests point at.
    pub focus: &'s str,
    /// The words of the queries.
    pub words: &'s str,
}

type Mutation = fn(&Scene, &mut Generator, &mut Forest);

/// By the names that failures print.
pub const ALL: [(&str, Mutation); 12] = [
    ("hidden texts and columns edited", edit),
    ("hidden texts stuffed with the query", stuff),
    ("a hidden subtree deleted", delete),
    ("hidden blocks renamed to visible titles", rename),
    ("hidden blocks linked with the focus", link),
    ("hidden dates, tasks and people changed", change_tasks),
    ("hidden siblings inserted", insert_siblings),
    ("visible texts copied into hidden blocks", copy_texts),
    ("visible ids taken in other files", take_ids),
    ("what others did", act),
    ("many more hidden blocks", multiply),
    ("other hidden readers", regrant),
];

impl Scene<'_> {
    /// The numbers of what is hidden, or of what is not.
    fn numbers(&self, is_visible: bool) -> Vec<usize> {
        (0..self.may_read.len()).filter(|at| self.may_read[*at] == is_visible).collect()
    }

    fn hidden<'f>(&self, forest: &'f mut Forest) -> impl Iterator<Item = &'f mut Block> {
        let may_read = self.may_read.to_vec();
        forest.blocks.iter_mut().enumerate().filter(move |(at, _)| !may_read[*at]).map(|(_, block)| block)
    }

    fn visible(&self, generator: &mut Generator) -> &Block {
        &self.forest.blocks[generator.pick(&self.numbers(true))]
    }
}

/// A grant that does not admit the person, whatever is around it.
fn closed() -> Option<Grant> {
    Some(Grant { read: Vec::new(), replaces: false })
}

fn edit(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    for block in scene.hidden(forest) {
        block.text = Some(generator.text());
        block.priority = Some(generator.word());
        block.columns.iter_mut().for_each(|(_, name, kind)| {
            *name = generator.word();
            *kind = generator.pick(&["text", "relation", "rollup", "date", "formula"]);
        });
        block.values.values_mut().for_each(|value| *value = generator.word().into());
    }
}

fn stuff(scene: &Scene, _: &mut Generator, forest: &mut Forest) {
    let stuffing = format!("{} ", scene.words).repeat(100);
    scene.hidden(forest).for_each(|block| block.text = Some(stuffing.clone()));
}

/// Without what is below it only if nothing of that is readable: what has lost its parent is for nobody.
fn delete(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    let below = |at: usize| {
        let mut found = BTreeSet::from([at]);
        let mut open = vec![at];
        while let Some(around) = open.pop() {
            let id = &scene.forest.blocks[around].id;
            let inside =
                (0..scene.forest.blocks.len()).filter(|at| scene.forest.blocks[*at].parent.as_ref() == Some(id));
            open.extend(inside.filter(|at| found.insert(*at)));
        }
        found
    };
    let is_hidden = |found: &BTreeSet<usize>| found.iter().all(|at| !scene.may_read[*at]);
    let subtrees: Vec<BTreeSet<usize>> = scene.numbers(false).into_iter().map(below).filter(is_hidden).collect();
    if let Some(subtree) = subtrees.get(generator.random.below(subtrees.len())) {
        let mut at = 0..;
        forest.blocks.retain(|_| at.next().is_some_and(|at| !subtree.contains(&at)));
    }
}

fn rename(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    for block in scene.hidden(forest) {
        let title = scene.visible(generator).title.clone();
        block.title = title.or_else(|| Some(generator.pick(&TITLES).to_string()));
        block.aliases = vec![generator.pick(&TITLES).to_string()];
    }
}

fn link(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    let title = scene.visible(generator).title.clone().unwrap_or_else(|| "Launch".to_string());
    let ids: Vec<String> = scene.hidden(forest).map(|block| block.id.clone()).collect();
    for block in scene.hidden(forest) {
        let visible = scene.visible(generator).id.clone();
        block.references = vec![scene.focus.to_string(), visible.clone()];
        block.relations.insert("Customer".to_string(), vec![scene.focus.to_string(), visible]);
        block.text = Some(format!("[[{title}]] [[{title}^{}]]", scene.focus));
    }
    for id in ids {
        let label = generator.pick(&["spec", "meeting"]).to_string();
        forest.links.push((id.clone(), scene.focus.to_string(), label.clone()));
        forest.links.push((scene.focus.to_string(), id, label));
    }
}

fn change_tasks(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    for block in scene.hidden(forest) {
        block.due = Some(generator.date(20));
        block.updated = Some(generator.date(20));
        block.done = Some(generator.random.is_one_of(500));
        block.assignees = vec![scene.person.user.clone()];
        block.created_by = Some(scene.person.user.clone());
        block.holds_done = !block.holds_done;
        block.is_archived = !block.is_archived;
    }
}

/// Before, between and behind visible ones, by their orders or by their lines.
fn insert_siblings(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    for number in 0..scene.numbers(true).len() {
        let visible = scene.visible(generator).clone();
        let kind = if generator.random.is_one_of(500) { visible.kind } else { "text" };
        let block = Block {
            id: format!("sibling-{}", canary(number)),
            kind,
            order: visible.order.map(|order| order + generator.random.below(1000) as u64),
            text: Some(format!("{} {}", generator.text(), canary(1000 + number))),
            grant: closed(),
            ..visible.clone()
        };
        let at = forest.blocks.iter().position(|block| block.id == visible.id).unwrap_or_default();
        forest.blocks.insert(at + generator.random.below(2), block);
    }
    forest.blocks.sort_by_key(|block| block.file);
}

fn copy_texts(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    for block in scene.hidden(forest) {
        let visible = scene.visible(generator);
        (block.text, block.title) = (visible.text.clone(), visible.title.clone());
        (block.tags, block.updated) = (visible.tags.clone(), visible.updated.clone());
    }
}

/// In a file before all others and in one behind them. A parent in another file would be two blocks for permissions.
fn take_ids(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    let is_parent_elsewhere = |block: &Block| {
        let children = forest.blocks.iter().filter(|child| child.parent.as_ref() == Some(&block.id));
        children.into_iter().any(|child| child.file != block.file)
    };
    let visible = scene.numbers(true).into_iter().map(|at| &scene.forest.blocks[at]);
    let taken: Vec<Block> = visible.filter(|block| !is_parent_elsewhere(block)).cloned().collect();
    for file in [0, FILES.len() - 1] {
        for block in &taken {
            let text = Some(format!("{} {}", generator.text(), canary(2000 + file)));
            forest.blocks.push(Block { file, parent: None, text, grant: closed(), ..block.clone() });
        }
    }
    forest.blocks.sort_by_key(|block| block.file);
}

fn act(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    for _ in 0..200 {
        let mut line = generator.activity(forest);
        let is_hidden = readable_id(scene, &line.block).is_none();
        if !is_hidden && line.user == scene.person.user {
            line.user =
                generator.pick(&USERS.map(|user| if user == scene.person.user { "5" } else { user })).to_string();
        }
        let at = generator.random.below(forest.activity.len() + 1);
        forest.activity.insert(at, line);
    }
}

fn readable_id(scene: &Scene, id: &str) -> Option<usize> {
    scene.forest.with_id(id).find(|at| scene.may_read[*at])
}

/// Most of them in files of their own, some among others.
fn multiply(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    let count = if generator.random.is_one_of(125) { 5000 } else { 300 };
    let hidden = scene.numbers(false);
    for number in 0..count {
        let pattern = &scene.forest.blocks[generator.pick(&hidden)];
        let is_beside = generator.random.is_one_of(300);
        let block = Block {
            file: if is_beside { pattern.file } else { generator.pick(&[0, FILES.len() - 1]) },
            id: format!("more-{number}"),
            parent: pattern.parent.clone().filter(|_| is_beside),
            text: Some(generator.text()),
            title: Some(generator.pick(&TITLES).to_string()),
            grant: closed(),
            ..pattern.clone()
        };
        forest.blocks.push(block);
    }
    forest.blocks.sort_by_key(|block| block.file);
}

/// New readers as long as the person is not among them, and what was readable stays so. Others are in other teams.
fn regrant(scene: &Scene, generator: &mut Generator, forest: &mut Forest) {
    if !forest.members.is_empty() {
        forest.members = generator.members(scene.person);
    }
    for at in scene.numbers(false) {
        let mut other = forest.clone();
        other.blocks[at].grant = Some(generator.grant());
        if readable(&other, scene.person) == scene.may_read {
            *forest = other;
        }
    }
}
