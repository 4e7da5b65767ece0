//! Prints the items of one file together: in line order, pieces that touch as one excerpt, gaps marked with the
//! numbers of the lines that are left out.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::render::{Format, attribute, tag, why};
use crate::assemble::{Block, Frame};
use crate::record::Lines;
use crate::record::pack::{ExcerptForm, Item};
use crate::text::{Tokenizer, fence, one_line};

/// The text of a page, from its items in the order of their rank. A block ends where an item ends and the tokens of
/// what follows are known to add up, so that a new item leaves most blocks of its page as they were.
pub fn print(items: &[&Item], tokenizer: Tokenizer) -> Vec<Block<'static>> {
    let excerpts = excerpts(items);
    if excerpts.is_empty() {
        return Vec::new();
    }
    let frames = PageFrames::new(items, &excerpts);
    let mut blocks: Vec<Block> = Vec::new();
    let mut said = BTreeSet::new();
    for (at, excerpt) in excerpts.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &excerpts[before]);
        let opening = frames.opening(excerpt, before, &excerpt.notes(&mut said));
        let first = blocks.len();
        blocks.extend(excerpt.pieces(tokenizer).into_iter().map(|text| Block { text, frames: frames.empty() }));
        put_heads(&mut blocks[first..], opening);
    }
    if let Some(last) = blocks.last_mut() {
        last.frames.iter_mut().zip(frames.closing(items, &excerpts)).for_each(|(frame, tail)| frame.tail = tail);
    }
    blocks
}

/// The lines of a page, in the order in which they are printed: the index of the block, the number in the file, and
/// where the line ends in the block's text.
pub fn printed_lines(items: &[&Item], tokenizer: Tokenizer) -> Vec<(usize, u32, usize)> {
    let mut lines = Vec::new();
    let mut block = 0;
    for excerpt in excerpts(items) {
        let mut numbers = excerpt.lines.iter().map(|line| line.number);
        for text in excerpt.pieces(tokenizer) {
            let mut end = 0;
            for line in text.split_inclusive('\n') {
                end += line.len();
                lines.extend(numbers.next().flatten().map(|number| (block, number, end)));
            }
            block += 1;
        }
    }
    lines
}

/// Lines of a file without a gap, or a text that has no whole line.
struct Excerpt<'i> {
    range: Lines,
    lines: Vec<Line<'i>>,
    /// Its items, in the order of their rank.
    items: Vec<&'i Item>,
}

#[derive(Clone, Copy)]
struct Line<'i> {
    /// Absent for a part of a line.
    number: Option<u32>,
    text: &'i str,
    /// The index of its item.
    item: usize,
}

fn excerpts<'i>(items: &[&'i Item]) -> Vec<Excerpt<'i>> {
    let mut numbered: Vec<Line> = Vec::new();
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match item.excerpt.numbered_lines() {
            Some(lines) => {
                let lines = lines.into_iter();
                numbered.extend(lines.map(|(number, text)| Line { number: Some(number), text, item: at }));
            }
            None => {
                let lines = item.excerpt.text.split_inclusive('\n').map(|text| Line { number: None, text, item: at });
                excerpts.push(Excerpt { range: item.lines, lines: lines.collect(), items: vec![*item] });
            }
        }
    }
    // The sort is stable: of a line that several items have, the one of the best item is kept.
    numbered.sort_by_key(|line| line.number);
    numbered.dedup_by_key(|line| line.number);
    let runs = numbered.chunk_by(|a, b| a.number.map(|number| number + 1) == b.number);
    excerpts.extend(runs.filter_map(|run| Excerpt::of_run(run, items)));
    excerpts.sort_by_key(|excerpt| (excerpt.range.start, excerpt.range.end));
    excerpts
}

impl<'i> Excerpt<'i> {
    /// Without blank lines at either end; absent if all are blank.
    fn of_run(run: &[Line<'i>], items: &[&'i Item]) -> Option<Self> {
        let is_text = |line: &Line| !line.text.trim().is_empty();
        let (start, end) = (run.iter().position(is_text)?, run.iter().rposition(is_text)?);
        let lines = &run[start..=end];
        let mut members: Vec<usize> = lines.iter().map(|line| line.item).collect();
        members.sort_unstable();
        members.dedup();
        let range = Lines { start: lines[0].number?, end: lines[lines.len() - 1].number? };
        Some(Excerpt { range, lines: lines.to_vec(), items: members.into_iter().map(|at| items[at]).collect() })
    }

