//! What is asked of a forest: all types, budgets and kinds of focus, with words that the forest has.

use serde_json::{Value, json};

use super::forest::Forest;
use super::generate::{Generator, NOW, TEAMS};
use super::rules::Person;

const TYPES: [&str; 4] = ["assist", "chat", "search", "automate"];
const TOTALS: [u32; 4] = [0, 60, 400, 4000];
/// What turns a question into one about tasks, time or people.
const PHRASES: [&str; 8] = [
    "",
    "overdue",
    "what tasks are due this week",
    "my open tasks",
    "summarize",
    "done tasks",
    "archived",
    "urgent todo of today",
];

/// How many requests there are of each forest.
pub const OF_FOREST: usize = TYPES.len() * TOTALS.len() * 4;

/// All types with all budgets and all kinds of focus, in an order that is drawn by lot.
pub fn requests(generator: &mut Generator, forest: &Forest, may_read: &[bool], person: &Person) -> Vec<Value> {
    let mut all = Vec::new();
    for request_type in TYPES {
        for total in TOTALS {
            for focus in 0..4 {
                let focus = self::focus(generator, forest, may_read, focus);
                all.push(request(generator, forest, person, request_type, total, focus));
            }
        }
    }
    for at in (1..all.len()).rev() {
        all.swap(at, generator.random.below(at + 1));
    }
    all
}

/// None, a block that the person may read, one that is hidden, and one that is not there.
fn focus(generator: &mut Generator, forest: &Forest, may_read: &[bool], kind: usize) -> Value {
    match kind {
        0 => return Value::Null,
        3 => return json!({ generator.pick(&["blockId", "pageId", "databaseId"]): "never-there" }),
        _ => {}
    }
    let all: Vec<usize> = (0..may_read.len()).filter(|at| may_read[*at] == (kind == 1)).collect();
    // What has links leads somewhere.
    let linked: Vec<usize> = all.iter().copied().filter(|at| forest.blocks[*at].has_links()).collect();
    let is_linked = !linked.is_empty() && generator.random.is_one_of(500);
    let block = &forest.blocks[generator.pick(if is_linked { &linked } else { &all })];
    let key = match block.kind {
        "page" => generator.pick(&["blockId", "pageId"]),
        "database" => generator.pick(&["blockId", "databaseId"]),
        _ => "blockId",
    };
    json!({ key: block.id })
}

fn request(
    generator: &mut Generator,
    forest: &Forest,
    person: &Person,
    request_type: &str,
    total: u32,
    focus: Value,
) -> Value {
    let words: Vec<String> = (0..1 + generator.random.below(3)).map(|_| generator.word()).collect();
    let phrase = generator.pick(&PHRASES);
    let mut request = json!({
        "query": format!("{} {phrase}", words.join(" ")),
        "type": request_type,
        "now": NOW,
        "tokenBudget": { "total": total },
        "user": { "id": person.user, "teamIds": person.teams, "workspaceId": person.workspace },
        "includeExplain": generator.random.is_one_of(500),
    });
    if !focus.is_null() {
        request["focus"] = focus;
    }
    if generator.random.is_one_of(300) {
        request["hints"] = hints(generator, forest);
    }
    if generator.random.is_one_of(100) {
        request["conversationHistory"] = json!([{ "role": "user", "content": generator.text() }]);
    }
    if !forest.members.is_empty() && generator.random.is_one_of(500) {
        // The list of members fills in the rest, or refuses what it does not say.
        let teams = generator.sometimes(200, |_| TEAMS).map_or(json!([]), |teams| json!(teams));
        request["user"] = json!({ "id": person.user, "teamIds": teams });
    }
    if generator.random.is_one_of(100) {
        // The newest date of what the person may read takes its place.
        request.as_object_mut().expect("it is an object").remove("now");
    }
    request
}

/// Ids may be of hidden blocks.
fn hints(generator: &mut Generator, forest: &Forest) -> Value {
    let mut id = || forest.blocks[generator.random.below(forest.blocks.len())].id.clone();
    let (include, exclude) = (id(), id());
    match generator.random.below(4) {
        0 => json!({ "includeBlocks": [include] }),
        1 => json!({ "excludeBlocks": [exclude] }),
        2 => json!({ "prioritizeTypes": ["todo", "db_row"], "maxDepth": 1 }),
        _ => json!({ "includeBlocks": [include], "timeRange": { "start": "2025-06-01", "end": "2025-06-09" } }),
    }
}
