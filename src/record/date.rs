//! A day or a second from the data, never from the clock or the file system.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::text_ids;

/// `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SSZ` where the data gives a time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(extend("pattern" = r"^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$"))]
pub struct Date(String);

text_ids! { Date if is_date, "a date such as `2026-02-20` or `2026-02-20T10:00:00Z`"; }

impl Date {
    /// Seconds since 1970; of a day those of its start, in UTC.
    pub fn to_seconds(&self) -> i64 {
        let time = if self.0.len() == 10 { format!("{}T00:00:00Z", self.0) } else { self.0.clone() };
        time.parse::<jiff::Timestamp>().map_or(0, |timestamp| timestamp.as_second())
    }
}

fn is_date(text: &str) -> bool {
    let is_day = text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
    let has_form = text.len() == 20 && text.ends_with('Z') && text[..19].contains('T');
    is_day || has_form && text.parse::<jiff::Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_seconds_are_dates() {
        for good in ["2026-02-20", "1970-01-01T00:00:00Z"] {
            assert_eq!(serde_json::from_value::<Date>(good.into()).unwrap().as_str(), good);
        }
        for bad in ["2026-02-30", "2026-2-20", "2026-02-20T10:00:00+01:00", "2026-02-20 10:00:00Z", "2026", ""] {
            assert!(Date::try_from(bad.to_string()).is_err(), "{bad}");
        }
    }
}
