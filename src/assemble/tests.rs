//! Tests each step of the engine. Indexes are built by the real stages.

#![expect(clippy::disallowed_methods, reason = "tests make trees")]

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::score::Candidate;
use super::*;
use crate::pipeline::PackSource;
use crate::pipeline::service::{self, Freshness, Refresh, Root};
use crate::record::pack::{DropReason, ItemScores, Receipt, Rule, TreeState};
use crate::record::request::{Filter, PackRequest, Primary, SeedMode, SeedProvider, SortOrder, WalkDirection};
use crate::record::{Chunk, ChunkNo, EdgeType, NodeNo, Score, last_name};
use crate::search::{Corpus, RecordPlace, Scope, WEIGHTS};

/// `alpha` calls `beta`, which calls `gamma`; a test calls `alpha`.
const TREE: [(&str, &str); 4] = [
    ("alpha.py", "from beta import beta\n\n\ndef alpha():\n    return beta()\n"),
    ("beta.py", "from gamma import gamma\n\n\ndef beta():\n    return gamma()\n"),
    ("gamma.py", "def gamma():\n    return 1\n\n\ndef delta():\n    return 2\n"),
    ("tests/test_alpha.py", "from alpha import alpha\n\n\ndef test_alpha():\n    assert alpha() == 1\n"),
];

/// Calls with a view of the index of [`TREE`].
fn with_tree<R>(work: impl FnOnce(&IndexView) -> R) -> R {
    let folder = tempfile::tempdir().unwrap();
    let (tree, index) = (folder.path().join("tree"), folder.path().join("index"));
    for (path, text) in TREE {
        let path = tree.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let root = Root::of_tree(Some(&tree), Some(&index)).unwrap();
    service::open(&root, Freshness::Refresh(&Refresh::QUIET)).unwrap();
    let source = PackSource::open(&index, TreeState::Current).unwrap();
    source.with(|view| Ok(work(view))).unwrap()
}

fn question<'q>(query: &'q str, scope: &'q RequestScope) -> Question<'q> {
    static NO_WORDS: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mode, provider) = (SeedMode::Mixed, SeedProvider::Hybrid);
    Question { query, scope, shows_focus: true, mode, provider, words: &NO_WORDS }
}

fn calls(direction: WalkDirection, max_hops: u32) -> WalkRules<'static> {
    WalkRules {
        direction,
        edge_types: [EdgeType::Call].into(),
        walks_unasked: false,
        within: None,
        scope: &Scope::EVERYTHING,
        max_hops,
        max_fanout: 25,
        max_edges: 100,
        required_evidence: None,
    }
}

/// The nodes of the functions with these names.
fn nodes(view: &IndexView, names: &[&str]) -> Vec<NodeNo> {
    let (graph, chunk_nodes) = view.linked_graph().unwrap();
    let chunks = names.iter().flat_map(|name| view.corpus().definitions(name).collect::<Vec<_>>());
    let own = chunks.flat_map(|chunk| chunk_nodes.nodes(chunk).to_vec());
    own.filter(|node| graph.id(*node).ends_with("().")).collect()
}

/// The names of the chunks that a walk reached, with their distances.
fn reached(view: &IndexView, walk: &Walk) -> Vec<(String, u32)> {
    let name = |chunk: ChunkNo| view.chunk(chunk).unwrap().qualified_name.clone().unwrap_or_default();
    let mut all: Vec<_> = walk.chunks.iter().map(|(chunk, reached)| (name(*chunk), reached.distance)).collect();
    all.sort();
    all
}

#[track_caller]
fn check_walk(start: &str, rules: &WalkRules, expected: &[(&str, u32)]) {
    with_tree(|view| {
        let walk = expand::walk(view, rules, nodes(view, &[start]));
        let expected: Vec<_> = expected.iter().map(|(name, distance)| (name.to_string(), *distance)).collect();
        assert_eq!(reached(view, &walk), expected);
    });
}

