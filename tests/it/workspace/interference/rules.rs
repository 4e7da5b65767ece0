//! Who may read what, once more: the rules of the contract, written without the code that they judge.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::forest::{Block, Forest, Grant};

/// Who asks.
#[derive(Clone, Debug)]
pub struct Person {
    pub user: String,
    pub teams: Vec<String>,
    pub workspace: Option<String>,
}

/// The types that may be shared with more people than what is around them.
const WIDER: [&str; 5] = ["page", "database", "db_row", "kanban_board", "kanban_card"];
/// The kinds of columns whose values say what other rows are or say.
const OF_OTHERS: [&str; 3] = ["relation", "rollup", "formula"];

impl Person {
    /// As members.jsonl lists them.
    pub fn line(&self) -> Value {
        json!({ "user": self.user, "teams": self.teams, "workspaces": self.workspace.iter().collect::<Vec<_>>() })
    }

    pub fn principals(&self) -> BTreeSet<String> {
        let teams = self.teams.iter().map(|team| format!("team:{team}"));
        let workspace = self.workspace.iter().map(|workspace| format!("workspace:{workspace}"));
        ["public".to_string(), format!("user:{}", self.user)].into_iter().chain(teams).chain(workspace).collect()
    }
}

/// Of each block whether somebody may read it.
pub fn readable(forest: &Forest, person: &Person) -> Vec<bool> {
    let principals = person.principals();
    (0..forest.blocks.len()).map(|at| may_read(forest, at, &principals)).collect()
}

/// There is a grant, and each admits. Grants are those of the block and of all around it, up to those that replace.
/// Forests that are generated have no loops.
fn may_read(forest: &Forest, block: usize, principals: &BTreeSet<String>) -> bool {
    let admits = |read: &[String]| read.iter().any(|principal| principals.contains(principal));
    let (mut open, mut seen, mut count) = (vec![block], BTreeSet::new(), 0);
    while let Some(at) = open.pop() {
        let block = &forest.blocks[at];
        let own = grants(forest, block);
        count += own.len();
        if !own.iter().all(|grant| admits(&grant.read)) {
            return false;
        }
        let parents = parents(forest, block);
        // Nobody may read what names a parent that is not there.
        if parents.as_ref().is_some_and(Vec::is_empty) {
            return false;
        }
        if own.iter().any(|grant| grant.replaces) && WIDER.contains(&block.kind) {
            continue;
        }
        match parents {
            None if own.is_empty() => {
                count += 1;
                if !admits(&forest.default_read) {
                    return false;
                }
            }
            None => {}
            Some(parents) => open.extend(parents.into_iter().filter(|parent| seen.insert(*parent))),
        }
    }
    count > 0
}

fn grants<'f>(forest: &'f Forest, block: &'f Block) -> Vec<&'f Grant> {
    let lines = forest.rights.iter().filter(|right| right.block == block.id).map(|right| &right.grant);
    block.grant.iter().chain(lines).collect()
}

/// The blocks that it names as its parent; None if it names none. An id names the block of its own file, or else all.
fn parents(forest: &Forest, block: &Block) -> Option<Vec<usize>> {
    let id = block.parent.as_ref()?;
    let all: Vec<usize> = forest.with_id(id).collect();
    let own: Vec<usize> = all.iter().copied().filter(|at| forest.blocks[*at].file == block.file).collect();
    Some(if own.is_empty() { all } else { own })
}

/// What somebody may read, as a workspace of its own, in which everybody may read everything.
pub fn restrict(forest: &Forest, person: &Person) -> Forest {
    let may_read = readable(forest, person);
    let is_left = |id: &String| forest.with_id(id).any(|at| may_read[at]);
    let left = (0..forest.blocks.len()).filter(|at| may_read[*at]);
    let of_user = |user: &String| *user == person.user;
    Forest {
        blocks: left.map(|at| restricted(forest, &forest.blocks[at], &may_read)).collect(),
        rights: Vec::new(),
        default_read: vec!["public".to_string()],
        links: forest.links.iter().filter(|(from, to, _)| is_left(from) && is_left(to)).cloned().collect(),
        activity: forest.activity.iter().filter(|it| of_user(&it.user) && is_left(&it.block)).cloned().collect(),
        members: forest.members.iter().filter(|member| of_user(&member.user)).cloned().collect(),
    }
}

/// A block without what its structured fields say of blocks that are not left.
fn restricted(forest: &Forest, block: &Block, may_read: &[bool]) -> Block {
    let is_left = |id: &str| forest.with_id(id).any(|at| may_read[at]);
    let parents = parents(forest, block).unwrap_or_default();
    let mut kept = block.clone();
    kept.grant = None;
    kept.parent = block.parent.clone().filter(|_| parents.iter().any(|at| may_read[*at]));
    kept.references.retain(|id| is_left(id));
    kept.relations.values_mut().for_each(|ids| ids.retain(|id| is_left(id)));
    kept.relations.retain(|_, ids| !ids.is_empty());
    let database = block.database.clone().or_else(|| block.parent.clone()).unwrap_or_default();
    let is_labelled = is_left(&database);
    kept.database = block.database.clone().filter(|id| is_left(id));
    // Only the database knows which values are ids of other rows, and which are sums over them.
    kept.values.retain(|_, _| is_labelled);
    for (column, _, kind) in forest.with_id(&database).flat_map(|at| &forest.blocks[at].columns) {
        match kept.values.get_mut(column) {
            Some(Value::Array(ids)) if *kind == "relation" => ids.retain(|id| id.as_str().is_some_and(is_left)),
            Some(Value::String(id)) if *kind == "relation" && is_left(id) => {}
            Some(_) if OF_OTHERS.contains(kind) => drop(kept.values.remove(column)),
            _ => {}
        }
    }
    kept
}
