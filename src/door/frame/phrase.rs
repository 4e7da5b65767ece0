//! Noun phrases of English clauses, found without knowing the parts of speech.

use std::ops::Range;

use super::words::WORDS;

/// A word of a sentence.
#[derive(Clone, Debug)]
pub struct Token<'t> {
    pub range: Range<usize>,
    /// As it is written, without marks around it.
    pub word: &'t str,
    pub lower: String,
    /// Whether a mark stands behind it.
    is_last: bool,
}

/// Longer names are no names.
const MAX_WORDS: usize = 4;

/// The words of a part of a text.
pub fn tokens(text: &str, range: Range<usize>) -> Vec<Token<'_>> {
    let inside = &text[range];
    let is_mark = |c: char| matches!(c, ',' | '.' | ';' | ':' | '"' | '(' | ')' | '!' | '?' | '“' | '”' | '\'');
    let token = |piece: &'_ str| {
        let word = piece.trim_matches(is_mark);
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let is_last = piece.ends_with([',', ';', ':', ')']);
        (start..start + word.len(), is_last)
    };
    let pieces = inside.split_whitespace().map(token).filter(|(range, _)| !range.is_empty());
    pieces
        .map(|(range, is_last)| {
            let word = &text[range.clone()];
            Token { range, word, lower: word.to_lowercase().replace('’', "'"), is_last }
        })
        .collect()
}

pub fn is_actor(word: &str) -> bool {
    WORDS.english.actors.contains(word)
}

/// The subject at the start of a clause, with and without its article.
pub fn subject(text: &str, clause: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let words = tokens(text, clause);
    let start = after_articles(&words);
    let verb = verb(&words, start)?;
    let is_adverb = |word: &Token<'_>| word.lower.len() > 4 && word.lower.ends_with("ly");
    let name = words.get(start..verb)?;
    let name = &name[..name.len() - name.iter().rev().take_while(|word| is_adverb(word)).count()];
    if !(1..=MAX_WORDS).contains(&name.len()) {
        return None;
    }
    let is_doing = name[0].lower.ends_with("ing") && !is_feature(&name[name.len() - 1].lower);
    if is_doing || WORDS.english.user_actions.contains(&name[0].lower) || !is_name(name) {
        return None;
    }
    let end = name[name.len() - 1].range.end;
    Some((words[0].range.start..end, name[0].range.start..end))
}

