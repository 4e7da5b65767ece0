//! Reads the slots of an English sentence. Triggers are cut out first; the rest is cut at commas and conjunctions.

use std::ops::Range;

use regex_automata::Input;
use regex_automata::meta::Regex;

use super::candidate::{Candidate, Pool};
use super::phrase::{Token, destination, is_actor, is_sentence, named, object, place, subject, tokens};
use super::sentences::{Sentence, masked};
use super::words::WORDS;
use crate::record::frame::Slot;

/// A sentence and the same with everything quoted covered.
struct Text<'t> {
    text: &'t str,
    mask: String,
    is_question: bool,
    is_report: bool,
}

#[derive(Clone, Debug)]
struct Trigger {
    range: Range<usize>,
    rule: &'static str,
    percent: u32,
}

/// What a clause does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Action,
    Issue { is_sure: bool },
    Nothing,
}

/// Offers the slots of a sentence.
pub fn read<'t>(sentence: Sentence<'t>, pool: &mut Pool<'t>) {
    let Sentence { text, is_question, is_report } = sentence;
    let text = Text { text, mask: masked(text), is_question, is_report };
    let triggers = text.triggers();
    for trigger in &triggers {
        let (slot, quote) = (Slot::TriggerCondition, text.text[trigger.range.clone()].trim());
        pool.offer(Candidate { slot, value: quote, quote, rule: trigger.rule, percent: trigger.percent });
        text.offer_names(trigger.range.clone(), Some(60), pool);
        text.offer_places(trigger.range.clone(), "E-T5", 60, pool);
    }
    let mut has_action = false;
    for clause in text.clauses(&triggers) {
        let role = text.role(&clause, has_action, !triggers.is_empty());
        has_action |= role == Role::Action;
        match role {
            Role::Action => text.offer_action(clause, pool),
            Role::Issue { is_sure } => text.offer_issue(clause, is_sure, pool),
            Role::Nothing => text.offer_question(clause, pool),
        }
    }
    pool.is_question |= is_question && !has_action;
    if let Some((quote, value)) = code_name(text.text) {
        pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule: "E-T5", percent: 50 });
    }
}

impl<'t> Text<'t> {
    fn triggers(&self) -> Vec<Trigger> {
        let (mut triggers, mut at) = (Vec::new(), 0);
        while let Some(found) = WORDS.english.trigger.find(Input::new(&self.mask).range(at..)) {
            at = found.end();
            if !self.is_trigger(found.range()) {
                continue;
            }
            let comma = self.mask[found.end()..].find([',', ';']).map(|comma| found.end() + comma);
            let trigger = if self.mask[..found.start()].trim().is_empty() {
                self.first_trigger(found.range(), comma)
            } else {
                let end = comma.unwrap_or(self.text.len());
                let end = self.conjunction(found.end()..end).unwrap_or(end);
                Trigger { range: found.start()..end, rule: "E-C3", percent: 80 }
            };
            at = trigger.range.end.max(at);
            triggers.push(trigger);
        }
        triggers
    }

    /// A trigger at the start of a sentence ends at its comma, else where the subject of the problem starts.
    fn first_trigger(&self, word: Range<usize>, comma: Option<usize>) -> Trigger {
        if let Some(comma) = comma {
            return Trigger { range: word.start..comma, rule: "E-C1", percent: 90 };
        }
        let english = &WORDS.english;
        let problem = english.problem.find(Input::new(&self.mask).range(word.end..));
        let (start, inside) =
            (word.start, word.end..problem.as_ref().map_or(self.text.len(), |problem| problem.start()));
        let starts = |token: &Token<'_>| english.articles.contains(&token.lower) || is_actor(&token.lower);
        // `on Windows` is whole; behind `when` stands a subject of its own.
        let own = usize::from(!self.mask[word].contains(' '));
        let mut subjects = tokens(self.text, inside).into_iter().skip(own).filter(starts);
        let subject = match problem {
            Some(_) => subjects.next_back(),
            None => subjects.find(|word| is_sentence(self.text, word.range.start..self.text.len())),
        };
        let end = subject.map_or(self.text.len(), |subject| subject.range.start);
        Trigger { range: start..end, rule: "E-C2", percent: 70 }
    }

