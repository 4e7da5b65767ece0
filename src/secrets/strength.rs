//! Whether a string of the right form is a secret or only looks like one.

use serde::Deserialize;

use super::rules::TABLE;

/// The checks that rules name.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    #[default]
    Token,
    KeyId,
    Strong,
    Random,
    RandomOrNumber,
    RandomToken,
    UrlPassword,
    BasicCredentials,
    ApplicationKey,
    Configured,
    StrongPassword,
    PercentEncoded,
}

impl Check {
    pub fn holds(self, secret: &str) -> bool {
        match self {
            Check::Token => is_token(secret),
            Check::KeyId => is_key_id(secret),
            Check::Strong => is_strong(secret),
            Check::Random => looks_random(secret),
            Check::RandomOrNumber => looks_random(secret) || is_random_token(secret),
            Check::RandomToken => is_random_token(secret),
            Check::UrlPassword => is_url_password(secret),
            Check::BasicCredentials => is_basic_credentials(secret),
            Check::ApplicationKey => is_application_key(secret),
            Check::Configured => is_configured(secret),
            Check::StrongPassword => is_strong_password(secret),
            Check::PercentEncoded => is_percent_encoded(secret),
        }
    }
}

/// Characters in a row, each the one after its neighbour or all the same, that no one draws by chance.
const MAX_SEQUENCE: usize = 7;

/// A token of this length may well hold a stretch of zeros or a short word by chance.
const LONG: usize = 80;
const MIN_LONG_WORD: usize = 7;

/// What has the form of a token and is no example. Even sixteen letters that were drawn have more bits than this.
fn is_token(secret: &str) -> bool {
    entropy(secret) >= 3.0 && !is_example(secret)
}

/// An id is short, so that some that were drawn have few letters.
fn is_key_id(secret: &str) -> bool {
    entropy(secret) >= 2.5 && !is_example(secret)
}

/// The form alone says little: a long hexadecimal number, or an identifier.
fn is_strong(secret: &str) -> bool {
    is_token(secret) && secret.bytes().any(|byte| byte.is_ascii_digit())
}

/// An identifier could begin with the same letters; this one is of both cases, as no one would write it.
fn looks_random(secret: &str) -> bool {
    is_token(secret)
        && entropy(secret) >= 3.3
        && word_share(secret) < 0.9
        && secret.bytes().any(|byte| byte.is_ascii_lowercase())
        && secret.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Only the name before it says that it is a secret.
fn is_random_token(secret: &str) -> bool {
    is_random(secret) && !is_example(secret)
}

fn is_url_password(secret: &str) -> bool {
    is_password(secret) && !is_example(secret)
}

/// A name and a password, in base64.
fn is_basic_credentials(secret: &str) -> bool {
    let decoded = decoded_base64(secret);
    let decoded = String::from_utf8_lossy(&decoded);
    decoded.split_once(':').is_some_and(|(_, password)| password.len() >= 6 && is_url_password(password))
}

/// Django's and the like: fifty characters of any kind.
fn is_application_key(secret: &str) -> bool {
    let digits = secret.bytes().filter(u8::is_ascii_digit).count();
    digits >= 2
        && entropy(secret) >= 3.7
        && !is_example(secret)
        && !secret.contains(['{', '<'])
        && !secret.contains("://")
}

/// Without quotes the value could be an identifier or a number.
fn is_configured(secret: &str) -> bool {
    let has = |class: fn(&u8) -> bool| secret.as_bytes().iter().filter(|byte| class(byte)).count();
    let is_hexadecimal = secret.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_mixed = has(u8::is_ascii_lowercase) >= 3 && has(u8::is_ascii_uppercase) >= 3;
    let is_drawn = if has(u8::is_ascii_digit) >= 3 {
        is_hexadecimal || is_mixed && entropy(secret) >= 3.9 || is_of_two_classes(secret)
    } else {
        is_mixed && classes_alternate(secret)
    };
    is_drawn && is_random_token(secret)
}

/// Shorter than a token, so that more of it has to look drawn.
fn is_strong_password(secret: &str) -> bool {
    let has = |class: fn(&u8) -> bool| secret.as_bytes().iter().filter(|byte| class(byte)).count();
    (has(u8::is_ascii_digit) >= 2 || has(u8::is_ascii_digit) == 1 && classes_alternate(secret))
        && has(u8::is_ascii_lowercase) >= 2
        && has(u8::is_ascii_uppercase) >= 2
        && entropy(secret) >= 3.0
        && word_share(secret) < 0.5
        && !is_example(secret)
        && !is_uuid(secret)
        && !is_password_hash(secret)
        && !is_address(secret)
}

/// Twitter's, whose digits a URL has to write as `%2B` and `%3D`; the zeros of any file in base64 begin like it.
fn is_percent_encoded(secret: &str) -> bool {
    is_token(secret) && (secret.contains("%2") || secret.contains("%3"))
}

/// Shannon's, in bits a character.
fn entropy(secret: &str) -> f64 {
    let mut counts = [0u32; 256];
    secret.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let total = secret.len() as f64;
    let bits = |count: &u32| {
        let share = f64::from(*count) / total;
        -share * libm::log2(share)
    };
    counts.iter().filter(|count| **count > 0).map(bits).sum()
}

/// Whether someone wrote it to show what a secret looks like.
fn is_example(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    let is_long = secret.len() >= LONG;
    let counts = |word: &&String| !is_long || word.len() >= MIN_LONG_WORD;
    TABLE.examples.iter().filter(counts).any(|word| lower.contains(word.as_str()))
        || !is_long && has_sequence(lower.as_bytes())
}

/// Whether it was drawn and not written: no path, identifier, address or sentence.
fn is_random(secret: &str) -> bool {
    if secret.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return secret.len() >= 32 && classes(secret) >= 2 && entropy(secret) >= 3.0;
    }
    let digits = secret.bytes().filter(u8::is_ascii_digit).count();
    digits >= 1
        && (classes(secret) >= 3 && word_share(secret) < 0.6 || is_of_two_classes(secret))
        && entropy(secret) >= 3.7
        && !is_uuid(secret)
        && !is_password_hash(secret)
        && !is_address(secret)
}

