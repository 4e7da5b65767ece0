//! Figures over many outcomes.

use super::score::Outcome;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    Recall1,
    Recall5,
    Recall10,
    All1,
    All5,
    PackFiles,
    Edits,
    Functions,
}

impl Metric {
    pub const ALL: [Metric; 8] = [
        Metric::Recall1,
        Metric::Recall5,
        Metric::Recall10,
        Metric::All1,
        Metric::All5,
        Metric::PackFiles,
        Metric::Edits,
        Metric::Functions,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Metric::Recall1 => "R@1",
            Metric::Recall5 => "R@5",
            Metric::Recall10 => "R@10",
            Metric::All1 => "acc@1",
            Metric::All5 => "acc@5",
            Metric::PackFiles => "packfile",
            Metric::Edits => "edit",
            Metric::Functions => "func",
        }
    }

    /// Of one outcome; None where there is nothing to measure.
    pub fn of(self, outcome: &Outcome) -> Option<f64> {
        match self {
            Metric::Recall1 => Some(outcome.recall[0]),
            Metric::Recall5 => Some(outcome.recall[1]),
            Metric::Recall10 => Some(outcome.recall[2]),
            Metric::All1 => Some(outcome.all[0]),
            Metric::All5 => Some(outcome.all[1]),
            Metric::PackFiles => Some(outcome.pack_files),
            Metric::Edits => Some(outcome.edits),
            Metric::Functions => outcome.functions,
        }
    }
}

/// Means over a group of instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub instances: usize,
    pub means: [f64; Metric::ALL.len()],
    pub tokens: f64,
    pub over: usize,
    pub lies: u32,
}

impl Summary {
    pub fn of<'o>(outcomes: impl Iterator<Item = &'o Outcome> + Clone) -> Summary {
        let instances = outcomes.clone().count();
        let means = Metric::ALL.map(|metric| mean(outcomes.clone().filter_map(|outcome| metric.of(outcome))));
        Summary {
            instances,
            means,
            tokens: mean(outcomes.clone().map(|outcome| f64::from(outcome.tokens))),
            over: outcomes.clone().filter(|outcome| outcome.over).count(),
            lies: outcomes.map(|outcome| outcome.lies).sum(),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
