//! The words of a query, and phrases in them: words that stand beside each other.

use std::ops::Range;

use crate::search::{Analyser, words};
use crate::text::is_unspaced;

/// The words of a text in order, stop words included. The text is a query, or a phrase to look for.
#[derive(Clone, Debug)]
pub struct Words {
    /// The text. Only ASCII letters are in lower case, so that every byte is where it was.
    text: String,
    all: Vec<Word>,
}

#[derive(Clone, Debug)]
struct Word {
    /// In bytes.
    range: Range<usize>,
    /// In lower case.
    written: String,
    stem: String,
    gap: Gap,
}

/// What is between a word and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Space,
    Hyphen,
    /// Nothing, or other characters.
    Other,
}

impl Words {
    pub fn new(text: &str) -> Self {
        let (analyser, mut all, mut end) = (Analyser::default(), Vec::new(), 0);
        for range in words(text).flat_map(|(start, word)| runs(start, word)) {
            let written = text[range.clone()].trim_matches('_').to_lowercase();
            let (stem, gap) = (analyser.stem(&written).into_owned(), Gap::of(&text[end..range.start]));
            end = range.end;
            all.push(Word { range, written, stem, gap });
        }
        Words { text: text.to_ascii_lowercase(), all }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether it has a word with a stem.
    pub fn has_stem(&self, stem: &str) -> bool {
        self.all.iter().any(|word| word.stem == stem)
    }

    /// Where the words of a phrase stand, in any form.
    pub fn find(&self, phrase: &Words) -> Vec<Range<usize>> {
        self.find_by(phrase, |word| &word.stem)
    }

    /// Where a phrase stands as it is written.
    pub fn find_written(&self, phrase: &Words) -> Vec<Range<usize>> {
        self.find_by(phrase, |word| &word.written)
    }

    /// The words that stand behind one of these.
    pub fn behind<'w>(&'w self, before: &'w [&str]) -> impl Iterator<Item = Range<usize>> + 'w {
        let is_behind = |pair: &&[Word]| before.contains(&pair[0].written.as_str()) && Gap::Space.admits(pair[1].gap);
        self.all.windows(2).filter(is_behind).map(|pair| pair[1].range.clone())
    }

    fn find_by(&self, phrase: &Words, form: fn(&Word) -> &str) -> Vec<Range<usize>> {
        if phrase.text.contains(is_unspaced) {
            return self.find_unspaced(phrase.text.trim());
        }
        let is_phrase = |window: &&[Word]| {
            window
                .iter()
                .zip(&phrase.all)
                .enumerate()
                .all(|(at, (word, wanted))| form(word) == form(wanted) && (at == 0 || wanted.gap.admits(word.gap)))
        };
        let windows = self.all.windows(phrase.all.len().max(1));
        windows.filter(is_phrase).map(|window| window[0].range.start..window[window.len() - 1].range.end).collect()
    }

    /// Scripts without spaces do not show where a word ends.
    fn find_unspaced(&self, phrase: &str) -> Vec<Range<usize>> {
        self.text.match_indices(phrase).map(|(start, _)| start..start + phrase.len()).collect()
    }
}

impl Gap {
    fn of(between: &str) -> Gap {
        match between {
            "-" | "\u{2010}" | "\u{2011}" => Gap::Hyphen,
            _ if !between.is_empty() && between.chars().all(char::is_whitespace) => Gap::Space,
            _ => Gap::Other,
        }
    }

    /// A space in a phrase may be a hyphen in a query, but not the other way round: `to-do` is not `to do`.
    fn admits(self, other: Gap) -> bool {
        self == other || (self == Gap::Space && other == Gap::Hyphen)
    }
}

/// The parts of a word with spaces around words and without: `TODOを` is `TODO` and `を`.
fn runs(start: usize, word: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<(bool, Range<usize>)> = Vec::new();
    for (at, c) in word.char_indices() {
        let (kind, end) = (is_unspaced(c), start + at + c.len_utf8());
        match runs.last_mut() {
            Some((last, range)) if *last == kind => range.end = end,
            _ => runs.push((kind, start + at..end)),
        }
    }
    runs.into_iter().map(|(_, range)| range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str, phrase: &str) -> Vec<String> {
        let ranges = Words::new(query).find(&Words::new(phrase));
        ranges.into_iter().map(|range| query[range].to_string()).collect()
    }

    #[test]
    fn whole_words_are_found_in_any_form() {
        assert_eq!(found("Tasks, tasked; multitasking task_force", "task"), ["Tasks", "tasked"]);
        assert_eq!(found("My _mine_ memory", "mine"), ["_mine_"]);
        assert_eq!(found("İstanbul ÖFFNEN", "öffnen"), ["ÖFFNEN"]);
        assert_eq!(found("", "task"), [""; 0]);
    }

    #[test]
    fn the_words_of_a_phrase_stand_beside_each_other() {
        assert_eq!(found("past due, past-due, past, due", "past due"), ["past due", "past-due"]);
        assert_eq!(found("a to-do to do", "to-do"), ["to-do"]);
        assert_eq!(found("due. To Ann it is due\nto?", "due to"), ["due\nto"]);
    }

    #[test]
    fn scripts_without_spaces_are_searched_for_letters() {
        assert_eq!(found("期限切れのタスクを見せて", "期限切れ"), ["期限切れ"]);
        assert_eq!(found("TODOを確認", "todo"), ["TODO"]);
        assert_eq!(found("TODOリスト", "todoリスト"), ["TODOリスト"]);
    }

    #[test]
    fn words_are_found_behind_others() {
        let query = "Break down this task, these-ones and this. Then";
        let ranges = Words::new(query).behind(&["this", "these"]).map(|range| &query[range]).collect::<Vec<_>>();
        assert_eq!(ranges, ["task", "ones"]);
    }
}
