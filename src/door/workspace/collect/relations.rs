//! What is linked with the focus, over one or more steps. Units are linked, not single blocks: what a part of a card names
//! is linked with the card.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;

use super::{Candidate, Collected, Site, cut};
use crate::assemble::blocks::{LinkKind, ReadableLink};
use crate::graph::walk::{WalkGraph, breadth_first, path};
use crate::record::workspace::PayloadPart;
use crate::record::{BlockNo, Score};

/// How many blocks and links one walk looks at, in document order of where it is.
const MAX_LOOKED_AT: usize = 20_000;

/// Takes the best. `starts` are the focus and what it shows. `in_focus` are blocks that the focus shows: they do not
/// count towards the limit.
pub fn collect(site: &Site, starts: &[BlockNo], in_focus: &FxHashSet<BlockNo>) -> Collected {
    let limits = &site.profile.relations;
    let mut walker = Walker { site, left: MAX_LOOKED_AT };
    let way = Way { prior: Score::ONE, step: None };
    let mut first: Vec<(Place, Way)> = starts.iter().map(|block| (site.view.place(*block), way)).collect();
    first.sort_unstable_by_key(|(place, _)| *place);
    first.dedup_by_key(|(place, _)| *place);
    let reached = breadth_first(&mut walker, first, site.depth(limits.max_depth));
    let block = |place: Place| site.view.in_order()[place as usize];
    let mut all: Vec<Candidate> = Vec::new();
    for (place, arrival) in reached.iter().filter(|(_, arrival)| arrival.distance > 0) {
        let ways = path(&reached, *place);
        let steps = ways.iter().filter_map(|place| reached.get(place)?.state.step);
        let edges = steps.map(|step| step.words()).collect();
        let prior = arrival.state.prior;
        all.push(Candidate { edges, ..Candidate::new(PayloadPart::Relations, block(*place), prior) });
    }
    let changed = |block: BlockNo| site.view.modified_seconds(block);
    all.sort_by_key(|found| (Reverse(found.prior), Reverse(changed(found.block)), site.view.id(found.block)));
    let (elsewhere, own): (Vec<Candidate>, Vec<Candidate>) =
        all.into_iter().partition(|found| in_focus.contains(&found.block));
    let (kept, beyond) = cut(own.iter().map(|found| found.block).collect(), limits.max_items);
    let candidates = elsewhere.into_iter().chain(own.into_iter().take(kept.len())).collect();
    Collected { candidates, beyond }
}

/// The position of a unit in document order: what a walk cuts off must not depend on how blocks are numbered.
type Place = u32;

/// The best way to a unit.
#[derive(Clone, Copy)]
struct Way<'b> {
    prior: Score,
    /// The last step; none for a start.
    step: Option<Step<'b>>,
}

/// In the order in which equal ways are preferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Step<'b> {
    kind: LinkKind,
    is_back: bool,
    label: Option<&'b str>,
    from: Place,
}

impl Step<'_> {
    /// Both ends of a relation know each other; what is mentioned may not know it.
    fn prior(&self) -> Score {
        match (self.kind, self.is_back) {
            (LinkKind::Relation, _) => Score::percent(75),
            (LinkKind::Reference | LinkKind::Mention, false) => Score::percent(70),
            (LinkKind::Reference | LinkKind::Mention, true) => Score::percent(65),
        }
    }

    fn words(&self) -> String {
        self.label.map_or_else(|| self.kind.name().to_string(), |label| format!("{} {label}", self.kind.name()))
    }
}

struct Walker<'w, 's, 'b> {
    site: &'w Site<'s, 'b>,
    /// How many blocks and links may still be looked at.
    left: usize,
}

impl<'b> WalkGraph for Walker<'_, '_, 'b> {
    type Node = Place;
    type PathState = Way<'b>;

    fn successors(&mut self, place: Place, way: &Way<'b>, successors: &mut Vec<(Place, Way<'b>)>) {
        let Site { view, outline, .. } = *self.site;
        for block in self.parts(view.in_order()[place as usize]) {
            for (is_back, links) in [(false, view.links(block)), (true, view.linked_from(block))] {
                for link in self.looked_at(links) {
                    let unit = outline.unit(view, link.block);
                    let to = view.place(unit);
                    if to != place && self.site.admits(link.block) && self.site.admits(unit) {
                        let step = Step { kind: link.kind, is_back, label: link.label, from: place };
                        successors.push((to, self.further(way, step)));
                    }
                }
            }
        }
    }

    fn is_better(&self, way: &Way, known: &Way) -> bool {
        (Reverse(way.prior), way.step) < (Reverse(known.prior), known.step)
    }
}

impl<'b> Walker<'_, '_, 'b> {
    /// A step from a start has the prior of its kind; each further one leaves a part of it.
    fn further(&self, way: &Way<'b>, step: Step<'b>) -> Way<'b> {
        let prior = match way.step {
            None => step.prior(),
            Some(_) => way.prior.times(self.site.profile.relations.step),
        };
        Way { prior, step: Some(step) }
    }

    /// A block and the parts that are shown with it.
    fn parts(&mut self, unit: BlockNo) -> Vec<BlockNo> {
        let mut parts = self.site.contents().parts(unit);
        parts.truncate(self.left);
        self.left -= parts.len();
        parts
    }

    fn looked_at(&mut self, mut links: Vec<ReadableLink<'b>>) -> Vec<ReadableLink<'b>> {
        links.truncate(self.left);
        self.left -= links.len();
        links
    }
}
