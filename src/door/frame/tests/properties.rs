//! What holds for every request.

use proptest::prelude::*;

use super::framed;
use crate::door::frame::{Claim, FrameOptions, check, frame, normal};
use crate::record::frame::{FrameAnswer, Slot};
use crate::text::thread_seconds;

/// Words and marks that rules look for, put together at random.
const PIECES: &[&str] = &[
    "ログイン",
    "画面",
    "機能",
    "で",
    "を",
    "が",
    "に",
    "の",
    "と",
    "ので",
    "、",
    "。",
    "エラー",
    "落ちる",
    "押す",
    "とき",
    "場合",
    "直して",
    "修正",
    "してください",
    "したい",
    "ように",
    "なぜ",
    "か",
    "ない",
    "ません",
    "「",
    "」",
    "`",
    "(",
    ")",
    "\"",
    "API",
    "500",
    "The ",
    "login ",
    "page ",
    "when ",
    "if ",
    "fails ",
    "to ",
    "not ",
    "but ",
    "because ",
    "so ",
    "fix ",
    "add ",
    "please ",
    "AuthService.login() ",
    "src/a.rs ",
    "on Windows ",
    ", ",
    ". ",
    ": ",
    "; ",
    "? ",
    "\n",
    "## Actual\n",
    "Expected: ",
    "- ",
    "1. ",
    "```\n",
    "    ",
    "é",
    "\u{3099}",
    "\u{feff}",
    "🙂",
    "ｶﾞ",
    "!",
    "！",
    "don't ",
    "it should ",
    "\r\n",
    "**",
    "【現象】",
    "==",
    "C++ ",
];

/// Everything that must hold for an answer.
fn holds(query: &str, answer: &FrameAnswer) {
    let frame = &answer.frame;
    assert_eq!(frame.raw_query, normal(query));
    for slot in Slot::ALL {
        let (value, quote) = (frame.slot(slot), frame.slot_quotes.get(&slot));
        assert_eq!(value.is_some(), quote.is_some());
        let (Some(value), Some(quote)) = (value, quote) else { continue };
        assert!(frame.raw_query.contains(&quote.quote), "{query:?}: {quote:?}");
        let claim = Claim { value, quote: &quote.quote };
        assert_eq!(check(slot, claim, &[&frame.raw_query]), Ok(()), "{query:?}: {slot:?} {value:?}");
    }
    assert_eq!(&frame_again(query), answer);
}

fn frame_again(query: &str) -> FrameAnswer {
    frame(query, &FrameOptions::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn any_request_has_a_frame_that_passes_its_own_check(
        query in prop::collection::vec(prop::sample::select(PIECES), 1..40)
    ) {
        let query = format!("x{}", query.concat());
        holds(&query, &framed(&query));
    }

    #[test]
    fn any_text_has_a_frame_that_passes_its_own_check(query in "\\PC{1,200}") {
        prop_assume!(!query.trim().is_empty());
        holds(&query, &framed(&query));
    }

    #[test]
    fn any_claim_is_judged(value in "\\PC{0,60}", quote in "\\PC{0,60}") {
        let (value, quote) = (normal(&value), normal(&quote));
        let claim = Claim { value: &value, quote: &quote };
        let judged = Slot::ALL.map(|slot| check(slot, claim, &[&quote]));
        prop_assert_eq!(&judged, &Slot::ALL.map(|slot| check(slot, claim, &[&quote])));
    }

    #[test]
    fn a_value_that_is_its_quote_is_right_unless_it_is_generic(quote in "[a-z]{6}[A-Z][a-z]{3} [a-z]{7}") {
        let claim = Claim { value: &quote, quote: &quote };
        prop_assert_eq!(check(Slot::ObservedIssue, claim, &[&quote]), Ok(()));
    }
}

fn seconds(query: &str) -> f64 {
    let runs = (0..3).map(|_| {
        let start = thread_seconds();
        framed(query);
        thread_seconds() - start
    });
    runs.fold(f64::INFINITY, f64::min)
}

/// Eight times the text may take ten times as long.
#[test]
fn time_grows_with_the_length_of_the_request() {
    let of = |piece: &str, bytes: usize| {
        let mut text = piece.repeat(bytes / piece.len());
        text.insert(0, 'x');
        text
    };
    framed("warm up ログインが落ちる");
    for piece in [
        "保存ボタンを押すと画面が固まるので直してほしい。\n",
        "When I save the file, the app crashes; fix it. ",
        "(",
        "「",
        "`a",
        "ログインの",
        "a, ",
        "when ",
        "## Actual\n\nit fails\n",
        "んですが",
        "できない",
    ] {
        let (short, long) = (seconds(&of(piece, 16 << 10)), seconds(&of(piece, (128 << 10) - 8)));
        assert!(long <= short.max(0.01) * 10.0, "{piece:?}: {short} s, {long} s");
    }
}
