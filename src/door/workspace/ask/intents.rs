//! The table of intents: what the words of a query ask for.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::{Table, Value};

use super::phrases::Words;
use crate::door::workspace::SettingsFault;
use crate::door::workspace::settings::{builtin, merge};
use crate::record::{BlockType, Score};

const BUILTIN: &str = include_str!("../../../profiles/workspace_intents.toml");

/// All intents: the built-in ones and those of the user. Sorted by name.
#[derive(Clone, Debug)]
pub struct Intents {
    all: Vec<Intent>,
}

#[derive(Clone, Debug)]
pub(super) struct Intent {
    pub name: String,
    pub row: Row,
    words: Vec<Words>,
    alone: Vec<Words>,
    except: Vec<Words>,
    days: Vec<(Words, u32)>,
}

/// A row of the table. The table explains the keys.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Row {
    words: Vec<String>,
    alone: Vec<String>,
    except: Vec<String>,
    pub asks_for_tasks: bool,
    prioritized: Vec<BlockType>,
    pub types: BTreeMap<BlockType, Score>,
    pub tasks: Option<Score>,
    pub overdue: bool,
    pub due_within: Option<u32>,
    days: BTreeMap<String, u32>,
    pub done: Option<bool>,
    pub mine: bool,
    pub priority: Vec<String>,
}

/// An intent, and its words in a query.
pub(super) struct Asked<'i> {
    pub intent: &'i Intent,
    /// The largest number of days that a word of the query stands for.
    pub days: Option<u32>,
    /// Where its words stand.
    words: Vec<Range<usize>>,
    day_words: Vec<Range<usize>>,
    /// Whether one of its words is enough for a condition.
    is_alone: bool,
}

impl Intents {
    /// The built-in intents with what a user adds to them: a table for each, by its name.
    pub fn new(changes: &Table) -> Result<Self, SettingsFault> {
        let mut table = builtin(BUILTIN)?;
        merge(&mut table, changes);
        let all = table.into_iter().map(|(name, row)| Intent::new(name, row));
        let mut all = all.collect::<Result<Vec<_>, _>>()?;
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Intents { all })
    }

    /// The intents that hold for a query, by name.
    pub(super) fn asked(&self, query: &Words, prioritized: &[BlockType]) -> Vec<Asked<'_>> {
        let mut all: Vec<Asked> = self.all.iter().map(|intent| intent.find(query)).collect();
        let asks_for_tasks = all.iter().any(|asked| asked.intent.row.asks_for_tasks && asked.is_named(prioritized));
        all.retain(|asked| asked.holds(asks_for_tasks, prioritized));
        all
    }
}

impl Default for Intents {
    fn default() -> Self {
        Intents::new(&Table::new()).expect("the built-in intents are checked by a test")
    }
}

impl Intent {
    fn new(name: String, row: Value) -> Result<Self, SettingsFault> {
        let row: Row = row.try_into().map_err(|fault: toml::de::Error| refused(&name, fault.message()))?;
        row.check().map_err(|reason| refused(&name, reason))?;
        let phrases = |texts: &[String]| texts.iter().map(|text| phrase(&name, text)).collect::<Result<Vec<_>, _>>();
        let (words, alone, except) = (phrases(&row.words)?, phrases(&row.alone)?, phrases(&row.except)?);
        let days = row.days.iter().map(|(text, days)| Ok((phrase(&name, text)?, *days)));
        let days = days.collect::<Result<_, SettingsFault>>()?;
        Ok(Intent { words, alone, except, days, row, name })
    }

