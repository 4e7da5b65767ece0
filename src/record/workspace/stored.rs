//! A payload as batches store it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ContextPayload, ContextRequest};
use crate::record::{Artifact, Audience};

/// A payload, with the request that it answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StoredPayload {
    /// Everything that its reader was: whoever reads it has to be all of that. It does not depend on what the payload
    /// shows, so it tells nothing of what is hidden.
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    pub payload: ContextPayload,
    pub request: ContextRequest,
}

impl Artifact for StoredPayload {
    const NAME: &'static str = "context_payloads";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = (&'k str, String);

    fn key(&self) -> Self::Key<'_> {
        let request = serde_json::to_string(&self.request).expect("a request is JSON");
        (self.payload.payload_id.as_str(), request)
    }
}
