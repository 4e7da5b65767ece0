//! `contextpack frame`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::Value;

use super::pack::read_text_or_input;
use super::words::words;
use super::{DONE, Failure, REFUSED, RootArguments, print, print_json};
use crate::door::frame::{
    EXTRACTION_SCHEMA, FrameFault, FrameOptions, Synonyms, as_file, frame, language, normal, prompt, proposals,
};
use crate::pipeline::service::Secrets;
use crate::record::ErrorCode;
use crate::record::frame::{CodeOp, FrameAnswer, FrameIntent, FrameLang, Slot};
use crate::record::request::plain_reason;
use crate::record::write_line;

/// Read a change request in words: its target, trigger, issue and action
///
/// The four slots say what it is about, when it happens, what is wrong and what should be done. Rules find them in Japanese
/// and English; no model and no index is needed. Each slot has a quote, which stands
/// in the request letter by letter. What is missing decides where to look first, and how much evidence a change needs.
///
/// A model may read the request instead: --prompt prints what to ask it, --from-llm checks its answer. A value may only
/// extract from its quote: nothing added, reordered or denied. Each slot that fails is named with its reason.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_help = "Examples:\n  \
    contextpack frame \"fix the login\"\n  \
    contextpack frame \"ログイン機能直して\" --json\n  \
    contextpack frame --query-file issue.md --prompt\n  \
    contextpack frame --query-file issue.md --from-llm answer.json --fill --strict\n  \
    contextpack frame synonyms --repo .\n\n\
    Exit code: 0 done, 1 done, but --strict refuses slots that were rejected, 2 could not run.")]
