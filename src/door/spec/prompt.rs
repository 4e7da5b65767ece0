//! A bundle as one text, with the range of every section in it.

use serde::{Deserialize, Serialize};

use super::render;
use crate::record::SpecRole;
use crate::record::bundle::{ContextBundle, LinkDirection, Strategy};

/// The purpose of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    pub fn strategy(self) -> Strategy {
        match self {
            Preset::Default => Strategy::Default,
            Preset::Implement => Strategy::ImplFocused,
            Preset::Review => Strategy::ReqFocused,
        }
    }

    pub fn direction(self) -> LinkDirection {
        match self {
            Preset::Default | Preset::Implement => LinkDirection::Out,
            Preset::Review => LinkDirection::Both,
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
        at += render::item_head(item).chars().count();
        for section in &item.sections {
            let start_offset = at;
            at += render::section(section).chars().count();
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
    Prompt { preset, context_markdown: render::render(bundle), context_items }
}