    /// Words that also have other uses say when only where something follows, and not behind `check` or `even`.
    fn is_trigger(&self, word: Range<usize>) -> bool {
        let (before, after) = (&self.mask[..word.start], &self.mask[word.end..]);
        let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        let next = after.split_whitespace().next().unwrap_or_default();
        let other = ["check", "see", "know", "wonder", "ask", "tell", "at", "than", "as", "only", "explain", "shortly"];
        let is_before_name = self.mask[word.clone()].eq_ignore_ascii_case("before")
            && next.starts_with(|c: char| c.is_uppercase())
            && !next.starts_with("I ");
        let is_whole = self.mask[word.clone()].contains(' ');
        (after.starts_with(' ') || is_whole) && !next.is_empty() && !other.contains(&last.as_str()) && !is_before_name
    }

    /// The next conjunction that starts a clause.
    fn conjunction(&self, range: Range<usize>) -> Option<usize> {
        let inside = &self.mask[range.clone()];
        let found = [" but ", " because ", " so "].into_iter().filter_map(|word| {
            let at = inside.find(word)?;
            (word != " so " || is_consequence(&inside[at + word.len()..])).then_some(at)
        });
        found.min().map(|at| range.start + at)
    }

    /// What is left of a sentence without triggers, cut at commas, colons and conjunctions.
    fn clauses(&self, triggers: &[Trigger]) -> Vec<Range<usize>> {
        let (mut clauses, mut start) = (Vec::new(), 0);
        for Trigger { range, .. } in triggers {
            self.cut(start..range.start.max(start), &mut clauses);
            start = range.end;
        }
        self.cut(start..self.text.len(), &mut clauses);
        clauses
    }

