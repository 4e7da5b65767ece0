//! A submit: every claim is checked on its own, good ones stay, and the checklist says what is missing.

use std::collections::{BTreeMap, BTreeSet};

use super::Session;
use crate::record::frame::{CodeOp, Requirements, RiskLevel, RiskRule, SessionPhase, Slot, SlotEvidence, SlotSource};
use crate::record::session::{
    CheckItem, ClaimFault, EvidenceClaim, FaultCode, FileClaim, FoundSymbol, NewFileClaim, PatternClaim, Submitted,
    SymbolLookup, TreeCounts, Verdict,
};
use crate::record::{Score, SymbolId};
use crate::text::RepoPath;

/// From so many files that use the symbols on, the risk is one level higher.
const WIDELY_USED: u32 = 20;
/// New files in one submit.
const MAX_NEW_FILES: usize = 16;

/// What the claims of a submit come to.
#[derive(Default)]
struct Tally {
    symbols: BTreeSet<SymbolId>,
    entries: BTreeSet<SymbolId>,
    files: BTreeSet<RepoPath>,
    patterns: BTreeSet<Vec<(RepoPath, u32)>>,
    new_files: BTreeSet<RepoPath>,
    faults: Vec<ClaimFault>,
    /// Of claims without which nothing may be written.
    needed_faults: u32,
}

impl Tally {
    fn fault(&mut self, claim: String, fault: FaultCode, detail: impl Into<String>) {
        self.faults.push(ClaimFault { claim, detail: detail.into(), fault });
    }
}

impl Session {
    pub(super) fn take_submit(&mut self, submitted: &Submitted, verdict: &mut Verdict) {
        self.is_torn = false;
        self.evaluate(submitted, verdict);
        self.submitted = Some(submitted.clone());
        match self.is_whole() {
            true => self.failed_submits = 0,
            false => self.failed_submits += 1,
        }
        verdict.missing = self.missing_items();
    }

    pub(super) fn missing_items(&self) -> Vec<String> {
        self.checklist.iter().filter(|item| !item.ok).map(|item| item.item.clone()).collect()
    }

    /// Checks all claims and writes the checklist.
    pub(super) fn evaluate(&mut self, submitted: &Submitted, verdict: &mut Verdict) {
        self.take_proofs(submitted, verdict);
        let mut tally = Tally::default();
        for symbol in &submitted.symbols {
            self.check_symbol(symbol, &mut tally, verdict);
        }
        for claim in submitted.evidence.iter().filter(|claim| claim.slot.is_none()) {
            self.check_symbol_evidence(claim, &mut tally, verdict);
        }
        self.raise_by_use(submitted.used_from);
        self.check_slots(submitted, &mut tally);
        self.check_entries(submitted, &mut tally);
        submitted.files.iter().for_each(|file| self.check_file(file, &mut tally));
        submitted.patterns.iter().for_each(|pattern| self.check_pattern(pattern, &mut tally));
        self.check_new_files(&submitted.new_files, &mut tally);
        self.checklist = self.items(&tally, submitted.tree);
        let met = self.checklist.iter().filter(|item| item.ok).count();
        self.confidence = share(met, self.checklist.len());
        self.new_files = if self.is_whole() { tally.new_files } else { BTreeSet::new() };
        verdict.faults.extend(tally.faults);
    }

    /// First of all: a proof is a look at a file.
    fn take_proofs(&mut self, submitted: &Submitted, verdict: &mut Verdict) {
        let of_patterns = submitted.patterns.iter().flat_map(|pattern| &pattern.places);
        let of_evidence = submitted.evidence.iter().map(|claim| &claim.place);
        let places: Vec<_> = of_patterns.chain(of_evidence).cloned().collect();
        places.iter().for_each(|place| self.take_proof(place, verdict));
    }

    fn check_symbol(&mut self, lookup: &SymbolLookup, tally: &mut Tally, verdict: &mut Verdict) {
        let claim = format!("symbols_identified {}", lookup.given);
        let Some(symbol) = &lookup.found else {
            return tally.fault(claim, lookup.fault.unwrap_or(FaultCode::NotFound), lookup.near.join(", "));
        };
        if !self.seen.has_definition(symbol) {
            return tally.fault(claim, FaultCode::NotSeen, "no call showed it");
        }
        if !tally.symbols.insert(symbol.symbol_id.clone()) {
            return tally.fault(claim, FaultCode::Duplicate, symbol.name.clone());
        }
        let evidence = self.definition_evidence(symbol);
        self.map_fact(symbol, evidence, verdict);
    }

    fn definition_evidence(&self, symbol: &FoundSymbol) -> SlotEvidence {
        match self.newest_showing(symbol) {
            Some(call) => call.evidence(&symbol.path, symbol.lines.start),
            None => super::seen::proof_evidence(self.seq, &symbol.path, symbol.lines.start, &symbol.name),
        }
    }

