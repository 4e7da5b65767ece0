//! The index that lies on the disk at this moment. Any other process may replace it at the next.

use std::path::Path;

use super::fault::{Fault, NOT_SUPPORTED};
use crate::pipeline::keeps_secrets;
use crate::record::Digest;
use crate::store::{Index, Input, StoreError};

/// What the records of both stages are, however and wherever they are stored.
pub type Signatures = [Digest; 2];

pub struct Stages([Index; 2]);

impl Stages {
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Ok(Stages([Index::open(&folder.join("chunk"))?, Index::open(&folder.join("graph"))?]))
    }

    pub fn signatures(&self) -> Signatures {
        self.0.each_ref().map(|stage| stage.manifest().index_signature.clone())
    }

    /// As whatever is made from them names them.
    pub fn inputs(&self) -> Vec<Input> {
        let manifests = self.0.iter().map(Index::manifest);
        manifests.map(|stage| Input { stage: stage.stage.clone(), digest: stage.digest.clone() }).collect()
    }

    pub fn graph(&self) -> &Index {
        &self.0[1]
    }

    pub fn keeps_secrets(&self) -> bool {
        keeps_secrets(&self.0[0])
    }

    /// Who started the server never said that its clients may see them.
    pub fn refuse_secrets(&self) -> Result<(), Fault> {
        match self.keeps_secrets() {
            true => Err(Fault::new(NOT_SUPPORTED, "the index was made with --allow-secrets and is not served")
                .hint("index the tree again without it, or start `contextpack mcp` without --no-refresh")),
            false => Ok(()),
        }
    }
}

/// What a call began with is not there any more; it is tried again, with what is.
pub fn replaced() -> Fault {
    Fault::new("POC_E_INDEX_MISSING", "another process replaced the index").hint("give each tree an index of its own")
}
