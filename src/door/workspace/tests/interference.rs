//! What a reader may not see has no influence on what is found for them. Random workspaces are compared with what is left
//! of them without the hidden part, and with workspaces that have another hidden part. Each leak that a view can be given
//! has to be found by the same comparison.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use super::world::{Random, TITLES, WORDS, World, sentence};
use crate::assemble::blocks::{Leak, ReadableBlocks, TestIndex, reader};
use crate::door::workspace::{Intents, SearchCache, WorkspaceSettings, find_cached};
use crate::record::Reader;
use crate::record::workspace::{ContextRequest, RequestUser};

/// An index, and searches that were made before, as a door keeps them.
struct Door {
    index: TestIndex,
    cache: SearchCache,
    leak: Option<Leak>,
}

impl Door {
    fn new(world: &World, shuffle: Option<&mut Random>, leak: Option<Leak>) -> Self {
        let files = world.files(shuffle);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        Door { index: TestIndex::new(&files), cache: SearchCache::default(), leak }
    }

    /// Everything that is found, for the user who asks.
    fn answer(&self, request: &ContextRequest) -> String {
        let reader = Reader::As(request.principals().unwrap());
        let settings = WorkspaceSettings::new(&"[items]\nmax_unit_tokens = 64".parse().unwrap()).unwrap();
        let profile = settings.profile(request.request_type);
        let find = |view: &ReadableBlocks| {
            find_cached(view, request, &profile, &Intents::default(), None, &self.cache).unwrap()
        };
        let answer = || self.index.with(&reader, self.leak, |view| format!("{:#?}", find(view)));
        match self.leak {
            None => answer(),
            // Blocks of another reader may be blocks that a view does not have.
            Some(_) => catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| "it panics".to_string()),
        }
    }
}

/// The user who asks, and another one.
fn user(id: &str) -> Option<RequestUser> {
    serde_json::from_value(json!({ "id": id, "teamIds": if id == "1" { vec!["a"] } else { vec!["b"] } })).unwrap()
}

/// A request for a random focus and a random query.
fn request(random: &mut Random, world: &World) -> ContextRequest {
    let readable = world.readable();
    let of = |wanted: bool| -> Vec<&str> {
        let all = world.blocks.iter().zip(&readable).filter(|(_, is_readable)| **is_readable == wanted);
        all.map(|(block, _)| block.id.as_str()).chain(["nobody"]).collect()
    };
    let (visible, hidden) = (of(true), of(false));
    let any = |random: &mut Random| match random.below(4) {
        0 => random.pick(&hidden).to_string(),
        _ => random.pick(&visible).to_string(),
    };
    let mut words: Vec<&str> = (0..1 + random.below(3)).map(|_| *random.pick(&WORDS)).collect();
    let extra = ["overdue", "my tasks", "done tasks", "archive", "summary", "what is due this month"];
    words.extend(random.one_in(3).then(|| *random.pick(&extra)));
    let focus = match random.below(5) {
        0 => json!({}),
        1 => json!({ "pageId": any(random) }),
        2 => json!({ "databaseId": any(random), "blockId": any(random) }),
        _ => json!({ "blockId": any(random) }),
    };
    let list = |random: &mut Random| -> Vec<String> { (0..random.below(3)).map(|_| any(random)).collect() };
    let (include, exclude) = (list(random), list(random));
    let budget = if random.one_in(4) { json!({ "focus": 0, "relations": 0 }) } else { json!({}) };
    let mut request = json!({
        "query": words.join(" "),
        "type": random.pick(&["assist", "chat", "search", "automate"]),
        "focus": focus,
        "tokenBudget": budget,
        "includeExplain": true,
        "hints": { "includeBlocks": include, "excludeBlocks": if random.one_in(2) { exclude } else { Vec::new() } },
    });
    if random.one_in(2) {
        request["now"] = json!("2025-06-10T09:00:00Z");
    }
    if random.one_in(6) {
        request["hints"]["timeRange"] = json!({ "start": "2025-02-01", "end": "2025-04-15" });
    }
    let request: ContextRequest = serde_json::from_value(request).unwrap();
    ContextRequest { user: user("1"), ..request }
}

/// The ways in which the hidden part of a workspace is changed.
const CHANGES: usize = 12;

