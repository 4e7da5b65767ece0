//! Stages put together: reads through one door, calls pure code, writes through the other.

mod accelerators;
mod analyse;
mod bundle_stage;
mod carry;
mod chunk_stage;
mod diff_index;
mod graph_input;
mod graph_stage;
mod index_tree;
mod pack_source;
mod pack_stage;
mod settings;
mod shard;
mod shelf;
mod show;
mod show_text;
mod spec_code;
mod spec_source;
mod tooling;
mod tree_state;

pub use accelerators::verify;
pub use bundle_stage::{BundleSummary, run_bundles};
pub use chunk_stage::{ChunkStage, Progress, StageError, Summary, Timings, run_chunk};
pub use diff_index::{ArtifactDiff, IndexDiff, diff_indexes};
pub use graph_stage::{GraphError, GraphStage, GraphSummary, GraphTimings, run_graph};
pub use index_tree::{IndexError, IndexTree, index_tree};
pub use pack_source::PackSource;
pub use pack_stage::{PackStage, PackStageError, PackSummary, Requests, keep_pack, kept_packs, read_pack, run_packs};
pub use settings::{ChunkSettings, Pipeline, SettingsError};
pub use shelf::ChunkShelf;
pub use show::{GraphView, Item, NodeView, Place, ShowError, Shown, ViewShown, show};
pub use show_text::{show_json, show_text};
pub use spec_code::code_of;
pub use spec_source::{SpecError, SpecSource};
pub use tooling::{ToolingError, compare_scip};
pub use tree_state::tree_state;
