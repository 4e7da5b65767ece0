//! `pack(view, request) -> ContextPack`: chunks that answer a question, and chunks connected with them in the graph.

mod diff;
mod identity;
mod lead;
mod nested;
mod notices;
mod page;
mod reason;
mod render;
mod template;
mod test_file;
mod together;
mod why_not;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::assemble::{
    Assembly, Budget, Cost, Counter, Fill, Found, IndexView, Job, Measure, Profile, Profiles, Question, ReadError,
    RequestScope, Start, WalkRules, assemble_found, find,
};
use crate::record::ChunkUid;
use crate::record::pack::{
    CapReport, ContextPack, DropReason, EmptyReason, Explain, PackStats, Rendered, Section, SectionType,
};
use crate::record::request::{Expansion, Intent, PackRequest, Strictness};
use notices::Notices;
use template::{PackTemplate, measure};

pub use diff::{Cause, Change, ItemChange, PackDiff, diff};
pub use identity::{index_signature, pack_id};
pub use reason::explained;
pub use render::{Format, PrintedLine, is_markdown_pack, is_xml_pack, json, printed_lines, render};
pub use why_not::{Cap, Exclusion, Verdict, WhyNot, why_not};

/// Increases when the same index and request give another pack.
///
/// 1: first version. 2: two linear models of odds, and an order by what each item adds for its size. 3: size is
/// counted in tokens, named lines come first, two adjacent words are also one name, blank lines after a chunk are
/// shown. 4: filters, and a focus in which the query ranks; the symbols that a query names and their own neighbours come
/// first where the intent or the question asks for them; the intent `test`; texts of the query that stand in the tree,
/// translated words and weak matches. 5: words for the same thing; the file where a test belongs, and similar tests;
/// more translated words, and compounds. 6: the likeliest chunks come before the first of each file; boilerplate costs
/// more; nested outlines are one item; a pack ends where the evidence ends.
pub const RULESET_VERSION: u32 = 6;

/// The request must have passed [`PackRequest::check`].
pub fn pack(view: &IndexView, request: &PackRequest) -> Result<ContextPack, ReadError> {
    let scope = RequestScope::of(view, request)?;
    let found = search(view, request, &scope)?;
    let template = PackTemplate::new(request, &scope, Notices::of(&found.seeds));
    let assembly = assemble_found(view, &job(&template), found)?;
    Ok(answer(view, &template, assembly))
}

/// What the query finds. It decides what the pack says about the query, and so its frame and its budget.
fn search(view: &IndexView, request: &PackRequest, scope: &RequestScope) -> Result<Found, ReadError> {
    find(view, &job(&PackTemplate::new(request, scope, Notices::default())))
}

/// The request as a question for the search.
pub fn question<'q>(request: &'q PackRequest, scope: &'q RequestScope) -> Question<'q> {
    Question {
        query: &request.query,
        scope,
        shows_focus: request.expansion.include_focus,
        mode: request.seed_mode,
        provider: request.seed_provider,
        words: &request.words,
    }
}

fn job<'j>(template: &'j PackTemplate<'j>) -> Job<'j, PackTemplate<'j>> {
    let (request, scope) = (template.request(), template.scope());
    let expansion = &request.expansion;
    Job {
        start: Start::Question(question(request, scope)),
        walk: WalkRules {
            direction: expansion.direction,
            edge_types: request.edge_types(),
            walks_unasked: true,
            within: None,
            scope: &scope.files,
            max_hops: expansion.max_hops,
            max_fanout: max_fanout(request),
            max_edges: expansion.max_edges,
            required_evidence: expansion.require_evidence.then_some(&expansion.evidence_kinds),
        },
        guesses_subject: profile(request.intent).test_head,
        max_candidates: expansion.max_candidates,
        budget: budget(request, template.notices()),
        fill: Fill::Prefix,
        template,
    }
}

/// Without a query, the neighbours are the answer: the default cap would keep tests and docs of a function with many
/// callers out.
fn max_fanout(request: &PackRequest) -> u32 {
    let asked = request.expansion.max_fanout;
    let is_default = asked == Expansion::default().max_fanout;
    if is_default && request.is_about_neighbours() { FOCUS_FANOUT } else { asked }
}

const FOCUS_FANOUT: u32 = 400;