/// Whether upper case, lower case and digits take turns as often as where each character was drawn; in names they
/// change once a word.
fn classes_alternate(secret: &str) -> bool {
    let class = |byte: u8| (byte.is_ascii_lowercase(), byte.is_ascii_uppercase(), byte.is_ascii_digit());
    let turns = secret.as_bytes().windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    turns * 5 >= secret.len() * 2 && word_share(secret) < 0.5
}

/// As long as a key, and letters and digits in turn, as no name has them: it may do without one of the cases.
fn is_of_two_classes(secret: &str) -> bool {
    let is_plain = secret.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let digits = secret.bytes().filter(u8::is_ascii_digit).count();
    let numbers = secret.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).count();
    secret.len() >= 24 && is_plain && digits >= 4 && numbers >= 3 && entropy(secret) >= 3.7 && word_share(secret) < 0.9
}

/// Whether it may be a real password in a URL: not the word, name or number that examples use.
fn is_password(secret: &str) -> bool {
    let digits = secret.bytes().filter(u8::is_ascii_digit).count();
    let word = secret.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    let is_example = TABLE.example_passwords.contains(&word);
    !is_example
        && digits > 0
        && classes(secret) >= 2
        && word_share(secret) < 0.6
        && entropy(secret) >= 2.5
        && !is_variable(secret)
}

/// How many of lower case, upper case, digits and other characters it has.
fn classes(secret: &str) -> usize {
    let has = |class: fn(&u8) -> bool| usize::from(secret.as_bytes().iter().any(class));
    has(u8::is_ascii_lowercase) + has(u8::is_ascii_uppercase) + has(u8::is_ascii_digit) + has(u8::is_ascii_punctuation)
}

/// As many whole bytes as there are; what is no base64 counts as zeros.
pub fn decoded_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let value = |byte: &u8| DIGITS.iter().position(|digit| digit == byte).unwrap_or_default() as u32;
    let group = |digits: &[u8]| {
        let bits = digits.iter().fold(0, |bits, digit| bits << 6 | value(digit)) << (6 * (4 - digits.len()));
        bits.to_be_bytes()[1..digits.len()].to_vec()
    };
    text.trim_end_matches('=').as_bytes().chunks(4).flat_map(group).collect()
}

/// The share of characters that are in words: four and more letters of one case, the first of which may be a
/// capital. Identifiers are nearly all words, what was drawn from sixty letters has one by chance.
fn word_share(secret: &str) -> f64 {
    let bytes = secret.as_bytes();
    let (mut in_words, mut at) = (0, 0);
    while at < bytes.len() {
        let end = word_end(bytes, at);
        if end - at >= 4 {
            in_words += end - at;
        }
        at = end;
    }
    in_words as f64 / bytes.len() as f64
}

fn word_end(bytes: &[u8], start: usize) -> usize {
    let run = |from: usize, class: fn(&u8) -> bool| from + bytes[from..].iter().take_while(|byte| class(byte)).count();
    let lower = run(start + usize::from(bytes[start].is_ascii_uppercase()), u8::is_ascii_lowercase);
    let upper = run(start, u8::is_ascii_uppercase);
    lower.max(upper).max(start + 1)
}

fn has_sequence(bytes: &[u8]) -> bool {
    let longest = |step: u8| {
        let (mut run, mut longest) = (1, 1);
        for pair in bytes.windows(2) {
            run = if pair[1] == pair[0].wrapping_add(step) { run + 1 } else { 1 };
            longest = longest.max(run);
        }
        longest
    };
    [0, 1, u8::MAX].into_iter().any(|step| longest(step) > MAX_SEQUENCE)
}

fn is_uuid(secret: &str) -> bool {
    let inner = secret.trim_start_matches('{').trim_end_matches('}');
    let groups: Vec<&str> = inner.split('-').collect();
    let is_hex = |group: &&str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12]) && groups.iter().all(is_hex)
}

/// `algorithm$salt$hash`: it is stored so that the password need not be.
fn is_password_hash(secret: &str) -> bool {
    secret.matches('$').count() >= 2
}

/// A URL, or a path of the file system.
fn is_address(secret: &str) -> bool {
    secret.contains("://") || secret.starts_with(['/', '.', '~', '#', '@']) || is_variable(secret)
}

fn is_variable(secret: &str) -> bool {
    secret.starts_with(['$', '%', ':']) || secret.contains(['{', '}', '(', ')', '<', '>'])
}
