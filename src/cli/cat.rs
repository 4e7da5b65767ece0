//! `contextpack cat`.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde_json::Value;

use super::root::ReaderArguments;
use super::{DONE, Failure, say, written};
use crate::pipeline::{Access, Index, StoreError, holds_payloads, open_stage, stages};
use crate::record::workspace::StoredPayload;
use crate::record::{ALL, Artifact as _, ArtifactType, Audience, Principal, Reader};

/// Print an artifact's records as plain JSONL, for jq, DuckDB and the like
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack cat index symbols | jq -r .qualifiedName\n  \
    contextpack cat index/chunk chunk_meta --key src/lib.rs\n  \
    contextpack cat index/chunk chunk_meta --key '[\"src/lib.rs\",0]'\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct CatArguments {
    /// The directory of an index, or of one stage: index/chunk, index/graph, index/packs, index/bundles or
    /// index/briefs
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which records. Of chunk: files, chunk_meta, symbols, references, items, problems. Of graph: nodes, edges,
    /// evidence, coverage, problems. Of packs: context_packs, problems. Of bundles: context_bundles. Of briefs:
    /// context_briefs, problems. Of payloads: context_payloads, problems. Logs of sessions (session_events) are no index
    #[arg(value_name = "ARTIFACT")]
    artifact: String,
    /// Only records whose key starts so: a path, or a JSON array of the key's first parts
    #[arg(long, value_name = "K")]
    key: Option<String>,
    #[command(flatten)]
    reader: ReaderArguments,
}

pub fn run(arguments: &CatArguments) -> Result<u8, Failure> {
    if ArtifactType::named(&arguments.artifact).is_none() {
        let known = ALL.iter().map(|artifact| artifact.name).collect::<Vec<_>>().join(", ");
        return Err(Failure::other(format!("there is no artifact `{}`\n  known are {known}", arguments.artifact)));
    }
    let prefix = arguments.key.as_deref().map(key_prefix).transpose()?;
    let indexes = holders(arguments)?;
    let reader = arguments.reader.reader().filter(|_| indexes.iter().any(holds_payloads));
    let mut out = BufWriter::new(io::stdout().lock());
    let mut count = 0_u64;
    let mut print = |line: &[u8]| {
        if reader.as_ref().is_some_and(|reader| !may_read(reader, line)) {
            return Ok(());
        }
        count += 1;
        out.write_all(line).and_then(|()| out.write_all(b"\n")).map_err(Failure::Output)
    };
    let printed = indexes.iter().try_for_each(|index| match &prefix {
        Some(prefix) => index.find(&arguments.artifact, prefix, &mut print),
        None => index.for_each_line(&arguments.artifact, &mut print),
    });
    match printed.and_then(|()| out.flush().map_err(Failure::Output)) {
        // The reader may have stopped reading.
        Err(Failure::Output(error)) => written(Err(error))?,
        printed => printed?,
    }
    if let (0, Some(key)) = (count, &arguments.key) {
        say(&format!("cat: no record of {} has a key that starts with `{key}`", arguments.artifact));
    }
    Ok(DONE)
}

/// The stages that have the artifact; `problems` are in several.
fn holders(arguments: &CatArguments) -> Result<Vec<Index>, Failure> {
    arguments.reader.announce("cat");
    let folder = seen(arguments)?;
    let stages = stages(&folder)?;
    let indexes = stages.iter().map(|stage| open_stage(stage)).collect::<Result<Vec<Index>, StoreError>>()?;
    indexes.iter().try_for_each(|index| check(arguments, index))?;
    let fault = indexes.iter().map(|index| index.artifact(&arguments.artifact).map(drop)).find_map(Result::err);
    let holders: Vec<Index> =
        indexes.into_iter().filter(|index| index.manifest().artifact(&arguments.artifact).is_some()).collect();
    match fault {
        Some(fault) if holders.is_empty() => Err(fault.into()),
        _ => Ok(holders),
    }
}

/// Payloads name their readers, so they need no view. What else lies beside them is for operators.
fn check(arguments: &CatArguments, index: &Index) -> Result<(), StoreError> {
    let is_reader = matches!(arguments.reader.reader(), Some(Reader::As(_)));
    match holds_payloads(index) && is_reader {
        true if arguments.artifact == StoredPayload::NAME => Ok(()),
        true => Access::Everyone.check(index),
        false => arguments.reader.access().check(index),
    }
}

/// Whether a record is for a reader. One whose audience cannot be read is for nobody but operators.
fn may_read(reader: &Reader, line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Line {
        #[serde(default)]
        audience: Audience,
    }
    let audience = serde_json::from_slice(line).map_or_else(|_| Audience::nobody(), |line: Line| line.audience);
    match reader {
        Reader::Operator => true,
        Reader::As(claimed) => {
            let mut all = claimed.clone();
            all.insert(Principal::public());
            audience.admits(&all)
        }
    }
}

/// The directory, or that of the view of its reader; of one stage the same stage of the view.
fn seen(arguments: &CatArguments) -> Result<PathBuf, Failure> {
    let folder = &arguments.folder;
    let Some(Reader::As(_)) = arguments.reader.reader() else { return Ok(folder.clone()) };
    if Index::open_any(folder).is_ok_and(|index| holds_payloads(&index)) {
        return Ok(folder.clone());
    }
    let stage = folder.file_name().filter(|_| folder.join("manifest.json").is_file());
    match (stage, folder.canonicalize().ok().as_deref().and_then(Path::parent)) {
        (Some(stage), Some(index)) => Ok(arguments.reader.index(index)?.join(stage)),
        _ => arguments.reader.index(folder),
    }
}

/// A JSON array is the key's parts; anything else is its first part, a path.
fn key_prefix(key: &str) -> Result<Vec<Value>, Failure> {
    let hint = "give a path, or a JSON array such as '[\"src/lib.rs\",0]'";
    let refused =
        |cause: String| Failure::other(format!("cannot use the key `{key}`\n  because {cause}\n  hint: {hint}"));
    match serde_json::from_str(key) {
        Ok(Value::Array(parts)) => Ok(parts),
        Ok(Value::Object(_)) => Err(refused("it is a JSON object".to_string())),
        Err(error) if key.starts_with('[') => Err(refused(format!("it is not a JSON array: {error}"))),
        _ => Ok(vec![Value::String(key.to_string())]),
    }
}
