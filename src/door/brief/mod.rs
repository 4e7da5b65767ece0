//! `brief(index, request, earlier) -> Brief`: what notes say about topics, and what is connected with them.
//!
//! `assemble::notes` finds, walks and ranks the nodes. Here they become units: `content` reads what a node says,
//! `print` prints it, `template` gives it to the engine, `record` writes the answer, and `changes` compares it with an
//! earlier brief.

mod as_of;
mod changes;
mod content;
mod fields;
mod header;
mod lens;
mod list;
mod print;
mod query;
mod record;
mod relation;
mod template;
mod text;

use std::collections::BTreeMap;

use crate::assemble::notes::{NoteIndex, ReachedNotes, Topic, find_topic, reach};
use crate::assemble::{
    Assembly, Budget, Counter, Fill, Found, Job, Measure, ReadError, Start, WalkRules, assemble_found,
};
use crate::record::brief::{AsOf, BriefFault, BriefId, BriefRequest, ContextBrief, DepthWalked, Since};
use crate::record::{Digest, NodeNo};
use changes::Earlier;
use header::{Header, NOTHING_FOUND, ONLY_NAMES, title};
use list::ShortList;
use record::Named;
use relation::Relations;
use template::{BriefTemplate, Sheets, Shown};

pub use lens::{LensEntry, LensFault, LensTable, Lenses};
pub use query::{BriefQuery, LensChoice};

/// Increases when the same index and request give another brief.
///
/// 1: first version.
/// 2: settings of programs and repeated descriptions are not shown; lists name the page of a section.
pub const RULESET_VERSION: u32 = 2;

/// A brief, as a record and as text for a model.
pub struct Brief {
    pub record: ContextBrief,
    pub markdown: String,
}

/// A hash of the index's signature and the canonical request.
pub fn brief_id(index_signature: &str, request: &BriefRequest) -> BriefId {
    let mut bytes = index_signature.as_bytes().to_vec();
    bytes.extend(serde_json_canonicalizer::to_vec(request).expect("a request is JSON"));
    let digest = Digest::sha256(&bytes);
    BriefId::of_digest(digest.as_str().rsplit(':').next().unwrap_or_default())
}

/// Whether a brief can be compared with an earlier one.
pub fn check_since(request: &BriefRequest, earlier: Option<&ContextBrief>) -> Result<(), BriefFault> {
    earlier.map_or(Ok(()), |earlier| changes::check(request, earlier))
}

/// The whole record as one line of canonical JSON.
pub fn json(brief: &ContextBrief) -> String {
    let mut line = Vec::new();
    crate::record::write_line(brief, &mut line);
    String::from_utf8(line).expect("JSON is text")
}

/// The request must have passed [`BriefRequest::check`], and the earlier brief [`check_since`].
pub fn brief(index: &NoteIndex, request: &BriefRequest, earlier: Option<&ContextBrief>) -> Result<Brief, ReadError> {
    let within = request.within.as_deref();
    let topics: Vec<Topic> = request.topics.iter().map(|topic| find_topic(index, topic, within)).collect();
    let (as_of, at) = as_of::as_of(index, request);
    let depth = DepthWalked { asked: request.depth, walked: request.depth.min(request.lens.max_depth) };
    let reached = reach(index, &topics, &request.lens, at, depth.walked, within);
    let relations = Relations { index, reached: &reached };
    let sheets = Sheets::new(&relations, request);
    let earlier = earlier.map(|earlier| Earlier::new(index, request, earlier, &sheets)).transpose()?;
    let mut warnings = record::warnings(index, &topics, earlier.as_ref().map(Earlier::request_changes));
    let is_short = request.max_tokens < MIN_TOKENS;
    warnings.extend((is_short && !reached.nodes.is_empty()).then(|| ONLY_NAMES.to_string()));
    let maker =
        Maker { index, request, topics, as_of, depth, relations: &relations, sheets: &sheets, earlier, warnings };
    if reached.nodes.is_empty() {
        return Ok(maker.nothing());
    }
    if is_short { maker.names() } else { maker.nodes() }
}

/// Below this budget a brief shows names only.
const MIN_TOKENS: u32 = 500;

