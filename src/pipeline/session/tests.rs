//! A client that lies: whatever it sends, nothing is READY without evidence, and nothing is written before READY.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::observe::Observer;
use super::{Sessions, Workbench};
use crate::assemble::IndexView;
use crate::door::frame::look::{LookRequest, look};
use crate::door::frame::session::{Session, extraction_of};
use crate::door::frame::{FrameOptions, Synonyms, frame, rules_digest};
use crate::pipeline::{Disk, PackSource, index_tree};
use crate::record::Digest;
use crate::record::SymbolId;
use crate::record::frame::{CodeOp, FrameIntent, SessionPhase, SlotSource};
use crate::record::pack::TreeState;
use crate::record::session::{Called, Event, SeenFile, SessionId, SessionOp, Started};
use crate::text::{RepoPath, Tokenizer};

const FILES: &[(&str, &str)] = &[
    (
        "auth/service.py",
        "from auth.token import check\n\n\nclass AuthService:\n    def login(self, name):\n        return check(name)\n\n    def logout(self):\n        return None\n",
    ),
    (
        "auth/token.py",
        "def check(token):\n    if not token:\n        raise ValueError(\"invalid token\")\n    return token\n",
    ),
    (
        "routes.py",
        "from auth.service import AuthService\n\n\ndef post_login(request):\n    return AuthService().login(request)\n",
    ),
    ("other.py", "def unrelated():\n    return 1\n"),
];
const NAMES: [&str; 8] =
    ["AuthService", "AuthService.login", "check", "post_login", "unrelated", "Invented", "auth/token.py", "logout"];
const PATHS: [&str; 8] =
    ["auth/service.py", "auth/token.py", "routes.py", "other.py", "no/such.py", "../x", "auth/new.py", ".git/config"];

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }

    /// True once in so many rolls.
    fn once_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    fn some(&mut self, all: &[&str], max: usize) -> Vec<String> {
        (0..self.roll(max + 1)).map(|_| self.of(all).to_string()).collect()
    }

    fn place(&mut self) -> String {
        format!("{}:{}", self.of(&PATHS[..5]), self.roll(9) + 1)
    }

    fn evidence(&mut self, seq: u32) -> Value {
        match self.roll(4) {
            0 => json!({ "tool": "find_definitions", "result": self.place() }),
            1 => {
                json!({ "proof": { "path": "auth/token.py", "line": self.roll(5), "quote": "raise ValueError(\"invalid token\")" } })
            }
            _ => json!({ "call": self.roll(seq as usize + 2), "place": self.place() }),
        }
    }
}

struct Bench<'b> {
    view: &'b IndexView<'b>,
    bench: Workbench<'b>,
}

