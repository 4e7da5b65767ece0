//! Why a command could not run. The cause stays typed until [`Failure::print`] writes it.

use std::io;
use std::path::{Path, PathBuf};

use super::output::say;
use crate::door::browse::BrowseError;
use crate::mcp::ServeError;
use crate::pipeline::session::SessionError;
use crate::pipeline::{BriefError, MergeError, PipelineError, ShowError, StoreError};
use crate::record::ErrorCode;
use crate::record::request::RequestFault;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Merge(#[from] MergeError),
    #[error(transparent)]
    Show(#[from] ShowError),
    #[error("{}: {}{}", .0.code(), .0, .0.hint().map(|hint| format!("\n  hint: {hint}")).unwrap_or_default())]
    Session(#[from] SessionError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("{fault}\n  hint: {}", fault.hint())]
    Request { fault: RequestFault },
    #[error("cannot {action} `{path}`\n  because {source}")]
    File { action: &'static str, path: PathBuf, source: io::Error },
    #[error("cannot write to standard output\n  because {0}")]
    Output(io::Error),
    /// What only one command can say.
    #[error("{0}")]
    Other(String),
    /// Printed with its code, which scripts compare.
    #[error("{code}: {failure}")]
    Coded { code: ErrorCode, failure: Box<Failure> },
}

impl Failure {
    pub fn other(message: impl std::fmt::Display) -> Self {
        Failure::Other(message.to_string())
    }

    pub fn coded(code: ErrorCode, message: impl std::fmt::Display) -> Self {
        Failure::Coded { code, failure: Box::new(Failure::other(message)) }
    }

    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        Failure::file("read", path)
    }

    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        Failure::file("write", path)
    }

    /// What could not be done to a file.
    pub fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Failure {
        move |source| Failure::File { action, path: path.to_path_buf(), source }
    }

    /// For commands whose errors scripts tell apart.
    pub fn with_code(self) -> Self {
        match &self {
            Failure::Store(error) => Failure::Coded { code: error.code, failure: Box::new(self) },
            _ => self,
        }
    }

    pub fn print(&self, command: &str) {
        let command = if let Failure::Output(_) = self { "contextpack" } else { command };
        let code = if self.is_refusal() { format!("{}: ", ErrorCode::Forbidden) } else { String::new() };
        say(&format!("{command}: {code}{self}"));
    }

    /// Whether an index does not open for its reader, and the code is not printed yet. Every command says so in one way.
    fn is_refusal(&self) -> bool {
        let error = match self {
            Failure::Store(error) | Failure::Show(ShowError::Store(error)) => error,
            Failure::Pipeline(PipelineError::Store(error)) => error,
            _ => return false,
        };
        error.code == ErrorCode::Forbidden
    }
}

impl From<RequestFault> for Failure {
    fn from(fault: RequestFault) -> Self {
        Failure::Coded { code: fault.code(), failure: Box::new(Failure::Request { fault }) }
    }
}

impl From<BriefError> for Failure {
    fn from(error: BriefError) -> Self {
        Failure::coded(error.code(), error.with_hint())
    }
}

impl From<BrowseError> for Failure {
    fn from(error: BrowseError) -> Self {
        let hint = error.hint().map(|hint| format!("\n  hint: {hint}")).unwrap_or_default();
        Failure::coded(error.code(), format!("{error}{hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_keeps_its_code_and_hint_until_it_is_printed() {
        let failure = Failure::from(RequestFault::Empty);
        assert!(matches!(failure, Failure::Coded { code: ErrorCode::BadRequest, .. }));
        assert_eq!(
            failure.to_string(),
            format!("POC_E_BAD_REQUEST: {}\n  hint: give a `query` or a `focus`", RequestFault::Empty)
        );
    }

    #[test]
    fn a_code_is_only_added_to_errors_of_the_index() {
        let missing = || StoreError::missing(Path::new("index"), "it does not exist", None);
        let plain = Failure::from(missing());
        assert_eq!(plain.to_string(), "cannot use `index`\n  because it does not exist");
        assert_eq!(
            plain.with_code().to_string(),
            "POC_E_INDEX_MISSING: cannot use `index`\n  because it does not exist"
        );
        assert_eq!(Failure::other("no").with_code().to_string(), "no");
    }

    #[test]
    fn a_file_is_named_with_what_was_tried() {
        let failure = Failure::reading(Path::new("a/b"))(io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(failure.to_string(), "cannot read `a/b`\n  because entity not found");
    }
}
