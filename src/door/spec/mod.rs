//! `bundle(library, request) -> ContextBundle`: sections of spec documents and of the documents that they link to.

mod impact;
mod index;
mod library;
mod lint;
mod prompt;
mod render;
mod search;
mod template;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::assemble::{
    Assembly, Budget, Counter, Fill, Job, Measure, Profile, Profiles, ReadError, Start, WalkRules, assemble,
};
use crate::record::bundle::{BundleRequest, ContextBundle, ContextItem, LinkDirection, Strategy, TokenCounter};
use crate::record::request::WalkDirection;
use crate::record::{Digest, EdgeType};
use crate::text::Tokenizer;
use library::DocNo;
use template::BundleTemplate;

pub use impact::{Category, Impact, ImpactMode, ImpactNode, ImpactRequest, impact};
pub use index::{SpecIndex, SpecNode, index};
pub use library::Library;
pub use lint::{Finding, lint};
pub use prompt::{Preset, Prompt, PromptItem, prompt};
pub use render::render;
pub use search::{Hit, search};

/// Increases when the same index, schema and request give another bundle.
///
/// 1: first version. 2: a bundle counted with an estimate also keeps its budget in exact tokens. 3: only an open
/// fence is closed; more front matter is read; links are between ids; rules of sections end at a word, and prefer
/// headings that they name completely. 4: made from an index; all documents with a duplicate id are shown.
pub const RULESET_VERSION: u32 = 4;

/// Builds a bundle. The same documents, schema and request always give the same bundle. A smaller budget keeps a
/// prefix, in order of priority, of what a larger one keeps; the last section may be shortened.
pub fn bundle(library: &Library, request: &BundleRequest) -> Result<ContextBundle, ReadError> {
    let (seeds, unknown_ids) = library.seeds(&request.seed_ids);
    let template = BundleTemplate { library, request, profile: profile(request.strategy) };
    let all = library.nodes();
    let job = Job {
        start: Start::Nodes(library.nodes_of(&seeds)),
        walk: walk_rules(request.direction, request.depth, true, &all),
        max_candidates: u32::MAX,
        budget: budget(request),
        fill: Fill::Prefix,
        template: &template,
    };
    let assembly = assemble(library.view, &job)?;
    let reached: Vec<DocNo> = template.documents(&assembly.found).into_iter().map(|(document, _)| document).collect();
    let warnings = warnings(library, &reached, &unknown_ids);
    let omitted = assembly.candidates.units.len() as u32 - assembly.filled.items;
    let rendered_tokens = assembly.filled.ledger.spent().by(0);
    let items = items(&template, assembly);
    Ok(ContextBundle {
        approx_tokens_total: items.iter().flat_map(|item| &item.sections).map(|section| section.approx_tokens).sum(),
        bundle_id: bundle_id(library, request),
        depth: request.depth,
        direction: request.direction,
        items,
        max_tokens: request.max_tokens,
        omitted,
        rendered_tokens,
        roles: request.roles.clone(),
        scopes: request.scopes.clone(),
        seed_ids: request.seed_ids.clone(),
        strategy: request.strategy,
        tokenizer: request.tokenizer,
        unknown_ids,
        warnings,
    })
}

/// A hash of the documents, the schema and the request; with code, also of the whole index.
pub fn bundle_id(library: &Library, request: &BundleRequest) -> String {
    let request_json = serde_json_canonicalizer::to_string(request).expect("a request is JSON");
    let schema = library.schema.hash.as_str();
    let code = if request.with_code { library.view.facts().signature } else { "" };
    let hash = Digest::sha256(format!("{}\n{schema}\n{request_json}\n{code}", library.digest().as_str()).as_bytes());
    let hex = hash.as_str().rsplit(':').next().unwrap_or_default();
    format!("bundle:{}", &hex[..32])
}

fn profile(strategy: Strategy) -> &'static Profile {
    static STRATEGIES: OnceLock<Profiles> = OnceLock::new();
    let strategies = STRATEGIES.get_or_init(|| Profiles::builtin(include_str!("../../profiles/strategies.toml")));
    strategies.get(strategy.name()).expect("a test checks that every strategy has a profile")
}