#[test]
fn a_walk_goes_as_far_as_its_hops() {
    check_walk("alpha", &calls(WalkDirection::Out, 0), &[]);
    check_walk("alpha", &calls(WalkDirection::Out, 1), &[("beta", 1)]);
    check_walk("alpha", &calls(WalkDirection::Out, 2), &[("beta", 1), ("gamma", 2)]);
}

#[test]
fn a_walk_goes_the_way_that_is_asked_for() {
    check_walk("beta", &calls(WalkDirection::In, 1), &[("alpha", 1)]);
    check_walk("beta", &calls(WalkDirection::Both, 1), &[("alpha", 1), ("gamma", 1)]);
    check_walk("gamma", &calls(WalkDirection::Out, 3), &[]);
}

#[test]
fn a_walk_stays_within_its_nodes() {
    with_tree(|view| {
        let within = nodes(view, &["alpha", "gamma"]).into_iter().collect();
        let rules = WalkRules { within: Some(&within), ..calls(WalkDirection::Out, 9) };
        let walk = expand::walk(view, &rules, nodes(view, &["alpha"]));
        assert_eq!(reached(view, &walk), [], "gamma is only reached through beta");
    });
}

#[test]
fn a_path_leads_from_the_start_to_the_node() {
    with_tree(|view| {
        let [alpha, beta, gamma] = ["alpha", "beta", "gamma"].map(|name| nodes(view, &[name])[0]);
        let walk = expand::walk(view, &calls(WalkDirection::Out, 9), vec![alpha]);
        assert_eq!(walk.path(gamma), [alpha, beta, gamma]);
        assert_eq!(walk.path(alpha), [alpha]);
    });
}

#[test]
fn some_edges_are_walked_back_whatever_else_is_walked() {
    let rules = WalkRules { walks_unasked: true, ..calls(WalkDirection::Out, 1) };
    check_walk("alpha", &rules, &[("beta", 1), ("test_alpha", 1)]);
}

#[test]
fn a_walk_reports_the_neighbours_that_it_cuts() {
    with_tree(|view| {
        let rules = WalkRules { max_fanout: 1, ..calls(WalkDirection::Both, 1) };
        let walk = expand::walk(view, &rules, nodes(view, &["beta"]));
        assert_eq!(walk.chunks.len(), 1);
        let cap = &walk.caps[0];
        assert_eq!((cap.cap.as_str(), cap.limit, cap.observed, cap.omitted), ("maxFanout", 1, 2, 1));
    });
}

/// The scope of a request for focuses as they are typed, and a filter.
fn scope(view: &IndexView, focuses: &[&str], filter: Filter) -> RequestScope {
    let focus = focuses.iter().map(|focus| focus.parse().unwrap()).collect();
    RequestScope::of(view, &PackRequest { focus, filter, ..PackRequest::default() }).unwrap()
}

fn names(view: &IndexView, chunks: impl Iterator<Item = ChunkNo>) -> Vec<String> {
    chunks.map(|chunk| view.chunk(chunk).unwrap().name.clone().unwrap_or_default()).collect()
}

#[test]
fn the_query_ranks_inside_the_focus() {
    with_tree(|view| {
        let scope = scope(view, &["gamma.py"], Filter::default());
        let found = |query: &str| seeds::find(view, &question(query, &scope)).unwrap();
        let seeds = found("alpha delta");
        assert_eq!(names(view, seeds.hits.iter().map(|hit| hit.chunk)), ["delta"], "nothing from outside");
        assert_eq!(names(view, seeds.rest.iter().copied()), ["gamma"], "the rest of the focus comes last");
        for query in ["", "alpha"] {
            let seeds = found(query);
            assert_eq!(names(view, seeds.hits.iter().map(|hit| hit.chunk)), ["gamma", "delta"], "{query}");
            assert!(seeds.hits.iter().all(|hit| hit.focus));
            assert!(expand::nodes_of_seeds(view, &question(query, &scope), &seeds).len() >= 3, "symbols and file");
        }
    });
}

