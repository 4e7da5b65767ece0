//! Workspaces: what files become, who may read it, and that nothing else has an influence.

mod answers;
mod budgets;
mod doors;
mod flows;
mod gate;
mod generated;
mod hidden;
mod inputs;
mod interference;
mod nothing;
mod own_directories;
mod rights_files;
mod servers;
mod who_reads;
mod world;

#[path = "../../../benches/workspace_data/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the bench asks the questions")]
mod workspace_data;
