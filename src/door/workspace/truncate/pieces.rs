//! The smallest pieces that a text is cut between: lines of code, words of other text.

use std::ops::Range;

use unicode_general_category::{GeneralCategory, get_general_category};

/// A longer line of code is cut between its words: it was made by a program.
const LONG_LINE: usize = 200;
/// A longer word is cut between its characters: it is data, or its script has no spaces.
const LONG_WORD: usize = 50;

/// The pieces of a part of a text, in order. None is blank, or starts or ends with white space.
pub fn pieces(text: &str, part: Range<usize>, is_code: bool) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    if !is_code {
        add_words(text, part, &mut pieces);
        return pieces;
    }
    for line in lines(text, part) {
        if is_longer(&text[line.clone()], LONG_LINE) {
            add_words(text, line, &mut pieces);
        } else {
            pieces.push(line);
        }
    }
    pieces
}

/// The lines of a part of a text that are not blank, without white space around them.
pub fn lines(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut end = part.start;
    let lines = text[part].split_inclusive('\n').map(move |line| {
        end += line.len();
        let start = end - line.trim_start().len();
        start..start + line.trim().len()
    });
    lines.filter(|line| !line.is_empty())
}

fn add_words(text: &str, part: Range<usize>, pieces: &mut Vec<Range<usize>>) {
    let mut rest = part.start;
    for word in text[part].split_inclusive(char::is_whitespace) {
        let start = rest;
        rest += word.len();
        let word = word.trim_end();
        match word {
            "" => (),
            _ if is_longer(word, LONG_WORD) => add_characters(word, start, pieces),
            _ => pieces.push(start..start + word.len()),
        }
    }
}

/// What stands for one character to a reader, may be several characters: a letter and its accents, an emoji and its
/// colour.
fn add_characters(word: &str, offset: usize, pieces: &mut Vec<Range<usize>>) {
    let (mut start, mut before) = (0, None);
    for (at, character) in word.char_indices() {
        if at > start && before != Some(JOINER) && !continues(character) {
            pieces.push(offset + start..offset + at);
            start = at;
        }
        before = Some(character);
    }
    pieces.push(offset + start..offset + word.len());
}

const JOINER: char = '\u{200d}';

/// Whether it changes the character in front of it.
fn continues(character: char) -> bool {
    use GeneralCategory as Category;
    let category = get_general_category(character);
    let is_mark = matches!(category, Category::NonspacingMark | Category::SpacingMark | Category::EnclosingMark);
    is_mark || matches!(category, Category::Format | Category::ModifierSymbol) && !character.is_ascii()
}

fn is_longer(text: &str, characters: usize) -> bool {
    text.chars().nth(characters).is_some()
}
