//! `contextpack pack`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::pack_scope::ScopeArguments;
use super::progress::Bar;
use super::root::NoteArguments;
use super::words::{words, words_with_help};
use super::{DONE, Failure, REFUSED, RootArguments, numbers, pack_report, print, print_json, say, waiting};
use crate::door::pack::{Format, json, pack, pack_id, render};
use crate::pipeline::service::{Root, Secrets};
use crate::pipeline::{
    Disk, PackSource, PackStage, PackSummary, Requests, StoreError, WhenLocked, operator_flag, read_pack, run_packs,
};
use crate::record::pack::ContextPack;
use crate::record::request::{Intent, Layout, PackRequest, RequestFault, plain_reason};
use crate::record::{ErrorCode, is_hex};
use crate::text::{Tokenizer, counted, shell_word};

/// Answer a question with the relevant code, within a token budget
///
/// Finds the chunks that match the query, walks the graph around them, and prints as many as fit the token budget,
/// best first. The index is built or brought up to date first, with the
/// settings of contextpack.toml, or else those that it was built with. With --index and no --repo it is used as it is,
/// and the tree is called after the nearest directory above the index that has contextpack.toml or .git, or else after
/// the directory that holds the index.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack pack --repo . --query \"where are budgets enforced?\"\n  \
    contextpack pack \"where are budgets enforced?\" --max-tokens 2000\n  \
    contextpack pack --query-file issue.md --max-tokens 4000 --format xml\n  \
    contextpack pack \"where are budgets enforced?\" --path src --no-tests --max-tokens 2k\n  \
    contextpack pack \"where are budgets enforced?\" --focus src/lib.rs\n  \
    contextpack pack --index index --focus src/main.rs --intent impact --json\n\n\
    Exit code: 0 done, 1 done, but --strict refuses the requests of a batch that failed, 2 could not run.")]
pub struct PackArguments {
    /// The question; - reads it from standard input
    #[arg(value_name = "QUERY")]
    question: Option<String>,
    #[command(flatten)]
    pub(super) root: RootArguments,
    #[command(flatten)]
    notes: NoteArguments,
    /// The same as QUERY
    #[arg(long, value_name = "TEXT", conflicts_with = "question")]
    query: Option<String>,
    /// Read the question from FILE; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "query"])]
    query_file: Option<PathBuf>,
    /// A whole request as JSON; options given here override it
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
    /// Many requests, one JSON object per line; their packs are written to `packs/` of the index
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "query", "query_file", "request", "focus", "not_in", "read"])]
    requests: Option<PathBuf>,
    /// Store the pack in `packs/` of the index, and print its id instead
    #[arg(long)]
    write: bool,
    /// Print the stored pack with this id
    #[arg(long, value_name = "ID", num_args = 0..=1, conflicts_with_all = ["question", "write"])]
    read: Option<Option<String>>,
    /// The same as --read ID
    #[arg(long, value_name = "ID", requires = "read")]
    pack_id: Option<String>,
    /// What the pack is for [default: answer]
    #[arg(long, value_name = "INTENT", value_parser = words_with_help(Intent::ALL.map(|intent| (intent, intent.help()))))]
    intent: Option<Intent>,
    #[command(flatten)]
    scope: ScopeArguments,
    /// The largest number of tokens that the rendered pack may have, such as 8000 or 8k [default: 8000]
    #[arg(long, value_name = "N", value_parser = numbers::tokens)]
    max_tokens: Option<u32>,
    /// The tokenizer that counts [default: o200k_base]
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    tokenizer: Option<Tokenizer>,
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Output::Markdown)]
    /// How to print it
    format: Output,
    /// How the text is arranged: by file, or one excerpt per item in the order of rank [default: files]
    #[arg(long, value_name = "LAYOUT", value_parser = words::<Layout>())]
    layout: Option<Layout>,
    /// Short for --format json; with --write or --requests, print a summary as JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Explain on standard error why each item is in the pack; `features` adds the numbers behind the ranking
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "words")]
    explain: Option<Explanation>,
    /// Use the index as it is, and report whether the tree has changed since
    #[arg(long)]
    no_refresh: bool,
    /// Index secrets of the tree as they are; by default placeholders replace them
    #[arg(long, conflicts_with = "no_refresh")]
    allow_secrets: bool,
    /// Exit with 1 when a request of a batch is refused
    #[arg(long, requires = "requests")]
    strict: bool,
    /// Number of threads; 0 = one per core. The output does not depend on it
    #[arg(long, short, value_name = "N", default_value_t = 0, value_parser = numbers::jobs, allow_negative_numbers = true)]
    jobs: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Output {
    Json,
    Markdown,
    Xml,
}

/// How much `--explain` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Explanation {
    /// One line per item, in words
    Words,
    /// Also terms, edges and the points of each seed's features
    Features,
}

