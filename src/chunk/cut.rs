//! Which lines become which chunk.
//!
//! A function is one piece; a type is a skeleton (its header, its fields, the signatures of its
//! members) and its members are pieces of their own; what no definition claims is cut at statement
//! borders. Every line that is not blank is owned by exactly one piece.

use crate::language::Definition;
use crate::record::{Analysis, Cut, Kind, Part};
use crate::text::{LineIndex, Span};

use super::doc::{signature_end, signature_start};
use super::layer::Layer;
use super::lines_span;
use super::outline::Outline;
use super::split::{Cuts, bytes, is_whole_lines, split, trimmed_lines};

/// A chunk to be.
pub struct Piece {
    pub layer: usize,
    /// The definition that it is, or is a part of.
    pub node: Option<usize>,
    pub kind: Kind,
    /// The range in the file that it represents.
    pub span: Span,
    /// The lines that a skeleton shows; absent when the text is the whole span.
    pub shown: Option<Vec<std::ops::Range<u32>>>,
    pub part: Option<Part>,
}

pub fn cut(layers: &[Layer], outlines: &[Outline], index: &LineIndex, max: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (at, (layer, outline)) in layers.iter().zip(outlines).enumerate() {
        let cuts = Cuts::new(&layer.facts.breaks, index);
        let mut cutter = Cutter { at, layer, outline, index, cuts, max, pieces: &mut pieces };
        let members = cutter.members();
        cutter.region(None, layer.lines.clone(), &members);
    }
    pieces
}

/// The definitions that get pieces of their own, by the one that holds them.
struct Members {
    top: Vec<usize>,
    of: Vec<Vec<usize>>,
}

struct Cutter<'c, 't> {
    at: usize,
    layer: &'c Layer<'t>,
    outline: &'c Outline,
    index: &'c LineIndex<'c>,
    cuts: Cuts,
    max: usize,
    pieces: &'c mut Vec<Piece>,
}

impl Cutter<'_, '_> {
    fn members(&self) -> Members {
        let mut members = Members { top: Vec::new(), of: vec![Vec::new(); self.outline.nodes.len()] };
        // For each definition, the nearest one around it that is cut, and whether that one stays whole.
        let mut around: Vec<(Option<usize>, bool)> = Vec::with_capacity(self.outline.nodes.len());
        let holds_code = self.holds_code();
        for (at, node) in self.outline.nodes.iter().enumerate() {
            let (holder, whole) = node.parent.map_or((None, false), |parent| around[parent]);
            let cut = match own_cut(&self.layer.facts.definitions[at]) {
                _ if whole => Cut::Inline,
                Cut::Inline if holds_code[at] => Cut::Members,
                cut => cut,
            };
            match (cut, holder) {
                (Cut::Inline, _) => {}
                (_, Some(holder)) => members.of[holder].push(at),
                (_, None) => members.top.push(at),
            }
            around.push(if cut == Cut::Inline { (holder, whole) } else { (Some(at), cut == Cut::Whole) });
        }
        members
    }

    /// Which names hold a value with functions in it: `const routes = { get() { … } }` is cut like a type.
    fn holds_code(&self) -> Vec<bool> {
        let mut holds_code = vec![false; self.outline.nodes.len()];
        for (at, node) in self.outline.nodes.iter().enumerate().rev() {
            let Some(parent) = node.parent else { continue };
            let holder = self.layer.facts.definitions[parent].kind;
            let is_value = matches!(holder, Kind::Variable | Kind::Constant);
            holds_code[parent] |= is_value && own_cut(&self.layer.facts.definitions[at]) == Cut::Whole;
        }
        holds_code
    }

    /// Cuts the lines of one definition, or of the whole layer.
    fn region(&mut self, owner: Option<usize>, lines: std::ops::Range<u32>, members: &Members) {
        let inner = owner.map_or(&members.top, |owner| &members.of[owner]);
        let mut placed = self.place(owner, &lines, inner);
        if owner.is_none() {
            self.attach_delimiter_lines(&lines, &mut placed);
        }
        let taken = placed.iter().map(|(_, lines)| lines.clone()).chain(self.layer.holes.iter().cloned());
        let runs = self.free_runs(lines.clone(), taken.collect());
        match owner {
            None => runs.into_iter().for_each(|run| self.push_parts(None, &[run])),
            Some(owner) if placed.is_empty() && runs.len() < 2 => self.push_parts(Some(owner), &runs),
            Some(owner) if placed.is_empty() => self.push_groups(owner, &runs),
            Some(owner) => self.push_skeleton(owner, lines, runs, &placed),
        }
        for (member, lines) in placed {
            self.region(Some(member), lines, members);
        }
    }

