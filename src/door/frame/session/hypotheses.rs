//! What semantic search suggests, and its verification by facts.

use std::collections::BTreeMap;

use super::seen::sort_symbols;
use super::{Session, Supposed};
use crate::record::Score;
use crate::record::frame::{MappedSymbol, RiskLevel, RiskRule, Slot, SlotEvidence, SlotSource};
use crate::record::session::{
    ClaimFault, FaultCode, Hypothesis, HypothesisClaim, HypothesisStatus, Hypothesised, Verdict, Verified, VerifyClaim,
};

/// Semantic search is never surer than this.
const MAX_CONFIDENCE: Score = Score::percent(70);

impl Session {
    pub(super) fn take_hypotheses(&mut self, event: &Hypothesised, verdict: &mut Verdict) {
        for claim in &event.hypotheses {
            self.suppose(claim, verdict);
        }
        self.risk_rules.insert(RiskRule::R5);
        self.raise_risk(RiskLevel::Medium);
    }

    fn suppose(&mut self, claim: &HypothesisClaim, verdict: &mut Verdict) {
        let confidence = claim.confidence.min(MAX_CONFIDENCE);
        let id = self.hypotheses.len() as u32 + 1;
        let before = claim.slot.map(|slot| {
            let before = (self.frame.slot(slot).map(str::to_string), self.frame.slot_source.get(&slot).copied());
            if before.0.is_none() {
                *self.frame.slot_mut(slot) = Some(claim.text.clone());
            }
            self.frame.slot_source.insert(slot, SlotSource::Hypothesis);
            before
        });
        self.refresh_missing();
        let symbol = claim.symbol.as_ref().map(|lookup| lookup.given.clone());
        if let Some(lookup) = &claim.symbol {
            self.frame.mapped_symbols.push(MappedSymbol {
                confidence,
                evidence: semantic_evidence(claim.call.unwrap_or_default(), &claim.text),
                name: lookup.given.clone(),
                related: lookup.found.as_ref().and_then(|found| found.related.clone()),
                source: SlotSource::Hypothesis,
                symbol_id: lookup.found.as_ref().map(|found| found.symbol_id.clone()),
            });
            sort_symbols(&mut self.frame.mapped_symbols);
            verdict.mapped.push(lookup.given.clone());
        }
        let call = claim.call.unwrap_or_default();
        let status = HypothesisStatus::Open;
        let shown = Hypothesis { call, confidence, id, slot: claim.slot, status, symbol, text: claim.text.clone() };
        self.hypotheses.push(Supposed { shown, before });
    }

    pub(super) fn take_verified(&mut self, event: &Verified, verdict: &mut Verdict) {
        for claim in &event.claims {
            if let Err(fault) = self.verify(claim, verdict) {
                let detail = claim.evidence.as_ref().map(|evidence| evidence.place.given.clone());
                let claim = format!("hypothesis {}", claim.id);
                verdict.faults.push(ClaimFault { claim, detail: detail.unwrap_or_default(), fault });
            }
        }
        if self.hypotheses.iter().any(|one| one.shown.status == HypothesisStatus::Open) {
            return;
        }
        match &event.submitted {
            Some(submitted) => {
                self.evaluate(submitted, verdict);
                self.submitted = Some((**submitted).clone());
            }
            // Nothing was ever submitted, so there is no checklist.
            None => self.checklist.clear(),
        }
        verdict.missing = self.missing_items();
    }

    fn verify(&mut self, claim: &VerifyClaim, verdict: &mut Verdict) -> Result<(), FaultCode> {
        let is_claimed = |one: &Supposed| one.shown.id == claim.id && one.shown.status == HypothesisStatus::Open;
        let at = self.hypotheses.iter().position(is_claimed).ok_or(FaultCode::NotFound)?;
        if !claim.confirmed {
            self.reject(at);
            return Ok(());
        }
        let evidence = claim.evidence.as_ref().ok_or(FaultCode::NotSeen)?;
        let since = self.verification_start;
        let Hypothesis { slot, symbol, .. } = self.hypotheses[at].shown.clone();
        match (slot, symbol) {
            (Some(slot), _) => {
                let facts = self.fact_ids();
                let evidence = self.slot_evidence(evidence, &facts, since)?;
                self.confirm_slot(slot, evidence);
            }
            (None, name) => {
                let found = claim.symbol.as_ref().and_then(|lookup| lookup.found.as_ref());
                let fault = claim.symbol.as_ref().and_then(|lookup| lookup.fault).unwrap_or(FaultCode::NotFound);
                let found = found.ok_or(fault)?;
                let evidence = self.symbol_evidence(evidence, found, since)?;
                self.remove_hypothesis_symbol(&name.unwrap_or_default());
                let sure = crate::record::session::FoundSymbol { confidence: Score::ONE, ..found.clone() };
                self.map_fact(&sure, evidence, verdict);
            }
        }
        self.hypotheses[at].shown.status = HypothesisStatus::Confirmed;
        Ok(())
    }

    fn confirm_slot(&mut self, slot: Slot, evidence: SlotEvidence) {
        self.frame.slot_source.insert(slot, SlotSource::Fact);
        self.cite(&evidence);
        self.frame.slot_evidence.insert(slot, evidence);
    }

    /// The slot returns to what it was; the symbol goes.
    fn reject(&mut self, at: usize) {
        self.hypotheses[at].shown.status = HypothesisStatus::Rejected;
        let Supposed { shown, before } = self.hypotheses[at].clone();
        if let (Some(slot), Some((value, source))) = (shown.slot, before) {
            *self.frame.slot_mut(slot) = value;
            match source {
                Some(source) => self.frame.slot_source.insert(slot, source),
                None => self.frame.slot_source.remove(&slot),
            };
            self.refresh_missing();
        }
        if let Some(name) = shown.symbol {
            self.remove_hypothesis_symbol(&name);
        }
    }

    fn remove_hypothesis_symbol(&mut self, name: &str) {
        let symbols = &mut self.frame.mapped_symbols;
        let at = symbols.iter().position(|symbol| symbol.source == SlotSource::Hypothesis && symbol.name == name);
        at.map(|at| symbols.remove(at));
    }

    /// The newest first, so that a slot that was supposed twice ends as it began.
    pub(super) fn drop_open_hypotheses(&mut self) {
        for at in (0..self.hypotheses.len()).rev() {
            if self.hypotheses[at].shown.status == HypothesisStatus::Open {
                self.reject(at);
            }
        }
    }
}

fn semantic_evidence(seq: u32, text: &str) -> SlotEvidence {
    SlotEvidence {
        params: BTreeMap::new(),
        places: Vec::new(),
        result_summary: text.chars().take(SlotEvidence::MAX_SUMMARY).collect(),
        seq,
        tool: crate::record::frame::CodeOp::SemanticSearch.name().to_string(),
    }
}
