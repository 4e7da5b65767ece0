//! A request as people write it: everything but the topic has a default, and the lens is a name.

use serde::Deserialize;

use super::lens::{LensFault, Lenses};
use crate::record::Date;
use crate::record::brief::{BriefId, BriefRequest};
use crate::record::lens::Lens;
use crate::record::request::plain_reason;
use crate::text::Tokenizer;

/// What is asked for. The request of a brief is such a query too, so it can be asked again.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct BriefQuery {
    pub as_of: Option<Date>,
    pub changed_only: bool,
    pub depth: Option<u32>,
    pub include_fields: Option<bool>,
    pub lens: Option<LensChoice>,
    pub max_tokens: Option<u32>,
    /// The topic; short for `topics` with one entry.
    pub query: Option<String>,
    pub since: Option<BriefId>,
    pub tokenizer: Tokenizer,
    pub topics: Vec<String>,
    /// More topics.
    pub with: Vec<String>,
    #[serde(alias = "in")]
    pub within: Option<String>,
}

/// A lens by its name, or with all its values.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum LensChoice {
    Name(String),
    Whole(Lens),
}

impl BriefQuery {
    /// Parses a line of a file of requests.
    pub fn parse(line: &str) -> Result<Self, String> {
        if !line.trim_start().starts_with('{') {
            return Err("a request is a JSON object, such as {\"query\": \"…\"}".to_string());
        }
        serde_json::from_str(line).map_err(|error| plain_reason(&error))
    }

    /// The complete request.
    pub fn resolve(self, lenses: &Lenses) -> Result<BriefRequest, LensFault> {
        let lens = match self.lens {
            None => lenses.get(Lenses::DEFAULT)?,
            Some(LensChoice::Name(name)) => lenses.get(&name)?,
            Some(LensChoice::Whole(lens)) => lens,
        };
        let topics = self.query.into_iter().chain(self.topics).chain(self.with);
        Ok(BriefRequest {
            as_of: self.as_of,
            changed_only: self.changed_only,
            depth: self.depth.unwrap_or(BriefRequest::DEFAULT_DEPTH),
            include_fields: self.include_fields.unwrap_or(true),
            lens,
            max_tokens: self.max_tokens.unwrap_or(BriefRequest::DEFAULT_TOKENS),
            since: self.since,
            tokenizer: self.tokenizer,
            topics: topics.map(|topic| topic.trim().to_string()).collect(),
            within: self.within.map(|path| path.trim_start_matches("./").trim_end_matches('/').to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> BriefRequest {
        BriefQuery::parse(line).unwrap().resolve(&Lenses::builtin()).unwrap()
    }

    #[test]
    fn a_query_is_completed() {
        let request = request(r#"{"query":" A ","with":["B"],"lens":"planning","in":"./notes/"}"#);
        assert_eq!(request.topics, ["A", "B"]);
        assert_eq!((request.depth, request.max_tokens, request.include_fields), (2, 4_000, true));
        assert_eq!((request.lens.name.as_str(), request.within.as_deref()), ("planning", Some("notes")));
    }

    #[test]
    fn a_request_can_be_asked_again() {
        let first = request(r#"{"topics":["A"],"lens":"coding","depth":3,"asOf":"2026-02-20"}"#);
        assert_eq!(request(&serde_json::to_string(&first).unwrap()), first);
    }

    #[test]
    fn unknown_fields_are_refused_by_name() {
        assert!(BriefQuery::parse(r#"{"querry":"A"}"#).unwrap_err().contains("querry"));
        assert!(BriefQuery::parse("A").unwrap_err().starts_with("a request is a JSON object"));
    }
}
