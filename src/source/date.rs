//! The date of the tree. Artifacts contain it where other tools write the time of the run.

use std::path::Path;

use jiff::SignedDuration;
use jiff::civil::datetime;

use super::SourceError;

const EPOCH: &str = "1970-01-01T00:00:00Z";

/// `YYYY-MM-DDTHH:MM:SSZ`: the value of `SOURCE_DATE_EPOCH` where there is one, else the time of the
/// HEAD commit, else the epoch.
pub fn source_date(root: &Path, epoch_variable: Option<&str>) -> Result<String, SourceError> {
    match epoch_variable {
        Some(value) => epoch_date(value).ok_or_else(|| SourceError::BadEpoch { value: value.to_string() }),
        None => Ok(head_date(root).unwrap_or_else(|| EPOCH.to_string())),
    }
}

fn epoch_date(value: &str) -> Option<String> {
    // The parser would take a plus sign, which the variable's specification does not.
    let digits = Some(value).filter(|value| value.bytes().all(|byte| byte.is_ascii_digit()))?;
    date(digits.parse().ok()?)
}

/// Only the repository in the root itself: one further up belongs to another tree, and what it is
/// doing there differs from machine to machine. One that is broken has no date.
fn head_date(root: &Path) -> Option<String> {
    let git = root.join(".git");
    // A pipe of that name would be waited for.
    std::fs::metadata(&git).ok().filter(|metadata| metadata.is_dir() || metadata.is_file())?;
    let options = gix::open::Options::isolated().open_path_as_is(true);
    let repository = gix::open_opts(git, options).ok()?;
    let seconds = repository.head_commit().ok()?.time().ok()?.seconds;
    date(u64::try_from(seconds).ok()?)
}

/// The date of a number of seconds since 1970, in UTC; none behind the year 9999.
pub(super) fn date(seconds: u64) -> Option<String> {
    let since = SignedDuration::from_secs(i64::try_from(seconds).ok()?);
    let date = datetime(1970, 1, 1, 0, 0, 0, 0).checked_add(since).ok()?;
    Some(format!("{date}Z"))
}
