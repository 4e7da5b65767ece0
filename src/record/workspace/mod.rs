//! The request for context of a workspace, and the answer.

mod payload;
mod request;
mod stored;
mod validation;

pub use payload::{
    BudgetShare, ContextPayload, LeftOut, PayloadId, PayloadItem, PayloadItemFacts, PayloadMetadata, PayloadSection,
    PayloadWarning, Similarity, Truncated, WarningCode, Why,
};
pub use request::{
    ContextRequest, Focus, Hints, Message, MessageRole, RequestBudget, RequestFault, RequestType, RequestUser,
    TimeRange, TruncationStrategy,
};
pub use stored::StoredPayload;
pub use validation::{PayloadError, PayloadErrorCode, PayloadValidation};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a payload, with a budget of its own. In the order in which they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum PayloadPart {
    /// The user's own instructions, and the day.
    System,
    /// What the request points at, with what is around it.
    Focus,
    /// What is like the question.
    Semantic,
    /// What is linked with the focus.
    Relations,
    /// What the user did lately.
    Activity,
    /// The conversation so far.
    History,
}

impl PayloadPart {
    /// In the order in which they are printed.
    pub const ALL: [PayloadPart; 6] = [
        PayloadPart::System,
        PayloadPart::Focus,
        PayloadPart::Semantic,
        PayloadPart::Relations,
        PayloadPart::Activity,
        PayloadPart::History,
    ];

    /// The heading of its section.
    pub fn title(self) -> &'static str {
        match self {
            PayloadPart::System => "Instructions",
            PayloadPart::Focus => "Focused Content",
            PayloadPart::Semantic => "Related Content",
            PayloadPart::Relations => "Connected Items",
            PayloadPart::Activity => "Recent Activity",
            PayloadPart::History => "Conversation",
        }
    }

    /// As it is written in JSON.
    pub fn name(self) -> &'static str {
        match self {
            PayloadPart::System => "system",
            PayloadPart::Focus => "focus",
            PayloadPart::Semantic => "semantic",
            PayloadPart::Relations => "relations",
            PayloadPart::Activity => "activity",
            PayloadPart::History => "history",
        }
    }

    /// Whether its items are blocks of the workspace.
    pub fn holds_blocks(self) -> bool {
        !matches!(self, PayloadPart::System | PayloadPart::History)
    }
}
