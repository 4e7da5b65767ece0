//! Outcomes kept as lines of JSON, an instance each, under the names that the benchmark's scorer uses.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::metric::Metric;
use super::row::{LineFault, Row, read_lines};
use super::score::Outcome;

/// One instance of a run that was kept.
#[derive(Clone, Debug, Deserialize)]
pub struct SavedRow {
    pub instance_id: String,
    #[serde(flatten)]
    fields: BTreeMap<String, Value>,
}

pub fn saved_line(row: &Row, outcome: &Outcome) -> String {
    let flag = |is| Value::from(f64::from(u8::from(is)));
    let mut fields = Map::new();
    fields.insert("instance_id".to_string(), row.instance_id.clone().into());
    fields.insert("lies".to_string(), outcome.lies.into());
    fields.insert("over".to_string(), flag(outcome.over));
    fields.insert("first".to_string(), outcome.first.into());
    fields.insert("tokens".to_string(), outcome.tokens.into());
    fields.insert("failed".to_string(), flag(outcome.failed));
    for metric in Metric::ALL {
        if let Some(value) = metric.value(outcome) {
            fields.insert(metric.name().to_string(), value.into());
        }
    }
    format!("{}\n", Value::Object(fields))
}

pub fn read_saved(text: &str) -> Result<Vec<SavedRow>, LineFault> {
    read_lines(text, |row: &SavedRow| &row.instance_id, SavedRow::fault)
}

impl SavedRow {
    pub fn get(&self, metric: Metric) -> Option<f64> {
        self.fields.get(metric.name())?.as_f64()
    }

    /// Files of other kinds have ids, too.
    fn fault(&self) -> Option<String> {
        self.get(Metric::Edits).is_none().then(|| format!("it has no number `{}`", Metric::Edits.name()))
    }
}
