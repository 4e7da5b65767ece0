//! The doors: which request comes in and which record goes out. Each turns its request into a job for the engine and
//! the engine's assembly into its record. Pure.

pub mod pack;
pub mod spec;
