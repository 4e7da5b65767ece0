//! What a pack costs: in a process that has the index open, as a whole command, and many at a time; beside
//! what else is asked the same question.
//!
//!     cargo bench --bench pack
//!
//! Wall times. No question is asked twice of one process. Files are in the cache, processes start cold.

#![expect(clippy::disallowed_methods, reason = "reads the clock, writes questions into files")]

#[allow(dead_code, reason = "what the other benches need besides")]
mod cost;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use contextpack::door::pack::pack;
use contextpack::pipeline::PackSource;
use contextpack::record::Symbol;
use contextpack::record::pack::TreeState;
use contextpack::record::request::PackRequest;
use contextpack::store::Index;
use cost::{OutputCost, described, run};

/// Questions whose times are looked at one by one.
const ASKED: usize = 60;
const BATCH: usize = 600;
/// The size of aider's map: as much as a pack holds.
const MAP_TOKENS: usize = 8_000;

fn main() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let tree = cost::tree("django", "5.1.4");
    println!("tree: {}, {}", tree.display(), described(&tree));
    let index = scratch.path().join("index");
    run(Command::new(env!("CARGO_BIN_EXE_contextpack-chunk"))
        .args(["--quiet", "--source"])
        .arg(&tree)
        .arg("--out")
        .arg(index.join("chunk")));
    run(Command::new(env!("CARGO_BIN_EXE_contextpack-graph")).args(["--quiet", "--index"]).arg(&index));
    let questions = questions(&index, ASKED + BATCH);
    let (asked, batch) = questions.split_at(ASKED);
    in_process(&index, asked);
    commands(&index, scratch.path(), asked);
    batches(&index, scratch.path(), batch);
    ripgrep(&tree, asked);
    aider(&tree, scratch.path());
}

struct Question {
    text: String,
    /// The name in it that the fewest symbols have.
    rarest: String,
}

/// From the tree itself, always the same: a third are short, a third are sentences, a third are issues.
fn questions(index: &Path, count: usize) -> Vec<Question> {
    let index = Index::open(&index.join("chunk")).expect("it was just made");
    let symbols = index.records::<Symbol>().expect("it has symbols").map(|symbol| symbol.expect("it is one"));
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    let mut told = Vec::new();
    for symbol in symbols {
        *named.entry(symbol.name.clone()).or_default() += 1;
        if symbol.name.len() > 4 && symbol.doc.as_ref().is_some_and(|doc| first_line(doc).len() > 20) {
            told.push(symbol);
        }
    }
    // Strides that share no factor with the count visit every symbol before one comes again.
    let at = |number: usize| &told[number * 7919 % told.len()];
    assert!(told.len() > 2 * count && !told.len().is_multiple_of(7919), "the tree is too small to ask so much of");
    let ask = |number: usize| {
        let (one, other) = (at(2 * number), at(2 * number + 1));
        let rarest = [one, other].map(|symbol| &symbol.name).into_iter().min_by_key(|name| (named[*name], *name));
        let (text, rarest) = match number % 3 {
            0 => (format!("how does {} work with {}?", one.name, other.name), rarest.expect("there are two")),
            1 => (format!("{} ({})", first_line(doc(one)), one.name), &one.name),
            _ => (issue(one, other), rarest.expect("there are two")),
        };
        Question { text, rarest: rarest.clone() }
    };
    (0..count).map(ask).collect()
}

fn doc(symbol: &Symbol) -> &str {
    symbol.doc.as_deref().unwrap_or_default()
}

fn first_line(doc: &str) -> &str {
    doc.trim().lines().next().unwrap_or_default()
}

fn issue(one: &Symbol, other: &Symbol) -> String {
    let frame = |symbol: &Symbol| {
        let (path, line) = (&symbol.file_rel_path, symbol.lines.start + 1);
        format!("  File \"/usr/lib/python3/site-packages/{path}\", line {line}, in {}\n", symbol.name)
    };
    format!(
        "{name} fails when {other_name} was called before\n\n\
         ### Description\n\n\
         The documentation of `{qualified}` says:\n\n{doc}\n\n\
         That does not hold once `{other_qualified}()` was called, of which it is said that \"{said}\".\n\n\
         ### Steps to reproduce\n\n\
         ```python\nvalue = {other_qualified}()\nassert value is not None\nresult = {name}(value)\nprint(result)\n```\n\n\
         ### Actual behavior\n\n\
         ```\nTraceback (most recent call last):\n{frames}ValueError: {name} got an unexpected value\n```\n\n\
         I expected the same result as before. It worked in the last release.\n",
        name = one.name,
        qualified = one.qualified_name,
        doc = doc(one),
        other_name = other.name,
        other_qualified = other.qualified_name,
        said = first_line(doc(other)),
        frames = frame(other) + &frame(one),
    )
}

