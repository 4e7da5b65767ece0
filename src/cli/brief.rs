//! `contextpack brief`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::brief_report;
use super::progress::Bar;
use super::root::NoteArguments;
use super::words::words;
use super::{DONE, Failure, REFUSED, RootArguments, numbers, print, print_json, say, waiting};
use crate::cli::pack::read_text;
use crate::door::brief::{Brief, BriefQuery, LensChoice, Lenses, brief_id, json};
use crate::pipeline::service::{Root, Secrets};
use crate::pipeline::{
    BRIEFS, BriefError, BriefSource, BriefStage, Disk, Requests, StoredAnswers, WhenLocked, read_brief, run_briefs,
};
use crate::record::ErrorCode;
use crate::record::brief::{BriefId, BriefRequest, ContextBrief};
use crate::record::request::plain_reason;
use crate::record::{Artifact as _, Date};
use crate::text::{Tokenizer, counted, shell_word};

/// Print everything relevant about a topic of your notes, within a token budget
///
/// Finds the notes that the topic means (an id, `#tag`, a title or alias, else words), walks from them along the edges of a
/// lens, ranks what it reaches by distance and recency, and prints as much as fits: the best notes with their fields and
/// text, the rest by name. Notes are Obsidian vaults, Logseq graphs, Tana exports and `nodes.jsonl`; the tree may hold code
/// too. The index is built or brought up to date first. The same notes and topic give the same bytes on every machine: ages
/// are counted from --as-of, else from the date of the source, else from the newest note.
///
/// Lenses: general (breadth), writing (text), coding (technical detail, with the code that notes name), planning (goals, tasks,
/// dates), meeting-prep (people and actions). Own lenses are tables [lens.NAME] of contextpack.toml or of --lens-file.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack brief \"SOC Defender\" --repo .\n  \
    contextpack brief \"SOC Defender\" --lens meeting-prep --depth 3 --max-tokens 8000\n  \
    contextpack brief \"SOC Defender\" --with \"Ada Lovelace\" --format json\n  \
    contextpack brief \"#project\" --lens planning --include-fields=false\n  \
    contextpack brief \"SOC Defender\" --since monday.json      # an earlier brief, made with --json\n  \
    contextpack brief --list-lenses\n\n\
    Exit code: 0 done, 1 nothing found, 2 could not run.")]
pub struct BriefArguments {
    /// The topic: an id, a path, #tag, a title or alias, `Title#Heading`, or words
    #[arg(value_name = "TOPIC", required_unless_present_any = ["requests", "list_lenses"])]
    topic: Option<String>,
    /// Another topic; what lies near both is lifted. May be given several times
    #[arg(long, value_name = "TOPIC", conflicts_with_all = ["requests", "list_lenses"])]
    with: Vec<String>,
    #[command(flatten)]
    root: RootArguments,
    #[command(flatten)]
    notes: NoteArguments,
    /// Only notes of this directory or file of the tree
    #[arg(long = "in", value_name = "PATH")]
    within: Option<String>,
    /// Which edges to follow, which tags to lift, which fields to show [default: general]
    #[arg(long, value_name = "NAME")]
    lens: Option<String>,
    /// A TOML file with tables [lens.NAME]
    #[arg(long, value_name = "FILE")]
    lens_file: Option<PathBuf>,
    /// How many edges to follow, from 0 to 5 [default: 2]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// The most tokens that the brief may have as markdown, such as 4000 or 4k; below 500 it has names only [default: 4000]
    #[arg(long, value_name = "N", value_parser = numbers::tokens)]
    max_tokens: Option<u32>,
    /// Whether to show fields; their links are followed anyway [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    include_fields: Option<bool>,
    /// How to print it
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Output::Markdown)]
    format: Output,
    /// Short for --format json; with --write, --requests or --list-lenses, print what was done as JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// The tokenizer that counts [default: o200k_base]
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    tokenizer: Option<Tokenizer>,
    /// The day that ages are counted from, such as 2026-02-20
    #[arg(long, value_name = "DATE", value_parser = date)]
    as_of: Option<Date>,
    /// Say what has changed since an earlier brief: its JSON file, or the id that --write printed
    #[arg(long, value_name = "FILE|ID", conflicts_with = "requests")]
    since: Option<String>,
    /// Leave out what has not changed, except the topic
    #[arg(long, requires = "since")]
    changed_only: bool,
    /// Explain on standard error how each node was reached and scored
    #[arg(long, conflicts_with = "requests")]
    explain: bool,
    /// Store the brief in `briefs/` of the index, and print its id instead
    #[arg(long, conflicts_with_all = ["requests", "explain"])]
    write: bool,
    /// Many requests, one JSON object per line such as {"query": "SOC Defender", "lens": "planning"}; their briefs are
    /// written to `briefs/` of the index
    #[arg(long, value_name = "FILE", conflicts_with = "topic")]
    requests: Option<PathBuf>,
    /// Write the briefs of --requests to DIR instead
    #[arg(long, value_name = "DIR", requires = "requests")]
    out: Option<PathBuf>,
    /// List the lenses with their values
    #[arg(long, conflicts_with_all = ["requests", "topic"])]
    list_lenses: bool,
    /// Use the index as it is, and report whether the notes have changed since
    #[arg(long)]
    no_refresh: bool,
    /// Number of threads; 0 = one per core. The output does not depend on it
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = numbers::jobs, allow_negative_numbers = true)]
    jobs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    Json,
    Markdown,
}

