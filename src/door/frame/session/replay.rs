//! A session from the lines of its log.

use super::Session;
use crate::record::Digest;
use crate::record::session::{Event, LineFault, SessionEvent, Verdict};

/// A session, and where its log ends.
#[derive(Clone, Debug)]
pub struct Folded {
    pub session: Session,
    pub chain: Digest,
    /// Of whole lines.
    pub bytes: u64,
    /// Of the last line.
    pub last_bytes: u64,
}

/// A log that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogFault {
    #[error("it is empty")]
    Empty,
    #[error("line {line} is not as it was written: {fault}")]
    Line { line: u32, fault: LineFault },
    #[error("line {line} has another verdict than its event leads to")]
    Verdict { line: u32 },
    #[error("line 1 does not start a session")]
    NoStart,
    #[error("it was decided with other rules ({recorded}) than this build has ({own})")]
    Rules { recorded: String, own: String },
}

/// A verdict that today's rules decide otherwise.
#[derive(Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    pub now: Verdict,
    pub recorded: Verdict,
    pub seq: u32,
}

/// Folds whole lines. Refuses a log of other rules.
pub fn fold(lines: &[u8]) -> Result<Folded, LogFault> {
    let (folded, differences) = fold_with_current_rules(lines)?;
    let own = super::super::rules_digest();
    if folded.session.rules != own {
        let recorded = folded.session.rules.to_string();
        return Err(LogFault::Rules { recorded, own: own.to_string() });
    }
    match differences.first() {
        Some(first) => Err(LogFault::Verdict { line: first.seq + 1 }),
        None => Ok(folded),
    }
}

/// Folds whole lines, whatever rules they were decided with, and lists every verdict that comes out otherwise.
pub fn fold_with_current_rules(lines: &[u8]) -> Result<(Folded, Vec<Difference>), LogFault> {
    let mut texts = lines.split_inclusive(|byte| *byte == b'\n');
    let first = texts.next().ok_or(LogFault::Empty)?;
    let event = parse(first, None, 0)?;
    let Event::Started(started) = &event.event else { return Err(LogFault::NoStart) };
    let session = Session::start(event.session.clone(), &event.index, started);
    let mut differences = Vec::new();
    compare(Verdict::default(), event.verdict, 0, &mut differences);
    let mut folded = Folded { session, chain: event.chain, bytes: first.len() as u64, last_bytes: first.len() as u64 };
    for line in texts {
        differences.extend(folded.add_line(line)?);
    }
    Ok((folded, differences))
}

impl Folded {
    /// Folds one more line, with its line break.
    pub fn add_line(&mut self, line: &[u8]) -> Result<Option<Difference>, LogFault> {
        let seq = self.session.seq + 1;
        let event = parse(line, Some(&self.chain), seq)?;
        if event.session != self.session.id {
            return Err(LogFault::Line { line: seq + 1, fault: LineFault::Session });
        }
        let now = self.session.apply(seq, &event.index, &event.event);
        let mut differences = Vec::new();
        compare(now, event.verdict, seq, &mut differences);
        self.chain = event.chain;
        self.bytes += line.len() as u64;
        self.last_bytes = line.len() as u64;
        Ok(differences.pop())
    }
}

fn parse(line: &[u8], before: Option<&Digest>, seq: u32) -> Result<SessionEvent, LogFault> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    SessionEvent::from_line(text, before, seq).map_err(|fault| LogFault::Line { line: seq + 1, fault })
}

fn compare(now: Verdict, recorded: Verdict, seq: u32, differences: &mut Vec<Difference>) {
    if now != recorded {
        differences.push(Difference { now, recorded, seq });
    }
}
