//! What a session has seen: the files, lines and symbols that its calls showed.

use std::collections::{BTreeMap, BTreeSet};

use super::Session;
use crate::record::frame::{CodeOp, MappedSymbol, QueryFrame, SeenPlace, Slot, SlotEvidence, SlotSource};
use crate::record::session::{Called, ClaimFault, FaultCode, FoundSymbol, Mapped, PlaceClaim, SeenFile, Verdict};
use crate::record::{Digest, Lines, SymbolId};
use crate::text::RepoPath;

/// A file of which lines were shown, as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    pub digest: Digest,
    pub seq: u32,
}

/// A call, as its event has it.
#[derive(Clone, Debug)]
pub struct Call {
    pub seq: u32,
    pub op: CodeOp,
    pub target: String,
    pub path: Option<String>,
    pub total: u32,
    pub is_of_request: bool,
    pub files: Vec<SeenFile>,
    pub symbols: Vec<SymbolId>,
}

/// Lines and symbols that facts were shown of.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// With the event that showed them first.
    pub symbols: BTreeMap<SymbolId, u32>,
    lines: BTreeMap<RepoPath, BTreeSet<(u32, u32, Digest)>>,
}

impl Seen {
    pub fn add_lines(&mut self, path: &RepoPath, digest: &Digest, lines: Lines) {
        self.lines.entry(path.clone()).or_default().insert((lines.start, lines.end, digest.clone()));
    }

    /// Whether a line of a file with this content was shown.
    pub fn has_line(&self, path: &RepoPath, digest: &Digest, line: u32) -> bool {
        let of_file = self.lines.get(path).into_iter().flatten();
        of_file.into_iter().any(|(start, end, own)| own == digest && (*start..=*end).contains(&line))
    }

    pub fn has_definition(&self, symbol: &FoundSymbol) -> bool {
        let starts = |(start, end, _): &(u32, u32, Digest)| (*start..=*end).contains(&symbol.lines.start);
        let is_shown = || self.lines.get(&symbol.path).is_some_and(|lines| lines.iter().any(starts));
        self.symbols.contains_key(&symbol.symbol_id) || is_shown()
    }
}

/// Whether an operation shows facts, and whether the files that it shows are explored then.
pub fn is_fact(op: CodeOp) -> bool {
    op != CodeOp::SemanticSearch
}

fn explores(op: CodeOp) -> bool {
    !matches!(op, CodeOp::SemanticSearch | CodeOp::SearchText | CodeOp::FindReferences)
}

impl Call {
    pub fn shows(&self, path: &RepoPath, line: u32) -> Option<&Digest> {
        let holds = |lines: &Lines| (lines.start..=lines.end).contains(&line);
        let file = self.files.iter().find(|file| file.path == *path && file.lines.iter().any(holds))?;
        Some(&file.digest)
    }

    /// As evidence for a place.
    pub fn evidence(&self, path: &RepoPath, line: u32) -> SlotEvidence {
        let mut params = BTreeMap::from([("target".to_string(), self.target.clone())]);
        params.extend(self.path.iter().map(|path| ("path".to_string(), path.clone())));
        SlotEvidence {
            params,
            places: vec![SeenPlace { line, path: path.clone() }],
            result_summary: cut(&format!("{path}:{line}")),
            seq: self.seq,
            tool: self.op.name().to_string(),
        }
    }
}

fn cut(text: &str) -> String {
    text.chars().take(SlotEvidence::MAX_SUMMARY).collect()
}

/// A proof as evidence.
pub fn proof_evidence(seq: u32, path: &RepoPath, line: u32, quote: &str) -> SlotEvidence {
    SlotEvidence {
        params: BTreeMap::from([("quote".to_string(), cut(quote))]),
        places: vec![SeenPlace { line, path: path.clone() }],
        result_summary: cut(&format!("{path}:{line}")),
        seq,
        tool: PROOF.to_string(),
    }
}

/// The tool of evidence that a caller read with tools of its own.
pub const PROOF: &str = "proof";

