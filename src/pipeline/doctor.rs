//! Problems of a tree or its index, and how to fix them. Only reads.

#![expect(clippy::disallowed_methods, reason = "looks at what git and its extensions left in the tree")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;

use super::service::{Root, STAGES, source_date_epoch};
use super::{ChunkSettings, operator_flag, tree_state, verify, walk_options};
use crate::door::{brief, pack, spec};
use crate::language::builtin_rule;
use crate::record::pack::TreeState;
use crate::record::{Coverage, Problem, ProblemCode, Severity};
use crate::source::{self, Walk};
use crate::store::Index;
use crate::text::shell_word;
use crate::{chunk, graph};

/// A finding about a tree or its index. Its code is stable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    pub severity: Severity,
    pub code: &'static str,
    pub what: String,
    /// A command, or manual steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl Finding {
    fn new(severity: Severity, code: &'static str, what: impl Into<String>) -> Self {
        Finding { severity, code, what: what.into(), fix: None }
    }

    fn fix(self, fix: impl Into<String>) -> Self {
        Finding { fix: Some(fix.into()), ..self }
    }
}

/// All findings about a tree and its index, the tree first.
pub fn doctor(root: &Root) -> Vec<Finding> {
    let (tree, index) = (root.tree().unwrap_or(Path::new(".")), root.index());
    let mut findings = check_tree(tree, index);
    if findings.iter().any(|finding| finding.code == "tree-unreadable") {
        return findings;
    }
    findings.extend(check_index(tree, index));
    findings
}

fn check_tree(tree: &Path, index: &Path) -> Vec<Finding> {
    let chunks = index.join("chunk");
    let walk = match source::walk(tree, &walk_options(&chunks, &ChunkSettings::recorded(&chunks))) {
        Ok(walk) => walk,
        Err(error) => {
            let finding = Finding::new(Severity::Error, "tree-unreadable", error.to_string());
            return vec![finding.fix("name the tree by --repo DIR")];
        }
    };
    let mut findings = vec![summarize(&walk)];
    findings.extend(submodules(tree));
    findings.extend(large_file_pointers(tree, &walk));
    findings.extend(check_date(tree));
    findings
}

fn summarize(walk: &Walk) -> Finding {
    let bytes: u64 = walk.files.iter().map(|entry| entry.bytes).sum();
    let size = format!("{} files, {:.1} MB, {} ignored", walk.files.len(), bytes as f64 / 1e6, walk.ignored);
    if walk.files.is_empty() {
        Finding::new(Severity::Error, "tree-empty", format!("there is nothing to read: {size}"))
            .fix("look at .gitignore, .ignore and .contextpackignore")
    } else {
        Finding::new(Severity::Info, "tree", size)
    }
}

/// Finds directories that `.gitmodules` names and that are empty.
fn submodules(tree: &Path) -> Option<Finding> {
    let text = fs::read_to_string(tree.join(".gitmodules")).ok()?;
    let paths = text.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim_start().strip_prefix('='));
    let is_empty = |path: &&str| fs::read_dir(tree.join(path)).is_ok_and(|mut entries| entries.next().is_none());
    let empty: Vec<&str> = paths.map(str::trim).filter(is_empty).collect();
    (!empty.is_empty()).then(|| {
        let what = format!("{} submodules are not checked out: {}", empty.len(), empty.join(", "));
        Finding::new(Severity::Warning, "submodules", what).fix("git submodule update --init --recursive")
    })
}

/// Finds files that contain only a pointer of git's large file storage.
fn large_file_pointers(tree: &Path, walk: &Walk) -> Option<Finding> {
    const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
    const MAX_POINTER_BYTES: u64 = 1024;
    let max_file_bytes = ChunkSettings::default().max_file_bytes;
    let small = walk.files.iter().filter(|entry| (1..=MAX_POINTER_BYTES).contains(&entry.bytes));
    let is_pointer = |entry: &&source::Entry| {
        source::read(tree, entry, max_file_bytes).is_ok_and(|content| content.bytes.starts_with(POINTER))
    };
    let count = small.filter(is_pointer).count();
    (count > 0).then(|| {
        let what = format!("{count} files are pointers to content that git-lfs has not fetched");
        Finding::new(Severity::Warning, "large-file-pointers", what).fix("git lfs pull")
    })
}

