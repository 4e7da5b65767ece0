//! Seeds and a catalog in, a bundle out: walk, filter, sections by rule, and as much as the budget holds.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::catalog::{Catalog, Code, DocNo};
use super::shelf::Shelf;
use super::walk::{self, Step};
use crate::dialect::spec::Document;
use crate::dialect::spec::{Matched, sections};
use crate::dialect::spec::{Rule, SectionSchema};
use crate::record::bundle::{BundleRequest, ContextBundle, Strategy};
use crate::record::{Digest, SpecRole};
use crate::text::fence;

/// The same documents, schema and request give the same bundle. What it holds under a smaller budget is the
/// beginning, in order of priority, of what it holds under a larger one; the last section may be shortened.
pub fn bundle(catalog: &Catalog, schema: &SectionSchema, request: &BundleRequest) -> ContextBundle {
    let (seeds, unknown_ids) = catalog.seeds(&request.seed_ids);
    let bounds = walk::Bounds { direction: request.direction, max_distance: request.depth, read_next: true };
    let mut steps = walk::reached(catalog, &seeds, bounds);
    steps.retain(|document, _| is_wanted(catalog, *document, request));
    let mut entries: Vec<Entry> = Vec::new();
    for (document, step) in &steps {
        entries.extend(entries_of(catalog, schema, *document, step.distance, request));
    }
    entries.sort_by(|a, b| a.priority.cmp(&b.priority));
    let mut shelf = Shelf::new(catalog, request);
    let taken = entries.iter().take_while(|entry| shelf.take(entry)).count();
    // The one that ended it may be there in part.
    let omitted = entries.len() - taken - usize::from(shelf.shortened);
    ContextBundle {
        bundle_id: bundle_id(catalog, schema, request),
        seed_ids: request.seed_ids.clone(),
        strategy: request.strategy,
        depth: request.depth,
        direction: request.direction,
        roles: request.roles.clone(),
        scopes: request.scopes.clone(),
        max_tokens: request.max_tokens,
        tokenizer: request.tokenizer,
        approx_tokens_total: shelf.in_sections,
        rendered_tokens: shelf.spent(),
        omitted: omitted as u32,
        items: shelf.items(request.strategy),
        warnings: warnings(catalog, schema, &steps, &unknown_ids),
        unknown_ids,
    }
}

/// The same documents, schema and request give the same one, nothing else does.
pub fn bundle_id(catalog: &Catalog, schema: &SectionSchema, request: &BundleRequest) -> String {
    let json = serde_json_canonicalizer::to_string(request).expect("a request is JSON");
    let mut all = format!("{}\n{}\n{json}", catalog.digest.as_str(), schema.hash.as_str());
    if let Some(code) = catalog.code_digest.as_ref().filter(|_| request.with_code) {
        all = format!("{all}\n{}", code.as_str());
    }
    let hash = Digest::sha256(all.as_bytes());
    let hex = hash.as_str().rsplit(':').next().unwrap_or_default();
    format!("bundle:{}", &hex[..32])
}

fn is_wanted(catalog: &Catalog, document: DocNo, request: &BundleRequest) -> bool {
    let scope = catalog.documents[document].word("scope");
    let below = |outer: &String| {
        scope.strip_prefix(outer.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    request.roles.as_ref().is_none_or(|roles| roles.contains(&catalog.role(document)))
        && request.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(below))
}

/// Something that is taken or left: a section, code, or a document that has none to show.
pub struct Entry<'c> {
    pub document: DocNo,
    pub distance: u32,
    pub piece: Option<Piece<'c>>,
    priority: Priority<'c>,
}

/// A section of a document, or code that it names.
pub struct Piece<'c> {
    pub rule_id: &'c str,
    pub level: u32,
    pub name: &'c str,
    pub body: Cow<'c, str>,
    /// Where it is shown among others.
    pub order: (u32, u32),
}

/// Focus, distance, role, class of the rule, then what makes it one of a kind.
type Priority<'c> = (bool, u32, usize, u8, &'c str, u32, u32);