/// None if there is nothing to change.
fn changed(world: &World, change: usize, query: &str, random: &mut Random) -> Option<World> {
    let readable = world.readable();
    let places = |wanted: bool| -> Vec<usize> { (0..readable.len()).filter(|at| readable[*at] == wanted).collect() };
    let (visible, hidden) = (places(true), places(false));
    if hidden.is_empty() || visible.is_empty() {
        return None;
    }
    let mut changed = world.clone();
    let some_visible = world.blocks[*random.pick(&visible)].clone();
    let at = *random.pick(&hidden);
    match change {
        0 => changed.blocks[at].text = sentence(random),
        1 => hidden.iter().for_each(|at| changed.blocks[*at].text = format!("{query} ").repeat(100)),
        2 => changed = without(world, at, &readable)?,
        3 => hidden.iter().for_each(|at| changed.blocks[*at].title.clone_from(&some_visible.title)),
        4 => hidden.iter().for_each(|at| {
            let block = &mut changed.blocks[*at];
            block.links.push(some_visible.id.clone());
            block.relations.push(some_visible.id.clone());
            block.text += &format!(" [[{}]]", random.pick(&TITLES));
        }),
        5 => hidden.iter().for_each(|at| {
            let block = &mut changed.blocks[*at];
            block.updated = Some("2026-01-01".to_string());
            block.due = Some("2025-06-09".to_string());
            block.done = !block.done;
            block.assignee = Some("1");
        }),
        6 => visible.iter().for_each(|at| insert_before(&mut changed, world, *at, query)),
        7 => changed.blocks[at].text.clone_from(&some_visible.text),
        8 => insert_twin(&mut changed, &some_visible, query),
        9 => changed.activity.extend(visible.iter().map(|at| {
            let id = world.blocks[*at].id.clone();
            ("2".to_string(), id, "edit", "2025-06-10T08:00:00Z".to_string())
        })),
        10 => (0..300).for_each(|_| insert_before(&mut changed, world, *random.pick(&visible), query)),
        _ => hidden.iter().filter(|at| world.blocks[**at].grant.is_some()).for_each(|at| {
            let block = &mut changed.blocks[*at];
            let is_closed = |name: &&str| !["public", "user:1", "team:a"].contains(name);
            if let Some((names, _)) = block.grant.as_mut().filter(|(names, _)| names.iter().all(is_closed)) {
                *names = vec!["team:c", "user:2"];
            }
        }),
    }
    Some(changed)
}

/// Without a hidden block and what is below it, if all of it is hidden.
fn without(world: &World, at: usize, readable: &[bool]) -> Option<World> {
    let mut is_gone = vec![false; world.blocks.len()];
    is_gone[at] = true;
    for place in at + 1..world.blocks.len() {
        is_gone[place] = world.blocks[place].parent.is_some_and(|parent| is_gone[parent]);
    }
    if is_gone.iter().zip(readable).any(|(is_gone, is_readable)| *is_gone && *is_readable) {
        return None;
    }
    let mut places = vec![0; world.blocks.len()];
    let mut blocks = Vec::new();
    for (place, block) in world.blocks.iter().enumerate().filter(|(place, _)| !is_gone[*place]) {
        places[place] = blocks.len();
        let mut block = block.clone();
        block.parent = block.parent.map(|parent| places[parent]);
        blocks.push(block);
    }
    Some(World { blocks, ..world.clone() })
}

/// A hidden block right before a visible one.
fn insert_before(changed: &mut World, world: &World, at: usize, query: &str) {
    let mut new = world.blocks[at].clone();
    new.id = format!("canary{}", changed.blocks.len());
    new.order -= 0.0001 * (1 + changed.blocks.len() % 7) as f64;
    new.text = format!("{query} canary");
    new.grant = Some((vec!["user:4"], false));
    changed.blocks.push(new);
}

/// A hidden block in another file that has the id of a visible one.
fn insert_twin(changed: &mut World, twin: &super::world::TestBlock, query: &str) {
    let mut new = twin.clone();
    new.is_apart = true;
    new.parent = None;
    new.text = format!("{query} canary");
    new.grant = Some((vec!["user:4"], false));
    changed.blocks.push(new);
}

const REQUESTS: usize = 5;

/// How many comparisons were made, and how many of them differ.
#[derive(Debug, Default)]
struct Tally {
    same: usize,
    different: usize,
    /// Answers with something to show.
    filled: usize,
    first: Option<String>,
}

impl Tally {
    fn compare(&mut self, seed: u64, change: &str, request: &ContextRequest, expected: &str, answer: &str) {
        self.filled += usize::from(answer.contains("block_id:"));
        if expected == answer && !answer.contains("canary") {
            self.same += 1;
            return;
        }
        self.different += 1;
        let difference = expected.lines().zip(answer.lines()).find(|(a, b)| a != b);
        let request = serde_json::to_string(request).unwrap();
        self.first.get_or_insert_with(|| format!("seed {seed}, {change}: {request}\n{difference:#?}"));
    }
}

