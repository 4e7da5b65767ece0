//! The tree's date, which stands in artifacts where other tools put the clock's.

use std::path::Path;

use super::SourceError;

const EPOCH: &str = "1970-01-01T00:00:00Z";
const SECONDS_PER_DAY: u64 = 86_400;
/// The last second whose year has four digits.
const LAST_SECOND: u64 = 253_402_300_799;

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

/// The Gregorian date of a number of seconds since 1970, in UTC.
pub(super) fn date(seconds: u64) -> Option<String> {
    if seconds > LAST_SECOND {
        return None;
    }
    let (year, day) = split_years(seconds / SECONDS_PER_DAY);
    let (month, day) = split_months(year, day);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// The year and the day in it, from 0, of a number of days since 1970.
fn split_years(mut days: u64) -> (u64, u64) {
    let mut year = 1970;
    while days >= days_in_year(year) {
        days -= days_in_year(year);
        year += 1;
    }
    (year, days)
}

/// The month and the day in it, both from 1, of a day in a year.
fn split_months(year: u64, mut day: u64) -> (u64, u64) {
    let mut month = 1;
    while day >= days_in_month(year, month) {
        day -= days_in_month(year, month);
        month += 1;
    }
    (month, day + 1)
}

fn days_in_year(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}
