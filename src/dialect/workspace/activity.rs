//! `activity.jsonl`: who did what to which block, and when.

use super::fields::{Faults, Fields, id};
use super::lines::rows;
use super::{Action, Activity, WorkspaceFile};
use crate::dialect::export::{Troubles, json};
use crate::record::SourceKind;

/// Reads all lines that can be read.
pub fn read(text: &str) -> WorkspaceFile {
    let mut file = WorkspaceFile::new(SourceKind::Activity);
    let mut troubles = Troubles::default();
    file.activity = rows(text).filter_map(|row| activity(text, row, &mut troubles)).collect();
    file.troubles = troubles.finish();
    file
}

fn activity(text: &str, row: &str, troubles: &mut Troubles) -> Option<Activity> {
    let span = json::span_in(text, row);
    let mut faults = Faults { troubles, span, subject: "a line of activity".to_string() };
    let Some(fields) = Fields::parse(row) else {
        faults.shape("not a JSON object; it is left out");
        return None;
    };
    let first = |keys: [&'static str; 2]| keys.into_iter().find(|key| fields.get(key).is_some());
    let when = first(["at", "timestamp"]);
    let found = (
        first(["user", "userId"]).and_then(|key| id(fields.get(key)?)),
        first(["block", "blockId"]).and_then(|key| id(fields.get(key)?)),
        first(["kind", "action"]).and_then(|key| action(fields.get(key)?)),
    );
    let (Some(user), Some(block), Some(action)) = found else {
        faults.shape("its user, block or kind cannot be read; it is left out");
        return None;
    };
    let Some(when) = when else {
        faults.shape("it has no date; it is left out");
        return None;
    };
    Some(Activity { user, block, action, at: fields.date(when, &mut faults)?, span })
}

fn action(value: &str) -> Option<Action> {
    Some(match json::string(value)?.as_ref() {
        "edit" => Action::Edit,
        "view" => Action::View,
        "create" => Action::Create,
        "comment" => Action::Comment,
        _ => return None,
    })
}