impl Session {
    pub fn calls_of(&self, op: CodeOp) -> impl DoubleEndedIterator<Item = &Call> {
        self.calls.iter().filter(move |call| call.op == op)
    }

    pub fn call(&self, seq: u32) -> Option<&Call> {
        self.calls.binary_search_by_key(&seq, |call| call.seq).ok().map(|at| &self.calls[at])
    }

    pub fn call_of_seq(&self, seq: u32, op: CodeOp) -> bool {
        self.call(seq).is_some_and(|call| call.op == op)
    }

    pub(super) fn take_call(&mut self, called: &Called, verdict: &mut Verdict) {
        *self.counts.entry(called.op).or_default() += 1;
        if called.op == CodeOp::SemanticSearch {
            self.visit.searches += 1;
        } else {
            self.see(called, verdict);
        }
        self.calls.push(Call {
            seq: self.seq,
            op: called.op,
            target: called.target.clone(),
            path: called.path.clone(),
            total: called.total,
            is_of_request: called.target_is_of_request,
            files: called.files.clone(),
            symbols: called.symbols.clone(),
        });
        // In later phases it would change what was submitted.
        if let Some(symbol) = called.defines.as_ref().filter(|_| self.phase == super::SessionPhase::Exploration) {
            let evidence = self.calls.last().map(|call| call.evidence(&symbol.path, symbol.lines.start));
            self.map_fact(symbol, evidence.expect("it was just pushed"), verdict);
        }
    }

    fn see(&mut self, called: &Called, verdict: &mut Verdict) {
        let is_ready = self.phase == super::SessionPhase::Ready;
        let explores = explores(called.op) && (!is_ready || called.op == CodeOp::Read);
        for file in &called.files {
            for lines in &file.lines {
                self.seen.add_lines(&file.path, &file.digest, *lines);
            }
            if explores {
                self.explore(&file.path, &file.digest, verdict);
            }
        }
        for symbol in &called.symbols {
            self.seen.symbols.entry(symbol.clone()).or_insert(self.seq);
        }
    }

    pub(super) fn explore(&mut self, path: &RepoPath, digest: &Digest, verdict: &mut Verdict) {
        let explored = Explored { digest: digest.clone(), seq: self.seq };
        if self.explored.insert(path.clone(), explored).is_none() {
            verdict.explored.push(path.clone());
        }
    }

    /// Takes a proof in: the words that it quotes stand in the file.
    pub(super) fn take_proof(&mut self, place: &PlaceClaim, verdict: &mut Verdict) {
        if place.quote_stands == Some(true)
            && let (Some(path), Some(line), Some(digest)) = (&place.path, place.line, &place.digest)
        {
            self.seen.add_lines(path, digest, Lines { end: line, start: line });
            self.explore(path, digest, verdict);
        }
    }

    pub(super) fn take_map(&mut self, mapped: &Mapped, verdict: &mut Verdict) {
        if let Some(proof) = &mapped.proof {
            self.take_proof(proof, verdict);
        }
        match self.map_evidence(mapped) {
            Ok((symbol, evidence)) => self.map_fact(&symbol, evidence, verdict),
            Err(fault) => {
                let claim = format!("map {}", mapped.symbol.given);
                verdict.faults.push(ClaimFault { claim, detail: mapped.symbol.near.join(", "), fault });
            }
        }
    }

