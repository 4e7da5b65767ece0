//! The items of a page: the document itself, and its parts.

use std::collections::BTreeMap;

use crate::dialect::{Details, Page, Part, part_ends};
use crate::language::Definition;
use crate::record::{Chunk, ChunkUid, Field, FieldValue, Item, Kind, Lines, NodeId, SymbolId, white_lines};
use crate::text::{LineIndex, RepoPath};

use super::cut::Owners;
use super::layer::Layer;
use super::outline::Outline;

/// What the items of a page are made from.
pub struct Parts<'p, 't> {
    pub path: &'p RepoPath,
    pub layer: &'p Layer<'t>,
    pub outline: &'p Outline,
    pub chunks: &'p [Chunk],
    pub owners: &'p Owners,
    pub index: &'p LineIndex<'p>,
}

/// The document first, then its parts in the order of the text.
pub fn items(page: &Page, parts: &Parts) -> Vec<Item> {
    let document = parts.document_item(page);
    let ids = parts.ids();
    let ends = part_ends(&page.parts, parts.index.text().len());
    // For each part, where its item is in the list, and where the item of its unit is; those of the page at first.
    let mut places: Vec<(usize, usize)> = Vec::with_capacity(page.parts.len());
    let mut items = vec![document];
    for ((at, part), end) in page.parts.iter().enumerate().zip(ends) {
        let (parent, unit) = part.parent.map_or((0, 0), |outer| places[outer]);
        let Some(id) = ids.get(&part.definition) else {
            places.push((parent, unit));
            continue;
        };
        let own = items.len();
        places.push((own, if part.is_unit { own } else { unit }));
        let item = parts.part_item(part, end, NodeId::from(*id));
        let or_of_page = || format!("{}#{}", items[0].source_id, part.name);
        items.push(Item {
            order: at as u32 + 1,
            parent: Some(items[parent].node_id.clone()),
            source_id: part.id.clone().unwrap_or_else(or_of_page),
            created: item.created.or_else(|| items[unit].created.clone()),
            modified: item.modified.or_else(|| items[unit].modified.clone()),
            ..item
        });
    }
    items
}

impl Parts<'_, '_> {
    fn document_item(&self, page: &Page) -> Item {
        let (text, path) = (self.index.text(), self.path);
        let or_else = |word: &String, other: &str| if word.is_empty() { other.to_string() } else { word.clone() };
        let specs = self.definitions().filter(|((kind, _), _)| *kind == Kind::Spec);
        let own = specs.map(|(_, id)| NodeId::from(id)).next();
        let has_body = page.body_start < text.len();
        let white = if has_body { white_lines(text, self.chunks) } else { Vec::new() };
        let white = (!white.is_empty()).then(|| Field::new(Field::WHITE_LINES, white));
        let hidden = page.hidden_lines.iter().map(|lines| FieldValue::at(lines.start, lines.end.to_string()));
        let hidden = (!page.hidden_lines.is_empty()).then(|| Field::new(Field::HIDDEN_LINES, hidden));
        let item = Item::new(page.kind, own.unwrap_or_else(|| NodeId::from(&SymbolId::of_file(path))), path);
        let mut item = described(&page.details, item);
        item.fields.extend(white.into_iter().chain(hidden));
        Item {
            body: self.lines(page.body_start, text.len()),
            chunk_uid: self.chunk_at((text.len() - text.trim_start().len()) as u32),
            head: page.front_lines,
            source_id: or_else(&page.id, path.as_str()),
            title: or_else(&page.title, path.file_name()),
            unit: true,
            ..item
        }
    }

    fn part_item(&self, part: &Part, end: usize, node_id: NodeId) -> Item {
        let start = part.head.end.min(end);
        let line = |offset: usize| self.index.line(offset as u32) + 1;
        let item = Item {
            body: self.lines(start, end),
            chunk_uid: self.chunk_at(part.definition.1),
            depth: part.depth,
            head: Some(Lines { start: line(part.head.start), end: line(start.saturating_sub(1)) }),
            title: part.title.clone(),
            unit: part.is_unit,
            ..described(&part.details, Item::new(part.kind, node_id, self.path))
        };
        match self.owners.chunk_at(part.definition.1).map(|owner| &self.chunks[owner]) {
            Some(chunk) if chunk.derived => lines_of_derived(item, chunk),
            _ => item,
        }
    }