    fn check_symbol_evidence(&mut self, claim: &EvidenceClaim, tally: &mut Tally, verdict: &mut Verdict) {
        let Some(lookup) = &claim.symbol else { return };
        let name = format!("slot_evidence {}", lookup.given);
        let Some(symbol) = &lookup.found else {
            return tally.fault(name, lookup.fault.unwrap_or(FaultCode::NotFound), lookup.near.join(", "));
        };
        match self.symbol_evidence(claim, symbol, 0) {
            Ok(evidence) => self.map_fact(symbol, evidence, verdict),
            Err(fault) => tally.fault(name, fault, claim.place.given.clone()),
        }
    }

    fn raise_by_use(&mut self, files: u32) {
        if files < WIDELY_USED || !self.intent.writes() || !self.risk_rules.insert(RiskRule::R6) {
            return;
        }
        self.risk = match self.risk {
            RiskLevel::Low => RiskLevel::Medium,
            _ => RiskLevel::High,
        };
    }

    fn check_slots(&mut self, submitted: &Submitted, tally: &mut Tally) {
        let facts = self.fact_ids();
        let mut held: BTreeMap<Slot, SlotEvidence> = BTreeMap::new();
        for claim in &submitted.evidence {
            let Some(slot) = claim.slot else { continue };
            match self.slot_evidence(claim, &facts, 0) {
                Ok(evidence) => drop(held.insert(slot, evidence)),
                Err(fault) => {
                    tally.fault(format!("slot_evidence {}", slot.name()), fault, claim.place.given.clone());
                }
            }
        }
        for (slot, value) in &submitted.resolved {
            let is_stated = self.frame.slot(*slot) == Some(value);
            if !is_stated && !held.contains_key(slot) {
                tally.needed_faults += 1;
                tally.fault(format!("resolved_frame {}", slot.name()), FaultCode::NotSeen, "it has no evidence");
            }
        }
        for (slot, evidence) in held {
            let value = submitted.resolved.get(&slot);
            self.hold_slot(slot, value, evidence);
        }
    }

    /// What the user stated stays the value; what nobody stated gets the resolved one.
    fn hold_slot(&mut self, slot: Slot, value: Option<&String>, evidence: SlotEvidence) {
        if self.frame.slot_source.get(&slot) == Some(&SlotSource::Hypothesis) {
            return;
        }
        if self.frame.slot(slot).is_none() {
            *self.frame.slot_mut(slot) = value.cloned();
            self.refresh_missing();
        }
        self.cite(&evidence);
        self.frame.slot_evidence.insert(slot, evidence);
        // A target is a fact by a symbol, not by a line that has its word.
        if slot != Slot::TargetFeature && self.frame.slot(slot).is_some() {
            self.frame.slot_source.insert(slot, SlotSource::Fact);
        }
    }

    fn check_entries(&self, submitted: &Submitted, tally: &mut Tally) {
        for entry in &submitted.entry_points {
            let claim = format!("entry_points {}", entry.symbol.given);
            let Some(symbol) = &entry.symbol.found else {
                let fault = entry.symbol.fault.unwrap_or(FaultCode::NotFound);
                tally.fault(claim, fault, entry.symbol.near.join(", "));
                continue;
            };
            if !entry.is_callable {
                tally.fault(claim, FaultCode::NotLinked, "it is neither callable nor a module");
            } else if !entry.leads_to.iter().any(|id| tally.symbols.contains(id)) {
                tally.fault(claim, FaultCode::NotLinked, "it leads to none of the symbols");
            } else if !tally.entries.insert(symbol.symbol_id.clone()) {
                tally.fault(claim, FaultCode::Duplicate, symbol.name.clone());
            }
        }
    }

    fn check_file(&self, file: &FileClaim, tally: &mut Tally) {
        let claim = format!("files_analyzed {}", file.given);
        let Some(path) = &file.path else { return tally.fault(claim, FaultCode::NotFound, "") };
        match self.explored.get(path) {
            None => tally.fault(claim, FaultCode::NotSeen, "no call showed lines of it"),
            Some(explored) if file.digest.as_ref() != Some(&explored.digest) => {
                tally.fault(claim, FaultCode::Stale, "it has changed since it was seen");
            }
            Some(_) if !tally.files.insert(path.clone()) => tally.fault(claim, FaultCode::Duplicate, ""),
            Some(_) => {}
        }
    }

    fn check_pattern(&self, pattern: &PatternClaim, tally: &mut Tally) {
        let claim = format!("existing_patterns {}", pattern.pattern);
        if pattern.places.is_empty() {
            return tally.fault(claim, FaultCode::NoPlace, "");
        }
        for place in &pattern.places {
            if let Some(fault) = self.place_fault(place) {
                return tally.fault(claim, fault, place.given.clone());
            }
        }
        let places = pattern.places.iter().filter_map(|place| Some((place.path.clone()?, place.line?)));
        let places: BTreeSet<(RepoPath, u32)> = places.collect();
        if !tally.patterns.insert(places.into_iter().collect()) {
            tally.fault(claim, FaultCode::Duplicate, "another pattern has the same places");
        }
    }