#[test]
fn a_focus_is_found_however_it_is_typed() {
    with_tree(|view| {
        let focused = |typed: &str| {
            let set = focus::resolve(view, &[typed.parse().unwrap()]).unwrap();
            (names(view, set.chunks.iter().copied()).join(" "), set.named.is_empty())
        };
        for file in ["gamma.py", "./gamma.py", "file:gamma.py", "file:./gamma.py"] {
            assert_eq!(focused(file), ("gamma delta".to_string(), true), "{file}");
        }
        let uid = view.chunk_uid(view.corpus().definitions("delta").next().unwrap());
        let handle = view.corpus().handles().of(uid);
        let chunk = uid.to_string();
        let names =
            ["delta", "symbol:delta", "gamma.delta", "gamma.py::delta", "gamma.py:5", "gamma.py:6-6", &handle, &chunk];
        for name in names {
            assert_eq!(focused(name), ("delta".to_string(), false), "{name}");
        }
        assert_eq!(focused("tests").0.matches("test_alpha").count(), 1, "a folder");
        assert_eq!(focused("test_alpha.py"), focused("tests/test_alpha.py"), "the end of a path");
        for missing in ["nope.py", "alpha.delta", "symbol:gamma.py", "gamma.py:99", "test"] {
            assert_eq!(focused(missing).0, "", "{missing}");
        }
        let fault = focus::check(view, &["gamma".parse().unwrap(), "gammma".parse().unwrap()]).unwrap().unwrap_err();
        assert_eq!(fault.to_string(), "the index has nothing called `gammma`; similar: gamma.py::gamma");
    });
}

#[test]
fn what_a_filter_leaves_out_neither_counts_nor_appears() {
    with_tree(|view| {
        let filter = Filter { exclude: vec!["beta.py".to_string()], no_tests: true, ..Filter::default() };
        let scope = scope(view, &[], filter);
        let seeds = seeds::find(view, &question("alpha beta", &scope)).unwrap();
        let paths: Vec<&str> = seeds.entries.iter().map(|seed| seed.file_rel_path.as_str()).collect();
        assert!(!paths.is_empty() && paths.iter().all(|path| *path == "alpha.py"), "{paths:?}");
        assert!(seeds.explain.matched_names.iter().all(|found| found.what != "beta"), "its definition is left out");
        let rules = WalkRules { scope: &scope.files, ..calls(WalkDirection::Both, 9) };
        let walk = expand::walk(view, &rules, nodes(view, &["alpha"]));
        assert!(walk.chunks.is_empty(), "`gamma` is only reached through `beta`");
    });
}

#[test]
fn a_query_that_finds_nothing_names_what_is_near() {
    with_tree(|view| {
        let seeds = seeds::find(view, &question("gammma", &RequestScope::default())).unwrap();
        assert!(seeds.hits.is_empty());
        assert_eq!(seeds.explain.near.first().map(String::as_str), Some("gamma"));
    });
}

#[test]
fn a_chunk_that_is_found_twice_is_one_candidate() {
    with_tree(|view| {
        let scope = RequestScope::default();
        let question = question("alpha beta", &scope);
        let seeds = seeds::find(view, &question).unwrap();
        let walk = expand::walk(view, &calls(WalkDirection::Both, 2), expand::nodes_of_seeds(view, &question, &seeds));
        let all = score::candidates(view, &Found { seeds, named: Named::default(), walk }, true);
        let all: Vec<Candidate> = all.into_iter().map(|candidate| candidate.with_scores(weights(), false)).collect();
        let mut chunks: Vec<ChunkNo> = all.iter().map(|candidate| candidate.chunk).collect();
        chunks.dedup();
        assert_eq!(chunks.len(), all.len());
        let candidate = |name: &str| {
            let chunk = view.corpus().definitions(name).next().unwrap();
            all.iter().find(|candidate| candidate.chunk == chunk).unwrap()
        };
        let (beta, gamma) = (candidate("beta"), candidate("gamma"));
        assert!(beta.seed.is_some() && beta.same_file.is_some());
        assert!(gamma.seed.is_none() && gamma.reached.as_ref().is_some_and(|reached| reached.distance == 1));
        assert_eq!(beta.scores.graph_distance, 0, "a seed is at its own distance");
    });
}

