//! How fast tokens are counted, beside bpe-openai, and what the first count of a process waits for.
//!
//!     cargo bench --bench tokens                 on django's sdist, fetched by benches/fetch
//!     CONTEXTPACK_BENCH_TREE=DIR cargo bench --bench tokens
//!
//! CPU time of one thread; the two take turns on the same texts and must agree on every one.

#![expect(clippy::disallowed_methods, reason = "reads a tree")]

use std::hint::black_box;
use std::time::Duration;

#[expect(dead_code, reason = "what child processes cost is for the other benches")]
mod cost;

use contextpack::pipeline::bare_walk_options;
use contextpack::source::walk;
use contextpack::text::Tokenizer;

const ROUNDS: usize = 7;

fn main() {
    let first = timed(|| Tokenizer::O200kBase.count("fn main() {}")).0;
    let peer_first = timed(|| bpe_openai::o200k_base().count("fn main() {}")).0;
    let tree = cost::tree("django", "5.1.4");
    let files = walk(&tree, &bare_walk_options()).expect("the tree can be read").files;
    let texts: Vec<String> =
        files.iter().filter_map(|entry| std::fs::read_to_string(tree.join(entry.path.as_str())).ok()).collect();
    println!("tree: {}, {}", tree.display(), cost::described(&tree));
    println!("first count of the process: {first:.0?}, bpe-openai {peer_first:.0?}");
    for tokenizer in Tokenizer::ALL {
        speeds(tokenizer, &texts);
    }
    for (what, text) in hostile() {
        let (time, peer_time) = side_by_side(Tokenizer::O200kBase, &[text]);
        println!("{what}: {time:.0?}, bpe-openai {peer_time:.0?}");
    }
}

fn speeds(tokenizer: Tokenizer, texts: &[String]) {
    let megabytes = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    let (time, peer_time) = side_by_side(tokenizer, texts);
    let (speed, peer_speed) = (megabytes / time.as_secs_f64(), megabytes / peer_time.as_secs_f64());
    println!("{}: {speed:.1} MB/s, bpe-openai {peer_speed:.1} MB/s", tokenizer.name());
}

/// The best times of both over the same texts.
fn side_by_side(tokenizer: Tokenizer, texts: &[String]) -> (Duration, Duration) {
    let peer = peer(tokenizer);
    let rounds = (0..ROUNDS).map(|_| {
        let (time, counts) = timed(|| texts.iter().map(|text| tokenizer.count(text)).collect::<Vec<_>>());
        let (peer_time, peer_counts) = timed(|| texts.iter().map(|text| peer.count(text)).collect::<Vec<_>>());
        assert_eq!(counts, peer_counts, "{} differs from its peer", tokenizer.name());
        (time, peer_time)
    });
    rounds.reduce(|best, next| (best.0.min(next.0), best.1.min(next.1))).expect("there are rounds")
}

fn peer(tokenizer: Tokenizer) -> &'static bpe_openai::Tokenizer {
    match tokenizer {
        Tokenizer::O200kBase => bpe_openai::o200k_base(),
        Tokenizer::Cl100kBase => bpe_openai::cl100k_base(),
    }
}

fn hostile() -> [(&'static str, String); 3] {
    [
        ("100 kB of one letter", "a".repeat(100_000)),
        ("1 MB of spaces", " ".repeat(1_000_000)),
        ("1 MB of `=`", "=".repeat(1_000_000)),
    ]
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = thread_time();
    let result = black_box(work());
    (thread_time() - start, result)
}

fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes to a place that outlives the call.
    let read = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(read, 0, "every thread has a clock");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
