//! The logs of one tree: finds, starts and continues them. A reply never comes before its line is on the disk.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::SessionError;
use crate::door::frame::session::{Folded, LogFault, fold};
use crate::record::session::{Event, LineFault, SessionEvent, SessionId, Verdict, check_chain, no_chain};
use crate::store::{Disk, LineLog, Lock, StoreError, WhenLocked, log_names};

/// Sessions of one tree that have no outcome yet.
pub const MAX_OPEN: usize = 64;
pub const MAX_EVENTS: u32 = 10_000;
pub const MAX_LINE_BYTES: usize = 256 << 10;
/// States that are kept in memory.
const MAX_KEPT: usize = 16;

pub struct Sessions {
    folder: PathBuf,
    disk: Disk,
    /// The last one last.
    kept: Mutex<VecDeque<Folded>>,
    /// The one that this process started last.
    last: Mutex<Option<SessionId>>,
}

/// A session as its log has it.
pub struct Loaded {
    pub folded: Folded,
    /// What a crash left at the end of the log.
    pub torn: Vec<u8>,
}

/// A log that nobody else writes meanwhile.
pub struct Writing<'s> {
    sessions: &'s Sessions,
    log: LineLog,
    pub folded: Folded,
    torn: Vec<u8>,
    _lock: Lock,
}

impl Sessions {
    pub fn new(folder: PathBuf, disk: Disk) -> Self {
        Sessions { folder, disk, kept: Mutex::default(), last: Mutex::default() }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn ids(&self) -> Result<Vec<SessionId>, StoreError> {
        Ok(log_names(&self.folder)?.into_iter().filter_map(|name| SessionId::try_from(name).ok()).collect())
    }

    fn log(&self, id: &SessionId) -> LineLog {
        LineLog::new(self.folder.join(format!("{}.jsonl", id.as_str())), self.disk.clone())
    }

    pub fn times_file(&self, id: &SessionId) -> PathBuf {
        self.folder.join(format!("{}.times.jsonl", id.as_str()))
    }

    /// The session that this process started last.
    pub fn last(&self) -> Option<SessionId> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads a session. Its log may be continued meanwhile.
    pub fn load(&self, id: &SessionId) -> Result<Loaded, SessionError> {
        let log = self.log(id);
        if let Some(folded) = self.take_kept(id) {
            return self.caught_up(&log, folded);
        }
        let bytes = log.read_from(0)?.ok_or_else(|| SessionError::Missing(id.clone()))?;
        if bytes.lines.is_empty() {
            return Err(SessionError::Missing(id.clone()));
        }
        let unusable = |fault| SessionError::Log { session: id.clone(), fault };
        let folded = fold(&bytes.lines).map_err(unusable)?;
        if folded.session.id != *id {
            let fault = LogFault::Line { line: 1, fault: LineFault::Session };
            return Err(unusable(fault));
        }
        check_torn(&bytes.torn, &folded).map_err(unusable)?;
        Ok(Loaded { folded, torn: bytes.torn })
    }

    /// A state from memory, with what others appended since.
    fn caught_up(&self, log: &LineLog, mut folded: Folded) -> Result<Loaded, SessionError> {
        let id = folded.session.id.clone();
        let unusable = |fault| SessionError::Log { session: id.clone(), fault };
        check_tail(log, &folded)?.map_err(unusable)?;
        let rest = log.read_from(folded.bytes)?.ok_or_else(|| SessionError::Missing(id.clone()))?;
        for line in rest.lines.split_inclusive(|byte| *byte == b'\n') {
            if let Some(difference) = folded.add_line(line).map_err(unusable)? {
                return Err(unusable(LogFault::Verdict { line: difference.seq + 1 }));
            }
        }
        check_torn(&rest.torn, &folded).map_err(unusable)?;
        Ok(Loaded { folded, torn: rest.torn })
    }

    /// Opens a session to continue it. Other writers wait.
    pub fn write(&self, id: &SessionId) -> Result<Writing<'_>, SessionError> {
        let log = self.log(id);
        if log.bytes()?.is_none() {
            return Err(SessionError::Missing(id.clone()));
        }
        let lock = log.lock()?;
        let Loaded { folded, torn } = self.load(id)?;
        Ok(Writing { sessions: self, log, folded, torn, _lock: lock })
    }

    /// Starts a session by its first event. `id` makes the id for the n-th session that is alike.
    pub fn start(&self, id: impl Fn(u32) -> SessionId, index: &str, event: Event) -> Result<Folded, SessionError> {
        self.disk.clone().private().create_folder(&self.folder)?;
        let _lock = Lock::acquire(&self.folder, &self.disk, WhenLocked::Wait(&|_| ()))?;
        let known = self.ids()?;
        self.check_open(&known)?;
        let is_free = |id: &SessionId| !known.contains(id) || self.has_no_line(id);
        let id = (0..=known.len() as u32).map(&id).find(is_free);
        let id = id.ok_or_else(|| SessionError::bad("there is a session with this id"))?;
        let mut first = SessionEvent {
            chain: no_chain(),
            event,
            index: index.to_string(),
            seq: 0,
            session: id,
            verdict: Verdict::default(),
        };
        let line = first.to_line(None);
        check_line(&line)?;
        let unusable = |fault| SessionError::Log { session: first.session.clone(), fault };
        let folded = fold(&line).map_err(unusable)?;
        self.log(&first.session).append(0, &line)?;
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(first.session.clone());
        self.keep(folded.clone());
        Ok(folded)
    }