/// Compares the workspaces of some seeds, until so many comparisons differ.
fn compare(seeds: Range<u64>, leak: Option<Leak>, enough: usize) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        if tally.different >= enough {
            break;
        }
        let mut random = Random::new(seed);
        let world = World::random(&mut random);
        let requests: Vec<ContextRequest> = (0..REQUESTS).map(|_| request(&mut random, &world)).collect();
        compare_world(&mut tally, seed, &world, &requests, leak, &mut random);
    }
    tally
}

fn compare_world(
    tally: &mut Tally,
    seed: u64,
    world: &World,
    requests: &[ContextRequest],
    leak: Option<Leak>,
    random: &mut Random,
) {
    let door = Door::new(world, None, leak);
    // What somebody else gets is kept, too.
    let other = |request: &ContextRequest| ContextRequest { user: user("2"), ..request.clone() };
    requests.iter().step_by(2).for_each(|request| drop(door.answer(&other(request))));
    let answers: Vec<String> = requests.iter().map(|request| door.answer(request)).collect();
    let restricted = world.restricted(random);
    if !restricted.blocks.is_empty() {
        let restricted = Door::new(&restricted, Some(random), leak);
        for (request, answer) in requests.iter().zip(&answers) {
            tally.compare(seed, "restricted", request, &restricted.answer(request), answer);
        }
    }
    for change in 0..CHANGES {
        let Some(changed) = changed(world, change, &requests[0].query, random) else { continue };
        let changed = Door::new(&changed, None, leak);
        for (request, answer) in requests.iter().zip(&answers) {
            tally.compare(seed, &format!("change {change}"), request, answer, &changed.answer(request));
        }
    }
}

fn check(seeds: Range<u64>) {
    let tally = compare(seeds, None, usize::MAX);
    assert_eq!(tally.different, 0, "{}", tally.first.unwrap_or_default());
    assert!(tally.same >= 800 && tally.filled * 4 > tally.same * 3, "{tally:?}");
}

/// Together more than 3,000 comparisons, in four tests so that they run side by side.
#[test]
fn what_is_hidden_has_no_influence_1() {
    check(0..16);
}

#[test]
fn what_is_hidden_has_no_influence_2() {
    check(100..116);
}

#[test]
fn what_is_hidden_has_no_influence_3() {
    check(200..216);
}

#[test]
fn what_is_hidden_has_no_influence_4() {
    check(300..316);
}

fn is_found(leak: Leak) {
    assert!(Leak::ALL.contains(&leak));
    let tally = compare(0..40, Some(leak), 1);
    assert!(tally.different > 0, "{leak:?} is not found: {tally:?}");
}

macro_rules! each_leak_is_found {
    ($($name:ident: $leak:ident,)*) => { $(#[test] fn $name() { is_found(Leak::$leak); })* };
}

each_leak_is_found! {
    leak_1_statistics_of_all_blocks_are_found: Statistics,
    leak_2_words_of_files_are_found: FileWords,
    leak_3_hidden_ancestors_are_found: HiddenAncestors,
    leak_4_candidates_before_the_filter_are_found: CandidatesBeforeFilter,
    leak_5_row_numbers_are_found: RowNumbers,
    leak_6_hidden_candidates_are_found: HiddenCandidates,
    leak_7_known_ids_are_found: KnownIds,
    leak_8_a_shared_cache_is_found: SharedCache,
    leak_9_a_fitted_scale_is_found: FittedScale,
    leak_10_the_whole_tree_is_found: WholeTree,
}

#[test]
fn the_reader_sees_what_the_rules_of_the_test_say() {
    for seed in 0..20 {
        let world = World::random(&mut Random::new(seed));
        let readable = world.readable();
        let mut expected: Vec<&str> =
            world.blocks.iter().zip(readable).filter(|(_, is)| *is).map(|(block, _)| block.id.as_str()).collect();
        expected.sort_unstable();
        let files = world.files(None);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let shown = TestIndex::new(&files).with(&reader(&["user:1", "team:a"]), None, |view| {
            let mut ids: Vec<String> = view.in_order().iter().map(|block| view.id(*block).to_string()).collect();
            ids.sort_unstable();
            ids
        });
        assert_eq!(shown, expected, "seed {seed}");
    }
}
