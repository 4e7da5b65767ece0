//! Pieces become chunks: texts, positions and uids.

use std::collections::{BTreeMap, BTreeSet};

use xxhash_rust::xxh64::Xxh64;

use crate::record::{Audience, ByteRange, Chunk, ChunkUid, Lines, Problem, ProblemCode, Range};
use crate::text::{LineIndex, RepoPath};

use super::cut::Piece;
use super::kind_name::kind_name;
use super::layer::Layer;
use super::outline::Outline;
use super::split::is_whole_lines;
use super::{Config, Source, doc, lines_span};

/// One chunk for each piece, in the same order.
pub fn chunks(
    source: &Source,
    layers: &[Layer],
    outlines: &[Outline],
    pieces: &[Piece],
    index: &LineIndex,
    config: &Config,
    taken: &BTreeSet<ChunkUid>,
) -> Vec<Chunk> {
    let mut uids = Uids::new(config, taken);
    let chunk = |piece| chunk(source, layers, outlines, piece, index, &mut uids);
    pieces.iter().map(chunk).collect()
}

fn chunk(
    source: &Source,
    layers: &[Layer],
    outlines: &[Outline],
    piece: &Piece,
    index: &LineIndex,
    uids: &mut Uids,
) -> Chunk {
    let layer = &layers[piece.layer];
    let node = piece.node.map(|at| (&layer.facts.definitions[at], &outlines[piece.layer].nodes[at]));
    let qualified_name = node.map(|(_, node)| node.qualified_name.clone());
    let derived = node.and_then(|(definition, _)| definition.derived_text.as_deref());
    let text = derived.map_or_else(|| text(piece, source.text, index), str::to_string);
    let parts = [
        source.path.as_str(),
        layer.language.as_str(),
        kind_name(piece.kind),
        qualified_name.as_deref().unwrap_or_default(),
        &text,
    ];
    let (chunk_uid, salt) = uids.assign(&parts);
    let lines = Lines::from_span(piece.span, index);
    Chunk {
        audience: Audience::default(),
        derived: derived.is_some(),
        // A skeleton is no run of lines, and has none behind it.
        blank_after: if piece.shown.is_none() { blank_after(lines, index) } else { 0 },
        chunk_uid,
        file_rel_path: source.path.clone(),
        language_id: layer.language.clone(),
        kind: piece.kind,
        name: node.map(|(definition, _)| definition.name.to_string()),
        qualified_name,
        symbol_id: node.and_then(|(_, node)| node.symbol_id.clone()),
        range: Range::from_span(piece.span, index),
        byte_range: ByteRange::from_span(piece.span),
        lines,
        shown: if derived.is_none() { shown_lines(piece, index) } else { None },
        part: piece.part,
        signature: node.and_then(|(definition, _)| doc::signature(definition, source.text)),
        text,
        salt,
    }
}

fn text(piece: &Piece, text: &str, index: &LineIndex) -> String {
    match &piece.shown {
        None => piece.span.text(text).to_string(),
        Some(shown) => shown.iter().map(|lines| lines_span(lines.start, lines.end, index).text(text)).collect(),
    }
}

/// The whole lines that a text shows where these are not all lines of its range: a piece of a line shows none.
fn shown_lines(piece: &Piece, index: &LineIndex) -> Option<Vec<Lines>> {
    match &piece.shown {
        Some(shown) => Some(joined(shown)),
        None => (!is_whole_lines(piece.span, index)).then(Vec::new),
    }
}

/// As many as any style puts between two definitions.
const MAX_BLANK: usize = 2;

/// How many empty lines follow a run of lines.
fn blank_after(lines: Lines, index: &LineIndex) -> u32 {
    let is_empty = |line: &u32| index.line_text(*line).trim_end_matches(['\r', '\n']).is_empty();
    (lines.end..index.line_count()).take(MAX_BLANK).take_while(is_empty).count() as u32
}

/// 1-based lines, neighbours as one.
fn joined(shown: &[std::ops::Range<u32>]) -> Vec<Lines> {
    let mut all: Vec<Lines> = Vec::new();
    for lines in shown {
        match all.last_mut() {
            Some(last) if last.end == lines.start => last.end = lines.end,
            _ => all.push(Lines { start: lines.start + 1, end: lines.end }),
        }
    }
    all
}

/// Gives each chunk a uid that no other has.
pub struct Uids<'c> {
    config: &'c Config,
    taken: &'c BTreeSet<ChunkUid>,
    given: BTreeSet<ChunkUid>,
    /// How many chunks with the very same parts came before.
    same: BTreeMap<u64, u32>,
}

impl<'c> Uids<'c> {
    pub fn new(config: &'c Config, taken: &'c BTreeSet<ChunkUid>) -> Self {
        Uids { config, taken, given: BTreeSet::new(), same: BTreeMap::new() }
    }

    /// The uid of a chunk by its path, language, kind, qualified name and text, and the salt that it took.
    pub fn assign(&mut self, parts: &[&str; 5]) -> (ChunkUid, Option<u32>) {
        let ordinal = self.same.entry(hash(parts, 0, 0)).or_insert(0);
        let (own, mut salt) = (*ordinal, 0);
        *ordinal += 1;
        loop {
            let uid = ChunkUid::from_hash(hash(parts, own, salt) & self.config.uid_mask);
            if !self.taken.contains(&uid) && self.given.insert(uid) {
                return (uid, (salt > 0).then_some(salt));
            }
            salt += 1;
        }
    }
}

/// Every part goes in with its length, so that no two lists of parts read the same.
fn hash(parts: &[&str], ordinal: u32, salt: u32) -> u64 {
    let mut hasher = Xxh64::new(0);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.update(&ordinal.to_le_bytes());
    hasher.update(&salt.to_le_bytes());
    hasher.digest()
}

/// A problem for every chunk whose uid needed a salt.
pub fn collisions(path: &RepoPath, chunks: &[Chunk]) -> Vec<Problem> {
    let salted = chunks.iter().filter(|chunk| chunk.salt.is_some());
    salted
        .map(|chunk| {
            let message = format!("another chunk had the uid of this one; it is {} by its salt", chunk.chunk_uid);
            let mut problem = Problem::new(path, ProblemCode::UidCollision, message);
            problem.lines = Some(chunk.lines);
            problem
        })
        .collect()
}
