//! Words as a shell takes them.

use std::path::Path;

/// A path that can be pasted into a command, whatever it holds.
pub fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.into_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
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
