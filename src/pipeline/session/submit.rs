//! A submit: every claim beside what index and tree say about it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::data::{PatternData, SubmitData};
use super::observe::Observer;
use super::{SessionError, data};
use crate::record::frame::Slot;
use crate::record::session::{
    EntryClaim, EvidenceClaim, FileClaim, FoundSymbol, NewFileClaim, PatternClaim, Submitted, SymbolLookup, TreeCounts,
};
use crate::record::{Kind, SymbolId};
use crate::source::digest_now;

/// Trees are counted so far; no requirement asks for more.
const MAX_COUNTED: u32 = 64;

impl Observer<'_> {
    pub fn submitted(&self, given: &Map<String, Value>) -> Result<Submitted, SessionError> {
        let claims: SubmitData = data::read("submit", given)?;
        let symbols = self.claimed_symbols(&claims)?;
        let found: Vec<FoundSymbol> = symbols.iter().filter_map(|symbol| symbol.found.clone()).collect();
        let mut wanted: BTreeSet<SymbolId> = found.iter().map(|symbol| symbol.symbol_id.clone()).collect();
        let used_from = self.symbols.used_from(&wanted);
        wanted.extend(self.session.fact_ids());
        let mut resolved = super::observe::slot_values(&claims.resolved_frame)?;
        resolved.retain(|_, value| !value.trim().is_empty());
        let mut evidence = Vec::new();
        for (key, value) in &claims.slot_evidence {
            evidence.push(self.evidence(key, value, &wanted, &resolved)?);
        }
        let patterns = claims.existing_patterns.iter().map(|pattern| self.pattern(pattern));
        Ok(Submitted {
            entry_points: self.entries(&claims.entry_points, &found)?,
            evidence,
            files: self.files(claims.files_analyzed.as_deref())?,
            new_files: claims.new_files.iter().map(|file| self.new_file(file)).collect(),
            patterns: patterns.collect::<Result<_, _>>()?,
            resolved,
            symbols,
            tree: self.tree_counts()?,
            used_from,
            data: given.clone(),
        })
    }

    /// What is given, or the facts that the session knows.
    fn claimed_symbols(&self, claims: &SubmitData) -> Result<Vec<SymbolLookup>, SessionError> {
        let given: Vec<String> = match &claims.symbols_identified {
            Some(given) => given.clone(),
            None => self.session.fact_ids().iter().map(|id| id.as_str().to_string()).collect(),
        };
        given.iter().map(|given| self.look_up(given)).collect()
    }

    fn entries(&self, given: &[String], claimed: &[FoundSymbol]) -> Result<Vec<EntryClaim>, SessionError> {
        let mut entries = Vec::new();
        for given in given {
            let symbol = self.read(self.symbols.look_up_entry(given))?;
            let found = symbol.found.as_ref();
            let is_callable = found
                .is_some_and(|found| found.kind.is_callable() || matches!(found.kind, Kind::Module | Kind::Namespace));
            let leads_to = found.map(|found| self.symbols.leads_to(found, claimed)).unwrap_or_default();
            entries.push(EntryClaim { is_callable, leads_to, symbol });
        }
        Ok(entries)
    }

    fn files(&self, given: Option<&[String]>) -> Result<Vec<FileClaim>, SessionError> {
        let known = || self.session.explored.keys().take(64).map(|path| path.to_string()).collect();
        let given: Vec<String> = given.map_or_else(known, <[String]>::to_vec);
        let mut files = Vec::new();
        for given in given {
            let path = self.read(self.places.indexed(&given))?;
            let digest = path.as_ref().and_then(|path| digest_now(self.bench.tree, path));
            files.push(FileClaim { digest, given: super::places::cut(&given), path });
        }
        Ok(files)
    }

    fn pattern(&self, pattern: &PatternData) -> Result<PatternClaim, SessionError> {
        let (pattern, places) = match pattern {
            PatternData::Name(pattern) => (pattern, &Vec::new()),
            PatternData::Placed { pattern, places } => (pattern, places),
        };
        let places = places.iter().take(16).map(|place| self.read(self.places.place(place)));
        Ok(PatternClaim { pattern: super::places::cut(pattern), places: places.collect::<Result<_, _>>()? })
    }

    /// Evidence for a slot, or for a symbol that the key names.
    pub fn evidence(
        &self,
        key: &str,
        value: &Value,
        wanted: &BTreeSet<SymbolId>,
        resolved: &std::collections::BTreeMap<Slot, String>,
    ) -> Result<EvidenceClaim, SessionError> {
        let slot = Slot::named(key);
        let symbol = if slot.is_some() { None } else { Some(self.look_up(key)?) };
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let call = value.get("call").and_then(Value::as_u64).and_then(|seq| u32::try_from(seq).ok());
        let tool = text("tool").and_then(super::observe::tool_named);
        let mut place = match value.get("place").or_else(|| value.get("proof")) {
            Some(place) => self.read(self.places.place(place))?,
            None => self.told_place(value)?,
        };
        // `file` alone names the definition in that file.
        if let (None, Some(found)) = (place.line, symbol.as_ref().and_then(|symbol| symbol.found.as_ref()))
            && place.path.as_ref().is_some_and(|path| *path == found.path)
        {
            place.line = Some(found.lines.start);
        }
        let (mut shares_word, mut near) = (false, Vec::new());
        if let (Some(slot), Some(path), Some(line)) = (slot, &place.path, place.line) {
            let line_text = self.read(self.places.line_text(path, line))?;
            let values = [self.session.frame.slot(slot), resolved.get(&slot).map(String::as_str)];
            shares_word = values.into_iter().flatten().any(|value| self.is_about(value, &line_text));
            near = self.read(self.symbols.near(path, line, wanted))?;
        }
        Ok(EvidenceClaim { call, near, place, shares_word, slot, symbol, tool })
    }

    /// The place in the words of a result.
    fn told_place(&self, value: &Value) -> Result<crate::record::session::PlaceClaim, SessionError> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let told = text("result").or_else(|| text("result_summary")).or_else(|| text("file"));
        let found = self.read(self.places.text_place(told.unwrap_or_default()))?;
        match text("file").filter(|_| found.path.is_none()) {
            Some(file) => self.read(self.places.claim(file, None, None)),
            None => Ok(found),
        }
    }

    fn new_file(&self, given: &str) -> NewFileClaim {
        let (place, fault) = self.write_place(given);
        let folder = match &place.what {
            crate::record::session::WriteWhat::New => self.new_folder(given),
            _ => String::new(),
        };
        NewFileClaim { fault, folder, given: super::places::cut(given), path: place.path }
    }

    fn tree_counts(&self) -> Result<TreeCounts, SessionError> {
        let corpus = self.symbols.view.corpus();
        let callables =
            corpus.all_chunks().filter(|chunk| corpus.is_callable(*chunk)).take(MAX_COUNTED as usize).count();
        let mut symbols = 0;
        for path in self.read(self.symbols.view.paths())? {
            symbols += self.read(self.symbols.view.symbols(path))?.len() as u32;
            if symbols >= MAX_COUNTED {
                break;
            }
        }
        let files = corpus.file_count().min(MAX_COUNTED as usize) as u32;
        Ok(TreeCounts { callables: callables as u32, files, symbols: symbols.min(MAX_COUNTED) })
    }
}
