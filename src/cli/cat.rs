//! `contextpack cat`.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::{DONE, Failure, written};
use crate::pipeline::open_stage;
use crate::record::{ALL, ArtifactType};

/// Print an artifact's records as plain JSONL, for jq, DuckDB and the like
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack cat index/chunk symbols | jq -r .qualifiedName\n  \
    contextpack cat index/chunk chunk_meta --key src/lib.rs\n  \
    contextpack cat index/chunk chunk_meta --key '[\"src/lib.rs\",0]'\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct CatArguments {
    /// The directory of one stage: index/chunk, index/graph, index/packs or index/bundles
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
    let index = open_stage(&arguments.folder)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let print = |line: &[u8]| out.write_all(line).and_then(|()| out.write_all(b"\n")).map_err(Failure::Output);
    let printed = match &arguments.key {
        Some(key) => index.find(&arguments.artifact, &key_prefix(key), print),
        None => index.for_each_line(&arguments.artifact, print),
    };
    match printed.and_then(|()| out.flush().map_err(Failure::Output)) {
        // The reader may have stopped reading.
        Err(Failure::Output(error)) => written(Err(error)).map(|()| DONE),
        printed => printed.map(|()| DONE),
    }
}

/// A JSON array is the key's parts; anything else is its first part, a path.
fn key_prefix(key: &str) -> Vec<Value> {
    match serde_json::from_str(key) {
        Ok(Value::Array(parts)) => parts,
        _ => vec![Value::String(key.to_string())],
    }
}
