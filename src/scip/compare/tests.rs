//! One tree: `lib.ts` defines, `app.ts` names. Each test claims something at the one place of `app.ts`.

use ::scip::types;

use super::{Cause, Claim, ClaimedTarget, Comparison, Settings, compare};
use crate::record::{Role, Score};
use crate::scip::tests::world::{DEFINITION, REFERENCE, document, index, occurrence, own, path};
use crate::scip::{Location, SymbolKind};

fn lib(line: u32, column: u32) -> Location {
    Location { file: path("lib.ts"), line, column }
}

fn app(line: u32, column: u32) -> Location {
    Location { file: path("app.ts"), line, column }
}

fn target(place: Location, percent: u32) -> ClaimedTarget {
    ClaimedTarget { places: vec![place], confidence: Score::percent(percent) }
}

fn claim(place: Location, targets: Vec<ClaimedTarget>) -> Claim {
    Claim { place, name: "run".into(), role: Role::Call, targets, cause: "because".into() }
}

/// `symbol` is named at `app.ts` line 5, columns 8 to 13; `lib.ts` has what it may mean.
fn naming(symbols: &[&str], claims: &[Claim]) -> Comparison {
    let documents = vec![
        document("lib.ts", definitions()),
        document("app.ts", symbols.iter().map(|symbol| occurrence(4, 8, 13, symbol, REFERENCE)).collect()),
    ];
    compare(&index(documents), claims, [lib(1, 9), lib(3, 6), lib(9, 6)], &Settings::default())
}

fn definitions() -> Vec<types::Occurrence> {
    vec![
        occurrence(0, 0, 0, &own("`lib.ts`/"), DEFINITION),
        occurrence(0, 9, 12, &own("`lib.ts`/run()."), DEFINITION),
        occurrence(1, 9, 12, &own("`lib.ts`/run()."), DEFINITION),
        occurrence(2, 6, 9, &own("`lib.ts`/Run#"), DEFINITION),
        occurrence(3, 2, 13, &own("`lib.ts`/Run#`<constructor>`()."), DEFINITION),
        occurrence(3, 14, 15, &own("`lib.ts`/Run#`<constructor>`().(a)"), DEFINITION),
        occurrence(5, 4, 8, &own("`lib.ts`/inner0:"), DEFINITION),
    ]
}

#[track_caller]
fn finds(symbol: &str, place: Location) {
    let found = naming(&[&own(symbol)], &[claim(app(5, 8), vec![target(place, 50)])]);
    assert_eq!((found.places.total, found.places.found), (1, 1), "{found}");
    assert_eq!((found.claims.right, found.claims.wrong), (1, 0), "{found}");
    assert!(found.missed.is_empty());
}

#[track_caller]
fn misses(symbol: &str, claims: &[Claim], cause: Cause) -> Comparison {
    let missed = naming(&[&own(symbol)], claims);
    assert_eq!((missed.places.total, missed.places.found), (1, 0), "{missed}");
    assert_eq!(missed.missed.iter().map(|missed| (missed.cause, missed.count)).collect::<Vec<_>>(), [(cause, 1)]);
    missed
}

const RUN: &str = "`lib.ts`/run().";

#[test]
fn a_target_at_any_of_the_definitions_is_found() {
    finds(RUN, lib(1, 9));
    finds(RUN, lib(2, 9));
}

#[test]
fn a_module_is_its_file() {
    finds("`lib.ts`/", Location::of_file(&path("lib.ts")));
}

#[test]
fn a_constructor_is_found_by_its_type_too() {
    finds("`lib.ts`/Run#`<constructor>`().", lib(4, 2));
    finds("`lib.ts`/Run#`<constructor>`().", lib(3, 6));
}

#[test]
fn a_claim_inside_an_occurrence_is_at_its_place() {
    let found = naming(&[&own(RUN)], &[claim(app(5, 12), vec![target(lib(1, 9), 90)])]);
    assert_eq!(found.places.found, 1);
    let missed = naming(&[&own(RUN)], &[claim(app(5, 13), vec![target(lib(1, 9), 90)])]);
    assert_eq!((missed.places.found, missed.unchecked.no_occurrence), (0, 1));
}

#[test]
fn misses_have_a_cause() {
    misses(RUN, &[], Cause::NoReference);
    misses(RUN, &[claim(app(5, 8), vec![])], Cause::Unresolved);
    misses(RUN, &[claim(app(5, 8), vec![target(lib(1, 9), 49), target(lib(3, 6), 49)])], Cause::BelowThreshold);
    misses("`lib.ts`/inner0:", &[claim(app(5, 8), vec![target(lib(1, 9), 90)])], Cause::NoSymbol);
    let wrong = misses(RUN, &[claim(app(5, 8), vec![target(lib(3, 6), 90)])], Cause::WrongTarget);
    assert_eq!((wrong.claims.right, wrong.claims.wrong), (0, 1));
    assert_eq!(wrong.wrong[0].expected, Some(lib(1, 9)));
}

/// Line 9 of `lib.ts` defines `run` again, which the index calls a reference to the first.
fn redefining(claims: &[Claim], ours: Vec<Location>) -> Comparison {
    let mut occurrences = definitions();
    occurrences.push(occurrence(8, 6, 9, &own(RUN), REFERENCE));
    let naming = document("app.ts", vec![occurrence(4, 8, 13, &own(RUN), REFERENCE)]);
    compare(&index(vec![document("lib.ts", occurrences), naming]), claims, ours, &Settings::default())
}

