//! Sessions of the query frame gate: looks claims up in the index and the tree, appends what was observed, and replies.
//! What follows from an event is decided in `door/frame/session`.

mod answer;
mod code;
mod data;
mod error;
mod observe;
mod places;
mod stats;
mod store;
mod submit;
mod symbols;
mod times;
mod workbench;
mod write;

#[cfg(test)]
mod tests;

pub use answer::SessionReply;
pub use code::CodeRequest;
pub use error::SessionError;
pub use store::{Loaded, Sessions};
pub use times::add_time;
pub use workbench::{SessionRequest, Workbench};
pub use write::HookCall;
