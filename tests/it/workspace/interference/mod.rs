//! Non-interference: what somebody gets depends on nothing that they may not read.
//!
//! Each random workspace is compared with what is left of it for one person, written out as a workspace of its own, and
//! with mutations of its hidden part. Nothing that arrives at the person may differ, and no word that stands only in
//! hidden blocks may arrive. Who may read what is decided here by rules of the test's own.
//!
//!     CONTEXTPACK_INTERFERENCE_CASES=100000 cargo test --test it interference     more than by default

mod doors;
mod forest;
mod generate;
mod mutate;
mod requests;
mod rules;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use serde_json::Value;

use self::doors::{Batch, CommandLine, Doors, Gate, Library, Mcp};
use self::forest::Forest;
use self::generate::{Generator, TITLES, WORDS, canary};
use self::mutate::Scene;
use self::rules::{Person, readable, restrict};
use super::gate::Asked;
use super::world::World;

/// A forest, who looks at it, and what they ask.
struct Trial {
    seed: u64,
    generator: Generator,
    person: Person,
    forest: Forest,
    may_read: Vec<bool>,
    requests: Vec<Value>,
}

impl Trial {
    fn new(seed: u64, requests: usize) -> Self {
        let mut generator = Generator::new(seed);
        let person = generator.person();
        let forest = generator.forest(&person);
        let may_read = readable(&forest, &person);
        let mut all = requests::requests(&mut generator, &forest, &may_read, &person);
        all.truncate(requests);
        Trial { seed, generator, person, forest, may_read, requests: all }
    }

    /// How many pairs were compared.
    fn run(mut self, doors: &dyn Doors) -> usize {
        let left = restrict(&self.forest, &self.person);
        let wanted = self.answers(doors, &left.plant());
        let mut cases = self.compare(doors, "as it is", &self.forest.plant(), &wanted);
        for (name, mutation) in mutate::ALL {
            let mutated = self.mutated(mutation);
            assert_eq!(restrict(&mutated, &self.person).files(), left.files(), "seed {}: {name} is visible", self.seed);
            let mut world = mutated.plant();
            if name == "other hidden readers" {
                world.uid_mask = 0xFF;
            }
            cases += self.compare(doors, name, &world, &wanted);
        }
        cases
    }

    fn mutated(&mut self, mutation: fn(&Scene, &mut Generator, &mut Forest)) -> Forest {
        let focus = self.forest.blocks.iter().zip(&self.may_read).find(|(_, may_read)| **may_read);
        let words: Vec<&str> = self.requests.iter().filter_map(|request| request["query"].as_str()).take(3).collect();
        let scene = Scene {
            forest: &self.forest,
            person: &self.person,
            may_read: &self.may_read,
            focus: &focus.expect("something is readable").0.id,
            words: &words.join(" "),
        };
        let mut mutated = self.forest.clone();
        mutation(&scene, &mut self.generator, &mut mutated);
        mutated
    }

    fn answers(&self, doors: &dyn Doors, world: &World) -> Vec<String> {
        world.build();
        doors.answers(world, &self.person, &self.requests)
    }

    fn compare(&self, doors: &dyn Doors, what: &str, world: &World, wanted: &[String]) -> usize {
        let found = self.answers(doors, world);
        assert_eq!(found.len(), wanted.len(), "seed {}, {}: {what}", self.seed, doors.name());
        for (found, wanted) in found.iter().zip(wanted) {
            let line = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
            assert!(found == wanted, "seed {}, {}: {what} changes {line:?}\n{found}", self.seed, doors.name());
            assert!(
                !found.contains("canary"),
                "seed {}, {}: {what} shows a hidden word\n{found}",
                self.seed,
                doors.name()
            );
        }
        found.len()
    }
}

const THREADS: usize = 2;

/// How much is compared through one door, where nothing else is said.
struct Effort {
    cases: usize,
    /// So many of each forest. Where more is asked for, all that a forest has.
    requests: usize,
    /// So many times fewer of what is asked for: a process for each request is slow.
    share: usize,
}