fn request(question: &Question) -> PackRequest {
    PackRequest { query: question.text.clone(), repo_id: "django".to_string(), ..PackRequest::default() }
}

fn in_process(index: &Path, asked: &[Question]) {
    let source = PackSource::open(index, TreeState::Unchecked).expect("it was just made");
    let requests: Vec<PackRequest> = asked.iter().map(request).collect();
    let times = source.with(|view| {
        let timed = |request| {
            let start = Instant::now();
            std::hint::black_box(pack(view, request).expect("it can be read"));
            start.elapsed().as_secs_f64()
        };
        Ok(requests.iter().map(timed).collect())
    });
    row("one pack, the index open", times.expect("it can be read"), "p95 <= 15 ms");
}

fn commands(index: &Path, scratch: &Path, asked: &[Question]) {
    let file = scratch.join("question.md");
    let (mut times, mut peak) = (Vec::new(), 0f64);
    for question in asked {
        fs::write(&file, &question.text).expect("it can be written");
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack"));
        let cost = command.arg("pack").arg("--index").arg(index).arg("--query-file").arg(&file).output_cost();
        times.push(start.elapsed().as_secs_f64());
        peak = peak.max(cost.peak_bytes);
    }
    row("contextpack pack --query-file, a process each", times, "p95 <= 120 ms");
    println!("{:>33.0} MB  the most memory that one of them had; wanted: 150 MB", peak / 1e6);
}

fn batches(index: &Path, scratch: &Path, batch: &[Question]) {
    let file = scratch.join("requests.jsonl");
    let line = |question| serde_json::to_string(&request(question)).expect("it is JSON") + "\n";
    fs::write(&file, batch.iter().map(line).collect::<String>()).expect("it can be written");
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack-pack"));
    let cost =
        command.args(["--quiet", "--jobs", "2", "--index"]).arg(index).arg("--requests").arg(&file).output_cost();
    let seconds = start.elapsed().as_secs_f64();
    let (each, peak) = (cost.seconds / BATCH as f64 * 1e3, cost.peak_bytes / 1e6);
    println!(
        "{:>31.0} a second  contextpack-pack --requests, {BATCH} of them, two threads \
         ({each:.1} ms of CPU each, {peak:.0} MB); wanted: 150",
        BATCH as f64 / seconds
    );
}

fn ripgrep(tree: &Path, asked: &[Question]) {
    if Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("ripgrep is not installed; `apt-get install ripgrep` brings it");
        return;
    }
    let timed = |question: &Question| {
        let start = Instant::now();
        let mut command = Command::new("rg");
        command.args(["--fixed-strings", "--word-regexp", "--", &question.rarest]).arg(tree).stdout(Stdio::null());
        command.status().expect("it starts");
        start.elapsed().as_secs_f64()
    };
    row("rg --fixed-strings --word-regexp, the rarest name of each question", asked.iter().map(timed).collect(), "");
}

/// The map is made of all files and no question: it is what aider sends beside any.
fn aider(tree: &Path, scratch: &Path) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = home.join("target/bench-aider");
    let python = place.join("bin/python");
    let made = || Command::new("bash").arg(home.join("benches/fetch-aider")).arg(&place).status();
    if !python.is_file() && !made().is_ok_and(|status| status.success()) {
        println!("aider could not be installed; see benches/fetch-aider");
        return;
    }
    // It keeps its tags below the tree.
    let copy = scratch.join("aider-tree");
    run(Command::new("cp").arg("-r").arg(tree).arg(&copy));
    let mut command = Command::new(&python);
    let output = command.arg(home.join("benches/repo_map.py")).arg(&copy).args([&MAP_TOKENS.to_string(), "2"]).output();
    let output = output.expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let runs = said.lines().filter_map(|line| line.split_once(' '));
    for ((seconds, tokens), which) in runs.zip(["first run", "second run, its tags cached"]) {
        println!("{seconds:>34} s  aider's repo map of {MAP_TOKENS} tokens ({tokens} made), {which}");
    }
    if !output.status.success() {
        println!("aider's repo map failed: {}", String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or(""));
    }
}

fn row(what: &str, mut seconds: Vec<f64>, wanted: &str) {
    seconds.sort_by(f64::total_cmp);
    let part = |part: f64| seconds[((seconds.len() as f64 * part).ceil() as usize).clamp(1, seconds.len()) - 1] * 1e3;
    let wanted = if wanted.is_empty() { String::new() } else { format!("; wanted: {wanted}") };
    println!(
        "p50 {:6.1}  p95 {:6.1}  max {:6.1} ms  {what}, {} questions{wanted}",
        part(0.5),
        part(0.95),
        part(1.0),
        seconds.len()
    );
}
