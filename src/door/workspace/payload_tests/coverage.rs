//! What stands in another item is left out, and summaries are asked for and used.

use super::synthetic::*;
use super::*;
use crate::record::BlockType;
use crate::record::workspace::{ContextPayload, ContextRequest, LeftOut, PayloadPart, TruncationStrategy, WarningCode};

/// Ids by section, in the order in which they are printed.
fn shown(payload: &ContextPayload) -> Vec<Vec<&str>> {
    let ids = payload.sections.iter().filter(|section| section.part.holds_blocks());
    ids.map(|section| section.items.iter().map(|item| item.block_id.as_str()).collect()).collect()
}

fn answer(request: &ContextRequest, found: &Found, summaries: &Summaries) -> ContextPayload {
    let payload = payload(request, &profile(), found, summaries);
    let validation = validate(&payload, Some(request), None);
    assert!(validation.valid, "{:?}", validation.errors);
    payload
}

/// A list of two blocks, of which the second stands behind a text of so many sentences.
fn list(count: usize) -> Entry {
    let middle = sentences(3, count);
    let content = format!("- one\n{middle}\n  - two");
    let two = content.len() - "  - two".len()..content.len();
    let block = |id: &str, range| ShownBlock { block_id: id.to_string(), range };
    let blocks = vec![block("list", 0..0), block("one", 0..5), block("two", two)];
    Entry { blocks, ..entry("list", BlockType::List, &content) }
}

#[test]
fn a_block_in_an_earlier_item_is_left_out() {
    let found = found(vec![
        (PayloadPart::Semantic, vec![entry("two", BlockType::ListItem, "two"), entry("b", BlockType::Text, "other")]),
        (PayloadPart::Relations, vec![list(3)]),
        (PayloadPart::Activity, vec![entry("one", BlockType::ListItem, "one"), list(3)]),
    ]);
    let payload = answer(&with_budget(request(), 4000, 900), &found, &Summaries::default());
    assert_eq!(shown(&payload), [vec![], vec!["b"], vec!["list"], vec![]]);
    let covered = |part| payload.metadata.left_out[&part][&LeftOut::Covered];
    assert_eq!((covered(PayloadPart::Semantic), covered(PayloadPart::Activity)), (1, 2));
    assert_eq!(payload.sections[2].items[0].metadata.rank, 1);
    assert_eq!((payload.metadata.blocks_included, payload.metadata.blocks_considered), (2, 5));
    assert!(payload.serialized.contains("### Recent Activity\n\n_No relevant content found._\n"));
}

/// More room for one item never takes away another: what is too long has given up what others show.
#[test]
fn a_block_that_a_long_item_could_show_is_not_left_out() {
    let parts = || {
        vec![
            (PayloadPart::Relations, vec![list(60)]),
            (
                PayloadPart::Semantic,
                vec![entry("two", BlockType::ListItem, "two"), entry("one", BlockType::ListItem, "one")],
            ),
        ]
    };
    let request = ContextRequest { truncation: Some(TruncationStrategy::KeepStart), ..request() };
    for total in [300, 4000] {
        let found = found(parts());
        let payload = answer(&with_budget(request.clone(), total, 2000), &found, &Summaries::default());
        assert_eq!(shown(&payload), [vec![], vec!["two", "one"], vec!["list"], vec![]], "{total}");
    }
}

/// A list whose own text is nothing is not covered as long as one of its items is not.
#[test]
fn all_blocks_of_an_item_have_to_stand_in_others() {
    let mut short = list(2);
    short.blocks.pop();
    short.block_id = "around".to_string();
    let found = found(vec![(PayloadPart::Focus, vec![short]), (PayloadPart::Semantic, vec![list(2)])]);
    let payload = answer(&with_budget(request(), 4000, 900), &found, &Summaries::default());
    assert_eq!(payload.metadata.left_out, [].into());
}

#[test]
fn a_part_that_is_off_covers_nothing() {
    let found = found(vec![(PayloadPart::Focus, vec![list(3)]), (PayloadPart::Semantic, vec![list(3)])]);
    let mut request = with_budget(request(), 4000, 900);
    request.token_budget.focus = Some(0);
    let payload = answer(&request, &found, &Summaries::default());
    assert_eq!(shown(&payload), [vec![], vec!["list"], vec![], vec![]]);
    assert_eq!(payload.metadata.collectors_used, [PayloadPart::Semantic]);
}

fn long_and_short() -> Found {
    let whole = Entry { is_whole: true, ..entry("focus", BlockType::Text, &sentences(9, 90)) };
    let long = [entry("long", BlockType::Text, &sentences(1, 90)), entry("longer", BlockType::Code, &sentences(2, 99))];
    let covered = Entry { blocks: whole.blocks.clone(), ..entry("focus", BlockType::Text, &sentences(9, 90)) };
    let short = entry("short", BlockType::Text, "short");
    found(vec![(PayloadPart::Focus, vec![whole]), (PayloadPart::Semantic, [&long[..], &[covered, short]].concat())])
}