pub fn run(arguments: &PackArguments) -> Result<u8, Failure> {
    let root = arguments.notes.on(arguments.root.find("pack")?);
    let root = arguments.root.seen(root, arguments.no_refresh)?;
    if let Some(path) = &arguments.requests {
        return batch(arguments, &root, path);
    }
    if let Some(id) = &arguments.read {
        return read(arguments, &root, id.as_ref().or(arguments.pack_id.as_ref()));
    }
    let request = request(arguments, &root)?;
    request.check().map_err(refusal)?;
    let source = source(arguments, &root)?;
    source.check(&request).map_err(coded)??;
    if arguments.write {
        return keep(arguments, &root, &source, request);
    }
    let pack = source.with(|view| pack(view, &request)).map_err(coded)?;
    print(&printed(&pack, arguments.output()))?;
    match arguments.explain {
        None => {}
        Some(Explanation::Words) => say(pack_report::explained(&pack).trim_end()),
        Some(Explanation::Features) => say(pack_report::with_features(&pack).trim_end()),
    }
    if !arguments.root.quiet {
        say(&pack_report::closing(&pack, arguments.output(), &arguments.root, root.index()));
    }
    Ok(DONE)
}

/// Says how to ask if nothing was asked.
fn refusal(fault: RequestFault) -> Failure {
    match fault {
        RequestFault::Empty => Failure::coded(fault.code(), NO_QUESTION),
        fault => fault.into(),
    }
}

const NO_QUESTION: &str = "there is no question\n  \
    usage: contextpack pack [OPTIONS] [QUERY]\n  \
    hint: `contextpack pack \"where are budgets enforced?\"`, or --focus PATH for what depends on a file";

fn read(arguments: &PackArguments, root: &Root, id: Option<&String>) -> Result<u8, Failure> {
    let no_id = || Failure::other("which pack?\n  hint: give --read ID; `contextpack pack … --write` prints the id");
    let pack = kept_pack(&whole_id(id.ok_or_else(no_id)?), root)?;
    print(&printed(&pack, arguments.output()))?;
    Ok(DONE)
}

/// A pack that was kept in one of the indexes of a tree.
fn kept_pack(id: &str, root: &Root) -> Result<ContextPack, Failure> {
    let mut fault = None;
    for index in &root.indexes() {
        let hint = "an id is `pack:` and 32 hex digits, as --write prints it";
        let missing = || format!("`{}` holds no pack `{id}`\n  hint: {hint}", index.join("packs").display());
        match read_pack(index, id, root.access()) {
            Ok(Some(pack)) => return Ok(pack),
            Ok(None) => fault.get_or_insert_with(|| Failure::coded(ErrorCode::PackMissing, missing())),
            Err(error) => fault.get_or_insert_with(|| coded(error)),
        };
    }
    Err(fault.expect("there is an index to look into"))
}

/// A pack from a JSON file, or by the id under which it was kept.
pub fn stored_pack(name: &str, root: &Root) -> Result<ContextPack, Failure> {
    if name.starts_with(ID_START) || is_bare_id(name) && !Path::new(name).exists() {
        return kept_pack(&whole_id(name), root);
    }
    let text = read_text(Path::new(name))?;
    let no_pack = |error| format!("`{name}` is not a pack\n  because {}", plain_reason(&error));
    serde_json::from_str(&text).map_err(|error| Failure::coded(ErrorCode::BadRequest, no_pack(error)))
}

const ID_START: &str = "pack:";

/// An id without what it starts with, as a double click selects it.
fn is_bare_id(id: &str) -> bool {
    is_hex(id, 32)
}

fn whole_id(id: &str) -> String {
    if is_bare_id(id) { format!("{ID_START}{id}") } else { id.to_string() }
}

/// One request as a batch of one, beside what is there.
fn keep(arguments: &PackArguments, root: &Root, source: &PackSource, request: PackRequest) -> Result<u8, Failure> {
    let id = pack_id(source.signature(), &request);
    stage(arguments, root, source, &Requests::one(request), true)?;
    match arguments.json {
        true => print_json(&serde_json::json!({ "packId": id, "artifact": "packs/context_packs" }))?,
        false => print(&format!("{id}\n"))?,
    }
    Ok(DONE)
}

