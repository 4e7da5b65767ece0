//! Pieces of many frames: the codec, and random access compared with a scan.

use proptest::prelude::*;

use super::world::{chunk, draft, path, uid};
use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn lines_come_back_from_their_frames(lengths in prop::collection::vec(0usize..60_000, 0..60), seed: u64) {
        let lines = noise(&lengths, seed);
        let stored = encode(&lines, Compression::Default).unwrap();
        let frames = Frames::parse(&stored, lines.len() as u64).unwrap();
        let (mut back, mut buffer) = (Vec::new(), Vec::new());
        for frame in 0..frames.count() {
            frames.read(&stored, frame, &mut buffer).unwrap();
            prop_assert!(buffer.len() <= (64 << 10) + 60_000);
            back.extend_from_slice(&buffer);
        }
        prop_assert_eq!(&back, &lines);
        // Any zstd reads a piece.
        prop_assert_eq!(zstd::stream::decode_all(&stored[..]).unwrap(), lines);
    }

    #[test]
    fn bytes_that_are_no_piece_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), promised in 0u64..300) {
        prop_assert!(Frames::parse(&bytes, promised).is_err());
    }

    #[test]
    fn a_changed_seek_table_is_refused_or_harmless(at in 0usize..17, value: u8) {
        let lines = noise(&[10, 20], 1);
        let mut stored = encode(&lines, Compression::Default).unwrap();
        let from_end = stored.len() - 25 + at;
        stored[from_end] = value;
        let mut buffer = Vec::new();
        if let Ok(frames) = Frames::parse(&stored, lines.len() as u64) {
            prop_assert!(frames.read(&stored, 0, &mut buffer).is_err() || buffer == lines);
        }
    }
}

#[test]
fn a_line_that_is_too_long_is_refused() {
    let line = vec![b'x'; frames::MAX_LINE_BYTES + 1];
    assert!(matches!(encode(&line, Compression::Default), Err(FrameFault::LongLine)));
}

#[test]
fn frames_do_not_depend_on_threads() {
    let lines = noise(&[50_000; 40], 3);
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    for compression in [Compression::Default, Compression::Fast] {
        let one = pool(1).install(|| encode(&lines, compression).unwrap());
        assert_eq!(pool(8).install(|| encode(&lines, compression).unwrap()), one);
        assert_eq!(zstd::stream::decode_all(&one[..]).unwrap(), lines);
    }
}

#[test]
fn finding_chunks_equals_scanning_them() {
    let folder = scratch();
    let chunks: Vec<Chunk> = (0..40).flat_map(|number| large_chunks(number, 6)).collect();
    let index = index_of(&chunks, folder.path(), 100);
    let pieces = &index.artifact("chunk_meta").unwrap().parts;
    assert!(pieces.iter().all(|part| index.piece(part).unwrap().frame_count() > 3));
    check(&index, &chunks, &[]);
    for number in (0..41).step_by(5) {
        let path = json!(path(number));
        check(&index, &chunks, std::slice::from_ref(&path));
        for start in [0, 2, 3, 5, 6] {
            check(&index, &chunks, &[path.clone(), json!(start)]);
            check(&index, &chunks, &[path.clone(), json!(start), json!(uid(number, start))]);
        }
    }
    for outside in ["", "src/file010", "src/file010.rsx", "zzz"] {
        check(&index, &chunks, &[json!(outside)]);
    }
}

#[test]
fn finding_by_an_enum_equals_scanning() {
    let folder = scratch();
    let codes = [ProblemCode::Binary, ProblemCode::LinkLoop, ProblemCode::Syntax, ProblemCode::TooDeep];
    let message = |number: usize| format!("{number:04}{}", String::from_utf8(noise(&[4000], number as u64)).unwrap());
    let of_code = |code: ProblemCode| (0..100).map(move |number| Problem::new(&path(1), code, message(number)));
    let problems: Vec<Problem> = codes.into_iter().flat_map(of_code).collect();
    let index = index_of(&problems, folder.path(), 150);
    for code in codes {
        check(&index, &problems, &[json!(path(1)), json!(code)]);
        check(&index, &problems, &[json!(path(1)), json!(code), json!(null), json!(message(50))]);
    }
    check(&index, &problems, &[json!(path(1)), json!("unreadable")]);
}

#[test]
fn an_artifact_of_another_stage_is_missing() {
    let folder = scratch();
    let index = index_of::<Chunk>(&[], folder.path(), 1);
    assert_eq!(index.find("symbols", &[], |_| Ok::<(), StoreError>(())).unwrap_err().code, ErrorCode::IndexMissing);
    assert!(index.records::<Symbol>().is_err());
}

#[test]
fn an_open_index_outlives_the_sweep_of_its_pieces() {
    let folder = scratch();
    let chunks = large_chunks(1, 3);
    let index = index_of(&chunks, folder.path(), 10);
    index.piece(&index.artifact("chunk_meta").unwrap().parts[0]).unwrap();
    index_of(&chunks[..1], folder.path(), 10);
    check(&index, &chunks, &[json!(path(1))]);
}

fn check<A: Artifact>(index: &Index, records: &[A], prefix: &[Value]) {
    let starts = |record: &&A| serde_json::to_value(record.key()).unwrap().as_array().unwrap().starts_with(prefix);
    let wanted: Vec<Vec<u8>> = records.iter().filter(starts).map(line).collect();
    let mut found = Vec::new();
    let each = |line: &[u8]| {
        found.push(line.to_vec());
        Ok::<(), StoreError>(())
    };
    index.find(A::NAME, prefix, each).unwrap();
    assert!(found == wanted, "{prefix:?} finds {} lines and should find {}", found.len(), wanted.len());
    assert_eq!(index.find_records::<A>(prefix).unwrap().len(), wanted.len());
}

fn line<A: Artifact>(record: &A) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(record, &mut line);
    line.pop();
    line
}

fn index_of<A: Artifact>(records: &[A], folder: &Path, part_records: usize) -> Index {
    let recorder = Recorder::open(folder, Disk::real(), WhenLocked::Refuse).unwrap();
    let write = |(number, records): (usize, &[A])| {
        recorder.write_piece(A::NAME, number as u32, &Batch::of(records).unwrap()).unwrap()
    };
    let parts = records.chunks(part_records).enumerate().map(write).collect();
    recorder.commit(draft(vec![ArtifactEntry::of::<A>(parts)], "")).unwrap();
    Index::open(folder).unwrap()
}

fn large_chunks(number: u32, count: u32) -> Vec<Chunk> {
    let text = |start| String::from_utf8(noise(&[20_000], u64::from(number * 100 + start))).unwrap();
    (0..count).map(|start| Chunk { text: text(start), ..chunk(&path(number), number, start) }).collect()
}

/// Lines of given lengths that compress badly, so that a piece has some size.
fn noise(lengths: &[usize], seed: u64) -> Vec<u8> {
    let mut state = seed | 1;
    let mut lines = Vec::new();
    for length in lengths {
        let end = lines.len() + length;
        while lines.len() < end {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            lines.extend_from_slice(format!("{state:016x}").as_bytes());
        }
        lines.truncate(end);
        lines.push(b'\n');
    }
    lines
}
