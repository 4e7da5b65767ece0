//! The request for context of a workspace.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PayloadPart;
use crate::record::{BlockType, ErrorCode, Principal, is_false};
use crate::text::Tokenizer;

/// What context is asked for, and who asks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct ContextRequest {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conversation_history: Vec<Message>,
    #[serde(skip_serializing_if = "Focus::is_empty")]
    pub focus: Focus,
    #[serde(skip_serializing_if = "Hints::is_empty")]
    pub hints: Hints,
    /// Whether each item says why it is there.
    #[serde(skip_serializing_if = "is_false")]
    pub include_explain: bool,
    /// The date and time that "today" and ages are counted from. Absent: the source's date, else the newest date of what
    /// the reader may see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    /// What the user says. May be empty if there is a focus.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub query: String,
    /// Of the query, for indexes with vectors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub query_vector: Vec<f64>,
    #[serde(skip_serializing_if = "RequestBudget::is_empty")]
    pub token_budget: RequestBudget,
    pub tokenizer: Tokenizer,
    /// How what is too long is cut. Absent: as the settings say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncation: Option<TruncationStrategy>,
    #[serde(rename = "type")]
    pub request_type: RequestType,
    /// Who asks. Absent: somebody who may read only what is public.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<RequestUser>,
}

/// What the user looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Focus {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_id: Option<String>,
}

/// What the request is made for. Each has settings of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum RequestType {
    #[default]
    Assist,
    Chat,
    Search,
    Automate,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Message {
    pub content: String,
    pub role: MessageRole,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub timestamp: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum MessageRole {
    User,
    Assistant,
    System,
}

/// Tokens for the whole text and for each part of it. Absent: as the settings say. 0 turns a part off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct RequestBudget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub focus: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relations: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub semantic: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Hints {
    /// Ids of blocks that are left out, with all below them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude_blocks: Vec<String>,
    /// Ids of blocks that are shown first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include_blocks: Vec<String>,
    /// How far from the focus is looked: ancestors, levels below it, and steps over links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prioritize_types: Vec<BlockType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_range: Option<TimeRange>,
}

/// From `start` on, before `end`; an end that is a day includes that day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct TimeRange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
}

/// Who asks. What is not used is accepted, because callers send their whole user, and never written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RequestUser {
    #[serde(rename = "avatar_url", default, skip_serializing)]
    pub avatar_url: Option<String>,
    #[serde(rename = "created_at", default, skip_serializing)]
    pub created_at: Option<String>,
    #[serde(default, skip_serializing)]
    pub email: Option<String>,
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default, skip_serializing)]
    pub role: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub team_ids: Vec<String>,
    #[serde(default, skip_serializing)]
    pub username: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_id: Option<String>,
}

impl RequestUser {
    /// How assignees and authors may be written: some exports name people instead of their ids.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.name.as_deref())
    }
}

/// Which part of a text is kept when it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TruncationStrategy {
    /// The sentences that say most.
    Extractive,
    KeepEnd,
    KeepStart,
    /// What a command of the user's makes of it.
    Summarize,
}

impl TruncationStrategy {
    /// How a content is cut of which there is no summary.
    pub fn of_content(self) -> Self {
        if self == TruncationStrategy::Summarize { TruncationStrategy::Extractive } else { self }
    }
}

