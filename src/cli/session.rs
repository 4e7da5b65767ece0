//! `contextpack session`: the query frame gate on the command line.

mod hook;
mod replay;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::pack::read_text_or_input;
use super::words::words;
use super::{DONE, Failure, REFUSED, RootArguments, print, print_json};
use crate::door::frame::Synonyms;
use crate::mcp::RESERVE;
use crate::pipeline::service::{Root, Secrets};
use crate::pipeline::session::{CodeRequest, SessionError, SessionReply, SessionRequest, Sessions, Workbench};
use crate::pipeline::{Disk, PackSource};
use crate::record::ErrorCode;
use crate::record::frame::{CodeOp, FrameIntent, FrameLang};
use crate::record::session::SessionId;
use crate::text::Tokenizer;

/// Examples of a command, behind the start of a session.
macro_rules! help {
    ($($line:literal),+) => {
        concat!(
            "Examples:\n  echo \"fix the login\" | contextpack session start - --id login\n",
            $("  ", $line, "\n",)+
            "\nExit code: 0 done or allowed, 1 the answer is no, 2 could not run."
        )
    };
}

/// Walk a change request from words to a permit to write
///
/// A session starts with the request, records what its calls show, checks every claim of a submit against index and
/// tree, and says before each edit whether the file may be written. Its log is in the user's directory for state.
#[derive(Args)]
#[command(after_help = help!("contextpack session start \"fix the login\"", "contextpack session list"))]
pub struct SessionArguments {
    #[command(subcommand)]
    command: SessionCommand,
}

