//! An index opened for making packs: the mapped accelerators of both stages, and facts about the tree.

use std::collections::BTreeMap;
use std::path::Path;

use super::stored_chunks::StoredChunks;
use super::{Access, ChunkSettings, is_restricted};
use crate::assemble::blocks::ReadableBlocks;
use crate::assemble::{IndexFacts, IndexView, ReadError, scope};
use crate::door::pack::{self, WhyNot};
use crate::graph::adjacency::{self, Adjacency};
use crate::graph::blocks::{self, Blocks};
use crate::graph::notes::{self, Notes};
use crate::record::codec::projection;
use crate::record::pack::{FileReceipt, Receipt, TreeState};
use crate::record::request::{PackRequest, RequestFault};
use crate::record::{Analysis, Coverage, Digest, ErrorCode, File, Problem, Reader, SourceKind};
use crate::search::{Corpus, WEIGHTS, Weights, terms};
use crate::store::{Index, Input, Mapped, StoreError};
use crate::text::RepoPath;

pub struct PackSource {
    chunks: Index,
    graph: Index,
    terms: Vec<(u32, Mapped)>,
    adjacency: Mapped,
    /// Absent if the tree has no notes.
    notes: Option<Mapped>,
    /// Absent if the tree is no workspace.
    blocks: Option<Mapped>,
    is_workspace: bool,
    receipt: Receipt,
    signature: String,
    weights: Weights,
    has_specs: bool,
}

/// How often an index is opened again that a writer replaces while it is opened.
const MAX_REPLACED: usize = 3;

impl PackSource {
    /// Opens the index in a directory that contains `chunk/` and `graph/`, and holds its pieces, whatever a writer does
    /// meanwhile. Refuses an index that not everybody may read.
    pub fn open(folder: &Path, tree: TreeState) -> Result<Self, StoreError> {
        PackSource::open_with(folder, tree, Access::Everyone)
    }

    /// Opens an index as far as that is allowed.
    pub fn open_with(folder: &Path, tree: TreeState, access: Access) -> Result<Self, StoreError> {
        let mut opened = PackSource::open_once(folder, tree, access);
        for _ in 0..MAX_REPLACED {
            match &opened {
                Err(error) if error.code == ErrorCode::IndexCorrupt => {
                    opened = PackSource::open_once(folder, tree, access);
                }
                _ => break,
            }
        }
        opened
    }

    fn open_once(folder: &Path, tree: TreeState, access: Access) -> Result<Self, StoreError> {
        let chunks = Index::open(&folder.join("chunk"))?;
        access.check(&chunks)?;
        let graph = Index::open(&folder.join("graph"))?;
        chunks.hold()?;
        graph.hold()?;
        check_same_tree(&chunks, &graph)?;
        let (terms, adjacency) = rayon::join(
            || chunks.accelerator(terms::NAME, terms::VERSION),
            || graph.accelerator(adjacency::NAME, adjacency::VERSION),
        );
        let numbers = chunks.accelerator_entry(terms::NAME, terms::VERSION)?.parts.iter().map(|part| part.index());
        let terms = numbers.zip(terms?).collect();
        let adjacency = adjacency?.into_iter().next();
        let adjacency = adjacency.ok_or_else(|| StoreError::corrupt(graph.folder(), "it has no adjacency", None))?;
        let optional = |name: &str, version| match graph.manifest().accelerator(name) {
            Some(_) => Ok::<_, StoreError>(graph.accelerator(name, version)?.into_iter().next()),
            None => Ok(None),
        };
        let notes = optional(notes::NAME, notes::VERSION)?;
        let blocks = optional(blocks::NAME, blocks::VERSION)?;
        let is_workspace = blocks.is_some() || ChunkSettings::of(&chunks)?.workspace.is_some();
        let (files, has_specs) = files(&chunks)?;
        let receipt = receipt(files, &graph, tree)?;
        let stages = [&chunks, &graph].map(|index| index.manifest().index_signature.to_string());
        let signature = pack::index_signature(stages.iter().map(String::as_str));
        Ok(PackSource {
            chunks,
            graph,
            terms,
            adjacency,
            notes,
            blocks,
            is_workspace,
            receipt,
            signature,
            weights: WEIGHTS,
            has_specs,
        })
    }

