//! How many of the names in each language could be resolved.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pack::ReferenceReceipt;
use super::{Artifact, LanguageId, Role};

/// Sites of references, counted by what became of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Coverage {
    /// Several candidates, all of them kept.
    pub ambiguous: u64,
    /// Known to lead out of the tree.
    pub external: u64,
    pub language_id: LanguageId,
    pub resolved: u64,
    pub role: Role,
    /// Led to nothing known, or to too many.
    pub unresolved: u64,
}

impl Coverage {
    /// The sums of some records, by language.
    pub fn by_language<'c>(records: impl IntoIterator<Item = &'c Coverage>) -> BTreeMap<String, ReferenceReceipt> {
        let mut sums: BTreeMap<String, ReferenceReceipt> = BTreeMap::new();
        for record in records {
            let sum = sums.entry(record.language_id.to_string()).or_default();
            sum.ambiguous += record.ambiguous;
            sum.external += record.external;
            sum.resolved += record.resolved;
            sum.unresolved += record.unresolved;
        }
        sums
    }
}

impl Artifact for Coverage {
    const NAME: &'static str = "coverage";
    /// 1: first version. 2: roles of documents.
    const VERSION: u32 = 2;
    type Key<'k> = (&'k str, Role);

    fn key(&self) -> Self::Key<'_> {
        (self.language_id.as_str(), self.role)
    }
}