    /// The members whose lines are theirs alone. One that shares its first line with what is before
    /// it stays where it is.
    fn place(
        &self,
        owner: Option<usize>,
        region: &std::ops::Range<u32>,
        members: &[usize],
    ) -> Vec<(usize, std::ops::Range<u32>)> {
        let header = owner.map(|owner| self.first_line(owner) + 1);
        let mut free = header.unwrap_or(region.start);
        let mut placed = Vec::new();
        for member in members {
            let with_comments = self.outline.nodes[*member].lines.clone();
            let start = if with_comments.start >= free { with_comments.start } else { self.first_line(*member) };
            let behind = with_comments.end.min(region.end);
            if start >= free && start < behind && !self.in_hole(start) {
                placed.push((*member, start..behind));
                free = behind;
            }
        }
        placed
    }

    /// Lines between definitions that only close or open something, such as `});` or `#endif`, say nothing
    /// as a piece of their own: they go to the definition that they touch.
    fn attach_delimiter_lines(&self, region: &std::ops::Range<u32>, placed: &mut [(usize, std::ops::Range<u32>)]) {
        let taken = placed.iter().map(|(_, lines)| lines.clone()).chain(self.layer.holes.iter().cloned());
        for run in self.free_runs(region.clone(), taken.collect()) {
            if !run.clone().all(|line| is_delimiter_line(self.index.line_text(line))) {
                continue;
            }
            let opens = self.index.line_text(run.end - 1).trim_end().ends_with(['{', '(', '[']);
            let before = placed.iter().rposition(|(_, lines)| lines.end <= run.start);
            let before = before.filter(|at| self.only_blank(placed[*at].1.end..run.start));
            let after = placed.iter().position(|(_, lines)| lines.start >= run.end);
            let after = after.filter(|at| self.only_blank(run.end..placed[*at].1.start));
            match (before, after) {
                (_, Some(after)) if opens => placed[after].1.start = run.start,
                (Some(before), _) if !opens => placed[before].1.end = run.end,
                _ => {}
            }
        }
    }

    fn only_blank(&self, mut lines: std::ops::Range<u32>) -> bool {
        lines.all(|line| self.index.is_blank(line))
    }

    fn in_hole(&self, line: u32) -> bool {
        self.layer.holes.iter().any(|hole| hole.contains(&line))
    }

    fn first_line(&self, node: usize) -> u32 {
        self.index.line(self.layer.facts.definitions[node].span.start)
    }

    /// The lines of a region that nothing has taken, without blank ends.
    fn free_runs(
        &self,
        region: std::ops::Range<u32>,
        mut taken: Vec<std::ops::Range<u32>>,
    ) -> Vec<std::ops::Range<u32>> {
        taken.retain(|lines| lines.start < region.end && lines.end > region.start);
        taken.sort_by_key(|lines| lines.start);
        taken.push(region.end..region.end);
        let mut free = region.start;
        let mut runs = Vec::new();
        for lines in taken {
            if free < lines.start {
                runs.extend(trimmed_lines(free..lines.start, self.index));
            }
            free = free.max(lines.end);
        }
        runs
    }

    /// The whole text of some runs, in as many parts as it takes.
    fn push_parts(&mut self, owner: Option<usize>, runs: &[std::ops::Range<u32>]) {
        let spans: Vec<Span> = if owner.is_some_and(|owner| self.is_derived(owner)) {
            runs.iter().map(|run| lines_span(run.start, run.end, self.index)).take(1).collect()
        } else {
            runs.iter().flat_map(|run| split(run.clone(), &self.cuts, self.index, self.max)).collect()
        };
        let count = spans.len() as u32;
        for (at, span) in spans.into_iter().enumerate() {
            let part = (count > 1).then_some(Part { index: at as u32 + 1, count });
            self.push(owner, span, None, part);
        }
    }

    /// Whether the text of its chunk is made from the file's, and is not cut with it.
    fn is_derived(&self, node: usize) -> bool {
        self.layer.facts.definitions[node].derived_text.is_some()
    }

    /// A type's own lines and its members' signatures in one piece; its own lines alone, in several,
    /// when they are too long for that.
    fn push_skeleton(
        &mut self,
        owner: usize,
        lines: std::ops::Range<u32>,
        runs: Vec<std::ops::Range<u32>>,
        members: &[(usize, std::ops::Range<u32>)],
    ) {
        let own: usize = runs.iter().map(|run| bytes(run, self.index)).sum();
        if own <= self.max {
            let shown = self.with_signatures(runs, own, members);
            let span = lines_span(lines.start, lines.end, self.index);
            return self.push(Some(owner), span, Some(shown), None);
        }
        self.push_groups(owner, &runs);
    }

