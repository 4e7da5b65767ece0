//! Finds quotations in a line. An apostrophe (`doesn't`, `users'`) is not a quotation mark.

use std::ops::Range;

/// The marks that open a quotation, each with the marks that close it. A closing mark opens nothing: in `«a» b «c»`, `b` is
/// not quoted.
const MARKS: &[(char, &[char])] = &[
    ('"', &['"']),
    ('\'', &['\'']),
    ('`', &['`']),
    ('“', &['”']),
    ('„', &['“', '”']),
    ('‘', &['’']),
    ('‚', &['‘', '’']),
    ('«', &['»']),
    ('‹', &['›']),
    ('「', &['」']),
    ('『', &['』']),
];

/// The bytes between quotation marks, without the marks, by mark and in order. Quotations with different marks may
/// overlap.
pub fn quotations(line: &str) -> Vec<Range<usize>> {
    MARKS.iter().flat_map(|(open, close)| quotations_by(line, *open, close)).collect()
}

fn quotations_by(line: &str, open: char, close: &[char]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = line[from..].find(open).map(|at| from + at) {
        let start = at + open.len_utf8();
        from = start;
        if !opens(line, at, open) {
            continue;
        }
        if let Some(end) = end_of(line, start, open, close) {
            found.push(start..end);
            from = end + line[end..].chars().next().map_or(0, char::len_utf8);
        }
    }
    found
}

fn end_of(line: &str, start: usize, open: char, close: &[char]) -> Option<usize> {
    let closing = |marks: &[char]| {
        let mut ends = line[start..].char_indices().filter(|(_, c)| marks.contains(c));
        ends.find(|(at, mark)| *at > 0 && closes(line, start + at, *mark)).map(|(at, _)| start + at)
    };
    // Older tools write `name'.
    closing(close).or_else(|| if open == '`' { closing(&['\'']) } else { None })
}

/// Marks that are also apostrophes.
fn is_apostrophe(mark: char) -> bool {
    matches!(mark, '\'' | '’' | '‘')
}

/// Whether the mark at a byte can open a quotation: an apostrophe follows a letter or precedes a space.
fn opens(line: &str, at: usize, mark: char) -> bool {
    if !is_apostrophe(mark) {
        return true;
    }
    let (before, after) = (&line[..at], &line[at + mark.len_utf8()..]);
    let is_prefixed = mark == '\'' && ends_with_prefix(before);
    let follows_word = before.ends_with(char::is_alphanumeric) && !is_prefixed;
    !follows_word && !after.starts_with(char::is_whitespace)
}

/// Whether a text ends with the prefix of a Python string: `u'…'`.
fn ends_with_prefix(before: &str) -> bool {
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(word, "b" | "f" | "r" | "u" | "B" | "F" | "R" | "U" | "rb" | "br")
}

fn closes(line: &str, at: usize, mark: char) -> bool {
    let (before, after) = (&line[..at], &line[at + mark.len_utf8()..]);
    !is_apostrophe(mark) || !before.ends_with(char::is_whitespace) && !after.starts_with(char::is_alphanumeric)
}

/// Whether the word at these bytes belongs to a contraction or a possessive and says nothing: the `doesn` and the `t` of
/// `doesn't`, the `s` of `user's`.
pub fn is_contracted(line: &str, word: Range<usize>) -> bool {
    const ENDS: &[&str] = &["d", "ll", "m", "re", "s", "t", "ve"];
    let (before, after, word) = (&line[..word.start], &line[word.end..], &line[word]);
    let joined = before.strip_suffix(is_apostrophe).is_some_and(|before| before.ends_with(char::is_alphanumeric));
    let is_end = joined && ENDS.iter().any(|end| end.eq_ignore_ascii_case(word));
    let negates = after.strip_prefix(is_apostrophe).is_some_and(|after| {
        after.starts_with(['t', 'T']) && !after[1..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
    });
    is_end || negates && word.ends_with(['n', 'N'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(line: &str, quoted: &[&str]) {
        let found: Vec<&str> = quotations(line).into_iter().map(|range| &line[range]).collect();
        assert_eq!(found, quoted, "{line}");
    }

    #[test]
    fn apostrophes_are_not_quotation_marks() {
        check("it doesn't pick up changes and it's slow, isn't it", &[]);
        check("the users' names and the hosts' names", &[]);
        check("l’utilisateur n’est pas d’accord", &[]);
        check("axum's router doesn't match 'static files' when it's nested", &["static files"]);
        check("in the '90s and the '80s", &[]);
    }

    #[test]
    fn every_kind_of_quotation_is_found() {
        check("a \"foo bar\" b", &["foo bar"]);
        check("says 'foo bar'.", &["foo bar"]);
        check("says 'foo doesn't bar' twice", &["foo doesn't bar"]);
        check("says ‘foo bar’ and “foo baz”", &["foo baz", "foo bar"]);
        check("`foo bar` «foo baz» „foo qux“ 「下書き」", &["foo bar", "foo qux", "foo baz", "下書き"]);
        check("undefined method `each' for nil", &["each"]);
        check("got u'foo bar'", &["foo bar"]);
    }

    #[test]
    fn contractions_say_nothing() {
        let words = |line: &str| -> Vec<String> {
            let all = super::super::words::words(line);
            let told = all.filter(|(at, word)| !is_contracted(line, *at..at + word.len()));
            told.map(|(_, word)| word.to_string()).collect()
        };
        assert_eq!(words("it doesn't read the user's file"), ["it", "read", "the", "user", "file"]);
        assert_eq!(words("open 'users' and n'x'"), ["open", "users", "and", "n", "x"]);
    }

    proptest! {
        #[test]
        fn words_with_apostrophes_never_quote(words in prop::collection::vec("[a-z]{2,6}['’‘](s|t|ll|re|ve)?", 1..12)) {
            // `rb's` may start a Python string.
            prop_assume!(!words.iter().any(|word| word.split_once('\'').is_some_and(|(word, _)| ends_with_prefix(word))));
            prop_assert!(quotations(&words.join(" ")).is_empty());
        }

        #[test]
        fn a_quotation_is_found_between_apostrophes(
            before in "([a-z]{3,6}'s ){0,4}",
            inside in "[a-z]{3,6}( [a-z]{2,6}('t|'s)?){1,4} [a-z]{3,6}",
            after in "( [a-z]{3,6}'t){0,4}",
            marks in prop::sample::select(vec![("'", "'"), ("\"", "\""), ("‘", "’"), ("“", "”"), ("«", "»"), ("`", "`")]),
        ) {
            let line = format!("{before}{}{inside}{}{after}", marks.0, marks.1);
            let found: Vec<&str> = quotations(&line).into_iter().map(|range| &line[range]).collect();
            prop_assert!(found.contains(&inside.as_str()), "{}: {:?}", line, found);
        }

        #[test]
        fn ranges_are_inside_any_line(line in "\\PC{0,60}") {
            for range in quotations(&line) {
                prop_assert!(line.get(range).is_some());
            }
        }
    }
}