    /// A crash while it was started left nothing that was answered.
    fn has_no_line(&self, id: &SessionId) -> bool {
        self.log(id).read_from(0).is_ok_and(|found| found.is_some_and(|bytes| bytes.lines.is_empty()))
    }

    fn check_open(&self, known: &[SessionId]) -> Result<(), SessionError> {
        let mut open = Vec::new();
        for id in known {
            if !self.is_closed(id)? {
                open.push(id);
            }
        }
        if open.len() < MAX_OPEN {
            return Ok(());
        }
        let mut idle: Vec<(u32, &SessionId)> =
            open.iter().map(|id| (self.load(id).map_or(0, |loaded| loaded.folded.session.seq), *id)).collect();
        idle.sort();
        let named: Vec<String> = idle.iter().take(5).map(|(seq, id)| format!("{} (at {seq})", id.as_str())).collect();
        let count = open.len();
        Err(SessionError::Limit(format!(
            "{count} sessions have no outcome, and no more may be open; the least used are {}",
            named.join(", ")
        )))
    }

    /// By the last line: nothing follows an outcome.
    pub fn is_closed(&self, id: &SessionId) -> Result<bool, StoreError> {
        let tail = self.log(id).tail(MAX_LINE_BYTES as u64 + 1)?.unwrap_or_default();
        let last = tail.strip_suffix(b"\n").unwrap_or(&tail);
        let last = &last[memchr::memrchr(b'\n', last).map_or(0, |at| at + 1)..];
        let event: Result<SessionEvent, _> = serde_json::from_slice(last);
        Ok(matches!(event, Ok(SessionEvent { event: Event::Outcome(_), .. })))
    }

    fn take_kept(&self, id: &SessionId) -> Option<Folded> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|folded| folded.session.id == *id)?;
        kept.remove(at)
    }

    /// Keeps a state in memory for the next call.
    pub fn keep(&self, folded: Folded) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|known| known.session.id != folded.session.id);
        kept.push_back(folded);
        if kept.len() > MAX_KEPT {
            kept.pop_front();
        }
    }
}

impl Writing<'_> {
    /// Refuses a caller who looked at another state.
    pub fn expect(&self, seq: Option<u32>) -> Result<(), SessionError> {
        let found = self.folded.session.seq;
        match seq.filter(|expected| *expected != found) {
            Some(expected) => Err(SessionError::Conflict { found, expected }),
            None => Ok(()),
        }
    }

    /// If a crash cut off a line, the log says so before it goes on.
    pub fn repair(&mut self, index: &str) -> Result<(), SessionError> {
        if self.torn.is_empty() {
            return Ok(());
        }
        let bytes = self.torn.len() as u32;
        self.append(index, Event::Torn { bytes })?;
        self.torn.clear();
        Ok(())
    }

    /// Appends an event; when this returns, it is on the disk.
    pub fn append(&mut self, index: &str, event: Event) -> Result<Verdict, SessionError> {
        let seq = self.folded.session.seq + 1;
        if seq >= MAX_EVENTS {
            return Err(SessionError::Limit(format!("the session has {MAX_EVENTS} events, and no more are taken")));
        }
        let verdict = self.folded.session.apply(seq, index, &event);
        let session = self.folded.session.id.clone();
        let mut line = SessionEvent { chain: no_chain(), event, index: index.to_string(), seq, session, verdict };
        let bytes = line.to_line(Some(&self.folded.chain));
        check_line(&bytes)?;
        self.log.append(self.folded.bytes, &bytes)?;
        self.folded.bytes += bytes.len() as u64;
        self.folded.last_bytes = bytes.len() as u64;
        self.folded.chain = line.chain;
        Ok(line.verdict)
    }

    /// Ends writing; the state stays in memory.
    pub fn done(self) {
        self.sessions.keep(self.folded);
    }
}

fn check_line(line: &[u8]) -> Result<(), SessionError> {
    match line.len() > MAX_LINE_BYTES {
        true => Err(SessionError::Limit(format!("an event has {} bytes and may have {MAX_LINE_BYTES}", line.len()))),
        false => Ok(()),
    }
}

/// A whole line whose line break is another byte was not torn by a crash.
fn check_torn(torn: &[u8], folded: &Folded) -> Result<(), LogFault> {
    let is_changed = torn.split_last().is_some_and(|(_, line)| check_chain(line, Some(&folded.chain)).is_ok());
    match is_changed {
        true => Err(LogFault::Line { line: folded.session.seq + 2, fault: LineFault::Shape }),
        false => Ok(()),
    }
}

/// Where the chain stands in a line.
const CHAIN_START: usize = "{\"chain\":\"".len();

/// Whether the last line that is known is still the one that was read.
fn check_tail(log: &LineLog, folded: &Folded) -> Result<Result<(), LogFault>, StoreError> {
    let Some(found) = log.read_from(folded.bytes - folded.last_bytes)? else { return Ok(Ok(())) };
    let last = found.lines.get(..folded.last_bytes as usize).unwrap_or_default();
    let is_same =
        last.ends_with(b"\n") && memchr::memmem::find(last, folded.chain.as_str().as_bytes()) == Some(CHAIN_START);
    let fault = || LogFault::Line { line: folded.session.seq + 1, fault: LineFault::Chain };
    Ok(if is_same { Ok(()) } else { Err(fault()) })
}
