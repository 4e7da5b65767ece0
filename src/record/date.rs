//! A day or a second from the data, never from the clock or the file system.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::IdentityError;

/// `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM:SSZ` where the data gives a time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Date(String);

impl Date {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Date {
    type Error = IdentityError;

    fn try_from(text: String) -> Result<Self, IdentityError> {
        let day = text.parse::<jiff::civil::Date>().ok().filter(|_| text.len() == 10);
        let has_form = text.len() == 20 && text.ends_with('Z') && text[..19].contains('T');
        let time = text.parse::<jiff::Timestamp>().ok().filter(|_| has_form);
        if day.is_some() || time.is_some() {
            Ok(Date(text))
        } else {
            Err(IdentityError::new(text, "a date such as `2026-02-20` or `2026-02-20T10:00:00Z`"))
        }
    }
}

impl JsonSchema for Date {
    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({"type": "string", "pattern": r"^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$"})
    }
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
