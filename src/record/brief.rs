//! The request for a brief about a topic of some notes, and the answer.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::{is_hex, text_ids};
use super::lens::Lens;
use super::pack::{CapReport, TreeState};
use super::{
    Artifact, ChunkUid, Date, Direction, EdgeType, ErrorCode, EvidenceId, Lines, NodeId, Score, is_false, is_zero,
};
use crate::text::{RepoPath, Tokenizer};

/// What a brief is asked for, complete: the lens with all its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefRequest {
    /// The day that ages are counted from; absent: the index decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
    /// Whether nodes that have not changed since the earlier brief are left out.
    #[serde(skip_serializing_if = "is_false", default)]
    pub changed_only: bool,
    pub depth: u32,
    pub include_fields: bool,
    pub lens: Lens,
    /// Of the brief as markdown.
    pub max_tokens: u32,
    /// The earlier brief that this one is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<BriefId>,
    pub tokenizer: Tokenizer,
    /// Ids, tags, titles or words. The first is the main one.
    pub topics: Vec<String>,
    /// The directory or file whose notes are used; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

impl BriefRequest {
    pub const DEFAULT_DEPTH: u32 = 2;
    pub const DEFAULT_TOKENS: u32 = 4_000;
    pub const MAX_DEPTH: u32 = 5;
    pub const MAX_TOKENS: u32 = 1_000_000;
    pub const MAX_TOPICS: usize = 20;

    /// Whether it can be answered at all.
    pub fn check(&self) -> Result<(), BriefFault> {
        let caps = [("depth", self.depth, Self::MAX_DEPTH), ("max_tokens", self.max_tokens, Self::MAX_TOKENS)];
        if let Some((name, asked, cap)) = caps.into_iter().find(|(_, asked, cap)| asked > cap) {
            return Err(BriefFault::AboveCap { name, asked, cap });
        }
        if self.topics.iter().any(|topic| topic.trim().is_empty()) || self.topics.is_empty() {
            return Err(BriefFault::NoTopic);
        }
        if self.topics.len() > Self::MAX_TOPICS {
            return Err(BriefFault::ManyTopics(self.topics.len()));
        }
        if self.topics.iter().any(|topic| topic.len() > MAX_TOPIC_BYTES) {
            return Err(BriefFault::LongTopic);
        }
        Ok(())
    }
}

/// A topic is a name or a question, not a page.
const MAX_TOPIC_BYTES: usize = 4_000;

/// Why a request for a brief is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BriefFault {
    #[error("`{name}` is {asked} and may be at most {cap}")]
    AboveCap { name: &'static str, asked: u32, cap: u32 },
    #[error("there is no topic")]
    NoTopic,
    #[error("it has {0} topics and may have {max}", max = BriefRequest::MAX_TOPICS)]
    ManyTopics(usize),
    #[error("a topic is longer than {MAX_TOPIC_BYTES} bytes")]
    LongTopic,
    #[error("the earlier brief is about {0}")]
    OtherTopics(String),
}

impl BriefFault {
    pub fn code(&self) -> ErrorCode {
        match self {
            BriefFault::AboveCap { .. } => ErrorCode::BudgetExceeded,
            _ => ErrorCode::BadRequest,
        }
    }
}

/// Everything relevant about a topic, ranked and within a budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ContextBrief {
    /// Derived from the index's signature and the request.
    pub brief_id: BriefId,
    /// The source's date, never the run's.
    pub created_at: String,
    /// Of the chunks and the graph together.
    pub index_signature: String,
    pub meta: BriefMeta,
    /// The nodes whose content is shown, the best first.
    pub nodes: Vec<BriefNode>,
    /// The nodes that are only named, the best first.
    pub overflow: Vec<OverflowNode>,
    pub request: BriefRequest,
    pub schema: String,
    pub schema_version: String,
    /// What has changed since the earlier brief that the request names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
}

/// `brief:` and 32 hex digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct BriefId(#[schemars(regex(pattern = r"^brief:[0-9a-f]{32}$"))] String);

text_ids! { BriefId if is_brief_id, "`brief:` and 32 hex digits"; }

impl BriefId {
    /// From the hex digits of a digest.
    pub fn of_digest(hex: &str) -> Self {
        BriefId(format!("brief:{}", &hex[..32]))
    }
}

