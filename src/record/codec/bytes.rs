//! Searches eight bytes of a text at a time. Used where records of an index are read and written.

/// The highest bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;
/// The lowest bit of every byte.
const LOW: u64 = 0x0101_0101_0101_0101;

/// Marks bytes of this value by their highest bit. Marks after the first one may be wrong.
fn equal(word: u64, byte: u8) -> u64 {
    let zero = word ^ (LOW * u64::from(byte));
    zero.wrapping_sub(LOW) & !zero & HIGH
}

/// The position of the first quote or backslash.
#[inline]
pub fn find_quote_or_backslash(bytes: &[u8]) -> Option<usize> {
    // Most texts are short; the setup of `memchr` only pays off for long ones.
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

/// The position of the first byte that JSON escapes: a quote, a backslash or a control character.
#[inline]
pub fn find_escaped(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(LOW * u64::from(b' ')) & !word & HIGH;
        let found = control | equal(word, b'"') | equal(word, b'\\');
        if found != 0 {
            return Some(8 * at + found.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|byte| is_escaped(*byte)).map(|at| 8 * words.len() + at)
}

/// Whether JSON escapes none of these bytes. The last bytes are looked at in a whole block, with some before them again.
#[inline]
pub fn is_plain(bytes: &[u8]) -> bool {
    if let Some(last) = bytes.last_chunk::<16>() {
        for block in bytes.as_chunks::<16>().0 {
            if !is_plain_block(block) {
                return false;
            }
        }
        is_plain_block(last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        is_plain_block(first) && is_plain_block(last)
    } else {
        !bytes.iter().any(|byte| is_escaped(*byte))
    }
}

/// Compares all bytes at a time: the compiler makes vector instructions of a loop that has no exit.
#[inline(always)]
fn is_plain_block<const N: usize>(block: &[u8; N]) -> bool {
    !block.iter().fold(false, |found, byte| found | is_escaped(*byte))
}

fn is_escaped(byte: u8) -> bool {
    (byte < b' ') | (byte == b'"') | (byte == b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests every byte at every position, between bytes that are easily mistaken for it.
    #[test]
    fn all_bytes_are_told_apart_everywhere() {
        for (byte, length) in (0..=127u8).flat_map(|byte| (1..44).map(move |length| (byte, length))) {
            for at in 0..length {
                let mut bytes = vec![if at % 2 == 0 { b'#' } else { b']' }; length];
                bytes[at] = byte;
                let is_mark = matches!(byte, b'"' | b'\\');
                assert_eq!(find_quote_or_backslash(&bytes), is_mark.then_some(at), "{byte} at {at} of {length}");
                let is_escaped = is_mark || byte < b' ';
                assert_eq!(find_escaped(&bytes), is_escaped.then_some(at), "{byte} at {at} of {length}");
                assert_eq!(is_plain(&bytes), !is_escaped, "{byte} at {at} of {length}");
            }
        }
        assert_eq!(find_escaped("日本語のテキスト é \u{7f}".as_bytes()), None);
        assert_eq!(find_quote_or_backslash("日本語のテキスト\"".as_bytes()), Some(24));
    }
}
