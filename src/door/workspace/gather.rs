//! Asks the collectors, and keeps each block once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::activity::OwnActivity;
use super::ask::Question;
use super::collect::{self, Candidate, Collected, Site};
use super::content::Content;
use super::likeness::Likeness;
use super::outline::is_within;
use crate::record::BlockNo;
use crate::record::workspace::PayloadPart;

/// What was collected.
#[derive(Default)]
pub struct Gathered {
    /// The parts that looked for something.
    pub parts: Vec<PayloadPart>,
    pub all: Vec<Gained>,
    /// By id.
    places: FxHashMap<String, usize>,
    /// What parts would have taken without their limits.
    beyond: Vec<(PayloadPart, BlockNo)>,
}

/// A block that may be shown.
pub struct Gained {
    pub candidate: Candidate,
    pub content: Content,
    /// The other parts that found it.
    pub also: Vec<PayloadPart>,
}

/// In the order in which they may claim a block: a link is a fact, likeness a guess.
const CLAIMS: [PayloadPart; 4] =
    [PayloadPart::Focus, PayloadPart::Relations, PayloadPart::Semantic, PayloadPart::Activity];

pub fn gather(site: &Site, question: &Question, likeness: &Likeness, activity: &OwnActivity) -> Gathered {
    let mut gathered = Gathered::default();
    collect::focus::included(site).into_iter().for_each(|candidate| gathered.add(site, candidate));
    let mut in_focus = FxHashSet::default();
    for part in CLAIMS.into_iter().filter(|part| site.is_on(*part)) {
        let known = gathered.blocks();
        let collected = match part {
            PayloadPart::Focus => collect::focus::collect(site, likeness),
            PayloadPart::Relations => collect::relations::collect(site, &gathered.starts(site), &known),
            PayloadPart::Semantic => collect::semantic::collect(site, question, likeness, &in_focus, &known),
            _ => collect::activity::collect(site, activity),
        };
        gathered.take(site, part, collected);
        if part == PayloadPart::Focus {
            in_focus = gathered.blocks();
        }
    }
    gathered
}

impl Gathered {
    fn take(&mut self, site: &Site, part: PayloadPart, collected: Collected) {
        let Collected { candidates, beyond } = collected;
        self.parts.push(part);
        candidates.into_iter().for_each(|candidate| self.add(site, candidate));
        self.beyond.extend(beyond.into_iter().map(|block| (part, block)));
    }

    fn add(&mut self, site: &Site, candidate: Candidate) {
        let id = site.view.id(candidate.block);
        match self.places.get(id).map(|at| &mut self.all[*at]) {
            Some(known) => known.merge(candidate),
            None => {
                let content = site.content(&candidate);
                if !content.text.is_empty() {
                    self.places.insert(id.to_string(), self.all.len());
                    self.all.push(Gained { candidate, content, also: Vec::new() });
                }
            }
        }
    }

    fn blocks(&self) -> FxHashSet<BlockNo> {
        self.all.iter().map(|gained| gained.candidate.block).collect()
    }

    /// Where links are followed from: the focus, and of a page or a database what is shown of it.
    fn starts(&self, site: &Site) -> Vec<BlockNo> {
        let scope = site.scope;
        let outer = scope.page.or(scope.database).filter(|_| scope.block.is_none());
        let is_on_it = |block: &BlockNo| outer.is_some_and(|outer| is_within(site.view, *block, outer));
        let blocks = self.all.iter().map(|gained| gained.candidate.block).filter(is_on_it);
        let focus = scope.focus().filter(|focus| !scope.excluded.holds(site.view, *focus));
        focus.into_iter().chain(blocks).collect()
    }

    /// What each part left out because of a limit, without what others show. Each block once for each part.
    pub fn left_out(&self) -> Vec<(PayloadPart, BlockNo)> {
        let (known, mut seen) = (self.blocks(), FxHashSet::default());
        let left = self.beyond.iter().copied().filter(|(_, block)| !known.contains(block));
        left.filter(|left| seen.insert(*left)).collect()
    }

    /// How many distinct blocks were found.
    pub fn considered(&self) -> usize {
        let beyond: FxHashSet<BlockNo> = self.left_out().into_iter().map(|(_, block)| block).collect();
        self.all.len() + beyond.len()
    }
}

impl Gained {
    /// A block that is found again keeps its section and gets the higher prior. Of several blocks with one id the first
    /// is shown: what is shown of the others could not be told apart.
    fn merge(&mut self, again: Candidate) {
        if self.candidate.block != again.block {
            return;
        }
        let known = &mut self.candidate;
        known.prior = known.prior.max(again.prior);
        known.is_whole |= again.is_whole;
        if known.edges.is_empty() {
            known.edges = again.edges;
        }
        if known.part != again.part && !self.also.contains(&again.part) {
            self.also.push(again.part);
        }
    }
}
