//! `contextpack doctor determinism`: the same tree under other circumstances, and what differs if anything does.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use clap::Args;
use serde::Serialize;
use serde_json::json;

use crate::cli::{DONE, Failure, REFUSED, print, print_json, say};
use crate::pipeline::{Index, open_stage, walk_tree};
use crate::record::Digest;
use crate::text::RepoPath;

/// Build a tree several times under different conditions and compare every byte
///
/// Varies the number of threads, the order of directories, the location, file dates, locale, time zone, umask and
/// environment. Prints one digest, or the first record that differs. The indexes go to the directory for temporary
/// files.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    contextpack doctor determinism --repo .\n  \
    contextpack doctor determinism --repo . --requests requests.jsonl\n\n\
    Exit code: 0 the same bytes every time, 1 not, 2 could not run.")]
pub struct DeterminismArguments {
    /// The tree
    #[arg(long, aliases = ["source", "root"], value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// Requests whose packs are compared too, one JSON object per line
    #[arg(long, value_name = "FILE")]
    requests: Option<PathBuf>,
    /// Print nothing but the result and errors
    #[arg(long, short)]
    quiet: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One way to run.
struct Circumstances {
    name: &'static str,
    jobs: &'static str,
    shuffle: Option<&'static str>,
    environment: &'static [(&'static str, &'static str)],
    umask: &'static str,
    /// Of a copy in another folder, with other file dates.
    elsewhere: bool,
}

const RUNS: [Circumstances; 4] = [
    Circumstances { name: "as it is", jobs: "0", shuffle: None, environment: &[], umask: "022", elsewhere: false },
    Circumstances {
        name: "one thread, directories in another order",
        jobs: "1",
        shuffle: Some("1"),
        environment: &[("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati")],
        umask: "022",
        elsewhere: false,
    },
    Circumstances {
        name: "eight threads, another order, locale, zone and umask",
        jobs: "8",
        shuffle: Some("2"),
        environment: &[("LANG", "ja_JP.SJIS"), ("TZ", "America/St_Johns"), ("USER", "other"), ("HOSTNAME", "other")],
        umask: "077",
        elsewhere: false,
    },
    Circumstances {
        name: "another directory, other file dates",
        jobs: "3",
        shuffle: Some("3"),
        environment: &[("LC_ALL", "C"), ("TZ", "Asia/Kathmandu")],
        umask: "022",
        elsewhere: true,
    },
];

pub fn run(arguments: &DeterminismArguments) -> Result<u8, Failure> {
    let scratch = tempfile::Builder::new().prefix("contextpack-determinism-").tempdir().map_err(Failure::other)?;
    let copy = scratch.path().join("a folder elsewhere/другой");
    copy_tree(&arguments.repo, &copy)?;
    let mut first: Option<(PathBuf, BTreeMap<String, Digest>)> = None;
    for (at, circumstances) in RUNS.iter().enumerate() {
        let tree = if circumstances.elsewhere { &copy } else { &arguments.repo };
        // Packs call the tree by the name of the directory that holds the index: the same one in every run.
        let index = scratch.path().join("indexes").join(at.to_string());
        build(arguments, circumstances, tree, &index)?;
        let files = digests(&index)?;
        if !arguments.quiet {
            say(&format!("determinism: {}: {} files, {}", circumstances.name, files.len(), digest_of(&files)));
        }
        match &first {
            None => first = Some((index, files)),
            Some((one, expected)) if *expected != files => {
                let found = first_difference(one, expected, &index, &files)?;
                match arguments.json {
                    true => print_json(&json!({ "same": false, "run": circumstances.name, "first": found }))?,
                    false => print(&format!("not the same bytes: {}\n{}", circumstances.name, said(&found)))?,
                }
                return Ok(REFUSED);
            }
            // As large as the first, and of no more use.
            Some(_) => drop(fs::remove_dir_all(&index)),
        }
    }
    let (_, files) = first.expect("there is more than one run");
    let (times, digest) = (RUNS.len(), digest_of(&files));
    match arguments.json {
        true => print_json(&json!({ "same": true, "runs": times, "digest": digest }))?,
        false => print(&format!("the same bytes {times} times: {digest}\n"))?,
    }
    Ok(DONE)
}

/// By this very program, in processes of their own: locale and zone are a process's.
fn build(
    arguments: &DeterminismArguments,
    circumstances: &Circumstances,
    tree: &Path,
    index: &Path,
) -> Result<(), Failure> {
    let jobs = circumstances.jobs;
    let place = |path: &Path| path.to_string_lossy().into_owned();
    let mut chunk = vec!["chunk".to_string(), "--repo".into(), ".".into(), "--out".into(), place(&index.join("chunk"))];
    if let Some(seed) = circumstances.shuffle {
        chunk.extend(["--shuffle".to_string(), seed.to_string()]);
    }
    let mut stages = vec![chunk, vec!["graph".to_string(), "--index".into(), place(index)]];
    if let Some(requests) = &arguments.requests {
        let requests = requests.canonicalize().map_err(|error| unread(requests, error))?;
        stages.push(vec!["pack".to_string(), "--index".into(), place(index), "--requests".into(), place(&requests)]);
    }
    for stage in stages {
        run_stage(circumstances, tree, &[&stage[..], &["--jobs".to_string(), jobs.to_string()]].concat())?;
    }
    Ok(())
}

fn run_stage(circumstances: &Circumstances, tree: &Path, arguments: &[String]) -> Result<(), Failure> {
    let program = std::env::current_exe().map_err(Failure::other)?;
    let mut command = Command::new("sh");
    command.args(["-c", "umask \"$0\"; exec \"$@\" --quiet", circumstances.umask]).arg(program).args(arguments);
    command.env_clear().current_dir(tree).envs(circumstances.environment.iter().copied());
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    // A copy has no commit to take a date from.
    command.env("SOURCE_DATE_EPOCH", std::env::var("SOURCE_DATE_EPOCH").unwrap_or_else(|_| "0".to_string()));
    let output = command.output().map_err(Failure::other)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Failure::other(format!(
            "{}: the run failed\n  because {}",
            circumstances.name,
            String::from_utf8_lossy(&output.stderr)
        ))),
    }
}

