//! What briefs of an index cost: in one process, in a process each, many at once.

mod peers;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use contextpack::door::brief::{BriefQuery, Lenses};
use contextpack::pipeline::{BriefSource, PackSource};
use contextpack::record::brief::BriefRequest;
use contextpack::record::pack::TreeState;
use serde_json::json;

use super::cost::OutputCost;
pub use peers::{ripgrep, supertag};

/// Each time is the best of so many: what else the machine does is not the brief's.
const ROUNDS: usize = 3;

/// Briefs about some topics, the first of which are hubs.
pub fn measure(index: &Path, topics: &[String], hubs: usize, scratch: &Path) {
    let source = PackSource::open(index, TreeState::Current).expect("it was built");
    let source = BriefSource::new(Arc::new(source));
    for (depth, lens, goal) in [(2, "general", 20.0), (5, "general", 500.0), (2, "planning", 20.0), (2, "coding", 20.0)]
    {
        let requests: Vec<BriefRequest> = topics.iter().map(|topic| request(topic, depth, lens)).collect();
        let times: Vec<f64> = requests.iter().map(|request| best(|| made(&source, request))).collect();
        let (all, of_hubs) = (percentiles(&times), percentiles(&times[..hubs]));
        let what = format!("a brief in this process, {lens}, depth {depth} (goal {goal} at p95)");
        println!("{all}  {what}\n{of_hubs}  of that, {hubs} hubs");
    }
    let request = request(&topics[0], 2, "general");
    let brief = made(&source, &request);
    println!("{:>10} nodes reached from the largest hub, {} shown", brief.0, brief.1);
    processes(index, topics);
    batch(index, topics, scratch);
}

fn request(topic: &str, depth: u32, lens: &str) -> BriefRequest {
    let query = json!({ "query": topic, "depth": depth, "lens": lens }).to_string();
    BriefQuery::parse(&query).expect("it is a query").resolve(&Lenses::builtin()).expect("the lens is built in")
}

/// How many nodes are reached and shown.
fn made(source: &BriefSource, request: &BriefRequest) -> (u32, u32) {
    let brief = source.brief(request, None).expect("the index can be read");
    assert!(!brief.record.nodes.is_empty(), "{:?} is a topic", request.topics);
    (brief.record.meta.counts.reached, brief.record.meta.counts.included)
}

/// A process for each topic, without looking at the tree.
fn processes(index: &Path, topics: &[String]) {
    let mut peak: f64 = 0.0;
    let mut cost = |topic: &String| {
        best(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack"));
            let cost = command.args(["brief", "--quiet"]).arg(topic).arg("--index").arg(index).output_cost();
            peak = peak.max(cost.peak_bytes);
        })
    };
    let times: Vec<f64> = topics.iter().map(&mut cost).collect();
    println!("{}  a brief in a process of its own (goal 150 at p95)", percentiles(&times));
    println!("{:>10.0} MB        the most memory of one (goal 250)", peak / 1e6);
}

/// One run with three requests about each topic.
fn batch(index: &Path, topics: &[String], scratch: &Path) {
    let (file, out) = (scratch.join("requests.jsonl"), scratch.join("briefs"));
    let lenses = ["general", "planning", "meeting-prep"];
    let line = |(topic, lens): (&String, &str)| format!("{}\n", json!({ "query": topic, "lens": lens }));
    let lines: Vec<String> = topics.iter().flat_map(|topic| lenses.map(|lens| line((topic, lens)))).collect();
    fs::write(&file, lines.concat()).expect("it can be written");
    let milliseconds = best(|| {
        let _ = fs::remove_dir_all(&out);
        let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack"));
        command.args(["brief", "--quiet", "--index"]).arg(index).arg("--requests").arg(&file).arg("--out").arg(&out);
        command.output_cost();
    });
    let rate = 1e3 * lines.len() as f64 / milliseconds;
    println!("{rate:>10.0} per second   {} briefs of one run of --requests (goal 100)", lines.len());
}

/// The shortest wall time of some rounds, in milliseconds.
fn best<T>(mut work: impl FnMut() -> T) -> f64 {
    let mut milliseconds = || {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..ROUNDS).map(|_| milliseconds()).fold(f64::MAX, f64::min)
}

/// The median, the 95th percentile and the most of some times in milliseconds.
fn percentiles(times: &[f64]) -> String {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: usize| sorted[(sorted.len() * share / 100).min(sorted.len() - 1)];
    format!("{:>10.2} ms p50 {:>8.2} ms p95 {:>8.2} ms most", at(50), at(95), at(100))
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}
