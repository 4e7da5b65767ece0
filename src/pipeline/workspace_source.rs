//! The workspace of an index, opened for making payloads. Who asks is settled here; everything behind it is a function
//! of what they may see.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{PackSource, PipelineError, Principals, SummaryMaker};
use crate::assemble::blocks::ReadableBlocks;
use crate::door::workspace::{
    CacheCounts, Found, SearchCache, Summaries, WantedSummary, WorkspaceSettings, find_cached, payload,
    wanted_summaries,
};
use crate::record::workspace::{ContextPayload, ContextRequest, RequestFault, RequestType, RequestUser};
use crate::record::{Date, ErrorCode, Principal, Reader};
use crate::store::StoreError;

/// An index with blocks, and how payloads are made from it.
pub struct WorkspaceSource {
    source: Arc<PackSource>,
    settings: WorkspaceSettings,
    searches: SearchCache,
    /// The index that keeps summaries.
    summaries: PathBuf,
}

/// Answers summaries that are wanted, as far as it can.
pub type Summarize<'s> = &'s (dyn Fn(&[WantedSummary]) -> Result<Summaries, StoreError> + Sync);

/// A request, with everything that says what its reader may see.
#[derive(Clone, Debug)]
pub struct Asked {
    pub request: ContextRequest,
    pub reader: Reader,
}

/// A payload, and what it was made from.
#[derive(Clone, Debug)]
pub struct Answered {
    pub payload: ContextPayload,
    pub found: Found,
}

#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    #[error("{0}")]
    Request(#[from] RequestFault),
    #[error("the tree is no workspace")]
    NoWorkspace,
    #[error("the user of the request is not who reads")]
    OtherUser,
}

impl ContextError {
    pub fn code(&self) -> ErrorCode {
        match self {
            ContextError::Store(error) => error.code,
            ContextError::Pipeline(PipelineError::Store(error)) => error.code,
            ContextError::Pipeline(_) | ContextError::OtherUser => ErrorCode::Forbidden,
            ContextError::Request(fault) => fault.code(),
            ContextError::NoWorkspace => ErrorCode::NotFound,
        }
    }

    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ContextError::Request(RequestFault::NothingAsked) => Some("give a `query` or a `focus`"),
            ContextError::NoWorkspace => Some("`--source-kind workspace`, or `[workspace]` in contextpack.toml"),
            ContextError::OtherUser => Some("leave `user` out of the request, or give the same principals twice"),
            _ => None,
        }
    }
}

impl WorkspaceSource {
    /// The workspace of an index that was opened for an operator: what readers may see is decided for each request.
    pub fn new(source: Arc<PackSource>, settings: WorkspaceSettings) -> Result<Self, ContextError> {
        if !source.is_workspace() {
            return Err(ContextError::NoWorkspace);
        }
        let summaries = source.folder().to_path_buf();
        Ok(WorkspaceSource { source, settings, searches: SearchCache::default(), summaries })
    }

    pub fn settings(&self) -> &WorkspaceSettings {
        &self.settings
    }

    pub fn packs(&self) -> &PackSource {
        &self.source
    }

    /// Keeps summaries in another index than its own.
    pub fn with_summaries_in(self, index: &Path) -> Self {
        WorkspaceSource { summaries: index.to_path_buf(), ..self }
    }

    /// Has the command of the settings make summaries. Its answers are kept by what it was given, so a text that two
    /// readers see is summarized once. With `retries_failures` it is asked again where it failed before.
    pub fn summarizer(
        &self,
        retries_failures: bool,
    ) -> impl Fn(&[WantedSummary]) -> Result<Summaries, StoreError> + Sync {
        let command = self.settings.profile(RequestType::default()).truncation.summarize_command;
        move |wanted: &[WantedSummary]| {
            SummaryMaker { index: &self.summaries, command: &command, retries_failures }.summaries(wanted)
        }
    }

    /// How often a search was made before.
    pub fn searches(&self) -> CacheCounts {
        self.searches.counts()
    }

    /// Settles who asks. `given` is who reads, whatever the request says; without it the request's user is believed, as
    /// far as the workspace does not know better. Without either, only what is public is read: a refusal would tell that
    /// there is more.
    pub fn ask(&self, request: ContextRequest, given: Option<&Reader>) -> Result<Asked, ContextError> {
        request.check()?;
        let claimed = request.principals()?;
        let resolve = |claimed: &BTreeSet<Principal>| Principals::resolve(self.source.folder(), claimed);
        let principals = match (given, &request.user) {
            (Some(Reader::Operator), _) => return Ok(Asked { request, reader: Reader::Operator }),
            (None, _) => resolve(&claimed)?,
            (Some(Reader::As(given)), None) => resolve(given)?,
            (Some(Reader::As(given)), Some(_)) => {
                let (given, claimed) = (resolve(given)?, resolve(&claimed).map_err(|_| ContextError::OtherUser)?);
                if given != claimed {
                    return Err(ContextError::OtherUser);
                }
                given
            }
        };
        let user = principals.user().map(|id| RequestUser { id: id.to_string(), ..RequestUser::default() });
        let request = ContextRequest { user: request.user.or(user), ..request };
        Ok(Asked { request, reader: Reader::As(principals.all().clone()) })
    }

    /// The payload for a request.
    pub fn context(&self, asked: &Asked, summarize: Summarize) -> Result<Answered, ContextError> {
        self.with(&asked.reader, |view| self.answer(view, &asked.request, summarize))?
    }

    /// Calls `work` with what a reader may see.
    pub fn with<R>(&self, reader: &Reader, work: impl FnOnce(&ReadableBlocks) -> R) -> Result<R, ContextError> {
        self.source.with_blocks(reader, work)?.ok_or(ContextError::NoWorkspace)
    }

    /// The payload for a request of somebody who sees this.
    pub fn answer(
        &self,
        view: &ReadableBlocks,
        request: &ContextRequest,
        summarize: Summarize,
    ) -> Result<Answered, ContextError> {
        let profile = self.settings.profile(request.request_type);
        let found = find_cached(view, request, &profile, self.settings.intents(), self.source_date(), &self.searches)?;
        let summaries = summarize(&wanted_summaries(request, &profile, &found))?;
        Ok(Answered { payload: payload(request, &profile, &found, &summaries), found })
    }

    /// The date of the source, if it has one.
    fn source_date(&self) -> Option<Date> {
        let date = self.source.source_date();
        if date.starts_with(NO_DATE) { None } else { Date::try_from(date.to_string()).ok() }
    }
}

/// The day of sources without a date.
const NO_DATE: &str = "1970-01-01";
