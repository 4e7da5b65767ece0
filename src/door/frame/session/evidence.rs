//! Whether evidence holds: the call exists and showed the place, or the quoted words stand there, and the file is still
//! as it was.

use std::collections::BTreeSet;

use super::seen::{is_fact, proof_evidence};
use super::{Call, Session};
use crate::record::SymbolId;
use crate::record::frame::SlotEvidence;
use crate::record::session::{EvidenceClaim, FaultCode, FoundSymbol, PlaceClaim};
use crate::text::RepoPath;

impl Session {
    /// The evidence that a claim names, as the session has it. Calls before `since` do not count.
    pub(super) fn evidence(&self, claim: &EvidenceClaim, since: u32) -> Result<SlotEvidence, FaultCode> {
        let (path, line) = claim.place.path.as_ref().zip(claim.place.line).ok_or(FaultCode::NoPlace)?;
        if claim.place.quote.is_some() {
            return self.proof(&claim.place, path, line);
        }
        let call = self.cited_call(claim, path, line, since)?;
        let shown = call.shows(path, line).ok_or(FaultCode::NoPlace)?;
        match claim.place.digest.as_ref() == Some(shown) {
            true => Ok(call.evidence(path, line)),
            false => Err(FaultCode::Stale),
        }
    }

    fn proof(&self, place: &PlaceClaim, path: &RepoPath, line: u32) -> Result<SlotEvidence, FaultCode> {
        match place.quote_stands {
            Some(true) => Ok(proof_evidence(self.seq, path, line, place.quote.as_deref().unwrap_or_default())),
            _ => Err(FaultCode::QuoteMismatch),
        }
    }

    fn cited_call(&self, claim: &EvidenceClaim, path: &RepoPath, line: u32, since: u32) -> Result<&Call, FaultCode> {
        if let Some(seq) = claim.call {
            let call = self.call(seq).filter(|call| is_fact(call.op) && call.seq >= since);
            return call.ok_or(FaultCode::NotSeen);
        }
        let tool = claim.tool.filter(|tool| is_fact(*tool)).ok_or(FaultCode::NotSeen)?;
        let mut calls = self.calls_of(tool).rev().filter(|call| call.seq >= since).peekable();
        if calls.peek().is_none() {
            return Err(FaultCode::NotSeen);
        }
        calls.find(|call| call.shows(path, line).is_some()).ok_or(FaultCode::NoPlace)
    }

    /// The same, for something that has to be about a slot.
    pub(super) fn slot_evidence(
        &self,
        claim: &EvidenceClaim,
        facts: &BTreeSet<SymbolId>,
        since: u32,
    ) -> Result<SlotEvidence, FaultCode> {
        let evidence = self.evidence(claim, since)?;
        let touches = claim.shares_word || claim.near.iter().any(|symbol| facts.contains(symbol));
        if touches { Ok(evidence) } else { Err(FaultCode::Unrelated) }
    }

    /// The same, for something that has to show a definition.
    pub(super) fn symbol_evidence(
        &self,
        claim: &EvidenceClaim,
        symbol: &FoundSymbol,
        since: u32,
    ) -> Result<SlotEvidence, FaultCode> {
        let evidence = self.evidence(claim, since)?;
        let place = &evidence.places[0];
        let is_inside = place.path == symbol.path && (symbol.lines.start..=symbol.lines.end).contains(&place.line);
        let is_named = || self.call(evidence.seq).is_some_and(|call| call.symbols.contains(&symbol.symbol_id));
        if is_inside || is_named() { Ok(evidence) } else { Err(FaultCode::NoPlace) }
    }

    /// Whether a place of a pattern was seen: in an explored file, and shown or proven.
    pub(super) fn place_fault(&self, place: &PlaceClaim) -> Option<FaultCode> {
        let Some((path, line)) = place.path.as_ref().zip(place.line) else { return Some(FaultCode::NoPlace) };
        if place.quote.is_some() {
            return (place.quote_stands != Some(true)).then_some(FaultCode::QuoteMismatch);
        }
        let Some(explored) = self.explored.get(path) else { return Some(FaultCode::NotSeen) };
        let Some(now) = &place.digest else { return Some(FaultCode::Stale) };
        if *now != explored.digest {
            return Some(FaultCode::Stale);
        }
        (!self.seen.has_line(path, now, line)).then_some(FaultCode::NoPlace)
    }
}
