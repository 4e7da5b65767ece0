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

use contextpack::pipeline::SpecSource;
use contextpack::record::bundle::BundleRequest;
use contextpack::spec::bundle;

const RUNS: usize = 5;

fn main() {
    for count in [100, 1_000, 10_000] {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let links = plant(folder.path(), count);
        let (read, source) = best(|| SpecSource::read(folder.path(), None).expect("the tree is there"));
        // All of it is reached and nothing is kept, so that the walk is what is timed.
        let walk = request(serde_json::json!({"seed_ids": ["REQ-100000"], "depth": count, "max_tokens": 0}));
        let near = request(serde_json::json!({"seed_ids": ["REQ-100000"], "depth": 2, "max_tokens": 2000}));
        let (walked, all) = best(|| bundle(&source.catalog, &source.schema, &walk));
        let (packed, _) = best(|| bundle(&source.catalog, &source.schema, &near));
        assert_eq!(all.omitted as usize, 2 * count, "two sections of every document are reached");
        println!("{count:>6} documents, {links:>6} links");
        println!("{:>12.3} ms  reading the tree", milliseconds(read));
        println!("{:>12.3} ms  a bundle that walks to all of them", milliseconds(walked));
        println!("{:>12.1} µs  of that a document or link", 1e3 * milliseconds(walked) / (count + links) as f64);
        println!("{:>12.3} ms  a bundle of depth 2 and 2000 tokens", milliseconds(packed));
    }
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
    let timed = || {
        let start = Instant::now();
        let made = work();
        (start.elapsed(), made)
    };
    (0..RUNS).map(|_| timed()).min_by_key(|(time, _)| *time).expect("it ran")
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