/// Both formats must keep both limits; [`measure`] has the index of each measure.
fn budget(request: &PackRequest, notices: &Notices) -> Budget {
    let budgets = &request.budgets;
    let is_short = notices.is_weak && budgets.max_total_tokens > MAX_WEAK_TOKENS;
    let (limit, cap) =
        if is_short { (MAX_WEAK_TOKENS, WEAK_MATCH) } else { (budgets.max_total_tokens, "maxTotalTokens") };
    let tokens = |format| Measure { format, counter: Counter::Tokens(request.tokenizer), limit, cap };
    let chars =
        |format| Measure { format, counter: Counter::Chars, limit: budgets.max_total_chars, cap: "maxTotalChars" };
    Budget {
        measures: vec![tokens(0), tokens(1), chars(0), chars(1)],
        max_items: budgets.max_items,
        max_items_per_group: budgets.max_items_per_section,
    }
}

/// A weak match has at most this many tokens: the rest would be accidents.
const MAX_WEAK_TOKENS: u32 = 1_500;
/// The name of this cap.
const WEAK_MATCH: &str = "weakMatch";
/// The name of the cap on a pack that ends where the evidence ends.
const EVIDENCE_FLOOR: &str = "evidenceFloor";

fn profile(intent: Intent) -> &'static Profile {
    static INTENTS: OnceLock<Profiles> = OnceLock::new();
    let intents = INTENTS.get_or_init(|| Profiles::builtin(include_str!("../../profiles/intents.toml")));
    intents.get(intent.name()).expect("a test checks that every intent has a profile")
}

/// All sections, in the profile's order.
fn sections(profile: &Profile) -> Vec<SectionType> {
    let place = |section: &SectionType| {
        profile.groups.iter().position(|name| name == section.name()).unwrap_or(profile.groups.len())
    };
    let mut sections = SectionType::ALL.to_vec();
    sections.sort_by_key(place);
    sections
}

fn answer(view: &IndexView, template: &PackTemplate, assembly: Assembly<PackTemplate>) -> ContextPack {
    let request = template.request();
    let candidates = &assembly.candidates;
    let dropped = assembly.filled.dropped();
    let own_caps = caps(request, candidates.observed, assembly.filled.items, assembly.filled.full, &dropped);
    let gaps = evidence_gaps(request, &assembly);
    let candidate_count = candidates.units.len() as u32;
    let (found, filled) = (assembly.found, assembly.filled);
    let mut groups = filled.groups;
    let sections: Vec<Section> = sections(profile(request.intent))
        .into_iter()
        .enumerate()
        .map(|(group, section_type)| {
            template::section(section_type, groups.remove(&group).unwrap_or_default(), |considered| {
                empty_reason(view, request, section_type, considered, candidate_count)
            })
        })
        .collect();
    let cost = template::total_cost(&filled.ledger, seeds_empty(&sections));
    let explain = Explain {
        caps: [found.walk.caps, own_caps].concat(),
        edges_walked: found.walk.edges_walked.iter().map(|(edge, count)| (edge.name().to_string(), *count)).collect(),
        evidence_gaps: gaps,
        query: found.seeds.explain,
    };
    let facts = view.facts();
    ContextPack {
        budgets: request.budgets.clone(),
        created_at: facts.created_at.to_string(),
        explain: request.include_explain.then_some(explain),
        format_version: 1,
        index_signature: facts.signature.to_string(),
        notices: template.notices().lines.clone(),
        pack_id: pack_id(facts.signature, request),
        receipt: facts.receipt.clone(),
        request: request.clone(),
        schema: "ContextPack".to_string(),
        schema_version: "1.0.0".to_string(),
        seeds: found.seeds.entries,
        stats: PackStats {
            candidates: candidate_count,
            dropped,
            items: item_counts(&sections),
            max_hop: found.walk.max_hop,
            rendered_chars: chars(cost),
            rendered_tokens: tokens(cost),
        },
        sections,
    }
}

fn tokens(cost: Cost) -> Rendered {
    Rendered { markdown: cost.by(measure::MARKDOWN_TOKENS), xml: cost.by(measure::XML_TOKENS) }
}

fn chars(cost: Cost) -> Rendered {
    Rendered { markdown: cost.by(measure::MARKDOWN_CHARS), xml: cost.by(measure::XML_CHARS) }
}

