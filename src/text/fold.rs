//! Names as people compare them: without case, normal forms or runs of white space.

use unicode_normalization::UnicodeNormalization;

/// NFC, lower case, and one space for each run of white space. Two spellings of one title fold to one text.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return spaced(&name.to_ascii_lowercase());
    }
    // Lower case may need a normal form again: `İ` becomes two characters.
    let lower: String = name.nfc().flat_map(char::to_lowercase).nfc().collect();
    spaced(&lower)
}

fn spaced(name: &str) -> String {
    let mut words = name.split_whitespace();
    let mut folded = String::with_capacity(name.len());
    folded.extend(words.next());
    words.for_each(|word| {
        folded.push(' ');
        folded.push_str(word);
    });
    folded
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn spellings_of_one_name_fold_to_one_text() {
        assert_eq!(fold("  Über\u{a0} uns\n"), "über uns");
        assert_eq!(fold("Cafe\u{301}"), fold("CAFÉ"));
        assert_eq!(fold("A  b"), "a b");
        assert_ne!(fold("a-b"), fold("a b"));
    }
}
