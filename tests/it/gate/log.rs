//! The log: one chain, never torn, refused if a byte of it was changed.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use contextpack::pipeline::session::Sessions;
use contextpack::record::Digest;
use contextpack::record::frame::{FrameIntent, FrameLang, IntentSource};
use contextpack::record::session::{Event, Extraction, SessionId, Started};
use contextpack::store::Disk;
use serde_json::{Value, json};
use tempfile::tempdir;

use super::world::{World, whole_claims};
use crate::tool::{contextpack, home, run};

fn replayed(log: &std::path::Path, code: i32) -> Value {
    let output = run(contextpack().args(["session", "replay"]).arg(log), code);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// `UPDATE_GOLDEN=1` rewrites both files; read the diff.
#[test]
fn the_log_of_a_session_is_the_expected_one() {
    let world = World::new();
    world.ready("login");
    let state = world.run(&["show", "login", "--json"]).text;
    let expected = home().join("golden/frame/expected");
    let log = fs::read_to_string(world.log("login")).unwrap();
    for (name, found) in [("session_events.jsonl", log), ("state.json", state)] {
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::create_dir_all(&expected).unwrap();
            fs::write(expected.join(name), &found).unwrap();
        }
        assert_eq!(fs::read_to_string(expected.join(name)).unwrap(), found, "{name}");
    }
}

#[test]
fn a30_a_replay_has_the_same_digest_everywhere() {
    let world = World::new();
    world.ready("r");
    let digest = world.state("r")["state_digest"].clone();
    let elsewhere = tempdir().unwrap();
    let copy = elsewhere.path().join("copied.jsonl");
    fs::copy(world.log("r"), &copy).unwrap();
    let mut command = contextpack();
    command
        .args(["session", "replay"])
        .arg(&copy)
        .env("TZ", "Asia/Tokyo")
        .env("LC_ALL", "ja_JP.UTF-8")
        .env("RAYON_NUM_THREADS", "1");
    let there: Value = serde_json::from_slice(&run(&mut command, 0).stdout).unwrap();
    assert_eq!((&there["state_digest"], &there["events"]), (&digest, &json!(9)));
    fs::remove_file(world.sessions().join("r.times.jsonl")).unwrap();
    assert_eq!(world.state("r")["state_digest"], digest);
    assert!(world.run(&["show", "r", "--times"]).text.is_empty());
}

fn started() -> Event {
    let raw_query = "fix the login".to_string();
    Event::Started(Started {
        extraction: Extraction::default(),
        intent: FrameIntent::Modify,
        intent_source: IntentSource::Given,
        lang: FrameLang::En,
        raw_digest: Digest::blake3(raw_query.as_bytes()),
        raw_query,
        rules: contextpack::door::frame::rules_digest(),
    })
}

fn id(name: &str) -> SessionId {
    SessionId::try_from(name.to_string()).unwrap()
}

const INTENTS: [FrameIntent; 2] = [FrameIntent::Implement, FrameIntent::Modify];

fn append(sessions: &Sessions, name: &str, number: usize) -> bool {
    let Ok(mut writing) = sessions.write(&id(name)) else { return false };
    let event = Event::IntentChanged { intent: INTENTS[number % 2] };
    let is_done = writing.repair("index").is_ok() && writing.append("index", event).is_ok();
    if is_done {
        writing.done();
    }
    is_done
}

#[test]
fn a31_a_stop_before_any_operation_of_an_append_loses_nothing_that_was_answered() {
    let folder = tempdir().unwrap();
    let real = || Sessions::new(folder.path().to_path_buf(), Disk::real());
    real().start(|_| id("s"), "index", started()).unwrap();
    let mut answered = 0;
    for stop_at in 0..200 {
        let count = AtomicU64::new(0);
        let hook = Arc::new(move |_: &str, _: &std::path::Path| match count.fetch_add(1, Ordering::SeqCst) {
            at if at >= stop_at => Err(std::io::Error::other("stopped")),
            _ => Ok(()),
        });
        let stopped = Sessions::new(folder.path().to_path_buf(), Disk::with_hook(hook));
        let before = real().load(&id("s")).unwrap().folded.session.seq;
        let is_done = append(&stopped, "s", stop_at as usize);
        let after = real().load(&id("s")).unwrap().folded.session.seq;
        assert!(after >= before && (!is_done || after > before), "stop {stop_at}: {before} {after} {is_done}");
        if is_done {
            answered += 1;
            break;
        }
    }
    assert_eq!(answered, 1, "in the end one gets through");
    assert!(append(&real(), "s", 0), "and the next one goes on");
}

