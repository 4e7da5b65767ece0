//! `bundle(library, request) -> ContextBundle`: sections of spec documents and of the documents that they link to.

mod impact;
mod index;
mod library;
mod lint;
mod render;
mod search;
mod template;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::assemble::{
    Assembly, Budget, Document, Fill, Job, Profile, Profiles, ReadError, Start, WalkRules, assemble,
};
use crate::record::bundle::{BundleRequest, ContextBundle, ContextItem, LinkDirection, Strategy};
use crate::record::{Digest, EdgeType, Field, NodeNo};
use template::{BundleTemplate, Shown};

pub use impact::{Category, Impact, ImpactMode, ImpactNode, ImpactRequest, impact};
pub use index::{SpecIndex, SpecNode, index};
pub use library::Library;
pub use lint::{Finding, lint};
pub use render::{Preset, Prompt, PromptItem, prompt, render};
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
    let documents = &library.documents;
    let (seeds, unknown_ids) = documents.with_ids(&request.seed_ids);
    let template = BundleTemplate { library, request, profile: profile(request.strategy) };
    let all = documents.nodes();
    let job = Job {
        start: Start::Nodes(documents.nodes_of(&seeds)),
        walk: walk_rules(request.direction, request.depth, true, &all),
        guesses_subject: false,
        max_candidates: u32::MAX,
        budget: Budget::of_tokens(request.tokenizer, request.max_tokens),
        fill: Fill::Prefix,
        template: &template,
    };
    let assembly = assemble(documents.view, &job)?;
    let warnings = warnings(library, &template.documents(&assembly.found), &unknown_ids);
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
    let (documents, schema) = (library.documents.digest().as_str(), library.schema.hash.as_str());
    let code = if request.with_code { library.documents.view.facts().signature } else { "" };
    let hash = Digest::sha256(format!("{documents}\n{schema}\n{request_json}\n{code}").as_bytes());
    let hex = hash.as_str().rsplit(':').next().unwrap_or_default();
    format!("bundle:{}", &hex[..32])
}

fn profile(strategy: Strategy) -> &'static Profile {
    static STRATEGIES: OnceLock<Profiles> = OnceLock::new();
    let strategies = STRATEGIES.get_or_init(|| Profiles::builtin(include_str!("../../profiles/strategies.toml")));
    strategies.get(strategy.name()).expect("a test checks that every strategy has a profile")
}

/// Follows links between documents. Only the number of steps is limited.
fn walk_rules(direction: LinkDirection, max_hops: u32, read_next: bool, within: &BTreeSet<NodeNo>) -> WalkRules<'_> {
    let read_next = read_next.then_some(EdgeType::ReadNext);
    let edge_types = std::iter::once(EdgeType::Trace).chain(read_next).collect();
    WalkRules { direction: direction.into(), edge_types, within: Some(within), max_hops, ..WalkRules::unlimited() }
}

/// Sorts documents by distance, role and id, and sections in the schema's order.
fn items(template: &BundleTemplate, assembly: Assembly<BundleTemplate>) -> Vec<ContextItem> {
    let mut items = Vec::new();
    for (number, group) in assembly.filled.groups.into_iter().filter(|(_, group)| !group.items.is_empty()) {
        let distance = template.library.documents[number].distance(&assembly.found.walk).unwrap_or_default();
        let mut item = template.item(number, distance);
        let mut shown: Vec<Shown> = group.items.into_iter().map(|placed| placed.item).collect();
        shown.sort_by_key(|shown| shown.order);
        item.sections = shown.into_iter().filter_map(|shown| shown.snippet).collect();
        for section in &mut item.sections {
            section.approx_tokens = template.request.tokenizer.count(&render::section(section));
        }
        items.push((template.profile.role_rank(item.role.name()), item));
    }
    items.sort_by(|(rank, a), (other, b)| (a.distance, rank, &a.id, &a.file).cmp(&(b.distance, other, &b.id, &b.file)));
    items.into_iter().map(|(_, item)| item).collect()
}

/// Warnings for the reader: unknown and duplicate ids, broken links, repeated sections, unreadable front matter.
fn warnings<'v>(library: &Library<'v>, reached: &[&Document<'v>], unknown: &[String]) -> Vec<String> {
    let documents = &library.documents;
    let findings: Vec<Finding> = reached.iter().flat_map(|document| lint::check(library, document)).collect();
    let found = |rules: &'static [&'static str], consequence: &'static str| {
        let found = findings.iter().filter(move |finding| rules.contains(&finding.rule));
        found.map(move |Finding { file, line, message, .. }| format!("{file}:{line}: {message}{consequence}"))
    };
    let mut all: Vec<String> = unknown.iter().map(|id| format!("no document has the id `{id}`")).collect();
    all.extend(found(&["TR-001", "TR-002"], ""));
    let reached_ids: BTreeSet<&str> = reached.iter().map(|document| document.id).collect();
    for (id, same) in documents.duplicates().filter(|(id, _)| reached_ids.contains(id)) {
        let files: Vec<&str> = same.iter().map(|document| documents[*document].file()).collect();
        all.push(format!("duplicate id `{id}` in {}; all are kept", files.join(" and ")));
    }
    all.extend(found(&["SEC-002"], ", and this one is left out"));
    let unread = documents.iter().filter(|document| document.item.field(Field::FRONT_MATTER_ERROR).is_some()).count();
    if unread > 0 {
        let have = if unread == 1 { "document has" } else { "documents have" };
        all.push(format!("{unread} {have} front matter that cannot be read (see `contextpack spec lint`)"));
    }
    all
}
