//! Indexes that hold something which not everybody may read are opened only for an operator. Everybody else reads a view
//! of them, which is an index of its own.

use std::collections::BTreeSet;
use std::path::Path;

use super::RESTRICTED;
use super::settings::BlockSettings;
use super::views::reader_of_kept_view;
use crate::record::ErrorCode;
use crate::store::{Index, Manifest, StoreError};

/// What may be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Indexes in which nothing is restricted.
    #[default]
    Everyone,
    /// The same, and the view of the one who reads.
    View,
    /// Every index.
    Operator,
}

impl Access {
    /// Refuses a stage, or what was made from one beside it.
    pub fn check(self, stage: &Index) -> Result<(), StoreError> {
        if self == Access::Operator {
            return Ok(());
        }
        let beside = Index::open(&stage.folder().with_file_name("chunk")).ok();
        let is_of_another = || {
            let around = stage.folder().parent().and_then(reader_of_kept_view);
            self == Access::Everyone && around.is_some()
        };
        if is_restricted(stage) || beside.as_ref().is_some_and(is_restricted) || is_of_another() {
            return Err(refused(stage.folder()));
        }
        match self {
            Access::Everyone => check_default_read(beside.as_ref().unwrap_or(stage), &[]),
            _ => Ok(()),
        }
    }
}

/// Refuses a stage that was made for calls that say otherwise who may read roots that nobody grants to anybody.
pub fn check_default_read(stage: &Index, given: &[String]) -> Result<(), StoreError> {
    let recorded = stage.manifest().settings.get("workspace").cloned();
    let workspace: BlockSettings = recorded
        .map_or_else(|| Ok(BlockSettings::default()), serde_json::from_value)
        .map_err(|error| StoreError::corrupt(stage.folder(), format!("its settings cannot be read: {error}"), None))?;
    let [given, recorded] = [given, &workspace.default_read].map(|list| list.iter().collect::<BTreeSet<_>>());
    if given == recorded || given.is_empty() && !workspace.is_given {
        return Ok(());
    }
    let cause = "it was made with another --default-read, which is for the call that gives it";
    let hint = "leave out --no-refresh; `default_read` of [workspace] in contextpack.toml is for all calls";
    Err(StoreError::new(ErrorCode::Forbidden, stage.folder(), cause, Some(hint.to_string())))
}

/// The flag that a command needs to print all of a stage.
pub fn operator_flag(manifest: &Manifest) -> &'static str {
    if is_restricted_by(manifest) { " --operator" } else { "" }
}

/// Whether a stage records that something in it is not for everybody.
pub fn is_restricted(stage: &Index) -> bool {
    is_restricted_by(stage.manifest())
}

/// The same, of its manifest.
pub fn is_restricted_by(manifest: &Manifest) -> bool {
    manifest.settings.get(RESTRICTED).is_some_and(|value| value.as_bool() == Some(true))
}

fn refused(folder: &Path) -> StoreError {
    let hint = "name who reads, as in `--as user:7`; whoever may see everything reads with --operator";
    StoreError::new(ErrorCode::Forbidden, folder, "not everybody may read all of it", Some(hint.to_string()))
}
