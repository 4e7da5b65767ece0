//! Reads the slots of a Japanese sentence. Clauses are cut behind markers; what a clause says depends on its marker and
//! its words.

use std::ops::Range;

use super::candidate::{Candidate, Pool};
use super::consistency::is_negated;
use super::noun::{before_problem, behind_last_of, gap, is_environment, is_target, name_and_verb, particle, plain};
use super::pattern::Match;
use super::script::{Script, runs};
use super::sentences::{Sentence, masked};
use super::words::{Japanese, WORDS};
use crate::record::frame::Slot;

/// What ends a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Marker {
    /// It says when; surely, or by a form that has other uses.
    Trigger { is_sure: bool },
    /// It says why.
    Reason,
    /// It is asked.
    Asked,
    /// The sentence ends.
    Last,
}

#[derive(Clone, Debug)]
struct Clause {
    /// With its marker.
    range: Range<usize>,
    /// The end of what belongs to a value.
    kept: usize,
    marker: Marker,
}

/// A sentence and the same with everything quoted covered.
struct Text<'t> {
    text: &'t str,
    mask: String,
    is_question: bool,
    is_report: bool,
}

/// What a clause is about to do with the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Trigger { is_sure: bool },
    Issue { is_sure: bool },
    Action,
    Question,
    Nothing,
}

/// Offers the slots of a sentence.
pub fn read<'t>(sentence: Sentence<'t>, pool: &mut Pool<'t>) {
    let words = &WORDS.japanese;
    let is_question = sentence.is_question || words.question.is_match(sentence.text);
    pool.is_question |= is_question;
    let text = Text { text: sentence.text, mask: masked(sentence.text), is_question, is_report: sentence.is_report };
    let clauses = text.clauses();
    let mut follows_trigger = false;
    let mut trigger: Option<(Clause, bool)> = None;
    let mut open = None;
    for (at, clause) in clauses.iter().enumerate() {
        let clause = text.without_places(clause.clone(), pool);
        if text.text[clause.range.clone()].trim().is_empty() {
            continue;
        }
        let role = text.role(&clause, follows_trigger);
        if let Role::Trigger { is_sure } = role {
            text.offer_trigger_target(&clause, pool);
            // Triggers side by side are one.
            let before = trigger.take().map(|(before, is_sure)| (before.range.start, is_sure));
            let start = before.map(|(start, _)| start).or(open.take()).unwrap_or(clause.range.start);
            let is_sure = is_sure || before.is_some_and(|(_, is_sure)| is_sure);
            trigger = Some((Clause { range: start..clause.range.end, ..clause }, is_sure));
            follows_trigger = true;
            continue;
        }
        // `開いて、押すと` is one trigger.
        let is_trigger_next = clauses.get(at + 1).is_some_and(|next| matches!(next.marker, Marker::Trigger { .. }));
        if role == (Role::Issue { is_sure: false }) && text.ends_open(&clause) && is_trigger_next {
            open.get_or_insert(clause.range.start);
            continue;
        }
        open = None;
        text.offer_trigger(trigger.take(), pool);
        match role {
            Role::Issue { is_sure } => text.offer_issue(&clause, is_sure, pool),
            Role::Action => text.offer_action(&clause, pool),
            Role::Question => text.offer_question(&clause, pool),
            Role::Trigger { .. } | Role::Nothing => {}
        }
    }
    text.offer_trigger(trigger, pool);
    text.offer_names(pool);
}

impl<'t> Text<'t> {
    /// Cuts behind all markers.
    fn clauses(&self) -> Vec<Clause> {
        let words = &WORDS.japanese;
        let of = |found: Match, marker| (found, marker);
        let triggers = words.trigger.iter().flat_map(|pattern| {
            pattern.all(&self.mask).map(move |found| of(found, Marker::Trigger { is_sure: found.is_sure }))
        });
        let reasons = words.reason.iter().flat_map(|pattern| {
            let marker = if pattern.asks { Marker::Asked } else { Marker::Reason };
            pattern.all(&self.mask).map(move |found| of(found, marker))
        });
        let mut markers: Vec<(Match, Marker)> = triggers.chain(reasons).collect();
        markers.sort_by_key(|(found, marker)| (found.start, std::cmp::Reverse(found.end), *marker == Marker::Reason));
        let (mut clauses, mut start) = (Vec::new(), 0);
        for (found, marker) in markers {
            if found.start < start {
                continue;
            }
            let range = self.trimmed(start..found.end);
            clauses.push(Clause { kept: found.kept.clamp(range.start, range.end), range, marker });
            start = found.end;
        }
        let range = self.trimmed(start..self.text.len());
        clauses.push(Clause { kept: range.end, range, marker: Marker::Last });
        clauses
    }

