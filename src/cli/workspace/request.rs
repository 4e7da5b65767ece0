//! The request for context, from flags or from a file.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::pack::read_text;
use crate::cli::words::words;
use crate::cli::{Failure, numbers};
use crate::record::workspace::{
    ContextRequest, Focus, Hints, Message, RequestBudget, RequestType, TimeRange, TruncationStrategy,
};
use crate::record::{BlockType, ErrorCode};
use crate::text::Tokenizer;

/// What to ask for.
#[derive(Args)]
pub struct RequestArguments {
    /// The question
    #[arg(value_name = "TEXT", conflicts_with_all = ["query_file", "request"])]
    query: Option<String>,
    /// A file with the question
    #[arg(long, value_name = "FILE", conflicts_with = "request")]
    query_file: Option<PathBuf>,
    /// A file with a whole request as JSON, in place of the question and its flags
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "request_type", "focus", "max_tokens", "budget", "prioritize", "since", "until", "include", "exclude",
        "max_depth", "history", "now", "truncation", "tokenizer", "explain",
    ])]
    pub request: Option<PathBuf>,
    /// What it is for [default: assist]
    #[arg(long = "type", value_name = "TYPE", value_parser = words::<RequestType>())]
    request_type: Option<RequestType>,
    /// What the user looks at: block:ID, page:ID or database:ID; several times for more than one
    #[arg(long, value_name = "KIND:ID", value_parser = focus)]
    focus: Vec<(FocusKind, String)>,
    /// The most tokens that the context may have, such as 4000 or 4k [default: 4000]
    #[arg(long, value_name = "N", value_parser = numbers::tokens)]
    max_tokens: Option<u32>,
    /// Tokens of single sections, such as focus=1200,semantic=500; 0 turns one off. Sections are focus, semantic,
    /// relations, activity, history and system
    #[arg(long, value_name = "SECTION=N", value_delimiter = ',', value_parser = share)]
    budget: Vec<(String, u32)>,
    /// Types of blocks that fit best, such as todo,kanban_card
    #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = words::<BlockType>())]
    prioritize: Vec<BlockType>,
    /// Prefer what was changed or is due from this date on
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Prefer what was changed or is due until this date
    #[arg(long, value_name = "DATE")]
    until: Option<String>,
    /// Show this block first, whatever the question is
    #[arg(long, value_name = "ID")]
    include: Vec<String>,
    /// Leave this block out, with all that is in it
    #[arg(long, value_name = "ID")]
    exclude: Vec<String>,
    /// How far from the focus to look: ancestors, levels below it, steps over links
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// The conversation so far, one JSON object per line: {"role": "user", "content": "…"}
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// The date and time that "today" and ages are counted from [default: the date of the source, else the newest date
    /// of what the reader may see]
    #[arg(long, value_name = "DATE")]
    now: Option<String>,
    /// How to cut what is too long [default: as contextpack.toml says, else extractive]
    #[arg(long, value_name = "STRATEGY", value_parser = words::<TruncationStrategy>())]
    truncation: Option<TruncationStrategy>,
    /// The tokenizer that counts [default: o200k_base]
    #[arg(long, value_name = "NAME", value_parser = words::<Tokenizer>())]
    tokenizer: Option<Tokenizer>,
    /// Say in the JSON why each item is there
    #[arg(long)]
    explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FocusKind {
    Block,
    Page,
    Database,
}

fn focus(text: &str) -> Result<(FocusKind, String), String> {
    let kinds = [("block:", FocusKind::Block), ("page:", FocusKind::Page), ("database:", FocusKind::Database)];
    let found = kinds.into_iter().find_map(|(word, kind)| Some((kind, text.strip_prefix(word)?.to_string())));
    found.filter(|(_, id)| !id.is_empty()).ok_or_else(|| "block:ID, page:ID or database:ID is needed".to_string())
}

fn share(text: &str) -> Result<(String, u32), String> {
    let (name, tokens) = text.split_once('=').ok_or("SECTION=N is needed, such as focus=1200")?;
    Ok((name.trim().to_string(), numbers::tokens(tokens)?))
}

impl RequestArguments {
    pub fn request(&self) -> Result<ContextRequest, Failure> {
        match &self.request {
            Some(path) => read_request(path),
            None => self.request_of_flags(),
        }
    }

    fn request_of_flags(&self) -> Result<ContextRequest, Failure> {
        let query = match &self.query_file {
            Some(path) => read_text(path)?.trim_end().to_string(),
            None => self.query.clone().unwrap_or_default(),
        };
        let range = TimeRange { start: self.since.clone(), end: self.until.clone() };
        Ok(ContextRequest {
            conversation_history: self.history.as_deref().map(read_history).transpose()?.unwrap_or_default(),
            focus: self.focus(),
            hints: Hints {
                exclude_blocks: self.exclude.clone(),
                include_blocks: self.include.clone(),
                max_depth: self.max_depth,
                prioritize_types: self.prioritize.clone(),
                time_range: Some(range).filter(|range| *range != TimeRange::default()),
            },
            include_explain: self.explain,
            now: self.now.clone(),
            query,
            query_vector: Vec::new(),
            token_budget: self.token_budget()?,
            tokenizer: self.tokenizer.unwrap_or_default(),
            truncation: self.truncation,
            request_type: self.request_type.unwrap_or_default(),
            user: None,
        })
    }

    fn focus(&self) -> Focus {
        let of = |wanted| self.focus.iter().rev().find(|(kind, _)| *kind == wanted).map(|(_, id)| id.clone());
        Focus { block_id: of(FocusKind::Block), database_id: of(FocusKind::Database), page_id: of(FocusKind::Page) }
    }

    fn token_budget(&self) -> Result<RequestBudget, Failure> {
        let shares = self.budget.iter().map(|(name, tokens)| (name.clone(), (*tokens).into()));
        let mut all: serde_json::Map<String, serde_json::Value> = shares.collect();
        all.extend(self.max_tokens.map(|total| ("total".to_string(), total.into())));
        let bad = |error| Failure::coded(ErrorCode::BadRequest, format!("cannot use --budget\n  because {error}"));
        serde_json::from_value(all.into()).map_err(bad)
    }
}

pub fn read_request(path: &Path) -> Result<ContextRequest, Failure> {
    let text = read_text(path)?;
    let bad = |error| format!("`{}` is no request\n  because {error}", path.display());
    serde_json::from_str(&text).map_err(|error| Failure::coded(ErrorCode::BadRequest, bad(error)))
}

fn read_history(path: &Path) -> Result<Vec<Message>, Failure> {
    let text = read_text(path)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let message = |(number, line): (u32, &str)| {
        let bad = |error| format!("line {number} of `{}` is no message\n  because {error}", path.display());
        serde_json::from_str(line).map_err(|error| Failure::coded(ErrorCode::BadRequest, bad(error)))
    };
    lines.map(message).collect()
}
