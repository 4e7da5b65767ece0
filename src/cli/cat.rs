//! `contextpack cat`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::{DONE, Failure, open_index, written};
use crate::record::{ALL, ArtifactType};
use crate::store::{Index, StoreError};

/// Print an artifact's records as plain JSONL, for jq, DuckDB and the like
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack cat index/chunk symbols | jq -r .qualifiedName\n  \
    contextpack cat index/chunk chunk_meta --key src/lib.rs\n  \
    contextpack cat index/chunk chunk_meta --key '[\"src/lib.rs\",0]'\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct CatArguments {
    /// The folder of one stage: index/chunk, index/graph, index/packs or index/bundles
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which records. Of chunk: files, chunk_meta, symbols, references, items, problems. Of graph: nodes, edges,
    /// evidence, coverage, problems. Of packs: context_packs, problems. Of bundles: context_bundles
    #[arg(value_name = "ARTIFACT")]
    artifact: String,
    /// Only records whose key starts so: a path, or a JSON array of the key's first parts
    #[arg(long, value_name = "K")]
    key: Option<String>,
}

pub fn run(arguments: &CatArguments) -> Result<u8, Failure> {
    if ArtifactType::named(&arguments.artifact).is_none() {
        let known = ALL.iter().map(|artifact| artifact.name).collect::<Vec<_>>().join(", ");
        return Err(Failure::other(format!("there is no artifact `{}`\n  known are {known}", arguments.artifact)));
    }
    let index = open_index(&arguments.folder)?;
    let mut out = BufWriter::new(io::stdout().lock());
    match print(&index, arguments, &mut out).and_then(|()| out.flush().map_err(Stop::Output)) {
        Ok(()) => Ok(DONE),
        Err(Stop::Output(error)) => written(Err(error)).map(|()| DONE),
        Err(Stop::Store(error)) => Err(error.into()),
    }
}

enum Stop {
    Store(StoreError),
    Output(io::Error),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Stop::Store(error)
    }
}

fn print(index: &Index, arguments: &CatArguments, out: &mut impl Write) -> Result<(), Stop> {
    let mut line_out = |line: &[u8]| out.write_all(line).and_then(|()| out.write_all(b"\n"));
    if let Some(key) = &arguments.key {
        let mut written = Ok(());
        index.find(&arguments.artifact, &key_prefix(key), |line| {
            if written.is_ok() {
                written = line_out(line);
            }
        })?;
        return written.map_err(Stop::Output);
    }
    for part in &index.artifact(&arguments.artifact)?.parts {
        index.piece(part)?.for_each_line(|line| line_out(line).map_err(Stop::Output))?;
    }
    Ok(())
}

/// A JSON array is the key's parts; anything else is its first part, a path.
fn key_prefix(key: &str) -> Vec<Value> {
    match serde_json::from_str(key) {
        Ok(Value::Array(parts)) => parts,
        _ => vec![Value::String(key.to_string())],
    }
}
