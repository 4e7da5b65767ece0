//! Groups of instances and their figures, for people and for machines.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::eval::{Metric, Summary};

/// A line of the table.
pub struct Group {
    pub name: String,
    pub budget: u32,
    pub summary: Summary,
}

pub fn drawn(groups: &[Group]) -> String {
    let mut text = format!("{:24}{:>5}", "", "n");
    Metric::ALL.iter().for_each(|metric| text += &format!("{:>10}", metric.name()));
    let _ = writeln!(text, "{:>7}{:>9}{:>6}{:>6}{:>8}", "first", "tokens", "over", "lies", "failed");
    for Group { name, summary, .. } in groups {
        let _ = write!(text, "{:24}{:>5}", name.chars().take(24).collect::<String>(), summary.instances);
        let cell = |mean: &Option<f64>| mean.map_or("-".to_string(), |mean| format!("{:.1}", 100.0 * mean));
        summary.means.iter().for_each(|mean| text += &format!("{:>10}", cell(mean)));
        let Summary { first, tokens, over, lies, failed, .. } = summary;
        let _ = writeln!(text, "{first:>7}{tokens:>9.0}{over:>6}{lies:>6}{failed:>8}");
    }
    text
}

/// Shares from 0 to 1, null where nothing could be measured.
pub fn json(group: &Group) -> Value {
    let Group { name, budget, summary } = group;
    let mut fields = Map::new();
    fields.insert("group".to_string(), name.as_str().into());
    fields.insert("budget".to_string(), (*budget).into());
    fields.insert("instances".to_string(), summary.instances.into());
    for metric in Metric::ALL {
        fields.insert(metric.name().to_string(), summary.mean(metric).into());
    }
    fields.insert("first".to_string(), summary.first.into());
    fields.insert("tokens".to_string(), summary.tokens.into());
    fields.insert("over".to_string(), summary.over.into());
    fields.insert("lies".to_string(), summary.lies.into());
    fields.insert("failed".to_string(), summary.failed.into());
    fields.into()
}
