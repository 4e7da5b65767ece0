//! Numbers with their noun.

/// `1 file`, `2 files`. Takes nouns whose plural ends in `s`.
pub fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "file")), ["0 files", "1 file", "2 files"]);
    }
}
