//! Maps chunk numbers to the numbers of their graph nodes and back.

use crate::graph::adjacency::Adjacency;
use crate::search::Corpus;

pub struct ChunkNodes {
    /// The chunk of each node; [`NONE`] where the node has none.
    chunks: Vec<u32>,
    /// Where each chunk's nodes start, and where the last chunk's nodes end.
    starts: Vec<u32>,
    nodes: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl ChunkNodes {
    pub fn new(graph: &Adjacency, corpus: &Corpus) -> Self {
        let chunk = |node: u32| graph.chunk_uid(node).and_then(|uid| corpus.chunk(uid)).unwrap_or(NONE);
        let chunks: Vec<u32> = (0..graph.node_count()).map(chunk).collect();
        let mut starts = vec![0u32; corpus.chunk_count() + 1];
        let with_chunk = || chunks.iter().enumerate().filter(|(_, chunk)| **chunk != NONE);
        with_chunk().for_each(|(_, chunk)| starts[*chunk as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let mut next = starts.clone();
        let mut nodes = vec![0; starts[corpus.chunk_count()] as usize];
        for (node, chunk) in with_chunk() {
            let at = &mut next[*chunk as usize];
            nodes[*at as usize] = node as u32;
            *at += 1;
        }
        ChunkNodes { chunks, starts, nodes }
    }

    pub fn chunk(&self, node: u32) -> Option<u32> {
        Some(self.chunks[node as usize]).filter(|chunk| *chunk != NONE)
    }

    /// In the order of the graph.
    pub fn nodes(&self, chunk: u32) -> &[u32] {
        let start = |at: usize| self.starts[at] as usize;
        &self.nodes[start(chunk as usize)..start(chunk as usize + 1)]
    }
}
