//! Files and lines that could not be read or understood, and why. Nothing is skipped silently.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, Audience, Lines};
use crate::text::RepoPath;

/// Something about one path that a reader of the index should know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Problem {
    #[serde(skip_serializing_if = "Audience::is_everyone", default)]
    pub audience: Audience,
    pub code: ProblemCode,
    pub file_rel_path: RepoPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Lines>,
    pub message: String,
    pub severity: Severity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProblemCode {
    /// A request of a batch that no pack could be made for.
    BadRequest,
    /// Characters that turn the direction of writing around: the text may not read as it runs.
    Bidi,
    /// Not text; not chunked.
    Binary,
    /// Two paths that a file system without letter case takes for one.
    CaseCollision,
    /// The file kept changing while it was read; not chunked.
    ChangedWhileRead,
    /// Bytes that its encoding does not know were replaced.
    Decoding,
    /// The analysis failed on this file; it was cut by lines.
    Internal,
    /// An item or a part of it that cannot be read; the rest was.
    ItemData,
    /// A date of an item that cannot be read.
    ItemDate,
    /// Two items have one id.
    ItemDuplicate,
    /// The items around an item contradict each other, or form a loop.
    ItemParent,
    /// A file of items that cannot be read; it was read as any other file.
    ItemSource,
    /// An older export of the items of another file; it was not read.
    ItemSuperseded,
    /// An item of a kind that is not known.
    ItemType,
    /// A file that only lists items of another one.
    ItemView,
    /// A link whose target does not exist.
    LinkBroken,
    /// A link to another place in the tree, which is read there.
    LinkInside,
    /// A link that leads back to itself.
    LinkLoop,
    /// A link to a place outside the tree.
    LinkOutside,
    /// Machine-made text of very long lines; not chunked.
    Minified,
    /// A pipe, socket or device.
    NotAFile,
    /// A pack or bundle that was saved in the tree; not chunked.
    OwnOutput,
    /// The parse took more steps than a file of this size may; cut by lines.
    ParseLimit,
    /// A permission that names no item, or no valid principal; it permits nothing.
    Permission,
    /// Another tool's index names a file that the tree does not have.
    ScipOutside,
    /// Another tool's index was made of another text of this file; it was not used for it.
    ScipStale,
    /// What looks like a key, a token or a password was replaced by a placeholder.
    Secret,
    /// A spec document whose front matter cannot be read or lacks a key.
    Spec,
    /// Syntax errors; what stands around them was analysed.
    Syntax,
    /// Nested deeper than any parser should follow; cut by lines.
    TooDeep,
    /// Larger than the cap; not read.
    TooLarge,
    /// Two chunks had one uid; the salt that keeps them apart is in the record.
    UidCollision,
    /// The file or folder could not be read.
    Unreadable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// As it should be; said for the record.
    Info,
    /// Something of the tree is missing from the index.
    Warning,
    /// Something went wrong that `--strict` refuses.
    Error,
}

impl ProblemCode {
    /// Whether it depends on where the file is and not on its content, so that every run finds it again.
    pub fn is_of_the_walk(self) -> bool {
        use ProblemCode::*;
        matches!(
            self,
            CaseCollision
                | ChangedWhileRead
                | LinkBroken
                | LinkInside
                | LinkLoop
                | LinkOutside
                | NotAFile
                | TooLarge
                | Unreadable
        )
    }

    /// Whether it keeps a path's text out of the index.
    pub fn skips(self) -> bool {
        use ProblemCode::*;
        let is_skipped = matches!(self, Binary | ItemSuperseded | Minified | OwnOutput);
        is_skipped || self.is_of_the_walk() && self != CaseCollision
    }

    pub fn severity(self) -> Severity {
        use ProblemCode::*;
        match self {
            Bidi | Binary | CaseCollision | ItemData | ItemSuperseded | ItemView | LinkInside | Minified
            | OwnOutput | UidCollision => Severity::Info,
            Decoding | ItemDate | ItemDuplicate | ItemParent | ItemSource | ItemType | LinkBroken | LinkLoop
            | LinkOutside | NotAFile | ParseLimit | ScipOutside | ScipStale | Secret | Spec | Syntax | TooDeep
            | TooLarge => Severity::Warning,
            BadRequest | ChangedWhileRead | Internal | Permission | Unreadable => Severity::Error,
        }
    }
}

impl std::fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = serde_json::to_value(self).expect("a code is a word");
        f.write_str(word.as_str().unwrap_or_default())
    }
}

impl Problem {
    pub fn new(path: &RepoPath, code: ProblemCode, message: impl Into<String>) -> Self {
        Problem {
            audience: Audience::default(),
            file_rel_path: path.clone(),
            code,
            severity: code.severity(),
            message: message.into(),
            lines: None,
        }
    }

    pub fn at(path: &RepoPath, code: ProblemCode, lines: Lines, message: impl Into<String>) -> Self {
        Problem { lines: Some(lines), ..Problem::new(path, code, message) }
    }
}

impl Artifact for Problem {
    const NAME: &'static str = "problems";
    /// 1: first version. 2: audience, problems of items.
    const VERSION: u32 = 2;
    type Key<'k> = (&'k RepoPath, ProblemCode, Option<Lines>, &'k str);

    fn key(&self) -> Self::Key<'_> {
        (&self.file_rel_path, self.code, self.lines, &self.message)
    }
}
