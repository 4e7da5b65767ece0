//! Compares our resolution of names with that of a SCIP index. Pure; prints nothing, reads no records.
//!
//! Recall counts places, not occurrences: if an interface and a constant have the same name, each place that names them
//! has two occurrences, but is one answer for a reader.

mod examples;
mod text;
mod truth;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Serialize;

use self::examples::Examples;
use self::truth::{Spot, Truth, Verdict};
use super::{Dropped, Location, ScipIndex, SymbolKind};
use crate::record::{Role, Score};

pub use self::examples::Example;

/// The index's columns must count UTF-16; documents that do not are left out and counted. `definitions` are
/// the sites of all our symbols.
pub fn compare(
    index: &ScipIndex,
    claims: &[Claim],
    definitions: impl IntoIterator<Item = Location>,
    settings: &Settings,
) -> Comparison {
    let definitions: FxHashSet<Location> = definitions.into_iter().collect();
    let truth = Truth::new(index, &definitions);
    let mut report = Report::new(settings);
    let mut at_spots: Vec<Vec<&Claim>> = vec![Vec::new(); truth.spots.len()];
    // A flow is at the place where a value is passed, and its target is the call that it reaches, not what the place names.
    for claim in claims.iter().filter(|claim| claim.role != Role::Flow) {
        match truth.spot_at(&claim.place) {
            Some(spot) => at_spots[spot].push(claim),
            None => report.unchecked(claim, truth.knows_file(&claim.place)),
        }
    }
    for (spot, claims) in truth.spots.iter().zip(&at_spots) {
        report.recall(spot, claims, &truth, &definitions);
        report.precision(spot, claims, &truth);
    }
    report.finish(index)
}

/// A name that we saw, and what we say it means.
#[derive(Clone, Debug)]
pub struct Claim {
    pub place: Location,
    pub name: String,
    pub role: Role,
    /// Inside the tree only; none for what is unresolved or leads out.
    pub targets: Vec<ClaimedTarget>,
    /// Why there is no target, or how they were found: misses are grouped by it.
    pub cause: String,
}

/// One thing that a name may mean, wherever it is defined: overloads and reopened types are so several times.
#[derive(Clone, Debug)]
pub struct ClaimedTarget {
    /// The sites of its definitions' names; [`Location::of_file`] for a file.
    pub places: Vec<Location>,
    pub confidence: Score,
}

#[derive(Clone, Debug)]
pub struct Settings {
    /// A target below it is not held to be a claim.
    pub threshold: Score,
    /// How many examples to give for each cause.
    pub max_examples: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { threshold: Score::percent(50), max_examples: 10 }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Who made the index.
    pub tool: String,
    pub threshold: Score,
    /// Places whose name the index defines inside the tree, other than locals and parameters.
    pub places: Recall,
    pub places_by_kind: BTreeMap<SymbolKind, Recall>,
    /// Every cause there was, in the order of [`Cause`].
    pub missed: Vec<Missed>,
    /// Targets that we claim at places the index knows.
    pub claims: Precision,
    pub claims_by_role: BTreeMap<Role, Precision>,
    pub unchecked: Unchecked,
    /// The most frequent claims that the index contradicts.
    pub wrong: Vec<Example>,
    /// Documents whose columns do not count UTF-16.
    pub skipped_documents: u32,
    pub dropped: Dropped,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recall {
    pub total: u32,
    pub found: u32,
    pub share: Score,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Precision {
    pub right: u32,
    pub wrong: u32,
    pub share: Score,
}

/// Claimed targets on which the index has no word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Unchecked {
    /// The file is not in the index.
    pub no_document: u32,
    /// Nothing is at that place.
    pub no_occurrence: u32,
    /// A symbol of the tree that the index defines nowhere: it did not find it itself. scip-python writes so of
    /// every module that is imported by a relative path.
    pub no_definition: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Missed {
    pub cause: Cause,
    pub count: u32,
    /// The most frequent ones.
    pub examples: Vec<Example>,
}

/// Why a place was not found; the first that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Cause {
    /// What is meant is no symbol of ours, so that no claim could be right.
    NoSymbol,
    /// We hold the place for a definition: a second assignment or overload, say.
    Definition,
    /// We have no reference there.
    NoReference,
    /// We have one, and know nothing that it could mean.
    Unresolved,
    /// No target reaches the threshold.
    BelowThreshold,
    WrongTarget,
}

struct Report<'s> {
    settings: &'s Settings,
    places_by_kind: BTreeMap<SymbolKind, Recall>,
    claims_by_role: BTreeMap<Role, Precision>,
    unchecked: Unchecked,
    missed: BTreeMap<Cause, Examples>,
    wrong: Examples,
}

impl<'s> Report<'s> {
    fn new(settings: &'s Settings) -> Self {
        Report {
            settings,
            places_by_kind: BTreeMap::new(),
            claims_by_role: BTreeMap::new(),
            unchecked: Unchecked::default(),
            missed: BTreeMap::new(),
            wrong: Examples::default(),
        }
    }

    fn unchecked(&mut self, claim: &Claim, file_is_known: bool) {
        let count = self.claimed(&[claim]).len() as u32;
        if file_is_known { self.unchecked.no_occurrence += count } else { self.unchecked.no_document += count }
    }

