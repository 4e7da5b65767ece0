//! Payloads as a caller of the library gets them.

use std::fs;
use std::sync::Arc;

use contextpack::assemble::blocks::ReadableBlocks;
use contextpack::door::workspace::{Summaries, WantedSummary};
use contextpack::pipeline::{Answered, Pipeline, WorkspaceSource};
use contextpack::record::Reader;
use contextpack::record::workspace::{ContextPayload, ContextRequest, PayloadPart, PayloadSection};
use serde_json::Value;

use super::world::World;

/// A workspace whose index is built, opened once for all requests.
pub struct Answers {
    pub source: WorkspaceSource,
}

impl Answers {
    /// Builds the index first.
    pub fn of(world: &World) -> Self {
        world.build();
        let toml = world.tree().join(Pipeline::FILE_NAME);
        let pipeline = Pipeline::parse(&toml, &fs::read_to_string(&toml).unwrap()).unwrap();
        let settings = pipeline.workspace_settings().unwrap();
        Answers { source: WorkspaceSource::new(Arc::new(world.source()), settings).unwrap() }
    }

    /// For the user of the request.
    #[track_caller]
    pub fn payload(&self, request: &Value) -> ContextPayload {
        self.payload_for(None, request)
    }

    #[track_caller]
    pub fn payload_for(&self, reader: Option<&Reader>, request: &Value) -> ContextPayload {
        let asked = self.source.ask(parsed(request), reader).expect("the reader may ask");
        self.source.context(&asked, &self.source.summarizer(false)).expect("it can be answered").payload
    }

    /// Gives `work` what the user of a request may see.
    pub fn with<R>(&self, request: &Value, work: impl FnOnce(&ReadableBlocks) -> R) -> R {
        let asked = self.source.ask(parsed(request), None).expect("the reader may ask");
        self.source.with(&asked.reader, work).expect("the index can be read")
    }

    /// For somebody who sees this.
    pub fn answer(&self, view: &ReadableBlocks, request: &ContextRequest) -> Answered {
        let nobody = |_: &[WantedSummary]| Ok(Summaries::default());
        self.source.answer(view, request, &nobody).expect("it can be answered")
    }
}

pub fn parsed(request: &Value) -> ContextRequest {
    serde_json::from_value(request.clone()).expect("it is a request")
}

pub fn section(payload: &ContextPayload, part: PayloadPart) -> &PayloadSection {
    payload.sections.iter().find(|section| section.part == part).expect("there are all six")
}

/// Of the items of a section, as they are printed.
pub fn ids(payload: &ContextPayload, part: PayloadPart) -> Vec<&str> {
    section(payload, part).items.iter().map(|item| item.block_id.as_str()).collect()
}

/// The requests of a golden case.
pub fn golden_requests(case: &str) -> Vec<Value> {
    let path = crate::tool::home().join("golden").join(case).join("requests.jsonl");
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