    fn check_new_files(&self, files: &[NewFileClaim], tally: &mut Tally) {
        for (file, number) in files.iter().zip(1..) {
            let folder_of = |path: &RepoPath| path.folders().collect::<Vec<_>>().join("/");
            let is_known = || self.explored.keys().any(|path| folder_of(path) == file.folder);
            let detail = match (&file.path, file.fault) {
                (Some(_), None) if number > MAX_NEW_FILES => "there are more than 16 new files",
                (Some(path), None) if is_known() => {
                    tally.new_files.insert(path.clone());
                    continue;
                }
                (Some(_), None) => "its directory holds no explored file",
                (_, fault) => fault.map_or("it is no path of the tree", new_file_detail),
            };
            tally.needed_faults += 1;
            tally.fault(format!("new_files {}", file.given), FaultCode::BadPath, detail);
        }
    }

    fn items(&self, tally: &Tally, tree: TreeCounts) -> Vec<CheckItem> {
        let needs = super::super::requirements(self.intent, self.risk);
        let mut items = vec![
            count("symbols_identified", tally.symbols.len(), needs.symbols_identified.min(tree.symbols)),
            count("entry_points", tally.entries.len(), needs.entry_points.min(tree.callables)),
            count("files_analyzed", tally.files.len(), needs.files_analyzed.min(tree.files)),
            count("existing_patterns", tally.patterns.len(), needs.existing_patterns.min(tree.files)),
        ];
        items.extend(needs.required_tools.iter().map(|tool| self.tool_item(*tool)));
        if self.intent.writes() {
            items.extend(self.slots_with_evidence(&needs).into_iter().map(|slot| {
                let has = self.frame.slot_evidence.contains_key(&slot);
                flag(format!("evidence:{}", slot.name()), has, "cite a call and a place that shows it")
            }));
            let is_fact = self.frame.slot_source.get(&Slot::TargetFeature) == Some(&SlotSource::Fact);
            items.push(flag("target_feature".into(), is_fact, "no symbol of the code is known for it"));
            items.push(flag("related".into(), self.has_related_fact(), "no symbol that is a fact is related to it"));
        }
        items.push(self.hypotheses_item());
        items.push(flag("claims".into(), tally.needed_faults == 0, "a new file or a resolved slot does not hold"));
        items
    }

    /// Those that are required, and a problem that the user stated.
    fn slots_with_evidence(&self, needs: &Requirements) -> BTreeSet<Slot> {
        let mut slots: BTreeSet<Slot> = needs.required_slot_evidence.iter().copied().collect();
        if self.stated.get(&Slot::ObservedIssue).is_some_and(Option::is_some) {
            slots.insert(Slot::ObservedIssue);
        }
        slots
    }

    /// A result, or two targets that were tried.
    fn tool_item(&self, tool: CodeOp) -> CheckItem {
        let calls = || self.calls_of(tool);
        let targets: BTreeSet<&str> = calls().map(|call| call.target.as_str()).collect();
        let is_met = calls().any(|call| call.total > 0) || targets.len() >= 2;
        flag(format!("tool:{}", tool.name()), is_met, "call it until it finds something, or with two targets")
    }

    fn hypotheses_item(&self) -> CheckItem {
        let symbols = self.frame.mapped_symbols.iter().filter(|symbol| symbol.source == SlotSource::Hypothesis);
        let slots = self.frame.slot_source.values().filter(|source| **source == SlotSource::Hypothesis);
        let left = symbols.count() + slots.count();
        let detail = if left == 0 { "" } else { "verify or revert them" };
        CheckItem { detail: detail.into(), have: left as u32, item: "hypotheses_left".into(), need: 0, ok: left == 0 }
    }

    /// Whether a phase is one in which a submit may have been whole.
    pub fn is_ready(&self) -> bool {
        self.phase == SessionPhase::Ready
    }
}

fn new_file_detail(fault: crate::record::session::NewFileFault) -> &'static str {
    match fault {
        crate::record::session::NewFileFault::Exists => "it exists",
        crate::record::session::NewFileFault::Path => "it is no path that may be written",
        crate::record::session::NewFileFault::Twin => "another name differs only by letter case or Unicode form",
    }
}

fn count(item: &str, have: usize, need: u32) -> CheckItem {
    let have = have as u32;
    CheckItem { detail: String::new(), have, item: item.to_string(), need, ok: have >= need }
}

fn flag(item: String, ok: bool, detail: &str) -> CheckItem {
    let detail = if ok { String::new() } else { detail.to_string() };
    CheckItem { detail, have: u32::from(ok), item, need: 1, ok }
}

fn share(met: usize, of: usize) -> Score {
    Score::millionths((met * 1_000_000 / of.max(1)) as u32)
}
