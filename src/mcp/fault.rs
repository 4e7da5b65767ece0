//! Why a call could not be answered: a code for programs, a cause and a hint for readers. Clients must not learn where
//! things are on this machine, so no fault names a directory.

use std::fmt;

use crate::door::browse::BrowseError;
use crate::pipeline::session::SessionError;
use crate::pipeline::{BriefError, ContextError, PipelineError, ShowError, SourceError, StoreError};
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

    pub fn bad_request(message: impl Into<String>) -> Self {
        Fault::new(ErrorCode::BadRequest, message)
    }

    /// From an error that names no directory and prints its hint itself.
    fn of(code: ErrorCode, error: &PipelineError) -> Self {
        let text = error.to_string();
        match text.split_once("\n  hint: ") {
            Some((message, hint)) => Fault::new(code, message).hint(hint),
            None => Fault::new(code, text),
        }
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
        Fault::new(error.code, format!("cannot use the index\n  because {}", error.cause))
    }
}

impl From<BriefError> for Fault {
    fn from(error: BriefError) -> Self {
        match error {
            BriefError::Store(error) => error.into(),
            error => {
                let fault = Fault::new(error.code(), error.to_string());
                error.hint().map_or(fault.clone(), |hint| fault.hint(hint))
            }
        }
    }
}

impl From<SessionError> for Fault {
    fn from(error: SessionError) -> Self {
        let (code, hint) = (error.code(), error.hint());
        let fault = match error {
            // Its path is a place on this machine.
            SessionError::Store(error) => {
                Fault::new(code, format!("cannot use the session or the index\n  because {}", error.cause))
            }
            error => Fault::new(code, error.to_string()),
        };
        hint.map_or(fault.clone(), |hint| fault.hint(hint))
    }
}

impl From<ContextError> for Fault {
    fn from(error: ContextError) -> Self {
        match error {
            ContextError::Store(error) => error.into(),
            ContextError::Pipeline(error) => error.into(),
            error => {
                let fault = Fault::new(error.code(), error.to_string());
                error.hint().map_or(fault.clone(), |hint| fault.hint(hint))
            }
        }
    }
}

impl From<ShowError> for Fault {
    fn from(error: ShowError) -> Self {
        match error {
            ShowError::Store(error) => error.into(),
            ShowError::Unknown { .. } | ShowError::NoLine { .. } | ShowError::Folder { .. } => {
                Fault::new(ErrorCode::NotFound, error.to_string())
            }
            ShowError::Ambiguous { .. } => Fault::new(ErrorCode::Ambiguous, error.to_string()),
        }
    }
}

impl From<BrowseError> for Fault {
    fn from(error: BrowseError) -> Self {
        let (fault, hint) = (Fault::new(error.code(), error.to_string()), error.hint());
        match hint {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }
}

impl From<SourceError> for Fault {
    fn from(error: SourceError) -> Self {
        let cause = match error {
            SourceError::Missing { .. } => "it does not exist".to_string(),
            SourceError::NotAFolder { .. } => "it is not a directory".to_string(),
            SourceError::Unreadable { reason, .. } => reason.to_string(),
            SourceError::BadEpoch { .. } => error.to_string(),
        };
        Fault::new(ErrorCode::Source, format!("cannot read the tree\n  because {cause}"))
    }
}

impl From<PipelineError> for Fault {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Store(error) => error.into(),
            PipelineError::Source(error) => error.into(),
            // Their paths are the tree's own.
            PipelineError::Schema { .. } | PipelineError::SchemaUnreadable { .. } => {
                Fault::new(ErrorCode::Source, error.to_string())
            }
            PipelineError::Settings { reason, .. } => {
                Fault::new(ErrorCode::Source, format!("cannot use the settings\n  because {reason}"))
            }
            PipelineError::NoIndex { cause, .. } => {
                Fault::new(ErrorCode::IndexMissing, format!("cannot use the index\n  because {cause}"))
            }
            PipelineError::NothingToServe | PipelineError::Replaced => Fault::of(ErrorCode::IndexMissing, &error),
            PipelineError::Forbidden(message) => Fault::new(ErrorCode::Forbidden, message),
            PipelineError::HoldsSecrets => Fault::of(ErrorCode::NotSupported, &error),
            PipelineError::UnknownScip { .. } => Fault::new(
                ErrorCode::NotSupported,
                "the graph was built with SCIP files, and where they are is not recorded",
            )
            .hint("list them in `scip` of [graph] in contextpack.toml"),
            error => Fault::new(ErrorCode::Internal, error.to_string()),
        }
    }
}