/// Where sessions and their tree are, and how much is printed.
#[derive(Args)]
struct Place {
    #[command(flatten)]
    root: RootArguments,
    /// The directory of the sessions [default: one for the tree in the user's directory for state]
    #[arg(long, value_name = "DIR")]
    sessions: Option<PathBuf>,
    /// The largest number of tokens of a reply, with what a client of the server would get beside the text
    #[arg(long, value_name = "N")]
    max_tokens: Option<usize>,
    /// Go on where a reply ended
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Use the index as it is
    #[arg(long)]
    no_refresh: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum SessionCommand {
    /// Start a session with a request
    #[command(after_help = help!("contextpack session start \"the export button does nothing\" --intent MODIFY"))]
    Start {
        /// The request, word for word; - is standard input
        #[arg(value_name = "TEXT")]
        text: String,
        /// What is asked for [default: by the words of the request]
        #[arg(long, value_name = "INTENT", value_parser = words::<FrameIntent>())]
        intent: Option<FrameIntent>,
        /// The language of hints [default: that of the request]
        #[arg(long, value_name = "LANG", value_parser = words::<FrameLang>())]
        lang: Option<FrameLang>,
        /// What a model extracted, a JSON file as `contextpack frame --prompt` asks for
        #[arg(long, value_name = "FILE")]
        from_llm: Option<PathBuf>,
        /// The id of the session [default: derived from the request and the index]
        #[arg(long, value_name = "ID", value_parser = session_id)]
        id: Option<SessionId>,
        #[command(flatten)]
        place: Place,
    },
    /// Print where a session stands
    #[command(after_help = help!("contextpack session show login", "contextpack session show login --decisions"))]
    Show {
        #[arg(value_name = "ID", value_parser = session_id)]
        id: Option<SessionId>,
        /// Print how it came to its decisions
        #[arg(long, conflicts_with = "times")]
        decisions: bool,
        /// Print when its events were appended
        #[arg(long)]
        times: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Show code, and record what was shown
    #[command(after_help = help!("contextpack session call login find_definitions Order.cost", "contextpack session call login read src/order.py:1-4"))]
    Call {
        #[arg(value_name = "ID", value_parser = session_id)]
        id: SessionId,
        /// What to show
        #[arg(value_name = "OP", value_parser = words::<CodeOp>())]
        op: CodeOp,
        /// A name, a text, a path, PATH:10-40 or a question
        #[arg(value_name = "TARGET")]
        target: String,
        /// Only files in this directory
        #[arg(long, value_name = "PATH")]
        path: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// Add slots that a model extracted, or what the user said later
    #[command(after_help = help!("echo '{\"said\": \"only in the evening\"}' > said.json", "contextpack session frame login said.json"))]
    Frame(Step),
    /// Name a symbol that the request is about
    #[command(after_help = help!(
        "echo '{\"symbol\": \"Order\"}' > map.json",
        "contextpack session map login map.json   exit code 1: no call showed it"
    ))]
    Map(Step),
    /// Submit what was found
    #[command(after_help = help!("echo '{\"symbols_identified\": [\"Order\"]}' > claims.json", "contextpack session submit login claims.json   exit code 1: the checklist is not whole"))]
    Submit(Step),
    /// Open the phase of semantic search
    #[command(after_help = help!("echo '{\"slot\": \"target_feature\", \"reason\": \"no_definition_found\"}' > reason.json", "contextpack session semantic login reason.json   exit code 1: facts come first"))]
    Semantic(Step),
    /// Add hypotheses from semantic search
    #[command(after_help = help!("echo '{\"hypotheses\": [{\"symbol\": \"Order\", \"call\": 4}]}' > guess.json", "contextpack session hypothesis login guess.json   exit code 1: semantic search is not open"))]
    Hypothesis(Step),
    /// Verify hypotheses by facts
    #[command(after_help = help!("echo '{\"verified\": [{\"id\": 1, \"status\": \"rejected\"}]}' > verified.json", "contextpack session verify login verified.json   exit code 1: there is no hypothesis"))]
    Verify(Step),
    /// Say how the change went, and close the session
    #[command(after_help = help!("echo '{\"outcome\": \"success\"}' > outcome.json", "contextpack session outcome login outcome.json"))]
    Outcome(Step),
    /// Go back to exploration
    #[command(after_help = help!("contextpack session revert login --keep   exit code 1: it is in exploration"))]
    Revert {
        #[arg(value_name = "ID", value_parser = session_id)]
        id: SessionId,
        /// Keep the facts
        #[arg(long)]
        keep: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Change the intent
    #[command(after_help = help!("contextpack session intent login INVESTIGATE"))]
    Intent {
        #[arg(value_name = "ID", value_parser = session_id)]
        id: SessionId,
        #[arg(value_name = "INTENT", value_parser = words::<FrameIntent>())]
        intent: FrameIntent,
        #[command(flatten)]
        place: Place,
    },
    /// Ask whether files may be written
    #[command(after_help = help!("contextpack session check-write login src/order.py   exit code 1: the session is not ready", "contextpack session check-write --hook < request.json   exit code 2: the call names no file"))]
    CheckWrite(hook::CheckArguments),
    /// Compute a session again from its log
    #[command(after_help = help!("echo \"fix it\" | contextpack session start - --id kept --sessions kept", "contextpack session replay kept/kept.jsonl"))]
    Replay(replay::ReplayArguments),
    /// Count outcomes
    #[command(after_help = help!("contextpack session stats"))]
    Stats {
        #[command(flatten)]
        place: Place,
    },
    /// List the sessions of a tree
    #[command(after_help = help!("contextpack session list --json"))]
    List {
        #[command(flatten)]
        place: Place,
    },
}

/// An op with data.
#[derive(Args)]
struct Step {
    #[arg(value_name = "ID", value_parser = session_id)]
    id: SessionId,
    /// The data as a JSON file; - is standard input
    #[arg(value_name = "FILE")]
    data: PathBuf,
    #[command(flatten)]
    place: Place,
}

fn session_id(text: &str) -> Result<SessionId, String> {
    SessionId::try_from(text.to_string()).map_err(|error| error.to_string())
}

/// Tokens of a reply without --max-tokens, as on the server.
const CODE_TOKENS: usize = 2_000;
const SESSION_TOKENS: usize = 1_000;

pub fn run(arguments: &SessionArguments) -> Result<u8, Failure> {
    match &arguments.command {
        SessionCommand::Start { text, intent, lang, from_llm, id, place } => {
            let query = if text == "-" { read_text_or_input(Path::new(text))? } else { text.clone() };
            let data = from_llm.as_deref().map(object).transpose()?.unwrap_or_default();
            let (intent, lang, id) = (*intent, *lang, id.clone());
            place.step(SessionRequest {
                op: "start".into(),
                query: Some(query),
                intent,
                lang,
                id,
                data,
                ..SessionRequest::default()
            })
        }
        SessionCommand::Show { id, decisions, times, place } => {
            let view = match (decisions, times, place.json) {
                (true, ..) => Some("decisions"),
                (_, true, _) => Some("times"),
                (.., true) => Some("state"),
                _ => None,
            };
            let data = view.map(|view| Map::from_iter([("view".to_string(), json!(view))])).unwrap_or_default();
            let request = SessionRequest { op: "show".into(), session: id.clone(), data, ..SessionRequest::default() };
            // A person reads all of it.
            let reply = place.bench(usize::MAX >> 1, |bench| bench.session(&request))?;
            print(&reply.text)?;
            Ok(DONE)
        }
        SessionCommand::Call { id, op, target, path, place } => {
            let request = CodeRequest {
                op: *op,
                target: target.clone(),
                path: path.clone(),
                session: Some(id.clone()),
                offset: place.offset,
            };
            place.reply(CODE_TOKENS, |bench| bench.code(&request))
        }
        SessionCommand::Frame(step) => step.run("frame"),
        SessionCommand::Map(step) => step.run("map"),
        SessionCommand::Submit(step) => step.run("submit"),
        SessionCommand::Semantic(step) => step.run("semantic"),
        SessionCommand::Hypothesis(step) => step.run("hypothesis"),
        SessionCommand::Verify(step) => step.run("verify"),
        SessionCommand::Outcome(step) => step.run("outcome"),
        SessionCommand::Revert { id, keep, place } => place.named("revert", id, json!({ "keep": keep })),
        SessionCommand::Intent { id, intent, place } => place.named("frame", id, json!({ "intent": intent })),
        SessionCommand::CheckWrite(arguments) => hook::run(arguments),
        SessionCommand::Replay(arguments) => replay::run(arguments),
        SessionCommand::Stats { place } => {
            place.step(SessionRequest { op: "stats".into(), ..SessionRequest::default() })
        }
        SessionCommand::List { place } => replay::list(place),
    }
}

impl Step {
    fn run(&self, op: &str) -> Result<u8, Failure> {
        let data = Value::Object(object(&self.data)?);
        self.place.named(op, &self.id, data)
    }
}

/// A JSON file with one object.
fn object(path: &Path) -> Result<Map<String, Value>, Failure> {
    let text = read_text_or_input(path)?;
    let unusable = || Failure::coded(ErrorCode::BadRequest, format!("`{}` is no JSON object", path.display()));
    serde_json::from_str(&text).map_err(|_| unusable())
}

impl Place {
    fn named(&self, op: &str, id: &SessionId, data: Value) -> Result<u8, Failure> {
        let Value::Object(data) = data else { return Err(Failure::other("the data is no object")) };
        let (op, session) = (op.to_string(), Some(id.clone()));
        self.step(SessionRequest { op, session, data, ..SessionRequest::default() })
    }

