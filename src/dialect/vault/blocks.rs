//! Blocks with an id: `text ^id`, or `^id` below a list, a quote or a table.

use rustc_hash::FxHashSet;

use crate::dialect::Part;
use crate::dialect::markup::{Nest, content_start};
use crate::dialect::page::NAMELESS;
use crate::language::{Complaint, Definition, Facts, ProseBlock, capped_name};
use crate::record::{Kind, ProblemCode};
use crate::text::Span;

/// The blocks that ids name, with the stretch of the text that each is. Their definitions are added to the facts.
pub fn find<'t>(
    ids: impl Iterator<Item = (&'t str, Span)>,
    blocks: &[ProseBlock],
    text: &'t str,
    facts: &mut Facts<'t>,
) -> Vec<(Part, Span)> {
    let spans: Vec<Span> = blocks.iter().map(|block| block.span).collect();
    let mut nest = Nest::new(&spans);
    let (mut known, mut starts) = (FxHashSet::default(), FxHashSet::default());
    let mut found: Vec<(Part, Span)> = Vec::new();
    // The last block that nothing is around, before the one that holds the id.
    let (mut next, mut outer) = (0, [None, None]);
    for (id, place) in ids {
        while blocks.get(next).is_some_and(|block| block.span.start <= place.start) {
            let is_outer = outer[1].is_none_or(|last: usize| spans[last].end <= spans[next].start);
            outer = if is_outer { [outer[1], Some(next)] } else { outer };
            next += 1;
        }
        let Some(at) = nest.around(place.start) else { continue };
        let is_alone = spans[at].text(text).trim() == place.text(text);
        let Some(at) = (if is_alone { outer[0] } else { Some(at) }) else { continue };
        let span = trimmed(spans[at], text);
        if !known.insert(id) {
            let message = format!("the id `^{id}` is given to two blocks of this page");
            facts.complaints.push(Complaint { code: ProblemCode::ItemDuplicate, span: place, message });
        }
        let (definition, part) = block(id, span, text);
        if starts.insert(definition.name_span.start) {
            facts.definitions.push(definition);
            found.push((part, span));
        } else if let Some((part, _)) = found.iter_mut().rev().find(|(_, other)| *other == span) {
            part.details.aliases.push(format!("id:^{id}"));
        }
    }
    found
}

/// Without blank lines at either end. For markdown, a line of wide spaces is text.
fn trimmed(span: Span, text: &str) -> Span {
    let inside = span.text(text);
    let blank = inside.len() - inside.trim_start().len();
    let start = inside[..blank].rfind('\n').map_or(0, |end| end + 1);
    Span { start: span.start + start as u32, end: span.start + inside.trim_end().len() as u32 }
}

/// The name is the text of the first line, without what marks a list item, a task or the id.
fn block<'t>(id: &'t str, span: Span, text: &'t str) -> (Definition<'t>, Part) {
    let (start, line) = (span.start as usize, span.text(text).lines().next().unwrap_or_default());
    let (mut content, is_item) = content_start(line);
    if is_item && matches!(line.as_bytes()[content..], [b'[', _, b']', b' ', ..]) {
        content += 4;
    }
    let bare = line[content..].trim_end();
    let bare = bare.strip_suffix(id).and_then(|bare| bare.strip_suffix('^')).unwrap_or(bare).trim_end();
    let name = capped_name(bare);
    let title = if name.is_empty() { id } else { name };
    let name_span = Span::new(start + content, start + content + bare.len());
    let name = if name.is_empty() { NAMELESS } else { name };
    let mut definition = Definition::new(Kind::Item, name, name_span, span);
    definition.key = Some(format!("^{id}").into());
    definition.is_inline = true;
    let mut part = Part::new("block", (Kind::Item, name_span.start), title, start..span.end as usize);
    part.id = Some(format!("^{id}"));
    part.end = Some(span.end as usize);
    (definition, part)
}
