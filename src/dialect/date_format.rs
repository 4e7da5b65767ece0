//! Days in names of files and pages, in the formats of moment.js and of Java.

use jiff::civil::Date as Day;

/// How a day is written. Formats with parts that are not known are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateFormat {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Year,
    ShortYear,
    /// As a number with at least so many digits.
    Month(usize),
    MonthName,
    ShortMonthName,
    Day(usize),
    /// `1st`
    DayOrdinal,
    WeekdayName,
    ShortWeekdayName,
    /// A number that the other pieces give, too, such as that of the week.
    Number,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const SHORT: usize = 3;

impl DateFormat {
    /// `YYYY-MM-DD`, `[on] dddd Do`
    pub fn moment(format: &str) -> Option<Self> {
        Self::parse(format, ['[', ']'], |word| {
            Some(match word {
                "YYYY" => Piece::Year,
                "YY" => Piece::ShortYear,
                "MMMM" => Piece::MonthName,
                "MMM" => Piece::ShortMonthName,
                "MM" | "M" => Piece::Month(word.len()),
                "DD" | "D" => Piece::Day(word.len()),
                "Do" => Piece::DayOrdinal,
                "dddd" => Piece::WeekdayName,
                "ddd" => Piece::ShortWeekdayName,
                "GGGG" | "gggg" | "WW" | "W" | "ww" | "w" | "Q" | "E" | "e" | "d" | "DDDD" | "DDD" => Piece::Number,
                _ => return None,
            })
        })
    }

    /// `yyyy_MM_dd`, `MMM do, yyyy`
    pub fn java(format: &str) -> Option<Self> {
        Self::parse(format, ['\'', '\''], |word| {
            Some(match word {
                "yyyy" => Piece::Year,
                "yy" => Piece::ShortYear,
                "MMMM" => Piece::MonthName,
                "MMM" => Piece::ShortMonthName,
                "MM" | "M" => Piece::Month(word.len()),
                "dd" | "d" => Piece::Day(word.len()),
                "do" => Piece::DayOrdinal,
                "EEEE" => Piece::WeekdayName,
                "EEE" | "EE" | "E" => Piece::ShortWeekdayName,
                _ => return None,
            })
        })
    }

    fn parse(format: &str, quotes: [char; 2], piece: impl Fn(&str) -> Option<Piece>) -> Option<Self> {
        let (mut pieces, mut rest) = (Vec::new(), format);
        while let Some(c) = rest.chars().next() {
            if let Some(inside) = rest.strip_prefix(quotes[0]) {
                let (text, behind) = inside.split_once(quotes[1])?;
                pieces.push(Piece::Text(text.to_string()));
                rest = behind;
            } else if c.is_ascii_alphabetic() {
                let run = rest.len() - rest.trim_start_matches(c).len();
                let is_ordinal = run == 1 && matches!(c, 'D' | 'd') && rest[1..].starts_with('o');
                let (word, behind) = rest.split_at(if is_ordinal { 2 } else { run });
                pieces.push(piece(word)?);
                rest = behind;
            } else {
                pieces.push(Piece::Text(c.to_string()));
                rest = &rest[c.len_utf8()..];
            }
        }
        Some(DateFormat { pieces })
    }

    /// How many directories a path in this format has.
    pub fn depth(&self) -> usize {
        let slashes = |piece: &Piece| if let Piece::Text(text) = piece { text.matches('/').count() } else { 0 };
        self.pieces.iter().map(slashes).sum()
    }

