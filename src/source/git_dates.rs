//! When the commits of a repository first and last touched each file.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// The times of the first and the last commit that touched a file, in seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitTimes {
    pub first: i64,
    pub last: i64,
}

/// Marks the line with a commit's time. No path starts with it.
const MARK: char = '\u{1}';

/// The times of all files below a tree that its repository knows. The reason if there is no usable history: a shallow
/// clone would give the wrong dates.
pub fn git_dates(tree: &Path) -> Result<BTreeMap<String, CommitTimes>, &'static str> {
    let shallow = run(tree, &["rev-parse", "--is-shallow-repository"])?;
    if shallow.trim() == "true" {
        return Err("the clone is shallow: its history does not say when files changed");
    }
    let format = format!("--format={MARK}%ct");
    let log = ["-c", "core.quotepath=off", "log", &format, "--name-only", "-z", "--no-renames", "--relative", "HEAD"];
    Ok(parse(&run(tree, &log)?))
}

fn run(tree: &Path, arguments: &[&str]) -> Result<String, &'static str> {
    let mut command = Command::new("git");
    command.arg("-C").arg(tree).args(arguments).env("LC_ALL", "C").stdin(Stdio::null());
    let output = command.output().map_err(|_| "git cannot be run")?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err("it is no git repository with commits"),
    }
}

fn parse(log: &str) -> BTreeMap<String, CommitTimes> {
    let mut dates: BTreeMap<String, CommitTimes> = BTreeMap::new();
    let mut time = 0;
    for part in log.split(['\0', '\n']).filter(|part| !part.is_empty()) {
        match part.strip_prefix(MARK) {
            Some(seconds) => time = seconds.trim().parse().unwrap_or(0),
            None => {
                let times = dates.entry(part.to_string()).or_insert(CommitTimes { first: time, last: time });
                *times = CommitTimes { first: times.first.min(time), last: times.last.max(time) };
            }
        }
    }
    dates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_times_of_its_first_and_last_commit() {
        let dates = parse("\u{1}30\0\nb.md\0a b.md\0\u{1}10\0\na b.md\0");
        assert_eq!(dates["a b.md"], CommitTimes { first: 10, last: 30 });
        assert_eq!(dates["b.md"], CommitTimes { first: 30, last: 30 });
        assert_eq!(dates.len(), 2);
    }
}
