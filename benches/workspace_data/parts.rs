//! What holds the parts of a workspace: pages, boards and databases, and who may read the pages.

use super::Random;
use super::vocabulary::Vocabulary;
use super::world::{Size, TEAMS, user};

/// The deepest page is in so many others.
const MAX_DEPTH: usize = 5;
const ROOTS: usize = 25;

#[derive(Clone, Debug)]
pub struct Page {
    pub id: String,
    pub title: String,
    pub topic: usize,
    /// Its number.
    pub parent: Option<usize>,
    pub depth: usize,
    /// Who may read it, and whether what is granted around it does not matter.
    pub read: Option<(String, bool)>,
}

#[derive(Clone, Debug)]
pub struct Board {
    pub id: String,
    pub topic: usize,
    /// The id of its page.
    pub page: String,
    /// The numbers of its first card and of the one behind its last.
    pub cards: std::ops::Range<usize>,
}

#[derive(Clone, Debug)]
pub struct Database {
    pub id: String,
    pub topic: usize,
    /// The id of its page.
    pub page: String,
    /// Whether its rows are due at some time.
    pub has_due: bool,
    /// The number of the database that its rows are related with.
    pub target: usize,
    pub rows: std::ops::Range<usize>,
}

pub fn pages(size: Size, random: &mut Random, vocabulary: &Vocabulary) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::with_capacity(size.pages);
    for number in 0..size.pages {
        let parent = (number >= ROOTS.min(size.pages)).then(|| parent(random, &pages));
        // A page is for the most part about what the page around it is about.
        let own = vocabulary.topic(random);
        let topic = parent.filter(|_| random.is_one_of(500)).map_or(own, |parent| pages[parent].topic);
        let length = random.between(2, 4);
        pages.push(Page {
            id: format!("p{number}"),
            title: vocabulary.title(random, topic, length),
            topic,
            parent,
            depth: parent.map_or(0, |parent| pages[parent].depth + 1),
            read: random.is_one_of(150).then(|| readers(random)),
        });
    }
    pages
}

fn parent(random: &mut Random, pages: &[Page]) -> usize {
    let mut parent = random.below(pages.len());
    while pages[parent].depth >= MAX_DEPTH {
        parent = random.below(pages.len());
    }
    parent
}

fn readers(random: &mut Random) -> (String, bool) {
    match random.below(10) {
        0..6 => (format!("team:{}", TEAMS[random.below(TEAMS.len())]), false),
        6..9 => (format!("user:{}", user(random)), false),
        _ => ("public".to_string(), true),
    }
}

pub fn boards(size: Size, random: &mut Random, pages: &[Page]) -> Vec<Board> {
    let board = |number: usize| {
        let page = &pages[random.below(pages.len())];
        let cards = share(size.cards, size.boards, number);
        Board { id: format!("k{number}"), topic: page.topic, page: page.id.clone(), cards }
    };
    (0..size.boards).map(board).collect()
}

pub fn databases(size: Size, random: &mut Random, pages: &[Page]) -> Vec<Database> {
    let database = |number: usize| {
        let page = &pages[random.below(pages.len())];
        Database {
            id: format!("d{number}"),
            topic: page.topic,
            page: page.id.clone(),
            has_due: number.is_multiple_of(2),
            target: random.below(size.databases),
            rows: share(size.rows, size.databases, number),
        }
    };
    (0..size.databases).map(database).collect()
}

/// The part of some things that one of several gets.
fn share(all: usize, of: usize, number: usize) -> std::ops::Range<usize> {
    all * number / of..all * (number + 1) / of
}
