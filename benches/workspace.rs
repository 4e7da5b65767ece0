//! What context of a workspace costs, and how far it can be trusted.
//!
//!     cargo bench --bench workspace                    100,000 blocks
//!     cargo bench --bench workspace -- --small         10,000 blocks
//!     cargo bench --bench workspace -- --keep DIR      leaves the tree, the index, requests and payloads there
//!
//! The workspace is generated (`benches/workspace_data`). No request is made twice, so that no cache answers it, except in
//! the replay. Wall times unless a row says CPU. Processes start cold; files are in the cache.

#![expect(clippy::disallowed_methods, reason = "makes trees and times what is done with them")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

#[expect(dead_code, reason = "other benches use the rest")]
mod cost;
mod workspace_data;

use contextpack::door::workspace::WorkspaceSettings;
use contextpack::pipeline::{Access, PackSource, WorkspaceSource};
use contextpack::record::pack::TreeState;
use contextpack::record::{Principal, Reader};
use cost::{Cost, OutputCost};
use serde_json::Value;
use workspace_data::{Generated, Random, Size, User, generate, questions, replay};

/// The exit code if a reader sees nothing that fits.
const NOTHING_FOUND: i32 = 1;
const REQUESTS: usize = 400;
const REPLAYED: usize = 2_000;

fn main() {
    let options: Vec<String> = std::env::args().collect();
    let is_small = options.iter().any(|option| option == "--small");
    let kept = options.windows(2).find(|pair| pair[0] == "--keep").map(|pair| PathBuf::from(&pair[1]));
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = kept.unwrap_or_else(|| scratch.path().to_path_buf());
    let world = generate(if is_small { Size::of(10_000) } else { Size::FULL });
    let bench = Bench { world, folder };
    bench.build();
    bench.open();
    let mut random = Random::new(2);
    let asked = questions(&bench.world, REQUESTS, &mut random);
    bench.in_process(&asked);
    bench.processes(&asked);
    bench.ripgrep(&asked);
    let (replayed, distinct) = replay(&bench.world, REPLAYED, &mut random);
    bench.replay(&replayed, distinct);
    bench.count_tokens();
}

struct Bench {
    world: Generated,
    folder: PathBuf,
}

impl Bench {
    fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    fn index(&self) -> PathBuf {
        self.folder.join("index")
    }

    fn build(&self) {
        let bytes = self.world.plant(&self.tree());
        let (blocks, lines) = (self.world.lines.len(), self.world.activity.len());
        println!("{blocks} blocks, {lines} lines of activity, {:.1} MB", bytes as f64 / 1e6);
        let chunk = Command::new(env!("CARGO_BIN_EXE_contextpack-chunk"))
            .args(["--quiet", "--source-kind", "workspace", "--source"])
            .arg(self.tree())
            .arg("--out")
            .arg(self.index().join("chunk"))
            .output_cost();
        let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack-graph"));
        let graph = command.args(["--quiet", "--index"]).arg(self.index()).output_cost();
        cpu("chunk, from nothing", chunk);
        cpu("graph, from nothing", graph);
    }

    /// Until a reader's blocks can be asked for something, a new user each time.
    fn open(&self) {
        let timed = |user: &User| {
            let start = Instant::now();
            let source = self.source();
            let count = source.with_blocks(&reader(user), |blocks| blocks.count()).expect("it can be read");
            assert!(count.is_some_and(|count| count > self.world.lines.len() / 2), "{} reads most of it", user.id);
            milliseconds(start)
        };
        row(self.world.users.iter().map(timed).collect(), "the index is opened for one reader (goal 40 at p95)");
    }

    fn source(&self) -> PackSource {
        PackSource::open_with(&self.index(), TreeState::Unchecked, Access::Operator).expect("it was just made")
    }

    /// The library's function, with what each reader may see worked out for each request; then all in one batch.
    fn in_process(&self, asked: &[Value]) {
        let source =
            WorkspaceSource::new(Arc::new(self.source()), WorkspaceSettings::default()).expect("it has blocks");
        let timed = |request: &Value| {
            let request = serde_json::from_value(request.clone()).expect("it is a request");
            let start = Instant::now();
            let asked = source.ask(request, None).expect("it names its user");
            let answered = source.context(&asked, &source.summarizer(false)).expect("it can be answered");
            assert!(answered.payload.metadata.total_tokens > 0);
            milliseconds(start)
        };
        row(asked.iter().map(timed).collect(), "a payload in a process that has the index open (goal 40 at p95)");
        let ran = self.batch("requests", asked);
        println!("{:>10.0} per second   in one run of batch, two threads", asked.len() as f64 / ran.seconds);
    }

    fn processes(&self, asked: &[Value]) {
        let (file, mut peak) = (self.folder.join("request.json"), 0f64);
        let timed = |request: &Value| {
            fs::write(&file, request.to_string()).expect("it can be written");
            let start = Instant::now();
            let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack"));
            command.args(["workspace", "context", "--quiet", "--index"]).arg(self.index());
            peak = peak.max(command.arg("--request").arg(&file).output_cost_up_to(NOTHING_FOUND).peak_bytes);
            milliseconds(start)
        };
        row(asked.iter().map(timed).collect(), "a payload in a process of its own (goal 200 at p95)");
        println!("{:>10.0} MB           the most memory of one", peak / 1e6);
    }

