//! The doors: each turns its request into a job for the engine, and the engine's assembly into its own record. Pure.

mod markdown;
pub mod pack;
pub mod spec;
