//! Hand examples, and what the functions promise of each other. Comparisons stand in the folder.

use proptest::prelude::*;

use super::*;

mod adding;
mod parts;
mod peer;

use Tokenizer::{Cl100kBase, O200kBase};

/// The text's pieces are those between the bars.
#[track_caller]
fn check(tokenizer: Tokenizer, barred: &str) {
    let text = barred.replace('|', "");
    let pieces: Vec<&str> = tokenizer.pieces(&text).collect();
    assert_eq!(pieces.join("|"), barred, "{}", tokenizer.name());
}

#[track_caller]
fn check_both(barred: &str) {
    Tokenizer::ALL.into_iter().for_each(|tokenizer| check(tokenizer, barred));
}

#[test]
fn words_take_the_character_before_them() {
    check_both("let| total|_price| =| item|.price|(|1|);\n");
    check_both("\tname|:| Vec|<u|8|>,\n|\t|}");
}

#[test]
fn numbers_are_cut_at_three_digits() {
    check_both("123|456|7| |٣٤٥|٦½");
}

#[test]
fn capitals_start_a_word_in_o200k_alone() {
    check(O200kBase, "parse|XMLHttp|Request|HTTP");
    check(Cl100kBase, "parseXMLHttpRequestHTTP");
    check(O200kBase, "ABC日|DE");
    check(O200kBase, "ABCd日|DE日f|ǅ");
}

#[test]
fn marks_are_letters_in_o200k_alone() {
    check(O200kBase, "e\u{301}te\u{301}|;\u{301}|;;\u{301}\n");
    check(Cl100kBase, "e|\u{301}te|\u{301};\u{301};;\u{301}\n");
    check(O200kBase, "\u{301}|ABC");
    check(O200kBase, "\u{301}AB日|C");
}

#[test]
fn contractions_end_a_word_or_stand_alone() {
    check(O200kBase, "don't| they'LL| it'ſ|'tis| o|'clock");
    check(Cl100kBase, "don|'t| they|'LL| it|'ſ|'t|is| o|'clock");
}

#[test]
fn punctuation_takes_the_line_breaks_behind_it() {
    check_both("f|()| {\r\n\n|   | x");
    check(O200kBase, "x|;\n//| why");
    check(Cl100kBase, "x|;\n|//| why");
    check_both("x|\n|//| why");
}

#[test]
fn a_run_of_whitespace_ends_behind_its_last_line_break_or_before_its_last_space() {
    check_both("a| \n \n|   | b");
    check_both("a|\t|\t|=");
    check_both("a|\n|  ");
    check_both("a|\u{3000}|\u{3000}b|\u{85}\u{2028}");
}

#[test]
fn special_tokens_are_text() {
    for tokenizer in Tokenizer::ALL {
        assert_eq!(tokenizer.pieces("<|endoftext|>").collect::<Vec<_>>(), ["<|", "endoftext", "|>"]);
        assert_eq!(tokenizer.count("<|endoftext|>"), 7);
    }
}

#[test]
fn counts_known_from_openai() {
    for (text, o200k, cl100k) in [
        ("", 0, 0),
        ("tiktoken is great!", 6, 6),
        ("antidisestablishmentarianism", 6, 6),
        ("2 + 2 = 4", 7, 7),
        ("お誕生日おめでとう", 8, 9),
    ] {
        assert_eq!((O200kBase.count(text), Cl100kBase.count(text)), (o200k, cl100k), "{text}");
    }
}

#[test]
fn a_tokenizer_has_one_name() {
    for tokenizer in Tokenizer::ALL {
        assert_eq!(tokenizer.name().parse(), Ok(tokenizer));
        assert_eq!(serde_json::to_value(tokenizer).unwrap(), tokenizer.name());
        assert_eq!(serde_json::from_value::<Tokenizer>(tokenizer.name().into()).unwrap(), tokenizer);
    }
    let schema = schemars::schema_for!(Tokenizer);
    assert_eq!(schema.get("enum"), Some(&serde_json::json!(["o200k_base", "cl100k_base"])));
    assert_eq!(Tokenizer::default(), O200kBase);
    let fault = "gpt2".parse::<Tokenizer>().unwrap_err();
    assert_eq!(fault.to_string(), "`gpt2` is not a tokenizer: it is `o200k_base` or `cl100k_base`");
}

#[test]
fn a_prefix_ends_behind_a_word_and_not_behind_a_space() {
    assert_eq!(O200kBase.prefix("one two three", 2), "one two".len());
    assert_eq!(O200kBase.prefix("one   two", 2), "one".len());
    assert_eq!(O200kBase.prefix("one  ", 2), "one  ".len());
    assert_eq!(O200kBase.prefix("one", 0), 0);
}

#[test]
fn a_limit_is_told_without_merging_what_is_over_it() {
    let piece = "a".repeat(8 << 20);
    assert_eq!(O200kBase.count_until(&piece, 1000), None);
    assert_eq!(O200kBase.prefix(&format!("one {piece}"), 1000), "one".len());
    assert_eq!(O200kBase.count_until("", 0), Some(0));
    assert_eq!(O200kBase.count_until("a", 0), None);
}

/// What texts are made of that try the patterns: every kind of character, and words that are cut.
const PARTS: &[&str] = &[
    "a",
    "B",
    "word",
    "Word",
    "WORD",
    "ß",
    "Ж",
    "ж",
    "ǅ",
    "ʰ",
    "日本",
    "中",
    "\u{301}",
    "\u{903}",
    "1",
    "22",
    "٣",
    "½",
    "Ⅷ",
    " ",
    "  ",
    "\t",
    "\u{a0}",
    "\u{3000}",
    "\u{85}",
    "\u{b}",
    "\n",
    "\r\n",
    "\r",
    "/",
    "//",
    ";",
    "'",
    "'s",
    "'LL",
    "'ſ",
    "'re",
    "==",
    "{",
    "}",
    "_",
    "<|endoftext|>",
    "😀",
    "👩‍💻",
    "\u{200d}",
    "\u{0}",
    "\u{feff}",
    "\u{10ffff}",
];

fn mixed_text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PARTS), 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_limit_is_the_count_or_nothing(text in mixed_text(), limit in 0_usize..30) {
        for tokenizer in Tokenizer::ALL {
            let count = tokenizer.count(&text);
            prop_assert_eq!(tokenizer.count_until(&text, limit), (count <= limit).then_some(count));
        }
    }

    #[test]
    fn a_prefix_is_the_longest_and_counts_the_same_for_itself(text in mixed_text(), limit in 0_usize..30) {
        for tokenizer in Tokenizer::ALL {
            let prefix = tokenizer.prefix(&text, limit);
            let all: Vec<&str> = tokenizer.pieces(&text).collect();
            let before = tokenizer.pieces(&text[..prefix]).count();
            prop_assert!(tokenizer.pieces(&text[..prefix]).eq(all[..before].iter().copied()));
            prop_assert!(tokenizer.count(&text[..prefix]) <= limit);
            let next = all[before..].iter().position(|piece| !piece.ends_with(char::is_whitespace));
            if let Some(next) = next {
                prop_assert!(tokenizer.count(&all[..=before + next].concat()) > limit);
            }
        }
    }
}
