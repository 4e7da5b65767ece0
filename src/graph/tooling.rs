//! Symbols and sites from a SCIP index, which override built-in resolution.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::resolve::{Outcome, Resolution, Target};
use super::tree::{FileNo, SymbolNo, Tree};
use crate::record::{Problem, ProblemCode, Score, Site, Tier};
use crate::scip::{Location, Occurrence, ScipIndex, SymbolKind, symbol};

/// Targets by file, line and column, and the ids that the index gives to symbols.
#[derive(Default)]
pub struct Tooling {
    places: FxHashMap<(FileNo, u32, u32), Vec<Target>>,
    pub symbol_ids: BTreeMap<SymbolNo, String>,
    /// What could not be used.
    pub problems: Vec<Problem>,
}

/// The percentage of sites of a document that must be sites of ours. Below that, the index is of another text.
const MIN_JOINED_PERCENT: usize = 50;

impl Tooling {
    /// Joins indexes with a tree. If two of them have the same site, the targets of both are kept.
    pub fn new(tree: &Tree, indexes: &[ScipIndex]) -> Self {
        let mut tooling = Tooling::default();
        if indexes.is_empty() {
            return tooling;
        }
        let sites = sites(tree);
        let defined: FxHashMap<(FileNo, u32, u32), SymbolNo> = tree
            .symbols
            .iter()
            .enumerate()
            .map(|(at, symbol)| ((symbol.file, symbol.row.site.line, symbol.row.site.column), at as SymbolNo))
            .collect();
        for index in indexes {
            tooling.add(tree, index, &sites, &defined);
        }
        tooling.problems.sort_by(|a, b| (&a.file_rel_path, a.code).cmp(&(&b.file_rel_path, b.code)));
        tooling.problems.dedup();
        tooling
    }

    fn add(
        &mut self,
        tree: &Tree,
        index: &ScipIndex,
        sites: &FxHashSet<(FileNo, u32, u32)>,
        defined: &FxHashMap<(FileNo, u32, u32), SymbolNo>,
    ) {
        let definitions = index.definitions();
        let targets: Vec<Vec<Target>> = index
            .symbols
            .iter()
            .zip(&definitions)
            .map(|(symbol, places)| targets(tree, &symbol.text, places, defined))
            .collect();
        for (number, symbol) in index.symbols.iter().enumerate() {
            for target in &targets[number] {
                if let (Target::Symbol(own), false) = (target, is_inner(symbol.kind)) {
                    self.symbol_ids.entry(*own).or_insert_with(|| format!("scip:{}", symbol.text));
                }
            }
        }
        for document in &index.documents {
            let Some(file) = tree.file(document.path.as_str()) else {
                let message = "the SCIP index speaks of a file that the tree does not have";
                self.problems.push(Problem::new(&document.path, ProblemCode::ScipOutside, message));
                continue;
            };
            let shared: Vec<&Occurrence> = document.occurrences.iter().filter(|one| is_outer(index, one)).collect();
            if is_of_another_text(&shared, file, sites) {
                let message = "the SCIP index was made of another version of this file; it was not used for it";
                self.problems.push(Problem::new(&document.path, ProblemCode::ScipStale, message));
                continue;
            }
            for occurrence in shared.iter().filter(|occurrence| !occurrence.is_definition()) {
                let place = joined(occurrence, file, sites);
                targets[occurrence.symbol as usize].iter().for_each(|target| self.add_target(place, target));
            }
        }
    }

    fn add_target(&mut self, place: (FileNo, u32, u32), target: &Target) {
        let targets = self.places.entry(place).or_default();
        if !targets.contains(target) {
            targets.push(target.clone());
            targets.sort();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn at(&self, file: FileNo, site: &Site) -> Option<Outcome> {
        let targets = self.places.get(&(file, site.line, site.column))?.clone();
        let resolution = Resolution { targets, tier: Tier::Tooling, confidence: Score::ONE };
        match resolution.targets.as_slice() {
            [outside @ Target::Outside { .. }] => Some(Outcome::Outside(outside.clone())),
            [_] => Some(Outcome::Found { resolution, overrides: Vec::new() }),
            _ => Some(Outcome::Ambiguous(resolution)),
        }
    }
}

/// All sites of our records.
fn sites(tree: &Tree) -> FxHashSet<(FileNo, u32, u32)> {
    let defined = tree.symbols.iter().map(|symbol| (symbol.file, symbol.row.site.line, symbol.row.site.column));
    let used = tree.input.references.iter().flat_map(|record| {
        let file = tree.file(&record.file_rel_path).unwrap_or(FileNo::MAX);
        let sites = record.references.iter().flat_map(|reference| &*reference.sites);
        sites.map(move |site| (file, site.line, site.column))
    });
    defined.chain(used).collect()
}

/// Where an occurrence starts; one column later if only that is a site of ours, behind a quote.
fn joined(occurrence: &Occurrence, file: FileNo, sites: &FxHashSet<(FileNo, u32, u32)>) -> (FileNo, u32, u32) {
    let (line, column) = (occurrence.start.0 + 1, occurrence.start.1);
    let behind = (file, line, column + 1);
    if !sites.contains(&(file, line, column)) && sites.contains(&behind) { behind } else { (file, line, column) }
}

fn is_of_another_text(occurrences: &[&Occurrence], file: FileNo, sites: &FxHashSet<(FileNo, u32, u32)>) -> bool {
    // A whole file is defined at its start, where we may have no site.
    let occurrences = occurrences.iter().filter(|occurrence| occurrence.start != (0, 0));
    let (count, found) = occurrences.fold((0, 0), |(count, found), occurrence| {
        (count + 1, found + usize::from(sites.contains(&joined(occurrence, file, sites))))
    });
    found * 100 < count * MIN_JOINED_PERCENT
}

/// Whether an occurrence is of something that several functions may use.
fn is_outer(index: &ScipIndex, occurrence: &Occurrence) -> bool {
    !is_inner(index.symbols[occurrence.symbol as usize].kind)
}

/// Whether a symbol is visible in one function only.
fn is_inner(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Local | SymbolKind::Parameter | SymbolKind::TypeParameter)
}

/// The target of a symbol: our definition at its place, or something external.
fn targets(
    tree: &Tree,
    text: &str,
    places: &[Location],
    defined: &FxHashMap<(FileNo, u32, u32), SymbolNo>,
) -> Vec<Target> {
    let own = places.iter().filter_map(|place| {
        let file = tree.file(place.file.as_str())?;
        let symbol = defined.get(&(file, place.line, place.column)).copied().map(Target::Symbol);
        symbol.or_else(|| place.is_file().then_some(Target::File(file)))
    });
    let mut own: Vec<Target> = own.collect();
    own.truncate(1);
    match (own.is_empty() && places.is_empty(), symbol::package(text)) {
        (true, Some(package)) => {
            vec![Target::Outside { module: package.to_string(), name: Some(symbol::name(text).to_string()) }]
        }
        _ => own,
    }
}
