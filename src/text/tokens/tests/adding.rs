//! When two texts put together have as many tokens as both apart.

use super::*;

/// The pieces, not only their counts, are the same: the law does not hang on what is a token.
#[track_caller]
fn add_up(tokenizer: Tokenizer, before: &str, after: &str) -> bool {
    let whole = [before, after].concat();
    let apart = tokenizer.pieces(before).chain(tokenizer.pieces(after));
    let same = tokenizer.pieces(&whole).eq(apart);
    assert!(!same || tokenizer.count(&whole) == tokenizer.count(before) + tokenizer.count(after));
    same
}

#[track_caller]
fn check_adding(tokenizer: Tokenizer, before: &str, after: &str, expected: bool) {
    assert_eq!(tokenizer.counts_add_up(before, after), expected, "{before:?} {after:?}");
    assert_eq!(add_up(tokenizer, before, after), expected, "{before:?} {after:?}");
}

#[test]
fn lines_add_up() {
    for tokenizer in Tokenizer::ALL {
        for after in ["fn main() {}", "    indented", "\tindented", "}", "'s", "123", "日本", "\u{301}", "   "] {
            for before in ["use x;\n", "word\n", "{\r\n", "\n\n", "  \n", "// why/\n", "1\n", "a\r"] {
                check_adding(tokenizer, before, after, true);
            }
        }
    }
}

#[test]
fn a_slash_joins_the_punctuation_of_the_line_before_in_o200k() {
    for before in ["x;\n", "{\r\n\r\n", "/\n", "!!\u{301}\n"] {
        check_adding(O200kBase, before, "// why", false);
        check_adding(Cl100kBase, before, "// why", true);
    }
    for before in ["x\n", "1\n", "; \n", ";\n \n", "\n", "日\n"] {
        check_adding(O200kBase, before, "// why", true);
    }
    check_adding(O200kBase, "x;\n", "    // why", true);
}

#[test]
fn blank_lines_do_not_add_up() {
    for tokenizer in Tokenizer::ALL {
        for after in ["\n", "\r\nx", "  \n", "\u{3000}\nx"] {
            check_adding(tokenizer, "x\n", after, false);
        }
        check_adding(tokenizer, "one", "two", false);
        check_adding(tokenizer, "one ", "two", false);
    }
}

#[test]
fn nothing_adds_nothing() {
    for tokenizer in Tokenizer::ALL {
        for text in ["", "x", " ", "\n", "/"] {
            check_adding(tokenizer, "", text, true);
            check_adding(tokenizer, text, "", true);
        }
    }
}

/// Every text of one or two characters, one of each kind, before a line break and behind it.
#[test]
fn the_law_holds_for_all_short_texts() {
    let kinds = ["a", "A", "日", "\u{301}", "1", " ", "\n", "\r", "/", ";", "'"];
    let two = |kinds: &[&str]| -> Vec<String> {
        let pairs = kinds.iter().flat_map(|left| kinds.iter().map(move |right| [*left, *right].concat()));
        pairs.chain(kinds.iter().map(ToString::to_string)).collect()
    };
    for before in two(&kinds) {
        for after in two(&kinds) {
            the_law_holds(&format!("{before}\n"), &after);
        }
    }
}

#[track_caller]
fn the_law_holds(before: &str, after: &str) {
    for tokenizer in Tokenizer::ALL {
        let known = tokenizer.counts_add_up(before, after);
        assert!(!known || add_up(tokenizer, before, after), "{} {before:?} {after:?}", tokenizer.name());
        assert!(known || !promised(before, after), "{} {before:?} {after:?}", tokenizer.name());
    }
}

/// The law as it is easily remembered: a whole line, then a line that has something on it, but no slash at first.
fn promised(before: &str, after: &str) -> bool {
    let first = after.trim_start_matches([' ', '\t']).chars().next();
    before.ends_with('\n') && first.is_some_and(|first| !first.is_whitespace()) && !after.starts_with('/')
}

proptest! {
    #[test]
    fn the_law_holds_for_mixed_texts(before in mixed_text(), after in mixed_text()) {
        the_law_holds(&format!("{before}\n"), &after);
        the_law_holds(&before, &after);
    }

    #[test]
    fn the_law_holds_for_all_characters(before: String, after: String) {
        the_law_holds(&format!("{before}\n"), &after);
    }
}
