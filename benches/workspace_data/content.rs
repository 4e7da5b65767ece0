//! The lines of a workspace: pages with their parts, boards with their cards, databases with their rows.

use std::collections::BTreeMap;

use super::Random;
use super::line::{Choice, Column, Config, Data, Line, Value};
use super::parts::{Board, Database, Page};
use super::vocabulary::Vocabulary;
use super::world::{Size, before_now, day, user};

/// The parts of pages, and how many of a hundred they are.
const PARTS: [(&str, usize); 5] = [("text", 64), ("heading", 9), ("todo", 12), ("list_item", 10), ("code", 5)];
/// Columns of a board. Cards of the last are done.
const COLUMNS: [&str; 4] = ["Backlog", "Doing", "Review", "Done"];
const PRIORITIES: [&str; 4] = ["low", "medium", "high", "critical"];
const STATES: [Choice; 3] =
    [Choice { id: "s1", value: "Open" }, Choice { id: "s2", value: "Waiting" }, Choice { id: "s3", value: "Done" }];
const LANGUAGES: [&str; 4] = ["python", "rust", "sql", "bash"];
/// Every so many texts one names another page.
const TEXTS_OF_LINK: usize = 8;
const YEAR: usize = 365 * 86_400;

pub struct Content<'w> {
    random: &'w mut Random,
    vocabulary: &'w Vocabulary,
    pages: &'w [Page],
    /// The types of all parts, in the order in which they are given out.
    parts: Vec<&'static str>,
    /// The parts in each page, by type; and in cards and rows, by id.
    in_pages: Vec<Vec<&'static str>>,
    inside: BTreeMap<String, Vec<&'static str>>,
    texts: usize,
    numbers: usize,
    lines: Vec<Line>,
}

impl<'w> Content<'w> {
    pub fn new(size: Size, random: &'w mut Random, vocabulary: &'w Vocabulary, pages: &'w [Page]) -> Self {
        let others = size.pages + size.boards * (1 + COLUMNS.len()) + size.cards + size.databases + size.rows;
        let count = size.blocks - others;
        let mut parts: Vec<&str> = PARTS.iter().flat_map(|(kind, share)| vec![*kind; count * share / 100]).collect();
        parts.resize(count, "text");
        for at in (1..parts.len()).rev() {
            parts.swap(at, random.below(at + 1));
        }
        let in_pages = vec![Vec::new(); pages.len()];
        let lines = Vec::with_capacity(size.blocks);
        Content { random, vocabulary, pages, parts, in_pages, inside: BTreeMap::new(), texts: 0, numbers: 0, lines }
    }

    /// Gives each part a place: one in ten texts and todos is in a card or a row.
    pub fn place(&mut self, boards: &[Board], databases: &[Database]) {
        let cards = boards.last().map_or(0, |board| board.cards.end);
        let rows = databases.last().map_or(0, |database| database.rows.end);
        for part in std::mem::take(&mut self.parts) {
            if matches!(part, "text" | "todo") && self.random.is_one_of(100) && cards + rows > 0 {
                let at = self.random.below(cards + rows);
                let id = if at < cards { format!("c{at}") } else { format!("r{}", at - cards) };
                self.inside.entry(id).or_default().push(part);
            } else {
                // Some pages are much longer than others.
                let page = self.random.below(self.pages.len()).min(self.random.below(self.pages.len()));
                self.in_pages[page].push(part);
            }
        }
    }

    pub fn lines(mut self, boards: &[Board], databases: &[Database]) -> Vec<Line> {
        for page in 0..self.pages.len() {
            self.page(page);
        }
        boards.iter().for_each(|board| self.board(board));
        databases.iter().for_each(|database| self.database(database, databases));
        self.lines
    }

    fn page(&mut self, number: usize) {
        let page = &self.pages[number];
        let parent = page.parent.map(|parent| self.pages[parent].id.clone());
        let line = self.line(&page.id, "page", parent);
        let read = page.read.as_ref();
        self.lines.push(Line {
            title: Some(page.title.clone()),
            read: read.map(|(reader, _)| reader.clone()).into_iter().collect(),
            read_mode: read.filter(|(_, replaces)| *replaces).map(|_| "replace"),
            ..line
        });
        for part in std::mem::take(&mut self.in_pages[number]) {
            self.part(part, &page.id, page.topic);
        }
    }

    fn part(&mut self, kind: &'static str, parent: &str, topic: usize) {
        self.numbers += 1;
        let id = format!("b{}", self.numbers);
        let line = self.line(&id, kind, Some(parent.to_string()));
        let text = match kind {
            "heading" => self.title(topic, 2, 6),
            "todo" => self.title(topic, 3, 10),
            "list_item" => self.sentences(topic, 4, 20),
            "code" => self.code(topic),
            _ => self.text(topic),
        };
        let line = Line { text, ..line };
        let line = match kind {
            "todo" => self.task(line),
            "code" => Line { data: Some(self.language()), ..line },
            _ => line,
        };
        self.lines.push(line);
    }

    fn parts_in(&mut self, id: &str, topic: usize) {
        for part in self.inside.remove(id).unwrap_or_default() {
            self.part(part, id, topic);
        }
    }

    fn text(&mut self, topic: usize) -> String {
        let text = self.sentences(topic, 8, 60);
        self.texts += 1;
        if !self.texts.is_multiple_of(TEXTS_OF_LINK) {
            return text;
        }
        let of_topic: Vec<&Page> = self.pages.iter().filter(|page| page.topic == topic).collect();
        let is_near = self.random.is_one_of(500) && !of_topic.is_empty();
        let page = if is_near { of_topic[self.random.below(of_topic.len())] } else { self.any_page() };
        format!("{text} See [[{}]].", page.title)
    }