/// Packs record the date of their source, but a tree outside git has no date.
fn check_date(tree: &Path) -> Option<Finding> {
    let date = source::source_date(tree, source_date_epoch().as_deref()).ok()?;
    date.starts_with("1970-01-01").then(|| {
        let what = "the tree has no commit to take a date from, so packs say 1970";
        Finding::new(Severity::Info, "no-date", what).fix("set SOURCE_DATE_EPOCH if the date matters")
    })
}

fn check_index(tree: &Path, folder: &Path) -> Vec<Finding> {
    let chunks = match Index::open(&folder.join("chunk")) {
        Ok(chunks) => chunks,
        Err(error) if error.is_missing() => {
            let what = format!("there is no index in `{}`", folder.display());
            return vec![Finding::new(Severity::Error, "index-missing", what).fix("contextpack build")];
        }
        Err(error) => return vec![unsound_finding(&folder.join("chunk"), &error)],
    };
    let mut findings = Vec::new();
    for stage in STAGES {
        findings.extend(check_stage(folder, stage));
    }
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return findings;
    }
    findings.push(Finding::new(Severity::Info, "index", format!("`{}` is sound", folder.display())));
    findings.extend(check_inputs(folder, &chunks));
    findings.extend(check_freshness(tree, folder));
    findings.extend(problems(folder, &chunks));
    findings.extend(coverage(folder));
    findings
}

fn unsound_finding(folder: &Path, cause: &dyn std::fmt::Display) -> Finding {
    Finding::new(Severity::Error, "index-unsound", format!("`{}` is not sound: {cause}", folder.display()))
        .fix(format!("rm -r {} && contextpack build", folder.display()))
}

/// Checks that the pieces match the manifest and that this program's rules made it. A stage that was never run has no
/// finding.
fn check_stage(folder: &Path, stage: &str) -> Option<Finding> {
    let folder = folder.join(stage);
    let index = match Index::open(&folder) {
        Ok(index) => index,
        Err(error) if error.is_missing() => return None,
        Err(error) => return Some(unsound_finding(&folder, &error)),
    };
    if let Err(fault) = verify(&folder, false) {
        return Some(unsound_finding(&folder, &fault));
    }
    let (made, ours) = (index.manifest().ruleset_version, ruleset(stage));
    (made != ours).then(|| {
        let what = format!("`{}` was made by rules {made} and this program has {ours}", folder.display());
        Finding::new(Severity::Warning, "other-rules", what).fix("contextpack build")
    })
}

fn ruleset(stage: &str) -> u32 {
    match stage {
        "chunk" => chunk::RULESET_VERSION,
        "graph" => graph::RULESET_VERSION,
        "packs" => pack::RULESET_VERSION,
        "briefs" => brief::RULESET_VERSION,
        _ => spec::RULESET_VERSION,
    }
}

/// Finds stages that were made from other versions of their inputs.
fn check_inputs(folder: &Path, chunks: &Index) -> Vec<Finding> {
    let mut known = BTreeMap::from([("chunk".to_string(), chunks.manifest().digest.clone())]);
    let mut findings = Vec::new();
    for (stage, fix) in [("graph", "contextpack graph --index"), ("packs", "contextpack build, or pack --index")] {
        let Ok(index) = Index::open(&folder.join(stage)) else {
            if stage == "graph" {
                let what = "there is no graph, so no packs can be made";
                findings.push(
                    Finding::new(Severity::Error, "graph-missing", what).fix(format!("{fix} {}", folder.display())),
                );
            }
            continue;
        };
        let manifest = index.manifest();
        if manifest.inputs.iter().any(|input| known.get(&input.stage).is_some_and(|digest| *digest != input.digest)) {
            let what = format!("`{}` was made from an index that has changed since", folder.join(stage).display());
            let finding = Finding::new(Severity::Warning, "stage-stale", what);
            findings.push(finding.fix(format!("{fix} {}", folder.display())));
        }
        known.insert(manifest.stage.clone(), manifest.digest.clone());
    }
    findings
}