impl Bench<'_> {
    fn call(&self, session: &Session, dice: &mut Dice) -> Event {
        let ops = [
            CodeOp::FindDefinitions,
            CodeOp::FindReferences,
            CodeOp::SearchText,
            CodeOp::GetSymbols,
            CodeOp::Read,
            CodeOp::SemanticSearch,
        ];
        let op = ops[dice.roll(ops.len())];
        let target = match op {
            CodeOp::SearchText => dice.of(&["invalid token", "login", "nothing at all"]),
            CodeOp::GetSymbols | CodeOp::Read => dice.of(&PATHS[..5]),
            _ => dice.of(&NAMES),
        };
        // A semantic search shows what it finds, and none of it counts; finding nothing is enough here.
        let shown = if op == CodeOp::SemanticSearch { CodeOp::FindDefinitions } else { op };
        let request = LookRequest { op: shown, target, path: None, offset: 0, max_tokens: 2_000, synonyms: &[] };
        let looked = look(self.view, &request).unwrap_or_default();
        let mut files: Vec<SeenFile> = Vec::new();
        for row in looked.rows.iter().filter(|row| !row.lines.is_empty()) {
            let path = row.path.clone().expect("rows with lines have a path");
            let digest = self.bench.source.file_digests(std::slice::from_ref(&path)).unwrap()[&path].clone();
            files.push(SeenFile { digest, lines: row.lines.clone(), path });
        }
        let observer = Observer::new(&self.bench, self.view, session);
        let defines = looked.definition.filter(|_| op == CodeOp::FindDefinitions);
        let defines = defines.map(|symbol| observer.symbols.found(&symbol, true).unwrap());
        Event::Called(Called {
            defines: defines.filter(|symbol| symbol.related.is_some()),
            files,
            omitted: 0,
            op,
            path: None,
            result: Digest::blake3(b""),
            symbols: looked.rows.iter().flat_map(|row| row.symbols.clone()).collect(),
            target: target.to_string(),
            target_is_of_request: observer.is_of_request(target),
            total: looked.total as u32,
        })
    }

    fn step(&self, session: &Session, dice: &mut Dice) -> Option<Event> {
        let (seq, slots) = (session.seq, ["target_feature", "observed_issue", "desired_action"]);
        let places = |dice: &mut Dice| (0..dice.roll(3)).map(|_| dice.place()).collect::<Vec<_>>();
        let (op, data) = match dice.roll(12) {
            0..=2 => {
                // Sometimes nearly honest, so that READY is reached.
                let is_honest = dice.once_in(2);
                let symbols = if is_honest { json!(&NAMES[..4]) } else { json!(dice.some(&NAMES, 6)) };
                let files = if is_honest { json!(&PATHS[..3]) } else { json!(dice.some(&PATHS, 5)) };
                let issue = if is_honest {
                    json!({ "proof": { "path": "auth/token.py", "line": 3, "quote": "raise ValueError(\"invalid token\")" } })
                } else {
                    dice.evidence(seq)
                };
                let patterns = json!([{ "pattern": "a", "places": places(dice) }, { "pattern": "b", "places": ["auth/service.py:5"] }, { "pattern": "c", "places": ["auth/token.py:1"] }]);
                let data = json!({ "symbols_identified": symbols, "entry_points": ["post_login", dice.of(&NAMES)], "files_analyzed": files,
                    "existing_patterns": patterns, "slot_evidence": { "observed_issue": issue }, "new_files": if dice.once_in(3) { json!(["auth/new.py"]) } else { json!([]) } });
                (SessionOp::Submit, data)
            }
            3 => (SessionOp::Map, json!({ "symbol": dice.of(&NAMES), "call": dice.roll(seq as usize + 2) })),
            4 => (
                SessionOp::Semantic,
                json!({ "slot": dice.of(&slots), "reason": dice.of(&["no_definition_found", "architecture_unknown", "no_similar_implementation", "context_fragmented"]) }),
            ),
            5 => (
                SessionOp::Hypothesis,
                json!({ "hypotheses": [{ "symbol": dice.of(&NAMES), "text": "it is so", "call": seq }, { "slot": dice.of(&slots), "text": "so it is", "call": seq }] }),
            ),
            6 | 7 => {
                let claims: Vec<Value> = session
                    .hypotheses
                    .iter()
                    .map(|one| {
                        let status = dice.of(&["confirmed", "rejected"]);
                        json!({ "id": one.shown.id, "status": status, "evidence": dice.evidence(seq) })
                    })
                    .collect();
                (SessionOp::Verify, json!({ "verified": claims }))
            }
            8 => (SessionOp::Revert, json!({ "keep": dice.once_in(2) })),
            9 => (SessionOp::Frame, json!({ "intent": dice.of(&["MODIFY", "IMPLEMENT", "QUESTION"]) })),
            _ => (SessionOp::CheckWrite, json!({ "path": dice.of(&PATHS) })),
        };
        let data: Map<String, Value> = data.as_object().cloned().expect("it is an object");
        Observer::new(&self.bench, self.view, session).event(op, &data).ok()
    }
}

/// What has to hold of a session that is READY, by other means than those that made it so.
fn check_ready(session: &Session, shown: &BTreeSet<(RepoPath, u32)>, named: &BTreeSet<SymbolId>, view: &IndexView) {
    assert!(session.frame.mapped_symbols.iter().all(|symbol| symbol.source == SlotSource::Fact), "a symbol is no fact");
    assert!(session.frame.slot_source.values().all(|source| *source != SlotSource::Hypothesis), "a slot is no fact");
    if !session.intent.writes() {
        return;
    }
    let claims = &session.submitted.as_ref().expect("something was submitted").data;
    let list = |name: &str| claims[name].as_array().cloned().unwrap_or_default();
    let defined = |name: &Value| {
        let (found, _) = crate::door::frame::look::named(view, name.as_str().unwrap()).unwrap();
        found.into_iter().next().filter(|symbol| {
            let is_start =
                |(path, line): &(RepoPath, u32)| *path == symbol.file_rel_path && *line == symbol.lines.start;
            // A row of a reference names the definition around it.
            named.contains(&symbol.symbol_id) || shown.iter().any(is_start)
        })
    };
    let symbols: BTreeSet<String> =
        list("symbols_identified").iter().filter_map(defined).map(|symbol| symbol.qualified_name).collect();
    let seen = |path: &Value| shown.iter().any(|(own, _)| own.as_str() == path.as_str().unwrap());
    let files: BTreeSet<String> =
        list("files_analyzed").iter().filter(|path| seen(path)).map(Value::to_string).collect();
    let (min_symbols, min_files) = if session.risk == crate::record::frame::RiskLevel::High { (5, 4) } else { (3, 2) };
    assert!(symbols.len() >= min_symbols.min(4) && files.len() >= min_files.min(3), "{symbols:?} {files:?}");
    assert!(session.has_related_fact(), "no symbol is related to the target");
    assert_eq!(session.frame.slot_source[&crate::record::frame::Slot::TargetFeature], SlotSource::Fact);
}

