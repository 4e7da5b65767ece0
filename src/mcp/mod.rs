//! The MCP server: the same requests and the same engine as the command line. Parses arguments, calls the pipeline,
//! replies. Which index is used is decided in `pipeline::service`.
//!
//! Trees are named at start-up. What a call names (a root, a symbol, a file, a document, a note, a pack) is looked up
//! in the index or in the tree's own listing; no argument is ever opened as a path.

mod arguments;
mod fault;
mod http;
mod recent_packs;
mod reply;
mod resources;
mod root;
mod server;
mod startup;
mod tools;

use std::net::SocketAddr;

use clap::ValueEnum;
use rmcp::ServiceExt;
use rmcp::transport::stdio;

pub use http::{HttpSettings, Token};
pub use reply::RESERVE;
pub use root::Root;
use server::Server;

/// What clients put before their models, beside the tools.
const INSTRUCTIONS: &str = "Start with pack: ask in your own words, and read the code it shows before searching by hand. \
    Then read, search and outline show more of the tree, and show says who calls or uses a symbol.";

/// What every session has in common.
pub struct Settings {
    pub roots: Vec<Root>,
    /// The most tokens that a call may ask for.
    pub max_tokens_cap: u32,
    pub structured: Structured,
    pub tools: ToolSet,
    /// Whether several clients share it: none of them means the session that another one started.
    pub is_shared: bool,
    /// Print nothing but errors.
    pub quiet: bool,
}

/// Which tools are listed. All of them can be called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ToolSet {
    /// pack, read, search, outline, show, and those that the tree has a use for
    #[default]
    Four,
    /// code and session: the query frame gate
    #[value(alias = "frame")]
    Gate,
    All,
    /// The gate under the names of its specification
    Seed,
}

impl ToolSet {
    fn has_standard(self) -> bool {
        matches!(self, ToolSet::Four | ToolSet::All)
    }

    fn has_gate(self) -> bool {
        matches!(self, ToolSet::Gate | ToolSet::All)
    }
}

/// Those who send a token, and what they get.
pub struct Client {
    /// Absent: whoever reaches the server.
    pub token: Option<Token>,
    pub settings: Settings,
}

/// Who gets structured content beside the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Structured {
    // All but clients that are known to show their models nothing else.
    Auto,
    Always,
    Never,
}

/// Clients that drop the text of a reply that has structured content, by how their names begin.
const STRUCTURED_ONLY: &[&str] = &["claude-code", "cursor"];

impl Structured {
    fn is_for_client(self, name: Option<&str>) -> bool {
        let name = name.unwrap_or_default().to_ascii_lowercase();
        let shows_text = !STRUCTURED_ONLY.iter().any(|client| name.starts_with(client));
        self == Structured::Always || self == Structured::Auto && shows_text
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error(
        "cannot listen on {0} without a token\n  because others could reach it\n  hint: give --token-env NAME or --token-file FILE, or an address such as 127.0.0.1:8808"
    )]
    NoToken(SocketAddr),
    #[error("cannot listen on {address}\n  because {source}")]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error("cannot start\n  because {0}")]
    Start(std::io::Error),
}

/// Serves one client over standard input and output, until it closes them.
pub fn serve_stdio(settings: Settings) -> Result<(), ServeError> {
    let server = Server::new(settings);
    server.build_indexes();
    runtime()?.block_on(async {
        // A client that goes away before it says who it is is gone all the same.
        if let Ok(session) = server.serve(stdio()).await {
            let _ = session.waiting().await;
        }
    });
    Ok(())
}

/// Serves many clients over HTTP.
pub fn serve_http(clients: Vec<Client>, http: HttpSettings) -> Result<(), ServeError> {
    http.check(&clients)?;
    runtime()?.block_on(http::listen(clients, http))
}

fn runtime() -> Result<tokio::runtime::Runtime, ServeError> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)
}
