//! Trees of workspaces for tests. All of them are read by the real stages.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use contextpack::pipeline::{
    Access, ChunkStage, Disk, GraphStage, PackSource, Pipeline, PipelineError, WhenLocked, run_chunk, run_graph,
};
use contextpack::record::pack::TreeState;
use contextpack::record::{Principal, Reader};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::tool::{artifacts, bytes, contextpack, copy, home, plant};

/// A tree of files that are a workspace, and its index.
pub struct World {
    pub scratch: TempDir,
    /// Which bits of the uids of chunks are kept.
    pub uid_mask: u64,
    /// 0 means one per core.
    pub jobs: usize,
}

impl World {
    /// Writes files beside a `contextpack.toml` that says that they are a workspace.
    pub fn new(files: &[(&str, &str)]) -> Self {
        let world = World { scratch: tempdir().unwrap(), uid_mask: u64::MAX, jobs: 0 };
        world.write("contextpack.toml", "[workspace]\n");
        files.iter().for_each(|(path, text)| world.write(path, text));
        world
    }

    /// The input of a golden case.
    pub fn of_golden(case: &str) -> Self {
        let world = World::new(&[]);
        copy(&home().join("golden").join(case).join("input"), &world.tree());
        world
    }

    pub fn tree(&self) -> PathBuf {
        self.scratch.path().join("tree")
    }

    pub fn index(&self) -> PathBuf {
        self.scratch.path().join("index")
    }

    pub fn write(&self, path: &str, text: &str) {
        plant(&self.tree(), &[(path, text.as_bytes())]);
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.tree().join(path)).unwrap();
    }

    /// Builds the index, or brings it up to date.
    pub fn build(&self) {
        self.build_into(&self.index()).expect("the workspace can be indexed");
    }

    pub fn build_into(&self, index: &Path) -> Result<(), PipelineError> {
        let toml = self.tree().join(Pipeline::FILE_NAME);
        let pipeline = Pipeline::parse(&toml, &fs::read_to_string(&toml).unwrap())?;
        let stage = ChunkStage { source: self.tree(), out: index.join("chunk"), ..pipeline.chunk_stage(self.jobs) };
        let settings = contextpack::pipeline::ChunkSettings { uid_mask: self.uid_mask, ..stage.settings };
        run_chunk(&ChunkStage { settings, ..stage }, Disk::real(), WhenLocked::Refuse, &|_| ())?;
        let stage = GraphStage { index: index.to_path_buf(), ..pipeline.graph_stage(self.jobs) };
        run_graph(&stage, Disk::real(), WhenLocked::Refuse).expect("the graph can be made");
        Ok(())
    }

    /// All bytes of both stages.
    pub fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        let stages = ["chunk", "graph"].map(|stage| bytes(&self.index().join(stage)));
        stages.into_iter().flatten().collect()
    }

    pub fn source(&self) -> PackSource {
        PackSource::open_with(&self.index(), TreeState::Current, Access::Operator).expect("the index was built")
    }

    /// Runs `contextpack` in the folder of the world, so that messages name the same paths in every world.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut command = contextpack();
        command.current_dir(self.scratch.path()).args(arguments).output().expect("the binary starts")
    }

    /// All records of an artifact of a stage.
    pub fn records(&self, stage: &str, artifact: &str) -> Vec<Value> {
        let all = artifacts(&self.index().join(stage));
        let lines = all.get(artifact).map_or("", String::as_str).lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Everything in the index, as lines.
    pub fn all_records(&self) -> String {
        let lines = |stage: &str| artifacts(&self.index().join(stage)).into_values().collect::<String>();
        lines("chunk") + &lines("graph")
    }

    /// What is said about files that cannot be read as they are, as `code path: message`.
    pub fn problems(&self) -> Vec<String> {
        let problem = |problem: &Value| {
            let word = |key: &str| problem[key].as_str().unwrap_or_default().to_string();
            format!("{} {}: {}", word("code"), word("fileRelPath"), word("message"))
        };
        self.records("chunk", "problems").iter().map(problem).collect()
    }
}

/// Somebody with these principals, and `public`.
pub fn reader(principals: &[&str]) -> Reader {
    let principal = |text: &&str| Principal::try_from(text.to_string()).expect("it is a principal");
    Reader::As(principals.iter().chain(&["public"]).map(principal).collect::<BTreeSet<Principal>>())
}
