//! What sessions cost: a replay, and an append to a short and to a long log.
//!
//!     cargo bench --bench frame
//!
//! Logs of 1,000 and 10,000 events of about 1 KiB each. Wall time, the best of several.

#![expect(clippy::disallowed_methods, reason = "times what is done with logs")]

use std::time::{Duration, Instant};

use contextpack::door::frame::session::fold;
use contextpack::door::frame::{FrameOptions, frame, rules_digest};
use contextpack::pipeline::Disk;
use contextpack::pipeline::session::Sessions;
use contextpack::record::frame::{CodeOp, FrameIntent, FrameLang, IntentSource};
use contextpack::record::session::{Called, Event, Extraction, SeenFile, SessionEvent, SessionId, Started};
use contextpack::record::{Digest, Lines, SymbolId};
use contextpack::text::RepoPath;

const RUNS: usize = 5;

fn main() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let sessions = Sessions::new(folder.path().to_path_buf(), Disk::real());
    for count in [10, 1_000, 9_999] {
        let id = SessionId::try_from(format!("n{count}")).expect("it is an id");
        sessions.start(|_| id.clone(), "index", started()).expect("it can be started");
        for number in 1..count - 1 {
            append(&sessions, &id, number);
        }
        let (took, ()) = timed(|| append(&sessions, &id, count));
        println!("{count:>6} events");
        println!("{:>12.3} ms  appending one, with its sync", milliseconds(took));
        let bytes = std::fs::read(folder.path().join(format!("n{count}.jsonl"))).expect("the log is there");
        let replayed = best(|| drop(fold(&bytes).expect("the log is sound")));
        let read = best(|| bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).for_each(read_line));
        println!("{:>12.3} ms  replaying {:.1} MB", milliseconds(replayed), bytes.len() as f64 / 1e6);
        println!("{:>12.3} ms  reading its lines", milliseconds(read));
    }
    let request = "When I enter an empty password on the login page, the app crashes. ".repeat(31);
    let framed = best(|| drop(frame(&request[..2_048], &FrameOptions::default()).expect("it can be framed")));
    println!("{:>12.3} ms  framing a request of 2 KiB", milliseconds(framed));
}

fn started() -> Event {
    Event::Started(Started {
        extraction: Extraction::default(),
        intent: FrameIntent::Modify,
        intent_source: IntentSource::Given,
        lang: FrameLang::En,
        raw_digest: Digest::blake3(b"fix it"),
        raw_query: "fix it".to_string(),
        rules: rules_digest(),
    })
}

fn append(sessions: &Sessions, id: &SessionId, number: usize) {
    let mut writing = sessions.write(id).expect("the session is there");
    writing.append("index", called(number)).expect("it can be appended");
    writing.done();
}

/// A call that shows a few files, of which most were seen before.
fn called(number: usize) -> Event {
    let path = |file: usize| RepoPath::try_from(format!("src/module_{}/file_{file}.rs", number % 40)).expect("a path");
    let file = |file: usize| SeenFile {
        digest: Digest::blake3(&file.to_le_bytes()),
        lines: vec![Lines { end: 40 + file as u32, start: 1 + (number % 30) as u32 }],
        path: path(file),
    };
    let symbol =
        |file: usize| SymbolId::try_from(format!("scip:contextpack . . . src/module_{}/file_{file}#", number % 40));
    Event::Called(Called {
        defines: None,
        files: (0..4).map(file).collect(),
        omitted: 0,
        op: CodeOp::SearchText,
        path: None,
        result: Digest::blake3(&number.to_le_bytes()),
        symbols: (0..4).map(|file| symbol(file).expect("a symbol")).collect(),
        target: format!("text {number}"),
        target_is_of_request: false,
        total: 4,
    })
}

fn read_line(line: &[u8]) {
    let event: SessionEvent = serde_json::from_slice(line).expect("it is an event");
    std::hint::black_box(event);
}

fn best(work: impl Fn()) -> Duration {
    (0..RUNS).map(|_| timed(&work).0).min().expect("it ran")
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let value = work();
    (start.elapsed(), value)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