fn batch(arguments: &PackArguments, root: &Root, path: &Path) -> Result<u8, Failure> {
    let text = read_text(path)?;
    let source = source(arguments, root)?;
    let summary =
        stage(arguments, root, &source, &Requests::of_packs(path, &text, |request| root.complete(request)), false)?;
    let PackSummary { packs, cached, refused, manifest, problems } = &summary;
    if arguments.json {
        let signature = &manifest.index_signature;
        print_json(
            &serde_json::json!({ "packs": packs, "known": cached, "refused": refused, "indexSignature": signature }),
        )?;
    }
    if !arguments.root.quiet {
        let folder = root.index().join("packs");
        let (packs, refused) = (counted(*packs as usize, "pack"), counted(*refused as usize, "request"));
        say(&format!("pack: {packs}, {cached} of them known, {refused} refused"));
        for problem in problems.iter().take(MAX_SAID) {
            let line = problem.lines.map_or(0, |lines| lines.start);
            say(&format!("pack: line {line} of `{}`: {}", path.display(), problem.message));
        }
        if problems.len() > MAX_SAID {
            let flag = operator_flag(manifest);
            say(&format!("pack: for the rest see `contextpack cat {} problems{flag}`", shell_word(&folder)));
        }
        say(&format!("pack: `{}` is {}", folder.display(), manifest.index_signature));
    }
    Ok(if summary.refused > 0 && arguments.strict { REFUSED } else { DONE })
}

/// How many refused requests of a batch are named.
const MAX_SAID: usize = 10;

fn stage(
    arguments: &PackArguments,
    root: &Root,
    source: &PackSource,
    requests: &Requests<PackRequest>,
    keep: bool,
) -> Result<PackSummary, Failure> {
    let stage = PackStage { keep, jobs: arguments.jobs, index: root.index().to_path_buf() };
    let bar = Bar::counting(arguments.root.quiet, "packs", requests.all.len() as u64);
    let waiting = waiting("pack", root.index(), arguments.root.quiet);
    let watch = |count| bar.advance(count);
    let summary = run_packs(&stage, source, requests, Disk::real(), WhenLocked::Wait(&waiting), &watch);
    bar.finish();
    Ok(summary?)
}

impl PackArguments {
    fn output(&self) -> Output {
        if self.json { Output::Json } else { self.format }
    }
}

fn printed(pack: &ContextPack, output: Output) -> String {
    match output {
        Output::Json => json(pack),
        Output::Markdown => render(pack, Format::Markdown),
        Output::Xml => render(pack, Format::Xml),
    }
}

/// With the code that scripts compare.
fn coded(error: StoreError) -> Failure {
    Failure::from(error).with_code()
}

pub(super) fn request(arguments: &PackArguments, root: &Root) -> Result<PackRequest, Failure> {
    let query = asked(arguments)?;
    let known = arguments.scope.known_packs(root)?;
    let mut request = match (&arguments.request, known.first()) {
        (Some(path), _) => read_request(path)?,
        (None, Some(pack)) if query.is_none() && arguments.scope.focus.is_empty() => pack.request.clone(),
        (None, _) => PackRequest::default(),
    };
    request.query = query.unwrap_or(request.query);
    request.intent = arguments.intent.unwrap_or(request.intent);
    request.layout = arguments.layout.unwrap_or(request.layout);
    request.tokenizer = arguments.tokenizer.unwrap_or(request.tokenizer);
    if let Some(tokens) = arguments.max_tokens {
        request.budgets = request.budgets.with_tokens(tokens);
    }
    arguments.scope.add_to(&mut request, root, &known)?;
    root.complete(&mut request);
    Ok(request)
}

fn read_request(path: &Path) -> Result<PackRequest, Failure> {
    let unusable = |reason| format!("cannot use `{}`\n  because {reason}", path.display());
    PackRequest::read(&read_text(path)?).map_err(|reason| Failure::coded(ErrorCode::BadRequest, unusable(reason)))
}

/// The question, however it was given.
fn asked(arguments: &PackArguments) -> Result<Option<String>, Failure> {
    if let Some(folder) = arguments.question.as_deref().filter(|question| is_folder(question)) {
        let hint = format!("hint: `contextpack pack --repo {folder} --query \"…\"`");
        return Err(Failure::other(format!("`{folder}` is a directory, not a query\n  {hint}")));
    }
    let is_standard_input = arguments.question.as_deref() == Some("-");
    match arguments.query_file.as_deref().or(is_standard_input.then_some(Path::new("-"))) {
        None => Ok(arguments.question.clone().or_else(|| arguments.query.clone())),
        Some(path) => read_text_or_input(path).map(Some),
    }
}

/// Written as a path, not as a word that happens to be a folder's name.
fn is_folder(question: &str) -> bool {
    (question.starts_with('.') || question.contains('/')) && Path::new(question).is_dir()
}

pub fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(Failure::reading(path))
}

/// A file, or standard input if it is `-`.
pub fn read_text_or_input(path: &Path) -> Result<String, Failure> {
    if path.as_os_str() != "-" {
        return read_text(path);
    }
    let unreadable = |error| Failure::other(format!("cannot read standard input\n  because {error}"));
    std::io::read_to_string(std::io::stdin()).map_err(unreadable)
}

/// The index, built or brought up to date where a tree is given.
fn source(arguments: &PackArguments, root: &Root) -> Result<PackSource, Failure> {
    let secrets = if arguments.allow_secrets { Secrets::Keep } else { Secrets::Configured };
    arguments.root.packs("pack", root, arguments.jobs, secrets, arguments.no_refresh)
}
