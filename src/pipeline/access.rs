//! Indexes that hold something which not everybody may read are opened only for an operator. Everybody else reads a view
//! of them, which is an index of its own.

use std::path::Path;

use super::RESTRICTED;
use crate::record::ErrorCode;
use crate::store::{Index, StoreError};

/// What may be opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Indexes in which nothing is restricted.
    #[default]
    Everyone,
    /// Every index.
    Operator,
}

impl Access {
    /// Refuses a stage, or what was made from one beside it.
    pub fn check(self, stage: &Index) -> Result<(), StoreError> {
        let beside = || Index::open(&stage.folder().with_file_name("chunk")).is_ok_and(|chunks| is_restricted(&chunks));
        if self == Access::Everyone && (is_restricted(stage) || beside()) {
            return Err(refused(stage.folder()));
        }
        Ok(())
    }
}

/// Whether a stage records that something in it is not for everybody.
pub fn is_restricted(stage: &Index) -> bool {
    stage.manifest().settings.get(RESTRICTED).is_some_and(|value| value.as_bool() == Some(true))
}

fn refused(folder: &Path) -> StoreError {
    let hint = "name who reads, as in `--as user:7`; whoever may see everything reads with --operator";
    StoreError::new(ErrorCode::Forbidden, folder, "not everybody may read all of it", Some(hint.to_string()))
}
