//! The dates that fields give.

use crate::dialect::note::date_of_text;
use crate::record::{Date, Field, FieldValue};
use crate::text::fold;

const MODIFIED: &[&str] =
    &["modified", "updated", "updated_at", "updated-at", "last_modified", "lastmod", "date modified"];
const CREATED: &[&str] = &["created", "created_at", "created-at", "date created", "date"];

/// The dates of a page or a part of it, and values of such fields that cannot be read.
pub struct OwnDates {
    pub created: Option<Date>,
    pub modified: Option<Date>,
    pub unread: Vec<(String, FieldValue)>,
}

/// Of several names the first of the list counts, and of its values the first.
pub fn created_and_modified(fields: &[Field]) -> OwnDates {
    let mut unread = Vec::new();
    let mut first = |names: &[&str]| {
        let mut values = names.iter().filter_map(|name| {
            let field = fields.iter().find(|field| fold(&field.name) == **name)?;
            Some((&field.name, field.values.first()?))
        });
        values.find_map(|(name, value)| {
            let date = date_of_text(value.as_str());
            // A word instead of a date is a template, or says nothing of a day.
            if date.is_none() && value.as_str().starts_with(|c: char| c.is_ascii_digit()) {
                unread.push((name.clone(), value.clone()));
            }
            date
        })
    };
    let (created, modified) = (first(CREATED), first(MODIFIED));
    OwnDates { created, modified, unread }
}

/// The date that a value is, if it is nothing else: a day, or a day and a time.
pub fn value_date(text: &str) -> Option<Date> {
    let (day, rest) = text.split_at_checked(10)?;
    let is_day = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-' || byte == b'/',
        _ => byte.is_ascii_digit(),
    });
    let is_time = |rest: &str| {
        let time = rest.trim_start_matches(['T', ' ']);
        time.len() < rest.len() && time.bytes().all(|byte| byte.is_ascii_digit() || b":.+-Z".contains(&byte))
    };
    if is_day && (rest.is_empty() || is_time(rest)) { date_of_text(text) } else { None }
}