    /// The kinds of definitions, where their names start, and their ids.
    fn definitions(&self) -> impl Iterator<Item = ((Kind, u32), &SymbolId)> {
        let all = self.layer.facts.definitions.iter().zip(&self.outline.nodes);
        let key = |definition: &Definition| (definition.kind, definition.name_span.start);
        all.filter_map(move |(definition, node)| Some((key(definition), node.symbol_id.as_ref()?)))
    }

    fn ids(&self) -> BTreeMap<(Kind, u32), &SymbolId> {
        self.definitions().filter(|((kind, _), _)| matches!(kind, Kind::Section | Kind::Item)).collect()
    }

    fn chunk_at(&self, offset: u32) -> Option<ChunkUid> {
        self.owners.chunk_at(offset).map(|owner| self.chunks[owner].chunk_uid)
    }

    /// The lines of a stretch of the text, without blank lines around them.
    fn lines(&self, start: usize, end: usize) -> Option<Lines> {
        let text = self.index.text()[start..end].trim_end();
        let blank = text.len() - text.trim_start().len();
        let line = |offset: usize| self.index.line(offset as u32) + 1;
        (blank < text.len()).then(|| Lines { start: line(start + blank), end: line(start + text.len() - 1) })
    }
}

/// Of a derived chunk, items have lines of the chunk's own text: the first one, and those below it.
fn lines_of_derived(item: Item, chunk: &Chunk) -> Item {
    let count = chunk.text.lines().count() as u32;
    let body = (count > 1).then_some(Lines { start: 2, end: count });
    Item { head: Some(Lines { start: 1, end: 1 }), body, ..item }
}

