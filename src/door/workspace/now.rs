//! The date and time that a request counts ages from, and the range of dates that it asks for. Never the clock.

use jiff::civil;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

use crate::assemble::blocks::ReadableBlocks;
use crate::record::Date;
use crate::record::workspace::{ContextRequest, RequestFault};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Now {
    /// RFC 3339, in the time zone in which it was given.
    pub text: String,
    /// Since 1970.
    pub seconds: i64,
    /// The day in its own time zone.
    pub today: Date,
}

/// From a second on, before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub start: Option<i64>,
    pub end: Option<i64>,
}

const SECONDS_PER_DAY: i64 = 86_400;
/// A source without a date is of this year.
const NO_YEAR: &str = "1970";

impl Now {
    /// The request's own; else the date of the source; else the newest date that the reader may see.
    pub fn new(
        request: &ContextRequest,
        source_date: Option<Date>,
        view: &ReadableBlocks,
    ) -> Result<Self, RequestFault> {
        let read = match &request.now {
            Some(text) => Moment::read("now", text)?,
            None => {
                let dated = source_date.filter(|date| !date.as_str().starts_with(NO_YEAR)).or_else(|| view.newest());
                let text = dated.map_or_else(|| "1970-01-01".to_string(), |date| date.to_string());
                Moment::read("now", &text)?
            }
        };
        Ok(read.to_now())
    }
}

impl Span {
    /// None if the request names no range.
    pub fn new(request: &ContextRequest) -> Result<Option<Self>, RequestFault> {
        let Some(range) = &request.hints.time_range else { return Ok(None) };
        let read = |name, text: &Option<String>| text.as_ref().map(|text| Moment::read(name, text)).transpose();
        let start = read("hints.timeRange.start", &range.start)?.map(|start| start.seconds());
        let end = read("hints.timeRange.end", &range.end)?;
        // A day as an end is in the range.
        let end = end.map(|end| end.seconds() + if end.is_day { SECONDS_PER_DAY } else { 0 });
        Ok(Some(Span { start, end }))
    }

    pub fn holds(&self, seconds: i64) -> bool {
        self.start.is_none_or(|start| start <= seconds) && self.end.is_none_or(|end| seconds < end)
    }
}

/// A date, or a date and time, with its time zone.
struct Moment {
    time: civil::DateTime,
    offset: Offset,
    is_day: bool,
}

impl Moment {
    /// Without a time zone it is UTC.
    fn read(name: &'static str, text: &str) -> Result<Self, RequestFault> {
        parse(text.trim()).ok_or_else(|| RequestFault::NoDate { name, text: text.to_string() })
    }

    fn seconds(&self) -> i64 {
        self.offset.to_timestamp(self.time).map_or(0, |timestamp| timestamp.as_second())
    }

    fn to_now(&self) -> Now {
        let time = self.time.strftime("%Y-%m-%dT%H:%M:%S");
        let offset = self.offset.seconds();
        let sign = if offset < 0 { '-' } else { '+' };
        let (hours, minutes) = (offset.abs() / 3600, offset.abs() / 60 % 60);
        let zone = if offset == 0 { "Z".to_string() } else { format!("{sign}{hours:02}:{minutes:02}") };
        let today = self.time.date().to_string();
        Now {
            text: format!("{time}{zone}"),
            seconds: self.seconds(),
            today: Date::try_from(today).expect("the form of days was checked when it was read"),
        }
    }
}

fn parse(text: &str) -> Option<Moment> {
    let pieces = Pieces::parse(text).ok().filter(|pieces| pieces.time_zone_annotation().is_none())?;
    let offset = match pieces.offset() {
        None => Offset::UTC,
        Some(offset) => offset.to_numeric_offset(),
    };
    let time = pieces.date().to_datetime(pieces.time().unwrap_or(civil::Time::midnight()));
    let moment = Moment { time, offset, is_day: pieces.time().is_none() };
    let is_whole_minute = offset.seconds() % 60 == 0;
    let has_form = text.len() >= 10 && Date::try_from(text[..10].to_string()).is_ok();
    let is_time = offset.to_timestamp(time).is_ok();
    (is_whole_minute && has_form && is_time).then_some(moment)
}
