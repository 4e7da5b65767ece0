//! `pipelines/*.toml`: one named run each, in the words of the command line.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::language::LanguageRule;

/// A pipeline file. What it leaves out keeps its default; what it misspells is an error.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    #[serde(default)]
    pub chunk: ChunkSection,
    /// Languages of the user's own, and additions to built-in ones.
    #[serde(default)]
    pub language: Vec<LanguageRule>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkSection {
    /// Relative to the folder that holds the pipeline file.
    pub source: Option<PathBuf>,
    pub out: Option<PathBuf>,
    pub max_chunk_bytes: Option<usize>,
    pub max_file_bytes: Option<u64>,
    pub max_shard_bytes: Option<u64>,
    pub allow_secrets: Option<bool>,
}

/// What the records depend on besides the tree and the program; stands in the manifest.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChunkSettings {
    /// Whether secrets of the tree are kept as they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_secrets: bool,
    pub max_chunk_bytes: usize,
    pub max_file_bytes: u64,
    pub max_shard_bytes: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageRule>,
    /// See [`crate::chunk::Config::uid_mask`].
    #[serde(skip_serializing_if = "is_whole")]
    pub uid_mask: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot use `{path}`\n  because {reason}")]
pub struct SettingsError {
    pub path: PathBuf,
    pub reason: String,
}

impl Default for ChunkSettings {
    fn default() -> Self {
        ChunkSettings {
            allow_secrets: false,
            max_chunk_bytes: 4096,
            max_file_bytes: 8 << 20,
            max_shard_bytes: 24 << 20,
            languages: Vec::new(),
            uid_mask: u64::MAX,
        }
    }
}

impl Pipeline {
    pub fn parse(path: PathBuf, text: &str) -> Result<Self, SettingsError> {
        toml::from_str(text).map_err(|error| SettingsError { path, reason: error.to_string().trim_end().to_string() })
    }
}

fn is_whole(mask: &u64) -> bool {
    *mask == u64::MAX
}
