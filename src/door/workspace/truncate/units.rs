//! The units that an extract is made of: lines, and in a line sentences.

use std::ops::Range;

use super::pieces::lines;

/// A full stop after one of these does not end a sentence.
const ABBREVIATIONS: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "Mr.", "Mrs.", "Ms.", "Dr.", "No.", "St."];

/// The units of a text, in order. None is blank, or starts or ends with white space. Lines of code have no sentences.
pub fn units(text: &str, is_code: bool) -> Vec<Range<usize>> {
    let lines = lines(text, 0..text.len());
    if is_code { lines.collect() } else { lines.flat_map(|line| sentences(text, line)).collect() }
}

fn sentences(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let (offset, line) = (line.start, &text[line]);
    let mut found = Vec::new();
    let mut start = 0;
    let ends = line.char_indices().filter(|(at, character)| ends_sentence(line, *at, *character));
    for end in ends.map(|(at, character)| at + character.len_utf8()).chain([line.len()]) {
        let sentence = line[start..end].trim();
        if !sentence.is_empty() {
            let first = end - line[start..end].trim_start().len();
            found.push(offset + first..offset + first + sentence.len());
        }
        start = end;
    }
    found
}

/// Whether a sentence ends with the character at a place of a line.
fn ends_sentence(line: &str, at: usize, character: char) -> bool {
    let behind = &line[at + character.len_utf8()..];
    match character {
        '。' | '！' | '？' => true,
        '!' | '?' | '…' => is_at_word_end(behind),
        '.' => is_at_word_end(behind) && !is_part_of_something(&line[..=at], behind),
        _ => false,
    }
}

fn is_at_word_end(behind: &str) -> bool {
    behind.chars().next().is_none_or(char::is_whitespace)
}

/// Whether a full stop belongs to an initial, a number, an abbreviation, or the number of a line.
fn is_part_of_something(before: &str, behind: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let bare = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut last = word.chars().rev().skip(1);
    let (letter, in_front) = (last.next(), last.next());
    let is_initial = letter.is_some_and(char::is_alphabetic) && !in_front.is_some_and(char::is_alphanumeric);
    let is_digit = |character: Option<char>| character.is_some_and(|character| character.is_ascii_digit());
    let is_in_number = is_digit(letter) && is_digit(behind.trim_start().chars().next());
    let is_list_number =
        before.trim_start() == word && word[..word.len() - 1].bytes().all(|byte| byte.is_ascii_digit());
    is_initial || is_in_number || is_list_number || ABBREVIATIONS.contains(&bare)
}

#[cfg(test)]
mod tests {
    use super::units;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let units: Vec<&str> = units(text, false).into_iter().map(|unit| &text[unit]).collect();
        assert_eq!(units, expected);
    }

    #[test]
    fn sentences_end_before_white_space() {
        check("One. Two! Three? Four… five.six", &["One.", "Two!", "Three?", "Four…", "five.six"]);
        check("一。二！三", &["一。", "二！", "三"]);
        check("  One \r\n\n\tTwo. \n", &["One", "Two."]);
    }

    #[test]
    fn a_full_stop_may_belong_to_a_word() {
        check("See J. Smith (e.g. in St. Ives). Then No. 5.", &["See J. Smith (e.g. in St. Ives).", "Then No. 5."]);
        check("It is 3. 4 of them. 5. Five", &["It is 3. 4 of them.", "5.", "Five"]);
        check("Plan B. Then", &["Plan B. Then"]);
        check("1. Renew it. Now\n  12. Pay", &["1. Renew it.", "Now", "12. Pay"]);
    }

    #[test]
    fn code_has_lines_only() {
        let text = "  a. b\n\n\tc\r\n";
        let units: Vec<&str> = units(text, true).into_iter().map(|unit| &text[unit]).collect();
        assert_eq!(units, ["a. b", "c"]);
    }
}
