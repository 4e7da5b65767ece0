//! The doors: each turns its request into a job for the engine, and the engine's assembly into its own record. Pure.

pub mod browse;
mod markdown;
pub mod pack;
pub mod spec;
