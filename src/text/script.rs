//! Scripts that need other rules than letters with spaces around words.

/// Han, Kana, Hangul, Thai: scripts whose words have no spaces around them.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}
