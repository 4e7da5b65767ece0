//! The placeholder of a secret. Only `secrets` writes it; code that shows text has to recognise it.

/// The word that a placeholder starts with.
pub const REDACTED: &str = "REDACTED";
/// What fills a placeholder up to the length of its secret.
pub const REDACTED_FILL: &str = "x";

/// Whether a line may differ from the file's: it contains a placeholder, or what looks like one.
pub fn may_be_redacted(line: &str) -> bool {
    const FILLED: &str = "xxxx";
    line.contains(REDACTED) || line.contains(FILLED)
}