    fn step(&self, mut request: SessionRequest) -> Result<u8, Failure> {
        request.offset = self.offset;
        self.reply(SESSION_TOKENS, |bench| bench.session(&request))
    }

    /// Prints a reply. Its exit code is its answer.
    fn reply(
        &self,
        default_tokens: usize,
        work: impl FnOnce(&Workbench) -> Result<SessionReply, SessionError>,
    ) -> Result<u8, Failure> {
        let reply = match self.bench(self.room(default_tokens)?, work) {
            // A refusal is an answer.
            Err(Failure::Session(SessionError::Refused(refusal))) => {
                print(&format!("{}\n", Failure::Session(SessionError::Refused(refusal))))?;
                return Ok(REFUSED);
            }
            reply => reply?,
        };
        if self.json {
            let mut facts = reply.facts.clone();
            facts.insert("text".to_string(), reply.text.clone().into());
            print_json(&facts)?;
        } else {
            print(&reply.text)?;
        }
        Ok(if reply.is_yes { DONE } else { REFUSED })
    }

    /// For the text of a reply, as the server keeps it.
    fn room(&self, default_tokens: usize) -> Result<usize, Failure> {
        let tokens = self.max_tokens.unwrap_or(default_tokens);
        let too_few =
            || Failure::coded(ErrorCode::BudgetExceeded, format!("--max-tokens has to be at least {RESERVE}"));
        tokens.checked_sub(RESERVE as usize).ok_or_else(too_few)
    }

    fn bench<R>(&self, room: usize, work: impl FnOnce(&Workbench) -> Result<R, SessionError>) -> Result<R, Failure> {
        let root = self.root.find_tree("session")?;
        let root = self.root.seen(root, self.no_refresh)?;
        let sessions = self.sessions(&root)?;
        let source = self.root.packs("session", &root, 0, Secrets::Configured, self.no_refresh)?;
        Ok(work(&workbench(&root, &sessions, &source, room, &synonyms(&root)?))?)
    }

    fn sessions(&self, root: &Root) -> Result<Sessions, Failure> {
        let no_home = || Failure::other("there is no directory for sessions\n  hint: give --sessions DIR, or set HOME");
        let folder = self.sessions.clone().or_else(|| root.sessions()).ok_or_else(no_home)?;
        Ok(Sessions::new(folder, Disk::real()))
    }
}

fn synonyms(root: &Root) -> Result<Synonyms, Failure> {
    Ok(root.synonyms()?)
}

fn workbench<'w>(
    root: &'w Root,
    sessions: &'w Sessions,
    source: &'w PackSource,
    room: usize,
    synonyms: &'w Synonyms,
) -> Workbench<'w> {
    let tree = root.tree().expect("it was found by its tree");
    Workbench {
        sessions,
        source,
        tree,
        index: root.index(),
        repo_id: root.name(),
        synonyms,
        room,
        tokenizer: Tokenizer::default(),
    }
}
