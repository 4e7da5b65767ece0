//! Looks at a path that somebody wants to write. Any error while looking is a denial.

use std::path::PathBuf;

use serde_json::Value;

use super::observe::Observer;
use crate::pipeline::ChunkSettings;
use crate::pipeline::walk_options;
use crate::record::session::{CitedFile, NewFileFault, WriteChecked, WritePlace, WriteWhat};
use crate::source::{PlaceFault, PlaceKind, Refused, digest_now, place};
use crate::text::RepoPath;

impl Observer<'_> {
    pub fn write_checked(&self, given: &str) -> WriteChecked {
        let (found, _) = self.write_place(given);
        let cited = self.session.cited_paths();
        let cited = cited.map(|path| CitedFile { digest: digest_now(self.bench.tree, path), path: path.clone() });
        WriteChecked { cited: cited.collect(), given: given.chars().take(4096).collect(), place: found }
    }

    /// What is at a path, and why it could not be a new file.
    pub fn write_place(&self, given: &str) -> (WritePlace, Option<NewFileFault>) {
        let bare = |what| WritePlace { digest: None, path: None, twin: None, what };
        let chunks = self.bench.index.join("chunk");
        let options = walk_options(&chunks, &ChunkSettings::recorded(&chunks));
        let reserved: Vec<PathBuf> =
            [self.bench.index.to_path_buf(), self.bench.sessions.folder().to_path_buf()].into();
        match place(self.bench.tree, given, &reserved, &options) {
            Err(Refused::Twin(twin)) => {
                (WritePlace { twin: Some(twin), ..bare(WriteWhat::Twin) }, Some(NewFileFault::Twin))
            }
            Err(Refused::Fault(fault)) => (bare(what(fault)), Some(NewFileFault::Path)),
            Ok(found) => {
                let (what, digest, fault) = match found.kind {
                    PlaceKind::File(digest) => (WriteWhat::File, Some(digest), Some(NewFileFault::Exists)),
                    PlaceKind::Folder => (WriteWhat::Folder, None, Some(NewFileFault::Exists)),
                    PlaceKind::Special => (WriteWhat::Special, None, Some(NewFileFault::Exists)),
                    PlaceKind::New { .. } => (WriteWhat::New, None, None),
                };
                (WritePlace { digest, path: Some(found.path), ..bare(what) }, fault)
            }
        }
    }

    /// The innermost directory that exists around a new file.
    pub fn new_folder(&self, given: &str) -> String {
        let chunks = self.bench.index.join("chunk");
        let options = walk_options(&chunks, &ChunkSettings::recorded(&chunks));
        match place(self.bench.tree, given, &[], &options).map(|found| found.kind) {
            Ok(PlaceKind::New { folder }) => folder,
            _ => String::new(),
        }
    }
}

fn what(fault: PlaceFault) -> WriteWhat {
    match fault {
        PlaceFault::Outside => WriteWhat::Outside,
        PlaceFault::Reserved => WriteWhat::Reserved,
        PlaceFault::NotIndexed => WriteWhat::NotIndexed,
        PlaceFault::LinkOutside => WriteWhat::LinkOutside,
        PlaceFault::Unreadable => WriteWhat::Unreadable,
    }
}

/// The call of a tool that an agent is about to make, as its hook gets it.
#[derive(Debug, PartialEq, Eq)]
pub struct HookCall {
    /// The files that it names, absolute or relative to the agent's directory.
    pub paths: Vec<String>,
}

impl HookCall {
    /// Reads the call of a tool: `{"tool_input": {"file_path": …}, "cwd": …}`. None if it names no file.
    pub fn parse(text: &str) -> Option<Self> {
        let call: Value = serde_json::from_str(text).ok()?;
        let input = call.get("tool_input").or_else(|| call.get("tool_args")).unwrap_or(&call);
        let folder = call.get("cwd").and_then(Value::as_str).unwrap_or_default();
        let mut paths = Vec::new();
        collect(input, &mut paths);
        let whole = |path: String| match path.starts_with('/') || folder.is_empty() {
            true => path,
            false => format!("{}/{path}", folder.trim_end_matches('/')),
        };
        let paths: Vec<String> = paths.into_iter().map(whole).collect();
        (!paths.is_empty()).then_some(HookCall { paths })
    }
}

/// The names under which tools have a file to write.
const PATH_NAMES: [&str; 6] = ["file_path", "filePath", "notebook_path", "absolute_path", "target_file", "path"];

fn collect(input: &Value, paths: &mut Vec<String>) {
    match input {
        Value::Object(object) => {
            paths.extend(PATH_NAMES.iter().filter_map(|name| Some(object.get(*name)?.as_str()?.to_string())));
            // Several edits in one call.
            object.values().filter(|value| value.is_array()).for_each(|value| collect(value, paths));
        }
        Value::Array(all) => all.iter().for_each(|one| collect(one, paths)),
        _ => {}
    }
}

/// A path in words of a message.
pub fn shown(path: Option<&RepoPath>, given: &str) -> String {
    crate::text::one_line(path.map_or(given, RepoPath::as_str))
}
