//! The tables of the contract and its acceptance.

mod extracted;
mod measure;
mod pairs;
mod properties;
mod routed;
mod worked;

use serde_json::Value;

use super::{FrameOptions, frame};
use crate::record::frame::FrameAnswer;

/// The answer to a request without further words.
fn framed(query: &str) -> FrameAnswer {
    frame(query, &FrameOptions::default()).unwrap()
}

/// The answer to a request of which a model read something.
fn checked(query: &str, extraction: &Value) -> FrameAnswer {
    frame(query, &FrameOptions { extraction: Some(extraction), ..FrameOptions::default() }).unwrap()
}
