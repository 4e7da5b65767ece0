//! Stages put together: reads through one door, calls pure code, writes through the other.

mod accelerators;
mod analyse;
mod carry;
mod chunk_stage;
mod graph_input;
mod graph_stage;
mod settings;
mod shard;
mod show;
mod tooling;

pub use accelerators::verify;
pub use chunk_stage::{ChunkStage, Progress, StageError, Summary, Timings, run_chunk};
pub use graph_stage::{GraphError, GraphStage, GraphSummary, GraphTimings, run_graph};
pub use settings::{ChunkSettings, Pipeline, SettingsError};
pub use show::{Item, NodeView, Place, ShowError, Shown, ViewShown, show};
pub use tooling::{ToolingError, compare_scip};
