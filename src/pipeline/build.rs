//! Runs a whole pipeline: every stage in order. Stages that are up to date are skipped.

#![expect(
    clippy::disallowed_methods,
    reason = "times the stages for the log, and reads the files that a pipeline names"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

use super::access::is_restricted_by;
use super::service::STAGES;
use super::share;
use super::summaries::FOLDER as SUMMARIES;
use super::views::VIEWS;
use super::{
    BRIEFS, BriefSource, BriefStage, PackSource, PackStage, Pipeline, PipelineError, Progress, Requests, SpecSource,
    run_briefs, run_bundles, run_chunk, run_graph, run_packs,
};
use crate::dialect::spec::SectionSchema;
use crate::record::bundle::BundleRequest;
use crate::record::pack::TreeState;
use crate::record::request::PackRequest;
use crate::record::{Digest, ProblemCode};
use crate::store::{self, Disk, Index, Manifest, WhenLocked};

/// One run, and where to report progress.
pub struct Build<'w> {
    pub pipeline: &'w Pipeline,
    /// The name of the tree in packs.
    pub repo_id: String,
    pub jobs: usize,
    pub when_locked: WhenLocked<'w>,
    pub watch: &'w (dyn Fn(Progress) + Sync),
}

/// The result of a stage.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StageDone {
    pub stage: &'static str,
    /// False if the stage was up to date.
    pub built: bool,
    pub folder: PathBuf,
    pub index_signature: Digest,
    /// Named counts, in the order in which they are printed.
    #[serde(serialize_with = "by_name")]
    pub counts: Vec<(&'static str, u64)>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub problems: BTreeMap<ProblemCode, u64>,
    #[serde(skip)]
    pub time: Duration,
}

fn by_name<S: Serializer>(counts: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(counts.iter().copied())
}

