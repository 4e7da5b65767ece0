//! How much a block belongs to the user of a request: what they did to it, and to the rest of its page.

use rustc_hash::FxHashMap;

use super::activity::{Action, OwnActivity, OwnEntry};
use super::outline::Outline;
use super::settings::Affinity;
use crate::assemble::blocks::ReadableBlocks;
use crate::record::workspace::{ContextRequest, RequestUser};
use crate::record::{BlockNo, Score};

const SECONDS_PER_DAY: i64 = 86_400;
const ONE: u64 = 1_000_000;

pub struct UserAffinity<'a> {
    user: Option<&'a RequestUser>,
    settings: &'a Affinity,
    /// Whether the user did anything at all.
    is_active: bool,
    /// In millionths of points.
    own: FxHashMap<BlockNo, u64>,
    pages: FxHashMap<BlockNo, u64>,
}

impl<'a> UserAffinity<'a> {
    pub fn new(
        view: &ReadableBlocks,
        outline: &Outline,
        activity: &OwnActivity,
        request: &'a ContextRequest,
        settings: &'a Affinity,
    ) -> Self {
        let (mut own, mut pages): (FxHashMap<_, u64>, FxHashMap<_, u64>) = Default::default();
        for entry in &activity.entries {
            let points = points(entry, settings);
            *own.entry(entry.block).or_default() += points;
            if let Some(page) = outline.page(view, entry.block) {
                *pages.entry(page).or_default() += points;
            }
        }
        UserAffinity { user: request.user.as_ref(), settings, is_active: !activity.entries.is_empty(), own, pages }
    }

    /// Of an item that shows some blocks, `block` first.
    pub fn score(
        &self,
        view: &ReadableBlocks,
        outline: &Outline,
        block: BlockNo,
        shown: impl Iterator<Item = BlockNo>,
    ) -> Score {
        let own: u64 = shown.filter_map(|block| self.own.get(&block)).sum();
        let page = outline.page(view, block).and_then(|page| self.pages.get(&page)).copied().unwrap_or_default();
        let done = if self.is_active { self.of_points(own, page.saturating_sub(own)) } else { Score::percent(50) };
        let Some(user) = self.user else { return done };
        let is_assigned = user.names().any(|name| view.is_assigned_to(block, name));
        let assigned = if is_assigned { self.settings.assigned } else { Score::default() };
        let is_author = user.names().any(|name| view.created_by(block) == Some(name));
        let created = if is_author { self.settings.created } else { Score::default() };
        done.max(assigned).max(created)
    }

    /// What was done to the rest of the page counts half.
    fn of_points(&self, own: u64, rest: u64) -> Score {
        let full = 2 * u64::from(self.settings.full.max(1));
        Score::millionths(((2 * own + rest) / full).min(ONE) as u32)
    }
}

/// Old entries count less, up to an age at which they count nothing.
fn points(entry: &OwnEntry, settings: &Affinity) -> u64 {
    let points = match entry.action {
        Action::Edit => settings.edit,
        Action::Create => settings.create,
        Action::Comment => settings.comment,
        Action::View => settings.view,
    };
    let span = i64::from(settings.days.max(1)) * SECONDS_PER_DAY;
    let left = (span - entry.age).max(0);
    (u128::from(points) * u128::from(ONE) * left as u128 / span as u128) as u64
}
