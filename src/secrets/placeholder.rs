//! The placeholder for a secret: letters, digits and hyphens, so that it is whole inside a string, a comment
//! and a URL of any language, and can close none of them.

use super::private_key::{self, runs};
use super::rules::TABLE;
use crate::text::{REDACTED as MARK, REDACTED_FILL as FILL};

/// As many bytes as the secret had; names the rule where there is room for it.
pub fn fill(rule: &str, bytes: usize) -> String {
    let named = format!("{MARK}-{rule}");
    let label = match bytes {
        _ if bytes >= named.len() => named.as_str(),
        _ if bytes >= MARK.len() => MARK,
        _ => return FILL.repeat(bytes),
    };
    let rest = bytes - label.len();
    let hyphen = if rest > 0 { "-" } else { "" };
    format!("{label}{hyphen}{}", FILL.repeat(rest.saturating_sub(1)))
}

/// Of a private key only what carries it: line breaks, quotes and indentation stay.
pub fn fill_block(rule: &str, body: &str) -> String {
    let mut hidden = body.to_string();
    let mut is_named = false;
    for run in runs(body) {
        let fits = !is_named && run.len() >= MARK.len() + 1 + rule.len();
        let shown = if fits { fill(rule, run.len()) } else { FILL.repeat(run.len()) };
        is_named |= fits;
        hidden.replace_range(run, &shown);
    }
    hidden
}

/// Whether a place in a text is in the name of the rule that a placeholder says, which may well say `token`. What
/// stands behind the name is no part of it, whoever wrote it.
pub fn is_in_rule_name(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let label = bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_lowercase() || is_of_label(**byte)).count();
    let named = at - label;
    let Some(rest) = bytes[named..].strip_prefix(b"-").filter(|_| bytes[..named].ends_with(MARK.as_bytes())) else {
        return false;
    };
    let names = TABLE.rules.iter().map(|rule| rule.id.as_str()).chain(private_key::ids());
    names.filter(|name| rest.starts_with(name.as_bytes())).any(|name| at < named + 1 + name.len())
}

fn is_of_label(byte: u8) -> bool {
    byte == b'-' || byte.is_ascii_digit()
}
