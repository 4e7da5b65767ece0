//! The query frame gate: sessions, facts, the write gate and the log. Numbers are those of section 7 of the contract.

mod claims;
mod flows;
mod log;
mod page;
mod servers;
mod world;
mod writes;
