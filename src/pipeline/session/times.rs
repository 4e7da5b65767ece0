//! When events were appended: beside the log, never part of it.

#![expect(clippy::disallowed_methods, reason = "the clock of sessions, which no state depends on")]

use std::fs::OpenOptions;
use std::io::Write;

use super::Sessions;
use crate::record::session::SessionId;

/// Notes the time of an event. That it cannot be noted is no fault: nothing depends on it.
pub fn add_time(sessions: &Sessions, id: &SessionId, seq: u32) {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let file = OpenOptions::new().append(true).create(true).open(sessions.times_file(id));
    if let Ok(mut file) = file {
        let _ = file.write_all(format!("{{\"at\":\"{now}\",\"seq\":{seq}}}\n").as_bytes());
    }
}

/// The lines of the file.
pub fn times(sessions: &Sessions, id: &SessionId) -> String {
    std::fs::read_to_string(sessions.times_file(id)).unwrap_or_default()
}
