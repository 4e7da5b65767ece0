//! Private keys between their `BEGIN` and `END` lines, in files of their own, in YAML, in JSON and in the string
//! literals of any language; as they are, as a URL has them, and all in base64 once more (see `encoded_key`).

use std::ops::Range;

use super::encoded_key;

/// What every kind of block says in its first line: PEM's, the same in URLs, PuTTY's; and the first line in base64.
pub const KEYWORDS: [&str; 7] = [
    "PRIVATE KEY",
    "PRIVATE+KEY",
    "PRIVATE%20KEY",
    PUTTY,
    encoded_key::BEGINNINGS[0].0,
    encoded_key::BEGINNINGS[1].0,
    encoded_key::BEGINNINGS[2].0,
];
const PUTTY: &str = "Private-Lines: ";
const PUTTY_END: &str = "Private-MAC: ";
/// PuTTY's largest has half of it. A text of beginnings without an end is not searched through for each of them.
const MAX_PUTTY_BYTES: usize = 8 << 10;

/// SSH2 has four where PEM has five.
const DASHES: &str = "----";
const BEGIN: &str = "----BEGIN";
const SSH2_BEGIN: &str = "---- BEGIN";
/// How far before the keyword the line begins at most.
const MAX_LABEL_BYTES: usize = 64;
/// How blanks are written, in plain text and in URLs.
const BLANKS: [&str; 3] = [" ", "+", "%20"];

/// The kinds of keys, by the words between `BEGIN` and `PRIVATE KEY`.
const KINDS: &[(&str, &str)] = &[
    ("", "pkcs8-private-key"),
    ("RSA ", "rsa-private-key"),
    ("EC ", "ec-private-key"),
    ("DSA ", "dsa-private-key"),
    ("OPENSSH ", "openssh-private-key"),
    ("PGP ", "pgp-private-key"),
    ("ENCRYPTED ", "encrypted-private-key"),
    ("SSH2 ENCRYPTED ", "ssh2-private-key"),
];
const OTHER_KIND: &str = "private-key";
const PUTTY_KIND: &str = "putty-private-key";

/// A run of base64 that is worth hiding; shorter ones are `+` signs and the like.
const MIN_RUN_BYTES: usize = 4;
/// A run that only a key has.
pub const MIN_KEY_RUN_BYTES: usize = 20;
/// How much of such runs makes a key: the smallest, of Ed25519, has 64 characters.
const MIN_KEY_BYTES: usize = 40;

pub fn ids() -> impl Iterator<Item = &'static str> {
    [OTHER_KIND, PUTTY_KIND, encoded_key::KIND].into_iter().chain(KINDS.iter().map(|(_, kind)| *kind))
}

pub fn is_rule(id: &str) -> bool {
    ids().any(|kind| kind == id)
}

/// The kind and the body of the block whose first line has the keyword at `at`.
pub fn block(text: &str, at: usize) -> Option<(&'static str, Range<usize>)> {
    let rest = &text[at..];
    if let Some((_, phase)) = encoded_key::BEGINNINGS.iter().find(|(beginning, _)| rest.starts_with(beginning)) {
        return Some((encoded_key::KIND, encoded_key::span(text, at, *phase)?));
    }
    let (kind, body) = if rest.starts_with(PUTTY) { (PUTTY_KIND, putty(text, at)?) } else { pem(text, at)? };
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
    let line = &text[text.floor_char_boundary(at.saturating_sub(MAX_LABEL_BYTES))..at];
    let label = [BEGIN, SSH2_BEGIN].iter().find_map(|begin| Some(&line[line.rfind(begin)? + begin.len()..]))?;
    let label = BLANKS.iter().find_map(|blank| Some(label.strip_prefix(blank)?.replace(blank, " ")))?;
    let kind = KINDS.iter().find(|(name, _)| *name == label).map_or(OTHER_KIND, |(_, kind)| kind);
    let after = KEYWORDS.iter().find_map(|keyword| text[at..].strip_prefix(keyword))?;
    let after = [" BLOCK", "+BLOCK", "%20BLOCK", " "].iter().find_map(|word| after.strip_prefix(word)).unwrap_or(after);
    let closed = after.strip_prefix(DASHES)?.trim_start_matches('-');
    let start = text.len() - closed.len();
    // No key holds four hyphens, so the next four hyphens are its end.
    let stop = memchr::memmem::find(closed.as_bytes(), DASHES.as_bytes()).unwrap_or(closed.len());
    let has_end = closed[stop..].trim_start_matches(['-', ' ']).starts_with("END");
    let end = start + if has_end { stop } else { length_without_end(&closed[..stop]) };
    Some((kind, start..end))
}

/// The stretches of base64 in a body. The `n` of a `\n` in a string literal is not part of one.
pub fn runs(body: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = body.as_bytes();
    let is_escape = move |at: usize| at > 0 && bytes[at - 1] == b'\\' && matches!(bytes[at], b'n' | b'r' | b't');
    let is_base64 = move |at: usize| is_base64(bytes[at]) && !is_escape(at);
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

pub fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// How far a key without an end goes: as long as lines hold nothing but what a key's lines hold. The last may be
/// short.
fn length_without_end(rest: &str) -> usize {
    let is_of_key = |line: &&str| {
        let longest = runs(line).map(|run| run.len()).max().unwrap_or_default();
        longest >= MIN_KEY_RUN_BYTES || line.trim().is_empty() || line.contains(": ") && line.len() < 80
    };
    let whole: usize = rest.split_inclusive('\n').take_while(is_of_key).map(str::len).sum();
    let last = rest[whole..].lines().next().filter(|line| is_rest_of_key(line));
    whole + last.map_or(0, str::len)
}

/// One run, and no word: who writes a word uses one case.
fn is_rest_of_key(line: &str) -> bool {
    let run = line.trim_matches(|c: char| !c.is_ascii() || !is_base64(c as u8));
    let has = |class: fn(&u8) -> bool| run.as_bytes().iter().any(class);
    run.len() >= MIN_RUN_BYTES
        && run.bytes().all(is_base64)
        && (run.ends_with('=') || has(u8::is_ascii_digit) || run[1..].bytes().any(|byte| byte.is_ascii_uppercase()))
        && has(u8::is_ascii_alphanumeric)
}

/// Code that only mentions the first line of a key has no long runs of base64.
fn is_key(body: &str) -> bool {
    let is_mixed = |run: &[u8]| {
        run.iter().any(u8::is_ascii_uppercase)
            && run.iter().any(u8::is_ascii_lowercase)
            && run.iter().any(u8::is_ascii_digit)
    };
    let long = runs(body).filter(|run| run.len() >= MIN_KEY_RUN_BYTES && is_mixed(&body.as_bytes()[run.clone()]));
    long.map(|run| run.len()).sum::<usize>() >= MIN_KEY_BYTES
}
