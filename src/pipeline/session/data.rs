//! The `data` of a call: what its op takes, and nothing else.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::SessionError;
use crate::record::frame::{FrameIntent, Slot};
use crate::record::session::{OutcomeKind, SemanticReason};

/// Entries of one list.
const MAX_ENTRIES: usize = 64;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SubmitData {
    pub symbols_identified: Option<Vec<String>>,
    pub entry_points: Vec<String>,
    pub existing_patterns: Vec<PatternData>,
    pub files_analyzed: Option<Vec<String>>,
    pub resolved_frame: BTreeMap<String, Value>,
    pub slot_evidence: BTreeMap<String, Value>,
    pub new_files: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum PatternData {
    /// A pattern without a place, which nobody can check.
    Name(String),
    Placed {
        pattern: String,
        #[serde(default)]
        places: Vec<Value>,
    },
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct FrameData {
    pub said: Option<String>,
    pub intent: Option<FrameIntent>,
    /// A model's extraction; its slots may also stand beside `said`.
    pub extraction: Option<Value>,
    #[serde(flatten)]
    pub slots: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapData {
    pub symbol: String,
    pub call: Option<u32>,
    pub proof: Option<Value>,
    /// Accepted for readers; the target is found by the relation.
    #[serde(rename = "slot")]
    pub _slot: Option<Slot>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticData {
    pub slot: Slot,
    pub reason: SemanticReason,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HypothesisData {
    pub hypotheses: Vec<OneHypothesis>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneHypothesis {
    pub slot: Option<Slot>,
    pub symbol: Option<String>,
    #[serde(default)]
    pub text: String,
    pub call: Option<u32>,
    pub confidence: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyData {
    pub verified: Vec<OneVerified>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneVerified {
    pub id: u32,
    pub status: VerifiedStatus,
    pub evidence: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerifiedStatus {
    Confirmed,
    Rejected,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RevertData {
    pub keep: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteData {
    pub path: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeData {
    pub outcome: OutcomeKind,
    pub analysis: Option<crate::record::session::Analysis>,
}

/// Reads the data of an op. `expect_seq` is taken out first: every op may have it.
pub fn read<T: DeserializeOwned>(op: &str, data: &Map<String, Value>) -> Result<T, SessionError> {
    let plain: Map<String, Value> = data
        .iter()
        .filter(|(name, value)| *name != "expect_seq" && !value.is_null())
        .map(|(name, value)| (name.clone(), listed(value)))
        .collect();
    let longest = plain.values().filter_map(Value::as_array).map(Vec::len).max().unwrap_or(0);
    if longest > MAX_ENTRIES {
        return Err(SessionError::bad(format!("a list of {op} has {longest} entries and may have {MAX_ENTRIES}")));
    }
    serde_json::from_value(Value::Object(plain)).map_err(|error| SessionError::bad(format!("data of {op}: {error}")))
}

pub fn expect_seq(data: &Map<String, Value>) -> Option<u32> {
    data.get("expect_seq")?.as_u64().and_then(|seq| u32::try_from(seq).ok())
}

/// Lists as JSON text are lists.
fn listed(value: &Value) -> Value {
    let parsed =
        value.as_str().filter(|text| text.starts_with(['[', '{'])).and_then(|text| serde_json::from_str(text).ok());
    parsed.unwrap_or_else(|| value.clone())
}
