//! The log of a session: what a caller gave, what the server observed, and what followed from it.
//!
//! Each line of a log vouches for itself and for all lines before it. The state of a session is a pure fold over its
//! events (`door/frame`), so events hold no clock, and everything that was looked up.

mod claim;
mod event;
mod state;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::text_ids;
use super::{Artifact, Digest, write_line};

pub use claim::{
    ClaimFault, EntryClaim, EvidenceClaim, FaultCode, FileClaim, FoundSymbol, HypothesisClaim, NewFileClaim,
    NewFileFault, PatternClaim, PlaceClaim, SymbolLookup, TreeCounts, VerifyClaim,
};
pub use event::{
    Analysis, Blame, BlameKind, Called, CitedFile, Event, Extraction, Hypothesised, Mapped, OutcomeEvent, OutcomeKind,
    RefusedOp, SeenFile, SemanticReason, SessionOp, Started, Submitted, Verified, WriteChecked, WritePlace, WriteWhat,
};
pub use state::{
    CheckItem, ExploredFile, Hypothesis, HypothesisStatus, SessionState, Verdict, WriteDenial, WrittenFile,
};

/// One line of a session's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionEvent {
    /// Of the chain before, and of this line without it.
    pub chain: Digest,
    pub event: Event,
    /// The signature of the index that was looked at.
    pub index: String,
    pub seq: u32,
    pub session: SessionId,
    /// What followed. Repeated for readers; a replay computes it again.
    pub verdict: Verdict,
}

/// 1 to 64 characters: lower-case letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
pub struct SessionId(#[schemars(regex(pattern = r"^[a-z0-9-]{1,64}$"))] String);

text_ids! { SessionId if is_session_id, "1 to 64 lower-case letters, digits and hyphens"; }

fn is_session_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(is_allowed)
}

impl Artifact for SessionEvent {
    const NAME: &'static str = "session_events";
    /// 1: first version.
    const VERSION: u32 = 1;
    type Key<'k> = (&'k SessionId, u32);

    fn key(&self) -> Self::Key<'_> {
        (&self.session, self.seq)
    }
}

/// A line is `{"chain":"blake3:…",` and the rest.
const HEAD: &str = "{\"chain\":\"";
/// Of `blake3:` and 64 hex digits.
const DIGEST_BYTES: usize = 71;

/// A line of a log that is not what it was when it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    #[error("it is not one event")]
    Shape,
    #[error("its chain does not fit")]
    Chain,
    #[error("its number is {found} and not {expected}")]
    Seq { found: u32, expected: u32 },
    #[error("it is of another session")]
    Session,
}

impl SessionEvent {
    /// A line with its chain and its line break.
    pub fn to_line(&mut self, before: Option<&Digest>) -> Vec<u8> {
        let mut line = Vec::new();
        write_line(self, &mut line);
        self.chain = chain(before, &line[rest_of(&line).start..line.len() - 1]);
        line[HEAD.len()..HEAD.len() + DIGEST_BYTES].copy_from_slice(self.chain.as_str().as_bytes());
        line
    }

    /// Reads a line without its line break, and checks that it continues the log.
    pub fn from_line(line: &[u8], before: Option<&Digest>, seq: u32) -> Result<SessionEvent, LineFault> {
        check_chain(line, before)?;
        let event: SessionEvent = serde_json::from_slice(line).map_err(|_| LineFault::Shape)?;
        if event.seq != seq {
            return Err(LineFault::Seq { found: event.seq, expected: seq });
        }
        Ok(event)
    }
}

/// Whether a line is the one that was written behind the line with the chain `before`.
pub fn check_chain(line: &[u8], before: Option<&Digest>) -> Result<(), LineFault> {
    let rest = rest_of(line);
    let own = line.get(HEAD.len()..HEAD.len() + DIGEST_BYTES).ok_or(LineFault::Shape)?;
    let has_form = line.starts_with(HEAD.as_bytes()) && line.get(rest.start - 2..rest.start) == Some(b"\",");
    if !has_form {
        return Err(LineFault::Shape);
    }
    if chain(before, &line[rest]).as_str().as_bytes() != own {
        return Err(LineFault::Chain);
    }
    Ok(())
}

/// The part of a line that its chain covers.
fn rest_of(line: &[u8]) -> std::ops::Range<usize> {
    let start = (HEAD.len() + DIGEST_BYTES + 2).min(line.len());
    start..line.len()
}

fn chain(before: Option<&Digest>, rest: &[u8]) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.map_or("", Digest::as_str).as_bytes());
    hasher.update(b"{");
    hasher.update(rest);
    hasher.finalize().into()
}

/// The chain of a line that has none yet.
pub fn no_chain() -> Digest {
    Digest::blake3(b"")
}
