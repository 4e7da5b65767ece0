//! `contextpack read`, `contextpack search` and `contextpack outline`: the tree as its index has it.

use clap::Args;

use super::pack_scope::pattern;
use super::{DONE, Failure, RootArguments, print, say};
use crate::assemble::IndexView;
use crate::door::browse::{BrowseError, SearchRequest, outline, read, search};
use crate::pipeline::service::{Root, Secrets};
use crate::record::request::Filter;
use crate::text::Tokenizer;

/// Print the text of places: files, lines, symbols, items of a pack
///
/// WHAT is PATH, PATH:10-40, PATH:LINE (the definition around the line), a symbol such as `Order.cost`, or the handle of
/// an item (the first digits of a chunk's uid). What does not fit is listed on standard error.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack read src/main.rs:1-40\n  \
    contextpack read Order.cost total --max-tokens 2000\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct ReadArguments {
    /// Places
    #[arg(value_name = "WHAT", required = true)]
    wanted: Vec<String>,
    #[command(flatten)]
    root: RootArguments,
    #[command(flatten)]
    page: PageArguments,
}

/// Print every line with a text, by path and line
///
/// Text without capital letters ignores case. Without TEXT, the files are listed.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack search \"token budget\" --lang rust --no-tests\n  \
    contextpack search --regex \"fn \\w+_at\\(\" --path \"src/**\"\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct SearchArguments {
    /// The text
    #[arg(value_name = "TEXT", default_value = "", hide_default_value = true)]
    text: String,
    /// TEXT is a regular expression
    #[arg(long)]
    regex: bool,
    /// Only files that match; as in .gitignore, a name matches at any depth
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// No files that match
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Only files of this language, such as `python`. May be repeated
    #[arg(long, value_name = "LANGUAGE")]
    lang: Vec<String>,
    /// No tests
    #[arg(long)]
    no_tests: bool,
    /// Go on where a page ended
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
    #[command(flatten)]
    root: RootArguments,
    #[command(flatten)]
    page: PageArguments,
}

/// Print the symbols of a file, or the files of a directory, with lines
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack outline src/main.rs\n  \
    contextpack outline src\n\n\
    Exit code: 0 done, 2 could not run.")]
pub struct OutlineArguments {
    /// A file or directory
    #[arg(value_name = "PATH", default_value = "", hide_default_value = true)]
    path: String,
    #[command(flatten)]
    root: RootArguments,
    /// Use the index as it is
    #[arg(long)]
    no_refresh: bool,
}

/// How much is printed, and from which index.
#[derive(Args)]
struct PageArguments {
    /// The largest number of tokens to print
    #[arg(long, value_name = "N", default_value_t = 8_000)]
    max_tokens: usize,
    /// Use the index as it is
    #[arg(long)]
    no_refresh: bool,
}

pub fn run_read(arguments: &ReadArguments) -> Result<u8, Failure> {
    let root = arguments.root.find_fresh_for_reader("read", arguments.page.no_refresh)?;
    let wanted: Vec<String> = arguments.wanted.iter().map(|wanted| root.read_path(wanted)).collect();
    let max_tokens = arguments.page.max_tokens;
    let work = |view: &IndexView| read(view, &wanted, max_tokens, Tokenizer::default());
    let reading = browse("read", &arguments.root, &root, arguments.page.no_refresh, work)?;
    print(&reading.text)?;
    if !reading.rest.is_empty() && !arguments.root.quiet {
        say(&format!("read: not all fits; the rest is {}", reading.rest.join(" ")));
    }
    Ok(DONE)
}

pub fn run_search(arguments: &SearchArguments) -> Result<u8, Failure> {
    let root = arguments.root.find_fresh_for_reader("search", arguments.page.no_refresh)?;
    let patterns = |typed: &[String]| typed.iter().map(|typed| pattern(&root, typed)).collect();
    let filter = Filter {
        paths: patterns(&arguments.path),
        exclude: patterns(&arguments.exclude),
        languages: arguments.lang.clone(),
        no_tests: arguments.no_tests,
    };
    let (text, after) = (arguments.text.clone(), arguments.cursor.clone());
    let request = SearchRequest { text, is_regex: arguments.regex, filter, after };
    let max_tokens = arguments.page.max_tokens;
    let work = |view: &IndexView| search(view, &request, max_tokens, Tokenizer::default());
    let page = browse("search", &arguments.root, &root, arguments.page.no_refresh, work)?;
    print(&page.printed())?;
    if let Some(next) = page.next.filter(|_| !arguments.root.quiet) {
        say(&format!("search: there is more; go on with --cursor '{next}'"));
    }
    Ok(DONE)
}

pub fn run_outline(arguments: &OutlineArguments) -> Result<u8, Failure> {
    let root = arguments.root.find_fresh_for_reader("outline", arguments.no_refresh)?;
    let path = root.read_path(&arguments.path);
    let text = browse("outline", &arguments.root, &root, arguments.no_refresh, |view| outline(view, &path))?;
    print(&text)?;
    Ok(DONE)
}

fn browse<R>(
    command: &'static str,
    arguments: &RootArguments,
    root: &Root,
    no_refresh: bool,
    work: impl FnOnce(&IndexView) -> Result<R, BrowseError>,
) -> Result<R, Failure> {
    let source = arguments.packs(command, root, 0, Secrets::Configured, no_refresh)?;
    Ok(source.browse(work).map_err(|error| Failure::from(error).with_code())??)
}
