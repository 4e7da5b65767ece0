//! The request for spec documents, and the answer. Field names are those of the contract (DATA-905).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::codec::plain_reason;
use super::request::WalkDirection;
use super::{Artifact, is_zero};
use crate::text::Tokenizer;

/// What a document is for, from the prefix of its id. The first comes first where there is no other reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpecRole {
    Req,
    If,
    Data,
    Test,
    Task,
    Arch,
    Ref,
    Steering,
    Other,
}

impl SpecRole {
    /// The prefixes of ids, each with its role.
    pub const PREFIXES: [(&'static str, SpecRole); 9] = [
        ("REQ", SpecRole::Req),
        ("NFR", SpecRole::Req),
        ("IF", SpecRole::If),
        ("DATA", SpecRole::Data),
        ("TEST", SpecRole::Test),
        ("TASK", SpecRole::Task),
        ("ARCH", SpecRole::Arch),
        ("REF", SpecRole::Ref),
        ("STEER", SpecRole::Steering),
    ];

    pub fn of_id(id: &str) -> Self {
        let prefix = id.split_once('-').map_or("", |(prefix, _)| prefix);
        let known = Self::PREFIXES.iter().find(|(known, _)| *known == prefix);
        known.map_or(SpecRole::Other, |(_, role)| *role)
    }

    pub fn name(self) -> &'static str {
        match self {
            SpecRole::Req => "req",
            SpecRole::If => "if",
            SpecRole::Data => "data",
            SpecRole::Test => "test",
            SpecRole::Task => "task",
            SpecRole::Arch => "arch",
            SpecRole::Ref => "ref",
            SpecRole::Steering => "steering",
            SpecRole::Other => "other",
        }
    }
}

/// What goes first when not all of it fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The near before the far, then by role.
    #[default]
    Default,
    /// All requirements before the rest.
    ReqFocused,
    /// What is built, interfaces, data and tasks, before the rest.
    ImplFocused,
}

impl Strategy {
    pub const ALL: [Strategy; 3] = [Strategy::Default, Strategy::ReqFocused, Strategy::ImplFocused];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::Default => "default",
            Strategy::ReqFocused => "req-focused",
            Strategy::ImplFocused => "impl-focused",
        }
    }
}

/// Which way links are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkDirection {
    /// To what a document names.
    #[default]
    Out,
    /// To the documents that name it.
    In,
    Both,
}

impl From<LinkDirection> for WalkDirection {
    fn from(direction: LinkDirection) -> Self {
        match direction {
            LinkDirection::Out => WalkDirection::Out,
            LinkDirection::In => WalkDirection::In,
            LinkDirection::Both => WalkDirection::Both,
        }
    }
}

/// What counts the tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TokenCounter {
    #[default]
    #[serde(rename = "o200k_base")]
    O200kBase,
    #[serde(rename = "cl100k_base")]
    Cl100kBase,
    /// Three characters are one token: the rule of thumb for Japanese texts.
    #[serde(rename = "approx")]
    Approx,
}

impl TokenCounter {
    pub fn count(self, text: &str) -> u32 {
        let count = match self {
            TokenCounter::O200kBase => Tokenizer::O200kBase.count(text),
            TokenCounter::Cl100kBase => Tokenizer::Cl100kBase.count(text),
            TokenCounter::Approx => text.chars().count().div_ceil(3),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// What a bundle is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BundleRequest {
    pub seed_ids: Vec<String>,
    /// How many links to follow at most.
    #[serde(default = "default_depth")]
    pub depth: u32,
    /// Only documents of these roles; absent means all.
    #[serde(default)]
    pub roles: Option<Vec<SpecRole>>,
    /// Only documents of these scopes and what lies below them; absent means all.
    #[serde(default)]
    pub scopes: Option<Vec<String>>,
    #[serde(default)]
    pub direction: LinkDirection,
    /// The most tokens that the bundle may have as markdown; absent means all of it.
    #[serde(default)]
    pub max_tokens: Option<u32>,
    #[serde(default)]
    pub strategy: Strategy,
    #[serde(default)]
    pub tokenizer: TokenCounter,
    /// Show the code that the documents name, and the code that names them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub with_code: bool,
}

impl BundleRequest {
    /// Parses a line of a file of requests.
    pub fn parse(line: &str) -> Result<Self, String> {
        let request: BundleRequest = serde_json::from_str(line).map_err(|error| plain_reason(&error))?;
        if request.seed_ids.is_empty() { Err("its `seed_ids` are empty".to_string()) } else { Ok(request) }
    }

    /// Whether it asks for documents of this role and scope.
    pub fn wants(&self, role: SpecRole, scope: &str) -> bool {
        let is_below = |outer: &String| {
            scope.strip_prefix(outer.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.roles.as_ref().is_none_or(|roles| roles.contains(&role))
            && self.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(is_below))
    }
}

/// One step from the seeds, as the contract has it.
fn default_depth() -> u32 {
    1
}

/// Which sections of which documents a model should read, and in which order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextBundle {
    /// The sum over all sections.
    pub approx_tokens_total: u32,
    /// `bundle:` and 32 hex digits, over the request, the section schema and all spec documents of the tree.
    pub bundle_id: String,
    pub depth: u32,
    pub direction: LinkDirection,
    pub items: Vec<ContextItem>,
    pub max_tokens: Option<u32>,
    /// Sections and documents that the budget left out.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub omitted: u32,
    /// The bundle as markdown, headings of documents included; never more than `max_tokens`.
    pub rendered_tokens: u32,
    pub roles: Option<Vec<SpecRole>>,
    pub scopes: Option<Vec<String>>,
    /// As asked for.
    pub seed_ids: Vec<String>,
    pub strategy: Strategy,
    pub tokenizer: TokenCounter,
    /// Seeds that no document has as its id.
    pub unknown_ids: Vec<String>,
    pub warnings: Vec<String>,
}

/// What is shown of one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContextItem {
    /// Links from the nearest seed, which is at 0.
    pub distance: u32,
    pub file: String,
    pub id: String,
    pub kind: String,
    pub role: SpecRole,
    pub scope: String,
    pub sections: Vec<SectionSnippet>,
    pub spec_title: String,
}

/// One section of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionSnippet {
    /// Of the section as it is rendered, heading included.
    pub approx_tokens: u32,
    /// Up to the next heading of the same or a higher level.
    pub body: String,
    /// With its marks: `## 4. Summary`.
    pub heading: String,
    pub level: u32,
    /// The rule of the section schema that it is taken by; `code` for code that the document names.
    pub rule_id: String,
    /// The budget ended inside it; only the first lines are here.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub truncated: bool,
}

impl ContextBundle {
    /// Whether any of its seeds is a document's id.
    pub fn is_of_known(&self) -> bool {
        self.seed_ids.iter().any(|id| !self.unknown_ids.contains(id))
    }
}

impl Artifact for ContextBundle {
    const NAME: &'static str = "context_bundles";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = &'k str;

    fn key(&self) -> Self::Key<'_> {
        &self.bundle_id
    }
}
