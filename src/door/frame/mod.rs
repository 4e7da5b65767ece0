//! Frames of requests: a request in words becomes four slots, each with its quote. Pure; needs no index and no model.
//!
//! `sentences` finds what is read of a request, `japanese` and `english` find slots in a sentence (`noun` and `phrase`
//! find their noun phrases), `candidate` keeps the surest. `extraction` checks what a model found, `consistency` compares
//! a value with its quote (`units` and `quoted` split the two). `intent`, `risk` and `route` say what follows from a
//! frame, `related` compares a term with a symbol, `propose` finds synonyms in an index. All words are in `words.toml`,
//! `guidance.toml` and `synonyms.toml`.

mod candidate;
mod consistency;
mod english;
mod extraction;
mod intent;
mod japanese;
pub mod look;
mod normal;
mod noun;
mod pattern;
mod phrase;
mod prompt;
mod propose;
mod quoted;
mod related;
mod risk;
mod route;
mod script;
mod sentences;
pub mod session;
mod synonyms;
mod units;
mod words;

#[cfg(test)]
mod tests;

use serde_json::Value;

use candidate::Pool;
use sentences::read;

use crate::record::frame::{
    FrameAnswer, FrameIntent, FrameLang, IntentSource, QueryFrame, Slot, SlotQuote, SlotSource,
};
use crate::record::{Digest, ErrorCode, Score};
use crate::search::{Zone, zones};

pub use consistency::{Mismatch, follows};
pub use extraction::{Claim, Extraction, MODEL, NoObject, check, of_model};
pub use intent::intent;
pub use normal::normal;
pub use prompt::{EXTRACTION_SCHEMA, prompt};
pub use propose::{as_file, proposals};
pub use related::{SymbolText, related};
pub use risk::{Risk, RiskFacts, TreeCounts, requirements, risk, within};
pub use route::{by_priority, guidance, route};
pub use synonyms::{SynonymFault, Synonyms};

/// What a caller says beside the request.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrameOptions<'o> {
    /// What the user said later.
    pub said: &'o [String],
    pub intent: Option<FrameIntent>,
    pub lang: Option<FrameLang>,
    /// What a model extracted. Without it, rules do.
    pub extraction: Option<&'o Value>,
    /// Whether rules fill the slots that the model left.
    pub fill: bool,
}

/// Why a request has no frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    #[error("the request is empty")]
    Empty,
    #[error("the request has {0} bytes and may have {max}", max = QueryFrame::MAX_QUERY_BYTES)]
    TooLong(usize),
    #[error("the extraction cannot be used\n  because {0}")]
    Extraction(#[from] NoObject),
}

impl FrameFault {
    pub fn code(&self) -> ErrorCode {
        match self {
            FrameFault::TooLong(_) => ErrorCode::BudgetExceeded,
            _ => ErrorCode::BadRequest,
        }
    }
}

/// The frame of a request, and what follows from it.
pub fn frame(query: &str, options: &FrameOptions<'_>) -> Result<FrameAnswer, FrameFault> {
    if query.trim().is_empty() {
        return Err(FrameFault::Empty);
    }
    let bytes = query.len() + options.said.iter().map(String::len).sum::<usize>();
    if bytes > QueryFrame::MAX_QUERY_BYTES {
        return Err(FrameFault::TooLong(bytes));
    }
    let raw_query = normal(query);
    let said: Vec<String> = options.said.iter().map(|said| normal(said)).collect();
    let texts: Vec<&str> = [raw_query.as_str()].into_iter().chain(said.iter().map(String::as_str)).collect();
    let (found, is_question) = by_rules(&texts);
    let extraction = match options.extraction {
        Some(given) => {
            let mut checked = of_model(given, &texts)?;
            if options.fill {
                let is_filled = |slot: Slot| checked.slots.iter().any(|(filled, ..)| *filled == slot);
                let added: Vec<_> = found.slots.into_iter().filter(|(slot, ..)| !is_filled(*slot)).collect();
                checked.slots.extend(added);
            }
            checked
        }
        None => found,
    };
    let lang = options.lang.unwrap_or_else(|| language(&raw_query));
    let frame = framed(raw_query, said, lang, extraction);
    let (has_issue, action) = (frame.observed_issue.is_some(), frame.desired_action.as_deref());
    let by_words = || intent(action, has_issue, is_question);
    let (intent, intent_source) = match options.intent {
        Some(intent) => (intent, IntentSource::Given),
        None => (by_words(), IntentSource::Rule),
    };
    let routing = route(&frame.raw_query, &frame.missing_slots, intent, lang, risk(&facts(&frame, intent)));
    Ok(FrameAnswer { frame, intent, intent_source, routing })
}

