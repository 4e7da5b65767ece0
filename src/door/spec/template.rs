//! How a bundle shows spec documents: their sections by rule, and the code that they name.

use std::cmp::Ordering;

use super::library::{DocNo, Library};
use super::render;
use crate::assemble::{Block, Found, GroupNo, IndexView, Profile, ReadError, Template};
use crate::record::bundle::{BundleRequest, ContextItem, SectionSnippet};
use crate::record::{ChunkNo, Item};
use crate::text::fence;

pub struct BundleTemplate<'t> {
    pub library: &'t Library<'t>,
    pub request: &'t BundleRequest,
    pub profile: &'static Profile,
}

/// A section, a code chunk, or a document that has neither.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// Whether the document is not in focus. Such units come after all others.
    is_out_of_focus: bool,
    pub distance: u32,
    role: usize,
    class: usize,
    id: String,
    order: SectionOrder,
    file: String,
    pub document: DocNo,
    part: Part,
}

/// The position of a section in its document's item: the rule's order, then the line.
type SectionOrder = (u32, u32);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// The index of a heading among the document's headings, and the rule that it matched.
    Section {
        heading: usize,
        rule: String,
    },
    /// A chunk of code.
    Code(ChunkNo),
    Nothing,
}

/// The part of a document that one unit shows.
pub struct Shown {
    pub distance: u32,
    pub order: SectionOrder,
    pub snippet: Option<SectionSnippet>,
}

impl BundleTemplate<'_> {
    /// Whether the request asks for documents of this role and scope.
    fn is_wanted(&self, document: DocNo) -> bool {
        let document = &self.library.documents[document];
        let (role, scope) = (document.role(), document.word("scope"));
        let is_below = |outer: &String| {
            scope.strip_prefix(outer.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.request.roles.as_ref().is_none_or(|roles| roles.contains(&role))
            && self.request.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(is_below))
    }

    /// The requested documents that a walk reached, with their distances.
    pub fn documents(&self, found: &Found) -> Vec<(DocNo, u32)> {
        let reached = found
            .walk
            .nodes
            .iter()
            .filter_map(|(node, arrival)| Some((self.library.with_node(*node)?, arrival.distance)));
        let mut documents: Vec<(DocNo, u32)> = reached.filter(|(document, _)| self.is_wanted(*document)).collect();
        documents.sort();
        documents
    }

    /// The position of a document's role in the profile.
    pub fn rank(&self, document: DocNo) -> usize {
        let role = self.library.documents[document].role();
        self.profile.roles.iter().position(|name| name == role.name()).unwrap_or(usize::MAX)
    }

    fn units_of(&self, document: DocNo, distance: u32) -> Vec<Unit> {
        let text = &self.library.documents[document];
        let (focus, role) = (&self.profile.focus, text.role());
        let unit = |class, order, part| Unit {
            is_out_of_focus: distance > 0 && !focus.is_empty() && !focus.iter().any(|name| name == role.name()),
            distance,
            role: self.rank(document),
            class,
            id: text.id().to_string(),
            order,
            file: text.file().to_string(),
            document,
            part,
        };
        let classes = self.profile.classes.len();
        let mut units = Vec::new();
        for section in self.library.matched_sections(document) {
            if section.rule.tool_source && !section.again {
                let line = first_line(text.sections[section.heading]);
                let part = Part::Section { heading: section.heading, rule: section.rule.id.clone() };
                units.push(unit(self.class(&section.rule.id), (section.rule.order, line), part));
            }
        }
        if self.request.with_code {
            let code = self.library.code(document).into_iter().zip(0..);
            units.extend(code.map(|(chunk, place)| unit(classes + 1, (u32::MAX, place), Part::Code(chunk))));
        }
        if units.is_empty() {
            units.push(unit(usize::MAX, (0, 0), Part::Nothing));
        }
        units
    }

    /// The first class with a word that occurs in the rule's id.
    fn class(&self, rule: &str) -> usize {
        let classes = &self.profile.classes;
        let has_word = |words: &Vec<String>| words.iter().any(|word| rule.contains(word.as_str()));
        classes.iter().position(has_word).unwrap_or(classes.len())
    }

    pub fn item(&self, document: DocNo, distance: u32) -> ContextItem {
        let text = &self.library.documents[document];
        ContextItem {
            id: text.id().to_string(),
            file: text.file().to_string(),
            kind: text.word("kind").to_string(),
            scope: text.word("scope").to_string(),
            role: text.role(),
            spec_title: text.word("spec_title").to_string(),
            distance,
            sections: Vec::new(),
        }
    }

    fn section(&self, document: DocNo, heading: usize, rule: &str) -> Result<SectionSnippet, ReadError> {
        let item = self.library.documents[document].sections[heading];
        let body = self.library.body(document, item)?;
        Ok(self.snippet(rule, item.depth, &item.title, body))
    }

    fn code(&self, chunk: ChunkNo) -> Result<SectionSnippet, ReadError> {
        let chunk = self.library.view.chunk(chunk)?;
        let (path, lines) = (&chunk.file_rel_path, chunk.lines);
        let name = chunk.qualified_name.as_deref().unwrap_or_default();
        let title = format!("{path}:{}-{} {name}", lines.start, lines.end);
        let fence = fence(&chunk.text);
        let body = format!("{fence}{}\n{}\n{fence}", chunk.language_id.as_str(), chunk.text.trim_end());
        Ok(self.snippet("code", 2, title.trim_end(), body))
    }

    fn snippet(&self, rule: &str, level: u32, name: &str, body: String) -> SectionSnippet {
        self.with_token_count(SectionSnippet {
            rule_id: rule.to_string(),
            heading: render::heading(level, name),
            level,
            body,
            approx_tokens: 0,
            truncated: false,
        })
    }

    fn with_token_count(&self, snippet: SectionSnippet) -> SectionSnippet {
        SectionSnippet { approx_tokens: self.request.tokenizer.count(&render::section(&snippet)), ..snippet }
    }
}

