//! Names of code in prose: `name`, `Type.method()`, `src/file.py`.

use crate::language::facts::{Mention, receiver_text};
use crate::language::table::is_mentioned_extension;
use crate::record::Role;
use crate::text::Span;

const MAX_BYTES: usize = 200;

/// Words that are values in most languages and name nothing.
const VALUES: &[&str] = &["true", "false", "null", "nil", "none", "undefined", "self", "this"];

/// The use that a piece of code in prose amounts to; none when it is no single name.
pub fn code_mention(text: &str, span: Span) -> Option<Mention<'_>> {
    let span = unquoted(text, trimmed(text, span));
    let raw = span.text(text);
    if raw.is_empty() || raw.len() > MAX_BYTES || is_commit(raw) {
        return None;
    }
    if is_path(raw) {
        return Some(Mention::new(Role::Use, raw, span));
    }
    dotted_mention(text, span)
}

/// Like [`code_mention`], where a file is not meant: `py` in `:mod:`a.py`` is a module.
pub fn dotted_mention(text: &str, span: Span) -> Option<Mention<'_>> {
    let span = trimmed(text, span);
    let raw = span.text(text);
    if raw.len() > MAX_BYTES {
        return None;
    }
    let head = without_call(raw.trim_start_matches(['@', '&', '*']));
    let start = span.start as usize + (raw.len() - raw.trim_start_matches(['@', '&', '*']).len());
    let before = head.trim_end_matches(is_name);
    let name = &head[before.len()..];
    if !name.starts_with(|c: char| is_name(c) && !c.is_numeric()) || !name.contains(char::is_alphanumeric) {
        return None;
    }
    let name_start = start + before.len();
    let mut mention = Mention::new(Role::Use, name, Span::new(name_start, name_start + name.len()));
    if before.is_empty() {
        return (!VALUES.contains(&name.to_ascii_lowercase().as_str())).then_some(mention);
    }
    let receiver = without_joint(before)?;
    if !receiver.is_empty() {
        mention.receiver = Some(receiver_text(receiver)).filter(|receiver| receiver != "?" && receiver != "\"\"");
        mention.receiver.as_ref()?;
    }
    Some(mention)
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// Without the arguments, subscripts and type arguments behind a name, and the mark of a macro.
fn without_call(raw: &str) -> &str {
    let open = match raw.chars().next_back() {
        Some(')') => raw.find('('),
        Some(']') => raw.find('['),
        Some('>') => raw.find('<'),
        _ => None,
    };
    let head = open.map_or(raw, |at| &raw[..at]);
    head.strip_suffix('!').unwrap_or(head).trim_end_matches("::")
}

/// What stands before a name, without what joins them.
fn without_joint(before: &str) -> Option<&str> {
    ["::", "->", "?.", ".", "#", "\\"].iter().find_map(|joint| before.strip_suffix(joint))
}

fn is_path(raw: &str) -> bool {
    let allowed = |c: char| is_name(c) || matches!(c, '.' | '/' | '-' | '@' | '+' | '~');
    if !raw.chars().all(allowed) || !raw.contains(char::is_alphabetic) {
        return false;
    }
    let ending = || raw.rsplit_once('.').map_or("", |(_, ending)| ending);
    raw.contains('/') || raw.starts_with('.') || is_mentioned_extension(ending())
}

/// The short hash of a commit, which changelogs are full of.
fn is_commit(raw: &str) -> bool {
    let hex = raw.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    hex && raw.len() >= 7 && raw.contains(|c: char| c.is_ascii_digit())
}

/// Without quotes around a path or a qualified name; a quoted word is just a text.
fn unquoted(text: &str, span: Span) -> Span {
    let raw = span.text(text);
    let inner = ['\'', '"'].iter().find_map(|quote| raw.strip_prefix(*quote)?.strip_suffix(*quote));
    match inner {
        Some(inner) if inner.contains(['.', '/']) => Span::new(span.start as usize + 1, span.end as usize - 1),
        _ => span,
    }
}

fn trimmed(text: &str, span: Span) -> Span {
    let raw = span.text(text);
    let start = span.start as usize + (raw.len() - raw.trim_start().len());
    Span::new(start, start + raw.trim().len())
}
