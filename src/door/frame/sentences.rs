//! Splits a request into sections under known headings, and into sentences. Code, traces and the words of templates are
//! left out.

use super::words::WORDS;
use crate::record::frame::Slot;
use crate::search::{Zone, zones};

/// What is read of a request.
#[derive(Debug, Default)]
pub struct Reading<'t> {
    /// What stands under a heading that names a slot.
    pub sections: Vec<(Slot, &'t str)>,
    pub sentences: Vec<Sentence<'t>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence<'t> {
    pub text: &'t str,
    pub is_question: bool,
    /// Whether a label says that it is about something wrong.
    pub is_report: bool,
}

/// Longer texts are no values.
pub const MAX_VALUE_CHARS: usize = 500;
/// Longer sentences are data.
const MAX_SENTENCE_BYTES: usize = 4_000;
/// Further sentences say nothing new.
const MAX_SENTENCES: usize = 400;

struct Heading<'t> {
    slot: Option<Slot>,
    /// What follows on the same line.
    rest: &'t str,
}

/// Reads a text in normal form.
pub fn read(text: &str) -> Reading<'_> {
    let mut reading = Reading::default();
    let lines = zones(text);
    let mut at = 0;
    while at < lines.len() {
        let (zone, line) = lines[at];
        at += 1;
        match heading(zone, line) {
            Some(Heading { slot: Some(slot), rest }) => {
                let end = lines[at..].iter().position(|(zone, line)| heading(*zone, line).is_some());
                let end = end.map_or(lines.len(), |end| at + end);
                let body = if rest.is_empty() { body(text, &lines[at..end]) } else { rest };
                at = if rest.is_empty() { end } else { at };
                if !body.is_empty() && reading.sections.iter().all(|(known, _)| *known != slot) {
                    reading.sections.push((slot, shortened(body)));
                }
            }
            Some(Heading { slot: None, .. }) if zone != Zone::Title => {}
            _ if matches!(zone, Zone::Title | Zone::Prose) => split(line, &mut reading.sentences),
            _ => {}
        }
    }
    reading
}

fn heading(zone: Zone, line: &str) -> Option<Heading<'_>> {
    if matches!(zone, Zone::Code | Zone::Trace) {
        return None;
    }
    let line = line.trim();
    let hashes = line.trim_start_matches('#');
    if hashes.len() < line.len() && hashes.starts_with(' ') {
        return Some(named(hashes, ""));
    }
    let marked = [("**", "**"), ("【", "】"), ("■", ""), ("▼", ""), ("◆", ""), ("●", "")];
    for (open, close) in marked {
        let Some(rest) = line.strip_prefix(open) else { continue };
        let (name, rest) = if close.is_empty() { (rest, "") } else { rest.split_once(close)? };
        let heading = named(name, rest.trim_start_matches([':', '：']).trim());
        return (heading.slot.is_some() || rest.is_empty()).then_some(heading);
    }
    let line = line.trim_start_matches(['-', '*', '•', '・', ' ']);
    let (name, rest) = line.split_once([':', '：'])?;
    Some(named(name, rest.trim())).filter(|heading| heading.slot.is_some())
}

fn named<'t>(name: &str, rest: &'t str) -> Heading<'t> {
    let name = name.trim().trim_matches(['*', ':', '：', '#', ' ', '?', '？']).trim();
    let headings = &WORDS.headings;
    let all = [
        (Slot::TargetFeature, &headings.target_feature),
        (Slot::TriggerCondition, &headings.trigger_condition),
        (Slot::ObservedIssue, &headings.observed_issue),
        (Slot::DesiredAction, &headings.desired_action),
    ];
    let slot = all.into_iter().find(|(_, names)| names.is_match(name)).map(|(slot, _)| slot);
    Heading { slot, rest }
}