/// The line of a section's heading.
pub fn first_line(section: &Item) -> u32 {
    section.head.map_or(1, |head| head.start)
}

impl Template for BundleTemplate<'_> {
    type Unit = Unit;
    type Item = Shown;

    fn units(&self, _: &IndexView, found: &Found) -> Result<Vec<Unit>, ReadError> {
        let documents = self.documents(found).into_iter();
        Ok(documents.flat_map(|(document, distance)| self.units_of(document, distance)).collect())
    }

    fn compare(&self, _: &IndexView, a: &Unit, b: &Unit) -> Ordering {
        a.cmp(b)
    }

    fn groups(&self, _: &IndexView, unit: &Unit) -> Vec<GroupNo> {
        vec![unit.document]
    }

    fn whole(&self, _: &IndexView, unit: &Unit) -> Result<Shown, ReadError> {
        let snippet = match &unit.part {
            Part::Section { heading, rule } => Some(self.section(unit.document, *heading, rule)?),
            Part::Code(chunk) => Some(self.code(*chunk)?),
            Part::Nothing => None,
        };
        Ok(Shown { distance: unit.distance, order: unit.order, snippet })
    }

    fn line_count(&self, shown: &Shown) -> usize {
        shown.snippet.as_ref().map_or(0, |snippet| snippet.body.matches('\n').count())
    }

    /// Keeps at least one line.
    fn head(&self, shown: &Shown, lines: usize, _: &str) -> Option<Shown> {
        let whole = shown.snippet.as_ref()?;
        let (end, _) = whole.body.match_indices('\n').nth(lines.checked_sub(1)?)?;
        let body = whole.body[..end].trim_end().to_string();
        let snippet = Some(self.with_token_count(SectionSnippet { body, truncated: true, ..whole.clone() }));
        Some(Shown { snippet, ..*shown })
    }

    fn print<'s>(&self, shown: &'s Shown) -> Block<'s> {
        Block::of_frames([shown.snippet.as_ref().map_or_else(String::new, render::section)])
    }

    fn heading(&self, unit: &Unit, _: GroupNo) -> Block<'static> {
        Block::of_frames([render::item_head(&self.item(unit.document, unit.distance))])
    }

    fn frame(&self) -> Block<'static> {
        Block::of_frames([String::new()])
    }
}