pub struct FrameArguments {
    #[command(subcommand)]
    command: Option<FrameCommand>,
    /// The request; - is standard input
    #[arg(value_name = "TEXT", required_unless_present = "query_file")]
    text: Option<String>,
    /// Read the request from FILE; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    query_file: Option<PathBuf>,
    /// What the user said later; quotes may stand in it too. May be given several times
    #[arg(long, value_name = "TEXT")]
    said: Vec<String>,
    /// Check what a model extracted, a JSON file of the form that --prompt prints; - is standard input
    #[arg(long, value_name = "FILE")]
    from_llm: Option<PathBuf>,
    /// Let the rules fill the slots that the model left
    #[arg(long, requires = "from_llm")]
    fill: bool,
    /// What is asked for [default: by the words of the request]
    #[arg(long, value_name = "INTENT", value_parser = words::<FrameIntent>())]
    intent: Option<FrameIntent>,
    /// The language of hints and of the prompt [default: that of the request]
    #[arg(long, value_name = "LANG", value_parser = words::<FrameLang>())]
    lang: Option<FrameLang>,
    /// Print what a model is asked, and the JSON Schema of its answer
    #[arg(long, conflicts_with_all = ["from_llm", "strict"])]
    prompt: bool,
    /// Exit with 1 if a slot was rejected
    #[arg(long)]
    strict: bool,
    /// Print JSON on one line
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum FrameCommand {
    Synonyms(SynonymArguments),
}

/// Propose synonyms: Japanese words of comments and texts, with the names that are defined beside them
///
/// Prints a file of synonyms. A proposal counts for nothing until somebody puts it into the tree's own file.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack frame synonyms --repo .\n  \
    contextpack frame synonyms --out synonyms.toml\n\n\
    Exit code: 0 done, 2 could not run.")]
struct SynonymArguments {
    #[command(flatten)]
    root: RootArguments,
    /// Write the proposals to FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Use the index as it is
    #[arg(long)]
    no_refresh: bool,
}

fn synonyms(arguments: &SynonymArguments) -> Result<u8, Failure> {
    let root = arguments.root.find_fresh_for_reader("frame", arguments.no_refresh)?;
    let source = arguments.root.packs("frame", &root, 0, Secrets::Configured, arguments.no_refresh)?;
    let found = source.browse(|view| Ok(proposals(view, &Synonyms::default())?));
    let found = found.map_err(|error| Failure::from(error).with_code())??;
    if let Some(out) = &arguments.out {
        std::fs::write(out, as_file(&found)).map_err(Failure::writing(out))?;
    }
    match (arguments.json, &arguments.out) {
        (true, _) => print_json(&found)?,
        (false, None) => print(&as_file(&found))?,
        (false, Some(_)) => {}
    }
    Ok(DONE)
}

pub fn run(arguments: &FrameArguments) -> Result<u8, Failure> {
    if let Some(FrameCommand::Synonyms(arguments)) = &arguments.command {
        return synonyms(arguments);
    }
    let query = query(arguments)?;
    if arguments.prompt {
        return print_prompt(arguments, &query);
    }
    let extraction = arguments.from_llm.as_deref().map(extraction).transpose()?;
    let options = FrameOptions {
        said: &arguments.said,
        intent: arguments.intent,
        lang: arguments.lang,
        extraction: extraction.as_ref(),
        fill: arguments.fill,
    };
    let answer = frame(&query, &options)?;
    print(&if arguments.json { line(&answer) } else { in_words(&answer) })?;
    Ok(if arguments.strict && !answer.frame.rejected.is_empty() { REFUSED } else { DONE })
}

fn query(arguments: &FrameArguments) -> Result<String, Failure> {
    let file = arguments.query_file.as_deref();
    let input = Path::new("-");
    let file = file.or((arguments.text.as_deref() == Some("-")).then_some(input));
    if file == Some(input) && arguments.from_llm.as_deref() == Some(input) {
        let message = "the request and the extraction cannot both be standard input";
        return Err(Failure::coded(ErrorCode::BadRequest, message));
    }
    match file {
        Some(file) => read_text_or_input(file),
        None => Ok(arguments.text.clone().unwrap_or_default()),
    }
}

fn extraction(path: &Path) -> Result<Value, Failure> {
    let unusable = |error| format!("cannot use `{}`\n  because {}", path.display(), plain_reason(&error));
    serde_json::from_str(&read_text_or_input(path)?)
        .map_err(|error| Failure::coded(ErrorCode::BadRequest, unusable(error)))
}

fn print_prompt(arguments: &FrameArguments, query: &str) -> Result<u8, Failure> {
    if query.trim().is_empty() {
        return Err(FrameFault::Empty.into());
    }
    let query = normal(query);
    let text = prompt(&query, arguments.lang.unwrap_or_else(|| language(&query)));
    if arguments.json {
        let schema: Value = serde_json::from_str(EXTRACTION_SCHEMA).expect("the built-in schema is JSON");
        print(&line(&serde_json::json!({ "prompt": text, "schema": schema })))?;
    } else {
        print(&format!("{text}\nJSON Schema:\n{EXTRACTION_SCHEMA}"))?;
    }
    Ok(DONE)
}

/// Canonical JSON, for programs.
fn line(value: &impl serde::Serialize) -> String {
    let mut line = Vec::new();
    write_line(value, &mut line);
    String::from_utf8(line).expect("JSON is UTF-8")
}

fn in_words(answer: &FrameAnswer) -> String {
    let (frame, routing) = (&answer.frame, &answer.routing);
    let mut text = String::new();
    for slot in Slot::ALL {
        let said = match (frame.slot(slot), frame.slot_quotes.get(&slot)) {
            (Some(value), Some(quote)) => format!("{}  ({}, {})", indented(value), quote.rule, quote.confidence),
            _ => "-".to_string(),
        };
        let _ = writeln!(text, "{:<18}{said}", slot.name());
    }
    for rejection in &frame.rejected {
        let value = rejection.value.as_deref().map(|value| format!(" `{}`", indented(value))).unwrap_or_default();
        let detail = if rejection.detail.is_empty() { String::new() } else { format!(": {}", rejection.detail) };
        let _ = writeln!(text, "rejected          {}{value}, {}{detail}", rejection.slot, word(&rejection.reason));
    }
    let rules = routing.risk_rules.iter().map(word).collect::<Vec<_>>().join(", ");
    let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
    let _ = writeln!(text, "intent            {}", word(&answer.intent));
    let _ = writeln!(text, "risk              {}{rules}", word(&routing.risk_level));
    let tools = routing.initial_tools.iter().map(|tool: &CodeOp| tool.name()).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "start with        {tools}");
    for hint in &routing.guidance.hints {
        let _ = writeln!(text, "{:<18}{} {}", hint.slot.name(), hint.hint, hint.action);
    }
    text
}

/// Further lines stand below the first.
fn indented(value: &str) -> String {
    value.replace('\n', "\n                  ")
}

/// An enumeration's value as it is written in JSON.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_string)).unwrap_or_default()
}

impl From<FrameFault> for Failure {
    fn from(fault: FrameFault) -> Self {
        Failure::coded(fault.code(), fault)
    }
}