#[test]
fn summaries_are_wanted_of_what_is_cut_and_not_covered() {
    let (found, profile) = (long_and_short(), profile());
    assert_eq!(wanted_summaries(&request(), &profile, &found), []);
    let request = ContextRequest { truncation: Some(TruncationStrategy::Summarize), ..request() };
    let wanted = wanted_summaries(&request, &profile, &found);
    let texts: Vec<&str> = wanted.iter().map(|wanted| wanted.text.as_str()).collect();
    let mut expected = [sentences(1, 90), sentences(2, 99)];
    expected.sort();
    assert_eq!(texts, expected);
    assert!(wanted.iter().all(|wanted| wanted.max_tokens == 250));
}

#[test]
fn a_summary_is_shown_until_the_whole_fits() {
    let found = long_and_short();
    let request = ContextRequest { truncation: Some(TruncationStrategy::Summarize), ..request() };
    let mut summaries = Summaries::default();
    let wanted = WantedSummary { max_tokens: 250, text: sentences(1, 90) };
    summaries.insert(wanted.clone(), "Somebody says that all of this is about tasks and invoices, mostly.".to_string());
    let small = answer(&with_budget(request.clone(), 1200, 2000), &found, &summaries);
    let item = &small.sections[2].items[0];
    assert_eq!(item.content, "Somebody says that all of this is about tasks and invoices, mostly.");
    let truncated = item.metadata.truncated.unwrap();
    assert_eq!((truncated.strategy, truncated.shown_tokens), (TruncationStrategy::Summarize, 15));
    let fallback = small.sections[2].items[1].metadata.truncated.unwrap();
    assert_eq!(fallback.strategy, TruncationStrategy::Extractive);
    let codes: Vec<WarningCode> = small.metadata.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [WarningCode::SummarizerFallback]);
    let large = answer(&with_budget(request.clone(), 9000, 9000), &found, &summaries);
    assert_eq!(large.sections[2].items[0].content, sentences(1, 90));
    assert_eq!(large.metadata.warnings, []);
    summaries.insert(wanted, sentences(7, 90));
    let long = answer(&with_budget(request, 1200, 2000), &found, &summaries);
    let item = &long.sections[2].items[0];
    let truncated = item.metadata.truncated.unwrap();
    assert!(truncated.shown_tokens <= 250 && truncated.strategy == TruncationStrategy::Summarize);
    assert!(item.content.ends_with(" …") && sentences(7, 90).starts_with(item.content.trim_end_matches(" …")));
}

/// What is whole or short at first was never to be summarized, even if it is cut to what is left of the budget.
#[test]
fn only_missing_summaries_are_reported() {
    let request = ContextRequest { truncation: Some(TruncationStrategy::Summarize), ..request() };
    let mut request = with_budget(request, 900, 0);
    (request.token_budget.focus, request.token_budget.semantic) = (Some(100), Some(700));
    let payload = answer(&request, &long_and_short(), &Summaries::default());
    let focus = payload.sections[1].items[0].metadata.truncated.unwrap();
    assert_eq!(focus.strategy, TruncationStrategy::Extractive);
    let messages: Vec<&str> = payload.metadata.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["items without a summary, cut by `extractive`: 2"]);
}

/// A block that holds others, a line for each, and lines of its own before and behind them.
fn around(id: &str, before: &str, inner: &[(&str, String)], behind: &str) -> Entry {
    let (mut content, mut blocks) = (before.to_string(), Vec::new());
    for (id, text) in inner {
        content += if content.is_empty() { "" } else { "\n" };
        blocks.push(ShownBlock { block_id: id.to_string(), range: content.len()..content.len() + text.len() });
        content += text;
    }
    content += behind;
    blocks.insert(0, ShownBlock { block_id: id.to_string(), range: 0..content.len() });
    Entry { blocks, ..entry(id, BlockType::Heading, &content) }
}

#[test]
fn what_is_too_long_gives_up_what_others_show() {
    let text = |at: usize| format!("{at} {}", sentences(at, 40));
    let inner = |count: usize| (0..count).map(|at| (["a", "b", "c"][at], text(at))).collect::<Vec<_>>();
    let shown = |outer: Entry, others: &[usize]| {
        let other = |at: &usize| entry(["a", "b", "c"][*at], BlockType::Text, &text(*at));
        let entries = std::iter::once(outer).chain(others.iter().map(other)).collect();
        let found = found(vec![(PayloadPart::Focus, entries)]);
        let payload = answer(&with_budget(request(), 9000, 9000), &found, &Summaries::default());
        for at in others {
            assert_eq!(payload.serialized.matches(&text(*at)).count(), 1, "{at}");
        }
        let items = payload.sections[1].items.iter();
        items.filter(|item| item.block_id == "h").map(|item| item.content.clone()).collect::<Vec<_>>()
    };
    let heading = || around("h", "Goals", &inner(3), "\nThe end.");
    assert_eq!(shown(heading(), &[0, 1, 2]), ["Goals\nThe end."]);
    assert_eq!(shown(heading(), &[1]), [format!("Goals\n{}\n{}\nThe end.", text(0), text(2))]);
    assert_eq!(shown(around("h", "Goals", &inner(2), ""), &[0, 1]), ["Goals"]);
    assert!(shown(around("h", "", &inner(3), ""), &[0, 1, 2]).is_empty(), "nothing is left of it");
    let whole = Entry { is_whole: true, ..heading() };
    assert_eq!(shown(whole, &[0, 1, 2])[0].len(), heading().content.len(), "it covers the others");
}
