//! Pieces that lie about their size. Every digest is right, so only the codec can refuse them.

use std::io::Read;

use super::*;

#[test]
fn a_frame_that_grows_beyond_its_size_is_refused() {
    let frame = gibibyte_of_line_breaks();
    let mut start = vec![0; 1 << 20];
    zstd::stream::Decoder::new(&frame[..]).unwrap().read_exact(&mut start).unwrap();
    assert!(frame.len() < 1 << 16 && start.iter().all(|byte| *byte == b'\n'));
    let piece = with_seek_table(&frame, &[(frame.len() as u32, 10)]);

    let mut buffer = Vec::new();
    let frames = Frames::parse(&piece, 10).unwrap();
    assert!(matches!(frames.read(&piece, 0, &mut buffer), Err(FrameFault::Decompress { .. })));
    assert!(buffer.capacity() < 1 << 10);
    check_refused(&piece, 10, "frame 0 cannot be decompressed to 10 bytes");
}

#[test]
fn a_frame_that_is_smaller_than_its_size_is_refused() {
    let frame = zstd::bulk::compress(b"{}\n", 3).unwrap();
    let piece = with_seek_table(&frame, &[(frame.len() as u32, 9)]);
    check_refused(&piece, 9, "it holds 3");
}

#[test]
fn a_frame_of_an_impossible_size_is_refused() {
    let frame = zstd::bulk::compress(b"{}\n", 3).unwrap();
    let piece = with_seek_table(&frame, &[(frame.len() as u32, u32::MAX)]);
    check_refused(&piece, u64::from(u32::MAX), "which no frame does");
}

#[test]
fn a_seek_table_that_does_not_add_up_is_refused() {
    let frame = zstd::bulk::compress(b"{}\n", 3).unwrap();
    let length = frame.len() as u32;
    for lie in [vec![(length - 1, 3)], vec![(length, 3), (1, 1)], vec![(u32::MAX, 3), (u32::MAX, 3)], vec![]] {
        let bytes = lie.iter().map(|(_, bytes)| u64::from(*bytes)).sum();
        check_refused(&with_seek_table(&frame, &lie), bytes, "its seek table does not fit its size");
    }
    check_refused(&with_seek_table(&frame, &[(length, 3)]), 4, "it promises 4 bytes of lines and its frames say 3");
}

#[test]
fn a_number_of_frames_beyond_the_file_is_refused() {
    let mut piece = encode(b"{}\n", Compression::Default).unwrap();
    let count = piece.len() - 9;
    piece[count..count + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    check_refused(&piece, 3, "it has no seek table");
}

#[test]
fn a_frame_without_a_line_break_is_refused() {
    let frame = zstd::bulk::compress(b"{}", 3).unwrap();
    check_refused(&with_seek_table(&frame, &[(frame.len() as u32, 2)]), 2, "does not end at a line's end");
}

/// Puts the piece into an index whose manifest vouches for it; then only `verify` is in its way.
fn check_refused(piece: &[u8], bytes: u64, reason: &str) {
    let folder = scratch();
    let digest = Digest::sha256(b"a lie");
    let part = Part {
        path: piece_name::PieceName::new("files", 0, &digest).to_string(),
        records: 1,
        bytes: bytes.max(1),
        stored_bytes: piece.len() as u64,
        stored_digest: Digest::blake3(piece),
        first: Value::Null,
        last: Value::Null,
        digest,
    };
    written_to(folder.path());
    fs::write(folder.path().join(&part.path), piece).unwrap();
    let recorder = Recorder::open(folder.path(), Disk::real(), WhenLocked::Refuse).unwrap();
    recorder.commit(world::draft(vec![ArtifactEntry::of::<File>(vec![part.clone()])], "")).unwrap();
    let fault = verify(folder.path(), true).unwrap_err();
    assert_eq!(fault.piece, part.path);
    assert!(fault.reason.contains(reason), "{}", fault.reason);
    assert!(Index::open(folder.path()).unwrap().records::<File>().unwrap().next().unwrap().is_err());
}

/// A frame made by hand: a window of 128 KiB, and 8192 blocks that repeat one byte to fill it.
fn gibibyte_of_line_breaks() -> Vec<u8> {
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x38];
    for block in 1..=8192 {
        let is_last = u32::from(block == 8192);
        let header: u32 = (128 << 10) << 3 | 1 << 1 | is_last;
        frame.extend_from_slice(&header.to_le_bytes()[..3]);
        frame.push(b'\n');
    }
    frame
}

fn with_seek_table(frames: &[u8], entries: &[(u32, u32)]) -> Vec<u8> {
    let count = entries.len() as u32;
    let mut piece = frames.to_vec();
    let mut word = |value: u32| piece.extend_from_slice(&value.to_le_bytes());
    word(0x184D2A5E);
    word(count * 8 + 9);
    entries.iter().for_each(|(stored, bytes)| {
        word(*stored);
        word(*bytes);
    });
    word(count);
    piece.push(0);
    piece.extend_from_slice(&0x8F92EAB1u32.to_le_bytes());
    piece
}
