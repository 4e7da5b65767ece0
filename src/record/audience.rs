//! Who may read a record.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::text_ids;

/// Who may read a record: a list of clauses, each a list of principals. A reader has to meet every clause with
/// at least one of their principals. A record without an audience is for everyone; an empty clause admits nobody.
///
/// Always in normal form: no clause names `public`, none contains another, all are sorted. One audience
/// therefore has one spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Vec<Vec<Principal>>")]
#[schemars(with = "Vec<Vec<Principal>>")]
pub struct Audience(Vec<Vec<Principal>>);

/// `public`, or `user:`, `team:` or `workspace:` and an id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(extend("pattern" = "^(public|(user|team|workspace):.+)$"))]
pub struct Principal(String);

/// Who reads an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Somebody who may see everything, because they can read the files anyway.
    Operator,
    /// Somebody with these principals.
    As(BTreeSet<Principal>),
}

impl Reader {
    pub fn may_read(&self, audience: &Audience) -> bool {
        match self {
            Reader::Operator => true,
            Reader::As(principals) => audience.admits(principals),
        }
    }
}

const PUBLIC: &str = "public";
const MAX_ID_BYTES: usize = 128;

impl Audience {
    /// Brings clauses into normal form.
    pub fn new(clauses: Vec<Vec<Principal>>) -> Self {
        let sets: BTreeSet<BTreeSet<Principal>> =
            clauses.into_iter().map(|clause| clause.into_iter().collect()).collect();
        let is_needed = |clause: &&BTreeSet<Principal>| {
            let is_open = clause.iter().any(|principal| principal.0 == PUBLIC);
            let is_implied = sets.iter().any(|other| other != *clause && other.is_subset(clause));
            !is_open && !is_implied
        };
        Audience(sets.iter().filter(is_needed).map(|clause| clause.iter().cloned().collect()).collect())
    }

    /// Of what nobody may read.
    pub fn nobody() -> Self {
        Audience(vec![Vec::new()])
    }

    /// Sorted. None is for everyone, an empty one for nobody.
    pub fn clauses(&self) -> &[Vec<Principal>] {
        &self.0
    }

    pub fn is_everyone(&self) -> bool {
        self.0.is_empty()
    }

    /// Of what is derived from two records: whoever reads it has to be allowed to read both.
    pub fn and(&self, other: &Audience) -> Audience {
        Audience::new(self.0.iter().chain(&other.0).cloned().collect())
    }

    /// Whether a reader who has these principals is in it.
    pub fn admits(&self, reader: &BTreeSet<Principal>) -> bool {
        self.0.iter().all(|clause| clause.iter().any(|principal| reader.contains(principal)))
    }
}

impl Principal {
    /// Everybody.
    pub fn public() -> Self {
        Principal(PUBLIC.to_string())
    }
}

impl TryFrom<Vec<Vec<Principal>>> for Audience {
    type Error = &'static str;

    fn try_from(clauses: Vec<Vec<Principal>>) -> Result<Self, Self::Error> {
        let audience = Audience::new(clauses.clone());
        if audience.is_everyone() {
            return Err("an audience of everyone is left out");
        }
        if audience.0 == clauses { Ok(audience) } else { Err("the audience is not in normal form") }
    }
}

text_ids! { Principal if is_principal, "`public`, or `user:`, `team:` or `workspace:` and an id"; }

fn is_principal(text: &str) -> bool {
    let id = ["user:", "team:", "workspace:"].iter().find_map(|scheme| text.strip_prefix(scheme));
    let is_id = |id: &str| {
        (1..=MAX_ID_BYTES).contains(&id.len())
            && !id.contains(|c: char| c.is_whitespace() || c.is_control() || c == ',')
    };
    text == PUBLIC || id.is_some_and(is_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn principal(text: &str) -> Principal {
        Principal::try_from(text.to_string()).unwrap()
    }

    /// Clauses as words, as in `user:1|team:a user:2`.
    fn audience(clauses: &[&str]) -> Audience {
        Audience::new(clauses.iter().map(|clause| clause.split('|').map(principal).collect()).collect())
    }

    #[test]
    fn one_audience_has_one_spelling() {
        let normal = audience(&["team:a|user:1", "workspace:w"]);
        assert_eq!(audience(&["workspace:w", "user:1|team:a|user:1", "user:1|team:a|user:2"]), normal);
        assert_eq!(serde_json::to_string(&normal).unwrap(), r#"[["team:a","user:1"],["workspace:w"]]"#);
        assert!(audience(&["public|user:1"]).is_everyone());
        for other in [r#"[["user:1","team:a"]]"#, r#"[["public"]]"#, "[]", r#"[["user:1"],["user:1"]]"#] {
            assert!(serde_json::from_str::<Audience>(other).is_err(), "{other}");
        }
    }

    #[test]
    fn a_reader_meets_every_clause() {
        let reader: BTreeSet<Principal> = ["public", "user:1", "team:a"].map(principal).into();
        assert!(audience(&[]).admits(&reader));
        assert!(audience(&["user:1|user:2", "team:a"]).admits(&reader));
        assert!(!audience(&["user:1", "team:b"]).admits(&reader));
        let nobody = Audience::new(vec![Vec::new()]);
        assert!(!nobody.admits(&reader));
        assert_eq!(serde_json::from_str::<Audience>("[[]]").unwrap(), nobody);
        assert_eq!(nobody.and(&audience(&["user:1"])), nobody, "nobody is the narrowest clause");
        assert_eq!(audience(&["user:1"]).and(&audience(&["team:a"])), audience(&["user:1", "team:a"]));
    }

    #[test]
    fn principals_have_a_form() {
        for bad in ["", "user:", "user:a b", "user:a,b", "group:a", "Public", "team:a\n"] {
            assert!(Principal::try_from(bad.to_string()).is_err(), "{bad:?}");
        }
        assert!(Principal::try_from(format!("user:{}", "x".repeat(129))).is_err());
    }
}