impl Build<'_> {
    /// Runs all stages. Reports the result of each as soon as it is known.
    pub fn run(&self, done: &mut dyn FnMut(&StageDone)) -> Result<(), PipelineError> {
        self.index(done)?;
        if let Some(requests) = &self.pipeline.pack.requests {
            done(&self.packs(requests)?);
        }
        if let Some(requests) = &self.pipeline.spec.requests {
            done(&self.bundles(requests)?);
        }
        if let Some(requests) = &self.pipeline.brief.requests {
            done(&self.briefs(requests)?);
        }
        Ok(())
    }

    /// Runs the stages that packs are made from. Returns their signatures.
    pub fn index(&self, done: &mut dyn FnMut(&StageDone)) -> Result<[Digest; 2], PipelineError> {
        let chunk = self.chunk()?;
        done(&chunk);
        let graph = self.graph()?;
        done(&graph);
        Ok([chunk.index_signature, graph.index_signature])
    }

    fn chunk(&self) -> Result<StageDone, PipelineError> {
        let stage = self.pipeline.chunk_stage(self.jobs);
        let step = Step::start("chunk", &stage.out);
        let summary = run_chunk(&stage, Disk::real(), self.when_locked, self.watch)?;
        if is_restricted_by(&summary.manifest) {
            self.close_index()?;
        }
        let counts = vec![
            ("files", summary.files),
            ("analysed", summary.files - summary.carried),
            ("chunks", summary.chunks),
            ("symbols", summary.symbols),
        ];
        Ok(StageDone { problems: summary.problems, ..step.end(&summary.manifest, counts) })
    }

    /// Closes the directory of the index to everybody else, unless it holds something else, too.
    fn close_index(&self) -> Result<(), PipelineError> {
        let folder = &self.pipeline.index;
        let names = STAGES.iter().chain(&[VIEWS, SUMMARIES, share::FOLDER]);
        let is_own = |path: &Path| store::is_own(path) || names.clone().any(|name| path.ends_with(name));
        let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
        if entries.all(|entry| is_own(&entry.path())) {
            Disk::real().private().create_folder(folder)?;
        }
        Ok(())
    }

    fn graph(&self) -> Result<StageDone, PipelineError> {
        let stage = self.pipeline.graph_stage(self.jobs);
        let step = Step::start("graph", &stage.index.join("graph"));
        let summary = run_graph(&stage, Disk::real(), self.when_locked)?;
        Ok(step.end(&summary.manifest, vec![("nodes", summary.nodes), ("edges", summary.edges)]))
    }

    fn packs(&self, requests: &Path) -> Result<StageDone, PipelineError> {
        let text = read(requests)?;
        let stage = PackStage { index: self.pipeline.index.clone(), keep: false, jobs: self.jobs };
        let step = Step::start("packs", &stage.index.join("packs"));
        let source = PackSource::open(&stage.index, TreeState::Current)?;
        let requests = Requests::of_packs(requests, &text, |request| self.complete(request));
        let summary = run_packs(&stage, &source, &requests, Disk::real(), self.when_locked, &|_| ())?;
        let counts = vec![("packs", summary.packs), ("built", summary.packs - summary.cached)];
        Ok(StageDone { problems: refused(summary.refused), ..step.end(&summary.manifest, counts) })
    }

    /// Completes a request as [`super::service::Root::complete`] does.
    fn complete(&self, request: &mut PackRequest) {
        if request.repo_id.is_empty() {
            request.repo_id.clone_from(&self.repo_id);
        }
        request.add_words(&self.pipeline.words);
    }

    fn bundles(&self, path: &Path) -> Result<StageDone, PipelineError> {
        let text = read(path)?;
        let requests = Requests::parse(path, &text, BundleRequest::parse).all.into_iter().map(|(line, request)| {
            request.map_err(|reason| PipelineError::BundleRequest { path: path.to_path_buf(), line, reason })
        });
        let requests = requests.collect::<Result<Vec<_>, _>>()?;
        let out = self.pipeline.index.join("bundles");
        let step = Step::start("bundles", &out);
        let schema = self.pipeline.spec.schema.as_deref().map(read_section_schema).transpose()?;
        let source = SpecSource::open(&self.pipeline.source, &self.pipeline.index, schema)?;
        let summary = run_bundles(&source, &requests, &out, self.when_locked)?;
        let counts = vec![("bundles", summary.written), ("built", summary.written - summary.cached)];
        Ok(step.end(&summary.manifest, counts))
    }

    fn briefs(&self, path: &Path) -> Result<StageDone, PipelineError> {
        let text = read(path)?;
        let stage = BriefStage { out: self.pipeline.index.join(BRIEFS), keep: false, jobs: self.jobs };
        let step = Step::start(BRIEFS, &stage.out);
        let source = BriefSource::new(Arc::new(PackSource::open(&self.pipeline.index, TreeState::Current)?));
        let requests = Requests::of_briefs(path, &text, &self.pipeline.lenses());
        let stored = run_briefs(&stage, &source, &requests, None, Disk::real(), self.when_locked, &|_| ())?;
        let counts = vec![("briefs", stored.answers), ("built", stored.answers - stored.cached)];
        Ok(StageDone { problems: refused(stored.problems.len() as u64), ..step.end(&stored.manifest, counts) })
    }
}

/// Invalid requests, as problems.
fn refused(count: u64) -> BTreeMap<ProblemCode, u64> {
    if count == 0 { BTreeMap::new() } else { BTreeMap::from([(ProblemCode::BadRequest, count)]) }
}

/// A running stage.
struct Step {
    stage: &'static str,
    folder: PathBuf,
    /// The manifest digest of the previous run.
    before: Option<Digest>,
    started: Instant,
}

impl Step {
    fn start(stage: &'static str, folder: &Path) -> Self {
        let before = Index::open(folder).ok().map(|index| index.manifest().digest.clone());
        Step { stage, folder: folder.to_path_buf(), before, started: Instant::now() }
    }

    fn end(self, manifest: &Manifest, counts: Vec<(&'static str, u64)>) -> StageDone {
        StageDone {
            stage: self.stage,
            built: self.before.as_ref() != Some(&manifest.digest),
            folder: self.folder,
            index_signature: manifest.index_signature.clone(),
            counts,
            problems: BTreeMap::new(),
            time: self.started.elapsed(),
        }
    }
}

fn read(path: &Path) -> Result<String, PipelineError> {
    fs::read_to_string(path).map_err(|error| PipelineError::settings(path, error))
}

/// A section schema that a user names.
pub fn read_section_schema(path: &Path) -> Result<SectionSchema, PipelineError> {
    let unusable = |fault| PipelineError::settings(path, format!("it is not a section schema: {fault}"));
    SectionSchema::parse(&read(path)?).map_err(unusable)
}
