//! Properties: which of them are names, tags or fields, and which nobody should see.

use super::block::BlockText;
use crate::dialect::markup::{Collector, Mark, Names, Sign, is_tag};
use crate::text::Span;

/// What properties add to the markup of a text, and where they replace it.
#[derive(Default)]
pub struct Properties<'t> {
    fields: Vec<Mark<'t>>,
    /// Values whose markup is read here. In text order.
    values: Vec<Span>,
}

impl<'t> Properties<'t> {
    /// Takes the properties of the page, which is owner 0, or of one of its parts.
    pub fn take(&mut self, owner: usize, block: &BlockText<'t>, names: &mut Names, collector: &mut Collector<'t, '_>) {
        for (name, value) in &block.properties {
            self.take_property(owner, name, *value, names, collector);
        }
        if owner == 0 {
            return;
        }
        if let Some((state, span)) = block.task {
            collector.task(owner, state, span, true);
        }
        block.dates.iter().for_each(|(name, value)| collector.task_date(owner, name, *value, true));
    }

    fn take_property(
        &mut self,
        owner: usize,
        name: &'t str,
        value: Span,
        names: &mut Names,
        collector: &mut Collector<'t, '_>,
    ) {
        let folded = name.to_ascii_lowercase();
        match folded.as_str() {
            "title" if owner == 0 => {
                let words = words(collector.text(value));
                names.title = words.into_iter().next().map(|(word, _)| word.to_string()).or(names.title.take());
            }
            "alias" | "aliases" if owner == 0 => {
                names.aliases.extend(words(collector.text(value)).iter().map(|(word, _)| word.to_string()));
            }
            "tags" | "tag" => take_tags(owner, value, collector),
            _ if is_hidden(name) => {}
            _ => return self.fields.push(Mark { span: value, sign: Sign::Field { name, value } }),
        }
        self.values.push(value);
    }

    /// The marks of a text and those of its properties, in text order.
    pub fn merge(self, marks: Vec<Mark<'t>>) -> Vec<Mark<'t>> {
        let is_read = |mark: &Mark| {
            let at = self.values.partition_point(|value| value.end <= mark.span.start);
            self.values.get(at).is_some_and(|value| value.contains(mark.span))
        };
        let mut all: Vec<Mark> = marks.into_iter().filter(|mark| !is_read(mark)).chain(self.fields).collect();
        all.sort_by_key(|mark| (mark.span.start, !matches!(mark.sign, Sign::Field { .. })));
        all
    }
}

/// In Logseq a tag is a page.
fn take_tags<'t>(owner: usize, value: Span, collector: &mut Collector<'t, '_>) {
    for (tag, at) in words(collector.text(value)) {
        if is_tag(tag) {
            let start = value.start as usize + at;
            let span = Span::new(start, start + tag.len());
            collector.tag(owner, tag, span);
            collector.link(owner, tag.into(), false, span);
        }
    }
}

/// What Logseq keeps for itself.
pub fn is_hidden(name: &str) -> bool {
    let name = &*name.to_ascii_lowercase();
    matches!(name, "id" | "collapsed") || ["logseq.", "ls-", "hl-"].iter().any(|start| name.starts_with(start))
}

/// The words between commas that are in no brackets, each without its own brackets and `#`, and where it starts.
fn words(value: &str) -> Vec<(&str, usize)> {
    let (mut depth, mut start, mut words) = (0usize, 0, Vec::new());
    for (at, byte) in value.bytes().chain([b',']).enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b',' if depth == 0 || at == value.len() => {
                let word = value[start..at].trim();
                let word = word.strip_prefix('#').unwrap_or(word);
                let word = word.strip_prefix("[[").and_then(|word| word.strip_suffix("]]")).unwrap_or(word).trim();
                words.extend((!word.is_empty()).then(|| (word, word.as_ptr() as usize - value.as_ptr() as usize)));
                start = at + 1;
            }
            _ => {}
        }
    }
    words
}