    fn cut(&self, range: Range<usize>, clauses: &mut Vec<Range<usize>>) {
        let mut start = range.start;
        while start < range.end {
            let inside = &self.mask[start..range.end];
            let is_border = |at: &usize| !["which ", "who "].iter().any(|word| inside[at + 2..].starts_with(word));
            let comma = inside.match_indices(", ").map(|(at, _)| at).find(is_border).map(|at| (start + at, 2));
            let colon = inside.find(": ").filter(|at| inside[..*at].trim().contains(' ')).map(|at| (start + at, 2));
            let word = self.conjunction(start..range.end).map(|at| (at, 1));
            let (end, gap) = [comma, colon, word].into_iter().flatten().min().unwrap_or((range.end, 1));
            let clause = self.trimmed(start..end);
            if self.text[clause.clone()].contains(char::is_alphanumeric) {
                clauses.push(clause);
            }
            start = end + gap;
        }
    }

    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let inside = &self.text[range.clone()];
        let text = inside.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '–' | '—'));
        let start = range.start + (text.as_ptr() as usize - inside.as_ptr() as usize);
        start..start + text.len()
    }

    fn role(&self, clause: &Range<usize>, has_action: bool, has_trigger: bool) -> Role {
        let english = &WORDS.english;
        let (whole, lead) = (&self.mask[clause.clone()], self.lead(clause));
        let said = &self.mask[lead..clause.end];
        let has_problem = english.problem.is_match(said) && !is_praise(said);
        let contrasts = whole.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("but "));
        let explains = whole.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("because "));
        if self.is_imperative(lead..clause.end) || english.modal.is_match(said) && !self.is_forced(said, has_problem) {
            return Role::Action;
        }
        let is_plain_question = self.is_question && !has_problem;
        match has_problem {
            true => Role::Issue { is_sure: true },
            false if (contrasts && has_action) || explains => Role::Issue { is_sure: false },
            false if self.is_report && !has_action => Role::Issue { is_sure: false },
            false if has_trigger && !has_action && !is_plain_question => Role::Issue { is_sure: false },
            false => Role::Nothing,
        }
    }

    /// `I have to restart it` tells what happens, not what should be done.
    fn is_forced(&self, said: &str, has_problem: bool) -> bool {
        let lower = said.to_lowercase();
        let forced = ["have to", "has to", "need to", "needs to"].iter().any(|verb| lower.contains(verb));
        forced && has_problem && !lower.contains("should")
    }

    /// Where a clause starts behind its conjunction.
    fn lead(&self, clause: &Range<usize>) -> usize {
        let found = WORDS.english.clause_lead.find(&self.mask[clause.clone()]);
        clause.start + found.map_or(0, |found| found.end())
    }

    /// Whether it starts with a verb that is no noun here: `cache it`, but `cache is stale`.
    fn is_imperative(&self, clause: Range<usize>) -> bool {
        let english = &WORDS.english;
        let said = &self.mask[clause];
        let Some(verb) = imperative(said) else { return false };
        let words: Vec<Token<'_>> = tokens(said, verb.end..said.len()).into_iter().take(2).collect();
        let Some(next) = words.first() else { return verb.start > 0 || !self.is_question };
        let is_verb = |word: &str| english.auxiliaries.contains(word) || english.problem_verb.is_match(word);
        let follows = words.get(1).map_or("", |word| word.lower.as_str());
        let is_function = english.articles.contains(follows) || english.prepositions.contains(follows);
        let is_plain = next.lower.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_third_person = is_plain && next.lower.ends_with('s') && (is_function || is_result(follows));
        let is_noun = is_third_person && !english.feature_nouns.contains(&next.lower) || is_verb(follows);
        let is_label = said[verb.end..].starts_with([':', '-', '.', '(']);
        let is_other = is_label || is_verb(&next.lower) || is_noun && verb.start == 0;
        !is_other
    }

    fn offer_action(&self, clause: Range<usize>, pool: &mut Pool<'t>) {
        let english = &WORDS.english;
        let lead = self.lead(&clause);
        let polite = english.polite.find(&self.mask[lead..clause.end]).map_or(0, |found| found.end());
        let (value, quote) = (&self.text[lead + polite..clause.end], &self.text[clause.clone()]);
        pool.offer(Candidate { slot: Slot::DesiredAction, value, quote, rule: "E-D", percent: 90 });
        self.offer_names(lead..clause.end, None, pool);
        self.offer_places(lead..clause.end, "E-T2", 80, pool);
        if !self.is_imperative(lead..clause.end) {
            return self.offer_subject(lead..clause.end, "E-T3", 70, pool);
        }
        let words = tokens(self.text, lead + polite..clause.end);
        let verb_end = imperative(&self.mask[lead..clause.end]).map_or(lead + polite, |verb| lead + verb.end);
        let is_changing = words.first().is_some_and(|verb| english.state_verbs.contains(&verb.lower));
        let is_adding = words.first().is_some_and(|verb| english.adding.contains(&verb.lower));
        if let Some(object) = object(self.text, verb_end..clause.end, is_changing) {
            let (value, quote) = (&self.text[object.clone()], &self.text[lead + polite..object.end]);
            let percent = if is_adding { 40 } else { 60 };
            pool.offer(Candidate { slot: Slot::TargetFeature, value: plain(value), quote, rule: "E-T4", percent });
        }
        if let Some((quote, name)) = destination(self.text, verb_end..clause.end).filter(|_| is_adding) {
            let (quote, value) = (&self.text[quote], plain(&self.text[name]));
            pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule: "E-T2", percent: 50 });
        }
        if let Some(asked) = asked_clause(&words) {
            self.offer_subject(asked..clause.end, "E-T6", 50, pool);
            let value = &self.text[asked..clause.end];
            let percent = if WORDS.english.problem.is_match(&self.mask[asked..clause.end]) { 90 } else { 60 };
            if words.iter().any(|word| word.range.end < asked && word.lower == "why") {
                pool.offer(Candidate { slot: Slot::ObservedIssue, value, quote: value, rule: "E-I", percent });
            }
        }
    }

    fn offer_issue(&self, clause: Range<usize>, is_sure: bool, pool: &mut Pool<'t>) {
        let lead = self.lead(&clause);
        let start = lead + question_lead(&self.mask[lead..clause.end]);
        let (value, quote) = (&self.text[start..clause.end], &self.text[clause.clone()]);
        let percent = if is_sure { 90 } else { 60 };
        pool.offer(Candidate { slot: Slot::ObservedIssue, value, quote, rule: "E-I", percent });
        self.offer_names(start..clause.end, None, pool);
        self.offer_places(start..clause.end, "E-T2", 80, pool);
        let subject = start + negated_lead(&self.text[start..clause.end]);
        self.offer_subject(subject..clause.end, "E-T3", 70, pool);
    }

    fn offer_question(&self, clause: Range<usize>, pool: &mut Pool<'t>) {
        let said = &self.mask[clause.clone()];
        if !self.is_question && !WORDS.english.question.is_match(said) {
            return;
        }
        let start = clause.start + question_lead(said);
        self.offer_names(start..clause.end, Some(60), pool);
        self.offer_subject(start..clause.end, "E-T6", 50, pool);
        self.offer_places(start..clause.end, "E-T6", 50, pool);
        if let Some((quote, name)) = named(self.text, start..clause.end) {
            let (quote, value) = (&self.text[quote], plain(&self.text[name]));
            pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule: "E-T6", percent: 50 });
        }
    }

    /// The first name of the code in a clause.
    fn offer_names(&self, range: Range<usize>, in_trigger: Option<u32>, pool: &mut Pool<'t>) {
        if let Some((quote, value)) = code_name(&self.text[range]) {
            let (rule, percent) = in_trigger.map_or(("E-T1", 90), |percent| ("E-T5", percent));
            pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule, percent });
        }
    }

    fn offer_places(&self, range: Range<usize>, rule: &'static str, percent: u32, pool: &mut Pool<'t>) {
        if let Some((quote, name)) = place(self.text, range) {
            let (quote, value) = (&self.text[quote], plain(&self.text[name]));
            pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule, percent });
        }
    }

    fn offer_subject(&self, range: Range<usize>, rule: &'static str, percent: u32, pool: &mut Pool<'t>) {
        if let Some((quote, name)) = subject(self.text, range) {
            let (quote, value) = (&self.text[quote], plain(&self.text[name]));
            pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule, percent });
        }
    }
}