/// Why a request for context is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestFault {
    #[error("there is neither a query nor a focus")]
    NothingAsked,
    #[error("`tokenBudget.{name}` is {asked} and may be at most {max}", max = ContextRequest::MAX_TOKENS)]
    AboveCap { name: &'static str, asked: u32 },
    #[error("`{name}` has {count} entries and may have {max}", max = ContextRequest::MAX_LIST)]
    LongList { name: &'static str, count: usize },
    #[error("`query` is longer than {max} bytes", max = ContextRequest::MAX_QUERY_BYTES)]
    LongQuery,
    #[error("`{name}` is no date or date and time: `{text}`")]
    NoDate { name: &'static str, text: String },
    #[error("`{0}` is no id of a user, a team or a workspace: 1 to 128 bytes without white space and commas")]
    NoPrincipal(String),
}

impl RequestFault {
    pub fn code(&self) -> ErrorCode {
        match self {
            RequestFault::AboveCap { .. } => ErrorCode::BudgetExceeded,
            _ => ErrorCode::BadRequest,
        }
    }
}

impl ContextRequest {
    pub const MAX_TOKENS: u32 = 1_000_000;
    pub const MAX_LIST: usize = 256;
    pub const MAX_QUERY_BYTES: usize = 1 << 20;

    /// Whether it can be answered at all. Dates are checked where they are read.
    pub fn check(&self) -> Result<(), RequestFault> {
        if self.query.trim().is_empty() && self.focus.is_empty() {
            return Err(RequestFault::NothingAsked);
        }
        if self.query.len() > Self::MAX_QUERY_BYTES {
            return Err(RequestFault::LongQuery);
        }
        if let Some((name, asked)) = self.token_budget.named().into_iter().find(|(_, asked)| *asked > Self::MAX_TOKENS)
        {
            return Err(RequestFault::AboveCap { name, asked });
        }
        let lists = [
            ("conversationHistory", self.conversation_history.len()),
            ("hints.excludeBlocks", self.hints.exclude_blocks.len()),
            ("hints.includeBlocks", self.hints.include_blocks.len()),
            ("hints.prioritizeTypes", self.hints.prioritize_types.len()),
            ("user.teamIds", self.user.as_ref().map_or(0, |user| user.team_ids.len())),
        ];
        let long = lists.into_iter().find(|(_, count)| *count > Self::MAX_LIST);
        long.map_or(Ok(()), |(name, count)| Err(RequestFault::LongList { name, count }))
    }

    /// Everything that the user of the request is, `public` among it. Without a user only that.
    pub fn principals(&self) -> Result<BTreeSet<Principal>, RequestFault> {
        let named = self.user.iter().flat_map(|user| {
            let teams = user.team_ids.iter().map(|id| format!("team:{id}"));
            let workspace = user.workspace_id.iter().map(|id| format!("workspace:{id}"));
            [format!("user:{}", user.id)].into_iter().chain(teams).chain(workspace)
        });
        let principal = |text: String| Principal::try_from(text.clone()).map_err(|_| RequestFault::NoPrincipal(text));
        ["public".to_string()].into_iter().chain(named).map(principal).collect()
    }
}

impl Focus {
    pub fn is_empty(&self) -> bool {
        *self == Focus::default()
    }
}

impl Hints {
    fn is_empty(&self) -> bool {
        *self == Hints::default()
    }
}

impl RequestBudget {
    fn is_empty(&self) -> bool {
        *self == RequestBudget::default()
    }

    /// What it says of a part.
    pub fn of(&self, part: PayloadPart) -> Option<u32> {
        match part {
            PayloadPart::System => self.system,
            PayloadPart::Focus => self.focus,
            PayloadPart::Semantic => self.semantic,
            PayloadPart::Relations => self.relations,
            PayloadPart::Activity => self.activity,
            PayloadPart::History => self.history,
        }
    }

    fn named(&self) -> Vec<(&'static str, u32)> {
        let parts = PayloadPart::ALL.into_iter().filter_map(|part| Some((part.name(), self.of(part)?)));
        parts.chain(self.total.map(|total| ("total", total))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(json: &str) -> ContextRequest {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_request_asks_something_within_limits() {
        assert_eq!(request("{}").check(), Err(RequestFault::NothingAsked));
        assert_eq!(request(r#"{"focus":{"pageId":"p"}}"#).check(), Ok(()));
        let fault = request(r#"{"query":"a","tokenBudget":{"total":1000001}}"#).check().unwrap_err();
        assert_eq!(fault.code(), ErrorCode::BudgetExceeded);
        assert_eq!(fault.to_string(), "`tokenBudget.total` is 1000001 and may be at most 1000000");
        let many = ContextRequest { query: "a".into(), ..request(r#"{"user":{"id":"1"}}"#) };
        let user = RequestUser { team_ids: vec!["t".into(); 257], ..many.user.clone().unwrap() };
        let many = ContextRequest { user: Some(user), ..many };
        assert_eq!(many.check(), Err(RequestFault::LongList { name: "user.teamIds", count: 257 }));
        assert!(serde_json::from_str::<ContextRequest>(r#"{"query":"a","topK":3}"#).is_err(), "unknown fields");
    }

    #[test]
    fn the_principals_are_those_of_the_user() {
        let words = |json: &str| -> Vec<String> {
            request(json).principals().unwrap().iter().map(ToString::to_string).collect()
        };
        assert_eq!(words(r#"{"query":"a"}"#), ["public"]);
        let all = words(r#"{"user":{"id":"7","teamIds":["ops"],"workspaceId":"acme","email":"a@b.c"}}"#);
        assert_eq!(all, ["public", "team:ops", "user:7", "workspace:acme"]);
        assert!(request(r#"{"user":{"id":"a b"}}"#).principals().is_err());
    }

    #[test]
    fn what_is_not_used_of_a_user_is_not_written() {
        let request = request(r#"{"query":"a","user":{"id":"7","email":"a@b.c","avatar_url":"x"}}"#);
        let written = serde_json::to_string(&request).unwrap();
        assert!(!written.contains("a@b.c") && !written.contains("avatar"), "{written}");
        assert_eq!(serde_json::from_str::<ContextRequest>(&written).unwrap().user.unwrap().id, "7");
    }
}
