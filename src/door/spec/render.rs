//! Renders a bundle for a model: every document and every section under its own heading. A prompt is that text with
//! the range of every section in it.

use serde::{Deserialize, Serialize};

use crate::door::markdown;
use crate::record::SpecRole;
use crate::record::bundle::{ContextBundle, ContextItem, LinkDirection, SectionSnippet, Strategy};
use crate::text::one_line;

pub fn render(bundle: &ContextBundle) -> String {
    let item = |item: &ContextItem| item_head(item) + &item.sections.iter().map(section).collect::<String>();
    bundle.items.iter().map(item).collect()
}

/// The text before a document's sections.
pub fn item_head(item: &ContextItem) -> String {
    let ContextItem { id, file, kind, scope, role, spec_title, distance, .. } = item;
    let title = if spec_title.starts_with(id) { spec_title.clone() } else { format!("{id} {spec_title}") };
    let facts = format!("{file} (kind: {kind}, scope: {scope}, role: {}, distance: {distance})", role.name());
    format!("{}\n\n{}\n\n", markdown::heading(1, title.trim()), one_line(&facts))
}

pub fn section(section: &SectionSnippet) -> String {
    markdown::section(&section.heading, &section.body)
}

/// The purpose of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    #[default]
    Default,
    /// Puts the parts to implement first.
    Implement,
    /// Puts requirements first, and also includes documents that link to the seeds.
    Review,
}

impl Preset {
    /// The strategy of its bundle, and the links that are followed if the request does not say which.
    pub fn defaults(self) -> (Strategy, LinkDirection) {
        match self {
            Preset::Default => (Strategy::Default, LinkDirection::Out),
            Preset::Implement => (Strategy::ImplFocused, LinkDirection::Out),
            Preset::Review => (Strategy::ReqFocused, LinkDirection::Both),
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Prompt<'b> {
    pub preset: Preset,
    pub context_markdown: String,
    pub context_items: Vec<PromptItem<'b>>,
}

/// A section's range in the text: half-open, in characters.
#[derive(Debug, Serialize)]
pub struct PromptItem<'b> {
    pub id: &'b str,
    pub file: &'b str,
    pub role: SpecRole,
    pub scope: &'b str,
    pub kind: &'b str,
    pub rule_id: &'b str,
    pub heading: &'b str,
    pub start_offset: usize,
    pub end_offset: usize,
}

pub fn prompt(bundle: &ContextBundle, preset: Preset) -> Prompt<'_> {
    let mut context_items = Vec::new();
    let mut at = 0;
    for item in &bundle.items {
        at += item_head(item).chars().count();
        for section in &item.sections {
            let start_offset = at;
            at += self::section(section).chars().count();
            context_items.push(PromptItem {
                id: &item.id,
                file: &item.file,
                role: item.role,
                scope: &item.scope,
                kind: &item.kind,
                rule_id: &section.rule_id,
                heading: &section.heading,
                start_offset,
                end_offset: at,
            });
        }
    }
    Prompt { preset, context_markdown: render(bundle), context_items }
}