/// Whether what follows `so` is a clause: not `so slow`, not `so that`.
fn is_consequence(rest: &str) -> bool {
    let next = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
    let english = &WORDS.english;
    next == "please" || next != "that" && (is_actor(&next) || english.articles.contains(&next))
}

/// The verb that a clause starts with.
fn imperative(said: &str) -> Option<Range<usize>> {
    let verb = |regex: &Regex| {
        let mut captures = regex.create_captures();
        regex.captures(said, &mut captures);
        captures.get_group(1).map(|verb| verb.range())
    };
    verb(&WORDS.english.imperative).or_else(|| verb(&WORDS.english.begged))
}

/// Whether a word is what something returns.
fn is_result(word: &str) -> bool {
    WORDS.english.problem.is_match(word)
}

/// `works as expected` is no problem.
fn is_praise(said: &str) -> bool {
    let lower = said.to_lowercase();
    lower.ends_with("no problem") || lower.contains("without errors") || lower.contains("no longer fails")
}

/// `Why does` and `How is`: what asks and says nothing. Not `why isn't`, which denies.
fn question_lead(said: &str) -> usize {
    let words = tokens(said, 0..said.len());
    let asks =
        |word: &Token<'_>| matches!(word.lower.as_str(), "why" | "how" | "where" | "when" | "what" | "which" | "who");
    let Some(first) = words.first().filter(|word| asks(word)) else { return 0 };
    if words.get(1).is_some_and(|word| word.lower.ends_with("n't")) {
        return 0;
    }
    let plain = ["is", "are", "was", "were", "do", "does", "did", "can", "could", "will", "would", "has", "have"];
    let second = words.get(1).filter(|word| plain.contains(&word.lower.as_str()));
    let end = second.unwrap_or(first).range.end;
    end + (said[end..].len() - said[end..].trim_start().len())
}

/// The end of `Why isn't`, where its subject starts.
fn negated_lead(said: &str) -> usize {
    let words = tokens(said, 0..said.len());
    let asks = words.first().is_some_and(|word| matches!(word.lower.as_str(), "why" | "how"));
    words.get(1).filter(|word| asks && word.lower.ends_with("n't")).map_or(0, |word| word.range.end)
}

/// Where the question in `explain how it works` starts.
fn asked_clause(words: &[Token<'_>]) -> Option<usize> {
    let at = words
        .iter()
        .take(5)
        .position(|word| matches!(word.lower.as_str(), "how" | "why" | "where" | "what" | "when"))?;
    words.get(at + 1).map(|word| word.range.start)
}

/// The first name of the code in a text, as it is written and without what marks it. Errors are no features.
pub fn code_name(text: &str) -> Option<(&str, &str)> {
    let english = &WORDS.english;
    let mut captures = english.code_like.create_captures();
    let mut at = 0;
    loop {
        english.code_like.captures(Input::new(text).range(at..), &mut captures);
        let whole = captures.get_match()?;
        let name = (1..=5).find_map(|group| captures.get_group(group)).map_or(whole.range(), |group| group.range());
        at = whole.end();
        let value = text[name].trim().trim_end_matches("()");
        let is_error = value.ends_with("Error") || value.ends_with("Exception");
        if !is_error && !english.not_code.contains(value) && value.contains(char::is_alphabetic) {
            return Some((&text[whole.range()], value));
        }
    }
}

/// A noun phrase without what marks it.
fn plain(name: &str) -> &str {
    let name = name.trim().trim_matches(['`', '"', '“', '”', ',', '.', ':']);
    name.strip_suffix("()").unwrap_or(name)
}
