//! Maps chunk numbers to the numbers of their graph nodes and back.

use crate::graph::adjacency::Adjacency;
use crate::record::{ChunkNo, NodeNo};
use crate::search::Corpus;

pub struct ChunkNodes {
    /// The chunk of each node, if it has one.
    chunks: Vec<Option<ChunkNo>>,
    /// For each chunk, the start of its range of nodes; then the end of the last range.
    starts: Vec<u32>,
    nodes: Vec<NodeNo>,
}

impl ChunkNodes {
    pub fn new(graph: &Adjacency, corpus: &Corpus) -> Self {
        let chunk = |node: NodeNo| graph.chunk_uid(node).and_then(|uid| corpus.chunk(uid));
        let chunks: Vec<Option<ChunkNo>> = (0..graph.node_count()).map(NodeNo).map(chunk).collect();
        let mut starts = vec![0u32; corpus.chunk_count() + 1];
        let with_chunk =
            || chunks.iter().enumerate().filter_map(|(node, chunk)| Some((NodeNo(node as u32), chunk.as_ref()?)));
        with_chunk().for_each(|(_, chunk)| starts[chunk.index() + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let mut next = starts.clone();
        let mut nodes = vec![NodeNo(0); starts[corpus.chunk_count()] as usize];
        for (node, chunk) in with_chunk() {
            let at = &mut next[chunk.index()];
            nodes[*at as usize] = node;
            *at += 1;
        }
        ChunkNodes { chunks, starts, nodes }
    }

    pub fn chunk(&self, node: NodeNo) -> Option<ChunkNo> {
        self.chunks[node.index()]
    }

    /// In graph order.
    pub fn nodes(&self, chunk: ChunkNo) -> &[NodeNo] {
        &self.nodes[self.starts[chunk.index()] as usize..self.starts[chunk.index() + 1] as usize]
    }
}
