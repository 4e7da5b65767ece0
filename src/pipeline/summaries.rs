//! Has a program of the user's summarize long contents, and keeps its answers beside the index, so that a replay asks
//! nobody.

#![expect(clippy::disallowed_methods, reason = "keeps the answers of a program")]

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::door::workspace::{Summaries, WantedSummary};
use crate::record::Digest;
use crate::store::{Disk, StoreError};
use program::{Limits, run};

/// The directory of an index that holds answers.
pub(super) const FOLDER: &str = "summaries";
/// Replaced in the arguments of a command.
const MAX_TOKENS: &str = "{max_tokens}";

/// How summaries are made.
pub struct SummaryMaker<'m> {
    /// The directory that contains `chunk/` and `graph/`.
    pub index: &'m Path,
    /// A program and its arguments. Empty: nothing is summarized.
    pub command: &'m [String],
    /// Ask again where the program failed before.
    pub retries_failures: bool,
}

/// What is kept of one run of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Answer(String),
    Failure(String),
}

impl SummaryMaker<'_> {
    /// The summaries of all texts that the program has an answer for. Failures are kept, too.
    pub fn summaries(&self, wanted: &[WantedSummary]) -> Result<Summaries, StoreError> {
        self.summaries_within(wanted, &Limits::default())
    }

    fn summaries_within(&self, wanted: &[WantedSummary], limits: &Limits) -> Result<Summaries, StoreError> {
        let mut summaries = Summaries::default();
        if self.command.is_empty() || wanted.is_empty() {
            return Ok(summaries);
        }
        let folder = self.open_folder()?;
        let outcome = |wanted: &WantedSummary| self.outcome(&folder, wanted, limits);
        let outcomes: Vec<Result<Outcome, StoreError>> = wanted.par_iter().map(outcome).collect();
        for (wanted, outcome) in wanted.iter().zip(outcomes) {
            if let Outcome::Answer(answer) = outcome? {
                summaries.insert(wanted.clone(), answer);
            }
        }
        Ok(summaries)
    }

    /// Only its owner may read it, and it is no part of a tree that it lies in: it holds texts that not every reader of
    /// the workspace may see.
    fn open_folder(&self) -> Result<PathBuf, StoreError> {
        let folder = self.index.join(FOLDER);
        let disk = Disk::real().private();
        disk.create_folder(&folder)?;
        let ignored = folder.join(".gitignore");
        if !ignored.exists() {
            disk.replace(&ignored, b"*\n")?;
        }
        Ok(folder)
    }

    fn outcome(&self, folder: &Path, wanted: &WantedSummary, limits: &Limits) -> Result<Outcome, StoreError> {
        let file = folder.join(self.file_name(wanted));
        match read(&file) {
            Some(Outcome::Failure(_)) if self.retries_failures => (),
            Some(outcome) => return Ok(outcome),
            None => (),
        }
        let outcome = match run(&self.command_for(wanted.max_tokens), &wanted.text, limits) {
            Ok(answer) => Outcome::Answer(answer),
            Err(reason) => Outcome::Failure(reason),
        };
        Disk::real().private().replace(&file, &serde_json::to_vec(&outcome).expect("an outcome is JSON"))?;
        Ok(outcome)
    }

    fn command_for(&self, max_tokens: u32) -> Vec<String> {
        let (program, arguments) = self.command.split_first().expect("there is a command");
        let arguments = arguments.iter().map(|argument| argument.replace(MAX_TOKENS, &max_tokens.to_string()));
        [program.clone()].into_iter().chain(arguments).collect()
    }

    /// A digest of all that an answer depends on.
    fn file_name(&self, wanted: &WantedSummary) -> String {
        let asked = serde_json::to_vec(&(self.command, wanted.max_tokens, &wanted.text)).expect("texts are JSON");
        let digest = Digest::sha256(&asked);
        format!("{}.json", digest.as_str().trim_start_matches("sha256:"))
    }
}

/// What cannot be read was not kept.
fn read(file: &Path) -> Option<Outcome> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

#[cfg(test)]
mod tests;
