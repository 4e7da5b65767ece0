//! Figures over many outcomes.

use super::metric::Metric;
use super::score::Outcome;

/// Means over a group of instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub instances: usize,
    /// In the order of `Metric::ALL`, over the outcomes that have it; None if no outcome has it.
    pub means: [Option<f64>; Metric::ALL.len()],
    /// The median of the tokens before the first gold line.
    pub first: u32,
    pub tokens: f64,
    pub over: usize,
    pub lies: u32,
    pub failed: usize,
}

impl Summary {
    pub fn from_outcomes<'o>(outcomes: impl Iterator<Item = &'o Outcome> + Clone) -> Summary {
        Summary {
            instances: outcomes.clone().count(),
            means: Metric::ALL.map(|metric| mean(outcomes.clone().filter_map(|outcome| metric.value(outcome)))),
            first: median(outcomes.clone().map(|outcome| outcome.first).collect()),
            tokens: mean(outcomes.clone().map(|outcome| f64::from(outcome.tokens))).unwrap_or_default(),
            over: outcomes.clone().filter(|outcome| outcome.over).count(),
            lies: outcomes.clone().map(|outcome| outcome.lies).sum(),
            failed: outcomes.filter(|outcome| outcome.failed).count(),
        }
    }

    pub fn mean(&self, metric: Metric) -> Option<f64> {
        self.means[metric as usize]
    }
}

pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The upper one of the two in the middle; 0 without values.
fn median(mut values: Vec<u32>) -> u32 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}