    /// Ranks with other weights than the built-in ones, to evaluate them.
    pub fn with_weights(self, weights: Weights) -> Self {
        PackSource { weights, ..self }
    }

    pub fn signature(&self) -> &str {
        &self.signature
    }

    /// Rejects a request that names another index, or something that the index does not have.
    pub fn check(&self, request: &PackRequest) -> Result<Result<(), RequestFault>, StoreError> {
        match &request.index_signature {
            Some(wanted) if *wanted != self.signature => {
                Ok(Err(RequestFault::OtherIndex { wanted: wanted.clone(), found: self.signature.clone() }))
            }
            _ if request.focus.is_empty() && request.filter.is_empty() => Ok(Ok(())),
            _ => self.with(|view| scope::check(view, request)),
        }
    }

    pub fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// Whether the tree has notes.
    pub fn has_notes(&self) -> bool {
        self.notes.is_some()
    }

    /// Whether the tree is a workspace, if only an empty one.
    pub fn is_workspace(&self) -> bool {
        self.is_workspace
    }

    /// Calls `work` with what a reader may see of the workspace. None if the tree is no workspace.
    pub fn with_blocks<R>(
        &self,
        reader: &Reader,
        work: impl FnOnce(&ReadableBlocks) -> R,
    ) -> Result<Option<R>, StoreError> {
        if !self.is_workspace {
            return Ok(None);
        }
        // A workspace without blocks is one of which a reader sees nothing.
        let empty = blocks::empty();
        let blocks = match &self.blocks {
            Some(mapped) => Blocks::parse(mapped).map_err(|fault| mapped.corrupt(fault))?,
            None => Blocks::parse(&empty).expect("what was just made can be read"),
        };
        self.with_corpus(|corpus| work(&ReadableBlocks::of(&blocks, corpus, reader))).map(Some)
    }

    /// Whether there is something that not everybody may read.
    pub fn is_restricted(&self) -> bool {
        is_restricted(&self.chunks)
    }

    /// Whether the tree has spec documents.
    pub fn has_specs(&self) -> bool {
        self.has_specs
    }

    /// The directory that holds its stages.
    pub fn folder(&self) -> &Path {
        self.chunks.folder().parent().unwrap_or(Path::new(""))
    }

    pub fn graph(&self) -> &Index {
        &self.graph
    }

    pub fn source_date(&self) -> &str {
        &self.chunks.manifest().source_date
    }

    /// The inputs of its packs, for manifests.
    pub fn inputs(&self) -> Vec<Input> {
        vec![self.chunks.manifest().as_input(), self.graph.manifest().as_input()]
    }

    /// Explains why something is not in a pack. The records also list files that have no text to show.
    pub fn why_not(&self, request: &PackRequest, typed: &str) -> Result<WhyNot, StoreError> {
        match self.without_text(typed.strip_prefix("./").unwrap_or(typed))? {
            Some(answer) => Ok(answer),
            None => self.with(|view| pack::why_not(view, request, typed)),
        }
    }

    /// The answer for a path that was skipped or is empty.
    pub(super) fn without_text(&self, path: &str) -> Result<Option<WhyNot>, StoreError> {
        let problems = self.chunks.find_records::<Problem>(&[path.into()])?;
        if let Some(problem) = problems.into_iter().find(|problem| problem.code.skips()) {
            return Ok(Some(WhyNot::no_text(path, Some(problem.code), problem.message)));
        }
        let files = self.chunks.find_records::<File>(&[path.into()])?;
        let is_empty = files.iter().any(|file| file.chunks.is_empty());
        Ok(is_empty.then(|| WhyNot::no_text(path, None, "it holds nothing to show".to_string())))
    }