    fn find<'i>(&'i self, query: &Words) -> Asked<'i> {
        let alone = self.places(query, &self.alone);
        let is_alone = !alone.is_empty();
        let words = self.places(query, &self.words).into_iter().chain(alone).collect();
        let mut asked = Asked { intent: self, days: None, words, day_words: Vec::new(), is_alone };
        for (phrase, days) in &self.days {
            let named = query.find(phrase);
            asked.days = asked.days.max((!named.is_empty()).then_some(*days));
            asked.day_words.extend(named);
        }
        asked
    }

    /// Where phrases stand in a query, but in none of the exceptions.
    fn places(&self, query: &Words, phrases: &[Words]) -> Vec<Range<usize>> {
        let except: Vec<Range<usize>> = self.except.iter().flat_map(|phrase| query.find_written(phrase)).collect();
        let is_apart = |place: &Range<usize>| except.iter().all(|one| place.end <= one.start || one.end <= place.start);
        phrases.iter().flat_map(|phrase| query.find(phrase)).filter(is_apart).collect()
    }
}

impl Row {
    /// Why it cannot be meant.
    fn check(&self) -> Result<(), &'static str> {
        if !self.days.is_empty() && self.due_within.is_none() {
            return Err("`days` needs `due_within`");
        }
        if !self.alone.is_empty() && !self.is_condition() {
            return Err("`alone` needs a condition");
        }
        Ok(())
    }

    /// Whether it says which tasks are asked for.
    pub fn is_condition(&self) -> bool {
        self.overdue || self.due_within.is_some() || self.done.is_some() || self.mine || !self.priority.is_empty()
    }
}

impl Asked<'_> {
    /// Whether the query has its words, or a type is prioritised that stands for them.
    fn is_named(&self, prioritized: &[BlockType]) -> bool {
        !self.words.is_empty() || self.intent.row.prioritized.iter().any(|one| prioritized.contains(one))
    }

    /// A condition holds if a word is enough for it, or if its words stand in a query that asks for tasks.
    fn holds(&self, asks_for_tasks: bool, prioritized: &[BlockType]) -> bool {
        self.is_named(prioritized) && (!self.intent.row.is_condition() || self.is_alone || asks_for_tasks)
    }

    /// All its words in the query, those for days among them.
    pub fn places(&self) -> impl Iterator<Item = Range<usize>> {
        self.words.iter().chain(&self.day_words).cloned()
    }
}

fn phrase(name: &str, text: &str) -> Result<Words, SettingsFault> {
    let words = Words::new(text);
    if words.is_empty() { Err(refused(name, &format!("`{text}` has no word"))) } else { Ok(words) }
}

