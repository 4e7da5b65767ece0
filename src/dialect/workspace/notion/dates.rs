//! Dates as Notion writes them: `April 17, 2024`, `September 17, 2024 1:52 PM`, `April 23, 2024 → May 22, 2024`.

use crate::dialect::date_format::DateFormat;
use crate::dialect::markup::value_date;
use crate::dialect::note::date_of_text;
use crate::record::Date;

/// A day or a time, or from one to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    pub start: Date,
    /// The same as the start if nothing else is written.
    pub end: Date,
}

/// Reads a value that is dates and nothing else. A time without a zone is UTC.
pub fn period(text: &str) -> Option<Period> {
    let Some((start, end)) = text.split_once('→') else {
        let start = moment(text)?;
        return Some(Period { end: start.clone(), start });
    };
    let start = moment(start)?;
    // The end of a period within one day is only a time.
    let end = moment(end).or_else(|| time_of_day(&start.as_str()[..DAY_LEN], end.trim()))?;
    Some(Period { start, end })
}

/// The length of `2024-04-17`.
const DAY_LEN: usize = 10;
/// Longer values are no dates.
const MAX_LEN: usize = 60;

fn moment(text: &str) -> Option<Date> {
    let text = text.trim().trim_start_matches('@');
    if text.len() > MAX_LEN {
        return None;
    }
    if let Some(date) = value_date(text) {
        return Some(date);
    }
    let (before, rest) = text.split_once(", ")?;
    let (year, time) = rest.split_once(' ').unwrap_or((rest, ""));
    let written = format!("{before}, {year}");
    let day = ["MMMM D, YYYY", "MMM D, YYYY"]
        .iter()
        .find_map(|format| DateFormat::moment(format)?.read(&written))?
        .to_string();
    if time.is_empty() { date_of_text(&day) } else { time_of_day(&day, time.trim()) }
}

/// `1:52 PM`, `13:52`, each with a zone behind it or without one.
fn time_of_day(day: &str, time: &str) -> Option<Date> {
    let (clock, zone) = match time.split_once(" (") {
        Some((clock, zone)) => (clock.trim(), offset(zone.strip_suffix(')')?)),
        None => (time, String::new()),
    };
    let (numbers, half) = clock.split_once(' ').unwrap_or((clock, ""));
    let (hour, minute) = numbers.split_once(':')?;
    let hour: u32 = hour.parse().ok()?;
    let hour = match half {
        "" => hour,
        "AM" if (1..=12).contains(&hour) => hour % 12,
        "PM" if (1..=12).contains(&hour) => hour % 12 + 12,
        _ => return None,
    };
    date_of_text(&format!("{day}T{hour:02}:{minute}{zone}")).filter(|date| date.as_str().len() > DAY_LEN)
}

/// `GMT+2` and `GMT-5:30` as offsets; of other zones nothing is known here.
fn offset(zone: &str) -> String {
    let Some(written) = zone.strip_prefix("GMT").or_else(|| zone.strip_prefix("UTC")) else { return String::new() };
    let Some(sign) = written.chars().next().filter(|sign| matches!(sign, '+' | '-')) else { return String::new() };
    let (hours, minutes) = written[1..].split_once(':').unwrap_or((&written[1..], "00"));
    format!("{sign}{hours:0>2}:{minutes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_exports_write_them() {
        for (written, read) in [
            ("April 17, 2024", "2024-04-17"),
            ("Jul 9, 2020 9:53 PM", "2020-07-09T21:53:00Z"),
            ("September 17, 2024 1:52 PM", "2024-09-17T13:52:00Z"),
            ("September 17, 2024 12:05 AM", "2024-09-17T00:05:00Z"),
            ("September 17, 2024 13:52", "2024-09-17T13:52:00Z"),
            ("September 17, 2024 1:52 PM (GMT+2)", "2024-09-17T11:52:00Z"),
            ("September 17, 2024 1:52 PM (GMT-5:30)", "2024-09-17T19:22:00Z"),
            ("September 17, 2024 1:52 PM (EST)", "2024-09-17T13:52:00Z"),
            ("@April 17, 2024", "2024-04-17"),
            ("2024-04-17", "2024-04-17"),
            ("2024-04-17T10:00:00Z", "2024-04-17T10:00:00Z"),
            ("April 23, 2024 → May 22, 2024", "2024-04-23 2024-05-22"),
            ("April 23, 2024 9:00 AM → 10:30 AM", "2024-04-23T09:00:00Z 2024-04-23T10:30:00Z"),
            ("2024-04-17 → 2024-04-18", "2024-04-17 2024-04-18"),
            ("April 31, 2024", "none"),
            ("April 17, 2024 and more", "none"),
            ("April 17, 2024 13:52 PM", "none"),
            ("April 17", "none"),
            ("Sprint 20, 2024", "none"),
            ("17", "none"),
            ("→", "none"),
            ("", "none"),
        ] {
            let shown = period(written).map(
                |Period { start, end }| {
                    if start == end { start.to_string() } else { format!("{start} {end}") }
                },
            );
            assert_eq!(shown.unwrap_or("none".to_string()), read, "{written}");
        }
    }
}