    /// The day that a whole text is in this format.
    pub fn read(&self, text: &str) -> Option<Day> {
        let (mut rest, mut year, mut month, mut day) = (text, None, None, None);
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => rest = rest.strip_prefix(text.as_str())?,
                Piece::Year => year = Some(number(&mut rest, 4, 4)? as i16),
                Piece::ShortYear => year = Some(2000 + number(&mut rest, 2, 2)? as i16),
                Piece::Month(digits) => month = Some(number(&mut rest, *digits, 2)? as i8),
                Piece::Day(digits) => day = Some(number(&mut rest, *digits, 2)? as i8),
                Piece::DayOrdinal => {
                    day = Some(number(&mut rest, 1, 2)? as i8);
                    rest = ["st", "nd", "rd", "th"].iter().find_map(|ending| rest.strip_prefix(ending))?;
                }
                Piece::MonthName => month = Some(name(&mut rest, &MONTHS, usize::MAX)? as i8 + 1),
                Piece::ShortMonthName => month = Some(name(&mut rest, &MONTHS, SHORT)? as i8 + 1),
                Piece::WeekdayName => drop(name(&mut rest, &WEEKDAYS, usize::MAX)?),
                Piece::ShortWeekdayName => drop(name(&mut rest, &WEEKDAYS, SHORT)?),
                Piece::Number => drop(number(&mut rest, 1, 4)?),
            }
        }
        if rest.is_empty() { Day::new(year?, month?, day?).ok() } else { None }
    }

    pub fn write(&self, day: Day) -> String {
        let (month, weekday) = (day.month() as usize - 1, day.weekday().to_monday_zero_offset() as usize);
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Year => format!("{:04}", day.year()),
            Piece::ShortYear => format!("{:02}", day.year() % 100),
            Piece::Month(digits) => format!("{:0digits$}", day.month()),
            Piece::Day(digits) => format!("{:0digits$}", day.day()),
            Piece::DayOrdinal => format!("{}{}", day.day(), ordinal_ending(day.day())),
            Piece::MonthName => MONTHS[month].to_string(),
            Piece::ShortMonthName => MONTHS[month][..SHORT].to_string(),
            Piece::WeekdayName => WEEKDAYS[weekday].to_string(),
            Piece::ShortWeekdayName => WEEKDAYS[weekday][..SHORT].to_string(),
            Piece::Number => String::new(),
        };
        self.pieces.iter().map(piece).collect()
    }
}

fn ordinal_ending(day: i8) -> &'static str {
    match day {
        11..=13 => "th",
        _ => ["th", "st", "nd", "rd"].get((day % 10) as usize).unwrap_or(&"th"),
    }
}

/// Reads digits, as many as there are up to `most`.
fn number(rest: &mut &str, least: usize, most: usize) -> Option<u32> {
    let digits = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    if digits < least {
        return None;
    }
    let (number, behind) = rest.split_at(digits);
    *rest = behind;
    number.parse().ok()
}

/// Reads a name, or as many of its first letters as are written, in any case.
fn name(rest: &mut &str, names: &[&str], letters: usize) -> Option<usize> {
    let written = |name: &str| letters.min(name.len());
    let is_next =
        |name: &&str| rest.get(..written(name)).is_some_and(|text| text.eq_ignore_ascii_case(&name[..written(name)]));
    let at = names.iter().position(is_next)?;
    *rest = &rest[written(names[at])..];
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(format: Option<DateFormat>, text: &str) -> String {
        format.and_then(|format| format.read(text)).map_or("none".to_string(), |day| day.to_string())
    }

    #[test]
    fn days_in_the_formats_of_moment() {
        for (format, text, day) in [
            ("YYYY-MM-DD", "2026-02-03", "2026-02-03"),
            ("YYYY/MM/YYYY-MM-DD", "2026/02/2026-02-03", "2026-02-03"),
            ("dddd, MMMM Do YYYY", "Tuesday, February 3rd 2026", "2026-02-03"),
            ("[Daily] D.M.YY", "Daily 3.2.26", "2026-02-03"),
            ("gggg-[W]ww/YYYY-MM-DD ddd", "2026-W06/2026-02-03 Tue", "2026-02-03"),
            ("YYYY-MM-DD", "2026-02-03 Meeting", "none"),
            ("YYYY-MM-DD", "2026-02-30", "none"),
            ("YYYY-MM", "2026-02", "none"),
            ("YYYY-MM-DDTHH", "2026-02-03T10", "none"),
            ("YYYY-MM-DD", "日本語", "none"),
        ] {
            assert_eq!(read(DateFormat::moment(format), text), day, "{format}: {text}");
        }
        assert_eq!(DateFormat::moment("YYYY/MM/DD").map(|format| format.depth()), Some(2));
    }

    #[test]
    fn days_in_the_formats_of_java_both_ways() {
        for (format, text) in [
            ("yyyy_MM_dd", "2026_02_03"),
            ("MMM do, yyyy", "Feb 3rd, 2026"),
            ("do MMMM yyyy", "3rd February 2026"),
            ("E, dd-MM-yyyy", "Tue, 03-02-2026"),
            ("EEEE, dd.MM.yyyy", "Tuesday, 03.02.2026"),
            ("yyyy年MM月dd日", "2026年02月03日"),
        ] {
            let format = DateFormat::java(format).unwrap();
            let day = format.read(text).unwrap();
            assert_eq!((day.to_string().as_str(), format.write(day).as_str()), ("2026-02-03", text));
        }
        let ordinals = DateFormat::java("do").unwrap();
        let day = |day| ordinals.write(Day::new(2026, 1, day).unwrap());
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].map(day).join(" "),
            "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 31st"
        );
    }
}
