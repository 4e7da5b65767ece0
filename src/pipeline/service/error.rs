//! Errors about indexes that cannot be used, with the data that each front end needs to print them.

use std::path::PathBuf;

use crate::pipeline::{BuildError, SettingsError, StageError};
use crate::source::SourceError;
use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("--allow-secrets needs the tree, to build the index again\n  hint: give --repo DIR")]
    SecretsNeedTree,
    /// Readers of a server never see secrets.
    #[error(
        "the index was made with --allow-secrets and is not served\n  hint: index the tree again without it, or start `contextpack mcp` without --no-refresh"
    )]
    HoldsSecrets,
    #[error("there is no index and none may be built\n  hint: start `contextpack mcp` without --no-refresh")]
    NothingToServe,
    #[error("cannot use the index `{index}`\n  because {cause}\n  hint: run `{command}`")]
    NoIndex { index: PathBuf, cause: String, command: String },
    #[error(
        "cannot bring the index `{index}` up to date\n  because its graph was built with SCIP files, and where they are is not recorded\n  hint: list them in `scip` of [graph] in contextpack.toml, or use the index as it is with --no-refresh"
    )]
    UnknownScip { index: PathBuf },
    #[error("another process replaced the index\n  hint: give each tree an index of its own")]
    Replaced,
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl From<StageError> for ServiceError {
    fn from(error: StageError) -> Self {
        match error {
            StageError::Store(error) => error.into(),
            StageError::Source(error) => error.into(),
            error => ServiceError::Build(error.into()),
        }
    }
}
