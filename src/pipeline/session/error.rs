//! Why a session could not do what it was asked for.

use crate::door::browse::BrowseError;
use crate::door::frame::FrameFault;
use crate::door::frame::session::{LogFault, Refusal};
use crate::record::ErrorCode;
use crate::record::session::SessionId;
use crate::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Browse(#[from] BrowseError),
    #[error(transparent)]
    Frame(#[from] FrameFault),
    #[error("there is no session `{0}`")]
    Missing(SessionId),
    #[error("cannot use the session `{session}`\n  because {fault}")]
    Log { session: SessionId, fault: LogFault },
    #[error("{}: {}", super::workbench::word(&.0.op), .0.detail)]
    Refused(Box<Refusal>),
    #[error("the session is at {found} and not at {expected}")]
    Conflict { found: u32, expected: u32 },
    #[error("{0}")]
    BadRequest(String),
    /// A limit of sessions.
    #[error("{0}")]
    Limit(String),
}

impl SessionError {
    pub fn bad(message: impl Into<String>) -> Self {
        SessionError::BadRequest(message.into())
    }

    pub fn code(&self) -> ErrorCode {
        match self {
            SessionError::Store(error) => error.code,
            SessionError::Browse(error) => error.code(),
            SessionError::Frame(fault) => fault.code(),
            SessionError::Missing(_) => ErrorCode::SessionMissing,
            SessionError::Log { fault: LogFault::Rules { .. }, .. } => ErrorCode::ContractVersion,
            SessionError::Log { .. } => ErrorCode::SessionCorrupt,
            SessionError::Refused(refusal) => refusal.code,
            SessionError::Conflict { .. } => ErrorCode::Conflict,
            SessionError::BadRequest(_) => ErrorCode::BadRequest,
            SessionError::Limit(_) => ErrorCode::BudgetExceeded,
        }
    }

    pub fn hint(&self) -> Option<String> {
        match self {
            SessionError::Browse(error) => error.hint(),
            SessionError::Missing(_) => Some("`contextpack session list` lists them".to_string()),
            SessionError::Log { fault: LogFault::Rules { .. }, .. } => {
                Some("`session replay FILE --with-current-rules` shows what today's rules decide".to_string())
            }
            SessionError::Conflict { .. } => Some("look at it again with `show`".to_string()),
            _ => None,
        }
    }
}
