//! What is wrong with a payload.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PayloadWarning;

/// The result of checking a payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayloadValidation {
    pub errors: Vec<PayloadError>,
    /// There are no errors.
    pub valid: bool,
    /// Those of the payload.
    pub warnings: Vec<PayloadWarning>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PayloadError {
    pub code: PayloadErrorCode,
    pub message: String,
    /// The field, as in `sections[1].items[0].relevance`.
    pub path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PayloadErrorCode {
    /// The whole text does not have the tokens that the payload says.
    Tokens,
    /// A section does not.
    SectionTokens,
    /// Another count is wrong.
    Counts,
    /// Sections, items or ranks are not in order.
    Order,
    /// A block is shown twice.
    Duplicate,
    /// An item has a type that it cannot have.
    BlockType,
    /// An item has a relevance that it cannot have.
    Relevance,
    /// The payload does not say when it was made for.
    Timestamp,
    /// The sections are printed in another way than the text says.
    Serialized,
    /// More is spent than may be.
    Budget,
    /// The reader may not see it.
    Permission,
}