fn entries_of<'c>(
    catalog: &'c Catalog,
    schema: &'c SectionSchema,
    document: DocNo,
    distance: u32,
    request: &BundleRequest,
) -> Vec<Entry<'c>> {
    let strategy = request.strategy;
    let (id, role) = (catalog.documents[document].word("id"), catalog.role(document));
    let apart = distance > 0 && !is_focus(strategy, role);
    let priority = |class, order, line| (apart, distance, rank(strategy, role), class, id, order, line);
    let text = &catalog.documents[document];
    let shown = sections(text, schema).into_iter().filter(|section| section.rule.tool_source && !section.again);
    let shown = shown.map(|section| (class(section.rule), section_piece(text, &section)));
    let code = if request.with_code { catalog.code(document) } else { &[] };
    let code = code.iter().zip(0..).map(|(code, at)| (CODE_CLASS, code_piece(code, at)));
    let entry = |(class, piece): (u8, Piece<'c>)| {
        let priority = priority(class, piece.order.0, piece.order.1);
        Entry { document, distance, piece: Some(piece), priority }
    };
    let mut entries: Vec<Entry> = shown.chain(code).map(entry).collect();
    if entries.is_empty() {
        entries.push(Entry { document, distance, piece: None, priority: priority(u8::MAX, 0, 0) });
    }
    entries
}

/// Behind all sections of its document.
const CODE_CLASS: u8 = 3;

fn section_piece<'c>(document: &'c Document, section: &Matched<'c>) -> Piece<'c> {
    Piece {
        rule_id: &section.rule.id,
        level: section.head.level,
        name: &section.head.name,
        body: document.body(section.head).into(),
        order: (section.rule.order, section.head.line),
    }
}

fn code_piece(code: &Code, at: u32) -> Piece<'_> {
    let fence = fence(&code.text);
    let body = format!("{fence}{}\n{}\n{fence}", code.language, code.text.trim_end());
    Piece { rule_id: "code", level: 2, name: &code.title, body: body.into(), order: (u32::MAX, at) }
}

/// Briefs and summaries first, then how it is used and accepted, then the rest.
fn class(rule: &Rule) -> u8 {
    let says = |word| rule.id.contains(word);
    if says("brief") || says("summary") {
        0
    } else if says("usage") || says("acceptance") {
        1
    } else {
        2
    }
}

fn is_focus(strategy: Strategy, role: SpecRole) -> bool {
    match strategy {
        Strategy::Default => true,
        Strategy::ReqFocused => role == SpecRole::Req,
        Strategy::ImplFocused => matches!(role, SpecRole::If | SpecRole::Data | SpecRole::Task),
    }
}

/// A role's place among all.
pub fn rank(strategy: Strategy, role: SpecRole) -> usize {
    match (strategy, role) {
        // What is built comes before what it is built for.
        (Strategy::ImplFocused, SpecRole::Req) => SpecRole::Task as usize * 2 + 1,
        (_, role) => role as usize * 2,
    }
}

/// What a reader of these documents should know.
fn warnings(
    catalog: &Catalog,
    schema: &SectionSchema,
    steps: &BTreeMap<DocNo, Step>,
    unknown: &[String],
) -> Vec<String> {
    let mut all: Vec<String> = unknown.iter().map(|id| format!("no document has the id `{id}`")).collect();
    for broken in catalog.broken_links.iter().filter(|broken| steps.contains_key(&broken.from)) {
        all.push(format!("{}:{}: {}", catalog.documents[broken.from].path, broken.line, broken.message()));
    }
    for (double, first) in catalog.duplicate_ids().filter(|(_, first)| steps.contains_key(first)) {
        let (double, first) = (&catalog.documents[double], &catalog.documents[first]);
        all.push(format!("{}: its id `{}` is that of {}, which is used", double.path, first.word("id"), first.path));
    }
    for document in steps.keys().map(|at| &catalog.documents[*at]) {
        all.extend(sections(document, schema).iter().filter(|found| found.again).map(
            |Matched { rule, head, .. }| {
                format!(
                    "{}:{}: `{}` is there more than once, and this one is left out",
                    document.path, head.line, rule.id
                )
            },
        ));
    }
    let unread = catalog.documents.iter().filter(|document| document.front.is_err()).count();
    if unread > 0 {
        let have = if unread == 1 { "document has" } else { "documents have" };
        all.push(format!("{unread} {have} front matter that cannot be read (see `contextpack spec lint`)"));
    }
    all
}
