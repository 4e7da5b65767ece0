//! The codec of a piece: independent zstd frames of whole lines, and behind them a seek table in the
//! *zstd seekable format*, which other decoders skip. Pure: bytes in, bytes out.

use std::cell::RefCell;
use std::io;

use rayon::prelude::*;
use zstd::bulk::Compressor;
use zstd::zstd_safe::{self, CParameter, DCtx};

/// A frame ends with the line that brings it here.
const FRAME_BYTES: usize = 64 << 10;
/// No record's line is longer, its line break included.
pub const MAX_LINE_BYTES: usize = 64 << 20;
/// A frame that was not yet full, and one more line. A reader gives no frame more memory than this.
const MAX_FRAME_BYTES: usize = FRAME_BYTES + MAX_LINE_BYTES;

/// How much work goes into making a piece small.
#[derive(Clone, Copy, Debug)]
pub enum Compression {
    Default,
    /// For pieces that are rebuilt on every change: half as large again, in two thirds of the time. Its
    /// frames have no checksums; the manifest has their digest.
    Fast,
}

impl Compression {
    fn level(self) -> i32 {
        match self {
            Compression::Default => 1,
            Compression::Fast => -3,
        }
    }
}

const SKIPPABLE_MAGIC: u32 = 0x184D_2A5E;
const SEEKABLE_MAGIC: u32 = 0x8F92_EAB1;
/// Magic and size of the skippable frame.
const HEADER_BYTES: usize = 8;
const ENTRY_BYTES: usize = 8;
/// Number of frames, descriptor, magic.
const FOOTER_BYTES: usize = 9;

thread_local! {
    /// Making one takes as long as decompressing a small frame.
    static DECOMPRESSOR: RefCell<DCtx<'static>> = RefCell::new(DCtx::create());
}

/// Where the frames of one piece are: its seek table, checked against the piece's size.
#[derive(Debug)]
pub struct Frames {
    frames: Vec<Frame>,
}

#[derive(Debug)]
struct Frame {
    offset: usize,
    stored: usize,
    /// Where its lines start among all lines of the piece.
    start: u64,
    bytes: usize,
}

/// Bytes that are not a piece, or not the promised one.
#[derive(Debug, thiserror::Error)]
pub enum FrameFault {
    #[error("it has no seek table")]
    NoSeekTable,
    #[error("its seek table does not fit its size")]
    SizeMismatch,
    #[error("it promises {promised} bytes of lines and its frames say {found}")]
    LinesMismatch { promised: u64, found: u64 },
    #[error("frame {frame} says it holds {bytes} bytes, which no frame does")]
    FrameSize { frame: usize, bytes: usize },
    #[error("frame {frame} cannot be decompressed to {bytes} bytes: {reason}")]
    Decompress { frame: usize, bytes: usize, reason: String },
    #[error("frame {frame} does not end at a line's end")]
    CutLine { frame: usize },
    #[error("a line is longer than {MAX_LINE_BYTES} bytes")]
    LongLine,
    #[error("it could not be compressed: {0}")]
    Compress(String),
}

/// Compresses lines, each with its line break, into a piece. The bytes depend on nothing but the
/// lines: zstd gives the same frame however often a context was used before.
pub fn encode(lines: &[u8], compression: Compression) -> Result<Vec<u8>, FrameFault> {
    let cuts = cut(lines)?;
    let compress = |compressor: &mut io::Result<Compressor>, lines: &&[u8]| {
        compressor.as_mut().map_err(compress_fault)?.compress(lines).map_err(compress_fault)
    };
    let frames = cuts.par_iter().map_init(|| compressor(compression), compress).collect::<Result<Vec<_>, _>>()?;
    let sizes: Vec<(usize, usize)> = frames.iter().zip(&cuts).map(|(frame, cut)| (frame.len(), cut.len())).collect();
    let mut piece = frames.concat();
    append_seek_table(&mut piece, &sizes);
    Ok(piece)
}

impl Frames {
    /// Reads the seek table of a piece whose lines, by its manifest, are `bytes` long.
    pub fn parse(stored: &[u8], bytes: u64) -> Result<Frames, FrameFault> {
        let entries = seek_entries(stored)?;
        let frames = place(entries)?;
        let table = HEADER_BYTES + entries.len() + FOOTER_BYTES;
        let end = frames.last().map_or(0, |frame| frame.offset + frame.stored);
        if end != stored.len() - table {
            return Err(FrameFault::SizeMismatch);
        }
        let found = frames.iter().map(|frame| frame.bytes as u64).sum();
        if found != bytes {
            return Err(FrameFault::LinesMismatch { promised: bytes, found });
        }
        Ok(Frames { frames })
    }

    pub fn count(&self) -> usize {
        self.frames.len()
    }

    /// The frame that holds a byte of the lines, and where its lines start among them.
    pub fn holding(&self, at: u64) -> Option<(usize, u64)> {
        let after = self.frames.partition_point(|frame| frame.start <= at);
        let frame = after.checked_sub(1)?;
        let start = self.frames[frame].start;
        (at - start < self.frames[frame].bytes as u64).then_some((frame, start))
    }