    /// The rarest word of each request, looked for in the same files. It knows no rights.
    fn ripgrep(&self, asked: &[Value]) {
        if Command::new("rg").arg("--version").stdout(Stdio::null()).status().is_err() {
            return println!("ripgrep is not installed; `apt-get install ripgrep` brings it");
        }
        let words: BTreeSet<&str> =
            asked.iter().filter_map(|request| longest_word(request["query"].as_str()?)).collect();
        let timed = |word: &&str| {
            let start = Instant::now();
            let mut command = Command::new("rg");
            command.args(["--fixed-strings", "--word-regexp", "--", word]).arg(self.tree()).stdout(Stdio::null());
            command.status().expect("it starts");
            milliseconds(start)
        };
        row(words.iter().map(timed).collect(), "rg --word-regexp, one word of a request, all files");
    }

    /// `distinct` searches are made by no request before.
    fn replay(&self, replayed: &[Value], distinct: usize) {
        let ran = self.batch("replay", replayed);
        let possible = 1.0 - distinct as f64 / replayed.len() as f64;
        let found = ran.hits as f64 / ran.lookups.max(1) as f64;
        println!(
            "{:>10.1} %            of {} lookups hit the cache of searches (goal 60); {:.1} % can be, by {distinct} keys",
            100.0 * found,
            ran.lookups,
            100.0 * possible
        );
    }

    fn batch(&self, name: &str, requests: &[Value]) -> BatchRun {
        let place = |ending: &str| self.folder.join(format!("{name}{ending}"));
        let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
        fs::write(place(".jsonl"), lines).expect("it can be written");
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack"));
        command.args(["workspace", "batch", "--quiet", "--jobs", "2"]).arg(place(".jsonl"));
        command.arg("--index").arg(self.index()).arg("--out").arg(place("-payloads"));
        cpu(name, command.arg("--timings").arg(place("-timings.json")).output_cost());
        BatchRun::read(&place("-timings.json"), start.elapsed().as_secs_f64())
    }

    /// All payloads of the first batch, by another implementation.
    fn count_tokens(&self) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack"));
        let stored =
            command.arg("cat").arg(self.folder.join("requests-payloads")).args(["context_payloads", "--operator"]);
        let stored = stored.output().expect("it starts");
        let file = self.folder.join("payloads.jsonl");
        fs::write(&file, stored.stdout).expect("it can be written");
        let home = Path::new(env!("CARGO_MANIFEST_DIR"));
        let place = home.join("target/bench-tiktoken");
        let python = place.join("bin/python");
        let fetched = || Command::new("bash").arg(home.join("benches/fetch-tiktoken")).arg(&place).status();
        if !python.is_file() && !fetched().is_ok_and(|status| status.success()) {
            return println!("tiktoken could not be installed; see benches/fetch-tiktoken");
        }
        let mut command = Command::new(python);
        command.env("TIKTOKEN_CACHE_DIR", place.join("vocabularies"));
        let output = command.arg(home.join("benches/workspace_tokens.py")).arg(file).output().expect("it starts");
        println!("tiktoken: {}", String::from_utf8_lossy(&output.stdout).trim_end());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What a batch says of itself in the file of `--timings`.
struct BatchRun {
    seconds: f64,
    lookups: u64,
    hits: u64,
}

impl BatchRun {
    fn read(timings: &Path, seconds: f64) -> Self {
        let text = fs::read_to_string(timings).expect("a batch writes its timings");
        let said: Value = serde_json::from_str(&text).expect("they are JSON");
        let count = |name: &str| said["searches"][name].as_u64().expect("they count searches");
        BatchRun { seconds, lookups: count("lookups"), hits: count("hits") }
    }
}

fn reader(user: &User) -> Reader {
    let teams = user.teams.iter().map(|team| format!("team:{team}"));
    let names = ["public".to_string(), "workspace:w".to_string(), format!("user:{}", user.id)].into_iter().chain(teams);
    Reader::As(names.map(|name| Principal::try_from(name).expect("it is a principal")).collect())
}

fn longest_word(query: &str) -> Option<&str> {
    query.split(|c: char| !c.is_alphabetic()).max_by_key(|word| word.len())
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn row(mut times: Vec<f64>, what: &str) {
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times.get((times.len() * share).div_ceil(100).max(1) - 1).copied().unwrap_or_default();
    let (median, p95, most) = (at(50), at(95), at(100));
    println!("{median:>10.2} ms p50 {p95:>8.2} ms p95 {most:>8.2} ms most  {what}, {} times", times.len());
}

fn cpu(what: &str, cost: Cost) {
    println!("{:>10.2} s CPU {:>6.0} MB  {what}", cost.seconds, cost.peak_bytes / 1e6);
}
