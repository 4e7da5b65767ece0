use unicode_normalization::UnicodeNormalization as _;

use crate::door::frame::{Claim, check, normal};
use crate::record::frame::Slot;

/// Slot, value, quote, the verdict and the reason, with tabs between.
const PAIRS: &str = include_str!("../consistency.tsv");

struct Pair {
    slot: Slot,
    value: String,
    quote: String,
    /// Nothing if the value follows.
    reason: Option<String>,
}

fn pairs() -> Vec<Pair> {
    let pair = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let reason = (fields[3] == "reject").then(|| fields[4].to_string());
        Pair { slot: Slot::named(fields[0]).unwrap(), value: fields[1].into(), quote: fields[2].into(), reason }
    };
    PAIRS.lines().map(pair).collect()
}

/// The reason for which a value is rejected.
fn reason(slot: Slot, value: &str, quote: &str) -> Option<String> {
    let (value, quote) = (normal(value), normal(quote));
    let mismatch = check(slot, Claim { value: &value, quote: &quote }, &[&quote]).err()?;
    Some(serde_json::to_value(mismatch.reason).unwrap().as_str().unwrap().to_string())
}

fn wrong(form: impl Fn(&str) -> String) -> Vec<String> {
    let judged = |pair: &Pair| (reason(pair.slot, &form(&pair.value), &form(&pair.quote)), pair.reason.clone());
    let pairs = pairs();
    let wrong = pairs.iter().filter(|pair| {
        let (found, wanted) = judged(pair);
        found != wanted
    });
    wrong.map(|pair| format!("{} ← {}: {:?}", pair.value, pair.quote, judged(pair))).collect()
}

#[test]
fn all_pairs_are_judged_as_they_should_be() {
    assert_eq!(pairs().len(), 116);
    let wrong = wrong(str::to_string);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pairs_in_decomposed_letters_are_judged_the_same() {
    let wrong = wrong(|text| text.nfd().collect());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pairs_in_wide_letters_are_judged_the_same() {
    let wide = |c: char| match c {
        '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap(),
        other => other,
    };
    let wrong = wrong(|text| text.chars().map(wide).collect());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