/// The names of the symbols that a query names.
#[track_caller]
fn check_named(query: &str, expected: &[&str]) {
    with_tree(|view| {
        let seeds = seeds::find(view, &question(query, &RequestScope::default())).unwrap();
        let named = named::find(view, query, &seeds, false);
        let (graph, _) = view.linked_graph().unwrap();
        let names: Vec<&str> = named.nodes.iter().map(|node| last_name(graph.id(*node))).collect();
        assert_eq!(names, expected, "{query}");
    });
}

#[test]
fn a_query_names_symbols_of_the_tree() {
    check_named("who calls beta?", &["beta"]);
    check_named("gamma", &["gamma"]);
    check_named("why does `gamma` fail in `nowhere`", &["gamma"]);
    check_named("who calls nowhere", &[]);
    check_named("why is gamma slow", &[]);
}

#[test]
fn a_caller_is_shown_with_the_line_of_its_call() {
    with_tree(|view| {
        let walk = expand::walk_from_named(view, &calls(WalkDirection::In, 1), &nodes(view, &["beta"]));
        let alpha = view.corpus().definitions("alpha").next().unwrap();
        let reached = &walk.chunks[&alpha];
        assert!(reached.is_from_named);
        let line = reached.path[0].line;
        let chunk = view.chunk(alpha).unwrap();
        let text = chunk.text.lines().nth((line - chunk.lines.start) as usize).unwrap();
        assert!(text.contains("beta("), "{text}");
    });
}

fn weights() -> profile::ScoreWeights {
    profile::ScoreWeights { seed: Score::percent(70), distance: Score::percent(20), evidence: Score::percent(10) }
}

/// Candidates are compared by the primary key, then by score, then by their position in the tree.
#[test]
fn candidates_have_a_total_order() {
    let candidate = |chunk: u32, seed: u32, distance: u32| Candidate {
        scores: ItemScores {
            seed_score: Score::percent(seed),
            hybrid_score: Score::percent(seed),
            graph_distance: distance,
            evidence_score: Score::default(),
        },
        seed: Some(Rule::QueryMatch),
        ..Candidate::new(ChunkNo(chunk))
    };
    let all = [candidate(3, 50, 0), candidate(1, 50, 0), candidate(2, 90, 2), candidate(0, 50, 1)];
    let sorted = |primary| {
        let order = SortOrder { primary, ..SortOrder::default() };
        let mut all = all.to_vec();
        with_nothing(|view| all.sort_by(|a, b| score::compare(view, &order, a, b)));
        all.iter().map(|candidate| candidate.chunk.0).collect::<Vec<_>>()
    };
    assert_eq!(sorted(Primary::HybridScore), [2, 1, 3, 0]);
    assert_eq!(sorted(Primary::GraphDistance), [1, 3, 0, 2]);
}

/// Units of plain text for tests of filling: first the group, then the words.
struct Words {
    refused: &'static str,
    /// How many items are printed together.
    page_items: u32,
}

impl Template for Words {
    type Unit = (GroupNo, String);
    type Item = String;
    type Page = u32;

    fn units(&self, _: &IndexView, _: &Found) -> Result<Vec<Self::Unit>, ReadError> {
        Ok(Vec::new())
    }

    fn compare(&self, _: &IndexView, a: &Self::Unit, b: &Self::Unit) -> Ordering {
        a.cmp(b)
    }

    fn groups(&self, _: &IndexView, unit: &Self::Unit) -> Vec<GroupNo> {
        vec![unit.0, OTHERS]
    }

    fn refusal(&self, unit: &Self::Unit) -> Option<DropReason> {
        (unit.1 == self.refused).then_some(DropReason::NoEvidence)
    }

    fn whole(&self, _: &IndexView, unit: &Self::Unit) -> Result<String, ReadError> {
        Ok(unit.1.clone())
    }

    fn line_count(&self, item: &String) -> usize {
        item.lines().count()
    }

    fn head(&self, item: &String, lines: usize, _: &str) -> Option<String> {
        (lines > 0).then(|| item.split_inclusive('\n').take(lines).collect())
    }

