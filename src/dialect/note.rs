//! What the sources of notes share: which one a file is of, and how notes write dates.

use crate::record::{Date, SourceKind};

/// The kind of notes that a file holds, with what the tree says about reading them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteSource {
    /// A page, a canvas or another file of an Obsidian vault.
    Vault(VaultRules),
    /// A page of a Logseq graph.
    Logseq(LogseqRules),
    /// A Tana export.
    Tana,
    /// Notes as one JSON object per line.
    Nodes,
    /// A file of a workspace.
    Workspace(SourceKind),
}

impl NoteSource {
    /// As it is recorded.
    pub fn kind(&self) -> SourceKind {
        match self {
            NoteSource::Vault(_) => SourceKind::Vault,
            NoteSource::Logseq(_) => SourceKind::Logseq,
            NoteSource::Tana => SourceKind::Tana,
            NoteSource::Nodes => SourceKind::Nodes,
            NoteSource::Workspace(kind) => *kind,
        }
    }
}

/// What the settings of a vault say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VaultRules {
    /// The directory of the vault, with a `/` at its end; empty if the tree is the vault.
    pub root: String,
    /// The directory of templates, from the root of the vault.
    pub templates: Option<String>,
    /// The directory of daily notes, from the root of the vault; absent or empty: anywhere.
    pub daily_folder: Option<String>,
    /// How the names of daily notes are written, in the letters of moment.js; absent: `YYYY-MM-DD`.
    pub daily_format: Option<String>,
    /// The dates that the tree records for this file itself.
    pub recorded: RecordedDates,
}

/// What the settings of a Logseq graph say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogseqRules {
    /// The directory of the graph, with a `/` at its end; empty if the tree is the graph.
    pub root: String,
    /// How the file names of journals are written, in the letters of Java's date formats; absent: `yyyy_MM_dd`.
    pub journal_file_format: Option<String>,
    /// How the titles of journals are written; absent: `MMM do, yyyy`.
    pub journal_title_format: Option<String>,
    pub recorded: RecordedDates,
}

/// Dates of a file that are written down in the tree, outside the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedDates {
    pub created: Option<Date>,
    pub modified: Option<Date>,
}

/// Reads a date as people and programs write it: a day, or a day and a time with or without a zone. Without a zone the
/// time is UTC. None outside 1970 to 2199.
pub fn date_of_text(text: &str) -> Option<Date> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && text.len() > 8 {
        return date_of_number(text.parse().ok()?);
    }
    let text = text.trim_start_matches(['[', '<']).trim_end_matches([']', '>']);
    let day_text = text.get(..10)?.replace(['/', '.'], "-");
    let day: jiff::civil::Date = day_text.parse().ok()?;
    let rest = text[10..].trim_start_matches(['T', 't', ' ']);
    let time = rest.split_whitespace().find(|word| word.contains(':'));
    match time {
        None => date(&day.to_string()),
        Some(time) => date_of_time(day, time),
    }
}

/// Reads a count of seconds, milliseconds, microseconds or nanoseconds since 1970, by its size.
pub fn date_of_number(number: i128) -> Option<Date> {
    let seconds = match number {
        ..=0 => return None,
        1..100_000_000_000 => number,
        100_000_000_000..100_000_000_000_000 => number / 1_000,
        100_000_000_000_000..100_000_000_000_000_000 => number / 1_000_000,
        _ => number / 1_000_000_000,
    };
    of_timestamp(jiff::Timestamp::from_second(i64::try_from(seconds).ok()?).ok()?)
}

fn date_of_time(day: jiff::civil::Date, time: &str) -> Option<Date> {
    let with_zone = format!("{day}T{}", with_seconds(time));
    let timestamp = with_zone.parse::<jiff::Timestamp>().ok();
    let timestamp = timestamp.or_else(|| format!("{with_zone}Z").parse().ok())?;
    of_timestamp(timestamp)
}

/// `10:00` and `10:00Z` with seconds.
fn with_seconds(time: &str) -> String {
    let (clock, zone) = time.split_at(time.find(['Z', 'z', '+', '-']).unwrap_or(time.len()));
    if clock.matches(':').count() == 1 { format!("{clock}:00{zone}") } else { time.to_string() }
}

fn of_timestamp(timestamp: jiff::Timestamp) -> Option<Date> {
    date(&timestamp.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn date(text: &str) -> Option<Date> {
    let year: u32 = text.get(..4)?.parse().ok()?;
    (1970..2200).contains(&year).then(|| Date::try_from(text.to_string()).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(date: Option<Date>) -> String {
        date.map_or("none".to_string(), |date| date.to_string())
    }

    #[test]
    fn dates_as_people_write_them() {
        for (written, read) in [
            ("2026-02-20", "2026-02-20"),
            (" 2026/02/20 ", "2026-02-20"),
            ("2026-02-20T10:00", "2026-02-20T10:00:00Z"),
            ("2026-02-20 10:00:30", "2026-02-20T10:00:30Z"),
            ("2026-02-20T10:00:00+01:00", "2026-02-20T09:00:00Z"),
            ("2026-02-20T10:00:00.250Z", "2026-02-20T10:00:00Z"),
            ("<2026-02-20 Fri>", "2026-02-20"),
            ("1771545600", "2026-02-20T00:00:00Z"),
            ("2026-02-30", "none"),
            ("1969-12-31", "none"),
            ("2200-01-01", "none"),
            ("20 February", "none"),
            ("", "none"),
            ("日本語日本語日本語", "none"),
        ] {
            assert_eq!(text(date_of_text(written)), read, "{written}");
        }
    }

    #[test]
    fn counts_of_any_unit_are_one_date() {
        for number in [1_771_545_600, 1_771_545_600_000, 1_771_545_600_000_000, 1_771_545_600_000_000_000] {
            assert_eq!(text(date_of_number(number)), "2026-02-20T00:00:00Z", "{number}");
        }
        for number in [0, -5, i128::MAX] {
            assert_eq!(text(date_of_number(number)), "none");
        }
    }
}
