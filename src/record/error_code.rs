//! The codes of errors. Scripts and MCP clients compare them, so the text of a code never changes.

use std::fmt;

use serde::{Serialize, Serializer};

macro_rules! error_codes {
    ($($(#[$doc:meta])* $code:ident = $word:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ErrorCode { $($(#[$doc])* $code,)* }

        impl ErrorCode {
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$code,)*];

            pub const fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$code => $word,)* }
            }
        }
    };
}

error_codes! {
    /// Several symbols, files or documents have that name.
    Ambiguous = "POC_E_AMBIGUOUS",
    /// An argument or a request that cannot be used.
    BadRequest = "POC_E_BAD_REQUEST",
    /// A request that asks for more than is allowed, or an answer that does not fit.
    BudgetExceeded = "POC_E_BUDGET_EXCEEDED",
    /// Somebody else changed the session first.
    Conflict = "POC_E_CONFLICT",
    /// Written by a version, or made from an index, that does not fit.
    ContractVersion = "POC_E_CONTRACT_VERSION",
    /// The reader may not do that, or is not who they say.
    Forbidden = "POC_E_FORBIDDEN",
    /// What the session knows does not allow that step.
    Gate = "POC_E_GATE",
    IndexCorrupt = "POC_E_INDEX_CORRUPT",
    IndexMissing = "POC_E_INDEX_MISSING",
    /// The directory belongs to another stage.
    IndexOtherStage = "POC_E_INDEX_OTHER_STAGE",
    /// A part of an index where a whole one is needed.
    IndexShare = "POC_E_INDEX_SHARE",
    /// A fault of this program.
    Internal = "POC_E_INTERNAL",
    Io = "POC_E_IO",
    /// Another process writes to the directory.
    Locked = "POC_E_LOCKED",
    /// The directory holds files that no stage wrote.
    NotAnIndex = "POC_E_NOT_AN_INDEX",
    /// No symbol, file or document has that name.
    NotFound = "POC_E_NOT_FOUND",
    NotSupported = "POC_E_NOT_SUPPORTED",
    PackMissing = "POC_E_PACK_MISSING",
    /// What says who may read what cannot be read.
    Permissions = "POC_E_PERMISSIONS",
    /// The session is in a phase that does not have that step.
    Phase = "POC_E_PHASE",
    /// The session has its outcome; it can only be read.
    SessionClosed = "POC_E_SESSION_CLOSED",
    /// The log of the session was changed or damaged.
    SessionCorrupt = "POC_E_SESSION_CORRUPT",
    SessionMissing = "POC_E_SESSION_MISSING",
    /// The tree, or a settings file in it, cannot be read.
    Source = "POC_E_SOURCE",
    /// The session does not allow that file to be written.
    WriteDenied = "POC_E_WRITE_DENIED",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::ErrorCode;

    #[test]
    fn every_code_has_a_word_of_its_own() {
        let words: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(words.len(), ErrorCode::ALL.len());
        assert!(words.iter().all(|word| word.starts_with("POC_E_")));
    }
}
