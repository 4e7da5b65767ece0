//! Takes candidates apart that would show a block twice. A candidate that is too long for its first form is cut at first,
//! and shown as a whole where there is room. What the cut leaves out may be a candidate itself, and then both show it.
//! So a long candidate gives up the blocks that are candidates themselves, such as the paragraphs below a heading.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::source::Shortening;
use super::{Entry, Found, PartFound, Profile, ShownBlock};
use crate::record::workspace::{LeftOut, PayloadPart};

/// Everything that was found, taken apart. `is_on` says which parts are shown.
pub fn apart<'f>(
    found: &'f Found,
    profile: &Profile,
    shortening: &Shortening,
    is_on: impl Fn(PayloadPart) -> bool,
) -> Cow<'f, Found> {
    let mut all = Cow::Borrowed(found);
    let shown = found.parts.iter().filter(|(part, _)| is_on(**part));
    let ids: BTreeSet<&str> = shown.clone().flat_map(|(_, found)| &found.entries).map(|one| &*one.block_id).collect();
    for (part, part_found) in shown {
        let max_tokens = profile.first_tokens(*part) as usize;
        let smaller = |entry: &Entry| {
            let inner = if entry.is_whole { Vec::new() } else { inner(entry, &ids) };
            let is_apart = !inner.is_empty() && shortening.is_cut(&entry.content, max_tokens);
            is_apart.then(|| without(entry, &inner))
        };
        let smaller: BTreeMap<usize, Entry> =
            (0..).zip(&part_found.entries).filter_map(|(at, entry)| Some((at, smaller(entry)?))).collect();
        if !smaller.is_empty() {
            all.to_mut().parts.insert(*part, replaced(part_found, smaller));
        }
    }
    all
}

/// With other entries in some places. Those that show nothing any more stand in others.
fn replaced(found: &PartFound, mut smaller: BTreeMap<usize, Entry>) -> PartFound {
    let mut replaced = PartFound { entries: Vec::new(), left_out: found.left_out.clone() };
    for (at, entry) in found.entries.iter().enumerate() {
        match smaller.remove(&at) {
            Some(smaller) if smaller.content.is_empty() => {
                *replaced.left_out.entry(LeftOut::Covered).or_default() += 1;
            }
            Some(smaller) => replaced.entries.push(smaller),
            None => replaced.entries.push(entry.clone()),
        }
    }
    replaced
}

/// Where whole lines of an entry stand that are of other entries, without gaps in between.
fn inner(entry: &Entry, ids: &BTreeSet<&str>) -> Vec<Range<usize>> {
    let is_other = |block: &&ShownBlock| block.block_id != entry.block_id && ids.contains(&*block.block_id);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for ShownBlock { range, .. } in entry.blocks.iter().filter(is_other) {
        let is_inside = ranges.last().is_some_and(|last| range.end <= last.end);
        if !is_inside && !range.is_empty() && is_of_lines(&entry.content, range) {
            ranges.push(range.clone());
        }
    }
    ranges
}

fn is_of_lines(text: &str, range: &Range<usize>) -> bool {
    let starts = range.start == 0 || text.as_bytes()[range.start - 1] == b'\n';
    starts && (range.end == text.len() || text.as_bytes()[range.end] == b'\n')
}

/// The entry without some of its lines, and without the blocks in them.
fn without(entry: &Entry, lines: &[Range<usize>]) -> Entry {
    // The line break behind goes with the lines.
    let end = entry.content.len();
    let gone: Vec<Range<usize>> = lines.iter().map(|lines| lines.start..(lines.end + 1).min(end)).collect();
    let starts = std::iter::once(0).chain(gone.iter().map(|gone| gone.end));
    let ends = gone.iter().map(|gone| gone.start).chain([end]);
    let content: String = starts.zip(ends).map(|(start, end)| &entry.content[start..end]).collect();
    let content = content.trim_end_matches('\n').to_string();
    let moved = |place: usize| {
        let before: usize = gone.iter().map(|gone| place.clamp(gone.start, gone.end) - gone.start).sum();
        (place - before).min(content.len())
    };
    let is_left = |block: &&ShownBlock| {
        let is_within = |lines: &Range<usize>| lines.start <= block.range.start && block.range.end <= lines.end;
        block.range.is_empty() || !lines.iter().any(is_within)
    };
    let left = entry.blocks.iter().filter(is_left).cloned();
    let blocks =
        left.map(|ShownBlock { block_id, range }| ShownBlock { block_id, range: moved(range.start)..moved(range.end) });
    Entry { blocks: blocks.collect(), content, ..entry.clone() }
}
