//! Text from the tree as a part of something else: a markdown fence, a heading, a shell command. Nothing in the text
//! can end what is around it.

use std::path::Path;

use super::is_bidi_control;

/// A fence of backticks that is longer than any run of backticks in the text.
pub fn fence(text: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    let text = memchr::memchr(b'`', text.as_bytes()).map_or("", |first| &text[first..]);
    for byte in text.bytes() {
        run = if byte == b'`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(longest.max(2) + 1)
}

/// The text on one line: line breaks, control characters and direction marks become spaces.
pub fn one_line(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.to_string();
    }
    text.chars().map(|c| if disturbs_line(c) { ' ' } else { c }).collect()
}

/// Whether a character ends a line, cannot be seen, or turns the direction of a line around.
pub fn disturbs_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') || is_bidi_control(c)
}

/// A path that can be pasted into a shell command.
pub fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        let check = |path: &str, word: &str| assert_eq!(shell_word(Path::new(path)), word);
        check("../src/日本.rs", "../src/日本.rs");
        check("a b", "'a b'");
        check("it's $HOME", r"'it'\''s $HOME'");
        check("", "''");
    }
}
