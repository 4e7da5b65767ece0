//! What an index says, by place.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::scip::symbol::{constructed_type, name, package};
use crate::scip::{Location, Occurrence, ScipIndex, Symbol, SymbolKind};
use crate::text::RepoPath;

pub(super) struct Truth<'i> {
    index: &'i ScipIndex,
    /// For each symbol, where it is defined.
    definitions: Vec<Vec<Location>>,
    /// Packages of which the index defines something.
    own_packages: BTreeSet<&'i str>,
    /// Sorted by place.
    pub spots: Vec<Spot>,
    /// The spots of each document.
    of_files: FxHashMap<RepoPath, std::ops::Range<usize>>,
}

/// A place where the index has something, and all that it has there.
pub(super) struct Spot {
    pub place: Location,
    /// 0-based line and column; the furthest of its occurrences.
    end: (u32, u32),
    references: Vec<u32>,
    defines: Vec<u32>,
}

/// What a place means, if that is in the tree and neither local nor a parameter.
pub(super) struct Wanted<'i> {
    pub kind: SymbolKind,
    pub name: &'i str,
    pub places: Vec<&'i Location>,
}

pub(super) enum Verdict<'i> {
    Right,
    Wrong {
        expected: Option<&'i Location>,
        symbol: &'i str,
    },
    /// The index does not know either.
    Unknown,
}

impl<'i> Truth<'i> {
    /// `ours` are the sites of our symbols.
    pub fn new(index: &'i ScipIndex, ours: &FxHashSet<Location>) -> Self {
        let definitions = with_constructed_types(index, index.definitions());
        let defined = index.symbols.iter().zip(&definitions).filter(|(_, places)| !places.is_empty());
        let own_packages = defined.filter_map(|(symbol, _)| package(&symbol.text)).collect();
        let (mut spots, mut of_files) = (Vec::new(), FxHashMap::default());
        for document in index.documents.iter().filter(|document| document.encoding.counts_utf16()) {
            let first = spots.len();
            let places = document.occurrences.chunk_by(|a, b| a.start == b.start);
            spots.extend(places.filter_map(|occurrences| Spot::from_occurrences(occurrences, &document.path)));
            of_files.insert(document.path.clone(), first..spots.len());
        }
        let definitions = with_redefinitions(&spots, definitions, ours);
        Truth { index, definitions, own_packages, spots, of_files }
    }

    pub fn knows_file(&self, place: &Location) -> bool {
        self.of_files.contains_key(&place.file)
    }

    /// The spot that starts there, or the last before it that reaches over it: the quotes around a module's
    /// path and `name as alias` are part of an occurrence.
    pub fn spot_at(&self, place: &Location) -> Option<usize> {
        let range = self.of_files.get(&place.file)?.clone();
        let until = self.spots[range.clone()].partition_point(|spot| spot.place <= *place);
        let last = (range.start + until).checked_sub(1).filter(|last| range.contains(last))?;
        let spot = &self.spots[last];
        let reaches = (place.line.saturating_sub(1), place.column) < spot.end;
        (spot.place == *place || reaches).then_some(last)
    }

    pub fn wanted(&self, spot: &Spot) -> Option<Wanted<'_>> {
        let mut symbols = spot.references.iter().filter(|symbol| self.counts(**symbol)).peekable();
        let first = self.symbol(**symbols.peek()?);
        let mut places: Vec<&Location> = symbols.flat_map(|symbol| self.places(*symbol)).collect();
        places.sort_unstable();
        places.dedup();
        Some(Wanted { kind: first.kind, name: name(&first.text), places })
    }

    pub fn judge(&self, spot: &Spot, claimed: &[Location]) -> Verdict<'_> {
        let symbols = || spot.references.iter().chain(&spot.defines).copied();
        let mut expected = symbols().flat_map(|symbol| self.places(symbol));
        if expected.clone().any(|place| claimed.contains(place)) {
            return Verdict::Right;
        }
        match symbols().find(|symbol| self.is_known(*symbol)) {
            None => Verdict::Unknown,
            Some(symbol) => Verdict::Wrong { expected: expected.next(), symbol: &self.symbol(symbol).text },
        }
    }

    fn counts(&self, symbol: u32) -> bool {
        let kind = self.symbol(symbol).kind;
        let excluded = matches!(kind, SymbolKind::Local | SymbolKind::Parameter | SymbolKind::TypeParameter);
        !excluded && !self.places(symbol).is_empty()
    }

    /// Defined in the tree, or in a package that is not the tree's. Locals and own symbols without a definition
    /// are what the indexer could not find.
    fn is_known(&self, symbol: u32) -> bool {
        let foreign = |symbol: &Symbol| match package(&symbol.text) {
            Some(package) => !self.own_packages.contains(package),
            None => false,
        };
        !self.places(symbol).is_empty() || foreign(self.symbol(symbol))
    }

    fn symbol(&self, symbol: u32) -> &'i Symbol {
        &self.index.symbols[symbol as usize]
    }

    fn places(&self, symbol: u32) -> &[Location] {
        &self.definitions[symbol as usize]
    }
}

impl Spot {
    /// Of all occurrences that start at one place. An empty one is a whole file's: not what stands there.
    fn from_occurrences(occurrences: &[Occurrence], file: &RepoPath) -> Option<Self> {
        let visible = || occurrences.iter().filter(|one| one.start < one.end);
        let symbols = |define: bool| {
            visible().filter(|one| one.is_definition() == define).map(|one| one.symbol).collect::<Vec<u32>>()
        };
        Some(Spot {
            place: occurrences[0].place(file),
            end: visible().map(|one| one.end).max()?,
            references: symbols(false),
            defines: symbols(true),
        })
    }
}

/// Who makes a thing names its type: a claim of the type is as right as one of the constructor.
fn with_constructed_types(index: &ScipIndex, mut definitions: Vec<Vec<Location>>) -> Vec<Vec<Location>> {
    for (number, symbol) in index.symbols.iter().enumerate() {
        let Some(constructed) = constructed_type(&symbol.text).filter(|_| !definitions[number].is_empty()) else {
            continue;
        };
        if let Ok(constructed) = index.symbols.binary_search_by(|other| (*other.text).cmp(constructed)) {
            let places = definitions[constructed].clone();
            definitions[number].extend(places);
        }
    }
    definitions
}

/// scip-python calls the first of several definitions one, and the others references to it: overloads, a
/// property's setter, a name that is assigned again. Where we see a definition too, a claim of any is right.
fn with_redefinitions(
    spots: &[Spot],
    mut definitions: Vec<Vec<Location>>,
    ours: &FxHashSet<Location>,
) -> Vec<Vec<Location>> {
    for spot in spots.iter().filter(|spot| spot.defines.is_empty() && ours.contains(&spot.place)) {
        for symbol in &spot.references {
            let places = &mut definitions[*symbol as usize];
            if places.iter().any(|place| place.file == spot.place.file) {
                places.push(spot.place.clone());
            }
        }
    }
    definitions
}