fn check_freshness(tree: &Path, folder: &Path) -> Option<Finding> {
    match tree_state(tree, folder) {
        Ok(TreeState::Changed) => {
            let what = "the tree has changed since the index was made";
            Some(Finding::new(Severity::Warning, "index-stale", what).fix("contextpack build"))
        }
        Ok(_) => None,
        Err(error) => Some(unsound_finding(&folder.join("chunk"), &error)),
    }
}

/// The problems that the chunk stage recorded, one finding per code.
fn problems(folder: &Path, chunks: &Index) -> Vec<Finding> {
    let Ok(records) = chunks.records::<Problem>() else { return Vec::new() };
    let mut by_code: BTreeMap<ProblemCode, (usize, String)> = BTreeMap::new();
    for problem in records.filter_map(Result::ok).filter(|problem| problem.severity > Severity::Info) {
        by_code.entry(problem.code).or_insert_with(|| (0, problem.file_rel_path.to_string())).0 += 1;
    }
    let to_finding = |(code, (count, first)): (ProblemCode, (usize, String))| {
        let what = format!("{count} {code}, the first is `{first}`");
        let severity = if code.severity() == Severity::Error { Severity::Warning } else { Severity::Info };
        Finding::new(severity, "problems", what).fix(how_to_fix(code, folder))
    };
    by_code.into_iter().map(to_finding).collect()
}

fn how_to_fix(code: ProblemCode, folder: &Path) -> String {
    let chunks = folder.join("chunk");
    let flag = Index::open(&chunks).map_or("", |chunks| operator_flag(chunks.manifest()));
    let see = format!("contextpack cat {} problems{flag}", shell_word(&chunks));
    match code {
        ProblemCode::TooLarge => {
            "raise max_file_bytes of [chunk], or ignore such files in .contextpackignore".to_string()
        }
        ProblemCode::Unreadable => "give this user the right to read them, or ignore them".to_string(),
        ProblemCode::ChangedWhileRead => "run again when nothing writes to the tree".to_string(),
        ProblemCode::Internal => format!("please report the file that it is; {see}"),
        _ => see,
    }
}

/// Languages with mostly unresolved names for which a SCIP indexer exists.
fn coverage(folder: &Path) -> Vec<Finding> {
    const MIN_NAMES: u64 = 1_000;
    let Ok(Ok(records)) = Index::open(&folder.join("graph"))
        .map(|graph| graph.records::<Coverage>().map(|all| all.filter_map(Result::ok).collect::<Vec<_>>()))
    else {
        return Vec::new();
    };
    let by_language = Coverage::by_language(&records).into_iter();
    let counted = by_language.map(|(language, sum)| {
        (language, sum.unresolved, sum.resolved + sum.ambiguous + sum.external + sum.unresolved)
    });
    let poor = counted.filter(|(language, unresolved, all)| {
        let has_indexer = builtin_rule(language).is_some_and(|rule| rule.scip_indexer);
        has_indexer && *all >= MIN_NAMES && unresolved * 2 > *all
    });
    poor.map(|(language, unresolved, all)| {
        let what = format!("{unresolved} of {all} names in {language} lead to nothing that is known");
        Finding::new(Severity::Info, "coverage", what)
            .fix(format!("contextpack graph --index {} --scip FILE, with a SCIP index of the tree", shell_word(folder)))
    })
    .collect()
}