/// One sequence; whether it reached READY, and whether a write was allowed.
fn sequence(bench: &Bench, seed: u64) -> (bool, bool) {
    let mut dice = Dice(seed);
    let request = dice.of(&[
        "ログイン機能で空のトークンを入力したときに、invalid tokenというエラーが出るので、修正して",
        "ログイン機能直して",
        "add a login page",
    ]);
    let answer =
        frame(request, &FrameOptions { intent: Some(FrameIntent::Modify), ..FrameOptions::default() }).unwrap();
    let started = Started {
        extraction: extraction_of(&answer.frame),
        intent: answer.intent,
        intent_source: answer.intent_source,
        lang: answer.frame.lang,
        raw_digest: Digest::blake3(request.as_bytes()),
        raw_query: answer.frame.raw_query,
        rules: rules_digest(),
    };
    let id = SessionId::try_from("lies".to_string()).unwrap();
    let mut session = Session::start(id.clone(), "index", &started);
    let mut events = Vec::new();
    let (mut shown, mut named) = (BTreeSet::new(), BTreeSet::new());
    let (mut was_ready, mut was_allowed) = (false, false);
    for seq in 1..=dice.roll(60) as u32 {
        let event =
            if dice.once_in(2) { Some(bench.call(&session, &mut dice)) } else { bench.step(&session, &mut dice) };
        let Some(event) = event else { continue };
        let (before, risk) = (session.state(), session.risk);
        let verdict = session.apply(seq, "index", &event);
        events.push((seq, event.clone()));
        assert!(session.risk >= risk, "the risk fell");
        if verdict.refused.is_some() {
            let mut now = session.state();
            now.refusals = before.refusals.clone();
            (now.seq, now.state_digest) = (before.seq, before.state_digest.clone());
            assert_eq!(now, before, "a refusal changed something");
        }
        if let Event::Called(called) = &event
            && verdict.refused.is_none()
            && called.op != CodeOp::SemanticSearch
        {
            let lines = |file: &SeenFile| {
                file.lines
                    .iter()
                    .flat_map(|lines| lines.start..=lines.end)
                    .map(|line| (file.path.clone(), line))
                    .collect::<Vec<_>>()
            };
            shown.extend(called.files.iter().flat_map(lines));
            named.extend(called.symbols.iter().cloned());
        }
        if matches!(&event, Event::Submitted(_) | Event::Mapped(_)) || matches!(&event, Event::Verified(_)) {
            // The one quote that ever stands where it is said to.
            shown.insert((RepoPath::try_from("auth/token.py".to_string()).unwrap(), 3));
        }
        if session.phase == SessionPhase::Ready {
            was_ready = true;
            check_ready(&session, &shown, &named, bench.view);
        }
        if verdict.allowed == Some(true) {
            was_allowed = true;
            let Event::WriteChecked(checked) = &event else { panic!("only a check allows anything") };
            let path = checked.place.path.as_ref().unwrap();
            let is_known = session.explored.contains_key(path)
                || session.new_files.contains(path)
                || before.new_files.contains(path);
            assert!(before.phase == SessionPhase::Ready && session.intent.writes() && is_known, "{path}");
        }
    }
    // A prefix and the rest are the whole.
    let cut = dice.roll(events.len() + 1);
    let mut again = Session::start(id, "index", &started);
    for (seq, event) in &events[..cut] {
        again.apply(*seq, "index", event);
    }
    let mut again = again.clone();
    for (seq, event) in &events[cut..] {
        again.apply(*seq, "index", event);
    }
    assert_eq!(again.digest(), session.digest());
    (was_ready, was_allowed)
}

fn sequences(count: u64) {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("tree");
    plant(&tree);
    let index = folder.path().join("index");
    index_tree(&tree, &index).unwrap();
    let source = PackSource::open(&index, TreeState::Current).unwrap();
    let sessions = Sessions::new(folder.path().join("sessions"), Disk::real());
    let synonyms = Synonyms::default();
    let bench = Workbench {
        sessions: &sessions,
        source: &source,
        tree: &tree,
        index: &index,
        repo_id: "tree",
        synonyms: &synonyms,
        room: 2_000,
        tokenizer: Tokenizer::default(),
    };
    let reached = source.with(|view| {
        let bench = Bench { view, bench };
        Ok((0..count).map(|seed| sequence(&bench, seed)).fold((0, 0), |(ready, allowed), (is_ready, is_allowed)| {
            (ready + u64::from(is_ready), allowed + u64::from(is_allowed))
        }))
    });
    let (ready, allowed) = reached.unwrap();
    println!("{count} sequences: {ready} reached READY, {allowed} were allowed to write");
    assert!(
        ready > count / 100 && allowed > 0,
        "{ready} of {count} reached READY, {allowed} wrote: the test is too weak"
    );
}

#[expect(clippy::disallowed_methods, reason = "a test makes its tree")]
fn plant(tree: &Path) {
    for (path, text) in FILES {
        let path = tree.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

#[test]
fn a41_a_client_that_lies_gets_nothing() {
    sequences(400);
}

/// The same, as often as the contract asks for; takes minutes.
#[test]
#[ignore = "takes minutes"]
fn a41_ten_thousand_sequences() {
    sequences(10_000);
}
