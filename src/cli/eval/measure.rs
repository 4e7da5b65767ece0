//! Packs for the rows of a benchmark, and their figures.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rayon::prelude::*;
use serde_json::json;

use super::super::progress::Bar;
use super::super::{DONE, Failure, REFUSED, print, print_json, say};
use super::table::{self, Group};
use super::{By, EvalArguments, bad_line, read_text, write};
use crate::assemble::RequestScope;
use crate::assemble::seeds::ranked;
use crate::door::pack::{Format, PrintedLine, pack, printed_lines, question, render};
use crate::eval::{
    BUDGETS, Examples, Header, Outcome, ReadText, Row, Summary, TreeFile, read_rows, saved_line, score, svg,
};
use crate::pipeline::service::{self, Freshness, Opened, Refresh, Root, Secrets};
use crate::pipeline::{PackSource, Weights};
use crate::record::request::PackRequest;
use crate::text::{RepoPath, Tokenizer};

pub fn run(arguments: &EvalArguments, bench: &Path, trees: &Path) -> Result<u8, Failure> {
    let budgets = if arguments.curve.is_some() { BUDGETS.to_vec() } else { vec![arguments.budget] };
    request(String::new(), "any", arguments.budget).check()?;
    let weights = weights(arguments)?;
    let all = read_rows(&read_text(bench)?).map_err(|fault| bad_line(bench, &fault))?;
    let (rows, without_tree) = chosen(arguments, bench, trees, all)?;
    let run = Run { arguments, trees, weights, budgets: &budgets };
    let outcomes = run.measured(&rows)?;
    if let Some(path) = &arguments.save {
        write(path, &rows.iter().zip(&outcomes).map(|(row, of)| saved_line(row, &of[0])).collect::<String>())?;
    }
    if let Some(path) = &arguments.examples {
        write(path, &run.examples(&rows)?)?;
    }
    let groups = match &arguments.curve {
        None => grouped(arguments, &rows, &outcomes),
        Some(path) => {
            let points = by_budget(&budgets, &outcomes);
            write(path, &svg(&points))?;
            let group = |(budget, summary)| Group { name: format!("{budget} tokens"), budget, summary };
            points.into_iter().map(group).collect()
        }
    };
    if arguments.json {
        let groups: Vec<_> = groups.iter().map(table::json).collect();
        print_json(&json!({ "groups": groups, "rowsWithoutTree": without_tree }))?;
    } else {
        print(&table::drawn(&groups))?;
    }
    Ok(if groups.iter().any(|group| group.summary.failed > 0) { REFUSED } else { DONE })
}

/// The rows that are asked for and have a tree, and the number of those that have none.
fn chosen(arguments: &EvalArguments, bench: &Path, trees: &Path, all: Vec<Row>) -> Result<(Vec<Row>, usize), Failure> {
    let count = all.len();
    let is_wanted = |row: &Row| (!arguments.core || row.core) && (!arguments.hard || row.is_hard());
    let wanted: Vec<Row> = all.into_iter().filter(is_wanted).collect();
    let (rows, lone): (Vec<Row>, Vec<Row>) = wanted.into_iter().partition(|row| trees.join(row.tree()).is_dir());
    if rows.is_empty() {
        let because = match lone.len() {
            0 => format!("of the {count} rows of `{}` none is asked for", bench.display()),
            wanted => format!("none of {wanted} rows has a tree in `{}`", trees.display()),
        };
        return Err(Failure::other(format!("there is nothing to measure\n  because {because}")));
    }
    if !lone.is_empty() && !arguments.quiet {
        say(&format!("eval: rows without a tree in `{}`, left out: {}", trees.display(), lone.len()));
    }
    let is_absent = |row: &&Row| row.gold_files.iter().any(|path| !place(trees, row, path).is_file());
    for row in rows.iter().filter(|_| !arguments.quiet).filter(is_absent) {
        say(&format!(
            "eval: the tree of `{}` lacks a file that its row names; it counts as not found",
            row.instance_id
        ));
    }
    Ok((rows, lone.len()))
}

struct Run<'r> {
    arguments: &'r EvalArguments,
    trees: &'r Path,
    weights: Weights,
    budgets: &'r [u32],
}

