//! Workspaces: what files become, who may read it, and that nothing else has an influence.

mod gate;
mod inputs;
mod interference;
mod world;
