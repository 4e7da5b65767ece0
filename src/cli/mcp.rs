//! `contextpack mcp`.

use std::collections::BTreeSet;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::pack::read_text;
use super::root::{NoteArguments, named, principal};
use super::{DONE, Failure};
use crate::mcp::{Client, HttpSettings, RESERVE, Root, Settings, Structured, Token, ToolSet, serve_http, serve_stdio};
use crate::pipeline::service::{self, Watched};
use crate::record::Principal;

/// Serve packs, specs and the graph of trees to agents, over the Model Context Protocol
///
/// Tools: pack, read, search, outline, show, and spec_context where the tree has spec documents. Only the trees given
/// here can be read. Their indexes are built at the start, and brought up to date before a call if the tree has
/// changed. Without --http one client is served over standard input and output; that is what clients start.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack mcp --repo .\n  \
    contextpack mcp --repo api --repo web --http 8808\n  \
    contextpack mcp --repo . --http 0.0.0.0:8808 --token-file token --allow-host build.example\n\n\
    A client's configuration:\n  \
    {\"mcpServers\": {\"contextpack\": {\"command\": \"contextpack\", \"args\": [\"mcp\", \"--repo\", \"/path/to/tree\"]}}}\n\n\
    Exit code: 0 the client is gone, 2 could not run.")]
pub struct McpArguments {
    /// A tree to serve; if there are several, calls name one by its directory's name [default: the nearest directory
    /// upwards that has contextpack.toml or .git, else the current one]
    #[arg(long, aliases = ["root", "source"], value_name = "DIR")]
    repo: Vec<PathBuf>,
    /// The directory of its index; if there are several trees, the directory that gets one index per tree [default: as
    /// in `contextpack pack`]
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    #[command(flatten)]
    notes: NoteArguments,
    /// Who the clients are, where not everybody may read everything: user:ID, team:ID, workspace:ID or public; several
    /// times for all that they are. No call can change it
    #[arg(long = "as", value_name = "PRINCIPAL", value_parser = principal)]
    principals: Vec<Principal>,
    /// Serve many clients over HTTP at /mcp; a port alone is one of this machine's own address
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "8808")]
    http: Option<String>,
    /// The environment variable that holds the token which clients have to send
    #[arg(long, value_name = "NAME", requires = "http", conflicts_with = "token_file")]
    token_env: Option<String>,
    /// The file that holds it; or one token per line, each followed by the principals of the clients that send it
    #[arg(long, value_name = "FILE", requires = "http")]
    token_file: Option<PathBuf>,
    /// A name of this machine that clients may ask for, besides localhost
    #[arg(long, value_name = "HOST", requires = "http")]
    allow_host: Vec<String>,
    /// A site whose pages may call, such as https://example.com:443, besides this machine's own
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    allow_origin: Vec<String>,
    /// Use the indexes as they are; replies say when they are stale
    #[arg(long)]
    no_refresh: bool,
    /// The most tokens that a call may ask for
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(i64::from(RESERVE)..))]
    max_tokens_cap: u32,
    /// Whether replies have structured content: auto leaves it out for clients that would show nothing else
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Structured::Auto)]
    structured: Structured,
    /// Which tools are listed: four, the standard ones; gate, the query frame gate; all; or seed, the gate under the
    /// names of its specification
    #[arg(long, value_enum, value_name = "SET", default_value_t = ToolSet::Four)]
    tools: ToolSet,
    /// The directory of sessions [default: one for each tree in the user's directory for state]
    #[arg(long, value_name = "DIR")]
    sessions: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(arguments: &McpArguments) -> Result<u8, Failure> {
    let trees = trees(arguments)?;
    let as_said = (!arguments.principals.is_empty()).then(|| arguments.principals.iter().cloned().collect());
    let served = match &arguments.http {
        None => serve_stdio(settings(arguments, &trees, as_said)?),
        Some(address) => {
            let client = |(token, principals)| Ok(Client { token, settings: settings(arguments, &trees, principals)? });
            let clients: Result<Vec<Client>, Failure> = tokens(arguments, as_said)?.into_iter().map(client).collect();
            serve_http(clients?, http(arguments, address)?)
        }
    };
    served?;
    Ok(DONE)
}

/// A tree to serve, whoever calls.
struct Tree {
    /// What calls name it by.
    name: String,
    repo_id: String,
    watched: Arc<Watched>,
}

