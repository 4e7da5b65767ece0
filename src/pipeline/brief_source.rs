//! The notes of an index, opened for making briefs.

use std::path::Path;
use std::sync::Arc;

use super::{Access, Index, PackSource};
use crate::assemble::ReadError;
use crate::assemble::notes::NoteIndex;
use crate::door::brief::{Brief, LensFault, brief, check_since};
use crate::record::ErrorCode;
use crate::record::brief::{BriefFault, BriefId, BriefRequest, ContextBrief};
use crate::store::StoreError;

pub struct BriefSource {
    source: Arc<PackSource>,
}

/// Why there is no brief.
#[derive(Debug, thiserror::Error)]
pub enum BriefError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Lens(#[from] LensFault),
    #[error(transparent)]
    Request(#[from] BriefFault),
    #[error("the tree has no notes")]
    NoNotes,
}

impl BriefError {
    pub fn code(&self) -> ErrorCode {
        match self {
            BriefError::Store(error) => error.code,
            BriefError::Lens(_) => ErrorCode::BadRequest,
            BriefError::Request(fault) => fault.code(),
            BriefError::NoNotes => ErrorCode::NotFound,
        }
    }

    /// As the command line prints it.
    pub fn with_hint(&self) -> String {
        self.hint().map_or_else(|| self.to_string(), |hint| format!("{self}\n  hint: {hint}"))
    }

    pub fn hint(&self) -> Option<&'static str> {
        match self {
            BriefError::NoNotes => Some("say where they are: --source-kind vault:PATH, or [notes] in contextpack.toml"),
            BriefError::Request(BriefFault::NoTopic) => Some("`contextpack brief \"SOC Defender\"`"),
            _ => None,
        }
    }
}

impl BriefSource {
    pub fn new(source: Arc<PackSource>) -> Self {
        BriefSource { source }
    }

    /// The index that its briefs are made from.
    pub fn packs(&self) -> &PackSource {
        &self.source
    }

    /// Calls `work` with the notes.
    pub fn with<R>(&self, work: impl FnOnce(&NoteIndex) -> Result<R, ReadError>) -> Result<R, BriefError> {
        let done = self.source.with(|view| NoteIndex::new(view).map(|index| work(&index)).transpose())?;
        done.ok_or(BriefError::NoNotes)
    }

    /// The brief that a request asks for, compared with an earlier one if one is given.
    pub fn brief(&self, request: &BriefRequest, earlier: Option<&ContextBrief>) -> Result<Brief, BriefError> {
        request.check()?;
        check_since(request, earlier)?;
        self.with(|index| brief(index, request, earlier))
    }
}

/// Reads a stored brief of an index by its id.
pub fn read_brief(index: &Path, id: &BriefId, access: Access) -> Result<Option<ContextBrief>, StoreError> {
    let briefs = Index::open(&index.join(BRIEFS))?;
    access.check(&briefs)?;
    Ok(briefs.find_records::<ContextBrief>(&[id.as_str().into()])?.into_iter().next())
}

/// The directory of an index that holds briefs.
pub const BRIEFS: &str = "briefs";
