//! What the user did lately: units that they edited, and pages that they looked at.

use rustc_hash::FxHashMap;

use super::super::activity::{Action, OwnActivity};
use super::{Candidate, Collected, Site, cut, falling};
use crate::record::BlockNo;
use crate::record::workspace::PayloadPart;

const SECONDS_PER_HOUR: i64 = 3600;

pub fn collect(site: &Site, activity: &OwnActivity) -> Collected {
    let limits = &site.profile.activity;
    let edited = newest_first(site, activity, |action, block| {
        (action != Action::View).then(|| site.outline.unit(site.view, block))
    });
    let viewed = newest_first(site, activity, |action, block| {
        (action == Action::View).then(|| site.outline.page(site.view, block))?
    });
    let (edited, mut beyond) = cut(edited, limits.recent_edit_count);
    let (viewed, unseen) = cut(viewed, limits.recent_view_count);
    beyond.extend(unseen);
    let candidates = |blocks: Vec<BlockNo>, first: u32| {
        let each = blocks.into_iter().enumerate();
        each.map(move |(at, block)| Candidate::new(PayloadPart::Activity, block, falling(first, 2, at, 0)))
    };
    Collected { candidates: candidates(edited, 60).chain(candidates(viewed, 50)).collect(), beyond }
}

/// What entries are about, each once, the newest first, then by id.
fn newest_first(
    site: &Site,
    activity: &OwnActivity,
    subject: impl Fn(Action, BlockNo) -> Option<BlockNo>,
) -> Vec<BlockNo> {
    let oldest = i64::from(site.profile.activity.max_age_hours) * SECONDS_PER_HOUR;
    let mut ages: FxHashMap<BlockNo, i64> = FxHashMap::default();
    let mut blocks = Vec::new();
    for entry in activity.entries.iter().filter(|entry| entry.age <= oldest && site.admits(entry.block)) {
        let Some(block) = subject(entry.action, entry.block).filter(|block| site.admits(*block)) else { continue };
        let age = ages.entry(block).or_insert_with(|| {
            blocks.push(block);
            entry.age
        });
        *age = entry.age.min(*age);
    }
    blocks.sort_by_key(|block| (ages[block], site.view.id(*block), site.view.place(*block)));
    blocks
}