/// What clients with these principals get.
fn settings(
    arguments: &McpArguments,
    trees: &[Tree],
    principals: Option<BTreeSet<Principal>>,
) -> Result<Settings, Failure> {
    if principals.is_some() {
        trees.iter().try_for_each(|tree| service::check_workspace(tree.watched.root()))?;
    }
    let root = |tree: &Tree| {
        let root = Root::new(tree.name.clone(), tree.repo_id.clone(), Arc::clone(&tree.watched), principals.clone());
        root.with_sessions(arguments.sessions.as_ref().map(|folder| folder_of(folder, tree, trees.len())))
    };
    Ok(Settings {
        roots: trees.iter().map(root).collect(),
        max_tokens_cap: arguments.max_tokens_cap,
        structured: arguments.structured,
        tools: arguments.tools,
        is_shared: arguments.http.is_some(),
        quiet: arguments.quiet,
    })
}

/// Sessions of several trees are kept apart.
fn folder_of(folder: &Path, tree: &Tree, count: usize) -> PathBuf {
    if count > 1 { folder.join(&tree.name) } else { folder.to_path_buf() }
}

fn trees(arguments: &McpArguments) -> Result<Vec<Tree>, Failure> {
    if arguments.repo.is_empty() {
        return Ok(vec![tree(arguments, None, &[])?]);
    }
    let mut trees = Vec::new();
    for folder in &arguments.repo {
        let cannot = |cause: &str| Failure::other(format!("cannot serve `{}`\n  because {cause}", folder.display()));
        let folder = folder.canonicalize().map_err(|error| cannot(&error.to_string()))?;
        if !folder.is_dir() {
            return Err(cannot("it is not a directory"));
        }
        trees.push(tree(arguments, Some(&folder), &trees)?);
    }
    Ok(trees)
}

/// One tree, beside others that were named before it.
fn tree(arguments: &McpArguments, folder: Option<&Path>, others: &[Tree]) -> Result<Tree, Failure> {
    let find = |index: Option<&Path>| named("mcp", service::Root::of_tree(folder, index), arguments.quiet);
    let found = find(arguments.index.as_deref())?;
    let name = unused(found.name(), others);
    let found = match &arguments.index {
        Some(index) if arguments.repo.len() > 1 => find(Some(&index.join(&name)))?,
        _ => found.without_secrets(),
    };
    let repo_id = found.name().to_string();
    let found = arguments.notes.on(found);
    let watched = Watched::new(found, !arguments.no_refresh).expect("it was found by its tree");
    Ok(Tree { name, repo_id, watched: Arc::new(watched) })
}

/// A directory's name, with a number if another root has it already: neither a call nor an index confuses the two.
fn unused(name: &str, trees: &[Tree]) -> String {
    let is_taken = |name: &String| trees.iter().any(|tree| tree.name == *name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_string()).chain(numbered).find(|name| !is_taken(name)).expect("trees are finite")
}

fn http(arguments: &McpArguments, address: &str) -> Result<HttpSettings, Failure> {
    Ok(HttpSettings {
        address: resolved(address)?,
        hosts: arguments.allow_host.clone(),
        origins: arguments.allow_origin.clone(),
    })
}

fn resolved(address: &str) -> Result<SocketAddr, Failure> {
    let port = address.trim_start_matches(':').parse::<u16>();
    let whole = port.map_or(address.to_string(), |port| format!("127.0.0.1:{port}"));
    let found = whole.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| Failure::other(format!("`{address}` is no address\n  hint: such as 127.0.0.1:8808")))
}

/// A client: the token that it sends, and who it is.
type Caller = (Option<Token>, Option<BTreeSet<Principal>>);

/// Who may call. `as_said` is for those whose token says nothing of it.
fn tokens(arguments: &McpArguments, as_said: Option<BTreeSet<Principal>>) -> Result<Vec<Caller>, Failure> {
    let text = match (&arguments.token_env, &arguments.token_file) {
        (Some(name), _) => std::env::var(name).map_err(|_| Failure::other(format!("`{name}` is not set")))?,
        (None, Some(path)) => read_text(path)?,
        (None, None) => return Ok(vec![(None, as_said)]),
    };
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let names_principals = |line: &&str| line.split_whitespace().skip(1).any(|word| principal(word).is_ok());
    if !lines.iter().any(names_principals) {
        let token = Token::new(&text).ok_or_else(|| Failure::other("the token is empty"))?;
        return Ok(vec![(Some(token), as_said)]);
    }
    lines.into_iter().zip(1..).map(|(line, number)| client(line, number)).collect()
}

/// One line: a token, and the principals of whoever sends it.
fn client(line: &str, number: u32) -> Result<Caller, Failure> {
    let mut words = line.split_whitespace();
    let token = words.next().and_then(Token::new).expect("the line is not blank");
    // The line is not quoted: it holds a token.
    let bad = |error| Failure::other(format!("cannot use the token file\n  because in its line {number} {error}"));
    let own = words.map(principal).collect::<Result<BTreeSet<_>, _>>().map_err(bad)?;
    if own.is_empty() {
        return Err(bad("no principal follows the token".to_string()));
    }
    Ok((Some(token), Some(own)))
}
