use std::collections::BTreeSet;

use proptest::prelude::*;

use super::rules::TABLE;
use super::samples::{Draw, SAMPLES, drawn};
use super::*;
use crate::text::thread_seconds;

/// How many secrets of each kind are drawn: a rule that misses one in a hundred is seen.
const DRAWS: u64 = 300;
/// Rules that only guess may miss so many of them: what has too many letters in a row could be a name.
const GUESSES: &[&str] = &[
    "url-password",
    "basic-credentials",
    "bearer-token",
    "authorization-token",
    "netrc-password",
    "pgpass-password",
    "curl-password",
    "defined-secret",
    "assigned-secret",
    "configured-secret",
    "assigned-password",
    "configured-password",
];
const MAX_MISSED_GUESSES: usize = 9;

#[test]
fn every_rule_finds_its_secret_and_nothing_else() {
    let missed = |rule: &str, template: &str| (0..DRAWS).filter(|seed| !finds(rule, template, *seed)).count();
    let counts = SAMPLES.iter().map(|(rule, template, _)| (*rule, missed(rule, template)));
    let bound = |rule: &str| if GUESSES.contains(&rule) { MAX_MISSED_GUESSES } else { 0 };
    let missed: Vec<_> = counts.filter(|(rule, count)| *count > bound(rule)).collect();
    assert_eq!(missed, [], "of {DRAWS} each");
}

/// Whether the secret is gone and all around it is there.
fn finds(rule: &str, template: &str, seed: u64) -> bool {
    let (text, secret) = drawn(template, &mut Draw(seed * 977 + 13));
    let (before, after) = text.split_once(&secret).expect("the secret is in the text");
    let (hidden, findings) = redact(text.clone());
    let pieces: Vec<&str> = secret.split_whitespace().filter(|piece| piece.len() >= 4).collect();
    let is_gone = pieces.iter().all(|piece| !hidden.contains(piece));
    findings.len() == 1 && findings[0].rule == rule && is_gone && hidden.starts_with(before) && hidden.ends_with(after)
}

#[test]
fn every_rule_leaves_what_only_looks_like_a_secret() {
    for (rule, _, look_alike) in SAMPLES {
        assert_eq!(find(look_alike), [], "{rule}: {look_alike}");
    }
}

#[test]
fn every_rule_has_a_sample_and_an_id_of_its_own() {
    let sampled: BTreeSet<&str> = SAMPLES.iter().map(|(rule, ..)| *rule).collect();
    let ids: BTreeSet<&str> = TABLE.rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids.len(), TABLE.rules.len());
    assert!(ids.is_subset(&sampled), "{:?}", ids.difference(&sampled).collect::<Vec<_>>());
    assert!(sampled.difference(&ids).all(|id| private_key::is_rule(id)));
}

fn check(text: &str, hidden: &str) {
    assert_eq!(redact(text.to_string()).0, hidden);
}

/// A secret in two parts, so that this file holds none.
fn github(rest: &str) -> String {
    format!("ghp{}{}", "_", rest)
}

#[test]
fn a_placeholder_names_its_rule_and_keeps_the_length() {
    let token = github("aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6");
    check(&format!("push({token:?})"), "push(\"REDACTED-github-personal-token-xxxxxxxxx\")");
    check("s://u:pa9s8w@h", "s://u:xxxxxx@h");
    check("s://u:pa9s8wXq@h", "s://u:REDACTED@h");
}

#[test]
fn a_private_key_keeps_its_lines_and_quotes() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let x = "x".repeat(line.len());
    let label = format!("REDACTED-pkcs8-private-key-{}", "x".repeat(line.len() - 27));
    check(
        &format!(
            "\"-----BEGIN PRIVATE KEY-----\\n\" +\r\n  \"{line}\\n{line}\\n\" +\r\n  \"-----END PRIVATE KEY-----\""
        ),
        &format!("\"-----BEGIN PRIVATE KEY-----\\n\" +\r\n  \"{label}\\n{x}\\n\" +\r\n  \"-----END PRIVATE KEY-----\""),
    );
    check(
        &format!("-----BEGIN PRIVATE KEY-----\n{line}\n{line}\nand some prose\n"),
        &format!("-----BEGIN PRIVATE KEY-----\n{label}\n{x}\nand some prose\n"),
    );
}

#[test]
fn the_last_line_of_a_key_that_is_cut_off_is_hidden() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    for (last, is_hidden) in [("9w0BAQEFAAS", true), ("mXq=", true), ("prose", false), ("and prose 1", false)] {
        let (hidden, _) = redact(format!("-----BEGIN PRIVATE KEY-----\n{line}\n{last}\nmore of the text\n"));
        assert_eq!(!hidden.contains(last), is_hidden, "{hidden}");
        assert!(hidden.ends_with("\nmore of the text\n"));
    }
}

/// The windows of patterns are smaller.
#[test]
fn a_key_in_base64_is_hidden_however_long_its_line_is() {
    let (text, secret) = drawn("tls.key: ‹LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk{b20000}==›\n", &mut Draw(3));
    let (hidden, findings) = redact(text);
    assert_eq!(findings[0].span, 9..9 + secret.len());
    assert!(secret.as_bytes().chunks(20).all(|piece| !hidden.contains(std::str::from_utf8(piece).unwrap())));
}