fn date(text: &str) -> Result<Date, String> {
    Date::try_from(text.to_string()).map_err(|error| error.to_string())
}

pub fn run(arguments: &BriefArguments) -> Result<u8, Failure> {
    let root = arguments.notes.on(arguments.root.find("brief")?);
    let root = arguments.root.seen(root, arguments.no_refresh)?;
    let lenses = lenses(arguments, &root)?;
    if arguments.list_lenses {
        return list_lenses(arguments, &lenses);
    }
    if let Some(path) = &arguments.requests {
        return batch(arguments, &root, &lenses, path);
    }
    let earlier = arguments.since.as_deref().map(|since| earlier(since, &root)).transpose()?;
    let request = query(arguments, earlier.as_ref()).resolve(&lenses).map_err(BriefError::from)?;
    request.check().map_err(BriefError::from)?;
    let source = source(arguments, &root)?;
    if arguments.write {
        return keep(arguments, &root, &source, request, earlier);
    }
    let brief = source.brief(&request, earlier.as_ref())?;
    let Brief { record, markdown } = &brief;
    let printed = if arguments.output() == Output::Json { json(record) } else { markdown.clone() };
    print(&printed)?;
    if arguments.explain {
        say(brief_report::explained(record).trim_end());
    }
    if !arguments.root.quiet {
        let size = (arguments.output() == Output::Json).then(|| record.request.tokenizer.count(&printed));
        say(brief_report::closing(record, size, root.index()).trim_end());
    }
    Ok(if record.is_found() { DONE } else { REFUSED })
}

/// The built-in lenses, those of contextpack.toml, and those of a file.
fn lenses(arguments: &BriefArguments, root: &Root) -> Result<Lenses, Failure> {
    let mut lenses = root.lenses();
    if let Some(file) = &arguments.lens_file {
        let unusable = |fault| format!("cannot use `{}`\n  because {fault}", file.display());
        let added = lenses.add_file(&read_text(file)?);
        added.map_err(|fault| Failure::coded(ErrorCode::BadRequest, unusable(fault)))?;
    }
    Ok(lenses)
}

fn list_lenses(arguments: &BriefArguments, lenses: &Lenses) -> Result<u8, Failure> {
    let all = lenses.all().map_err(BriefError::from)?;
    match arguments.json {
        true => print_json(&all.iter().map(|entry| &entry.lens).collect::<Vec<_>>())?,
        false => print(&brief_report::lenses(&all))?,
    }
    Ok(DONE)
}

fn query(arguments: &BriefArguments, earlier: Option<&ContextBrief>) -> BriefQuery {
    BriefQuery {
        as_of: arguments.as_of.clone(),
        changed_only: arguments.changed_only,
        depth: arguments.depth,
        include_fields: arguments.include_fields,
        lens: arguments.lens.clone().map(LensChoice::Name),
        max_tokens: arguments.max_tokens,
        query: arguments.topic.clone(),
        since: earlier.map(|earlier| earlier.brief_id.clone()),
        tokenizer: arguments.tokenizer.unwrap_or_default(),
        topics: Vec::new(),
        with: arguments.with.clone(),
        within: arguments.within.clone(),
    }
}

