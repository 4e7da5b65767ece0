//! Japanese noun phrases: which name a feature, and what stands around them.

use super::script::{Script, runs};
use super::words::WORDS;

/// Where `Xの不具合` names what is not as it should be, the end of `Xの`.
pub fn before_problem(noun: &str, rest: &str) -> Option<usize> {
    let end = behind_last_of(noun)?;
    let is_whole = rest.is_empty() || particle(rest).is_some();
    (is_whole && WORDS.japanese.no_target_end.is_match(&noun[end..])).then_some(end)
}

/// The end of `Xの`.
pub fn behind_last_of(noun: &str) -> Option<usize> {
    noun.rfind('の').map(|at| at + 'の'.len_utf8())
}

/// The bytes of blanks before what follows a noun phrase.
pub fn gap(rest: &str) -> usize {
    rest.len() - rest.trim_start_matches(' ').len()
}

pub fn particle(rest: &str) -> Option<&'static str> {
    const PARTICLES: [&str; 9] = ["だけ", "って", "が", "は", "も", "に", "を", "で", "の"];
    PARTICLES.into_iter().find(|particle| rest.starts_with(particle))
}

/// A noun phrase right before a verb: `ログイン機能|直して`.
pub fn name_and_verb(action: &str) -> Option<(&str, &str)> {
    let words = &WORDS.japanese;
    let borders = action.char_indices().skip(1).map(|(at, _)| at).take_while(|at| *at < MAX_NAME_BYTES);
    let is_split = |at: &usize| {
        let (name, verb) = action.split_at(*at);
        words.verb_alone.is_match(verb)
            && words.noun_phrase.find(name).is_some_and(|found| found.end() == name.len())
            && is_target(name)
            && name.chars().count() > 1
            && !is_torn(name, verb)
    };
    let at = borders.filter(is_split).find(|at| !action[*at..].contains(['を', 'に', 'が', 'は', 'と']))?;
    Some(action.split_at(at))
}

/// A name right before its verb is short.
const MAX_NAME_BYTES: usize = 120;

/// Whether a border lies in the middle of a word: kanji come in pairs.
fn is_torn(name: &str, verb: &str) -> bool {
    let last = runs(name).pop();
    let count = last.filter(|(script, _)| *script == Script::Kanji).map_or(0, |(_, range)| name[range].chars().count());
    let is_noun = verb.chars().nth(1).is_some_and(|c| Script::of(c) == Script::Kanji);
    is_noun && count % 2 == 1
}

/// Whether a noun phrase names a feature.
pub fn is_target(noun: &str) -> bool {
    let words = &WORDS.japanese;
    let noun = plain(noun);
    let is_listed = words.no_target.contains(noun) || words.manner_or_cause.contains(noun) || is_environment(noun);
    let has_name = noun.contains(|c: char| c.is_alphabetic());
    has_name && !is_listed && !words.no_target_end.is_match(noun)
}

pub fn is_environment(noun: &str) -> bool {
    let noun = plain(noun);
    WORDS.japanese.environment.contains(noun) || noun.ends_with("環境")
}

/// A noun phrase without what only points at it.
pub fn plain(noun: &str) -> &str {
    let mut noun = noun.trim();
    for word in ["この", "その", "あの", "該当の", "現在の"] {
        noun = noun.strip_prefix(word).unwrap_or(noun).trim();
    }
    let noun = noun.strip_suffix("()").unwrap_or(noun);
    for (open, close) in [("「", "」"), ("『", "』"), ("`", "`")] {
        let inside = noun.strip_prefix(open).and_then(|noun| noun.strip_suffix(close));
        if let Some(inside) = inside.filter(|inside| !inside.contains(open)) {
            return inside.strip_suffix("()").unwrap_or(inside);
        }
    }
    noun
}
