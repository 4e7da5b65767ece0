//! Turns what a caller asks into an event: its words, and what index and tree say about them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::data::{
    self, FrameData, HypothesisData, MapData, OutcomeData, RevertData, SemanticData, VerifiedStatus, VerifyData,
};
use super::places::PlaceFinder;
use super::symbols::SymbolFinder;
use super::{SessionError, Workbench};
use crate::assemble::{IndexView, ReadError};
use crate::door::browse::BrowseError;
use crate::door::frame::session::Session;
use crate::door::frame::{Extraction as Found, SymbolText, by_rules, normal, of_model, related};
use crate::record::Score;
use crate::record::frame::{CodeOp, Slot};
use crate::record::session::{
    Event, Extraction, HypothesisClaim, Hypothesised, Mapped, OutcomeEvent, SessionOp, SymbolLookup, Verified,
    VerifyClaim,
};

/// Looks things up for one session.
pub struct Observer<'o> {
    pub bench: &'o Workbench<'o>,
    pub session: &'o Session,
    pub symbols: SymbolFinder<'o>,
    pub places: PlaceFinder<'o>,
}

impl<'o> Observer<'o> {
    pub fn new(bench: &'o Workbench<'o>, view: &'o IndexView<'o>, session: &'o Session) -> Self {
        let symbols = SymbolFinder { view, frame: &session.frame, synonyms: bench.synonyms };
        Observer { bench, session, symbols, places: PlaceFinder { view, tree: bench.tree } }
    }

    /// The event that an op leads to.
    pub fn event(&self, op: SessionOp, given: &Map<String, Value>) -> Result<Event, SessionError> {
        Ok(match op {
            SessionOp::Frame => self.framed(given)?,
            SessionOp::Map => self.mapped(given)?,
            SessionOp::Submit => Event::Submitted(Box::new(self.submitted(given)?)),
            SessionOp::Semantic => {
                let SemanticData { slot, reason } = data::read("semantic", given)?;
                Event::SemanticOpened { reason, slot }
            }
            SessionOp::Hypothesis => self.hypothesised(given)?,
            SessionOp::Verify => self.verified(given)?,
            SessionOp::Revert => Event::Reverted { keep: data::read::<RevertData>("revert", given)?.keep },
            SessionOp::CheckWrite => {
                Event::WriteChecked(self.write_checked(&data::read::<data::WriteData>("check_write", given)?.path))
            }
            SessionOp::Outcome => self.outcome(given)?,
            SessionOp::Start | SessionOp::Call | SessionOp::SemanticSearch | SessionOp::Intent => {
                return Err(SessionError::bad("this op has no data"));
            }
        })
    }

    pub fn read<T>(&self, found: Result<T, ReadError>) -> Result<T, SessionError> {
        found.map_err(|error| SessionError::Browse(BrowseError::Read(error)))
    }

    pub fn look_up(&self, given: &str) -> Result<SymbolLookup, SessionError> {
        let lookup = self.read(self.symbols.look_up(given))?;
        Ok(SymbolLookup { given: super::places::cut(given), ..lookup })
    }

    /// Whether a line has a word of a text, or a synonym of one.
    pub fn is_about(&self, text: &str, line: &str) -> bool {
        related(text, &SymbolText { names: &[line], texts: &[line] }, &[], self.bench.synonyms).is_some()
    }

    fn framed(&self, given: &Map<String, Value>) -> Result<Event, SessionError> {
        let FrameData { said, intent, extraction, slots } = data::read("frame", given)?;
        let slots = Value::Object(slots.into_iter().collect());
        let model = extraction.or_else(|| slots.as_object().is_some_and(|slots| !slots.is_empty()).then_some(slots));
        let said = said.map(|said| normal(&said)).filter(|said| !said.trim().is_empty());
        let later = said.clone();
        let frame = &self.session.frame;
        let texts =
            [frame.raw_query.as_str()].into_iter().chain(frame.said.iter().map(String::as_str)).chain(later.as_deref());
        let texts: Vec<&str> = texts.collect();
        if texts.iter().map(|text| text.len()).sum::<usize>() > crate::record::frame::QueryFrame::MAX_QUERY_BYTES {
            return Err(SessionError::Limit("the user's words are too long".to_string()));
        }
        match (intent, model, said) {
            (Some(intent), None, None) => Ok(Event::IntentChanged { intent }),
            (None, Some(model), said) => {
                let found = of_model(&model, &texts).map_err(|fault| SessionError::bad(fault.to_string()))?;
                let extraction = extraction_record(found, |_| true);
                Ok(match said {
                    Some(text) => Event::Said { extraction, text },
                    None => Event::Framed { extraction },
                })
            }
            (None, None, Some(text)) => {
                // Rules fill what is open; what the user said first stays.
                let (found, _) = by_rules(&[&text]);
                let extraction = extraction_record(found, |slot| frame.slot(slot).is_none());
                Ok(Event::Said { extraction, text })
            }
            _ => Err(SessionError::bad("data of frame has slots with value and quote, `said`, or `intent` alone")),
        }
    }