#[test]
fn a_place_that_is_a_definition_of_ours_is_told_apart() {
    let missed = redefining(&[], vec![lib(1, 9), lib(9, 6)]);
    assert_eq!(missed.missed[0].cause, Cause::Definition);
    assert_eq!(missed.missed[1].cause, Cause::NoReference);
}

#[test]
fn a_claim_of_a_later_definition_is_right() {
    let claims = [claim(app(5, 8), vec![target(lib(9, 6), 90)])];
    assert_eq!(redefining(&claims, vec![lib(1, 9), lib(9, 6)]).claims.right, 1);
    assert_eq!(redefining(&claims, vec![lib(1, 9)]).claims.wrong, 1);
}

#[test]
fn several_symbols_at_a_place_are_one_answer() {
    let symbols = [&*own(RUN), &*own("`lib.ts`/Run#"), "local 1"];
    let found = naming(&symbols, &[claim(app(5, 8), vec![target(lib(3, 6), 90)])]);
    assert_eq!((found.places.total, found.places.found, found.claims.right), (1, 1, 1));
}

#[test]
fn several_references_of_ours_at_a_place_are_one_claim() {
    let once = claim(app(5, 8), vec![target(lib(1, 9), 90)]);
    let found = naming(&[&own(RUN)], &[once.clone(), Claim { role: Role::Use, ..once }]);
    assert_eq!((found.places.found, found.claims.right), (1, 1));
}

#[test]
fn a_flow_is_no_claim_on_its_place() {
    let flow = Claim { role: Role::Flow, ..claim(app(5, 8), vec![target(lib(1, 9), 90)]) };
    let missed = misses(RUN, &[flow], Cause::NoReference);
    assert_eq!(missed.claims.right, 0);
}

#[test]
fn locals_and_parameters_are_not_looked_for_but_contradict() {
    for symbol in ["`lib.ts`/Run#`<constructor>`().(a)", "`lib.ts`/run().[T]"] {
        let compared = naming(&[&own(symbol)], &[]);
        assert_eq!(compared.places.total, 0, "{symbol}");
    }
    let documents = vec![
        document("lib.ts", definitions()),
        document("app.ts", vec![occurrence(1, 6, 7, "local 1", DEFINITION), occurrence(4, 8, 9, "local 1", REFERENCE)]),
    ];
    let claims = |place| [claim(app(5, 8), vec![target(place, 90)])];
    let compared = |place| compare(&index(documents.clone()), &claims(place), [], &Settings::default());
    assert_eq!((compared(lib(1, 9)).claims.wrong, compared(app(2, 6)).claims.right), (1, 1));
    assert_eq!(compared(lib(1, 9)).places.total, 0);
}

#[test]
fn what_is_outside_contradicts_a_claim() {
    let outside = "test npm typescript 5.0.0 `lib.d.ts`/Set#";
    let wrong = naming(&[outside], &[claim(app(5, 8), vec![target(lib(1, 9), 90)])]);
    assert_eq!((wrong.places.total, wrong.claims.wrong), (0, 1));
    assert_eq!(wrong.wrong[0].expected, None);
}

#[test]
fn what_the_index_did_not_find_checks_nothing() {
    for symbol in [&*own("exceptions/__init__:"), "local 7"] {
        let unchecked = naming(&[symbol], &[claim(app(5, 8), vec![target(lib(1, 9), 90)])]);
        assert_eq!((unchecked.claims.wrong, unchecked.unchecked.no_definition), (0, 1));
    }
}

#[test]
fn a_file_that_the_index_does_not_have_checks_nothing() {
    let elsewhere = Location { file: path("other.ts"), line: 1, column: 0 };
    let unchecked = naming(&[&own(RUN)], &[claim(elsewhere, vec![target(lib(1, 9), 90)])]);
    assert_eq!(unchecked.unchecked.no_document, 1);
}

#[test]
fn like_misses_are_counted_together_and_capped() {
    let places = (0..30).map(|line| match line % 3 {
        0 => occurrence(line, 0, 3, &own(RUN), REFERENCE),
        _ => occurrence(line, 0, 3, &own("`lib.ts`/Run#"), REFERENCE),
    });
    let documents = vec![document("lib.ts", definitions()), document("app.ts", places.collect())];
    let settings = Settings { max_examples: 1, ..Settings::default() };
    let compared = compare(&index(documents), &[], [lib(1, 9), lib(3, 6)], &settings);
    assert_eq!(compared.missed[0].count, 30);
    assert_eq!(compared.missed[0].examples.len(), 1);
    assert_eq!((compared.missed[0].examples[0].count, &compared.missed[0].examples[0].at), (20, &app(2, 0)));
    assert_eq!(compared.places_by_kind[&SymbolKind::Type].total, 20);
}

#[test]
fn reads_well() {
    let read = misses(RUN, &[claim(app(5, 8), vec![target(lib(3, 6), 90)])], Cause::WrongTarget);
    let expected = "\
against test 1, at confidence 0.5 and up

places found             0 of       1    0.0 %
  function               0 of       1    0.0 %

claims right             0 of       1    0.0 %
  call                   0 of       1    0.0 %

missed: another target (1)
       1 app.ts:5 run -> lib.ts:1, not lib.ts:3 (because)

wrong (1)
       1 app.ts:5 run -> lib.ts:1, not lib.ts:3 (because; test npm app 1.0.0 `lib.ts`/run().)
";
    assert_eq!(read.to_string(), expected);
    let json = serde_json::to_value(&read).unwrap();
    assert_eq!(json["missed"][0]["cause"], "wrongTarget");
    assert_eq!(json["claimsByRole"]["call"]["wrong"], 1);
    assert_eq!(json["wrong"][0]["expected"]["line"], 1);
}
