//! Runs of characters of one script.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    Kanji,
    Katakana,
    Hiragana,
    /// Letters and digits of scripts with spaces.
    Word,
    Other,
}

impl Script {
    pub fn of(c: char) -> Script {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => Script::Word,
            '\0'..='\x7f' => Script::Other,
            '\u{3041}'..='\u{3096}' | '\u{309d}'..='\u{309f}' => Script::Hiragana,
            '\u{30a1}'..='\u{30fa}' | 'ー' | '\u{30fd}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => Script::Katakana,
            '々' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Script::Kanji,
            '\u{20000}'..='\u{3ffff}' => Script::Kanji,
            c if c.is_alphanumeric() => Script::Word,
            _ => Script::Other,
        }
    }
}

/// Whether a character is kana or kanji.
pub fn is_japanese(c: char) -> bool {
    matches!(Script::of(c), Script::Kanji | Script::Katakana | Script::Hiragana)
}

/// Whether a run is the `件` of `10件表示`, which is no part of the word behind it.
fn is_counter(text: &str, run: &Range<usize>) -> bool {
    let counts = "件個回人年月日時分秒円台枚本名度倍桁行列番目".contains(&text[run.clone()]);
    counts && text[..run.start].ends_with(|c: char| c.is_numeric())
}

/// The runs of a text, in order, as byte ranges.
pub fn runs(text: &str) -> Vec<(Script, Range<usize>)> {
    let mut runs: Vec<(Script, Range<usize>)> = Vec::new();
    for (at, c) in text.char_indices() {
        let (script, end) = (Script::of(c), at + c.len_utf8());
        match runs.last_mut() {
            Some((last, range)) if *last == script && !is_counter(text, range) => range.end = end,
            _ => runs.push((script, at..end)),
        }
    }
    runs
}

/// How wide a text is where kana and kanji take two columns.
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

fn is_wide(c: char) -> bool {
    is_japanese(c) && !matches!(c, '\u{ff66}'..='\u{ff9f}')
        || matches!(c, '\u{3000}'..='\u{30ff}' | '\u{ff01}'..='\u{ff60}')
}
