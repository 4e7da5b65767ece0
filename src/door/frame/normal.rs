//! The forms in which texts are compared.

use std::sync::LazyLock;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use super::pattern::compiled;
use regex_automata::meta::Regex;

/// The form of requests and quotes: NFC, with line breaks LF. Nothing else is changed, because quotes are looked up in
/// it letter by letter.
pub fn normal(text: &str) -> String {
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_string() };
    if is_nfc(&text) { text } else { text.nfc().collect() }
}

static CONTRACTED: LazyLock<Regex> = LazyLock::new(|| compiled(r"(?i)\b(ca|wo|sha|\w*?)(?:n['’]t|nnot)\b"));

/// The form in which a value is compared with its quote: NFKC, and `doesn't` as `does not`.
pub fn comparable(text: &str) -> String {
    let text: String = text.nfkc().collect();
    let mut plain = String::with_capacity(text.len());
    let mut copied = 0;
    for found in CONTRACTED.find_iter(&text) {
        let word = text[found.range()].to_lowercase();
        let verb = match word.trim_end_matches("nnot").trim_end_matches("n't").trim_end_matches("n’t") {
            "ca" => "can",
            "wo" => "will",
            "sha" => "shall",
            verb => verb,
        };
        plain += &text[copied..found.start()];
        plain += verb;
        plain += " not";
        copied = found.end();
    }
    plain += &text[copied..];
    plain
}

/// Without punctuation around it, in lower case.
pub fn bare(text: &str) -> String {
    let is_mark = |c: char| c.is_whitespace() || "、。，．,.;:…「」『』（）()[]{}\"'`“”‘’".contains(c);
    let text =
        text.trim_matches(is_mark).trim_end_matches(|c: char| is_mark(c) || matches!(c, '!' | '?' | '！' | '？'));
    text.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_forms_and_line_breaks_are_normal() {
        assert_eq!(normal("か\u{3099}\r\nb\rc  ｶ"), "が\nb\nc  ｶ");
    }

    #[test]
    fn contractions_are_spelled_out() {
        assert_eq!(comparable("It doesn't, can't, won't and cannot"), "It does not, can not, will not and can not");
        assert_eq!(comparable("the ant and ５００"), "the ant and 500");
    }

    #[test]
    fn marks_around_a_text_are_dropped() {
        assert_eq!(bare("「Login」。"), "login");
        assert_eq!(bare("C++!"), "c++");
        assert_ne!(bare("=="), bare("!="));
    }
}