fn described(details: &Details, item: Item) -> Item {
    let Details { aliases, tags, fields, created, modified, due, done } = details.clone();
    Item { aliases, tags, fields, created, modified, due, done, ..item }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chunk::{Config, Source, chunk};
    use crate::document::front_matter;
    use crate::language::{Heading, Languages, markdown_headings};
    use crate::record::FileLines;

    fn read(text: &str, max_chunk_bytes: usize) -> (Vec<Item>, Vec<Chunk>) {
        let (languages, path) = (Languages::builtin(), path());
        let source = Source { path: &path, text, language: languages.detect(&path, text), notes: None };
        let config = Config { max_chunk_bytes, ..Config::default() };
        let chunked = chunk(&source, &languages, &config, &BTreeSet::new());
        (chunked.items, chunked.chunks)
    }

    fn path() -> RepoPath {
        RepoPath::try_from("docs/REQ-001.md".to_string()).unwrap()
    }

    /// Each item as `order depth kind title < parent's order: head body`.
    fn drawn(text: &str) -> Vec<String> {
        let (items, _) = read(text, 4096);
        let lines =
            |lines: Option<Lines>| lines.map_or("-".to_string(), |lines| format!("{}-{}", lines.start, lines.end));
        let draw = |item: &Item| {
            let parent = items.iter().find(|other| Some(&other.node_id) == item.parent.as_ref());
            let parent = parent.map(|parent| format!(" < {}", parent.order)).unwrap_or_default();
            let Item { order, depth, kind, title, .. } = item;
            format!("{order} {depth} {kind} {title}{parent}: {} {}", lines(item.head), lines(item.body))
        };
        items.iter().map(draw).collect()
    }

    const FRONT: &str = "---\nkind: requirements\nscope: all\nid: REQ-001\nspec_title: One\nstatus: draft\n---\n";

    #[test]
    fn sections_know_the_section_around_them_and_their_lines() {
        let text = format!("{FRONT}\n# A\n\none\n\n### B\n## `C`\n\n  two\n\n# D\n");
        assert_eq!(
            drawn(&text),
            [
                "0 0 spec One: 1-7 9-18",
                "1 1 section A < 0: 9-9 11-16",
                "2 3 section B < 1: 13-13 -",
                "3 2 section `C` < 1: 14-14 16-16",
                "4 1 section D < 0: 18-18 -",
            ]
        );
        let (items, chunks) = read(&text, 4096);
        assert_eq!(items[3].aliases, ["C"]);
        assert_eq!(items[3].source_id, "REQ-001#C");
        assert_eq!(items[0].node_id.as_str(), "scip:contextpack . . . docs/`REQ-001.md`/REQ-001.");
        let own = |item: &Item| chunks.iter().find(|chunk| Some(chunk.chunk_uid) == item.chunk_uid).unwrap();
        assert!(items.iter().skip(1).all(|item| own(item).text.contains(&item.title)), "{items:?}");
    }

    #[test]
    fn front_matter_is_fields_with_lines() {
        let text = "---\nid: REQ-001\nkind: requirements\ntrace:\n  req: []\n  if: [IF-001, IF-002]\ndoc:\n  read_next:\n    - a.md\n---\n";
        let (items, _) = read(text, 4096);
        let [document] = items.as_slice() else { panic!("{items:?}") };
        assert_eq!(document.title, "REQ-001.md", "it has no title of its own");
        assert_eq!(document.field("id"), Some(&[FieldValue::at(2, "REQ-001")][..]));
        assert_eq!(document.field("scope"), None);
        assert_eq!(document.field("trace.req"), Some(&[][..]), "a list that is empty is not one that is absent");
        assert_eq!(document.field("trace.if").unwrap(), [FieldValue::at(6, "IF-001"), FieldValue::at(6, "IF-002")]);
        assert_eq!(document.field("doc.read_next").unwrap(), [FieldValue::at(9, "a.md")]);
    }

    #[test]
    fn front_matter_that_cannot_be_read_says_why() {
        let (items, _) = read("---\nid: REQ-001\nspec_title: \"open\n---\n\n# A\n", 4096);
        let fault = items[0].field(Field::FRONT_MATTER_ERROR).unwrap();
        assert_eq!((fault.len(), fault[0].line), (1, Some(3)), "{fault:?}");
        assert_eq!(items[0].node_id.as_str(), "scip:contextpack . . . docs/`REQ-001.md`/", "the file stands for it");
        assert_eq!(items[1].parent.as_ref(), Some(&items[0].node_id));
    }

    #[test]
    fn other_texts_have_no_items() {
        assert!(drawn("# A\n\nREQ-001\n").is_empty());
        assert!(drawn("---\ntitle: a page\n---\n# A\n").is_empty());
    }

    /// The whole lines of a piece of a text, without the blank ones around them.
    fn trimmed_lines(piece: &str) -> &str {
        let piece = piece.trim_end();
        let blank = piece.len() - piece.trim_start().len();
        &piece[piece[..blank].rfind('\n').map_or(0, |at| at + 1)..]
    }

    /// Where the section of the first heading ends: at the next heading that is not below it, if there is one.
    fn section_end(headings: &[Heading]) -> Option<usize> {
        let (first, rest) = headings.split_first()?;
        rest.iter().find(|heading| heading.level <= first.level).map(|heading| heading.start)
    }

    /// Everything that is read from a document's text can be had from its chunks and items.
    fn check_bodies(text: &str, max_chunk_bytes: usize) {
        let (items, chunks) = read(text, max_chunk_bytes);
        let headings = markdown_headings(text);
        let lines = FileLines::new(&chunks, items[0].field(Field::WHITE_LINES).unwrap_or_default());
        let body = |item: &Item| item.body.map_or(String::new(), |body| lines.text(body).trim_end().to_string());
        assert_eq!(items.len(), headings.len() + 1);
        for (item, (at, heading)) in items[1..].iter().zip(headings.iter().enumerate()) {
            let end = section_end(&headings[at..]).unwrap_or(text.len());
            assert_eq!(body(item), trimmed_lines(&text[heading.end.min(end)..end]), "{} of {text:?}", item.title);
            let line = text[..heading.start].matches('\n').count() as u32 + 1;
            assert_eq!(item.head.map(|lines| lines.start), Some(line));
        }
        let prose = &text[front_matter::end(text)..];
        assert_eq!(body(&items[0]), prose.trim().to_string());
    }

    #[test]
    fn bodies_are_put_together_from_chunks() {
        let code = "```python\nclass A:\n    x = 1\n\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n```\n";
        let long = "word ".repeat(300);
        let texts = [
            "# A\n\none\n\n\n\ntwo\n## B\n   \n three\n\t\n\n four  \n   \n# C\n".to_string(),
            format!("Title\nof two lines\n===\n\n{code}\nbehind\n\n## B\n{code}"),
            format!("# A\n\n{long}\n\n{long}x\n  \n## B\n\n{long}\n"),
            "before\n\n# A #\n\n> # quoted\n\n- # listed\n\n```\n# fenced\n\n```\n\nend".to_string(),
            "# A\n\n\u{3000}\n\nx\n\u{a0}\ny\n".to_string(),
        ];
        for text in texts {
            for max_chunk_bytes in [4096, 256, 64] {
                check_bodies(&format!("{FRONT}{text}"), max_chunk_bytes);
                check_bodies(&format!("{FRONT}\n{text}").replace('\n', "\r\n"), max_chunk_bytes);
            }
        }
    }
}