/// The first lines of prose of a section, in one piece.
fn body<'t>(text: &'t str, lines: &[(Zone, &'t str)]) -> &'t str {
    let is_prose = |(zone, line): &&(Zone, &str)| matches!(zone, Zone::Title | Zone::Prose) && !line.trim().is_empty();
    let Some(first) = lines.iter().position(|line| is_prose(&line)) else { return "" };
    let rest = &lines[first..];
    let is_part = |line: &(Zone, &str)| is_prose(&line) || line.1.trim().is_empty();
    let end = rest.iter().position(|line| !is_part(line)).unwrap_or(rest.len());
    let place = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    let last = rest[end - 1].1;
    text[place(rest[0].1)..place(last) + last.len()].trim()
}

/// As many whole lines as a value may have, at least a part of the first.
fn shortened(body: &str) -> &str {
    let Some((cut, _)) = body.char_indices().nth(MAX_VALUE_CHARS) else { return body };
    let head = &body[..cut];
    head.rfind('\n').map_or(head, |end| &head[..end]).trim()
}

/// Splits a line into sentences. Quotations and brackets stay whole.
fn split<'t>(line: &'t str, sentences: &mut Vec<Sentence<'t>>) {
    if sentences.len() >= MAX_SENTENCES {
        return;
    }
    let line = without_bullet(line);
    let label = WORDS.english.label.find(line).filter(|label| !line[label.end()..].starts_with('('));
    let is_report = label.as_ref().is_some_and(|label| WORDS.english.report.is_match(&line[label.range()]));
    let line = label.map_or(line, |label| &line[label.end()..]);
    let mask = masked(line);
    let mut start = 0;
    for (at, c) in mask.char_indices() {
        let end = at + c.len_utf8();
        let follows = mask[end..].chars().next();
        let is_border = follows.is_none_or(|next| next.is_whitespace() || !next.is_ascii());
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '!' | '?' | ';' => is_border,
            '.' => follows.is_some_and(char::is_whitespace) && !is_abbreviated(&mask[start..at]),
            _ => false,
        };
        if ends {
            push(&line[start..at], matches!(c, '?' | '？'), is_report, sentences);
            start = end;
        }
    }
    push(&line[start..], false, is_report, sentences);
}

fn push<'t>(text: &'t str, is_question: bool, is_report: bool, sentences: &mut Vec<Sentence<'t>>) {
    let text = text.trim().trim_end_matches(['.', '…']).trim();
    let is_readable = (1..=MAX_SENTENCE_BYTES).contains(&text.len()) && sentences.len() < MAX_SENTENCES;
    if is_readable && text.contains(char::is_alphanumeric) {
        sentences.push(Sentence { text, is_question, is_report });
    }
}

fn is_abbreviated(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    ["e.g", "i.e", "etc", "vs", "cf"].contains(&word)
}

/// A line without what makes it an item of a list, a heading or a citation.
fn without_bullet(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['#', '>', '-', '*', '•', '・', '●', '○', ' ', '\u{3000}']);
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match digits.strip_prefix(['.', ')']).filter(|rest| digits.len() < line.len() && rest.starts_with(' ')) {
        Some(rest) => rest.trim_start(),
        None => line,
    }
}

/// The same text with the same places, where everything between brackets, ticks and quotation marks is `x`.
pub fn masked(text: &str) -> String {
    const PAIRS: [(char, char); 6] = [('「', '」'), ('『', '』'), ('`', '`'), ('"', '"'), ('(', ')'), ('（', '）')];
    let mut mask = String::with_capacity(text.len());
    let mut unclosed = [false; PAIRS.len()];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let pair = PAIRS.iter().position(|(open, _)| *open == c).filter(|pair| !unclosed[*pair]);
        let closed = pair.and_then(|pair| {
            let found = after.find(PAIRS[pair].1);
            unclosed[pair] = found.is_none();
            Some(c.len_utf8() + found? + PAIRS[pair].1.len_utf8())
        });
        match closed {
            Some(length) => {
                mask.extend(std::iter::repeat_n('x', length));
                rest = &rest[length..];
            }
            None => {
                mask.push(c);
                rest = after;
            }
        }
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        read(text).sentences.into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn sentences_end_at_marks_and_line_breaks() {
        assert_eq!(
            sentences("落ちる。直して！\nIt fails. Fix it; soon"),
            ["落ちる", "直して", "It fails", "Fix it", "soon"]
        );
        assert_eq!(sentences("「保存。完了」と出る"), ["「保存。完了」と出る"]);
        assert_eq!(sentences("src/a.rs fails, e.g. here"), ["src/a.rs fails, e.g. here"]);
    }

    #[test]
    fn code_and_traces_are_not_read() {
        assert_eq!(sentences("It fails\n```\nthis is code\n```\n    and this\n"), ["It fails"]);
    }

    #[test]
    fn sections_are_found_under_every_form_of_heading() {
        for text in
            ["x\n## Actual\n\nit fails\n", "x\n**Actual:** it fails", "Actual: it fails\n", "x\n- Actual: it fails"]
        {
            assert_eq!(read(text).sections, [(Slot::ObservedIssue, "it fails")], "{text}");
        }
        let text = "x\n【現象】\n落ちる\n■期待する動作\n落ちない\n";
        assert_eq!(read(text).sections, [(Slot::ObservedIssue, "落ちる"), (Slot::DesiredAction, "落ちない")]);
    }

    #[test]
    fn masks_keep_places() {
        let text = "「あ」と(b) `c";
        assert_eq!(masked(text), "xxxxxxxxxとxxx `c");
        assert_eq!(masked(text).len(), text.len());
    }
}
