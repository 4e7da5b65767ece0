//! What notes cost: exports of Tana and vaults, from nothing to the graph, and briefs of them.
//!
//!     cargo bench --bench notes                  300,000 documents and 20,000 pages
//!     cargo bench --bench notes -- --large       also 1,680,000 documents (360 MB; takes some minutes)
//!     cargo bench --bench notes -- --peer        also supertag-cli on the same export (benches/fetch-supertag)
//!
//! The data is generated and not kept. CPU seconds, user and system, unless a row says wall; milliseconds are wall time,
//! the best of three.

#![expect(clippy::disallowed_methods, reason = "makes trees and times what is done with them")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

#[expect(dead_code, reason = "other benches use the rest")]
mod cost;
mod note_briefs;
mod notes_data;

use cost::{Cost, OutputCost};
use notes_data::{export, plant_vault};

fn main() {
    let is_large = std::env::args().any(|argument| argument == "--large");
    let small = tana("T300", 300_000, Goal { seconds: 10.0, megabytes: 800.0 });
    if is_large {
        let large = tana("T1.68M", 1_680_000, Goal { seconds: 70.0, megabytes: 4000.0 });
        let growth = large.seconds / small.seconds / 5.6;
        println!("{:>10.2}     times the seconds of T300, per document (goal 0.9 to 1.1)", growth);
    }
    vault(20_000);
}

/// So many of the topics are the notes with the most children.
const HUBS: usize = 40;
const TOPICS: usize = 200;

struct Goal {
    seconds: f64,
    megabytes: f64,
}

/// An export as the only file of a tree. Returns what it costs from nothing.
fn tana(name: &str, docs: usize, goal: Goal) -> Cost {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (tree, index) = (scratch.path().join("tree"), scratch.path().join("index"));
    fs::create_dir_all(&tree).expect("it can be made");
    let export = export(docs, HUBS, TOPICS);
    println!("{name}: {} documents, {:.1} MB", export.docs, export.text.len() as f64 / 1e6);
    fs::write(tree.join("workspace000@2026-02-20.json"), &export.text).expect("it can be written");
    let topics = export.topics;
    drop(export.text);
    let (chunked, graphed) = (chunk(&tree, &index), graph(&index));
    let all = both(chunked, graphed);
    row("chunk, from nothing", chunked);
    row("graph, from nothing", graphed);
    row(&format!("both (goal {} s, {} MB)", goal.seconds, goal.megabytes), all);
    let started = Instant::now();
    both(chunk(&tree, &index), graph(&index));
    println!("{:>10.2} s wall     nothing changed (goal 0.5)", started.elapsed().as_secs_f64());
    note_briefs::measure(&index, &topics, HUBS, scratch.path());
    note_briefs::ripgrep(&tree, &topics);
    if std::env::args().any(|argument| argument == "--peer") {
        note_briefs::supertag(&tree, &topics, scratch.path());
    }
    all
}

fn vault(pages: usize) {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (tree, index) = (scratch.path().join("tree"), scratch.path().join("index"));
    let counts = plant_vault(&tree, pages);
    println!("V20k: {} pages, {} sections, {} links", counts.pages, counts.sections, counts.links);
    let build = || both(chunk(&tree, &index), graph(&index));
    let whole = build();
    row("from nothing (goal 8 s)", whole);
    let page = tree.join("folder 7/Page 7.md");
    let text = fs::read_to_string(&page).expect("it was written");
    fs::write(&page, format!("{text}\nOne more line to [[Page 9]].\n")).expect("it can be written");
    let edited = build();
    row("one page edited", edited);
    println!("{:>10.0} %         of it (goal 35)", 100.0 * edited.seconds / whole.seconds);
}

fn graph(index: &Path) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack-graph"));
    command.arg("--quiet").arg("--index").arg(index).output_cost()
}

fn chunk(tree: &Path, index: &Path) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack-chunk"));
    command.arg("--quiet").arg("--source").arg(tree).arg("--out").arg(index.join("chunk")).output_cost()
}

/// Of two stages that run one after the other.
fn both(first: Cost, second: Cost) -> Cost {
    Cost { seconds: first.seconds + second.seconds, peak_bytes: first.peak_bytes.max(second.peak_bytes) }
}

fn row(what: &str, cost: Cost) {
    println!("{:>10.2} s  {:>6.0} MB  {what}", cost.seconds, cost.peak_bytes / 1e6);
}
