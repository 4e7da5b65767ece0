//! Runs the stages and opens their results: reads with `source`, calls pure code, writes with `store`.
//!
//! `cli` and `mcp` get types of inner modules from here, except those of `text`, `record`, `assemble`, `door` and
//! `eval`.

mod accelerators;
mod access;
mod analyse;
mod audience_check;
mod batch_stage;
mod block_access;
mod brief_source;
mod brief_stage;
mod browse;
mod build;
mod bundle_stage;
mod chunk_stage;
mod diff_index;
mod diff_packs;
mod doctor;
mod error;
mod graph_input;
mod graph_stage;
mod members;
mod merge_stage;
mod note_sources;
mod pack_source;
mod pack_stage;
mod payload_stage;
mod previous_index;
pub mod service;
pub mod session;
mod settings;
mod shard;
mod share;
mod show;
mod show_drawing;
mod show_find;
mod show_path;
mod show_text;
mod spec_source;
mod stored_chunks;
mod summaries;
mod tooling;
mod tree_state;
mod views;
mod workspace_source;
mod workspace_sources;

// Functions here take or return these types, so they are exported for callers.
pub use crate::dialect::note_tree::NoteRoot;
pub use crate::door::browse::definitions::{FileShown, FolderShown, OutlineEntry, OutlineOfFile};
pub use crate::graph::neighbourhood::Bounds;
pub use crate::search::Weights;
pub use crate::source::SourceError;
pub use crate::store::{Disk, Fault, Index, Report, StoreError, WhenLocked};
pub use accelerators::verify;
pub use access::{Access, is_restricted, operator_flag};
pub use batch_stage::{Requests, StoredAnswers};
pub use block_access::{BlockAccess, GrantShown, block_access};
pub use brief_source::{BRIEFS, BriefError, BriefSource, read_brief};
pub use brief_stage::{BriefStage, run_briefs};
pub use browse::inside_tree;
pub use build::{Build, StageDone, read_section_schema};
pub use bundle_stage::{BundleSummary, run_bundles};
pub use chunk_stage::{
    ChunkStage, Progress, RESTRICTED, Summary, Timings, bare_walk_options, run_chunk, run_share, walk_options,
};
pub use diff_index::{ArtifactDiff, IndexDiff, diff_indexes};
pub use diff_packs::{PackMove, PacksDiff};
pub use doctor::{Finding, doctor};
pub use error::PipelineError;
pub use graph_stage::{GraphStage, GraphSummary, GraphTimings, run_graph};
pub use members::Principals;
pub use merge_stage::{MergeError, MergeSummary, run_merge};
pub use pack_source::PackSource;
pub use pack_stage::{KeptPacks, PackStage, PackSummary, keep_pack, read_pack, run_packs};
pub use payload_stage::{PayloadStage, holds_payloads, run_payloads};
pub use service::{index_tree, open_stage, stages, walk_tree};
pub use settings::{ChunkSettings, DatesFrom, Pipeline, keeps_secrets};
pub use share::{Share, ShareMark};
pub use show::{Answer, GraphView, Item, NodeView, Place, ShowError, ShowRequest, Shown, ShownAll, ViewShown};
pub use show_drawing::{Drawing, DrawingFormat};
pub use show_path::{Course, PathRequest, PathShown, PathStep};
pub use show_text::{answer_text, folder_text, path_text, show_json, show_text};
pub use spec_source::SpecSource;
pub use stored_chunks::StoredChunks;
pub use summaries::SummaryMaker;
pub use tooling::compare_scip;
pub use tree_state::tree_state;
pub use views::{SOURCE as VIEW_SOURCE, give_view};
pub use workspace_source::{Answered, Asked, ContextError, Summarize, WorkspaceSource};
