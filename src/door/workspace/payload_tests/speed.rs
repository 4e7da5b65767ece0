//! A payload takes time in proportion to what was found.

use super::synthetic::*;
use super::*;
use crate::record::BlockType;
use crate::record::workspace::PayloadPart;
use crate::text::thread_seconds;

/// As many candidates as searches find, each so many sentences.
fn some(count: usize, length: usize) -> Found {
    let part = |part: PayloadPart, seed: usize| {
        let text = |at: usize| entry(&format!("{seed}:{at}"), BlockType::Text, &sentences(seed + at, length));
        (part, (0..count).map(text).collect())
    };
    found(vec![
        part(PayloadPart::Focus, 1),
        part(PayloadPart::Semantic, 2),
        part(PayloadPart::Relations, 3),
        part(PayloadPart::Activity, 4),
    ])
}

fn seconds(found: &Found) -> f64 {
    let (request, profile) = (request(), profile());
    let runs = (0..3).map(|_| {
        let started = thread_seconds();
        let payload = payload(&request, &profile, found, &Summaries::default());
        assert!(payload.metadata.total_tokens > 1000);
        thread_seconds() - started
    });
    runs.fold(f64::INFINITY, f64::min)
}

/// In a debug build. A release build takes a tenth.
#[test]
fn sixty_candidates_take_no_time() {
    let seconds = seconds(&some(15, 55));
    println!("60 candidates: {:.2} ms", seconds * 1000.0);
    assert!(seconds < 0.5, "{seconds} s");
}

#[test]
fn long_blocks_take_time_in_proportion() {
    let (short, long) = (seconds(&some(2, 1000)), seconds(&some(2, 8000)));
    println!("8 blocks: {:.2} ms, 8 times as long: {:.2} ms", short * 1000.0, long * 1000.0);
    assert!(long < 25.0 * short, "{short} s, {long} s");
}
