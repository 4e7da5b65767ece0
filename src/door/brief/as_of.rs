//! The day that the ages of notes are counted from. Never the clock's.

use crate::assemble::notes::NoteIndex;
use crate::record::Date;
use crate::record::brief::{AsOf, AsOfSource, BriefRequest};

/// The day, and the same in seconds since 1970.
pub fn as_of(index: &NoteIndex, request: &BriefRequest) -> (AsOf, Option<i64>) {
    let source_date = Date::try_from(index.view.facts().created_at.to_string()).ok();
    let newest = || index.notes.newest().and_then(date_of);
    let (date, from) = if let Some(asked) = &request.as_of {
        (Some(asked.clone()), AsOfSource::Request)
    } else if let Some(date) = source_date.filter(|date| seconds(date) != Some(0)) {
        (Some(date), AsOfSource::SourceDate)
    } else if let Some(date) = newest() {
        (Some(date), AsOfSource::NewestNote)
    } else {
        (None, AsOfSource::Nothing)
    };
    let date = date.map(day);
    let at = date.as_ref().and_then(seconds);
    (AsOf { date, from }, at)
}

fn day(date: Date) -> Date {
    Date::try_from(date.as_str()[..10].to_string()).unwrap_or(date)
}

fn date_of(seconds: i64) -> Option<Date> {
    let timestamp = jiff::Timestamp::from_second(seconds).ok()?;
    Date::try_from(timestamp.strftime("%Y-%m-%d").to_string()).ok()
}

/// Seconds since 1970.
fn seconds(date: &Date) -> Option<i64> {
    let text = date.as_str();
    let whole = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_string() };
    whole.parse::<jiff::Timestamp>().ok().map(|timestamp| timestamp.as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_seconds_are_two_forms_of_one() {
        let date = |text: &str| Date::try_from(text.to_string()).unwrap();
        assert_eq!(seconds(&date("2026-02-20")), Some(1_771_545_600));
        assert_eq!(date_of(1_771_545_600 + 5), Some(date("2026-02-20")));
        assert_eq!(day(date("2026-02-20T10:00:00Z")), date("2026-02-20"));
        assert_eq!(seconds(&date("1970-01-01T00:00:00Z")), Some(0));
    }
}