    /// Without words that only lead to a clause, and without the comma behind it.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let rest = &self.mask[range.clone()];
        let lead = WORDS.japanese.lead.find(rest).map_or(0, |found| found.end());
        let rest = &rest[lead..];
        let start = range.start + lead + (rest.len() - rest.trim_start().len());
        let end = start + rest.trim().trim_end_matches(['、', ',', '，']).len();
        start..end.max(start)
    }

    /// Takes places before `で` from the start of a clause: a target, or where it happens.
    fn without_places(&self, mut clause: Clause, pool: &mut Pool<'t>) -> Clause {
        for _ in 0..3 {
            let Some((name, end)) = self.place(&clause) else { break };
            let (quote, noun) = (&self.text[clause.range.start..end], &self.text[name]);
            if is_environment(noun) {
                let slot = Slot::TriggerCondition;
                pool.offer(Candidate { slot, value: quote, quote, rule: "J-C", percent: 50 });
            } else if is_target(noun) {
                let slot = Slot::TargetFeature;
                pool.offer(Candidate { slot, value: plain(noun), quote, rule: "J-T1", percent: 90 });
            } else {
                break;
            }
            let range = self.trimmed(end..clause.range.end);
            clause = Clause { kept: clause.kept.max(range.start), range, ..clause };
        }
        clause
    }

    /// A noun phrase and `で` at the start of a clause, and where they end.
    fn place(&self, clause: &Clause) -> Option<(Range<usize>, usize)> {
        const PARTICLES: [&str; 6] = ["については", "について", "において", "にて", "では", "で"];
        let name = self.phrase(clause.range.clone())?;
        let rest = &self.text[name.end..clause.range.end];
        let spaced = rest.trim_start();
        let gap = rest.len() - spaced.len();
        let noun = &self.text[name.clone()];
        if spaced.starts_with('、') && clause.range.start == 0 && WORDS.japanese.feature_end.is_match(noun) {
            return Some((name.clone(), name.end + gap));
        }
        let particle = PARTICLES.into_iter().find(|particle| spaced.starts_with(particle))?;
        let follows = &spaced[particle.len()..];
        let is_other = match particle {
            "で" => follows.starts_with(['す', 'し', 'き', 'あ', 'も', 'ご', 'な', 'ょ']),
            "では" => follows.starts_with(['な', 'あ']),
            _ => false,
        };
        // `UTF-8で統一して` says how, `画面で色を変えて` says where.
        let start = name.end + gap + particle.len();
        let rest = Clause { range: start..clause.range.end.max(start), ..clause.clone() };
        let has_object =
            || self.phrases(&rest).iter().any(|(_, particle)| matches!(*particle, "を" | "が" | "に" | "は"));
        let says_how = self.is_request(clause) && !has_object();
        let is_alone = follows.trim().is_empty() && clause.marker == Marker::Last;
        let is_cause = WORDS.japanese.cause_end.is_match(noun);
        (!is_other && !says_how && !is_alone && !is_cause).then_some((name, start))
    }

    /// The noun phrase at the start of a range.
    fn phrase(&self, range: Range<usize>) -> Option<Range<usize>> {
        let found = WORDS.japanese.noun_phrase.find(&self.text[range.clone()])?;
        (!found.is_empty()).then(|| range.start..range.start + found.end())
    }

    fn role(&self, clause: &Clause, follows_trigger: bool) -> Role {
        if let Marker::Trigger { is_sure } = clause.marker {
            return Role::Trigger { is_sure };
        }
        let has_problem = self.has_problem(clause);
        match clause.marker {
            Marker::Asked if has_problem => Role::Issue { is_sure: true },
            Marker::Asked => Role::Question,
            _ if self.is_request(clause) => Role::Action,
            _ if has_problem => Role::Issue { is_sure: true },
            Marker::Reason => Role::Issue { is_sure: false },
            _ if !follows_trigger && self.is_plain_doing(clause) => Role::Action,
            _ if self.is_question => Role::Question,
            _ if follows_trigger || self.is_report => Role::Issue { is_sure: false },
            _ => Role::Nothing,
        }
    }

    /// What a clause says, without what is quoted and without the marker.
    fn said(&self, clause: &Clause) -> &str {
        &self.mask[clause.range.start..clause.kept.max(clause.range.start)]
    }

    fn has_problem(&self, clause: &Clause) -> bool {
        let words: &Japanese = &WORDS.japanese;
        let said = &self.text[clause.range.clone()];
        words.problem.is_match(said) || is_negated(said) && words.negated.is_match(said)
    }

    fn is_request(&self, clause: &Clause) -> bool {
        WORDS.japanese.request.is_match(self.said(clause))
    }

    /// Whether it tells what to do in a form that may also tell what happens.
    fn is_plain_doing(&self, clause: &Clause) -> bool {
        let said = self.said(clause);
        let names_subject = ["が", "は"].iter().any(|particle| said.contains(particle));
        let does = said.ends_with("する") || said.contains('を') && WORDS.japanese.plain_doing.is_match(said);
        does && !names_subject
    }

    /// Whether a clause stops at a comma in the middle of a sentence.
    fn ends_open(&self, clause: &Clause) -> bool {
        self.mask[clause.range.clone()].ends_with(['て', 'で'])
    }

    fn value(&self, clause: &Clause) -> &'t str {
        self.text[clause.range.start..clause.kept.clamp(clause.range.start, clause.range.end)].trim()
    }

    fn quote(&self, clause: &Clause) -> &'t str {
        &self.text[clause.range.clone()]
    }

    fn offer_trigger(&self, trigger: Option<(Clause, bool)>, pool: &mut Pool<'t>) {
        let Some((clause, is_sure)) = trigger else { return };
        let (slot, percent) = (Slot::TriggerCondition, if is_sure { 90 } else { 80 });
        pool.offer(Candidate { slot, value: self.value(&clause), quote: self.quote(&clause), rule: "J-C", percent });
    }

    fn offer_issue(&self, clause: &Clause, is_sure: bool, pool: &mut Pool<'t>) {
        let value = self.value(clause);
        let value = WORDS.japanese.named_error.captures_of(value).unwrap_or(value);
        let (slot, percent) = (Slot::ObservedIssue, if is_sure { 90 } else { 60 });
        // `原因を調べて` says nothing of the cause.
        let is_bare = WORDS.japanese.no_target_end.find(value).is_some_and(|found| found.start() == 0);
        if !is_bare || clause.marker == Marker::Last {
            pool.offer(Candidate { slot, value, quote: self.quote(clause), rule: "J-I", percent });
        }
        self.offer_phrase(
            clause,
            "J-T2",
            |particle, rest| match particle {
                "が" | "は" | "も" | "だけ" => Some(70),
                "に" if rest.starts_with("失敗") => Some(70),
                "を" => Some(40),
                _ => None,
            },
            pool,
        );
    }

    fn offer_trigger_target(&self, clause: &Clause, pool: &mut Pool<'t>) {
        self.offer_phrase(clause, "J-T5", |particle, _| matches!(particle, "を" | "に" | "が").then_some(50), pool);
    }

    fn offer_question(&self, clause: &Clause, pool: &mut Pool<'t>) {
        let asked = |particle: &str| matches!(particle, "は" | "が" | "を" | "って");
        let all = self.phrases(clause).into_iter();
        let named = all.filter(|(name, particle)| asked(particle) && is_target(&self.text[name.clone()]));
        for (name, particle) in named {
            let quote = &self.text[name.start..name.end + gap(&self.text[name.end..clause.range.end]) + particle.len()];
            let value = plain(&self.text[name]);
            pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule: "J-T6", percent: 60 });
        }
    }

    fn offer_action(&self, clause: &Clause, pool: &mut Pool<'t>) {
        let slot = Slot::DesiredAction;
        let offer = |quote: &'t str, pool: &mut Pool<'t>| {
            pool.offer(Candidate { slot, value: action(quote), quote, rule: "J-D", percent: 90 });
        };
        let quote = self.value(clause);
        if let Some((name, verb)) = name_and_verb(quote) {
            pool.offer(Candidate {
                slot: Slot::TargetFeature,
                value: plain(name),
                quote: name,
                rule: "J-T4",
                percent: 70,
            });
            return offer(verb, pool);
        }
        offer(quote, pool);
        let words = &WORDS.japanese;
        let is_adding = words.adding_end.is_match(quote);
        let is_weak = is_adding || quote.contains("ように");
        for (name, particle) in self.phrases(clause) {
            let percent = match particle {
                "に" if is_adding => 70,
                "を" if is_weak => 40,
                "を" => 60,
                "が" if quote.contains("しい") => 40,
                _ => continue,
            };
            let noun = &self.text[name.clone()];
            let noun = words.action_noun_end.find(noun).map_or(noun, |found| &noun[..found.start()]);
            if is_target(noun) {
                let quote =
                    &self.text[name.start..name.end + gap(&self.text[name.end..clause.range.end]) + particle.len()];
                let value = plain(noun);
                pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule: "J-T3", percent });
            }
        }
    }

    /// Offers the first noun phrase of a clause if its particle is one of some.
    fn offer_phrase(
        &self,
        clause: &Clause,
        rule: &'static str,
        percent: impl Fn(&str, &str) -> Option<u32>,
        pool: &mut Pool<'t>,
    ) {
        let Some(name) = self.phrase(clause.range.clone()) else { return };
        let gap = gap(&self.text[name.end..clause.range.end]);
        let rest = &self.text[name.end + gap..clause.range.end];
        let noun = &self.text[name.clone()];
        let ends_in_marker = matches!(clause.marker, Marker::Trigger { .. }) && name.end >= clause.kept;
        let of_problem = if rule == "J-T2" { before_problem(noun, rest) } else { None };
        if let Some(end) = of_problem.or_else(|| if ends_in_marker { behind_last_of(noun) } else { None }) {
            let quote = &noun[..end];
            let (value, percent) = (quote.trim_end_matches('の'), if ends_in_marker { 50 } else { 70 });
            if is_target(value) {
                pool.offer(Candidate { slot: Slot::TargetFeature, value: plain(value), quote, rule, percent });
            }
            return;
        }
        let Some(particle) = particle(rest) else { return };
        let Some(percent) = percent(particle, &rest[particle.len()..]).filter(|_| is_target(noun)) else { return };
        let quote = &self.text[name.start..name.end + gap + particle.len()];
        pool.offer(Candidate { slot: Slot::TargetFeature, value: plain(noun), quote, rule, percent });
    }

    /// The noun phrases of a clause, each with its particle.
    fn phrases(&self, clause: &Clause) -> Vec<(Range<usize>, &'static str)> {
        let (mut all, mut at) = (Vec::new(), clause.range.start);
        while at < clause.range.end {
            let next = self.text[at..].chars().next().map_or(1, char::len_utf8);
            let Some(name) = self.phrase(at..clause.range.end) else {
                at += next;
                continue;
            };
            let behind = name.end + gap(&self.text[name.end..clause.range.end]);
            let rest = &self.text[behind.min(clause.range.end)..clause.range.end];
            at = name.end;
            if let Some(particle) = particle(rest) {
                all.push((name, particle));
            }
        }
        all
    }

    /// A name of the code is a target wherever it stands.
    fn offer_names(&self, pool: &mut Pool<'t>) {
        if let Some((quote, value)) = super::english::code_name(self.text) {
            pool.offer(Candidate { slot: Slot::TargetFeature, value, quote, rule: "J-T5", percent: 50 });
        }
    }
}

