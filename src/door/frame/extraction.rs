//! Checks what a model extracted: quotes stand in the request letter by letter, and values only extract from them.

use serde_json::{Map, Value};

use super::consistency::{Mismatch, follows, is_contiguous};
use super::normal::normal;
use super::sentences::MAX_VALUE_CHARS;
use crate::record::Score;
use crate::record::frame::{RejectReason, Rejection, Slot, SlotQuote};

const MAX_QUOTE_CHARS: usize = 2_000;

/// The id of the rule by which a model's slots were found.
pub const MODEL: &str = "llm";

/// A value with its quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<'c> {
    pub value: &'c str,
    pub quote: &'c str,
}

/// Whether a slot may have a value. The quote must stand in one of the texts of the user, which are in normal form.
pub fn check(slot: Slot, claim: Claim<'_>, said: &[&str]) -> Result<(), Mismatch> {
    let Claim { value, quote } = claim;
    let fault = |reason| Err(Mismatch { reason, detail: String::new() });
    let says_something = |text: &str| text.contains(char::is_alphanumeric);
    if value.trim().is_empty() {
        return fault(RejectReason::EmptyValue);
    }
    if is_longer(value, MAX_VALUE_CHARS) || is_longer(quote, MAX_QUOTE_CHARS) {
        return fault(RejectReason::TooLong);
    }
    if !says_something(quote) {
        return fault(RejectReason::NoQuote);
    }
    if !said.iter().any(|said| said.contains(quote)) {
        return fault(RejectReason::QuoteNotInQuery);
    }
    follows(slot, value, quote)
}

fn is_longer(text: &str, chars: usize) -> bool {
    text.chars().nth(chars).is_some()
}

/// What came of an extraction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extraction {
    /// The slots that hold, each once, in order.
    pub slots: Vec<(Slot, String, SlotQuote)>,
    /// The four slots in order, then other keys.
    pub rejected: Vec<Rejection>,
}

/// An extraction that is no object at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an extraction is an object with the four slots")]
pub struct NoObject;

/// Checks a model's extraction, slot by slot. One that is wrong leaves the others.
pub fn of_model(extraction: &Value, said: &[&str]) -> Result<Extraction, NoObject> {
    let slots = extraction.as_object().ok_or(NoObject)?;
    let mut checked = Extraction::default();
    for slot in Slot::ALL {
        match slots.get(slot.name()) {
            None | Some(Value::Null) => {}
            Some(given) => match checked_slot(slot, given, said) {
                Ok((value, quote)) => checked.slots.push((slot, value, quote)),
                Err(rejection) => checked.rejected.push(rejection),
            },
        }
    }
    let unknown = slots.keys().filter(|key| Slot::named(key).is_none());
    checked.rejected.extend(unknown.map(|key| rejection(key, None, None, RejectReason::UnknownSlot)));
    Ok(checked)
}

fn checked_slot(slot: Slot, given: &Value, said: &[&str]) -> Result<(String, SlotQuote), Rejection> {
    let refused = |reason| rejection(slot.name(), None, None, reason);
    let fields = match given {
        Value::Object(fields) => fields,
        Value::String(value) => return Err(rejection(slot.name(), Some(value), None, RejectReason::NoQuote)),
        _ => return Err(refused(RejectReason::BadShape)),
    };
    let is_known = |key: &String| matches!(key.as_str(), "value" | "quote");
    if !fields.keys().all(is_known) {
        return Err(refused(RejectReason::BadShape));
    }
    let (value, quote) = (text_of(fields, "value"), text_of(fields, "quote"));
    let (Ok(value), Ok(quote)) = (value, quote) else { return Err(refused(RejectReason::BadShape)) };
    let (Some(value), Some(quote)) = (value, quote) else {
        let reason = if quote.is_none() { RejectReason::NoQuote } else { RejectReason::EmptyValue };
        return Err(rejection(slot.name(), value, quote, reason));
    };
    let (value, quote) = (normal(value), normal(quote));
    let claim = Claim { value: &value, quote: &quote };
    check(slot, claim, said).map_err(|Mismatch { reason, detail }| Rejection {
        detail,
        ..rejection(slot.name(), Some(&value), Some(&quote), reason)
    })?;
    let confidence = if is_contiguous(&value, &quote) { Score::ONE } else { Score::percent(80) };
    Ok((value, SlotQuote { confidence, quote, rule: MODEL.to_string() }))
}

/// A text; nothing if it is absent or null.
fn text_of<'f>(fields: &'f Map<String, Value>, key: &str) -> Result<Option<&'f str>, ()> {
    match fields.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(()),
    }
}

/// What was given is repeated as far as it could have been right.
fn rejection(slot: &str, value: Option<&str>, quote: Option<&str>, reason: RejectReason) -> Rejection {
    let cut = |text: &str, chars: usize| text.chars().take(chars).collect::<String>();
    Rejection {
        detail: String::new(),
        quote: quote.map(|quote| cut(quote, MAX_QUOTE_CHARS)),
        reason,
        slot: cut(slot, MAX_VALUE_CHARS),
        value: value.map(|value| cut(value, MAX_VALUE_CHARS)),
    }
}
