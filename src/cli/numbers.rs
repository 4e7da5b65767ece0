//! Numbers as users type them.

/// More threads than this make nothing faster, and thousands stop a machine.
const MAX_JOBS: usize = 256;

/// A count of tokens: `8000`, `8k` or `1m`.
pub fn tokens(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let (digits, factor) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000),
        None => text.strip_suffix(['m', 'M']).map_or((text, 1), |digits| (digits, 1_000_000)),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let count = digits.parse::<u32>().ok().filter(|_| is_number).and_then(|count| count.checked_mul(factor));
    count.ok_or_else(|| "a whole number such as 8000 or 8k is needed".to_string())
}

/// A number of threads; larger ones than a machine can use become the largest that is used.
pub fn jobs(text: &str) -> Result<usize, String> {
    let is_number = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    match is_number {
        // Too long for a number is more than the most.
        true => Ok(text.parse().unwrap_or(MAX_JOBS).min(MAX_JOBS)),
        false => Err("a whole number from 0 up is needed".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_may_be_counted_in_thousands() {
        for (text, count) in [("0", 0), ("8000", 8_000), ("8k", 8_000), ("32K", 32_000), ("1m", 1_000_000)] {
            assert_eq!(tokens(text), Ok(count), "{text}");
        }
        for wrong in ["", "k", "8kk", "-1", "+8", "8.5k", "9999999k", "8 k"] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn threads_have_a_limit() {
        assert_eq!((jobs("0"), jobs("8"), jobs("100000")), (Ok(0), Ok(8), Ok(MAX_JOBS)));
        assert_eq!(jobs("99999999999999999999999"), Ok(MAX_JOBS));
        assert!(jobs("-1").is_err() && jobs("x").is_err() && jobs("").is_err());
    }
}