/// Everything that the chunk stage reads of a tree, and the links in it.
fn copy_tree(tree: &Path, to: &Path) -> Result<(), Failure> {
    let walk = walk_tree(tree)?;
    fs::create_dir_all(to).map_err(|error| unread(to, error))?;
    let problems = walk.problems.iter().map(|problem| &problem.file_rel_path);
    let links = problems.filter(|path| tree.join(file_name(path)).is_symlink());
    for path in walk.files.iter().map(|entry| &entry.path).chain(links) {
        let from = tree.join(file_name(path));
        copy(&from, &to.join(file_name(path))).map_err(|error| unread(&from, error))?;
    }
    Ok(())
}

fn file_name(path: &RepoPath) -> OsString {
    OsString::from_vec(path.to_bytes())
}

/// A link as a link, a file with a date of its own.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    if let Ok(target) = fs::read_link(from) {
        return std::os::unix::fs::symlink(target, to);
    }
    fs::copy(from, to)?;
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(946_684_800);
    // A file that may only be read keeps its date.
    drop(fs::File::options().append(true).open(to).and_then(|file| file.set_modified(long_ago)));
    Ok(())
}

/// Of every file of every stage but the locks.
fn digests(index: &Path) -> Result<BTreeMap<String, Digest>, Failure> {
    let mut files = BTreeMap::new();
    for stage in fs::read_dir(index).map_err(|error| unread(index, error))?.flatten() {
        for file in fs::read_dir(stage.path()).map_err(|error| unread(&stage.path(), error))?.flatten() {
            let name = format!("{}/{}", stage.file_name().to_string_lossy(), file.file_name().to_string_lossy());
            if !name.ends_with("/.lock") {
                let bytes = fs::read(file.path()).map_err(|error| unread(&file.path(), error))?;
                files.insert(name, Digest::sha256(&bytes));
            }
        }
    }
    Ok(files)
}

fn digest_of(files: &BTreeMap<String, Digest>) -> String {
    let listed: String = files.iter().map(|(name, digest)| format!("{} {name}\n", digest.as_str())).collect();
    Digest::sha256(listed.as_bytes()).as_str().to_string()
}

/// Where two indexes of one tree differ.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Difference {
    Record { artifact: String, number: usize, before: Option<String>, after: Option<String> },
    File { name: String },
}

fn said(difference: &Difference) -> String {
    match difference {
        Difference::Record { artifact, number, before, after } => {
            let line = |line: &Option<String>| line.clone().unwrap_or_else(|| "no such record".to_string());
            format!("record {number} of {artifact}\n- {}\n+ {}\n", line(before), line(after))
        }
        Difference::File { name } => format!("all records are the same; the first file that is not: {name}\n"),
    }
}

/// The first record that differs, or the first file where all records are the same.
fn first_difference(
    one: &Path,
    of_one: &BTreeMap<String, Digest>,
    other: &Path,
    of_other: &BTreeMap<String, Digest>,
) -> Result<Difference, Failure> {
    for stage in ["chunk", "graph", "packs"] {
        let (Ok(one), Ok(other)) = (open_stage(&one.join(stage)), open_stage(&other.join(stage))) else { continue };
        for artifact in &one.manifest().artifacts {
            let (a, b) = (lines(&one, &artifact.name)?, lines(&other, &artifact.name)?);
            let at = a.iter().zip(&b).position(|(a, b)| a != b);
            let at = at.or_else(|| (a.len() != b.len()).then_some(a.len().min(b.len())));
            if let Some(at) = at {
                let (artifact, number) = (format!("{stage}/{}", artifact.name), at + 1);
                let (before, after) = (a.get(at).cloned(), b.get(at).cloned());
                return Ok(Difference::Record { artifact, number, before, after });
            }
        }
    }
    let names = of_one.keys().chain(of_other.keys());
    let first = names.filter(|name| of_one.get(*name) != of_other.get(*name)).min();
    Ok(Difference::File { name: first.cloned().unwrap_or_default() })
}

fn lines(index: &Index, artifact: &str) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    index.for_each_line(artifact, |line| {
        lines.push(String::from_utf8_lossy(line).into_owned());
        Ok::<(), Failure>(())
    })?;
    Ok(lines)
}

fn unread(path: &Path, error: std::io::Error) -> Failure {
    Failure::file("use", path)(error)
}
