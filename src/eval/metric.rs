//! What is measured of a pack, by the names that tables and saved rows use.

use super::score::Outcome;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Metric {
    Recall1,
    Recall5,
    Recall10,
    All1,
    All5,
    All10,
    PackFiles,
    Edits,
    Functions,
}

impl Metric {
    pub const ALL: [Metric; 9] = [
        Metric::Recall1,
        Metric::Recall5,
        Metric::Recall10,
        Metric::All1,
        Metric::All5,
        Metric::All10,
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
            Metric::All10 => "acc@10",
            Metric::PackFiles => "packfile",
            Metric::Edits => "edit",
            Metric::Functions => "func",
        }
    }

    /// Of one outcome; None where there is nothing to measure.
    pub fn value(self, outcome: &Outcome) -> Option<f64> {
        match self {
            Metric::Recall1 => Some(outcome.recall[0]),
            Metric::Recall5 => Some(outcome.recall[1]),
            Metric::Recall10 => Some(outcome.recall[2]),
            Metric::All1 => Some(outcome.all[0]),
            Metric::All5 => Some(outcome.all[1]),
            Metric::All10 => Some(outcome.all[2]),
            Metric::PackFiles => Some(outcome.pack_files),
            Metric::Edits => Some(outcome.edits),
            Metric::Functions => outcome.functions,
        }
    }
}