    /// The handle of its best item, as it is printed.
    fn handle(&self) -> String {
        let handle = self.items.first().and_then(|item| item.handle.as_deref());
        handle.map_or_else(String::new, |handle| format!(" #{handle}"))
    }

    /// Whether its lines are not whole lines of the file.
    fn is_loose(&self) -> bool {
        self.lines.first().is_none_or(|line| line.number.is_none())
    }

    /// The text, cut between items where the tokens of both sides add up.
    fn pieces(&self, tokenizer: Tokenizer) -> Vec<Cow<'static, str>> {
        let mut pieces = vec![String::new()];
        let mut item = self.lines.first().map(|line| line.item);
        for line in &self.lines {
            let last = pieces.last_mut().expect("there is a piece");
            if item != Some(line.item) && tokenizer.counts_add_up(last, line.text) {
                pieces.push(line.text.to_string());
                item = Some(line.item);
            } else {
                last.push_str(line.text);
            }
        }
        let last = pieces.last_mut().expect("there is a piece");
        if !last.is_empty() && !last.ends_with('\n') {
            last.push('\n');
        }
        pieces.into_iter().map(Cow::Owned).collect()
    }

    /// What a reader has to know about the excerpt: the definition that it is a part of, and why it is shown. A page says
    /// a reason once.
    fn notes(&self, said: &mut BTreeSet<String>) -> String {
        let within =
            self.items.iter().filter(|item| !item.starts_definition()).map(|item| format!("in {}", item.title));
        let within = within.take(1).filter(|_| !self.lines.is_empty());
        let title = self.items.iter().map(|item| item.title.clone()).filter(|_| self.lines.is_empty());
        let mut notes: Vec<String> = title.chain(within).collect();
        for reason in self.items.iter().map(|item| why(item)).filter(|reason| !reason.is_empty()) {
            if notes.len() < MAX_NOTES && said.insert(reason.clone()) {
                notes.push(reason);
            }
        }
        one_line(&notes.join("; "))
    }
}

/// More reasons for one excerpt cost more than they tell.
const MAX_NOTES: usize = 2;

/// What stands around the excerpts of a page, in each format.
struct PageFrames<'i> {
    path: String,
    /// Of the first excerpt; the marks of gaps have the numbers of the others.
    range: Lines,
    language: &'i str,
    is_outline: bool,
    fence: String,
    tag: String,
}