fn is_brief_id(text: &str) -> bool {
    text.strip_prefix("brief:").is_some_and(|hex| is_hex(hex, 32))
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefMeta {
    pub as_of: AsOf,
    pub counts: BriefCounts,
    pub depth: DepthWalked,
    pub embeddings: Embeddings,
    /// The lens's name.
    pub lens: String,
    /// Why there are no nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Ids of nodes of which only the first lines fit.
    pub summarized: Vec<String>,
    pub tokens: BriefTokens,
    pub topics: Vec<TopicFound>,
    pub tree: TreeState,
    /// What the caps of the walk left out.
    pub truncated: Vec<CapReport>,
    pub warnings: Vec<String>,
}

/// The day that ages are counted from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AsOf {
    /// Absent if nothing gives one; then every note counts as undated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    pub from: AsOfSource,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AsOfSource {
    Request,
    /// The date of the source: `SOURCE_DATE_EPOCH`, or the last commit.
    SourceDate,
    /// The date of the note that was modified last.
    NewestNote,
    Nothing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefCounts {
    /// Shown with content.
    pub included: u32,
    /// Neither shown nor named.
    pub omitted: u32,
    pub reached: u32,
    /// Shown with the first lines only.
    pub summarized: u32,
    /// Reached nodes without a date.
    pub undated: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DepthWalked {
    pub asked: u32,
    /// Less than asked if the lens does not go that far.
    pub walked: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Embeddings {
    pub available: bool,
    /// Reached nodes without a vector.
    pub missing: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefTokens {
    pub budget: u32,
    pub tokenizer: Tokenizer,
    /// Of the brief as markdown.
    pub used: u32,
}

/// Where the walk for one topic started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TopicFound {
    /// How many notes have that name; 0 if it is only one.
    pub ambiguous: u32,
    /// Absent if nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<FoundBy>,
    pub query: String,
    /// Ids, the best first.
    pub starts: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum FoundBy {
    Id,
    Tag,
    Title,
    Words,
}

/// How much of a node is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum NodeForm {
    Full,
    /// Its name, and as many fields and lines as fit.
    Head,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefNode {
    /// How the other topics reach it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub also: Vec<AlsoReached>,
    pub attachments: Vec<String>,
    /// `page`, `section`, `block`, `note`, `tag`, `container`; `unwritten` for a page that is only named; `code`.
    pub class: String,
    /// The lines below its name that are shown.
    pub content: String,
    /// Of its name, whole content, tags and fields: `xxh64:` and 16 hex digits.
    pub content_digest: ChunkUid,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<Date>,
    /// How deep it is in the outline of its source.
    pub depth: u32,
    pub distance: u32,
    pub fields: BTreeMap<String, Vec<BriefValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_rel_path: Option<RepoPath>,
    pub form: NodeForm,
    /// The id that people use.
    pub id: String,
    /// The share of the topic's words that it contains; rare words count more.
    pub lexical: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<Date>,
    pub name: String,
    pub node_id: NodeId,
    /// The id of the note around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// From a start of its topic; empty for a start.
    pub path: Vec<BriefStep>,
    pub rank: u32,
    pub score: Score,
    pub score_parts: ScoreParts,
    pub shown: ShownLines,
    /// Ids of its tags, as far as they are defined.
    pub tag_ids: Vec<String>,
    pub tags: Vec<String>,
    /// Printed by itself.
    pub tokens: u32,
    /// The topic that is nearest to it, as an index of the request's topics.
    pub topic: u32,
    /// The id of the note under whose heading it is shown.
    pub unit: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefValue {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// The id of the note that the value is.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ScoreParts {
    pub boost: Score,
    pub proximity: Score,
    pub recency: Score,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<Score>,
}

/// Its name, fields and lines of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ShownLines {
    pub lines: u32,
    pub of: u32,
}

/// One edge of a path, in the direction of the walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefStep {
    /// `out` if the edge leads from `from` to `to`, `in` if it leads back.
    pub direction: StepDirection,
    pub evidence_id: EvidenceId,
    /// The field's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    pub from: String,
    pub to: String,
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum StepDirection {
    In,
    Out,
}

impl From<Direction> for StepDirection {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::In => StepDirection::In,
            Direction::Out => StepDirection::Out,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AlsoReached {
    pub distance: u32,
    pub path: Vec<BriefStep>,
    /// As an index of the request's topics.
    pub topic: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OverflowNode {
    pub class: String,
    pub distance: u32,
    pub id: String,
    pub name: String,
    pub node_id: NodeId,
    pub path: Vec<BriefStep>,
    pub rank: u32,
    pub score: Score,
    pub tags: Vec<String>,
}

/// The difference to an earlier brief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Since {
    /// Of the earlier brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
    pub brief_id: BriefId,
    /// New, edited, moved, gone; then by rank.
    pub changes: Vec<BriefChange>,
    /// The parts of the request that are not those of the earlier one.
    pub request_changed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BriefChange {
    pub change: ChangeKind,
    /// Fields whose values are others.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub fields: Vec<FieldChange>,
    pub id: String,
    pub name: String,
    pub node_id: NodeId,
    /// Of a node that moved: the ids of the notes around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<TextChange>,
    /// Where it is now, or where it was if it is gone.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub rank: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<TagChange>,
    /// Whether its name or its content is another one.
    #[serde(skip_serializing_if = "is_false", default)]
    pub text: bool,
    /// Of a node that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<GoneWhy>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChangeKind {
    New,
    Edited,
    Moved,
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum GoneWhy {
    /// The notes do not have it any more.
    Deleted,
    /// The walk does not reach it any more.
    OutOfReach,
    /// The budget leaves it out.
    Cut,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FieldChange {
    pub name: String,
    pub now: String,
    pub was: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TagChange {
    pub now: Vec<String>,
    pub was: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TextChange {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

impl ContextBrief {
    /// Whether a topic was found.
    pub fn is_found(&self) -> bool {
        self.meta.topics.iter().any(|topic| topic.by.is_some())
    }
}

impl Artifact for ContextBrief {
    const NAME: &'static str = "context_briefs";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = (&'k BriefId,);

    fn key(&self) -> Self::Key<'_> {
        (&self.brief_id,)
    }
}