#[test]
fn a32_a_cut_line_is_dropped_and_the_next_submit_decides_again() {
    let world = World::new();
    world.ready("t");
    let bytes = fs::read(world.log("t")).unwrap();
    let start = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let sessions = Sessions::new(world.sessions(), Disk::real());
    for end in start..bytes.len() {
        fs::write(world.log("t"), &bytes[..end]).unwrap();
        let loaded = Sessions::new(world.sessions(), Disk::real()).load(&id("t")).unwrap();
        assert_eq!((loaded.folded.session.seq, loaded.torn.len()), (7, end - start), "cut at {end}");
    }
    drop(sessions);
    // Seven events and a half: the session goes on, and says that something was lost.
    fs::write(world.log("t"), &bytes[..bytes.len() - 9]).unwrap();
    assert_eq!(world.denial("t", "auth/service.py"), "phase");
    assert_eq!(world.events("t")[8]["event"]["kind"], "torn");
    assert_eq!(world.step("submit", "t", whole_claims()).code, 0);
    assert_eq!(world.denial("t", "auth/service.py"), "");
    // A crash behind READY denies, too.
    let whole = fs::read(world.log("t")).unwrap();
    fs::write(world.log("t"), [&whole[..], b"{\"chain\":\"blake"].concat()).unwrap();
    assert!(world.run(&["show", "t"]).text.contains("a crash cut off"));
    assert_eq!(world.denial("t", "auth/service.py"), "phase");
    assert_eq!(world.denial("t", "auth/service.py"), "phase", "until the next submit");
    assert_eq!(world.step("submit", "t", whole_claims()).code, 0);
    assert_eq!(world.denial("t", "auth/service.py"), "");
}

#[test]
fn a32_every_changed_bit_is_found() {
    let folder = tempdir().unwrap();
    let sessions = Sessions::new(folder.path().to_path_buf(), Disk::real());
    sessions.start(|_| id("b"), "index", started()).unwrap();
    (0..49).for_each(|number| assert!(append(&sessions, "b", number)));
    let path = folder.path().join("b.jsonl");
    let bytes = fs::read(&path).unwrap();
    let mut line = 1;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            let found = contextpack::door::frame::session::fold(&changed);
            let last_break = at + 1 == bytes.len();
            let is_named = |text: String| text.contains(&format!("line {line} "));
            match found {
                Err(fault) => assert!(is_named(fault.to_string()), "byte {at} bit {bit}: {fault}"),
                Ok(_) => assert!(last_break, "byte {at} bit {bit} of line {line} was not noticed"),
            }
        }
        line += u32::from(bytes[at] == b'\n');
    }
    let mut changed = bytes.clone();
    *changed.last_mut().unwrap() = b'x';
    fs::write(&path, changed).unwrap();
    let fault = Sessions::new(folder.path().to_path_buf(), Disk::real()).load(&id("b")).map(drop).unwrap_err();
    assert!(fault.to_string().contains("line 50"), "{fault}");
}

#[test]
fn a33_two_writers_make_one_chain() {
    let folder = tempdir().unwrap();
    let sessions = Sessions::new(folder.path().to_path_buf(), Disk::real());
    sessions.start(|_| id("p"), "index", started()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            // Each with a memory of its own, as two processes have.
            let own = Sessions::new(folder.path().to_path_buf(), Disk::real());
            scope.spawn(move || (0..250).for_each(|number| assert!(append(&own, "p", number))));
        }
    });
    let loaded = Sessions::new(folder.path().to_path_buf(), Disk::real()).load(&id("p")).unwrap();
    assert_eq!((loaded.folded.session.seq, loaded.torn.len()), (500, 0));
    let mut writing = sessions.write(&id("p")).unwrap();
    writing.expect(Some(500)).unwrap();
    assert!(writing.expect(Some(499)).unwrap_err().to_string().contains("at 500 and not at 499"));
    writing.repair("index").unwrap();
}

#[test]
fn a34_sessions_have_limits() {
    let folder = tempdir().unwrap();
    let sessions = Sessions::new(folder.path().to_path_buf(), Disk::real());
    for number in 0..64 {
        sessions.start(|_| id(&format!("n{number}")), "index", started()).unwrap();
    }
    let fault = sessions.start(|_| id("more"), "index", started()).map(drop).unwrap_err();
    assert!(fault.to_string().starts_with("64 sessions have no outcome"), "{fault}");
    let mut writing = sessions.write(&id("n0")).unwrap();
    let long = Event::Said { extraction: Extraction::default(), text: "x".repeat(256 << 10) };
    assert!(writing.append("index", long).unwrap_err().to_string().contains("262144"));
    drop(writing);
    assert_eq!(sessions.load(&id("n0")).unwrap().folded.session.seq, 0, "nothing of it is left");
    let world = World::new();
    let answer = world.fed(&["start", "-"], &"x".repeat((128 << 10) + 1));
    assert!(answer.code == 2 && answer.error.contains("POC_E_BUDGET_EXCEEDED"), "{:?}", answer.error);
}

#[test]
fn a35_a_log_of_other_rules_is_refused() {
    let world = World::new();
    world.ready("y");
    let folder = tempdir().unwrap();
    let Event::Started(mut other) = started() else { unreachable!() };
    other.rules = Digest::blake3(b"other tables");
    let mut line = contextpack::record::session::SessionEvent {
        chain: contextpack::record::session::no_chain(),
        event: Event::Started(other),
        index: "index".to_string(),
        seq: 0,
        session: id("z"),
        verdict: contextpack::record::session::Verdict::default(),
    };
    let path = folder.path().join("z.jsonl");
    fs::write(&path, line.to_line(None)).unwrap();
    let output = contextpack().args(["session", "replay"]).arg(&path).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("POC_E_CONTRACT_VERSION"));
    let replay = run(contextpack().args(["session", "replay", "--with-current-rules"]).arg(&path), 0);
    assert!(String::from_utf8(replay.stdout).unwrap().contains("\"differences\": []"));
    assert_eq!(replayed(&world.log("y"), 0)["differences"], json!([]));
}
