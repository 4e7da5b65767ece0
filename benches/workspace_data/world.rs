//! All of a workspace: who is in it, its pages, boards and databases, who may read them, and what was done to them.

use std::fs;
use std::path::Path;

use super::Random;
use super::content::Content;
use super::line::{Done, Line, Membership, files};
use super::parts::{Board, Database, Page, boards, databases, pages};
use super::vocabulary::Vocabulary;

/// How many blocks of what. The rest are parts of pages.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub blocks: usize,
    pub pages: usize,
    pub boards: usize,
    pub cards: usize,
    pub databases: usize,
    pub rows: usize,
    pub activity: usize,
}

impl Size {
    /// That of the figures in the README.
    pub const FULL: Size = Size::of(100_000);

    /// The same shape with another number of blocks.
    pub const fn of(blocks: usize) -> Size {
        Size {
            blocks,
            pages: blocks / 40,
            boards: blocks / 4_000,
            cards: blocks / 25,
            databases: blocks / 2_500,
            rows: blocks * 2 / 25,
            activity: blocks * 3 / 5,
        }
    }
}

/// The date that ages are counted from, and that all requests name.
pub const NOW: &str = "2025-06-10T09:00:00Z";
const NOW_SECONDS: i64 = 1_749_546_000;
const DAY: i64 = 86_400;
const USERS: usize = 50;
pub const TEAMS: [&str; 8] = ["design", "finance", "law", "ops", "people", "platform", "sales", "support"];
pub const WORKSPACE: &str = "w";
const SEED: u64 = 20_250_610;

/// Somebody who works in the workspace.
#[derive(Clone, Debug)]
pub struct User {
    pub id: String,
    pub teams: Vec<String>,
}

/// A workspace, and what the generator knows of it.
pub struct Generated {
    pub users: Vec<User>,
    pub vocabulary: Vocabulary,
    pub pages: Vec<Page>,
    pub boards: Vec<Board>,
    pub databases: Vec<Database>,
    /// In the order of the files.
    pub lines: Vec<Line>,
    pub activity: Vec<Done>,
}

pub fn generate(size: Size) -> Generated {
    let mut random = Random::new(SEED);
    let vocabulary = Vocabulary::new(&mut random);
    let users = users(&mut random);
    let pages = pages(size, &mut random, &vocabulary);
    let boards = boards(size, &mut random, &pages);
    let databases = databases(size, &mut random, &pages);
    let mut content = Content::new(size, &mut random, &vocabulary, &pages);
    content.place(&boards, &databases);
    let lines = content.lines(&boards, &databases);
    let activity = activity(size, &mut random, &lines);
    Generated { users, vocabulary, pages, boards, databases, lines, activity }
}

fn users(random: &mut Random) -> Vec<User> {
    let user = |number: usize| {
        let first = number % TEAMS.len();
        let second = random.is_one_of(400).then(|| random.below(TEAMS.len())).filter(|second| *second != first);
        let teams = [Some(first), second].into_iter().flatten().map(|team| TEAMS[team].to_string()).collect();
        User { id: (number + 1).to_string(), teams }
    };
    (0..USERS).map(user).collect()
}

/// The newer, the more.
fn activity(size: Size, random: &mut Random, lines: &[Line]) -> Vec<Done> {
    let done = |random: &mut Random| {
        let kind = match random.below(100) {
            0..35 => "edit",
            35..80 => "view",
            80..95 => "comment",
            _ => "create",
        };
        let age = random.below(90 * DAY as usize).min(random.below(90 * DAY as usize));
        Done { user: user(random), block: lines[random.below(lines.len())].id.clone(), kind, at: before_now(age) }
    };
    (0..size.activity).map(|_| done(random)).collect()
}

/// One of the users.
pub fn user(random: &mut Random) -> String {
    (random.below(USERS) + 1).to_string()
}

/// A time so many seconds before `now`.
pub fn before_now(seconds: usize) -> String {
    let at = jiff::Timestamp::from_second(NOW_SECONDS - seconds as i64);
    at.expect("it is not long ago").to_string()
}

/// A day so many days after the day of `now`, or before it.
pub fn day(days: i64) -> String {
    before_now(0).split('T').next().map_or(String::new(), |_| {
        let at = jiff::Timestamp::from_second(NOW_SECONDS + days * DAY).expect("it is not far away");
        at.to_string()[..10].to_string()
    })
}

impl Generated {
    /// Paths and texts.
    pub fn files(&self) -> Vec<(String, String)> {
        let member = |user: &'_ User| {
            serde_json::to_string(&Membership { user: &user.id, teams: &user.teams, workspaces: [WORKSPACE] })
        };
        let members: String = self.users.iter().map(|user| member(user).expect("a line is JSON") + "\n").collect();
        let mut all = files("blocks", &self.lines);
        all.extend(files("activity", &self.activity));
        all.push(("members.jsonl".to_string(), members));
        all.push(("permissions.jsonl".to_string(), format!("{{\"default\":[\"workspace:{WORKSPACE}\"]}}\n")));
        all.push(("contextpack.toml".to_string(), "[workspace]\n".to_string()));
        all
    }

    /// Writes the files, and gives their bytes.
    pub fn plant(&self, tree: &Path) -> usize {
        fs::create_dir_all(tree).expect("it can be made");
        let files = self.files();
        files.iter().for_each(|(path, text)| fs::write(tree.join(path), text).expect("it can be written"));
        files.iter().map(|(_, text)| text.len()).sum()
    }
}
