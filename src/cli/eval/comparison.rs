//! `contextpack eval --compare`.

use std::fmt::Write as _;
use std::path::Path;

use super::super::{DONE, Failure, print, print_json};
use super::{bad_line, read_text};
use crate::eval::{Change, Comparison, EditChange, SavedRow, compare, read_saved};

pub fn run(before: &Path, after: &Path, json: bool) -> Result<u8, Failure> {
    let found = compare(&saved(before)?, &saved(after)?);
    if found.instances == 0 {
        let (before, after) = (before.display(), after.display());
        return Err(Failure::other(format!(
            "there is nothing to compare\n  because no instance is in `{before}` and `{after}`"
        )));
    }
    if json {
        print_json(&found)?;
    } else {
        print(&drawn(&found))?;
    }
    Ok(DONE)
}

fn saved(path: &Path) -> Result<Vec<SavedRow>, Failure> {
    read_saved(&read_text(path)?).map_err(|fault| bad_line(path, &fault))
}

fn drawn(found: &Comparison) -> String {
    let mut text = format!("{:10}{:>5}{:>9}{:>9}{:>9}", "", "n", "before", "after", "change");
    let _ = writeln!(text, "{:>18}{:>6}{:>8}{:>6}", "95 % interval", "wins", "losses", "ties");
    for Change { metric, pairs, before, after, difference, interval, wins, losses, ties } in &found.changes {
        let [before, after, difference] = [before, after, difference].map(|share| 100.0 * share);
        let interval = interval.map(|share| signed(100.0 * share)).join(" to ");
        let _ = write!(text, "{metric:10}{pairs:>5}{before:>9.1}{after:>9.1}{:>9}", signed(difference));
        let _ = writeln!(text, "{interval:>18}{wins:>6}{losses:>8}{ties:>6}");
    }
    listed(&mut text, "edit rose the most", &found.won);
    listed(&mut text, "edit fell the most", &found.lost);
    alone(&mut text, "BEFORE", &found.only_before);
    alone(&mut text, "AFTER", &found.only_after);
    text
}

/// No difference has no sign.
fn signed(per_cent: f64) -> String {
    let text = format!("{per_cent:+.1}");
    if matches!(text.as_str(), "+0.0" | "-0.0") { "0.0".to_string() } else { text }
}

fn listed(text: &mut String, heading: &str, edits: &[EditChange]) {
    if !edits.is_empty() {
        let _ = writeln!(text, "\n{heading}:");
    }
    for EditChange { instance_id, before, after } in edits {
        let [before, after] = [before, after].map(|share| 100.0 * share);
        let _ = writeln!(text, "{:>8}  {instance_id} ({before:.1} to {after:.1})", signed(after - before));
    }
}

fn alone(text: &mut String, run: &str, ids: &[String]) {
    if !ids.is_empty() {
        let _ = writeln!(text, "\nonly in {run}, left out ({}): {}", ids.len(), ids.join(", "));
    }
}
