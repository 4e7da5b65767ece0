//! Finds secrets: one pass over the text for all keywords, and a pattern only where its keyword occurs.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::rules::{RULES, Rule};
use super::{Finding, placeholder, private_key};

/// How far a pattern looks. No token is longer, and a text made to be slow is not.
const WINDOW_BYTES: usize = 8 << 10;

/// The secrets of a text, in the order of the text; no two overlap.
pub fn find(text: &str) -> Vec<Finding> {
    let scanner = &*SCANNER;
    let mut found: Vec<Candidate> = Vec::new();
    let mut tried_to = [0; RULES.len() + 1];
    for keyword in scanner.keywords.find_overlapping_iter(text) {
        for rule in scanner.rules_of[keyword.pattern().as_usize()].iter().copied() {
            let tried = scanner.try_rule(rule, text, keyword.start(), tried_to[rule]);
            if let Some((span, secret)) = tried {
                tried_to[rule] = span.end;
                found.extend(secret);
            }
        }
    }
    merge_overlapping(found)
}

/// What one rule found: its place in the order, the id, the span.
type Candidate = (usize, &'static str, Range<usize>);

struct Scanner {
    keywords: AhoCorasick,
    /// By keyword. The number after the last rule means private keys.
    rules_of: Vec<Vec<usize>>,
    patterns: [OnceLock<Regex>; RULES.len()],
}

const PRIVATE_KEYS: usize = RULES.len();

static SCANNER: LazyLock<Scanner> = LazyLock::new(|| {
    let mut keywords: Vec<(&str, Vec<usize>)> =
        private_key::KEYWORDS.iter().map(|keyword| (*keyword, vec![PRIVATE_KEYS])).collect();
    for (number, rule) in RULES.iter().enumerate() {
        for keyword in rule.keywords {
            match keywords.iter_mut().find(|(known, _)| known == keyword) {
                Some((_, rules)) => rules.push(number),
                None => keywords.push((keyword, vec![number])),
            }
        }
    }
    let (words, rules_of): (Vec<&str>, Vec<Vec<usize>>) = keywords.into_iter().unzip();
    let keywords = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(words);
    Scanner {
        keywords: keywords.expect("keywords are few"),
        rules_of,
        patterns: [const { OnceLock::new() }; RULES.len()],
    }
});

impl Scanner {
    /// What a rule makes of one place: what it looked at, and the secret, if it is one. Nothing where its pattern
    /// does not hold, or where it has already found something.
    fn try_rule(
        &self,
        number: usize,
        text: &str,
        keyword: usize,
        from: usize,
    ) -> Option<(Range<usize>, Option<Candidate>)> {
        if number == PRIVATE_KEYS {
            let (kind, span) = if keyword < from { None } else { private_key::block(text, keyword) }?;
            return Some((span.clone(), Some((0, kind, span))));
        }
        let rule = &RULES[number];
        let start = keyword.checked_sub(rule.prefix_bytes).filter(|start| *start >= from)?;
        if !(rule.after)(&text.as_bytes()[..start]) {
            return None;
        }
        let span = self.match_pattern(number, rule, text, start)?;
        let is_valid = (rule.until)(&text.as_bytes()[span.end..])
            && (rule.is_valid)(&text[span.clone()])
            && !placeholder::is_in_rule_name(text, keyword);
        Some((span.clone(), is_valid.then_some((number + 1, rule.id, span))))
    }

    /// The pattern's group, or all that it matched.
    fn match_pattern(&self, number: usize, rule: &Rule, text: &str, start: usize) -> Option<Range<usize>> {
        let pattern = self.patterns[number].get_or_init(|| compiled(rule.pattern));
        let end = text.len().min(start + WINDOW_BYTES);
        let input = Input::new(text.as_bytes()).range(start..end).anchored(Anchored::Yes);
        let mut slots = [None; 4];
        pattern.search_slots(&input, &mut slots)?;
        match slots {
            [_, _, Some(start), Some(end)] | [Some(start), Some(end), _, _] => Some(start.get()..end.get()),
            _ => None,
        }
    }
}

fn compiled(pattern: &str) -> Regex {
    let bytes_only = syntax::Config::new().unicode(false).utf8(false);
    let config = Regex::config().utf8_empty(false);
    Regex::builder().configure(config).syntax(bytes_only).build(pattern).expect("every pattern is tested")
}

/// Where candidates overlap, all that any of them holds, under the name of the first rule.
fn merge_overlapping(mut found: Vec<Candidate>) -> Vec<Finding> {
    found.sort_by_key(|(order, _, span)| (span.start, span.end, *order));
    let mut kept: Vec<Candidate> = Vec::new();
    for (order, id, span) in found {
        match kept.last_mut().filter(|last| span.start < last.2.end) {
            None => kept.push((order, id, span)),
            Some(last) => {
                let end = last.2.end.max(span.end);
                let (order, id) = (last.0, last.1).min((order, id));
                *last = (order, id, last.2.start..end);
            }
        }
    }
    kept.into_iter().map(|(_, rule, span)| Finding { rule, span }).collect()
}