impl Run<'_> {
    /// By row, then by budget.
    fn measured(&self, rows: &[Row]) -> Result<Vec<Vec<Outcome>>, Failure> {
        let (quiet, threads) = (&self.arguments.quiet, self.threads()?);
        let bar = Bar::counting(*quiet, "trees indexed", rows.len() as u64);
        let indexed: Vec<Result<Opened, String>> =
            rows.iter().map(|row| self.indexed(row)).inspect(|_| bar.advance(1)).collect();
        bar.finish();
        let bar = Bar::counting(*quiet, "questions asked", rows.len() as u64);
        let one = |(row, indexed): (&Row, Result<Opened, String>)| {
            let outcomes = indexed.and_then(|opened| self.asked(row, &opened));
            bar.advance(1);
            outcomes
        };
        let outcomes: Vec<_> = threads.install(|| rows.par_iter().zip(indexed).map(one).collect());
        bar.finish();
        let or_failed = |(row, outcomes): (&Row, Result<Vec<Outcome>, String>)| {
            outcomes.unwrap_or_else(|cause| {
                say(&format!("eval: no pack for `{}`\n  because {cause}", row.instance_id));
                self.budgets.iter().map(|budget| Outcome::failed(row, *budget)).collect()
            })
        };
        Ok(rows.iter().zip(outcomes).map(or_failed).collect())
    }

    fn threads(&self) -> Result<rayon::ThreadPool, Failure> {
        let jobs = self.arguments.jobs;
        let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        threads.map_err(|error| Failure::other(format!("cannot start {jobs} threads\n  because {error}")))
    }

    fn indexed(&self, row: &Row) -> Result<Opened, String> {
        let refresh = Refresh { jobs: self.arguments.jobs, secrets: Secrets::Replace, ..Refresh::QUIET };
        self.opened(row, if self.arguments.as_is { Freshness::AsIs } else { Freshness::Refresh(&refresh) })
    }

    fn opened(&self, row: &Row, freshness: Freshness) -> Result<Opened, String> {
        let (tree, index) = (self.trees.join(row.tree()), self.arguments.indexes.join(row.tree()));
        let root = Root::of_tree(Some(&tree), Some(&index));
        root.and_then(|root| service::open(&root, freshness)).map_err(|error| error.to_string())
    }

    fn source(&self, opened: &Opened) -> Result<PackSource, String> {
        let packs = opened.packs();
        packs
            .map(|source| source.with_weights(self.weights.clone()))
            .map_err(|error| format!("{}: {error}", error.code))
    }

    /// A line a row, after a header.
    fn examples(&self, rows: &[Row]) -> Result<String, Failure> {
        let line = |row: &Row| {
            let request = request(row.tree().to_string(), &row.query, self.arguments.budget);
            let source = self.opened(row, Freshness::AsIs).and_then(|opened| self.source(&opened));
            let examples = source.and_then(|source| {
                let made = source.with(|view| {
                    ranked(view, &question(&request, &RequestScope::default()), |answer, model| {
                        let shown = |chunk| view.chunk(chunk).map(|chunk| chunk.shown_lines().to_vec());
                        let examples = Examples::collect(row, view.corpus(), &answer.hits, model, shown);
                        examples.map(|examples| format!("{}\n", json!(examples)))
                    })
                });
                made.map_err(|error| error.to_string())
            });
            examples.map_err(|cause| Failure::other(format!("no examples of `{}`\n  because {cause}", row.instance_id)))
        };
        let lines: Vec<_> = self.threads()?.install(|| rows.par_iter().map(line).collect());
        let lines = lines.into_iter().collect::<Result<String, _>>()?;
        Ok(format!("{}\n{lines}", json!(Header::default())))
    }

    fn asked(&self, row: &Row, opened: &Opened) -> Result<Vec<Outcome>, String> {
        let source = self.source(opened)?;
        let file_of = |path: &RepoPath| Some(TreeFile::parse(&std::fs::read(place(self.trees, row, path)).ok()?));
        let one = |budget: &u32| {
            let request = request(row.tree().to_string(), &row.query, *budget);
            request.check().map_err(|fault| format!("{}: {fault}", fault.code()))?;
            let made = source.with(|view| pack(view, &request));
            let made = made.map_err(|error| format!("{}: {error}", error.code))?;
            let text = render(&made, Format::Markdown);
            let line = |line: PrintedLine| (line.path.clone(), line.number, line.end);
            let lines = printed_lines(&made).into_iter().map(line).collect();
            Ok(score(row, &made, &ReadText { text, lines }, file_of))
        };
        self.budgets.iter().map(one).collect()
    }
}

/// As `contextpack pack --repo TREE` asks; the tree's name stands in the heading and costs tokens.
fn request(repo_id: String, query: &str, budget: u32) -> PackRequest {
    let mut request =
        PackRequest { query: query.to_string(), repo_id, tokenizer: Tokenizer::Cl100kBase, ..PackRequest::default() };
    request.budgets = request.budgets.with_tokens(budget);
    request
}

fn place(trees: &Path, row: &Row, path: &RepoPath) -> std::path::PathBuf {
    trees.join(row.tree()).join(OsStr::from_bytes(&path.to_bytes()))
}

fn weights(arguments: &EvalArguments) -> Result<Weights, Failure> {
    let Some(path) = &arguments.weights else { return Ok(Weights::default()) };
    toml::from_str(&read_text(path)?)
        .map_err(|error| Failure::other(format!("cannot use `{}`\n  because {error}", path.display())))
}

/// All, then each value of the field that is asked for.
fn grouped(arguments: &EvalArguments, rows: &[Row], outcomes: &[Vec<Outcome>]) -> Vec<Group> {
    let field = |row: &Row| match arguments.by? {
        By::Language => Some(row.language.clone()),
        By::Repo => Some(row.repo.clone()),
        By::Source => Some(row.source.clone()),
    };
    let mut groups: BTreeMap<Option<String>, Vec<&Outcome>> = BTreeMap::new();
    for (row, of) in rows.iter().zip(outcomes) {
        groups.entry(None).or_default().push(&of[0]);
        if let Some(name) = field(row) {
            groups.entry(Some(name)).or_default().push(&of[0]);
        }
    }
    let group = |(name, outcomes): (Option<String>, Vec<&Outcome>)| Group {
        name: name.unwrap_or_else(|| "all".to_string()),
        budget: arguments.budget,
        summary: Summary::from_outcomes(outcomes.iter().copied()),
    };
    groups.into_iter().map(group).collect()
}

fn by_budget(budgets: &[u32], outcomes: &[Vec<Outcome>]) -> Vec<(u32, Summary)> {
    let summary = |at: usize| Summary::from_outcomes(outcomes.iter().map(move |of| &of[at]));
    budgets.iter().enumerate().map(|(at, budget)| (*budget, summary(at))).collect()
}
