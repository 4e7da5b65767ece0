//! `contextpack mcp`.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::pack::{default_index, read_text, repo_name};
use super::{DONE, Failure};
use crate::mcp::{Answers, HttpSettings, RESERVE, RootSettings, Settings, Token, serve_http, serve_stdio};

/// Serve packs, specs and the graph of trees to agents, over the Model Context Protocol
///
/// Four tools: context_pack.create, context_pack.get, spec_context and graph_show. Only the trees given here can be
/// read. Before a call the index is brought up to date if the tree has changed. Without --http one client is served
/// over standard input and output; that is what clients start.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack mcp --root .\n  \
    contextpack mcp --root api --root web --http 8808\n  \
    contextpack mcp --root . --http 0.0.0.0:8808 --token-file token --allow-host build.example\n\n\
    A client's configuration:\n  \
    {\"mcpServers\": {\"contextpack\": {\"command\": \"contextpack\", \"args\": [\"mcp\", \"--root\", \"/path/to/tree\"]}}}\n\n\
    Exit code: 0 the client is gone, 2 could not run.")]
pub struct McpArguments {
    /// A tree to serve; calls name it by its folder's name if there are several [default: .]
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// The folder of its index; of several, the folder of theirs [default: below the user's cache folder]
    #[arg(long, value_name = "DIR")]
    index: Option<PathBuf>,
    /// Serve many clients over HTTP at /mcp; a port alone is one of this machine's own address
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "8808")]
    http: Option<String>,
    /// The environment variable that holds the token which clients have to send
    #[arg(long, value_name = "NAME", requires = "http", conflicts_with = "token_file")]
    token_env: Option<String>,
    /// The file that holds it
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
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    structured: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

pub fn run(arguments: &McpArguments) -> Result<u8, Failure> {
    let settings = Settings {
        roots: roots(arguments)?,
        refresh: !arguments.no_refresh,
        max_tokens_cap: arguments.max_tokens_cap,
        answers: match arguments.structured {
            When::Auto => Answers::Auto,
            When::Always => Answers::Structured,
            When::Never => Answers::Text,
        },
        epoch: std::env::var("SOURCE_DATE_EPOCH").ok(),
    };
    let served = match &arguments.http {
        None => serve_stdio(settings),
        Some(address) => serve_http(settings, http(arguments, address)?),
    };
    served.map_err(|error| failure(&error))?;
    Ok(DONE)
}

fn roots(arguments: &McpArguments) -> Result<Vec<RootSettings>, Failure> {
    let trees = if arguments.root.is_empty() { vec![PathBuf::from(".")] } else { arguments.root.clone() };
    let several = trees.len() > 1;
    let mut roots = Vec::new();
    for tree in trees {
        let cannot = |cause: &str| failure(&format!("cannot serve `{}`\n  because {cause}", tree.display()));
        let tree = tree.canonicalize().map_err(|error| cannot(&error.to_string()))?;
        if !tree.is_dir() {
            return Err(cannot("it is not a folder"));
        }
        let repo_id = repo_name(&tree);
        let name = unused(&repo_id, &roots);
        let index = match &arguments.index {
            Some(index) if several => index.join(&name),
            Some(index) => index.clone(),
            None => default_index(&tree)?,
        };
        roots.push(RootSettings { name, repo_id, tree, index });
    }
    Ok(roots)
}

/// A folder's name, or with a number if another root has it already: neither a call nor an index takes one for another.
fn unused(name: &str, roots: &[RootSettings]) -> String {
    let is_taken = |name: &String| roots.iter().any(|root| root.name == *name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_string()).chain(numbered).find(|name| !is_taken(name)).expect("roots are finite")
}

fn http(arguments: &McpArguments, address: &str) -> Result<HttpSettings, Failure> {
    Ok(HttpSettings {
        address: resolved(address)?,
        token: token(arguments)?,
        hosts: arguments.allow_host.clone(),
        origins: arguments.allow_origin.clone(),
    })
}

fn resolved(address: &str) -> Result<SocketAddr, Failure> {
    let port = address.trim_start_matches(':').parse::<u16>();
    let whole = port.map_or(address.to_string(), |port| format!("127.0.0.1:{port}"));
    let found = whole.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| failure(&format!("`{address}` is no address\n  hint: such as 127.0.0.1:8808")))
}

fn token(arguments: &McpArguments) -> Result<Option<Token>, Failure> {
    let text = match (&arguments.token_env, &arguments.token_file) {
        (Some(name), _) => std::env::var(name).map_err(|_| failure(&format!("`{name}` is not set")))?,
        (None, Some(path)) => read_text("mcp", path)?,
        (None, None) => return Ok(None),
    };
    Token::new(&text).map(Some).ok_or_else(|| failure(&"the token is empty"))
}

fn failure(cause: &dyn std::fmt::Display) -> Failure {
    Failure::new("mcp", cause)
}