    /// Puts one frame's lines into the buffer. The buffer has room for the declared size before a byte is
    /// decompressed and does not grow, so a frame that would go beyond it ends in an error, not in memory.
    pub fn read(&self, stored: &[u8], frame: usize, buffer: &mut Vec<u8>) -> Result<(), FrameFault> {
        let Frame { offset, stored: length, bytes, .. } = self.frames[frame];
        buffer.clear();
        buffer.reserve_exact(bytes);
        let wrong = |reason: String| FrameFault::Decompress { frame, bytes, reason };
        let filled = DECOMPRESSOR
            .with_borrow_mut(|decompressor| decompressor.decompress(buffer, &stored[offset..offset + length]))
            .map_err(|code| wrong(zstd_safe::get_error_name(code).to_string()))?;
        if filled != bytes {
            return Err(wrong(format!("it holds {filled}")));
        }
        if buffer.last() != Some(&b'\n') {
            return Err(FrameFault::CutLine { frame });
        }
        Ok(())
    }
}

/// Cuts lines into frames, each at the first line end that makes it long enough.
fn cut(mut lines: &[u8]) -> Result<Vec<&[u8]>, FrameFault> {
    let mut cuts = Vec::new();
    while !lines.is_empty() {
        let searched = lines.get(FRAME_BYTES - 1..).unwrap_or_default();
        let end = memchr::memchr(b'\n', searched).map_or(lines.len(), |at| FRAME_BYTES + at);
        let last_line = memchr::memrchr(b'\n', &lines[..end - 1]).map_or(0, |at| at + 1);
        if end - last_line > MAX_LINE_BYTES {
            return Err(FrameFault::LongLine);
        }
        let (frame, rest) = lines.split_at(end);
        cuts.push(frame);
        lines = rest;
    }
    Ok(cuts)
}

fn compressor(compression: Compression) -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(compression.level())?;
    compressor.set_parameter(CParameter::ChecksumFlag(matches!(compression, Compression::Default)))?;
    compressor.set_parameter(CParameter::ContentSizeFlag(true))?;
    Ok(compressor)
}

fn compress_fault(error: impl ToString) -> FrameFault {
    FrameFault::Compress(error.to_string())
}

fn append_seek_table(piece: &mut Vec<u8>, sizes: &[(usize, usize)]) {
    let mut word = |value: usize| {
        let value = u32::try_from(value).expect("a frame, and a table of frames, is far smaller than 4 GiB");
        piece.extend_from_slice(&value.to_le_bytes());
    };
    word(SKIPPABLE_MAGIC as usize);
    word(sizes.len() * ENTRY_BYTES + FOOTER_BYTES);
    for (stored, bytes) in sizes {
        word(*stored);
        word(*bytes);
    }
    word(sizes.len());
    // The descriptor: no checksum beside an entry, the piece has its digest.
    piece.push(0);
    piece.extend_from_slice(&SEEKABLE_MAGIC.to_le_bytes());
}

/// The table's entries, once everything around them is as it should be.
fn seek_entries(stored: &[u8]) -> Result<&[u8], FrameFault> {
    let (rest, footer) = split_end(stored, FOOTER_BYTES)?;
    let (count, descriptor, magic) = (word(footer, 0), footer[4], word(footer, 5));
    if magic != SEEKABLE_MAGIC || descriptor != 0 {
        return Err(FrameFault::NoSeekTable);
    }
    let length = (count as usize).checked_mul(ENTRY_BYTES).ok_or(FrameFault::SizeMismatch)?;
    let (rest, entries) = split_end(rest, length)?;
    let (_, header) = split_end(rest, HEADER_BYTES)?;
    if word(header, 0) != SKIPPABLE_MAGIC || word(header, 4) as usize != length + FOOTER_BYTES {
        return Err(FrameFault::NoSeekTable);
    }
    Ok(entries)
}

/// Frames one behind the other, none larger than a frame can be.
fn place(entries: &[u8]) -> Result<Vec<Frame>, FrameFault> {
    let (mut offset, mut start): (usize, u64) = (0, 0);
    let mut frames = Vec::with_capacity(entries.len() / ENTRY_BYTES);
    for (frame, entry) in entries.chunks_exact(ENTRY_BYTES).enumerate() {
        let (stored, bytes) = (word(entry, 0) as usize, word(entry, 4) as usize);
        if bytes == 0 || bytes > MAX_FRAME_BYTES {
            return Err(FrameFault::FrameSize { frame, bytes });
        }
        frames.push(Frame { offset, stored, start, bytes });
        start += bytes as u64;
        offset = offset.checked_add(stored).ok_or(FrameFault::SizeMismatch)?;
    }
    Ok(frames)
}

fn split_end(bytes: &[u8], length: usize) -> Result<(&[u8], &[u8]), FrameFault> {
    let middle = bytes.len().checked_sub(length).ok_or(FrameFault::NoSeekTable)?;
    Ok(bytes.split_at(middle))
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