    fn mapped(&self, given: &Map<String, Value>) -> Result<Event, SessionError> {
        let MapData { symbol, call, proof, _slot: _ } = data::read("map", given)?;
        let proof = proof.map(|proof| self.read(self.places.place(&proof))).transpose()?;
        Ok(Event::Mapped(Mapped { call, proof, symbol: self.look_up(&symbol)? }))
    }

    fn hypothesised(&self, given: &Map<String, Value>) -> Result<Event, SessionError> {
        let HypothesisData { hypotheses } = data::read("hypothesis", given)?;
        let claims = hypotheses.into_iter().map(|one| {
            let symbol = one.symbol.as_deref().map(|symbol| self.look_up(symbol)).transpose()?;
            let confidence = one.confidence.and_then(|given| Score::try_from(given).ok()).unwrap_or(Score::percent(50));
            let text = super::places::cut(&one.text);
            Ok(HypothesisClaim { call: one.call, confidence, slot: one.slot, symbol, text })
        });
        Ok(Event::Hypothesised(Hypothesised { hypotheses: claims.collect::<Result<_, SessionError>>()? }))
    }

    fn verified(&self, given: &Map<String, Value>) -> Result<Event, SessionError> {
        let VerifyData { verified } = data::read("verify", given)?;
        let facts = self.session.fact_ids();
        let mut claims = Vec::new();
        for one in verified {
            let known = self.session.hypotheses.iter().find(|known| known.shown.id == one.id);
            let name = known.and_then(|known| known.shown.symbol.clone());
            let slot = known.and_then(|known| known.shown.slot);
            let symbol = name.as_deref().map(|name| self.look_up(name)).transpose()?;
            let evidence = match &one.evidence {
                Some(evidence) => {
                    let key = slot.map(|slot| slot.name().to_string()).or(name).unwrap_or_default();
                    Some(self.evidence(&key, evidence, &facts, &BTreeMap::new())?)
                }
                None => None,
            };
            let confirmed = one.status == VerifiedStatus::Confirmed;
            claims.push(VerifyClaim { confirmed, evidence, id: one.id, symbol });
        }
        let again = self.session.submitted.as_ref().map(|last| self.submitted(&last.data)).transpose()?;
        Ok(Event::Verified(Box::new(Verified { claims, submitted: again.map(Box::new) })))
    }

    fn outcome(&self, given: &Map<String, Value>) -> Result<Event, SessionError> {
        let OutcomeData { outcome, analysis } = data::read("outcome", given)?;
        let names = analysis.iter().flat_map(|analysis| analysis.related_symbols.iter());
        let symbols = names.take(64).map(|name| self.look_up(name)).collect::<Result<_, SessionError>>()?;
        Ok(Event::Outcome(OutcomeEvent { analysis, outcome, symbols }))
    }

    /// Whether a target of a call is a word of the request, or a synonym of one.
    pub fn is_of_request(&self, target: &str) -> bool {
        let frame = &self.session.frame;
        let mut texts = [frame.raw_query.as_str()].into_iter().chain(frame.said.iter().map(String::as_str));
        texts.any(|text| self.is_about(text, target))
    }
}

/// As events have it, of the slots that are wanted.
pub fn extraction_record(found: Found, is_wanted: impl Fn(Slot) -> bool) -> Extraction {
    let mut extraction = Extraction { rejected: found.rejected, ..Extraction::default() };
    for (slot, value, quote) in found.slots.into_iter().filter(|(slot, ..)| is_wanted(*slot)) {
        extraction.values.insert(slot, value);
        extraction.quotes.insert(slot, quote);
    }
    extraction
}

/// The slots of a `resolved_frame`; what is no slot is passed over, as the symbols of the specification's example.
pub fn slot_values(given: &BTreeMap<String, Value>) -> Result<BTreeMap<Slot, String>, SessionError> {
    let known: BTreeSet<&str> =
        Slot::ALL.iter().map(|slot| slot.name()).chain(["mapped_symbols", "raw_query"]).collect();
    if let Some(unknown) = given.keys().find(|key| !known.contains(key.as_str())) {
        return Err(SessionError::bad(format!("resolved_frame has no slot `{unknown}`")));
    }
    let values = Slot::ALL.into_iter().filter_map(|slot| Some((slot, given.get(slot.name())?.as_str()?.to_string())));
    Ok(values.collect())
}

/// An operation by its name, or by that of the specification.
pub fn tool_named(name: &str) -> Option<CodeOp> {
    let name = if name == "devrag_search" { CodeOp::SemanticSearch.name() } else { name };
    serde_json::from_value(Value::String(name.to_string())).ok()
}
