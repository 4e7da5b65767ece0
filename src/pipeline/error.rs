//! Why a stage could not run, or an index cannot be used.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::brief_source::BriefError;
use crate::document::yaml::YamlFault;
use crate::language::LanguageError;
use crate::scip::ScipFault;
use crate::source::SourceError;
use crate::store::StoreError;
use crate::text::RepoPath;

#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// A pipeline file, or a file that it names.
    #[error("cannot use `{path}`\n  because {reason}")]
    Settings { path: PathBuf, reason: String },
    /// What says who may read what has to be understood, all of it.
    #[error(
        "POC_E_PERMISSIONS: cannot use `{path}`\n  because {reason}\n  hint: nothing was written; correct the file"
    )]
    Permissions { path: RepoPath, reason: String },
    /// A reader is not who they say, or may not do what they ask for.
    #[error("POC_E_FORBIDDEN: {0}")]
    Forbidden(String),
    #[error("cannot start {0} threads")]
    Threads(usize),
    #[error("cannot read `{path}`\n  because {reason}")]
    ScipUnreadable { path: PathBuf, reason: String },
    #[error("cannot use `{path}`\n  because {fault}\n  hint: make the index again")]
    Scip { path: PathBuf, fault: ScipFault },
    #[error("cannot use `{path}`\n  because none of its {documents} documents is a file of the tree")]
    ScipOfOtherTree { path: PathBuf, documents: usize },
    #[error("cannot use the section schema `{path}`\n  because {fault}")]
    Schema { path: RepoPath, fault: YamlFault },
    #[error("cannot read the section schema `{path}`\n  because {reason}")]
    SchemaUnreadable { path: RepoPath, reason: String },
    #[error("line {line} of `{path}` is not a valid request\n  because {reason}")]
    BundleRequest { path: PathBuf, line: u32, reason: String },
    #[error("{}", .0.with_hint())]
    Brief(BriefError),
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
}

impl From<BriefError> for PipelineError {
    fn from(error: BriefError) -> Self {
        match error {
            BriefError::Store(error) => PipelineError::Store(error),
            error => PipelineError::Brief(error),
        }
    }
}

impl PipelineError {
    pub fn settings(path: &Path, reason: impl Display) -> Self {
        PipelineError::Settings { path: path.to_path_buf(), reason: reason.to_string() }
    }
}
