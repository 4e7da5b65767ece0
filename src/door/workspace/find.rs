//! Finds what may be shown for a request. Pure: what one reader may see, a request and settings in; candidates out.

use std::cmp::Reverse;

use super::activity::OwnActivity;
use super::affinity::UserAffinity;
use super::ask::{Intents, Question};
use super::cache::SearchCache;
use super::collect::{self, Site};
use super::entry::{Entry, Found, PartFound, ShownBlock};
use super::gather::{Gained, Gathered, gather};
use super::now::{Now, Span};
use super::outline::Outline;
use super::scope::Scope;
use super::score::{Nearness, Scorer, Scores};
use super::settings::Profile;
use crate::assemble::blocks::ReadableBlocks;
use crate::record::workspace::{ContextRequest, LeftOut, PayloadWarning, RequestFault, Similarity, WarningCode, Why};
use crate::record::{BlockNo, BlockType, Date};

/// Everything that may be shown for a request, with how relevant it is. `source_date` is the date of the index.
pub fn find(
    view: &ReadableBlocks,
    request: &ContextRequest,
    profile: &Profile,
    intents: &Intents,
    source_date: Option<Date>,
) -> Result<Found, RequestFault> {
    find_cached(view, request, profile, intents, source_date, &SearchCache::default())
}

/// [`find`] with the searches that were made before.
pub fn find_cached(
    view: &ReadableBlocks,
    request: &ContextRequest,
    profile: &Profile,
    intents: &Intents,
    source_date: Option<Date>,
    cache: &SearchCache,
) -> Result<Found, RequestFault> {
    let now = Now::new(request, source_date, view)?;
    let range = Span::new(request)?;
    let outline = Outline::new(view, &profile.items);
    let mut scope = Scope::new(view, request);
    let site = Site { view, outline: &outline, scope: &scope, request, profile, now: &now };
    let focus_text = collect::focus::text(&site);
    let today = now.today.clone();
    let question = Question::new(view, request, profile, intents, scope.focus(), &focus_text, today);
    scope.finds_archived = question.asks_for_archived();
    let site = Site { view, outline: &outline, scope: &scope, request, profile, now: &now };
    let likeness = &*cache.likeness(view, &question);
    let activity = OwnActivity::new(view, request, now.seconds);
    let affinity = UserAffinity::new(view, &outline, &activity, request, &profile.affinity);
    let gathered = gather(&site, &question, likeness, &activity);
    let nearness = Nearness::new(&site);
    let scorer = Scorer { site, question: &question, likeness, affinity: &affinity, range, nearness };
    Ok(found(&scorer, gathered))
}

fn found(scorer: &Scorer, gathered: Gathered) -> Found {
    let Site { view, scope, now, .. } = scorer.site;
    let considered = gathered.considered() as u32;
    #[cfg(test)]
    let considered = considered + view.leaked_candidates();
    let id = |block: Option<BlockNo>| block.map(|block| view.id(block).to_string());
    let mut found = Found {
        parts: gathered.parts.iter().map(|part| (*part, PartFound::default())).collect(),
        considered,
        focus_block_id: id(scope.block),
        focus_page_id: id(scope.page),
        similarity: Similarity::Lexical,
        warnings: warnings(scorer, gathered.all.is_empty()),
        query_terms: scorer.question.terms().clone(),
        now: now.text.clone(),
        today: now.today.clone(),
    };
    for (part, _) in gathered.left_out() {
        *found.parts.entry(part).or_default().left_out.entry(LeftOut::Limit).or_default() += 1;
    }
    for gained in gathered.all {
        let part = found.parts.entry(gained.candidate.part).or_default();
        part.entries.push(entry(scorer, gained));
    }
    found.parts.values_mut().for_each(|part| part.entries.sort_by(Entry::compare));
    found
}

fn warnings(scorer: &Scorer, is_empty: bool) -> Vec<PayloadWarning> {
    let warning = |code, message: &str| PayloadWarning { code, message: message.to_string() };
    let mut warnings = scorer.site.scope.warnings.clone();
    if !scorer.site.request.query_vector.is_empty() {
        let message = "the index has no vectors; likeness is that of words";
        warnings.push(warning(WarningCode::Lexical, message));
    }
    if is_empty {
        warnings.push(warning(WarningCode::NoContext, "there is nothing to show for this request"));
    }
    warnings
}

fn entry(scorer: &Scorer, gained: Gained) -> Entry {
    let Site { view, outline, profile, .. } = scorer.site;
    let block = gained.candidate.block;
    let shown: Vec<BlockNo> = gained.content.blocks.iter().map(|(block, _)| *block).collect();
    let scores = scorer.scores(block, &shown, gained.candidate.prior);
    let block_type = view.block_type(block);
    let page = outline.page(view, block);
    Entry {
        block_id: view.id(block).to_string(),
        block_type,
        page_title: page.and_then(|page| view.title(page)).map(str::to_string),
        path: view.path(block).into_iter().map(str::to_string).collect(),
        modified: view.modified(block),
        why: why(scorer, &gained, &scores),
        content: gained.content.text,
        blocks: gained
            .content
            .blocks
            .into_iter()
            .map(|(block, range)| ShownBlock { block_id: view.id(block).to_string(), range })
            .collect(),
        language: view.language(block).filter(|_| block_type == BlockType::Code).map(str::to_string),
        is_whole: gained.candidate.is_whole,
        order: view.document_order(block),
        relevance: scores.relevance(&profile.weights),
    }
}

fn why(scorer: &Scorer, gained: &Gained, scores: &Scores) -> Option<Why> {
    scorer.site.request.include_explain.then(|| Why {
        also: gained.also.clone(),
        collector: gained.candidate.part,
        edges: gained.candidate.edges.clone(),
        intents: scorer.question.intents().to_vec(),
        prior: gained.candidate.prior,
        recency: scores.recency,
        semantic: scores.semantic,
        structural: scores.structural,
        type_match: scores.type_match,
        user_affinity: scores.user_affinity,
    })
}

impl Entry {
    /// The more relevant first, then as they stand, then by id.
    fn compare(&self, other: &Entry) -> std::cmp::Ordering {
        let key = |entry: &Entry| (Reverse(entry.relevance), entry.order);
        key(self).cmp(&key(other)).then_with(|| self.block_id.cmp(&other.block_id))
    }
}
