//! Conditions on the text before and after a secret.

use serde::Deserialize;

/// What must be true of the text before a secret.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum After {
    #[default]
    Anything,
    WordEnd,
    BotId,
}

impl After {
    pub fn holds(self, before: &[u8]) -> bool {
        match self {
            After::Anything => true,
            After::WordEnd => a_word_ends(before),
            After::BotId => a_bot_id_ends(before),
        }
    }
}

/// The letters of an escape, as in `\n`, `%3D` and `\u0022`, do not belong to the word after it.
fn a_word_ends(before: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'=');
    match before {
        [] => true,
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [.., b'\\', b'u', _, _, _, _] | [.., b'\\', b'x', _, _] => true,
        [.., b'=' | b'/' | b'+'] => true,
        [.., last] => !is_word(last),
    }
}

/// Telegram's tokens begin with the number of the bot, which is no secret.
fn a_bot_id_ends(before: &[u8]) -> bool {
    (8..=10).contains(&before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count())
}

/// A value without quotes is followed by what ends values somewhere: a blank, a break of a line, a quote or a tag, what
/// parts the pairs of a connection string, a URL, a list or a map. A dot or a bracket would go on with an expression.
pub fn a_value_ends(behind: &[u8]) -> bool {
    match behind {
        [] => true,
        [b'\\', b'n' | b'r' | b't' | b'"' | b'\'', ..] => true,
        [first, ..] => first.is_ascii_whitespace() || b"<\"'`;&,})]|".contains(first),
    }
}
