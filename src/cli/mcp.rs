//! `contextpack mcp`.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};

use clap::Args;

use super::pack::read_text;
use super::root::{NoteArguments, named};
use super::{DONE, Failure};
use crate::mcp::{HttpSettings, RESERVE, Root, Settings, Structured, Token, serve_http, serve_stdio};
use crate::pipeline::service::{self, Watched};

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
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Structured::Auto)]
    structured: Structured,
    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(arguments: &McpArguments) -> Result<u8, Failure> {
    let settings = Settings {
        roots: roots(arguments)?,
        max_tokens_cap: arguments.max_tokens_cap,
        structured: arguments.structured,
        quiet: arguments.quiet,
    };
    let served = match &arguments.http {
        None => serve_stdio(settings),
        Some(address) => serve_http(settings, http(arguments, address)?),
    };
    served?;
    Ok(DONE)
}

fn roots(arguments: &McpArguments) -> Result<Vec<Root>, Failure> {
    if arguments.repo.is_empty() {
        return Ok(vec![root(arguments, None, &[])?]);
    }
    let mut roots = Vec::new();
    for tree in &arguments.repo {
        let cannot = |cause: &str| Failure::other(format!("cannot serve `{}`\n  because {cause}", tree.display()));
        let tree = tree.canonicalize().map_err(|error| cannot(&error.to_string()))?;
        if !tree.is_dir() {
            return Err(cannot("it is not a directory"));
        }
        roots.push(root(arguments, Some(&tree), &roots)?);
    }
    Ok(roots)
}

/// One tree, beside others that were named before it.
fn root(arguments: &McpArguments, tree: Option<&Path>, others: &[Root]) -> Result<Root, Failure> {
    let find = |index: Option<&Path>| named("mcp", service::Root::of_tree(tree, index), arguments.quiet);
    let found = find(arguments.index.as_deref())?;
    let name = unused(found.name(), others);
    let found = match &arguments.index {
        Some(index) if arguments.repo.len() > 1 => find(Some(&index.join(&name)))?,
        _ => found.without_secrets(),
    };
    let repo_id = found.name().to_string();
    let found = arguments.notes.on(found);
    let watched = Watched::new(found, !arguments.no_refresh).expect("it was found by its tree");
    Ok(Root::new(name, repo_id, watched))
}

/// A directory's name, with a number if another root has it already: neither a call nor an index confuses the two.
fn unused(name: &str, roots: &[Root]) -> String {
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
    found.ok_or_else(|| Failure::other(format!("`{address}` is no address\n  hint: such as 127.0.0.1:8808")))
}

fn token(arguments: &McpArguments) -> Result<Option<Token>, Failure> {
    let text = match (&arguments.token_env, &arguments.token_file) {
        (Some(name), _) => std::env::var(name).map_err(|_| Failure::other(format!("`{name}` is not set")))?,
        (None, Some(path)) => read_text(path)?,
        (None, None) => return Ok(None),
    };
    Token::new(&text).map(Some).ok_or_else(|| Failure::other("the token is empty"))
}
