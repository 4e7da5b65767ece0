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

/// The number that a text starts with, and how many digits it has. At most 19 digits are read, which never overflow.
#[inline]
pub fn leading_number(bytes: &[u8]) -> (u64, usize) {
    if let Some(word) = bytes.first_chunk::<8>() {
        let word = u64::from_le_bytes(*word);
        let count = leading_digits(word);
        if (1..8).contains(&count) {
            // The digits move to the end of the word, and zeros before them.
            return (eight_digits(word << (64 - 8 * count)), count as usize);
        }
    }
    let digits = bytes.iter().take(19).take_while(|byte| byte.is_ascii_digit());
    digits.fold((0, 0), |(number, count), digit| (10 * number + u64::from(digit - b'0'), count + 1))
}

/// How many bytes of a word are digits before the first one that is not.
fn leading_digits(word: u64) -> u32 {
    const SIX: u64 = LOW * 6;
    const HIGH_NIBBLES: u64 = LOW * 0xf0;
    const ZEROS: u64 = LOW * b'0' as u64;
    // A digit has the high nibble 3, and still has it after six is added. A carry reaches only bytes behind a byte
    // that is no digit.
    let others = (word & HIGH_NIBBLES ^ ZEROS) | (word.wrapping_add(SIX) & HIGH_NIBBLES ^ ZEROS);
    others.trailing_zeros() / 8
}

/// The number of eight digits, the first of which is the lowest byte. Neighbours are joined to numbers of two, then
/// four, then eight digits.
fn eight_digits(word: u64) -> u64 {
    let digits = word & (LOW * 0x0f);
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_ffff_0000_ffff;
    (fours * 10_000 + (fours >> 32)) & 0xffff_ffff
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

    #[test]
    fn numbers_of_every_length_are_read() {
        for length in 0..=25 {
            let digits: String = (1..=length).map(|at| char::from(b'0' + (at % 10) as u8)).collect();
            let count = length.min(19);
            let number = digits[..count].parse().unwrap_or(0);
            for behind in ["", ",", ":1,1,1,1,1", "/11111111", "\u{0}........", "\u{ff}\u{ff}\u{ff}\u{ff}", "é99999999"]
            {
                assert_eq!(leading_number(format!("{digits}{behind}").as_bytes()), (number, count), "{digits}{behind}");
            }
        }
    }

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