    /// A definition's own lines around what is cut out of it, in as few pieces as they fit in.
    fn push_groups(&mut self, owner: usize, runs: &[std::ops::Range<u32>]) {
        let spans = runs.iter().flat_map(|run| split(run.clone(), &self.cuts, self.index, self.max));
        let groups = grouped(spans.collect(), self.index, self.max);
        let count = groups.len() as u32;
        for (at, group) in groups.into_iter().enumerate() {
            let part = (count > 1).then_some(Part { index: at as u32 + 1, count });
            let hull = Span { start: group[0].start, end: group[group.len() - 1].end };
            let whole_lines = |span: &Span| self.index.line(span.start)..self.index.line(span.end - 1) + 1;
            let shown = (group.len() > 1).then(|| group.iter().map(whole_lines).collect());
            self.push(Some(owner), hull, shown, part);
        }
    }

    fn with_signatures(
        &self,
        runs: Vec<std::ops::Range<u32>>,
        mut size: usize,
        members: &[(usize, std::ops::Range<u32>)],
    ) -> Vec<std::ops::Range<u32>> {
        let mut shown = runs;
        for (member, lines) in members {
            let signature = self.signature_lines(*member, lines);
            size += bytes(&signature, self.index);
            if size > self.max {
                break;
            }
            shown.push(signature);
        }
        shown.sort_by_key(|lines| lines.start);
        shown
    }

    fn signature_lines(&self, member: usize, lines: &std::ops::Range<u32>) -> std::ops::Range<u32> {
        let definition = &self.layer.facts.definitions[member];
        let text = self.index.text();
        let (start, end) = (signature_start(definition, text), signature_end(definition, text));
        let end = start + Span { start, end }.text(text).trim_end().len().max(1) as u32;
        let first = self.index.line(start).max(lines.start);
        first..(self.index.line(end - 1) + 1).clamp(first + 1, lines.end.max(first + 1))
    }

    fn push(&mut self, node: Option<usize>, span: Span, shown: Option<Vec<std::ops::Range<u32>>>, part: Option<Part>) {
        let unread = self.layer.analysis == Analysis::Lines || self.layer.language.as_str() == "text";
        let outside = if unread { Kind::Text } else { Kind::Module };
        let kind = node.map_or(outside, |node| self.layer.facts.definitions[node].kind);
        self.pieces.push(Piece { layer: self.at, node, kind, span, shown, part });
    }
}

/// Whether a line is made of nothing but what closes and opens blocks.
fn is_delimiter_line(line: &str) -> bool {
    let line = line.trim();
    let word = line.trim_end_matches([')', ']', '}', ';', ',']);
    !line.contains(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '`'))
        || matches!(word, "end" | "fi" | "done" | "esac" | "else" | "do" | "#else")
        || line.starts_with("#endif")
}

/// A callable without a body is a declaration, which stays among its neighbours.
fn own_cut(definition: &Definition) -> Cut {
    let is_declaration = definition.kind.is_callable() && definition.body.is_none();
    if is_declaration || definition.is_inline { Cut::Inline } else { definition.kind.cut() }
}

/// Neighbours in groups of at most `max` bytes; a piece of a line is a group of its own.
fn grouped(spans: Vec<Span>, index: &LineIndex, max: usize) -> Vec<Vec<Span>> {
    let is_lines = |span: &Span| is_whole_lines(*span, index);
    let mut groups: Vec<Vec<Span>> = Vec::new();
    for span in spans {
        let fits = |group: &&mut Vec<Span>| {
            let size: usize = group.iter().map(|span| span.len()).sum();
            size + span.len() <= max && is_lines(&span) && group.iter().all(is_lines)
        };
        match groups.last_mut().filter(fits) {
            Some(group) => group.push(span),
            None => groups.push(vec![span]),
        }
    }
    groups
}

/// From a place in the text to the piece that owns it.
pub struct Owners {
    /// Start, end and piece, sorted; whole pieces, then what only skeletons show.
    whole: Vec<(u32, u32, usize)>,
    shown: Vec<(u32, u32, usize)>,
}

impl Owners {
    pub fn new(pieces: &[Piece], index: &LineIndex) -> Self {
        let (mut whole, mut shown) = (Vec::new(), Vec::new());
        for (at, piece) in pieces.iter().enumerate() {
            match &piece.shown {
                None => whole.push((piece.span.start, piece.span.end, at)),
                Some(lines) => {
                    shown.extend(lines.iter().map(|lines| (index.start(lines.start), index.start(lines.end), at)))
                }
            }
        }
        whole.sort();
        shown.sort();
        Owners { whole, shown }
    }

    pub fn chunk_at(&self, offset: u32) -> Option<usize> {
        let holder = |all: &[(u32, u32, usize)]| {
            let at = all.partition_point(|(start, ..)| *start <= offset).checked_sub(1)?;
            (offset < all[at].1).then_some(all[at].2)
        };
        holder(&self.whole).or_else(|| holder(&self.shown))
    }
}