    fn recall(&mut self, spot: &Spot, claims: &[&Claim], truth: &Truth, definitions: &FxHashSet<Location>) {
        let Some(wanted) = truth.wanted(spot) else { return };
        let claimed = self.claimed(claims);
        let cause = cause(spot, claims, &claimed, &wanted, definitions);
        let recall = self.places_by_kind.entry(wanted.kind).or_default();
        recall.total += 1;
        recall.found += u32::from(cause.is_none());
        let Some(cause) = cause else { return };
        let because = claims.first().map_or("", |claim| &claim.cause);
        let name = claims.first().map_or(wanted.name, |claim| &claim.name);
        let claimed = claimed.first().and_then(|(_, target)| target.places.first());
        self.missed.entry(cause).or_default().add(&spot.place, name, wanted.places.first().copied(), claimed, because);
    }

    fn precision(&mut self, spot: &Spot, claims: &[&Claim], truth: &Truth) {
        for (claim, target) in self.claimed(claims) {
            match truth.judge(spot, &target.places) {
                Verdict::Unknown => self.unchecked.no_definition += 1,
                Verdict::Right => self.claims_by_role.entry(claim.role).or_default().right += 1,
                Verdict::Wrong { expected, symbol } => {
                    self.claims_by_role.entry(claim.role).or_default().wrong += 1;
                    let because = format!("{}; {symbol}", claim.cause);
                    self.wrong.add(&spot.place, &claim.name, expected, target.places.first(), &because);
                }
            }
        }
    }

    /// Each target once, however many of our references are at a location.
    fn claimed<'c>(&self, claims: &[&'c Claim]) -> Vec<(&'c Claim, &'c ClaimedTarget)> {
        let mut claimed: Vec<(&Claim, &ClaimedTarget)> = Vec::new();
        for (claim, target) in claims.iter().flat_map(|claim| claim.targets.iter().map(|target| (*claim, target))) {
            let known = claimed.iter().any(|(_, other)| other.places == target.places);
            if target.confidence >= self.settings.threshold && !known {
                claimed.push((claim, target));
            }
        }
        claimed
    }

    fn finish(mut self, index: &ScipIndex) -> Comparison {
        let places = Recall::sum(self.places_by_kind.values_mut());
        let claims = Precision::sum(self.claims_by_role.values_mut());
        let max_examples = self.settings.max_examples;
        let missed = self.missed.into_iter().map(|(cause, examples)| {
            let count = examples.count();
            Missed { cause, count, examples: examples.worst(max_examples) }
        });
        Comparison {
            tool: index.tool.clone(),
            threshold: self.settings.threshold,
            places,
            places_by_kind: self.places_by_kind,
            missed: missed.collect(),
            claims,
            claims_by_role: self.claims_by_role,
            unchecked: self.unchecked,
            wrong: self.wrong.worst(max_examples),
            skipped_documents: index.documents.iter().filter(|document| !document.encoding.counts_utf16()).count()
                as u32,
            dropped: index.dropped,
        }
    }
}

fn cause(
    spot: &Spot,
    claims: &[&Claim],
    claimed: &[(&Claim, &ClaimedTarget)],
    wanted: &truth::Wanted,
    definitions: &FxHashSet<Location>,
) -> Option<Cause> {
    let is_wanted = |place: &Location| wanted.places.contains(&place);
    if claimed.iter().any(|(_, target)| target.places.iter().any(is_wanted)) {
        return None;
    }
    // A file is always a node of ours.
    let is_ours = wanted.kind == SymbolKind::Module && wanted.places.iter().any(|place| place.is_file());
    if !is_ours && !wanted.places.iter().any(|place| definitions.contains(place)) {
        return Some(Cause::NoSymbol);
    }
    Some(match (claims.is_empty(), claimed.is_empty()) {
        (true, _) if definitions.contains(&spot.place) => Cause::Definition,
        (true, _) => Cause::NoReference,
        (false, false) => Cause::WrongTarget,
        (false, true) if claims.iter().all(|claim| claim.targets.is_empty()) => Cause::Unresolved,
        (false, true) => Cause::BelowThreshold,
    })
}

impl Recall {
    fn sum<'r>(parts: impl Iterator<Item = &'r mut Recall>) -> Recall {
        let mut sum = Recall::default();
        for part in parts {
            part.share = share(part.found, part.total);
            sum.total += part.total;
            sum.found += part.found;
        }
        Recall { share: share(sum.found, sum.total), ..sum }
    }
}

impl Precision {
    fn sum<'p>(parts: impl Iterator<Item = &'p mut Precision>) -> Precision {
        let mut sum = Precision::default();
        for part in parts {
            part.share = share(part.right, part.right + part.wrong);
            sum.right += part.right;
            sum.wrong += part.wrong;
        }
        Precision { share: share(sum.right, sum.right + sum.wrong), ..sum }
    }
}

/// Of nothing, nothing is missing.
fn share(count: u32, total: u32) -> Score {
    match total {
        0 => Score::ONE,
        _ => Score::millionths((u64::from(count) * 1_000_000 / u64::from(total)) as u32),
    }
}
