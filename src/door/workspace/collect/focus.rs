//! What stands around the focus: of a block its ancestors, siblings and children, of a page what is on it, of a database
//! its rows.

use super::super::content::Shape;
use super::super::likeness::Likeness;
use super::super::outline::{belongs_above, class};
use super::{Candidate, Collected, Site, cut, falling};
use crate::record::workspace::PayloadPart;
use crate::record::{BlockClass, BlockNo, BlockType, Score};

const PART: PayloadPart = PayloadPart::Focus;

pub fn collect(site: &Site, likeness: &Likeness) -> Collected {
    let mut found = Collected::default();
    let scope = site.scope;
    let shown = |block: &BlockNo| !scope.excluded.holds(site.view, *block);
    if let Some(block) = scope.block {
        found.around_block(site, block);
    }
    if let Some(page) = scope.page.filter(shown) {
        found.candidates.push(Candidate::new(PART, page, Score::percent(95)));
        found.on_page(site, page);
    }
    if let Some(database) = scope.database.filter(shown) {
        found.candidates.push(Candidate::new(PART, database, Score::percent(95)));
        found.in_database(site, database, likeness);
    }
    found
}

/// What the request wants to see in any case. Part of the focus, or else of what is like the question.
pub fn included(site: &Site) -> Vec<Candidate> {
    let part = [PART, PayloadPart::Semantic].into_iter().find(|part| site.is_on(*part));
    let candidate = |block: &BlockNo| Some(Candidate { is_whole: true, ..Candidate::new(part?, *block, Score::ONE) });
    site.scope.included.iter().filter_map(candidate).collect()
}

impl Collected {
    fn around_block(&mut self, site: &Site, block: BlockNo) {
        let Site { view, outline, profile, .. } = *site;
        let limits = &profile.focus;
        if !site.scope.excluded.holds(view, block) {
            let whole = Candidate::new(PART, block, Score::ONE);
            self.candidates.push(Candidate { is_whole: true, ..whole });
        }
        let depth = site.depth(limits.ancestor_depth) as usize;
        let ancestors = outline.ancestors(view, block).take(depth).enumerate();
        for (at, above) in ancestors.filter(|(_, above)| !site.scope.excluded.holds(view, *above)) {
            let prior = falling(90, 10, at, 0);
            self.candidates.push(Candidate { shape: Shape::Own, ..Candidate::new(PART, above, prior) });
        }
        self.add(siblings(site, block).into_iter(), |at| falling(80, 5, at, 0));
        let children = if site.depth(1) > 0 { children(site, block) } else { Vec::new() };
        let (children, beyond) = cut(children, limits.children_limit);
        self.add(children.into_iter(), |at| falling(85, 5, at, 0));
        self.beyond.extend(beyond);
    }

    /// What is on a page, down to some depth: units, and pages as summaries.
    fn on_page(&mut self, site: &Site, page: BlockNo) {
        let Site { view, outline, profile, .. } = *site;
        let (base, depth) = (outline.depth(view, page), site.depth(profile.focus.page_depth));
        let below = |block: &BlockNo| outline.depth(view, *block) - base;
        let is_near = |block: &BlockNo| (1..=depth).contains(&below(block)) && stands_alone(site, *block);
        let all = view.below(page).iter().copied().filter(|block| is_near(block) && site.admits(*block)).collect();
        let (units, beyond) = cut(all, profile.focus.page_children_limit);
        let prior = |block: &BlockNo| falling(85, 5, below(block) as usize - 1, 50);
        self.candidates.extend(units.into_iter().map(|block| Candidate::new(PART, block, prior(&block))));
        self.beyond.extend(beyond);
    }

    /// The rows that are most like the question; at equal likeness as they stand.
    fn in_database(&mut self, site: &Site, database: BlockNo, likeness: &Likeness) {
        let mut rows = if site.depth(1) > 0 { rows(site, database) } else { Vec::new() };
        rows.sort_by_key(|row| std::cmp::Reverse(likeness.of(*row)));
        let (rows, beyond) = cut(rows, site.profile.focus.database_rows_limit);
        self.add(rows.into_iter(), |_| Score::percent(75));
        self.beyond.extend(beyond);
    }

    fn add(&mut self, blocks: impl Iterator<Item = BlockNo>, prior: impl Fn(usize) -> Score) {
        self.candidates.extend(blocks.enumerate().map(|(at, block)| Candidate::new(PART, block, prior(at))));
    }
}

/// The nearest siblings first: before, after, second before, second after.
fn siblings(site: &Site, block: BlockNo) -> Vec<BlockNo> {
    let Site { view, outline, .. } = *site;
    let Some(parent) = outline.parent(view, block) else { return Vec::new() };
    let all: Vec<BlockNo> =
        outline.children(view, parent).filter(|child| *child == block || site.admits(*child)).collect();
    let Some(at) = all.iter().position(|child| *child == block) else { return Vec::new() };
    let count = site.profile.focus.sibling_count as usize;
    let side = |step: usize| [at.checked_sub(step), at.checked_add(step)];
    (1..=count.min(all.len())).flat_map(side).flatten().filter_map(|at| all.get(at).copied()).collect()
}

/// The parts of a record or a part are shown in it; those of a container are not.
fn children(site: &Site, block: BlockNo) -> Vec<BlockNo> {
    let Site { view, outline, .. } = *site;
    let holds_all = class(view, block) == BlockClass::Container;
    let is_apart = |child: &BlockNo| holds_all || !belongs_above(class(view, *child));
    outline.children(view, block).filter(|child| is_apart(child) && site.admits(*child)).collect()
}

/// Whether a block is not shown in what is around it.
fn stands_alone(site: &Site, block: BlockNo) -> bool {
    let Site { view, outline, .. } = *site;
    match class(view, block) {
        BlockClass::Container | BlockClass::Record => true,
        BlockClass::Transparent => false,
        BlockClass::Part => {
            outline.parent(view, block).is_none_or(|parent| class(view, parent) == BlockClass::Container)
        }
    }
}

/// All rows of a database, wherever they stand.
fn rows(site: &Site, database: BlockNo) -> Vec<BlockNo> {
    let Site { view, outline, .. } = *site;
    let is_row = |block: &BlockNo| {
        view.block_type(*block) == BlockType::DbRow
            && (view.database(*block) == Some(database) || outline.parent(view, *block) == Some(database))
    };
    view.in_order().iter().copied().filter(|block| is_row(block) && site.admits(*block)).collect()
}

/// The content of the focus as it is shown, for what it asks.
pub fn text(site: &Site) -> String {
    let content = site.scope.focus().map(|focus| site.contents().of(focus, Shape::Full));
    content.map(|content| content.text).unwrap_or_default()
}
