//! Eight bytes of a text at once, for the two places where records of an index are read and written.

/// The highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// The lowest.
const LOW: u64 = 0x0101_0101_0101_0101;

/// Marks bytes of this value by their highest bit. Marks behind the first one may be wrong.
fn equal(word: u64, byte: u8) -> u64 {
    let zero = word ^ (LOW * u64::from(byte));
    zero.wrapping_sub(LOW) & !zero & HIGH
}

/// Where the first quote or backslash stands.
#[inline]
pub fn find_quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    // Most texts are short; for long ones it pays to set up more.
    let (words, _) = bytes[..bytes.len().min(32)].as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = equal(word, b'"') | equal(word, b'\\');
        if found != 0 {
            return Some(8 * at + found.trailing_zeros() as usize / 8);
        }
    }
    let before = 8 * words.len();
    memchr::memchr2(b'"', b'\\', &bytes[before..]).map(|at| before + at)
}

/// Whether a text stands for itself between the quotes of JSON.
#[inline]
pub fn is_plain(text: &str) -> bool {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let marks = words.iter().fold(0, |marks, word| {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(LOW * u64::from(b' ')) & !word & HIGH;
        marks | control | equal(word, b'"') | equal(word, b'\\')
    });
    marks == 0 && !rest.iter().any(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte at every place, between bytes that would be mistaken for it first.
    #[test]
    fn all_bytes_are_told_apart_everywhere() {
        for (byte, length) in (0..=127u8).flat_map(|byte| (1..44).map(move |length| (byte, length))) {
            for at in 0..length {
                let mut bytes = vec![if at % 2 == 0 { b'#' } else { b']' }; length];
                bytes[at] = byte;
                let is_mark = matches!(byte, b'"' | b'\\');
                assert_eq!(find_quote_or_backslash(&bytes), is_mark.then_some(at), "{byte} at {at} of {length}");
                let text = String::from_utf8(bytes).unwrap();
                assert_eq!(is_plain(&text), !is_mark && byte >= b' ', "{byte} at {at} of {length}");
            }
        }
        assert!(is_plain("日本語のテキスト é \u{7f}"));
        assert_eq!(find_quote_or_backslash("日本語のテキスト\"".as_bytes()), Some(24));
    }
}