/// What a brief is made from.
struct Maker<'m> {
    index: &'m NoteIndex<'m>,
    request: &'m BriefRequest,
    topics: Vec<Topic>,
    as_of: AsOf,
    depth: DepthWalked,
    relations: &'m Relations<'m>,
    sheets: &'m Sheets<'m>,
    earlier: Option<Earlier<'m>>,
    warnings: Vec<String>,
}

/// The nodes that fit, in the order of their ranks.
struct Filling {
    shown: Vec<(Shown, u32)>,
    is_everything: bool,
}

impl<'m> Maker<'m> {
    fn reached(&self) -> &'m ReachedNotes {
        self.relations.reached
    }

    fn count(&self, text: &str) -> u32 {
        u32::try_from(self.request.tokenizer.count(text)).unwrap_or(u32::MAX)
    }

    /// A brief about topics that the notes do not have.
    fn nothing(self) -> Brief {
        let text = format!("{}{NOTHING_FOUND}\n", title(self.request));
        let markdown = if self.count(&text) <= self.request.max_tokens { text } else { String::new() };
        self.finish(markdown, Vec::new(), Vec::new(), None)
    }

    /// A brief with names and types only.
    fn names(self) -> Result<Brief, ReadError> {
        let candidates = self.candidates();
        let head = format!("{}{ONLY_NAMES}\n\n", title(self.request));
        let Some(room) = self.request.max_tokens.checked_sub(self.count(&head)) else {
            return Ok(self.finish(String::new(), Vec::new(), Vec::new(), None));
        };
        let named = self.named(&candidates, room)?;
        let list = self.list(&named, "", candidates.len(), room, Named::short_line);
        let markdown = format!("{head}{}", list.text);
        let named: Vec<Named> = named.into_iter().take(list.shown).collect();
        let since = self.since(named.iter().map(|named| named.node));
        Ok(self.finish(markdown, Vec::new(), named, since))
    }

    /// A brief with the content of nodes.
    fn nodes(self) -> Result<Brief, ReadError> {
        let budget = self.request.max_tokens;
        let candidates = self.candidates();
        let reserved = if self.earlier.is_some() { change_room(budget) } else { 0 };
        let mut filling = self.fill(&candidates, budget, budget - reserved)?;
        let related = budget / RELATED_SHARE;
        if !filling.is_everything {
            // The header is paid for with its longest number, so that a larger budget never shows fewer nodes.
            filling = self.fill(&candidates, BriefRequest::MAX_TOKENS, budget - reserved - related)?;
        }
        let shown: Vec<usize> = filling.shown.iter().filter_map(|(shown, _)| shown.rank).collect();
        let left: Vec<usize> = candidates.iter().copied().filter(|rank| shown.binary_search(rank).is_err()).collect();
        let named = self.named(&left, related)?;
        let list = self.list(&named, RELATED_HEADING, left.len(), related, Named::line);
        let named: Vec<Named> = named.into_iter().take(list.shown).collect();
        let present = filling.shown.iter().map(|(shown, _)| shown.sheet.content.node);
        let since = self.since(present.chain(named.iter().map(|named| named.node)));
        let changes = since.as_ref().map(|since| self.changes(since, reserved)).transpose()?.unwrap_or_default();
        let text = [self.header().text(budget), changes.text, units(&filling.shown), list.text].concat();
        Ok(self.finish(text, filling.shown, named, since))
    }

    fn header(&self) -> Header<'_> {
        Header { request: self.request, as_of: &self.as_of, depth: self.depth, warnings: &self.warnings }
    }

    /// The nodes that may be shown, as indexes of the ranked nodes.
    fn candidates(&self) -> Vec<usize> {
        let nodes = self.reached().nodes.iter().enumerate();
        let is_left_out = |node: NodeNo| match &self.earlier {
            Some(earlier) if self.request.changed_only => earlier.is_unchanged(node),
            _ => false,
        };
        nodes.filter(|(_, node)| node.is_topic() || !is_left_out(node.node)).map(|(rank, _)| rank).collect()
    }

    /// The longest beginning of the nodes that fits a limit, with a header that says a budget.
    fn fill(&self, candidates: &[usize], budget: u32, limit: u32) -> Result<Filling, ReadError> {
        let header = self.header().text(budget);
        let template = BriefTemplate { candidates, header, sheets: self.sheets };
        let measure = Measure { format: 0, counter: Counter::Tokens(self.request.tokenizer), limit, cap: "maxTokens" };
        let job = Job {
            start: Start::Nodes(Vec::new()),
            walk: WalkRules::unlimited(),
            guesses_subject: false,
            max_candidates: u32::MAX,
            budget: Budget { measures: vec![measure], max_items: u32::MAX, max_items_per_group: u32::MAX },
            fill: Fill::Prefix,
            template: &template,
        };
        Ok(filling(assemble_found(self.index.view, &job, Found::default())?))
    }

    /// The first of some nodes, as many as may fit a list.
    fn named(&self, ranks: &[usize], room: u32) -> Result<Vec<Named>, ReadError> {
        let may_fit = room as usize / MIN_LINE_TOKENS + 1;
        ranks.iter().take(may_fit).map(|rank| Named::new(self.relations, *rank)).collect()
    }

    fn list(&self, named: &[Named], heading: &str, total: usize, room: u32, line: fn(&Named) -> String) -> ShortList {
        let lines: Vec<String> = named.iter().map(line).collect();
        list::fit(lines.iter().map(String::as_str), heading, total, room, self.request.tokenizer)
    }

    fn since(&self, present: impl Iterator<Item = NodeNo>) -> Option<Since> {
        let present: Vec<NodeNo> = present.collect();
        self.earlier.as_ref().map(|earlier| earlier.since(&present, self.sheets))
    }

    fn changes(&self, since: &Since, room: u32) -> Result<ShortList, ReadError> {
        let date = since.as_of.as_ref().map_or("the earlier brief", |date| date.as_str());
        let heading = format!("## Changed since {date}\n");
        let mut lines: Vec<String> = Vec::new();
        for change in since.changes.iter().take(room as usize / MIN_LINE_TOKENS + 1) {
            let node = self.index.graph.node(change.node_id.as_str());
            let named = node.map(|node| Named::of_node(self.relations, node)).transpose()?;
            let (tags, class) = named.as_ref().map_or((&[][..], "note"), |named| (&named.tags[..], named.class));
            lines.push(changes::line(change, tags, class));
        }
        if since.changes.is_empty() {
            lines.push("- nothing\n".to_string());
        }
        let total = since.changes.len().max(1);
        Ok(list::fit(lines.iter().map(String::as_str), &heading, total, room, self.request.tokenizer))
    }
}

