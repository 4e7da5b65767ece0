//! Calls the browse door with a view of an index, and says why a file has no text.

use std::path::Path;

use super::PackSource;
use crate::assemble::IndexView;
use crate::door::browse::BrowseError;
use crate::door::pack::Verdict;
use crate::store::StoreError;

impl PackSource {
    /// Calls `work` with a view of the index.
    pub fn browse<R>(
        &self,
        work: impl FnOnce(&IndexView) -> Result<R, BrowseError>,
    ) -> Result<Result<R, BrowseError>, StoreError> {
        let answer = self.with(|view| match work(view) {
            Err(BrowseError::Read(error)) => Err(error),
            answer => Ok(answer),
        })?;
        match answer {
            Err(BrowseError::NoText { path, why }) => {
                let why = self.why_no_text(&path)?.unwrap_or(why);
                Ok(Err(BrowseError::NoText { path, why }))
            }
            answer => Ok(answer),
        }
    }

    fn why_no_text(&self, path: &str) -> Result<Option<String>, StoreError> {
        Ok(match self.without_text(path)?.map(|answer| answer.verdict) {
            Some(Verdict::NoText { why, .. }) => Some(why),
            _ => None,
        })
    }
}

/// What a reader typed, without the directory of the tree in front of it. Nothing is opened.
pub fn inside_tree<'w>(tree: &Path, wanted: &'w str) -> &'w str {
    let Some(tree) = tree.to_str() else { return wanted };
    let rest = wanted.strip_prefix("file:").unwrap_or(wanted).strip_prefix(tree.trim_end_matches('/'));
    rest.and_then(|rest| rest.strip_prefix('/')).unwrap_or(wanted)
}
