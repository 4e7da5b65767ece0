//! Summaries that a program of the user's makes of long contents, for their first forms. They are known before the
//! budget is spent; a door runs the program.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::apart::apart;
use super::candidate::{Making, candidates};
use super::payload::{is_on, shortening};
use super::{Found, Profile};
use crate::record::workspace::{ContextRequest, TruncationStrategy};

/// A text that should be summarized.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedSummary {
    pub max_tokens: u32,
    pub text: String,
}

/// The answers of the program. A text without one is cut by another strategy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summaries(BTreeMap<WantedSummary, String>);

impl Summaries {
    pub fn insert(&mut self, wanted: WantedSummary, answer: String) {
        self.0.insert(wanted, answer);
    }
}

/// Answers with summaries.
pub trait Summarizer {
    fn summary(&self, text: &str, max_tokens: u32) -> Option<&str>;
}

impl Summarizer for Summaries {
    fn summary(&self, text: &str, max_tokens: u32) -> Option<&str> {
        if self.0.is_empty() {
            return None;
        }
        let wanted = WantedSummary { max_tokens, text: text.to_string() };
        self.0.get(&wanted).map(String::as_str)
    }
}

/// Notes what it is asked for.
#[derive(Default)]
struct Notebook(RefCell<BTreeSet<WantedSummary>>);

impl Summarizer for Notebook {
    fn summary(&self, text: &str, max_tokens: u32) -> Option<&str> {
        self.0.borrow_mut().insert(WantedSummary { max_tokens, text: text.to_string() });
        Some("")
    }
}

/// The summaries that a payload needs, each once. None unless the request or the settings ask for summaries.
pub fn wanted_summaries(request: &ContextRequest, profile: &Profile, found: &Found) -> Vec<WantedSummary> {
    let shortening = shortening(request, profile, found);
    if shortening.strategy != TruncationStrategy::Summarize {
        return Vec::new();
    }
    let found = &*apart(found, profile, &shortening, |part| is_on(request, profile, found, part));
    let notebook = Notebook::default();
    let making = Making { profile, shortening: &shortening, summarizer: &notebook, is_explained: false };
    candidates(&making, found, |part| is_on(request, profile, found, part));
    notebook.0.into_inner().into_iter().collect()
}