/// An earlier brief: by its id in `briefs/` of the index, else a file.
fn earlier(since: &str, root: &Root) -> Result<ContextBrief, Failure> {
    if let Ok(id) = BriefId::try_from(since.to_string()) {
        let folder = root.index().join(BRIEFS);
        let missing = || format!("`{}` holds no brief `{id}`\n  hint: --write stores one", folder.display());
        return read_brief(root.index(), &id, root.access())?
            .ok_or_else(|| Failure::coded(ErrorCode::NotFound, missing()));
    }
    let text = read_text(Path::new(since))?;
    let no_brief = |error| format!("`{since}` is not a brief\n  because {}", plain_reason(&error));
    serde_json::from_str(&text).map_err(|error| Failure::coded(ErrorCode::BadRequest, no_brief(error)))
}

/// The notes of the index, brought up to date where a tree is given.
fn source(arguments: &BriefArguments, root: &Root) -> Result<BriefSource, Failure> {
    let packs = arguments.root.packs("brief", root, arguments.jobs, Secrets::Configured, arguments.no_refresh)?;
    Ok(BriefSource::new(Arc::new(packs)))
}

/// Stores one brief beside what is there.
fn keep(
    arguments: &BriefArguments,
    root: &Root,
    source: &BriefSource,
    request: BriefRequest,
    earlier: Option<ContextBrief>,
) -> Result<u8, Failure> {
    let id = brief_id(source.packs().signature(), &request);
    let stage = BriefStage { out: root.index().join(BRIEFS), keep: true, jobs: arguments.jobs };
    store(arguments, &stage, source, &Requests::one(request), earlier)?;
    match arguments.json {
        true => {
            print_json(&serde_json::json!({ "briefId": id, "artifact": format!("{BRIEFS}/{}", ContextBrief::NAME) }))?
        }
        false => print(&format!("{id}\n"))?,
    }
    Ok(DONE)
}

fn batch(arguments: &BriefArguments, root: &Root, lenses: &Lenses, path: &Path) -> Result<u8, Failure> {
    let requests = Requests::of_briefs(path, &read_text(path)?, lenses);
    let source = source(arguments, root)?;
    let out = arguments.out.clone().unwrap_or_else(|| root.index().join(BRIEFS));
    let stage = BriefStage { out, keep: false, jobs: arguments.jobs };
    let stored = store(arguments, &stage, &source, &requests, None)?;
    let StoredAnswers { manifest, answers, cached, problems } = &stored;
    let signature = &manifest.index_signature;
    if arguments.json {
        let refused = problems.len();
        print_json(
            &serde_json::json!({ "briefs": answers, "known": cached, "refused": refused, "indexSignature": signature }),
        )?;
    }
    if !arguments.root.quiet {
        let (briefs, refused) = (counted(*answers as usize, "brief"), counted(problems.len(), "request"));
        say(&format!("brief: {briefs}, {cached} of them known, {refused} refused"));
        for problem in problems.iter().take(MAX_SAID) {
            let line = problem.lines.map_or(0, |lines| lines.start);
            say(&format!("brief: line {line} of `{}`: {}", path.display(), problem.message));
        }
        say(&format!("brief: `contextpack cat {} {}` prints them", shell_word(&stage.out), ContextBrief::NAME));
    }
    Ok(if problems.is_empty() { DONE } else { REFUSED })
}

/// How many refused requests of a batch are named.
const MAX_SAID: usize = 10;

fn store(
    arguments: &BriefArguments,
    stage: &BriefStage,
    source: &BriefSource,
    requests: &Requests<BriefRequest>,
    earlier: Option<ContextBrief>,
) -> Result<StoredAnswers, Failure> {
    let bar = Bar::counting(arguments.root.quiet, "briefs", requests.all.len() as u64);
    let waiting = waiting("brief", &stage.out, arguments.root.quiet);
    let (disk, when_locked) = (Disk::real(), WhenLocked::Wait(&waiting));
    let stored = run_briefs(stage, source, requests, earlier, disk, when_locked, &|count| bar.advance(count));
    bar.finish();
    Ok(stored?)
}

impl BriefArguments {
    fn output(&self) -> Output {
        if self.json { Output::Json } else { self.format }
    }
}