/// Follows links between documents. Only the number of steps is limited.
fn walk_rules(direction: LinkDirection, max_hops: u32, read_next: bool, within: &BTreeSet<u32>) -> WalkRules<'_> {
    let read_next = read_next.then_some(EdgeType::ReadNext);
    WalkRules {
        direction: match direction {
            LinkDirection::Out => WalkDirection::Out,
            LinkDirection::In => WalkDirection::In,
            LinkDirection::Both => WalkDirection::Both,
        },
        edge_types: std::iter::once(EdgeType::Trace).chain(read_next).collect(),
        walks_unasked: false,
        within: Some(within),
        max_hops,
        max_fanout: u32::MAX,
        max_edges: u32::MAX,
        required_evidence: None,
    }
}

/// An estimate may be too low, so a bundle counted with it also keeps its budget in exact tokens.
fn budget(request: &BundleRequest) -> Budget {
    let limit = request.max_tokens.unwrap_or(u32::MAX);
    let measure = |counter| Measure { format: 0, counter, limit, cap: "max_tokens" };
    let counters = match request.tokenizer {
        TokenCounter::O200kBase => vec![Counter::Tokens(Tokenizer::O200kBase)],
        TokenCounter::Cl100kBase => vec![Counter::Tokens(Tokenizer::Cl100kBase)],
        TokenCounter::Approx => vec![Counter::CharsByThree, Counter::Tokens(Tokenizer::O200kBase)],
    };
    let measures = counters.into_iter().map(measure).collect();
    Budget { measures, max_items: u32::MAX, max_items_per_group: u32::MAX }
}

/// Sorts documents by distance, role and id, and sections in the schema's order.
fn items(template: &BundleTemplate, assembly: Assembly<BundleTemplate>) -> Vec<ContextItem> {
    let groups = assembly.filled.groups.into_iter().filter(|(_, group)| !group.items.is_empty());
    let mut items: Vec<(usize, ContextItem)> = groups
        .map(|(document, group)| {
            let mut shown: Vec<_> = group.items.into_iter().map(|placed| placed.item).collect();
            shown.sort_by_key(|shown| shown.order);
            let item = template.item(document, shown[0].distance);
            let sections = shown.into_iter().filter_map(|shown| shown.snippet).collect();
            (template.rank(document), ContextItem { sections, ..item })
        })
        .collect();
    items.sort_by(|(rank, a), (other, b)| (a.distance, rank, &a.id, &a.file).cmp(&(b.distance, other, &b.id, &b.file)));
    items.into_iter().map(|(_, item)| item).collect()
}

/// Warnings for the reader: unknown and duplicate ids, broken links, repeated sections, unreadable front matter.
fn warnings(library: &Library, reached: &[DocNo], unknown: &[String]) -> Vec<String> {
    let documents = &library.documents;
    let mut all: Vec<String> = unknown.iter().map(|id| format!("no document has the id `{id}`")).collect();
    for document in reached {
        let file = documents[*document].file();
        let broken = library.broken_links(*document);
        all.extend(broken.iter().map(|link| format!("{file}:{}: {}", link.line, link.message())));
    }
    for (id, same) in library.duplicates().filter(|(_, same)| same.iter().any(|one| reached.contains(one))) {
        let files: Vec<&str> = same.iter().map(|document| documents[*document].file()).collect();
        all.push(format!("duplicate id `{id}` in {}; all are kept", files.join(" and ")));
    }
    for document in reached {
        let text = &documents[*document];
        for section in library.matched_sections(*document).iter().filter(|section| section.again) {
            let (file, line) = (text.file(), template::first_line(text.sections[section.heading]));
            all.push(format!("{file}:{line}: `{}` is there more than once, and this one is left out", section.rule.id));
        }
    }
    let unread = documents.iter().filter(|document| document.front_matter_error().is_some()).count();
    if unread > 0 {
        let have = if unread == 1 { "document has" } else { "documents have" };
        all.push(format!("{unread} {have} front matter that cannot be read (see `contextpack spec lint`)"));
    }
    all
}