fn refused(name: &str, reason: &str) -> SettingsFault {
    SettingsFault::Shape(format!("`intents.{name}`: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(intents: &Intents, query: &str, prioritized: &[BlockType]) -> String {
        let asked = intents.asked(&Words::new(query), prioritized);
        asked.iter().map(|asked| asked.intent.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(query: &str, expected: &str) {
        assert_eq!(names(&Intents::default(), query, &[]), expected, "{query}");
    }

    fn changed(toml: &str) -> Result<Intents, String> {
        Intents::new(&toml.parse().unwrap()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn tasks_are_asked_for_by_whole_words() {
        for query in ["Which task is next?", "TODOs of Ann", "my-to-do", "the to-dos", "Tickets", "an action item"] {
            assert!(names(&Intents::default(), query, &[]).contains("tasks"), "{query}");
        }
        for query in ["multitasking", "how to do a release", "task_force", "cardboard", "action on an item", ""] {
            check(query, "");
        }
    }

    #[test]
    fn overdue_and_due_hold_alone() {
        check("What is overdue?", "overdue");
        check("invoices past due", "overdue");
        check("past-due invoices", "overdue");
        check("When is the deadline?", "due");
        check("What is due tomorrow?", "due");
        check("which are overdue or due today", "due overdue");
    }

    #[test]
    fn due_to_names_no_date() {
        check("what is due to arrive", "");
        check("It failed due to a timeout", "");
        check("due diligence", "");
        check("what is due to arrive, and what is due", "due");
    }

    #[test]
    fn other_conditions_need_tasks() {
        for query in ["how do we open a shop", "why is it late", "what is pending", "done", "critical path", "my notes"]
        {
            check(query, "");
        }
        check("Which tasks are late?", "overdue tasks");
        check("tasks that we missed", "overdue tasks");
        check("upcoming tickets", "due tasks");
        check("open cards", "open tasks");
        check("Which to-dos are still unfinished?", "open tasks");
        check("completed tasks", "done tasks");
        check("my urgent tasks", "mine tasks urgent");
        check("high-priority tasks of mine", "mine tasks urgent");
    }

    #[test]
    fn a_prioritised_type_asks_for_tasks() {
        let check = |query: &str, block_type, expected: &str| {
            assert_eq!(names(&Intents::default(), query, &[block_type]), expected, "{query}");
        };
        check("what is late", BlockType::Todo, "overdue tasks");
        check("what is open", BlockType::KanbanCard, "open tasks");
        check("what is open", BlockType::DbRow, "open tasks");
        check("what is open", BlockType::Page, "");
    }

    #[test]
    fn words_with_the_stem_of_another_ask_for_nothing() {
        check("tasks about the import of orders", "tasks");
        check("tasks that import orders", "tasks");
        check("important tasks", "tasks urgent");
        check("tasks missing an owner", "tasks");
        check("show me all tasks", "tasks");
        check("which tasks are for me", "mine tasks");
        check("show me my tasks", "mine tasks");
    }

    #[test]
    fn other_intents_hold_by_their_words() {
        check("Summarize this page", "summary");
        check("a recap of summer", "summary");
        check("tldr", "summary");
        check("Break down the launch into subtasks", "breakdown");
        check("agendas of last week", "meeting");
        check("the last meeting's minutes", "meeting");
        check("code of the function", "code");
        check("records in the database", "data");
        check("what was asked in the chat", "talk");
        check("screenshots", "media");
        for query in ["metering", "broken", "decoder", "chatter", "imagine", "tablet", "summer"] {
            check(query, "");
        }
    }

    #[test]
    fn the_words_of_a_date_belong_to_due() {
        let days = |query: &str| {
            let intents = Intents::default();
            let asked = intents.asked(&Words::new(query), &[]);
            asked.iter().find(|asked| asked.intent.name == "due").map(|asked| asked.days)
        };
        assert_eq!(days("what is due"), Some(None));
        assert_eq!(days("due today"), Some(Some(0)));
        assert_eq!(days("due today or tomorrow"), Some(Some(1)));
        assert_eq!(days("deadlines of the next weeks"), Some(Some(7)));
        assert_eq!(days("upcoming tasks of this month"), Some(Some(31)));
        assert_eq!(days("what happened today"), None);
    }

    #[test]
    fn a_user_adds_intents_and_words() {
        let intents = changed(
            "[sale]\nwords = ['deal', 'renewal']\ntypes = { db_row = 1 }\n[bugs]\nwords = ['bug']\nasks_for_tasks = true\n\
             [tasks]\nwords = ['chore']\n[late]\nalone = ['期限切れ']\noverdue = true",
        );
        let check = |query: &str, expected: &str| {
            assert_eq!(names(intents.as_ref().unwrap(), query, &[]), expected, "{query}");
        };
        check("renewals of 2025", "sale");
        check("open bugs", "bugs open");
        check("chores", "tasks");
        check("tasks", "");
        check("期限切れのタスク", "late");
        check("期限のタスク", "");
        assert_eq!(intents.as_ref().unwrap().all.len(), Intents::default().all.len() + 3);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let check = |toml: &str, expected: &str| {
            let fault = changed(toml).unwrap_err();
            assert!(fault.starts_with("[workspace]: `intents.sale`") && fault.contains(expected), "{fault}");
        };
        check("[sale]\nword = ['sale']", "unknown field `word`");
        check("[sale]\ntypes = { pages = 1 }", "unknown variant `pages`");
        check("[sale]\ntypes = { page = 2 }", "2 is not between 0 and 1");
        check("[sale]\nwords = ['--']", "`--` has no word");
        check("[sale]\nalone = ['sale']", "`alone` needs a condition");
        check("[sale]\ndays = { year = 365 }", "`days` needs `due_within`");
        check("sale = ['sale']", "invalid type");
    }
}
