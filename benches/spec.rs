//! What bundles of spec documents cost, and how that grows with their number.
//!
//!     cargo bench --bench spec
//!
//! Generated trees of 100, 1,000 and 10,000 documents, three links each. Wall time, the best of several.

#![expect(clippy::disallowed_methods, reason = "makes trees and times what is done with them")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use contextpack::door::spec::bundle;
use contextpack::pipeline::SpecSource;
use contextpack::pipeline::service::{self, Freshness, Refresh, Root};
use contextpack::record::bundle::BundleRequest;

const RUNS: usize = 5;

fn main() {
    for count in [100, 1_000, 10_000] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
        let links = plant(&tree, count);
        println!("{count:>6} documents, {links:>6} links");
        let root = Root::of_tree(Some(&tree), Some(&index)).expect("the tree is there");
        let open_index = || service::open(&root, Freshness::Refresh(&Refresh::QUIET)).expect("it can be indexed");
        let (built, _) = timed(open_index);
        println!("{:>12.3} ms  building the index", milliseconds(built));
        let open = || SpecSource::open(&tree, &index, None).expect("the index is there");
        let (opened, source) = best(|| {
            let source = open();
            source.with(|_| Ok(())).expect("it can be read");
            source
        });
        println!("{:>12.3} ms  opening the index and its documents", milliseconds(opened));
        measure(&source, count, links);
    }
}

/// With the documents open, as a server has them.
fn measure(source: &SpecSource, count: usize, links: usize) {
    // All of it is reached and nothing is kept, so that the walk is what is timed.
    let walk = request(serde_json::json!({"seed_ids": ["REQ-100000"], "depth": count, "max_tokens": 0}));
    let near = request(serde_json::json!({"seed_ids": ["REQ-100000"], "depth": 2, "max_tokens": 2000}));
    let times = source.with(|library| {
        let (walked, all) = best(|| bundle(library, &walk));
        let (packed, _) = best(|| bundle(library, &near));
        assert_eq!(all?.omitted as usize, 2 * count, "two sections of every document are reached");
        Ok((walked, packed))
    });
    let (walked, packed) = times.expect("the index can be read");
    println!("{:>12.3} ms  a bundle that walks to all of them", milliseconds(walked));
    println!("{:>12.1} µs  of that a document or link", 1e3 * milliseconds(walked) / (count + links) as f64);
    println!("{:>12.3} ms  a bundle of depth 2 and 2000 tokens", milliseconds(packed));
}

/// A chain through all documents, so that all are reached, and two links across from each.
fn plant(root: &Path, count: usize) -> usize {
    let mut links = 0;
    for at in 0..count {
        let mut next = vec![(at + 1) % count, (at * 7 + 3) % count, (at * 13 + 5) % count];
        next.sort_unstable();
        next.dedup();
        links += next.len();
        let mut text = format!("---\nkind: requirements\nscope: s.s{}\nid: REQ-{}\n", at % 10, at + 100_000);
        let _ = writeln!(text, "spec_title: Document {at}\nstatus: draft\ntrace:\n  req:");
        next.iter().for_each(|next| writeln!(text, "    - REQ-{}", next + 100_000).expect("a text can grow"));
        let _ = writeln!(text, "---\n\n# {at}\n\n## LLM_BRIEF\n\n- role: number {at}.\n\n## Summary");
        let _ = writeln!(text, "\nIt is the document of number {at}, 仕様の番号 {at}.");
        let folder = root.join(format!("d{}", at % 100));
        fs::create_dir_all(&folder).expect("it can be made");
        fs::write(folder.join(format!("REQ-{}.md", at + 100_000)), text).expect("it can be written");
    }
    links
}

fn request(value: serde_json::Value) -> BundleRequest {
    serde_json::from_value(value).expect("it is a request")
}

fn best<T>(work: impl Fn() -> T) -> (Duration, T) {
    (0..RUNS).map(|_| timed(&work)).min_by_key(|(time, _)| *time).expect("it ran")
}

fn timed<T>(work: impl Fn() -> T) -> (Duration, T) {
    let start = Instant::now();
    let made = work();
    (start.elapsed(), made)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
