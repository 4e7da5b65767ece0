//! Who a reader is: the principals that they claim, checked against and filled in by the members that a workspace lists.

use std::collections::BTreeSet;
use std::path::Path;

use super::PipelineError;
use crate::record::codec::projection;
use crate::record::{File, Item, Principal, SourceKind};
use crate::store::{Index, StoreError};
use crate::text::RepoPath;

/// The principals of one reader, `public` among them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Principals {
    all: BTreeSet<Principal>,
    is_member: bool,
}

const USER: &str = "user:";
const TEAM: &str = "team:";
const WORKSPACE: &str = "workspace:";

impl Principals {
    /// The principals that a caller claims, in an index. Where the workspace lists its members, a user gets what the
    /// list states and may claim nothing else.
    pub fn resolve(index: &Path, claimed: &BTreeSet<Principal>) -> Result<Self, PipelineError> {
        let lines = lines(&Index::open(&index.join("chunk"))?)?;
        Principals::of(claimed, lines.as_deref())
    }

    /// `lines` are those of the list of members, if there is one.
    fn of(claimed: &BTreeSet<Principal>, lines: Option<&[Item]>) -> Result<Self, PipelineError> {
        let mut all = claimed.clone();
        all.insert(Principal::public());
        let users: Vec<&str> = claimed.iter().filter_map(|one| one.as_str().strip_prefix(USER)).collect();
        if users.len() > 1 {
            return Err(PipelineError::Forbidden("a reader is one user, not several".to_string()));
        }
        let Some(lines) = lines else { return Ok(Principals { all, is_member: false }) };
        let stated: BTreeSet<Principal> = match users.first() {
            Some(user) => lines.iter().filter(|line| line.source_id == *user).flat_map(stated).collect(),
            None => lines.iter().flat_map(stated).collect(),
        };
        let is_stated = |one: &Principal| *one == Principal::public() || stated.contains(one);
        if !all.iter().all(is_stated) {
            return Err(PipelineError::Forbidden(
                "the workspace does not state all that the reader claims".to_string(),
            ));
        }
        if !users.is_empty() {
            all.extend(stated);
        }
        Ok(Principals { all, is_member: true })
    }

    pub fn all(&self) -> &BTreeSet<Principal> {
        &self.all
    }

    /// The id of the user.
    pub fn user(&self) -> Option<&str> {
        self.ids(USER).next()
    }

    /// What a list of members says of the user, for a workspace that has such a list.
    pub fn member_line(&self) -> Option<String> {
        let (user, list) = (self.user().filter(|_| self.is_member)?, |scheme| self.ids(scheme).collect::<Vec<_>>());
        let line = serde_json::json!({ "user": user, "teams": list(TEAM), "workspaces": list(WORKSPACE) });
        Some(line.to_string() + "\n")
    }

    fn ids<'p>(&'p self, scheme: &'p str) -> impl Iterator<Item = &'p str> {
        self.all.iter().filter_map(move |one| one.as_str().strip_prefix(scheme))
    }
}

/// The principals that a line states, the user among them.
fn stated(line: &Item) -> Vec<Principal> {
    let ids = |name: &str| line.texts(name).into_iter();
    let user = format!("{USER}{}", line.source_id);
    let teams = ids("teams").map(|id| format!("{TEAM}{id}"));
    let workspaces = ids("workspaces").map(|id| format!("{WORKSPACE}{id}"));
    let all = std::iter::once(user).chain(teams).chain(workspaces);
    all.filter_map(|word| Principal::try_from(word).ok()).collect()
}

projection! {
    struct FileRow of File {
        file_rel_path: RepoPath,
        source_kind: Option<SourceKind>,
    }
}

/// The lines of all lists of members; nothing if there is no list.
fn lines(chunks: &Index) -> Result<Option<Vec<Item>>, StoreError> {
    let mut paths = Vec::new();
    chunks.for_each_row::<File, FileRow>(|row, _| {
        if row.source_kind == Some(SourceKind::Members) {
            paths.push(row.file_rel_path);
        }
    })?;
    let mut lines = Vec::new();
    for path in &paths {
        lines.extend(chunks.find_records::<Item>(&[path.as_str().into()])?);
    }
    lines.retain(|line| line.kind == Item::MEMBER);
    Ok((!paths.is_empty()).then_some(lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::NodeId;

    /// A member as `user team… @workspace…`.
    fn member(words: &str) -> Item {
        let mut words = words.split(' ');
        let user = words.next().unwrap();
        let (workspaces, teams): (Vec<&str>, Vec<&str>) = words.partition(|word| word.starts_with('@'));
        let texts = |name: &str, ids: Vec<&str>| {
            let text = |id: &str| crate::record::FieldValue {
                text: Some(id.trim_start_matches('@').into()),
                ..Default::default()
            };
            crate::record::Field::new(name, ids.into_iter().map(text))
        };
        let path = RepoPath::try_from("members.jsonl".to_string()).unwrap();
        Item {
            fields: vec![texts("teams", teams), texts("workspaces", workspaces)],
            source_id: user.to_string(),
            ..Item::new(Item::MEMBER, NodeId::try_from("ext:m".to_string()).unwrap(), &path)
        }
    }

    fn resolved(claimed: &[&str], lines: Option<&[&str]>) -> Option<String> {
        let claimed = claimed.iter().map(|word| Principal::try_from(word.to_string()).unwrap()).collect();
        let lines: Option<Vec<Item>> = lines.map(|lines| lines.iter().map(|line| member(line)).collect());
        let found = Principals::of(&claimed, lines.as_deref()).ok()?;
        Some(found.all().iter().map(Principal::as_str).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn without_a_list_the_caller_is_believed() {
        assert_eq!(resolved(&[], None).unwrap(), "public");
        assert_eq!(resolved(&["user:1", "team:a"], None).unwrap(), "public team:a user:1");
        assert_eq!(resolved(&["user:1", "user:2"], None), None, "nobody is two users");
    }

    #[test]
    fn a_list_fills_in_and_refuses() {
        let lines: &[&str] = &["1 a @w", "2 b"];
        assert_eq!(resolved(&["user:1"], Some(lines)).unwrap(), "public team:a user:1 workspace:w");
        assert_eq!(resolved(&["user:1", "team:a"], Some(lines)).unwrap(), "public team:a user:1 workspace:w");
        for refused in [&["user:1", "team:b"][..], &["user:3"], &["team:c"], &["user:2", "workspace:w"]] {
            assert_eq!(resolved(refused, Some(lines)), None, "{refused:?}");
        }
        assert_eq!(resolved(&["team:b"], Some(lines)).unwrap(), "public team:b", "a team that somebody is in");
        assert_eq!(resolved(&[], Some(lines)).unwrap(), "public");
    }
}
