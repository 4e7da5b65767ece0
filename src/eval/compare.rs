//! Two runs over the same rows: what the second gained, what it lost, and how sure that is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bootstrap::interval;
use super::metric::Metric;
use super::saved::SavedRow;
use super::summary::mean;

/// Over the instances that both runs have.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    pub instances: usize,
    pub changes: Vec<Change>,
    /// Where `edit` rose the most, at most ten.
    pub won: Vec<EditChange>,
    /// Where it fell the most, at most ten.
    pub lost: Vec<EditChange>,
    /// Instances of one run alone; they count for nothing else here.
    pub only_before: Vec<String>,
    pub only_after: Vec<String>,
}

/// One metric, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    pub metric: &'static str,
    /// Instances that it can be measured of.
    pub pairs: usize,
    pub before: f64,
    pub after: f64,
    pub difference: f64,
    /// Of the difference: 95 % of a paired bootstrap.
    pub interval: [f64; 2],
    pub wins: usize,
    pub losses: usize,
    pub ties: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EditChange {
    pub instance_id: String,
    pub before: f64,
    pub after: f64,
}

const LISTED: usize = 10;

pub fn compare(before: &[SavedRow], after: &[SavedRow]) -> Comparison {
    let (before, after) = (by_id(before), by_id(after));
    let pairs: Vec<(&SavedRow, &SavedRow)> =
        before.iter().filter_map(|(id, row)| Some((*row, *after.get(id)?))).collect();
    let edits = edit_changes(&pairs);
    Comparison {
        instances: pairs.len(),
        changes: Metric::ALL.into_iter().filter_map(|metric| change(metric, &pairs)).collect(),
        won: largest(&edits, |edit| edit.after - edit.before),
        lost: largest(&edits, |edit| edit.before - edit.after),
        only_before: only_in(&before, &after),
        only_after: only_in(&after, &before),
    }
}

fn by_id(rows: &[SavedRow]) -> BTreeMap<&str, &SavedRow> {
    rows.iter().map(|row| (row.instance_id.as_str(), row)).collect()
}

fn only_in(these: &BTreeMap<&str, &SavedRow>, others: &BTreeMap<&str, &SavedRow>) -> Vec<String> {
    these.keys().filter(|id| !others.contains_key(*id)).map(|id| id.to_string()).collect()
}

/// None where neither run measured it.
fn change(metric: Metric, pairs: &[(&SavedRow, &SavedRow)]) -> Option<Change> {
    let measured = pairs.iter().filter_map(|(before, after)| Some((before.get(metric)?, after.get(metric)?)));
    let values: Vec<(f64, f64)> = measured.collect();
    let differences: Vec<f64> = values.iter().map(|(before, after)| after - before).collect();
    Some(Change {
        metric: metric.name(),
        pairs: values.len(),
        before: mean(values.iter().map(|(before, _)| *before))?,
        after: mean(values.iter().map(|(_, after)| *after))?,
        difference: mean(differences.iter().copied())?,
        interval: interval(&differences),
        wins: differences.iter().filter(|difference| **difference > 0.0).count(),
        losses: differences.iter().filter(|difference| **difference < 0.0).count(),
        ties: differences.iter().filter(|difference| **difference == 0.0).count(),
    })
}

fn edit_changes(pairs: &[(&SavedRow, &SavedRow)]) -> Vec<EditChange> {
    let of = |row: &SavedRow| row.get(Metric::Edits).unwrap_or_default();
    let change = |(before, after): &(&SavedRow, &SavedRow)| EditChange {
        instance_id: before.instance_id.clone(),
        before: of(before),
        after: of(after),
    };
    pairs.iter().map(change).collect()
}

/// The first by gain, those of the same gain by id.
fn largest(edits: &[EditChange], gain: impl Fn(&EditChange) -> f64) -> Vec<EditChange> {
    let mut edits: Vec<EditChange> = edits.iter().filter(|edit| gain(edit) > 0.0).cloned().collect();
    edits.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    edits.truncate(LISTED);
    edits
}
