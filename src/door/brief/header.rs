//! The text before the first node of a brief, and what the brief says instead of nodes.

use super::text::short;
use crate::record::brief::{AsOf, AsOfSource, BriefRequest, DepthWalked};

pub struct Header<'h> {
    pub request: &'h BriefRequest,
    pub as_of: &'h AsOf,
    pub depth: DepthWalked,
    pub warnings: &'h [String],
}

pub const NOTHING_FOUND: &str = "No matching nodes found.";
pub const ONLY_NAMES: &str = "Only names and types: the budget is below 500 tokens.";

/// The title; topics are joined by `+`.
pub fn title(request: &BriefRequest) -> String {
    let topics: Vec<String> = request.topics.iter().map(|topic| short(topic)).collect();
    format!("# Brief: {}\n\n", topics.join(" + "))
}

impl Header<'_> {
    /// The title and what a reader should know. `budget` is the number that is printed.
    pub fn text(&self, budget: u32) -> String {
        let lines = [self.info(budget), "no embeddings: ranked by distance and recency".to_string()];
        let warnings = self.warnings.iter().map(|warning| format!("warning: {}", crate::text::one_line(warning)));
        let lines: String = lines.into_iter().chain(warnings).map(|line| format!("{line}\n")).collect();
        format!("{}{lines}\n", title(self.request))
    }

    fn info(&self, budget: u32) -> String {
        let DepthWalked { asked, walked } = self.depth;
        let depth = if asked == walked { walked.to_string() } else { format!("{walked} of {asked}") };
        let as_of = match &self.as_of.date {
            Some(date) => format!("as of {} ({})", &date.as_str()[..10], source(self.as_of.from)),
            None => "without dates".to_string(),
        };
        let (lens, tokenizer) = (short(&self.request.lens.name), self.request.tokenizer.name());
        format!("lens {lens}; depth {depth}; {as_of}; budget {budget} {tokenizer}")
    }
}

fn source(from: AsOfSource) -> &'static str {
    match from {
        AsOfSource::Request => "as asked",
        AsOfSource::SourceDate => "source date",
        AsOfSource::NewestNote => "newest note",
        AsOfSource::Nothing => "no date",
    }
}
