//! Finds secrets: one pass over the text for all keywords, and a pattern only where its keyword occurs.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::around::a_value_ends;
use super::rules::TABLE;
use super::{Finding, placeholder, private_key};

/// The secrets of a text, in the order of the text; no two overlap.
pub fn find(text: &str) -> Vec<Finding> {
    let scanner = &*SCANNER;
    let mut found: Vec<Candidate> = Vec::new();
    let mut tried_to = vec![0; TABLE.rules.len() + 1];
    for keyword in scanner.keywords.find_overlapping_iter(text) {
        for rule in scanner.rules_of[keyword.pattern().as_usize()].iter().copied() {
            let tried = try_rule(rule, text, keyword.start(), tried_to[rule]);
            if let Some((span, secret)) = tried {
                tried_to[rule] = span.end;
                found.extend(secret);
            }
        }
    }
    merge_overlapping(found)
}

/// What one rule found: its number, the id, the span.
type Candidate = (usize, &'static str, Range<usize>);

struct Scanner {
    keywords: AhoCorasick,
    /// The numbers of the rules of each keyword, in the order of the rules, from 1 on.
    rules_of: Vec<Vec<usize>>,
}

/// The number that stands for all rules of private keys.
const PRIVATE_KEYS: usize = 0;

static SCANNER: LazyLock<Scanner> = LazyLock::new(|| {
    let mut keywords: Vec<(&str, Vec<usize>)> =
        private_key::KEYWORDS.iter().map(|keyword| (*keyword, vec![PRIVATE_KEYS])).collect();
    for (number, rule) in (1..).zip(TABLE.rules.iter()) {
        for keyword in &rule.keywords {
            match keywords.iter_mut().find(|(known, _)| known == keyword) {
                Some((_, rules)) => rules.push(number),
                None => keywords.push((keyword, vec![number])),
            }
        }
    }
    let (words, rules_of): (Vec<&str>, Vec<Vec<usize>>) = keywords.into_iter().unzip();
    let keywords = AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).build(words);
    Scanner { keywords: keywords.expect("keywords are few"), rules_of }
});

/// What a rule makes of one place: what it looked at, and the secret, if it is one. Nothing where its pattern does not
/// hold, or where it has already found something.
fn try_rule(number: usize, text: &str, keyword: usize, from: usize) -> Option<(Range<usize>, Option<Candidate>)> {
    if number == PRIVATE_KEYS {
        let (kind, span) = if keyword < from { None } else { private_key::block(text, keyword) }?;
        return Some((span.clone(), Some((number, kind, span))));
    }
    let rule = &TABLE.rules[number - 1];
    let start = keyword.checked_sub(rule.prefix_bytes).filter(|start| *start >= from)?;
    if !rule.after.holds(&text.as_bytes()[..start]) {
        return None;
    }
    let span = rule.match_pattern(text, start)?;
    let is_valid = (!rule.until_value_end || a_value_ends(&text.as_bytes()[span.end..]))
        && rule.check.holds(&text[span.clone()])
        && !placeholder::is_in_rule_name(text, keyword);
    Some((span.clone(), is_valid.then_some((number, &*rule.id, span))))
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