impl<'i> PageFrames<'i> {
    fn new(items: &[&'i Item], excerpts: &[Excerpt]) -> Self {
        let texts = || items.iter().map(|item| item.excerpt.text.as_str());
        let fences = texts().map(fence);
        PageFrames {
            path: items[0].file_rel_path.to_string(),
            range: excerpts[0].range,
            language: items[0].language_id.as_str(),
            is_outline: items.iter().all(|item| item.excerpt.form == ExcerptForm::Outline),
            fence: fences.max_by_key(String::len).unwrap_or_default(),
            tag: tag("file", texts()),
        }
    }

    fn empty(&self) -> Vec<Frame> {
        Format::ALL.map(|_| Frame::default()).into()
    }

    /// The text before an excerpt: the heading of the page, or the mark of a gap. The heading has the handle of the excerpt's best item;
    /// a path and a line name the others.
    fn opening(&self, excerpt: &Excerpt, before: Option<&Excerpt>, notes: &str) -> [String; Format::ALL.len()] {
        match before {
            None => {
                let handle = excerpt.handle();
                let mark = if excerpt.is_loose() { loose_mark(excerpt) + "\n" } else { String::new() };
                Format::ALL.map(|format| self.heading(&handle, notes, format) + &mark)
            }
            Some(before) => {
                let place =
                    if excerpt.is_loose() { loose_mark(excerpt) } else { gap(before.range.end, excerpt.range.start) };
                let notes = if notes.is_empty() { String::new() } else { format!(" {notes}") };
                Format::ALL.map(|_| format!("{place}{notes}\n"))
            }
        }
    }

    fn heading(&self, handle: &str, notes: &str, format: Format) -> String {
        let PageFrames { path, range, language, is_outline, fence, tag } = self;
        let form = if *is_outline { " (outline)" } else { "" };
        let Lines { start, end } = range;
        match format {
            Format::Markdown => {
                let notes = if notes.is_empty() { String::new() } else { format!("{notes}\n") };
                format!("## {}:{start}-{end}{form}{handle}\n{notes}{fence}{language}\n", one_line(path))
            }
            Format::Xml => {
                let notes = if notes.is_empty() { String::new() } else { format!(" why=\"{}\"", attribute(notes)) };
                let form = form.trim();
                let form = if form.is_empty() { String::new() } else { " form=\"outline\"".to_string() };
                let handle = handle.trim_start_matches(" #");
                let handle = if handle.is_empty() { String::new() } else { format!(" id=\"{handle}\"") };
                format!("<{tag} path=\"{}:{start}-{end}\"{form}{handle}{notes}>\n", attribute(path))
            }
        }
    }

    /// The text after the last excerpt. Says what is left out of an item that is cut.
    fn closing(&self, items: &[&Item], excerpts: &[Excerpt]) -> [String; Format::ALL.len()] {
        let cut = items.iter().filter(|item| item.excerpt.form != ExcerptForm::Full);
        let end = cut.map(|item| item.lines.end).max().unwrap_or(0);
        let shown = excerpts.iter().map(|excerpt| excerpt.range.end).max().unwrap_or(0);
        let rest = if end > shown { gap(shown, end + 1) + "\n" } else { String::new() };
        Format::ALL.map(|format| match format {
            Format::Markdown => format!("{rest}{}\n\n", self.fence),
            Format::Xml => format!("{rest}</{}>\n", self.tag),
        })
    }
}

/// Whether a text is the place in the heading of a page: a path and the lines of its first excerpt.
pub fn is_place(text: &str) -> bool {
    let place = text.split(" #").next().unwrap_or(text).trim_end_matches(" (outline)");
    let lines = place.rsplit_once(':').and_then(|(_, lines)| lines.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    lines.is_some_and(|(start, end)| is_number(start) && is_number(end))
}

/// The mark of the lines between two shown lines.
fn gap(before: u32, after: u32) -> String {
    let (first, last) = (before + 1, after.saturating_sub(1));
    if first < last { format!("… {first}-{last}") } else { format!("… {first}") }
}

/// The mark of a text without whole lines, or of an item that is only listed.
fn loose_mark(excerpt: &Excerpt) -> String {
    let Lines { start, end } = excerpt.range;
    let of = if excerpt.lines.is_empty() { "" } else { "part of " };
    if start < end { format!("… {of}{start}-{end}") } else { format!("… {of}{start}") }
}

/// Puts the text before an excerpt into the frames of its first block.
fn put_heads(blocks: &mut [Block], heads: [String; Format::ALL.len()]) {
    let first = blocks.first_mut().expect("an excerpt has a block");
    first.frames.iter_mut().zip(heads).for_each(|(frame, head)| frame.head = head);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An item with whole lines of `a.py`, from the line with this number on.
    fn item(start: u32, text: &str) -> Item {
        let end = start + text.lines().count() as u32 - 1;
        let shown = vec![Lines { start, end }];
        outline(shown, text, ExcerptForm::Full)
    }

    fn outline(shown: Vec<Lines>, text: &str, form: ExcerptForm) -> Item {
        let golden = include_str!("../../../golden/pack_answer/expected/context_packs.jsonl");
        let pack: crate::record::pack::ContextPack = serde_json::from_str(golden.lines().next().unwrap()).unwrap();
        let mut item = pack.items()[0].clone();
        item.file_rel_path = crate::text::RepoPath::try_from("a.py".to_string()).unwrap();
        item.handle = None;
        item.lines = Lines { start: shown[0].start, end: shown[shown.len() - 1].end };
        item.excerpt = crate::record::pack::Excerpt { form, shown, text: text.to_string(), ..item.excerpt };
        item
    }

    fn joined(items: &[&Item], format: Format) -> String {
        let blocks = print(items, Tokenizer::O200kBase);
        let text = |block: &Block| {
            let frame = &block.frames[format as usize];
            format!("{}{}{}", frame.head, block.text, frame.tail)
        };
        blocks.iter().map(text).collect()
    }

    fn check(items: &[&Item], wanted: &str) {
        assert_eq!(joined(items, Format::Markdown), format!("{wanted}```\n\n"));
    }

    #[test]
    fn pieces_that_touch_are_one_excerpt_in_line_order() {
        check(&[&item(3, "c\n"), &item(1, "a\nb\n")], "## a.py:1-3\n```python\na\nb\nc\n");
    }

    #[test]
    fn a_page_has_the_handle_of_the_best_item_of_its_first_excerpt() {
        let with = |handle: &str, item: Item| Item { handle: Some(handle.to_string()), ..item };
        let (first, second, third) =
            (with("aa", item(2, "b\n")), with("bb", item(1, "a\n")), with("cc", item(9, "i\n")));
        check(&[&first, &second, &third], "## a.py:1-2 #aa\n```python\na\nb\n… 3-8\ni\n");
    }

    #[test]
    fn a_gap_is_marked_with_its_lines() {
        check(&[&item(1, "a\n"), &item(5, "e\n")], "## a.py:1-1\n```python\na\n… 2-4\ne\n");
        check(&[&item(1, "a\n"), &item(3, "c\n")], "## a.py:1-1\n```python\na\n… 2\nc\n");
    }

    #[test]
    fn blank_lines_at_the_ends_of_an_excerpt_go() {
        check(&[&item(1, "\na\n\nb\n\n")], "## a.py:2-4\n```python\na\n\nb\n");
    }

    #[test]
    fn an_outline_says_so_until_a_body_is_shown() {
        let lines = |number| Lines { start: number, end: number };
        let class =
            outline(vec![lines(1), lines(2), lines(9)], "class A:\n  def b():\n  def c():\n", ExcerptForm::Outline);
        check(&[&class], "## a.py:1-2 (outline)\n```python\nclass A:\n  def b():\n… 3-8\n  def c():\n");
        let body = item(2, "  def b():\n    pass\n");
        check(&[&class, &body], "## a.py:1-3\n```python\nclass A:\n  def b():\n    pass\n… 4-8\n  def c():\n");
    }

    #[test]
    fn what_is_cut_at_the_end_is_marked() {
        let mut head = outline(vec![Lines { start: 4, end: 5 }], "def f():\n  a\n", ExcerptForm::Head);
        head.lines.end = 90;
        check(&[&head], "## a.py:4-5\n```python\ndef f():\n  a\n… 6-90\n");
    }

    #[test]
    fn a_later_part_names_its_definition() {
        let mut part = item(40, "  b\n");
        part.part = Some(crate::record::Part { count: 3, index: 2 });
        part.title = "def f()".to_string();
        check(&[&item(1, "x\n"), &part], "## a.py:1-1\n```python\nx\n… 2-39 in def f()\n  b\n");
    }

    proptest! {
        /// The tokens of the blocks add up to the tokens of the page, and every line knows its place.
        #[test]
        fn blocks_add_up(texts in prop::collection::vec((1..60u32, "([ /#;a]{0,4}\n){1,4}"), 1..8)) {
            let items: Vec<Item> = texts.iter().map(|(start, text)| item(*start, text)).collect();
            let items: Vec<&Item> = items.iter().collect();
            let whole = joined(&items, Format::Markdown);
            for tokenizer in Tokenizer::ALL {
                let count = |block: &Block| {
                    let frame = &block.frames[Format::Markdown as usize];
                    tokenizer.count(&format!("{}{}{}", frame.head, block.text, frame.tail))
                };
                prop_assert_eq!(print(&items, tokenizer).iter().map(count).sum::<usize>(), tokenizer.count(&whole));
            }
            let blocks = print(&items, Tokenizer::O200kBase);
            for (block, number, end) in printed_lines(&items, Tokenizer::O200kBase) {
                let line = blocks[block].text[..end].split_inclusive('\n').next_back().unwrap();
                let is_line = |(start, text): &(u32, String)| {
                    let at = number.checked_sub(*start);
                    at.and_then(|at| text.split_inclusive('\n').nth(at as usize)) == Some(line)
                };
                prop_assert!(texts.iter().any(is_line), "{number} {line:?}");
            }
        }
    }
}