/// What the rules of risk look at in a frame before any code was seen.
pub fn facts(frame: &QueryFrame, intent: FrameIntent) -> RiskFacts<'_> {
    RiskFacts {
        intent,
        target_feature: frame.target_feature.as_deref(),
        trigger_condition: frame.trigger_condition.as_deref(),
        observed_issue: frame.observed_issue.as_deref(),
        desired_action: frame.desired_action.as_deref(),
        had_hypothesis: frame.slot_source.values().any(|source| *source == SlotSource::Hypothesis),
        is_widely_used: false,
    }
}

/// The slots that rules find in texts of the user in normal form, and whether something is asked.
pub fn by_rules(texts: &[&str]) -> (Extraction, bool) {
    let mut pool = Pool::default();
    for text in texts {
        let reading = read(text);
        for (slot, body) in reading.sections {
            pool.offer(candidate::Candidate { slot, value: body, quote: body, rule: "H", percent: 95 });
        }
        for sentence in reading.sentences {
            match sentence.text.contains(script::is_japanese) {
                true => japanese::read(sentence, &mut pool),
                false => english::read(sentence, &mut pool),
            }
        }
    }
    let best = Slot::ALL.into_iter().filter_map(|slot| pool.best(slot));
    let slots = best.map(|best| {
        let quote =
            SlotQuote { confidence: best.confidence(), quote: best.quote.to_string(), rule: best.rule.to_string() };
        (best.slot, best.value.to_string(), quote)
    });
    (Extraction { slots: slots.collect(), rejected: Vec::new() }, pool.is_question)
}

/// A frame before any code was seen.
pub fn framed(raw_query: String, said: Vec<String>, lang: FrameLang, extraction: Extraction) -> QueryFrame {
    let mut frame = QueryFrame { rejected: extraction.rejected, said, ..QueryFrame::unread(raw_query, lang) };
    let sum: u32 = extraction.slots.iter().map(|(_, _, quote)| quote.confidence.in_millionths()).sum();
    frame.extraction_confidence = Score::millionths(sum / Slot::ALL.len() as u32);
    for (slot, value, quote) in extraction.slots {
        *frame.slot_mut(slot) = Some(value);
        frame.slot_quotes.insert(slot, quote);
        frame.slot_source.insert(slot, SlotSource::Stated);
    }
    frame.missing_slots = Slot::ALL.into_iter().filter(|slot| frame.slot(*slot).is_none()).collect();
    frame
}

/// Japanese if kana or kanji stand outside code.
pub fn language(query: &str) -> FrameLang {
    let mut in_code = false;
    let mut is_japanese = |line: &str| {
        in_code = false;
        line.chars().any(|c| {
            in_code ^= c == '`';
            !in_code && script::is_japanese(c)
        })
    };
    let is_read = |zone: Zone| !matches!(zone, Zone::Code | Zone::Trace);
    match zones(query).into_iter().any(|(zone, line)| is_read(zone) && is_japanese(line)) {
        true => FrameLang::Ja,
        false => FrameLang::En,
    }
}

/// Of all tables. It differs for sessions that other rules decided.
pub fn rules_digest() -> Digest {
    let tables = [words::TEXT, route::TEXT, synonyms::TEXT, RULESET_VERSION];
    Digest::sha256(tables.join("\0").as_bytes())
}

/// Raised with every change of the code that decides about frames.
const RULESET_VERSION: &str = "1";