/// Runs trials until enough pairs are compared.
fn check(doors: &dyn Doors, effort: &Effort) {
    let asked = std::env::var("CONTEXTPACK_INTERFERENCE_CASES").ok().map(|count| count.parse::<usize>().unwrap());
    let cases = asked.map_or(effort.cases, |cases| cases / effort.share);
    let requests = if asked.is_some() && effort.requests > 1 { requests::OF_FOREST } else { effort.requests };
    let trials = cases.div_ceil(requests * (mutate::ALL.len() + 1)) as u64;
    let (next, compared) = (AtomicU64::new(1), AtomicUsize::new(0));
    let run = || {
        // Not by rayon: a thread that waits for a build would begin the next trial on top of this one.
        let seeds = || Some(next.fetch_add(1, Relaxed)).filter(|seed| *seed <= trials);
        std::iter::from_fn(seeds).for_each(|seed| {
            compared.fetch_add(Trial::new(seed, requests).run(doors), Relaxed);
        });
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(run))));
    let compared = compared.into_inner();
    println!("{}: {compared} pairs of {trials} forests", doors.name());
    assert!(compared >= cases, "{compared}");
}

fn asked() -> Asked {
    let words = |list: &[&str]| list.iter().map(|word| word.to_string()).collect::<Vec<String>>();
    Asked { ids: words(&["p0", "k1", "never-there"]), terms: words(&WORDS), titles: words(&TITLES), users: Vec::new() }
}

#[test]
fn nothing_hidden_passes_the_gate() {
    check(&Gate(asked()), &Effort { cases: 200, requests: 1, share: 8 });
}

#[test]
fn nothing_hidden_changes_a_payload() {
    check(&Library, &Effort { cases: 3_000, requests: 16, share: 1 });
}

#[test]
fn nothing_hidden_changes_a_batch() {
    check(&Batch, &Effort { cases: 800, requests: 16, share: 1 });
}

#[test]
fn nothing_hidden_changes_the_command_line() {
    check(&CommandLine, &Effort { cases: 100, requests: 2, share: 40 });
}

#[test]
fn nothing_hidden_changes_a_reply() {
    check(&Mcp, &Effort { cases: 500, requests: 8, share: 4 });
}

/// The test sees what it looks for: a reader who may see all gets other words.
#[test]
fn hidden_words_would_be_found() {
    let trial = Trial::new(1, 1);
    let world = trial.forest.plant();
    world.build();
    let operators = super::gate::drawn(&world, &contextpack::record::Reader::Operator, &asked());
    let hidden = (0..trial.may_read.len()).filter(|at| !trial.may_read[*at]);
    assert!(hidden.into_iter().any(|at| operators.contains(&canary(at))));
}

/// What is compared is not nothing: payloads show blocks in all sections, and say so when there are none.
#[test]
fn payloads_of_forests_show_something() {
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = 0;
    for seed in 1..=6 {
        let trial = Trial::new(seed, usize::MAX);
        let world = trial.forest.plant();
        let answers = trial.answers(&Library, &world);
        // What is refused is no payload.
        for payload in answers.iter().filter_map(|answer| serde_json::from_str::<Value>(answer).ok()) {
            let sections = payload["sections"].as_array().unwrap().iter();
            let full = sections.filter(|section| !section["items"].as_array().unwrap().is_empty());
            full.for_each(|section| *shown.entry(section["type"].to_string()).or_default() += 1);
            let warnings = payload["metadata"]["warnings"].as_array().unwrap().iter();
            warnings.for_each(|warning| *shown.entry(warning["code"].to_string()).or_default() += 1);
            count += 1;
        }
    }
    let often = |name: &str| shown.get(&format!("{name:?}")).copied().unwrap_or_default();
    assert!(often("semantic") > count / 6 && often("focus") > count / 12, "{count}: {shown:?}");
    let rare = ["relations", "activity", "history", "NOT_FOUND", "BUDGET_BELOW_FRAME"].map(often);
    assert!(rare.iter().all(|count| *count > 5), "{count}: {shown:?}");
}