#[test]
fn a_placeholder_that_somebody_wrote_hides_nothing() {
    let token = github("aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6");
    for before in ["REDACTED-", "REDACTED-x-", "REDACTED-github-personal-token-", "REDACTED-github-personal-token"] {
        assert_eq!(find(&format!("{before}{token}")).len(), 1, "{before}");
    }
}

#[test]
fn a_token_behind_an_escape_is_one() {
    let token = ["AKIA", "Q3EGU7Z2TBV4XYMD"].concat();
    for before in ["\\n", "\\t", "%3D", "\\u0022", "=", "/", "é"] {
        assert_eq!(find(&format!("x{before}{token} ")).len(), 1, "{before}");
    }
    assert_eq!(find(&format!("x{token}")), []);
}

#[test]
fn ordinary_code_is_left_alone() {
    let texts = [
        "integrity sha512-MQcXEUbCKtEo7bhqEs6560Hyd4XaovZlO/k9V3hjVUF/zwW7KBVdSK4gIt/bzwS9MbR5qob+F5jusZsb0YQK2A==",
        "checksum = \"ad8c8e0c0f1a9c1a2a0fca46a14bcb6a2e3b39f3f9b0a0a3d9c5bb2a3c1e2f44\"",
        "token = Token(TokenKind.IDENTIFIER, \"a_long_identifier_with_digits_1234\")",
        "PASSWORD_HASHERS = ['django.contrib.auth.hashers.PBKDF2PasswordHasher']",
        "secret_name: 9f8c1b1e-8f6d-4a5e-9d0c-2f6f3c1b7a55",
        "let token = \"https://example.org/a/b/c/d?e=f&g=123456\";",
        "password: process.env.DB_PASSWORD_FOR_STAGING_2",
        "password = 'pbkdf2_sha256$30000$Vo0VlMnkR4Bk$qEvtdyZRWTcOsCnI/oQ7fVOu1XAURIZYoOZ3iq8Dr4M='",
        "\"src/StandardTokenizer.java\": \"381a9627fd7da6402216e3279cf81a09af222aaf\"",
        "http://user123:pass567@www.python.org:8081/foo",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "#define XXH3_initCustomSecret XXH3_initCustomSecret_avx512",
    ];
    for text in texts {
        assert_eq!(find(text), [], "{text}");
    }
}

/// Text that is dense with keywords and with what could be secrets.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => (0..SAMPLES.len(), any::<u64>()).prop_map(|(at, seed)| drawn(SAMPLES[at].1, &mut Draw(seed)).0),
        1 => (0..SAMPLES.len()).prop_map(|at| SAMPLES[at].2.to_string()),
        2 => (0..TABLE.rules.len(), any::<prop::sample::Index>()).prop_map(|(rule, at)| {
            let keywords = &TABLE.rules[rule].keywords;
            keywords[at.index(keywords.len())].clone()
        }),
        2 => "[a-zA-Z0-9+/=_-]{1,50}",
        2 => any::<String>(),
        2 => prop::sample::select(vec!["\n", "\r\n", " = ", ": ", "\"", "'", "-----", "-----BEGIN ", "é", "😀", "@", "x"])
            .prop_map(str::to_string),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redaction_moves_nothing_and_happens_once(text in text()) {
        let (hidden, findings) = redact(text.clone());
        prop_assert_eq!(hidden.len(), text.len());
        prop_assert_eq!(hidden.encode_utf16().count(), text.encode_utf16().count());
        let breaks = |text: &str| text.match_indices(['\n', '\r']).map(|(at, _)| at).collect::<Vec<_>>();
        prop_assert_eq!(breaks(&hidden), breaks(&text));
        let mut end = 0;
        for finding in &findings {
            prop_assert_eq!(&hidden[end..finding.span.start], &text[end..finding.span.start]);
            end = finding.span.end;
        }
        prop_assert_eq!(&hidden[end..], &text[end..]);
        let (again, more) = redact(hidden.clone());
        prop_assert_eq!(more, []);
        prop_assert_eq!(again, hidden);
    }
}

/// Texts that are nothing but beginnings cost little more than others of their size.
#[test]
fn a_text_made_to_be_slow_is_not() {
    let bare = [
        "-----BEGIN PRIVATE KEY-----\n",
        "Private-Lines: 1\n",
        "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk",
        "eyJ-",
        "://a:",
        "token=\"",
        "password: ",
        "token=",
        "password=",
        "#define token ",
        "AKIAQ3EGU7Z2TBV4XYMD ",
    ];
    for piece in bare.into_iter().chain(TABLE.rules.iter().flat_map(|rule| &rule.keywords).map(String::as_str)) {
        let text = piece.repeat((50 << 10) / piece.len());
        let before = thread_seconds();
        find(&text);
        let seconds = thread_seconds() - before;
        assert!(seconds < 0.5, "{piece:?} takes {seconds} s");
    }
}