    /// The digests of files, as they were indexed.
    pub fn file_digests(&self, paths: &[RepoPath]) -> Result<BTreeMap<RepoPath, Digest>, StoreError> {
        let keys: Vec<serde_json::Value> = paths.iter().map(|path| path.as_str().into()).collect();
        let mut digests = BTreeMap::new();
        for key in keys {
            let files = self.chunks.find_records::<File>(&[key])?;
            digests.extend(files.into_iter().filter_map(|file| Some((file.file_rel_path, file.digest?))));
        }
        Ok(digests)
    }

    /// Calls `work` with a view of the index.
    pub fn with<R>(&self, work: impl FnOnce(&IndexView) -> Result<R, ReadError>) -> Result<R, StoreError> {
        self.with_corpus(|corpus| self.with_view(corpus, work))?
    }

    fn with_corpus<R>(&self, work: impl FnOnce(&Corpus) -> R) -> Result<R, StoreError> {
        let mut shards = Vec::new();
        for (number, mapped) in &self.terms {
            shards.push((*number, terms::Terms::parse(mapped).map_err(|fault| mapped.corrupt(fault))?));
        }
        Ok(work(&Corpus::new(shards)))
    }

    fn with_view<R>(
        &self,
        corpus: &Corpus,
        work: impl FnOnce(&IndexView) -> Result<R, ReadError>,
    ) -> Result<R, StoreError> {
        let graph = Adjacency::parse(&self.adjacency).map_err(|fault| self.adjacency.corrupt(fault))?;
        let chunks = StoredChunks::new(&self.chunks)?;
        let facts = IndexFacts { signature: &self.signature, created_at: self.source_date(), receipt: &self.receipt };
        let notes = match &self.notes {
            Some(mapped) => Some(Notes::parse(mapped).map_err(|fault| mapped.corrupt(fault))?),
            None => None,
        };
        let view = IndexView::everything(corpus, Some(graph), &chunks, facts, &self.weights).with_notes(notes);
        work(&view).map_err(store_error)
    }
}

/// All records here are read from a store, so the error is always a store error.
pub fn store_error(error: ReadError) -> StoreError {
    *error.0.downcast::<StoreError>().expect("chunks are read from a store")
}

/// A graph made from other chunks would lead to chunks that do not exist.
fn check_same_tree(chunks: &Index, graph: &Index) -> Result<(), StoreError> {
    if graph.manifest().inputs.iter().any(|input| input.digest == chunks.manifest().digest) {
        return Ok(());
    }
    let cause = "it was made from other chunks than those beside it";
    let hint = Some("rerun `contextpack graph`".to_string());
    Err(StoreError::new(ErrorCode::ContractVersion, graph.folder(), cause, hint))
}

projection! {
    struct FileRow of File {
        analysis: Analysis,
        source_kind: Option<SourceKind>,
    }
}

fn receipt(files: FileReceipt, graph: &Index, tree: TreeState) -> Result<Receipt, StoreError> {
    let coverage = graph.records::<Coverage>()?.collect::<Result<Vec<_>, _>>()?;
    Ok(Receipt { files, references: Coverage::by_language(&coverage), tree, ..Receipt::default() })
}

/// Counts files by how they were read. Also returns whether one of them is a spec document.
fn files(chunks: &Index) -> Result<(FileReceipt, bool), StoreError> {
    let (mut files, mut has_specs) = (FileReceipt::default(), false);
    chunks.for_each_row::<File, FileRow>(|row, _| {
        files.seen += 1;
        has_specs |= row.source_kind == Some(SourceKind::Spec);
        match row.analysis {
            Analysis::Parsed => files.parsed += 1,
            Analysis::Recovered => files.recovered += 1,
            Analysis::Lines => files.by_lines += 1,
            Analysis::Skipped => {}
        }
    })?;
    for problem in chunks.records::<Problem>()? {
        let problem = problem?;
        if problem.code.skips() {
            *files.skipped.entry(problem.code.to_string()).or_default() += 1;
        }
    }
    Ok((files, has_specs))
}
