//! Private keys between their `BEGIN` and `END` lines, in files of their own, in YAML, in JSON and in the string
//! literals of any language.

use std::ops::Range;

/// What every kind of block says in its first line: PEM's, then PuTTY's.
pub const KEYWORDS: [&str; 2] = [PEM, PUTTY];
const PEM: &str = "PRIVATE KEY";
const PUTTY: &str = "Private-Lines: ";
const PUTTY_END: &str = "Private-MAC: ";
/// PuTTY's largest has half of it. A text of beginnings without an end is not searched through for each of them.
const MAX_PUTTY_BYTES: usize = 8 << 10;

const DASHES: &str = "-----";
const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// Every kind that is told apart, by what stands between `BEGIN` and `PRIVATE KEY`.
const KINDS: &[(&str, &str)] = &[
    ("", "pkcs8-private-key"),
    ("RSA ", "rsa-private-key"),
    ("EC ", "ec-private-key"),
    ("DSA ", "dsa-private-key"),
    ("OPENSSH ", "openssh-private-key"),
    ("PGP ", "pgp-private-key"),
    ("ENCRYPTED ", "encrypted-private-key"),
];
const OTHER_KIND: &str = "private-key";
const PUTTY_KIND: &str = "putty-private-key";

/// A run of base64 that is worth hiding; shorter ones are `+` signs and the like.
const MIN_RUN_BYTES: usize = 4;
/// A run that only a key has.
const MIN_KEY_RUN_BYTES: usize = 20;
/// How much of such runs makes a key: the smallest, of Ed25519, has 64 characters.
const MIN_KEY_BYTES: usize = 40;

pub fn is_rule(id: &str) -> bool {
    [OTHER_KIND, PUTTY_KIND].contains(&id) || KINDS.iter().any(|(_, kind)| *kind == id)
}

/// The kind and the body of the block whose first line has the keyword at `at`.
pub fn block(text: &str, at: usize) -> Option<(&'static str, Range<usize>)> {
    let (kind, body) = if text[at..].starts_with(PEM) { pem(text, at)? } else { (PUTTY_KIND, putty(text, at)?) };
    let inner = text[body.clone()].trim();
    let start = body.end - text[body.clone()].trim_start().len();
    is_key(inner).then_some((kind, start..start + inner.len()))
}

fn putty(text: &str, at: usize) -> Option<Range<usize>> {
    let lines = text[at + PUTTY.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
    let start = text.len() - lines.len();
    let window = &lines.as_bytes()[..lines.len().min(MAX_PUTTY_BYTES)];
    let end = memchr::memmem::find(window, PUTTY_END.as_bytes())?;
    Some(start..start + end)
}

fn pem(text: &str, at: usize) -> Option<(&'static str, Range<usize>)> {
    let line = &text[..at];
    let begin = line.rfind(BEGIN).filter(|begin| at - begin < 64)?;
    let label = &line[begin + BEGIN.len()..];
    let kind = KINDS.iter().find(|(name, _)| *name == label).map_or(OTHER_KIND, |(_, kind)| kind);
    let after = &text[at + PEM.len()..];
    let closed = after.strip_prefix(" BLOCK").unwrap_or(after).strip_prefix(DASHES)?;
    let start = text.len() - closed.len();
    // No key holds five hyphens, so that whatever holds them next is its end, or it has none.
    let stop = memchr::memmem::find(closed.as_bytes(), DASHES.as_bytes()).unwrap_or(closed.len());
    let has_end = closed[stop..].starts_with(END);
    let end = start + if has_end { stop } else { cut_off(&closed[..stop]) };
    Some((kind, start..end))
}

/// The stretches of base64 in a body. The `n` of a `\n` in a string literal is none.
pub fn runs(body: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = body.as_bytes();
    let is_escape = move |at: usize| at > 0 && bytes[at - 1] == b'\\' && matches!(bytes[at], b'n' | b'r' | b't');
    let is_base64 = move |at: usize| {
        let byte = bytes[at];
        (byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')) && !is_escape(at)
    };
    let mut at = 0;
    let next = move || {
        while at < bytes.len() && !is_base64(at) {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && is_base64(at) {
            at += 1;
        }
        (start < at).then_some(start..at)
    };
    std::iter::from_fn(next).filter(|run| run.len() >= MIN_RUN_BYTES)
}

/// How far a key without an end goes: as long as lines hold nothing but what a key's lines hold.
fn cut_off(rest: &str) -> usize {
    let is_of_key = |line: &&str| {
        let longest = runs(line).map(|run| run.len()).max().unwrap_or_default();
        longest >= MIN_KEY_RUN_BYTES || line.trim().is_empty() || line.contains(": ") && line.len() < 80
    };
    rest.split_inclusive('\n').take_while(is_of_key).map(str::len).sum()
}

/// Code that merely speaks of the first line of keys holds no long runs.
fn is_key(body: &str) -> bool {
    let is_mixed = |run: &[u8]| {
        run.iter().any(u8::is_ascii_uppercase)
            && run.iter().any(u8::is_ascii_lowercase)
            && run.iter().any(u8::is_ascii_digit)
    };
    let long = runs(body).filter(|run| run.len() >= MIN_KEY_RUN_BYTES && is_mixed(&body.as_bytes()[run.clone()]));
    long.map(|run| run.len()).sum::<usize>() >= MIN_KEY_BYTES
}