/// A line of a list has at least so many tokens.
const MIN_LINE_TOKENS: usize = 3;
/// One part in so many is for the names of what does not fit.
const RELATED_SHARE: u32 = 8;
const RELATED_HEADING: &str = "## Also related\n";

/// The room for the list of changes: at most an eighth of the budget. It grows at other budgets than the room for
/// related nodes does, so that the room for nodes never shrinks.
fn change_room(budget: u32) -> u32 {
    budget.saturating_sub(4) / 8
}

fn filling(assembly: Assembly<BriefTemplate>) -> Filling {
    let is_everything = assembly.filled.full.is_none();
    let placed = assembly.filled.groups.into_values().flat_map(|group| group.items);
    Filling { shown: placed.map(|placed| (placed.item, placed.cost.by(0))).collect(), is_everything }
}

/// The text of all nodes: units by their best node, in a unit its own text, then what is in it in the order of the
/// source.
fn units(shown: &[(Shown, u32)]) -> String {
    let mut units: BTreeMap<NodeNo, Vec<&Shown>> = BTreeMap::new();
    let mut order: Vec<NodeNo> = Vec::new();
    for (shown, _) in shown {
        let members = units.entry(shown.unit).or_default();
        if members.is_empty() {
            order.push(shown.unit);
        }
        members.push(shown);
    }
    let mut text = String::new();
    for unit in order {
        let members = units.get_mut(&unit).expect("it was just added");
        members.sort_by_key(|shown| (!shown.is_unit(), shown.order, shown.sheet.content.node));
        if let Some(sheet) = &members[0].unit_sheet {
            text += &sheet.place();
        }
        members.iter().for_each(|shown| text += &shown.text());
    }
    text
}
