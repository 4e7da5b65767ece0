//! Who may read what, as files say it: grants of blocks, `permissions.jsonl` and `members.jsonl`.
//!
//! What cannot be read never opens anything. In a block it becomes a grant to nobody; in the two files, where a line
//! may belong to any block, it fails the whole file.

use super::fields::{Faults, Fields, id};
use super::{GivenGrant, Grant, Member, WorkspaceFile};
use crate::dialect::export::{ExportFault, Troubles, json};
use crate::record::{Principal, ProblemCode, SourceKind};

/// The grant in the `metadata` of a block.
pub fn grant_of_metadata(metadata: &str, faults: &mut Faults) -> Option<Grant> {
    let Some(fields) = Fields::parse(metadata) else {
        // Some programs write an empty list for an object without keys.
        return if is_empty_list(metadata) { None } else { Some(nobody("`metadata` is not an object", faults)) };
    };
    if !has_each_key_once(&fields) {
        return Some(nobody(TWICE, faults));
    }
    let permissions = fields.get("permissions")?;
    if permissions.starts_with('[') {
        return Some(grant(permissions, None, faults));
    }
    let Some(fields) = Fields::parse(permissions) else {
        return Some(nobody("`permissions` is neither an object nor a list", faults));
    };
    if !has_each_key_once(&fields) {
        return Some(nobody(TWICE, faults));
    }
    Some(grant(fields.get("read")?, fields.get("mode"), faults))
}

/// Programs differ in which of two values they take.
pub const TWICE: &str = "a key stands twice in it";

fn is_empty_list(value: &str) -> bool {
    value.starts_with('[') && json::list(value).is_empty()
}

/// A grant that admits nobody, and why.
pub fn nobody(reason: &str, faults: &mut Faults) -> Grant {
    faults.add(ProblemCode::Permission, &format!("{reason}; nobody may read the block"));
    Grant::default()
}

/// A list of principals with its mode.
pub fn grant(read: &str, mode: Option<&str>, faults: &mut Faults) -> Grant {
    if !read.starts_with('[') {
        return nobody("its readers are not a list", faults);
    }
    let read = json::list(read).into_iter().map(as_written).collect();
    let mode = mode.map(as_written);
    if mode.as_deref().is_some_and(|mode| !matches!(mode, "narrow" | "replace")) {
        faults.add(ProblemCode::Permission, "its mode is neither `narrow` nor `replace`; it narrows");
    }
    check(&read, faults);
    Grant { read, replaces: mode.as_deref() == Some("replace") }
}

fn as_written(value: &str) -> String {
    json::string(value).map_or_else(|| value.to_string(), |text| text.into_owned())
}

fn check(principals: &Vec<String>, faults: &mut Faults) {
    for principal in principals {
        if Principal::try_from(principal.clone()).is_err() {
            faults.add(ProblemCode::Permission, "a reader is not a valid principal; it admits nobody");
        }
    }
}

/// Reads `permissions.jsonl`.
pub fn permissions(text: &str) -> Result<WorkspaceFile, ExportFault> {
    let mut file = WorkspaceFile::new(SourceKind::Permissions);
    each_line(text, &mut file, permission)?;
    Ok(file)
}

/// Reads `members.jsonl`.
pub fn members(text: &str) -> Result<WorkspaceFile, ExportFault> {
    let mut file = WorkspaceFile::new(SourceKind::Members);
    each_line(text, &mut file, member)?;
    Ok(file)
}

/// Reads one line into the file; none if it cannot be read.
type ReadLine = fn(&Fields, &mut WorkspaceFile, &mut Faults) -> Option<()>;

fn each_line(text: &str, file: &mut WorkspaceFile, read: ReadLine) -> Result<(), ExportFault> {
    let mut troubles = Troubles::default();
    let rows = text.lines().enumerate().map(|(at, row)| (at + 1, super::lines::without_mark(row)));
    for (number, row) in rows.filter(|(_, row)| !row.is_empty()) {
        let subject = format!("line {number}");
        let mut faults = Faults { troubles: &mut troubles, span: json::span_in(text, row), subject };
        let fields = Fields::parse(row).filter(has_each_key_once);
        if fields.and_then(|fields| read(&fields, file, &mut faults)).is_none() {
            return Err(ExportFault(format!("line {number} cannot be read, so it is not known who may read what")));
        }
    }
    file.troubles = troubles.finish();
    Ok(())
}

/// Which of two values holds must not depend on the reader.
pub fn has_each_key_once(fields: &Fields) -> bool {
    let mut keys: Vec<&str> = fields.keys().collect();
    keys.sort_unstable();
    keys.windows(2).all(|pair| pair[0] != pair[1])
}

fn permission(fields: &Fields, file: &mut WorkspaceFile, faults: &mut Faults) -> Option<()> {
    if has_only(fields, &["default"]) {
        let grant = checked_grant(fields.get("default")?, None, faults)?;
        file.default_grants.push(grant);
    } else if has_only(fields, &["block", "mode", "read"]) {
        let block = id(fields.get("block")?)?;
        let grant = checked_grant(fields.get("read")?, fields.get("mode"), faults)?;
        file.grants.push(GivenGrant { block, grant, span: faults.span });
    } else {
        return None;
    }
    Some(())
}

fn has_only(fields: &Fields, known: &[&str]) -> bool {
    fields.keys().all(|key| known.contains(&key))
}

fn checked_grant(read: &str, mode: Option<&str>, faults: &mut Faults) -> Option<Grant> {
    let is_list = read.starts_with('[') && json::list(read).iter().all(|value| json::string(value).is_some());
    let is_mode = matches!(mode, None | Some("\"narrow\"" | "\"replace\""));
    (is_list && is_mode).then(|| grant(read, mode, faults))
}

fn member(fields: &Fields, file: &mut WorkspaceFile, faults: &mut Faults) -> Option<()> {
    if !has_only(fields, &["teams", "user", "workspaces"]) {
        return None;
    }
    let (user, teams) = (id(fields.get("user")?)?, ids(fields, "teams")?);
    let member = Member { user, teams, workspaces: ids(fields, "workspaces")?, span: faults.span };
    check(&principals(&member), faults);
    file.members.push(member);
    Some(())
}

fn ids(fields: &Fields, key: &str) -> Option<Vec<String>> {
    let list = fields.get(key).unwrap_or("[]");
    list.starts_with('[').then(|| json::list(list).into_iter().map(id).collect())?
}

fn principals(member: &Member) -> Vec<String> {
    let user = [format!("user:{}", member.user)];
    let teams = member.teams.iter().map(|team| format!("team:{team}"));
    let workspaces = member.workspaces.iter().map(|workspace| format!("workspace:{workspace}"));
    user.into_iter().chain(teams).chain(workspaces).collect()
}
