//! Why a call could not be answered: a code for programs, a cause and a hint for readers. Clients must not learn where
//! things are on this machine, so no fault names a directory.

use std::fmt;

use crate::pipeline::service::ServiceError;
use crate::pipeline::{BuildError, GraphError, ShowError, SourceError, SpecError, StageError, StoreError};
use crate::record::ErrorCode;
use crate::record::request::RequestFault;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Stable: clients compare it.
    pub code: ErrorCode,
    pub message: String,
    pub hint: Option<String>,
}

impl Fault {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Fault { code, message: message.into(), hint: None }
    }

    pub fn hint(self, hint: impl Into<String>) -> Self {
        Fault { hint: Some(hint.into()), ..self }
    }

    /// What is not in an index may be in a tree that has changed since.
    pub fn stale(self, why: Option<&str>) -> Self {
        let message = match why {
            Some(why) => format!("{}\n  stale: {why}", self.message),
            None => self.message,
        };
        Fault { message, ..self }
    }

    /// Whether it may be that another process changed the index meanwhile.
    pub fn is_of_the_index(&self) -> bool {
        matches!(
            self.code,
            ErrorCode::IndexMissing | ErrorCode::IndexCorrupt | ErrorCode::ContractVersion | ErrorCode::Io
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl From<RequestFault> for Fault {
    fn from(fault: RequestFault) -> Self {
        Fault::new(fault.code(), fault.to_string()).hint(fault.hint())
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Fault::new(error.code(), format!("cannot use the index\n  because {}", error.cause()))
    }
}

impl From<ShowError> for Fault {
    fn from(error: ShowError) -> Self {
        match error {
            ShowError::Store(error) => error.into(),
            ShowError::Unknown { .. } => Fault::new(ErrorCode::NotFound, error.to_string()),
            ShowError::Ambiguous { .. } => Fault::new(ErrorCode::Ambiguous, error.to_string()),
        }
    }
}

impl From<SourceError> for Fault {
    fn from(error: SourceError) -> Self {
        let cause = match error {
            SourceError::Missing { .. } => "it does not exist".to_string(),
            SourceError::NotAFolder { .. } => "it is not a folder".to_string(),
            SourceError::Unreadable { reason, .. } => reason.to_string(),
            SourceError::BadEpoch { .. } => error.to_string(),
        };
        Fault::new(ErrorCode::Source, format!("cannot read the tree\n  because {cause}"))
    }
}

impl From<SpecError> for Fault {
    fn from(error: SpecError) -> Self {
        match error {
            SpecError::Source(error) => error.into(),
            SpecError::Store(error) => error.into(),
            // Their paths are the tree's own.
            SpecError::Schema { .. } | SpecError::Unread { .. } => Fault::new(ErrorCode::Source, error.to_string()),
        }
    }
}

impl From<ServiceError> for Fault {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Store(error) => error.into(),
            ServiceError::Source(error) => error.into(),
            ServiceError::Build(error) => error.into(),
            ServiceError::NothingToServe => {
                Fault::new(ErrorCode::IndexMissing, "there is no index and none may be built")
                    .hint("start `contextpack mcp` without --no-refresh")
            }
            ServiceError::NoIndex { cause, .. } => {
                Fault::new(ErrorCode::IndexMissing, format!("cannot use the index\n  because {cause}"))
            }
            ServiceError::Replaced => Fault::new(ErrorCode::IndexMissing, "another process replaced the index")
                .hint("give each tree an index of its own"),
            ServiceError::HoldsSecrets => {
                Fault::new(ErrorCode::NotSupported, "the index was made with --allow-secrets and is not served")
                    .hint("index the tree again without it, or start `contextpack mcp` without --no-refresh")
            }
            ServiceError::UnknownScip { .. } => Fault::new(
                ErrorCode::NotSupported,
                "the graph was built with SCIP files, and where they are is not recorded",
            )
            .hint("list them in `scip` of [graph] in contextpack.toml"),
            ServiceError::Settings(error) => {
                Fault::new(ErrorCode::Source, format!("cannot use the settings\n  because {}", error.reason))
            }
            ServiceError::SecretsNeedTree => Fault::new(ErrorCode::Internal, error.to_string()),
        }
    }
}

impl From<BuildError> for Fault {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Chunk(error) => error.into(),
            BuildError::Graph(GraphError::Store(error)) | BuildError::Store(error) => error.into(),
            BuildError::Source(error) => error.into(),
            other => Fault::new(ErrorCode::Internal, other.to_string()),
        }
    }
}

impl From<StageError> for Fault {
    fn from(error: StageError) -> Self {
        match error {
            StageError::Source(error) => error.into(),
            StageError::Store(error) => error.into(),
            StageError::Language(_) | StageError::Threads(_) => Fault::new(ErrorCode::Internal, error.to_string()),
        }
    }
}