fn item_counts(sections: &[Section]) -> BTreeMap<String, u32> {
    sections.iter().map(|section| (section.section_type.name().to_string(), section.items.len() as u32)).collect()
}

fn seeds_empty(sections: &[Section]) -> Option<EmptyReason> {
    sections.iter().find(|section| section.section_type == SectionType::Seeds).and_then(|section| section.empty)
}

/// Shown items whose path lacks required evidence, if the request asks to report them.
fn evidence_gaps(request: &PackRequest, assembly: &Assembly<PackTemplate>) -> Vec<ChunkUid> {
    if request.strictness != Strictness::Warn {
        return Vec::new();
    }
    let placed = assembly.filled.groups.values().flat_map(|group| &group.items);
    let mut gaps: Vec<(u32, ChunkUid)> =
        placed.filter(|placed| placed.item.has_gap).map(|placed| (placed.rank, placed.item.item.chunk_uid)).collect();
    gaps.sort();
    gaps.into_iter().map(|(_, uid)| uid).collect()
}

fn empty_reason(
    view: &IndexView,
    request: &PackRequest,
    section: SectionType,
    considered: u32,
    candidates: u32,
) -> EmptyReason {
    let is_walked = section.edge_type().is_none_or(|edge_type| request.edge_types().contains(&edge_type));
    if considered > 0 {
        EmptyReason::NothingLeft
    } else if section == SectionType::Seeds && !request.expansion.include_focus {
        EmptyReason::NotRequested
    } else if section == SectionType::Seeds {
        EmptyReason::NoMatch
    } else if view.graph().is_none() {
        EmptyReason::NotAvailable
    } else if !is_walked {
        EmptyReason::NotRequested
    } else if candidates == 0 {
        EmptyReason::NoMatch
    } else {
        EmptyReason::NoEdges
    }
}

fn caps(
    request: &PackRequest,
    observed: u32,
    items: u32,
    full: Option<&str>,
    dropped: &BTreeMap<DropReason, u32>,
) -> Vec<CapReport> {
    let mut caps = Vec::new();
    let mut report = |cap: &str, limit: u32, observed: u32, omitted: u32| {
        let (cap, scope) = (cap.to_string(), "pack".to_string());
        caps.push(CapReport { cap, limit, observed, omitted, scope });
    };
    let limit = request.expansion.max_candidates;
    if observed > limit {
        report("maxCandidates", limit, observed, observed - limit);
    }
    let left = dropped.get(&DropReason::Budget).copied().unwrap_or(0);
    if let Some((cap, limit)) = limits(request).into_iter().find(|(cap, _)| full == Some(cap)) {
        report(cap, limit, items + left, left);
    }
    if let Some(weak) = dropped.get(&DropReason::BelowFloor).filter(|_| left == 0) {
        report(EVIDENCE_FLOOR, items, items + weak, *weak);
    }
    let limit = request.budgets.max_items_per_section;
    if let Some(full) = dropped.get(&DropReason::SectionFull) {
        report("maxItemsPerSection", limit, limit + full, *full);
    }
    caps
}

/// The caps that end a pack.
fn limits(request: &PackRequest) -> [(&'static str, u32); 4] {
    let budgets = &request.budgets;
    [
        (WEAK_MATCH, MAX_WEAK_TOKENS),
        ("maxItems", budgets.max_items),
        ("maxTotalTokens", budgets.max_total_tokens),
        ("maxTotalChars", budgets.max_total_chars),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_intent_has_a_profile_with_known_groups() {
        let known: Vec<&str> = SectionType::ALL.iter().map(|section| section.name()).collect();
        for intent in Intent::ALL {
            let profile = profile(intent);
            assert!(profile.groups.iter().all(|group| known.contains(&group.as_str())), "{intent:?}");
            let mut sections = sections(profile);
            assert_eq!(sections[0].name(), profile.groups[0]);
            sections.sort();
            assert_eq!(sections, SectionType::ALL);
            let weights = profile.weights;
            let sum: u32 = [weights.seed, weights.distance, weights.evidence].iter().map(|w| w.in_millionths()).sum();
            assert_eq!(sum, 1_000_000, "{intent:?}");
        }
    }
}