    fn print<'t>(&self, item: &'t String) -> Block<'t> {
        Block { text: item.as_str().into(), frames: vec![Frame::default()] }
    }

    fn page(&self, _: &String, _: Cost, last: Option<&Placed<Self>>) -> u32 {
        last.map_or(1, |last| (last.rank + 1).div_ceil(self.page_items))
    }

    fn print_page(&self, items: &[&String]) -> Vec<Block<'static>> {
        let texts =
            items.iter().map(|item| Block { text: Cow::Owned(item.to_string()), frames: vec![Frame::default()] });
        texts.collect()
    }

    fn heading(&self, _: &Self::Unit, group: GroupNo) -> Block<'static> {
        Block::of_frames([format!("#{group}\n")])
    }

    fn frame(&self) -> Block<'static> {
        Block::of_frames([String::new()])
    }
}

/// The group for units that do not fit into their own group.
const OTHERS: GroupNo = 9;

struct NoChunks;

impl RecordReader for NoChunks {
    fn languages(&self) -> Result<BTreeMap<crate::text::RepoPath, crate::record::LanguageId>, ReadError> {
        Ok(BTreeMap::new())
    }

    fn chunk(&self, _: &RecordPlace) -> Result<Arc<Chunk>, ReadError> {
        unreachable!("an empty index has no chunk")
    }

    fn items(&self) -> Result<Vec<crate::record::Item>, ReadError> {
        Ok(Vec::new())
    }

    fn paths(&self) -> Result<Vec<crate::text::RepoPath>, ReadError> {
        Ok(Vec::new())
    }

    fn symbols(&self, _: &crate::text::RepoPath) -> Result<Vec<crate::record::Symbol>, ReadError> {
        Ok(Vec::new())
    }
}

/// Calls with a view of an empty index.
fn with_nothing<R>(work: impl FnOnce(&IndexView) -> R) -> R {
    let (corpus, receipt) = (Corpus::new([]), Receipt::default());
    let facts = IndexFacts { signature: "", created_at: "", receipt: &receipt };
    work(&IndexView::everything(&corpus, None, &NoChunks, facts, &WEIGHTS))
}

fn budget(chars: u32, max_items: u32, max_items_per_group: u32) -> Budget {
    let measures = vec![Measure { format: 0, counter: Counter::Chars, limit: chars, cap: "maxTotalChars" }];
    Budget { measures, max_items, max_items_per_group }
}

/// Fills with units and returns the items of each group.
fn fill_words(units: &[(GroupNo, &str)], budget: Budget) -> (Vec<(GroupNo, Vec<String>)>, Filled<Words>) {
    fill_words_by(units, budget, Fill::Prefix)
}

fn fill_words_by(
    units: &[(GroupNo, &str)],
    budget: Budget,
    fill: Fill,
) -> (Vec<(GroupNo, Vec<String>)>, Filled<Words>) {
    let template = Words { refused: "refused\n", page_items: 2 };
    let units: Vec<_> = units.iter().map(|(group, text)| (*group, text.to_string())).collect();
    let walk = calls(WalkDirection::Out, 0);
    let job = Job {
        start: Start::Nodes(Vec::new()),
        walk,
        guesses_subject: false,
        max_candidates: 99,
        budget,
        fill,
        template: &template,
    };
    let filled = with_nothing(|view| fill::fill(view, &job, &units).unwrap());
    let texts = |group: &FilledGroup<Words>| group.items.iter().map(|placed| placed.item.clone()).collect();
    (filled.groups.iter().map(|(number, group)| (*number, texts(group))).collect(), filled)
}

#[test]
fn a_heading_is_paid_once_per_group() {
    let (_, filled) = fill_words(&[(0, "aa\n"), (0, "bb\n"), (1, "cc\n")], budget(99, 9, 9));
    assert_eq!(filled.ledger.spent().by(0), 3 * 3 + 2 * 3);
    assert_eq!(filled.groups[&0].cost.by(0), 9);
    assert_eq!(filled.groups[&1].items[0].cost.by(0), 3);
}

