//! `contextpack graph`.

use std::path::PathBuf;

use clap::Args;

use super::root::pipeline;
use super::{DONE, Failure, RunArguments, print_json, say, waiting, write_timings};
use crate::pipeline::{Disk, GraphStage, GraphSummary, Pipeline, operator_flag, run_graph};
use crate::record::Coverage;
use crate::record::pack::ReferenceReceipt;
use crate::text::shell_word;

/// Resolve the references of the chunks into a graph of nodes and edges
///
/// Reads `INDEX/chunk` and writes `nodes`, `edges`, `evidence`, `coverage` and `problems` below
/// `INDEX/graph`. Every edge has a tier (how it was resolved), a confidence and evidence. Unresolved references are
/// counted per language.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack graph --index index\n  \
    contextpack graph --index index --scip index.scip\n  \
    contextpack cat index/graph coverage\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct GraphArguments {
    /// The directory that holds `chunk/` [default: that of contextpack.toml, or index]
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// SCIP index to use; overrides built-in resolution. May be given several times [default: those of
    /// contextpack.toml, without --index]
    #[arg(long, value_name = "FILE")]
    scip: Vec<PathBuf>,
    /// About how large one shard is, uncompressed [default: 16777216]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1024..))]
    max_shard_bytes: Option<u64>,
    #[command(flatten)]
    run: RunArguments,
}

pub fn run(arguments: &GraphArguments) -> Result<u8, Failure> {
    let stage = stage(arguments)?;
    let waiting = waiting("graph", &stage.index, arguments.run.quiet);
    let summary = run_graph(&stage, Disk::real(), arguments.run.when_locked(&waiting))?;
    if let Some(path) = &arguments.run.timings {
        let timings = &summary.timings;
        let phases =
            [("read", timings.read), ("resolve", timings.resolve), ("write", timings.write), ("total", timings.total)];
        write_timings(path, "graph", &phases)?;
    }
    if arguments.run.json {
        print_json(&made(&summary))?;
    }
    if !arguments.run.quiet {
        say(report(&stage, &summary).trim_end());
    }
    Ok(DONE)
}

fn stage(arguments: &GraphArguments) -> Result<GraphStage, Failure> {
    let mut pipeline = match &arguments.index {
        // An index that is named is not configured by the contextpack.toml of the current directory.
        Some(index) => Pipeline { index: index.clone(), ..Pipeline::default() },
        None => pipeline("graph", None, arguments.run.quiet)?,
    };
    if !arguments.scip.is_empty() {
        pipeline.graph.scip.clone_from(&arguments.scip);
    }
    pipeline.graph.max_shard_bytes = arguments.max_shard_bytes.or(pipeline.graph.max_shard_bytes);
    Ok(pipeline.graph_stage(arguments.run.jobs))
}

/// What the run did, for programs.
fn made(summary: &GraphSummary) -> serde_json::Value {
    serde_json::json!({
        "indexSignature": summary.manifest.index_signature,
        "upToDate": summary.kept,
        "nodes": summary.nodes,
        "edges": summary.edges,
        "problems": summary.problems,
        "coverage": summary.coverage,
    })
}

fn report(stage: &GraphStage, summary: &GraphSummary) -> String {
    let mut text =
        format!("graph: {} nodes, {} edges, seen in {} chunks\n", summary.nodes, summary.edges, summary.evidence);
    for (language, sum) in Coverage::by_language(&summary.coverage) {
        let ReferenceReceipt { ambiguous, external, resolved, unresolved } = sum;
        text += &format!(
            "graph: {language}: {resolved} resolved, {ambiguous} ambiguous, {external} external, {unresolved} unresolved\n"
        );
    }
    if summary.problems > 0 {
        let folder = stage.index.join("graph");
        text += &format!(
            "graph: {} problems (see `contextpack cat {} problems{}`)\n",
            summary.problems,
            shell_word(&folder),
            operator_flag(&summary.manifest)
        );
    }
    let done = if summary.kept { "is up to date" } else { "written" };
    let signature = &summary.manifest.index_signature;
    let seconds = summary.timings.total.as_secs_f64();
    text + &format!("graph: `{}` {done}, {signature}, in {seconds:.2} s\n", stage.index.join("graph").display())
}
