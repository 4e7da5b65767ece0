//! Decides whether a value only extracts from its quote. It may leave out and change endings; it may not add, replace,
//! reorder or negate.

use super::normal::{bare, comparable};
use super::quoted::{Found, Quoted};
use super::script::{Script, runs};
use super::units::{Unit, UnitKind, units};
use super::words::WORDS;
use crate::record::frame::{RejectReason, Slot};

/// Why a value does not follow from its quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    pub reason: RejectReason,
    /// The word that shows it.
    pub detail: String,
}

fn mismatch(reason: RejectReason, detail: &str) -> Result<(), Mismatch> {
    Err(Mismatch { reason, detail: detail.to_string() })
}

/// Whether a value of a slot follows from its quote.
pub fn follows(slot: Slot, value: &str, quote: &str) -> Result<(), Mismatch> {
    let (value, quote) = (comparable(value), comparable(quote));
    let units = units(&value);
    if slot == Slot::TargetFeature && is_generic(&units) {
        return mismatch(RejectReason::TooGeneric, &value);
    }
    if bare(&value) == bare(&quote) && !bare(&value).is_empty() {
        return Ok(());
    }
    let Some(window) = held(slot, &units, &value, &quote)? else { return Ok(()) };
    if slot == Slot::TargetFeature && !has_predicate(&value) {
        return Ok(());
    }
    let said = &quote[widened(&quote, window)];
    if is_negated(&value) != is_negated(said) {
        return mismatch(RejectReason::Negation, said.trim());
    }
    Ok(())
}

/// Whether a value stands in its quote in one piece.
pub fn is_contiguous(value: &str, quote: &str) -> bool {
    let (value, quote) = (comparable(value), comparable(quote));
    quote.contains(&value) || bare(&value) == bare(&quote)
}

fn is_generic(units: &[Unit]) -> bool {
    !units.is_empty() && units.iter().all(|unit| unit.is_one_of(&WORDS.consistency.generic))
}

/// Where a quote holds all units, in order. Nothing of a value may have to be found: a target may add `機能`.
fn held(slot: Slot, units: &[Unit], value: &str, quote: &str) -> Result<Option<Found>, Mismatch> {
    if units.is_empty() {
        let Some(start) = quote.find(value.trim()) else { return Err(added(value.trim())) };
        return Ok(Some(Found { start, end: start + value.trim().len() }));
    }
    let quoted = Quoted::new(quote);
    let needed: Vec<Unit> = units.iter().filter_map(|unit| needed(slot, unit, &quoted)).collect();
    if let Some(unit) = needed.iter().find(|unit| quoted.find(unit, 0).is_none()) {
        return Err(added(&unit.written));
    }
    let (mut window, mut from): (Option<Found>, usize) = (None, 0);
    for unit in &needed {
        let Some(found) = quoted.find(unit, from) else {
            mismatch(RejectReason::Order, &unit.written)?;
            break;
        };
        from = found.end;
        window = Some(Found { start: window.map_or(found.start, |window| window.start), end: found.end });
    }
    Ok(window)
}

fn added(unit: &str) -> Mismatch {
    Mismatch { reason: RejectReason::ValueAdds, detail: unit.to_string() }
}

/// A unit as it must be found; nothing if it may be added.
fn needed(slot: Slot, unit: &Unit, quoted: &Quoted) -> Option<Unit> {
    let may_be_added = &WORDS.consistency.may_be_added;
    if slot != Slot::TargetFeature || quoted.find(unit, 0).is_some() {
        return Some(unit.clone());
    }
    if unit.is_one_of(may_be_added) {
        return None;
    }
    let shorter = may_be_added.iter().find_map(|word| unit.text.strip_suffix(word.as_str()));
    match shorter.filter(|shorter| unit.kind == UnitKind::Kanji && !shorter.is_empty()) {
        Some(text) => Some(Unit { text: text.to_string(), ..unit.clone() }),
        None => Some(unit.clone()),
    }
}

/// From three words before the first unit in its clause to the end of the function words behind the last.
fn widened(quote: &str, window: Found) -> std::ops::Range<usize> {
    let words = &WORDS.consistency;
    let runs = runs(quote);
    let (mut start, mut left) = (window.start, 3);
    for (script, range) in runs.iter().rev().filter(|(_, range)| range.end <= window.start) {
        let run = &quote[range.clone()];
        let is_border = *script == Script::Other && run.contains(|c: char| !c.is_whitespace() && !"'’-\"`".contains(c));
        if is_border || left == 0 || !matches!(script, Script::Word | Script::Other) {
            break;
        }
        start = range.start;
        left -= usize::from(*script == Script::Word);
    }
    let mut end = window.end;
    for (script, range) in runs.iter().filter(|(_, range)| range.end > window.end) {
        let run = &quote[range.clone()];
        let goes_on = match script {
            Script::Hiragana => true,
            Script::Word => range.start < window.end || words.stop.contains(&run.to_lowercase()),
            Script::Other => run.chars().all(char::is_whitespace),
            _ => false,
        };
        if !goes_on {
            break;
        }
        end = range.end;
    }
    start..end
}

/// Whether a text denies something.
pub fn is_negated(text: &str) -> bool {
    let words = &WORDS.consistency;
    let text = text.to_lowercase();
    let mut plain = String::with_capacity(text.len());
    let mut copied = 0;
    for found in words.not_a_negation.find_iter(&text) {
        plain += &text[copied..found.start()];
        plain.push(' ');
        copied = found.end();
    }
    plain += &text[copied..];
    words.negation_ja.is_match(&plain) || words.negation_en.is_match(&plain)
}

/// Whether a text says something, and does not only name it.
fn has_predicate(text: &str) -> bool {
    let words = &WORDS.consistency;
    let runs = runs(text);
    let is_verb = |range: &std::ops::Range<usize>| words.predicate_en.contains(&text[range.clone()].to_lowercase());
    let ends_inflected = runs.last().is_some_and(|(script, range)| {
        *script == Script::Hiragana && words.function_starts.iter().any(|start| text[range.clone()].starts_with(start))
    });
    is_negated(text) || ends_inflected || runs.iter().any(|(script, range)| *script == Script::Word && is_verb(range))
}