#[test]
fn the_unit_that_does_not_fit_is_shortened_and_the_last() {
    let (groups, filled) = fill_words(&[(0, "aa\n"), (0, "b\nb\nb\n"), (0, "c\n")], budget(10, 9, 9));
    assert_eq!(groups, [(0, vec!["aa\n".to_string(), "b\nb\n".to_string()])]);
    assert_eq!((filled.full, filled.is_last_shortened), (Some("maxTotalChars"), true));
    assert_eq!(filled.dropped(), [(DropReason::Budget, 1)].into(), "nothing is taken after it, even if it would fit");
}

#[test]
fn a_full_group_passes_units_on_to_their_next_group() {
    let (groups, filled) = fill_words(&[(0, "a\n"), (0, "b\n"), (0, "c\n")], budget(99, 9, 1));
    assert_eq!(groups, [(0, vec!["a\n".to_string()]), (OTHERS, vec!["b\n".to_string()])]);
    assert_eq!(filled.groups[&0].dropped, [(DropReason::SectionFull, 1)].into());
}

#[test]
fn no_more_items_are_shown_than_allowed() {
    let (_, filled) = fill_words(&[(0, "a\n"), (0, "b\n"), (0, "c\n")], budget(99, 2, 9));
    assert_eq!((filled.items, filled.full), (2, Some("maxItems")));
    let (_, filled) = fill_words(&[(0, "a\n")], budget(99, 0, 9));
    assert_eq!(filled.items, 0);
}

#[test]
fn a_refused_unit_costs_nothing() {
    let (groups, filled) = fill_words(&[(0, "refused\n"), (0, "a\n")], budget(99, 9, 9));
    assert_eq!(groups, [(0, vec!["a\n".to_string()])]);
    assert_eq!(filled.groups[&0].dropped, [(DropReason::NoEvidence, 1)].into());
}

#[test]
fn each_category_spends_its_own_share() {
    let units = [(0, "aaaa\n"), (0, "bbbb\n"), (1, "cccc\n"), (1, "dddd\n")];
    let by = |borrow| {
        let fill = Fill::Categories { shares: vec![8, 8], borrow };
        fill_words_by(&units, budget(21, 9, 9), fill).0
    };
    let text = |text: &str| text.to_string();
    assert_eq!(by(false), [(0, vec![text("aaaa\n")]), (1, vec![text("cccc\n")])]);
    assert_eq!(by(true), [(0, vec![text("aaaa\n"), text("bbbb\n")]), (1, vec![text("cccc\n")])]);
}

#[test]
fn a_category_without_a_share_shows_nothing() {
    let fill = Fill::Categories { shares: vec![0, 8], borrow: true };
    let (groups, filled) = fill_words_by(&[(0, "a\n"), (1, "b\n")], budget(99, 9, 9), fill);
    assert_eq!(groups, [(0, vec![]), (1, vec!["b\n".to_string()])]);
    assert_eq!(filled.full, None, "the whole is not full");
}

proptest! {
    /// A smaller budget shows a prefix of the items of a larger one, and no budget is exceeded.
    #[test]
    fn a_smaller_budget_shows_a_prefix(
        units in prop::collection::vec((0..3usize, prop::collection::vec("[a-c]{1,5}\n", 1..4)), 0..12),
        small in 0..60u32,
        more in 0..60u32,
    ) {
        let units: Vec<(usize, String)> = units.into_iter().map(|(group, lines)| (group, lines.concat())).collect();
        let units: Vec<(usize, &str)> = units.iter().map(|(group, text)| (*group, text.as_str())).collect();
        let by_rank = |limit| {
            let (_, filled) = fill_words(&units, budget(limit, 9, 4));
            prop_assert!(filled.ledger.spent().by(0) <= limit);
            let mut items: Vec<_> =
                filled.groups.into_values().flat_map(|group| group.items).map(|one| (one.rank, one.item)).collect();
            items.sort();
            Ok(items)
        };
        let (fewer, all) = (by_rank(small)?, by_rank(small + more)?);
        for ((_, item), (_, whole)) in fewer.iter().zip(&all) {
            prop_assert!(whole.starts_with(item.as_str()));
        }
        prop_assert!(fewer.len() <= all.len());
    }
}
