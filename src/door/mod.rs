//! The doors: one module per kind of request. Each turns its request into a job for the engine, and the engine's
//! assembly into its own record; `browse` answers without the engine. Pure.

pub mod brief;
pub mod browse;
pub mod frame;
mod markdown;
mod own_output;
pub mod pack;
pub mod spec;
pub mod workspace;

pub use own_output::is_own_output;
