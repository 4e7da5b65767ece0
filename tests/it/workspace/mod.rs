//! Workspaces: what files become, who may read it, and that nothing else has an influence.

mod gate;
mod inputs;
mod interference;
mod world;

#[path = "../../../benches/workspace_data/mod.rs"]
mod workspace_data;