    fn any_page(&mut self) -> &'w Page {
        &self.pages[self.random.below(self.pages.len())]
    }

    fn code(&mut self, topic: usize) -> String {
        let line = |own: &mut Self| {
            let [name, value] = [(); 2].map(|()| own.vocabulary.word(own.random, topic));
            format!("{name}_{value} = {}({value})\n", own.vocabulary.word(own.random, topic))
        };
        (0..self.random.between(3, 12)).map(|_| line(self)).collect()
    }

    fn language(&mut self) -> Data {
        Data { language: Some(LANGUAGES[self.random.below(LANGUAGES.len())]), ..Data::default() }
    }

    /// When it is due, who does it, and whether it is done.
    fn task(&mut self, line: Line) -> Line {
        let is_done = self.random.is_one_of(550);
        Line {
            due: self.random.is_one_of(600).then(|| self.due()),
            done: Some(is_done),
            priority: self.random.is_one_of(400).then(|| PRIORITIES[self.random.below(PRIORITIES.len())]),
            assignees: if self.random.is_one_of(600) { vec![user(self.random)] } else { Vec::new() },
            ..line
        }
    }

    fn due(&mut self) -> String {
        day(self.random.below(121) as i64 - 60)
    }

    fn board(&mut self, board: &Board) {
        let line = self.line(&board.id, "kanban_board", Some(board.page.clone()));
        let title = Some(self.title(board.topic, 1, 3));
        self.lines.push(Line { title, ..line });
        for (at, name) in COLUMNS.into_iter().enumerate() {
            let id = format!("{}-{at}", board.id);
            let line = self.line(&id, "kanban_column", Some(board.id.clone()));
            let data = (at + 1 == COLUMNS.len()).then(|| Data { is_done: Some(true), ..Data::default() });
            self.lines.push(Line { title: Some(name.to_string()), data, ..line });
            for card in board.cards.clone().filter(|card| card % COLUMNS.len() == at) {
                self.card(&format!("c{card}"), &id, board.topic);
            }
        }
    }

    /// The column says whether it is done.
    fn card(&mut self, id: &str, column: &str, topic: usize) {
        let line = self.line(id, "kanban_card", Some(column.to_string()));
        let (title, text) = (Some(self.title(topic, 2, 6)), self.sentences(topic, 0, 30));
        let line = self.task(Line { title, text, ..line });
        let tags = vec![self.vocabulary.word_of_topic(self.random, topic).to_string()];
        self.lines.push(Line { done: None, tags, ..line });
        self.parts_in(id, topic);
    }

    fn database(&mut self, database: &Database, all: &[Database]) {
        let target = &all[database.target];
        let column = |id, name, kind, config| Column { id, name, kind, config };
        let properties = vec![
            column("name", "Name", "text", None),
            column("state", "Status", "select", Some(Config::Options(STATES.to_vec()))),
            column("date", if database.has_due { "Due" } else { "Began" }, "date", None),
            column("who", "Assignee", "text", None),
            column("cost", "Cost", "number", None),
            column("with", "Related", "relation", Some(Config::DatabaseId(target.id.clone()))),
        ];
        let line = self.line(&database.id, "database", Some(database.page.clone()));
        let title = Some(self.title(database.topic, 1, 3));
        self.lines.push(Line { title, properties, ..line });
        for row in database.rows.clone() {
            self.row(&format!("r{row}"), database, target);
        }
    }

    fn row(&mut self, id: &str, database: &Database, target: &Database) {
        let line = self.line(id, "db_row", Some(database.id.clone()));
        let name = self.title(database.topic, 2, 4);
        let with = 0..self.random.between(1, 3);
        let with = with.map(|_| format!("r{}", self.random.between(target.rows.start, target.rows.end - 1))).collect();
        let mut values = BTreeMap::from([
            ("name", Value::Text(name)),
            ("state", Value::Text(STATES[self.random.below(STATES.len())].id.to_string())),
            ("date", Value::Text(self.due())),
            ("cost", Value::Number(self.random.below(10_000))),
            ("with", Value::Rows(with)),
        ]);
        if self.random.is_one_of(600) {
            values.insert("who", Value::Text(user(self.random)));
        }
        let data = Data { database_id: Some(database.id.clone()), values, ..Data::default() };
        self.lines.push(Line { data: Some(data), ..line });
        self.parts_in(id, database.topic);
    }

    fn title(&mut self, topic: usize, least: usize, most: usize) -> String {
        let count = self.random.between(least, most);
        self.vocabulary.title(self.random, topic, count)
    }

    fn sentences(&mut self, topic: usize, least: usize, most: usize) -> String {
        let count = self.random.between(least, most);
        self.vocabulary.sentences(self.random, topic, count)
    }

    /// What every block has. It was changed lately or long ago, and made before.
    fn line(&mut self, id: &str, kind: &'static str, parent: Option<String>) -> Line {
        let updated = self.random.below(YEAR).min(self.random.below(YEAR));
        let created = updated + self.random.below(YEAR);
        Line {
            id: id.to_string(),
            kind,
            parent,
            created_at: before_now(created),
            updated_at: before_now(updated),
            created_by: user(self.random),
            ..Line::default()
        }
    }
}