fn after_articles(words: &[Token<'_>]) -> usize {
    words.iter().take_while(|word| WORDS.english.articles.contains(&word.lower)).count()
}

/// Whether a clause has a subject and a verb that is surely one.
pub fn is_sentence(text: &str, clause: Range<usize>) -> bool {
    let words = tokens(text, clause);
    let start = after_articles(&words);
    verb(&words, start).is_some_and(|at| {
        let word = &words[at].lower;
        !WORDS.english.prepositions.contains(word) && !WORDS.english.phrase_ends.contains(word)
    })
}

/// The first feature with an article before it: the whole, and the name.
pub fn named(text: &str, clause: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let words = tokens(text, clause);
    let mut articles = (0..words.len()).filter(|at| WORDS.english.articles.contains(&words[*at].lower));
    articles.find_map(|at| {
        let name = feature(&words, at + 1)?;
        Some((words[at].range.start..name.end, name))
    })
}

/// Where the verb of a clause is: an auxiliary or a verb of failing, else the first word in the third person.
fn verb(words: &[Token<'_>], start: usize) -> Option<usize> {
    let english = &WORDS.english;
    let is_sure = |at: &usize| {
        let word = &words[*at].lower;
        let is_bare = words[at - 1].lower.ends_with('s') && english.bare_verbs.contains(word);
        is_bare || english.auxiliaries.contains(word) || english.problem_verb.is_match(word)
    };
    let is_border = |word: &Token<'_>| {
        english.prepositions.contains(&word.lower)
            || english.articles.contains(&word.lower)
            || english.phrase_ends.contains(&word.lower) && !matches!(word.lower.as_str(), "and" | "or")
    };
    let end = (start..words.len()).find(|at| is_border(&words[*at])).unwrap_or(words.len());
    let sure = (start + 1..end).find(is_sure);
    let is_third_person = |at: &usize| {
        let word = &words[*at].lower;
        let is_verb = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
        is_verb && !is_feature(word)
    };
    let border = (end < words.len() && end > start).then_some(end);
    let is_past = |at: &usize| words[*at].lower.len() > 4 && words[*at].lower.ends_with("ed");
    let verb = || (start + 1..end).find(is_third_person).or_else(|| (start + 1..end).find(is_past));
    sure.or_else(verb).or(border)
}

fn is_feature(word: &str) -> bool {
    let nouns = &WORDS.english.feature_nouns;
    nouns.contains(word) || word.strip_suffix('s').is_some_and(|word| nouns.contains(word))
}

/// Whether words name something: not only people, pronouns and generic nouns.
fn is_name(words: &[Token<'_>]) -> bool {
    let generic = &WORDS.consistency.generic;
    let is_other = |word: &Token<'_>| {
        !is_actor(&word.lower) && !generic.contains(&word.lower) && word.word.contains(char::is_alphabetic)
    };
    let has_pronoun = words.iter().any(|word| WORDS.english.pronouns.contains(&word.lower));
    !has_pronoun && words.iter().any(is_other)
}

/// The first `in the settings page` of a clause: a preposition and a name that ends in a feature; the whole, and the name.
pub fn place(text: &str, clause: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let words = tokens(text, clause);
    let prepositions = words
        .iter()
        .enumerate()
        .filter(|(at, word)| WORDS.english.prepositions.contains(&word.lower) && !is_infinitive(&words, *at));
    prepositions.filter(|(_, word)| !word.is_last).find_map(|(at, preposition)| {
        let start = at + 1 + after_articles(&words[at + 1..]);
        let name = feature(&words, start)?;
        Some((preposition.range.start..name.end, name))
    })
}

/// The first `to the code viewer` of a clause, where something is added: the whole, and the name.
pub fn destination(text: &str, clause: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let words = tokens(text, clause);
    let leads =
        |word: &Token<'_>| matches!(word.lower.as_str(), "to" | "in" | "on" | "into" | "onto" | "inside" | "for");
    let at = words.iter().position(leads)?;
    let start = at + 1 + after_articles(&words[at + 1..]);
    let rest = words.get(start..).filter(|_| start > at + 1)?;
    let name = &rest[..phrase(rest).min(MAX_WORDS)];
    is_name(name).then(|| {
        let end = name[name.len() - 1].range.end;
        (words[at].range.start..end, name[0].range.start..end)
    })
}

/// Whether a `to` leads to a verb: `like to export`, but `to the export`.
fn is_infinitive(words: &[Token<'_>], at: usize) -> bool {
    const VERBS: [&str; 12] =
        ["able", "fail", "fails", "failed", "going", "have", "like", "need", "supposed", "tries", "try", "want"];
    let before = at.checked_sub(1).map(|before| words[before].lower.as_str());
    words[at].lower == "to" && before.is_none_or(|before| VERBS.contains(&before))
}

/// A name of a few words that ends in a feature.
fn feature(words: &[Token<'_>], start: usize) -> Option<Range<usize>> {
    let rest = &words[start.min(words.len())..];
    let count = phrase(rest).min(MAX_WORDS + 1);
    let last = (0..count).rev().find(|at| is_feature(&rest[*at].lower))?;
    let name = &rest[..=last];
    is_name(name).then(|| name[0].range.start..name[last].range.end)
}

/// How many words belong to a noun phrase.
fn phrase(words: &[Token<'_>]) -> usize {
    let english = &WORDS.english;
    let ends = |word: &Token<'_>| {
        english.prepositions.contains(&word.lower)
            || english.phrase_ends.contains(&word.lower)
            || english.auxiliaries.contains(&word.lower)
            || english.articles.contains(&word.lower)
            || english.problem_verb.is_match(&word.lower)
    };
    let end = words.iter().position(ends).unwrap_or(words.len());
    words[..end].iter().position(|word| word.is_last).map_or(end, |last| last + 1)
}

/// The object behind a verb, without its article. `make the sidebar wide` is about the sidebar: there it ends with its
/// feature.
pub fn object(text: &str, behind_verb: Range<usize>, ends_in_feature: bool) -> Option<Range<usize>> {
    let words = tokens(text, behind_verb);
    let start = after_articles(&words);
    if let Some(name) = feature(&words, start).filter(|_| ends_in_feature) {
        return Some(name);
    }
    let rest = words.get(start..)?;
    let count = phrase(rest).min(MAX_WORDS);
    let name = &rest[..if ends_in_feature && count > 1 { count - 1 } else { count }];
    (is_name(name) && !is_actor(&name[0].lower)).then(|| name[0].range.start..name[name.len() - 1].range.end)
}