    fn map_evidence(&self, mapped: &Mapped) -> Result<(FoundSymbol, SlotEvidence), FaultCode> {
        let symbol = mapped.symbol.found.clone().ok_or(mapped.symbol.fault.unwrap_or(FaultCode::NotFound))?;
        if let Some(proof) = &mapped.proof {
            let (path, line) = proof.path.as_ref().zip(proof.line).ok_or(FaultCode::NoPlace)?;
            if proof.quote_stands != Some(true) {
                return Err(FaultCode::QuoteMismatch);
            }
            let is_inside = *path == symbol.path && (symbol.lines.start..=symbol.lines.end).contains(&line);
            let quote = proof.quote.as_deref().unwrap_or_default();
            let evidence = proof_evidence(self.seq, path, line, quote);
            return if is_inside { Ok((symbol, evidence)) } else { Err(FaultCode::NoPlace) };
        }
        let call = match mapped.call {
            Some(seq) => self.call(seq).filter(|call| is_fact(call.op)).ok_or(FaultCode::NotSeen)?,
            None => self.newest_showing(&symbol).ok_or(FaultCode::NotSeen)?,
        };
        let shows = call.symbols.contains(&symbol.symbol_id) || call.shows(&symbol.path, symbol.lines.start).is_some();
        let evidence = call.evidence(&symbol.path, symbol.lines.start);
        if shows { Ok((symbol, evidence)) } else { Err(FaultCode::NotSeen) }
    }

    /// The last call that showed a symbol.
    pub(super) fn newest_showing(&self, symbol: &FoundSymbol) -> Option<&Call> {
        let shows = |call: &&Call| {
            is_fact(call.op)
                && (call.symbols.contains(&symbol.symbol_id) || call.shows(&symbol.path, symbol.lines.start).is_some())
        };
        self.calls.iter().rev().find(shows)
    }

    /// Adds a symbol that was seen. The first one that is related to the target makes the target a fact.
    pub(super) fn map_fact(&mut self, symbol: &FoundSymbol, evidence: SlotEvidence, verdict: &mut Verdict) {
        let is_known = |mapped: &MappedSymbol| {
            mapped.source == SlotSource::Fact && mapped.symbol_id.as_ref() == Some(&symbol.symbol_id)
        };
        let is_full = self.facts().count() >= QueryFrame::MAX_SYMBOLS;
        let symbols = &mut self.frame.mapped_symbols;
        match symbols.iter_mut().find(|mapped| is_known(mapped)) {
            Some(known) => known.related.clone_from(&symbol.related),
            None if is_full => {}
            None => {
                // A hypothesis stays one until it is verified; beside it stands the fact.
                symbols.push(MappedSymbol {
                    confidence: symbol.confidence,
                    evidence: evidence.clone(),
                    name: symbol.name.clone(),
                    related: symbol.related.clone(),
                    source: SlotSource::Fact,
                    symbol_id: Some(symbol.symbol_id.clone()),
                });
                sort_symbols(symbols);
                verdict.mapped.push(symbol.name.clone());
            }
        }
        let is_open = self.frame.slot_source.get(&Slot::TargetFeature) != Some(&SlotSource::Fact);
        let is_hypothesis = self.frame.slot_source.get(&Slot::TargetFeature) == Some(&SlotSource::Hypothesis);
        if symbol.related.is_some() && is_open && !is_hypothesis && self.frame.target_feature.is_some() {
            self.frame.slot_source.insert(Slot::TargetFeature, SlotSource::Fact);
            self.cite(&evidence);
            self.frame.slot_evidence.insert(Slot::TargetFeature, evidence);
        }
    }

    /// Remembers the content of the files that evidence comes from.
    pub(super) fn cite(&mut self, evidence: &SlotEvidence) {
        for place in &evidence.places {
            let digest = match self.call(evidence.seq).and_then(|call| call.shows(&place.path, place.line)) {
                Some(digest) => Some(digest.clone()),
                None => self.explored.get(&place.path).map(|explored| explored.digest.clone()),
            };
            if let Some(digest) = digest {
                self.cited.insert(place.path.clone(), digest);
            }
        }
    }

    /// The files that have to be as they were.
    pub fn cited_paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.cited.keys()
    }
}

/// Facts first, then by name and id.
pub(super) fn sort_symbols(symbols: &mut Vec<MappedSymbol>) {
    symbols.sort_by(|a, b| (a.source, &a.name, &a.symbol_id).cmp(&(b.source, &b.name, &b.symbol_id)));
    symbols.truncate(QueryFrame::MAX_SYMBOLS);
}
