//! How a bundle shows spec documents: their sections by rule, and the code that they name.

use std::cmp::Ordering;

use super::library::{Header, Library};
use super::render;
use crate::assemble::{Block, Cost, DocNo, Document, Found, GroupNo, IndexView, Placed, Profile, ReadError, Template};
use crate::dialect::spec::Section;
use crate::door::markdown;
use crate::record::bundle::{BundleRequest, ContextItem, SectionSnippet};
use crate::record::{ChunkNo, SpecRole};

pub struct BundleTemplate<'t> {
    pub library: &'t Library<'t>,
    pub request: &'t BundleRequest,
    pub profile: &'static Profile,
}

pub struct Unit<'t> {
    rank: Rank<'t>,
    document: DocNo,
    part: Part<'t>,
}

/// The order of units.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank<'t> {
    /// Whether the document is not in focus. Such units come after all others.
    is_out_of_focus: bool,
    distance: u32,
    role: usize,
    class: usize,
    id: &'t str,
    order: SectionOrder,
    file: &'t str,
}

/// The position of a section in its document's item: the rule's order, then the line.
type SectionOrder = (u32, u32);

enum Part<'t> {
    Section(Section<'t>),
    /// A chunk of code.
    Code(ChunkNo),
    /// The document has neither.
    Nothing,
}

/// The part of a document that one unit shows.
pub struct Shown {
    pub order: SectionOrder,
    pub snippet: Option<SectionSnippet>,
}

impl<'t> BundleTemplate<'t> {
    /// The requested documents that a walk reached.
    pub fn documents(&self, found: &Found) -> Vec<&'t Document<'t>> {
        let mut documents = self.library.documents.reached(&found.walk);
        documents.retain(|document| self.request.wants(SpecRole::of_id(document.id), document.item.word("scope")));
        documents
    }

    fn units_of(&self, document: &'t Document<'t>, distance: u32) -> Vec<Unit<'t>> {
        let Header { id, file, role, .. } = Header::new(document);
        let is_out_of_focus = distance > 0 && !self.profile.is_in_focus(role.name());
        let role = self.profile.role_rank(role.name());
        let unit = |class, order, part| {
            let rank = Rank { is_out_of_focus, distance, role, class, id, order, file };
            Unit { rank, document: document.number, part }
        };
        let sections = self.library.sections(document).into_iter();
        let sections = sections.filter(|section| section.rule.tool_source && !section.again).map(|section| {
            let order = (section.rule.order, section.item.head_lines().start);
            unit(self.profile.class(&section.rule.id), order, Part::Section(section))
        });
        let mut units: Vec<Unit> = sections.collect();
        if self.request.with_code {
            let last_class = self.profile.classes.len() + 1;
            let code = document.code().into_iter().zip(0..);
            units.extend(code.map(|(chunk, place)| unit(last_class, (u32::MAX, place), Part::Code(chunk))));
        }
        if units.is_empty() {
            units.push(unit(usize::MAX, (0, 0), Part::Nothing));
        }
        units
    }

    /// A document without its sections.
    pub fn item(&self, document: DocNo, distance: u32) -> ContextItem {
        let document = &self.library.documents[document];
        let Header { id, file, kind, scope, role } = Header::new(document);
        ContextItem {
            id: id.to_string(),
            file: file.to_string(),
            kind: kind.to_string(),
            scope: scope.to_string(),
            role,
            spec_title: document.item.word("spec_title").to_string(),
            distance,
            sections: Vec::new(),
        }
    }
}

/// A section whose tokens are counted once it is known how much of it is shown.
fn snippet(rule: &str, level: u32, name: &str, body: String) -> SectionSnippet {
    SectionSnippet {
        rule_id: rule.to_string(),
        heading: markdown::heading(level, name),
        level,
        body,
        approx_tokens: 0,
        truncated: false,
    }
}

fn section_block(shown: &Shown) -> Block<'static> {
    Block::of_frames([shown.snippet.as_ref().map_or_else(String::new, render::section)])
}

impl<'t> Template for BundleTemplate<'t> {
    type Unit = Unit<'t>;
    type Item = Shown;
    /// Every section is printed by itself.
    type Page = u32;

    fn units(&self, _: &IndexView, found: &Found) -> Result<Vec<Unit<'t>>, ReadError> {
        let documents = self.documents(found).into_iter();
        let documents = documents.filter_map(|document| Some((document, document.distance(&found.walk)?)));
        Ok(documents.flat_map(|(document, distance)| self.units_of(document, distance)).collect())
    }

    fn compare(&self, _: &IndexView, a: &Unit, b: &Unit) -> Ordering {
        a.rank.cmp(&b.rank)
    }

    fn groups(&self, _: &IndexView, unit: &Unit) -> Vec<GroupNo> {
        vec![unit.document]
    }

    fn whole(&self, view: &IndexView, unit: &Unit) -> Result<Shown, ReadError> {
        let snippet = match &unit.part {
            Part::Section(Section { rule, item, .. }) => {
                let body = self.library.documents[unit.document].body(item)?;
                Some(snippet(&rule.id, item.depth, &item.title, body))
            }
            Part::Code(chunk) => {
                let (title, body) = markdown::code(&*view.chunk(*chunk)?);
                Some(snippet("code", 2, &title, body))
            }
            Part::Nothing => None,
        };
        Ok(Shown { order: unit.rank.order, snippet })
    }

    fn line_count(&self, shown: &Shown) -> usize {
        shown.snippet.as_ref().map_or(0, |snippet| snippet.body.matches('\n').count())
    }

    /// Keeps at least one line.
    fn head(&self, shown: &Shown, lines: usize, _: &str) -> Option<Shown> {
        let whole = shown.snippet.as_ref()?;
        let (end, _) = whole.body.match_indices('\n').nth(lines.checked_sub(1)?)?;
        let body = whole.body[..end].trim_end().to_string();
        let snippet = SectionSnippet { body, truncated: true, ..whole.clone() };
        Some(Shown { order: shown.order, snippet: Some(snippet) })
    }

    fn print<'s>(&self, shown: &'s Shown) -> Block<'s> {
        section_block(shown)
    }

    fn page(&self, _: &Shown, _: Cost, last: Option<&Placed<Self>>) -> u32 {
        last.map_or(1, |last| last.rank + 1)
    }

    fn print_page(&self, items: &[&Shown]) -> Vec<Block<'static>> {
        items.iter().map(|shown| section_block(shown)).collect()
    }

    fn heading(&self, unit: &Unit, _: GroupNo) -> Block<'static> {
        Block::of_frames([render::item_head(&self.item(unit.document, unit.rank.distance))])
    }

    fn frame(&self) -> Block<'static> {
        Block::of_frames([String::new()])
    }
}
