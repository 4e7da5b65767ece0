//! What people ask of a generated workspace: each question once, or again and again as sessions do.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Random;
use super::vocabulary::Zipf;
use super::world::{Generated, NOW, User, WORKSPACE};

const TYPES: [&str; 4] = ["assist", "chat", "search", "automate"];
/// Questions of a replay, the people who ask them, and how long each stays with one.
const ASKED: usize = 300;
const ASKERS: usize = 20;
const SESSION: usize = 5;
const BUDGETS: [u32; SESSION] = [4_000, 2_000, 4_000, 8_000, 1_000];

/// A question that nobody asks yet.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub request_type: &'static str,
    pub focus: Option<(&'static str, String)>,
}

/// So many requests of all types by all users, none twice.
pub fn questions(world: &Generated, count: usize, random: &mut Random) -> Vec<Value> {
    let (mut known, mut all) = (BTreeSet::new(), Vec::with_capacity(count));
    while all.len() < count {
        let user = &world.users[all.len() % world.users.len()];
        let request = request(&Question::new(world, all.len(), random), user);
        if known.insert(request.to_string()) {
            all.push(request);
        }
    }
    all
}

/// Requests as sessions make them, and how many searches they need that no request before them needed. In a session
/// the budget and the conversation change, and once the focus.
pub fn replay(world: &Generated, count: usize, random: &mut Random) -> (Vec<Value>, usize) {
    let asked: Vec<Question> = (0..ASKED).map(|number| Question::new(world, number, random)).collect();
    let zipf = Zipf::new(ASKED);
    let (mut keys, mut all) = (BTreeSet::new(), Vec::with_capacity(count));
    while all.len() < count {
        let user = &world.users[random.below(ASKERS)];
        let mut question = asked[zipf.pick(random)].clone();
        let moved = 1 + random.below(SESSION - 1);
        let mut said = Vec::new();
        for (step, total) in BUDGETS.into_iter().enumerate().take(count - all.len()) {
            if step == moved {
                question.focus = Some(("blockId", part(world, random)));
            }
            let mut request = request(&question, user);
            keys.insert((
                request["user"].to_string(),
                request["query"].to_string(),
                question.request_type,
                question.focus.clone(),
            ));
            request["tokenBudget"] = json!({ "total": total });
            request["conversationHistory"] = Value::Array(said.clone());
            said.push(json!({ "role": "user", "content": question.text }));
            said.push(json!({ "role": "assistant", "content": format!("Here is what I found, {step}.") }));
            all.push(request);
        }
    }
    (all, keys.len())
}

fn request(question: &Question, user: &User) -> Value {
    let mut request = json!({
        "query": question.text,
        "type": question.request_type,
        "now": NOW,
        "user": { "id": user.id, "teamIds": user.teams, "workspaceId": WORKSPACE },
    });
    if let Some((key, id)) = &question.focus {
        request["focus"] = json!({ *key: id });
    }
    request
}

impl Question {
    /// Of one of eight kinds, in turn.
    fn new(world: &Generated, number: usize, random: &mut Random) -> Self {
        let topic = world.vocabulary.topic(random);
        let words = |random: &mut Random, count| -> String {
            let words: Vec<&str> = (0..count).map(|_| world.vocabulary.word_of_topic(random, topic)).collect();
            words.join(" ")
        };
        let page = &world.pages[random.below(world.pages.len())];
        let (text, focus) = match number % 8 {
            0 => (format!("What do we know about {}?", words(random, 3)), None),
            1 => (format!("What {} tasks are overdue?", words(random, 1)), None),
            2 => (format!("my open tasks about {}", words(random, 2)), None),
            3 => ("Summarize this page".to_string(), Some(("pageId", page.id.clone()))),
            4 => (
                "Break this task into subtasks".to_string(),
                Some(("blockId", format!("c{}", random.below(cards(world))))),
            ),
            5 => {
                (format!("which of them are about {}", words(random, 2)), Some(("databaseId", database(world, random))))
            }
            6 => {
                (format!("what is connected with this and {}", words(random, 1)), Some(("blockId", row(world, random))))
            }
            _ => (format!("{} due this week", words(random, 2)), Some(("pageId", page.id.clone()))),
        };
        // Every kind is asked in every type.
        Question { text, request_type: TYPES[(number + number / 8) % TYPES.len()], focus }
    }
}

fn cards(world: &Generated) -> usize {
    world.boards.last().map_or(1, |board| board.cards.end)
}

fn database(world: &Generated, random: &mut Random) -> String {
    world.databases[random.below(world.databases.len())].id.clone()
}

fn row(world: &Generated, random: &mut Random) -> String {
    format!("r{}", random.below(world.databases.last().map_or(1, |database| database.rows.end)))
}

/// Any part of a page.
fn part(world: &Generated, random: &mut Random) -> String {
    world.lines[random.below(world.lines.len())].id.clone()
}