/// An action without what makes it polite, and without a verb whose noun says enough.
fn action(quote: &str) -> &str {
    let words = &WORDS.japanese;
    let mut value = quote.trim();
    while let Some(found) = words.polite.find(value).filter(|found| found.start() > 0) {
        let rest = value[..found.start()].trim();
        if rest.ends_with('が') {
            value = value.trim_end_matches("です");
            break;
        }
        value = rest;
    }
    match words.doing.find(value).map(|found| value[..found.start()].trim()) {
        Some(noun) if says_enough(noun) => noun,
        _ => value,
    }
}

/// Whether an action is clear without its verb: it ends in two kanji, katakana, a word, or `ように`.
fn says_enough(noun: &str) -> bool {
    let Some((script, range)) = runs(noun).pop() else { return false };
    match script {
        Script::Kanji => noun[range].chars().count() > 1 && !noun.ends_with('直'),
        Script::Katakana | Script::Word => true,
        _ => noun.ends_with("ように"),
    }
}

trait FirstGroup {
    fn captures_of<'t>(&self, text: &'t str) -> Option<&'t str>;
}

impl FirstGroup for regex_automata::meta::Regex {
    /// What the first group matches.
    fn captures_of<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut captures = self.create_captures();
        self.captures(text, &mut captures);
        captures.get_group(1).map(|group| &text[group.range()])
    }
}
