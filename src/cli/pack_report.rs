//! What `contextpack pack` reports on standard error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::RootArguments;
use super::pack::Output;
use crate::door::pack::explained as reason;
use crate::record::pack::{CapReport, ContextPack, DropReason, FeaturePoints, Found, Item, Seed, TreeState};
use crate::record::request::Budgets;
use crate::record::{ChunkUid, ProblemCode, Severity, last_name};
use crate::text::{counted, shell_word};

/// What was printed, what is not known, and what to do next.
pub fn closing(pack: &ContextPack, output: Output, root: &RootArguments, index: &Path) -> String {
    let items = || pack.sections.iter().flat_map(|section| &section.items);
    let files: BTreeSet<_> = items().map(|item| &item.file_rel_path).collect();
    let used = pack.stats.rendered_tokens;
    let used = if output == Output::Xml { used.xml } else { used.markdown };
    let mut text = format!(
        "pack: {} of {}, {used} of {} tokens, from the index in `{}`\n",
        counted(items().count(), "item"),
        counted(files.len(), "file"),
        pack.budgets.max_total_tokens,
        index.display(),
    );
    if pack.receipt.tree == TreeState::Changed {
        text +=
            "pack: the tree has changed since the index was built (without --no-refresh it is brought up to date)\n";
    }
    text.extend(pack.notices.iter().map(|notice| format!("pack: {notice}\n")));
    text.extend(ended_by(pack).map(|cap| format!("pack: {cap}\n")));
    text.extend(unread(pack).map(|unread| format!("pack: {unread}; `contextpack doctor` says which\n")));
    if files.is_empty() {
        return text + &nothing(pack);
    }
    let of = flags(root);
    text + "next: --explain shows why these items, --max-tokens N changes the size, --focus PATH asks inside a file\n"
        + &format!("      contextpack show NAME{of}            who calls it, what it calls, its tests\n")
        + &format!("      … --json > pack.json && contextpack why-not pack.json PATH{of}")
}

/// The cap on items that left something out, if one did; the line above tells of tokens.
fn ended_by(pack: &ContextPack) -> Option<String> {
    let budgets = &pack.budgets;
    let dropped = |reason: DropReason| pack.stats.dropped.get(&reason).copied().unwrap_or(0);
    let count = pack.stats.items.values().sum::<u32>();
    if count >= budgets.max_items && dropped(DropReason::Budget) > 0 {
        let most = Budgets::MAX_ITEMS;
        let hint = if budgets.max_items < most { format!(" (--max-items N, at most {most})") } else { String::new() };
        return Some(format!(
            "maxItems of {count} ended it and left {} candidates out{hint}",
            dropped(DropReason::Budget)
        ));
    }
    let weak = dropped(DropReason::BelowFloor);
    if weak > 0 && dropped(DropReason::Budget) == 0 {
        return Some(format!("it ends where the evidence ends; {weak} candidates have too little of the query"));
    }
    let left_out = dropped(DropReason::SectionFull);
    (left_out > 0).then(|| {
        let limit = budgets.max_items_per_section;
        format!("maxItemsPerSection of {limit} left {left_out} candidates out (--max-items-per-section N)")
    })
}

/// What names the same index in another command.
fn flags(root: &RootArguments) -> String {
    let repo = root.repo.as_ref().map(|repo| format!(" --repo {}", shell_word(repo)));
    let index = root.index.as_ref().map(|index| format!(" --index {}", shell_word(index)));
    repo.unwrap_or_default() + &index.unwrap_or_default()
}

/// Files that could not be read or analysed, if there are any: the answer may be in one of them.
fn unread(pack: &ContextPack) -> Option<String> {
    let is_error = |code: &str| {
        serde_json::from_value(code.into()).is_ok_and(|code: ProblemCode| code.severity() == Severity::Error)
    };
    let broken = pack.receipt.files.skipped.iter().filter(|(code, _)| is_error(code));
    let broken: Vec<String> = broken.map(|(code, count)| format!("{count} {code}")).collect();
    (!broken.is_empty()).then(|| format!("some files could not be read ({})", broken.join(", ")))
}

/// Why there is nothing, and what may help.
fn nothing(pack: &ContextPack) -> String {
    let terms = pack.explain.as_ref().map_or(0, |explain| explain.query.matched_chunks);
    match () {
        () if pack.receipt.files.seen == 0 => "next: the tree has no files; is it the right one?".to_string(),
        () if terms > 0 => "next: --max-tokens N with more tokens; nothing fits so few".to_string(),
        () => "next: try other words: identifiers, file names and error texts of this tree, or English".to_string(),
    }
}

/// Why each item is in the pack, one line per item in the order of selection.
pub fn explained(pack: &ContextPack) -> String {
    let Some(explain) = &pack.explain else { return LEFT_OUT.to_string() };
    let mut text = String::new();
    if !explain.query.matched_names.is_empty() {
        text += &format!("pack: names found, with the number of places: {}\n", found(&explain.query.matched_names));
    }
    for item in pack.items() {
        let (path, lines) = (&item.file_rel_path, item.lines);
        text += &format!("pack: {path}:{}-{}: {}\n", lines.start, lines.end, reason(pack, item));
    }
    let of_pack: Vec<CapReport> = explain.caps.iter().filter(|cap| cap.scope == "pack").cloned().collect();
    text.extend(caps(&of_pack).iter().map(|cap| format!("pack: {cap}\n")));
    text
}

const LEFT_OUT: &str = "pack: the request leaves the explanation out";

/// The same, and the numbers behind the ranking, one fact per line.
pub fn with_features(pack: &ContextPack) -> String {
    let Some(explain) = &pack.explain else { return LEFT_OUT.to_string() };
    let query = &explain.query;
    let mut text = explained(pack) + &format!("pack: {}\n", pack.pack_id);
    text += &format!(
        "pack: {} chunks hold a term of the query; the rarest: {}\n",
        query.matched_chunks,
        found(&query.terms)
    );
    let translated = query.translated.iter().map(|one| format!("{} as {}", one.word, one.to.join(", ")));
    text.extend(fact("translated", &translated.collect::<Vec<_>>()));
    text.extend(fact("not in this tree", &query.absent));
    text.extend(fact("words that are not in this tree", &query.unknown_words));
    text.extend(fact("weak match: only these words were found", query.weak.as_deref().unwrap_or_default()));
    let edges: Vec<String> = explain.edges_walked.iter().map(|(edge, count)| format!("{count} {edge}")).collect();
    text += &format!("pack: edges walked: {}\n", edges.join(", "));
    let items: BTreeMap<ChunkUid, &Item> = pack.items().into_iter().map(|item| (item.chunk_uid, item)).collect();
    let seeds = pack.seeds.iter().map(|seed| explained_seed(seed, items.get(&seed.chunk_uid).copied()));
    text.extend(seeds.map(|seed| format!("pack: {seed}\n")));
    let of_walk: Vec<CapReport> = explain.caps.iter().filter(|cap| cap.scope != "pack").cloned().collect();
    text.extend(caps(&of_walk).iter().map(|cap| format!("pack: {cap}\n")));
    let used = pack.stats.rendered_tokens;
    text + &format!(
        "pack: {} tokens as markdown, {} as xml, of {}\n",
        used.markdown, used.xml, pack.budgets.max_total_tokens
    )
}

/// A line, unless there is nothing to say.
fn fact(what: &str, all: &[String]) -> Option<String> {
    (!all.is_empty()).then(|| format!("pack: {what}: {}\n", all.join(", ")))
}

fn found(all: &[Found]) -> String {
    match all.is_empty() {
        true => "nothing".to_string(),
        false => all.iter().map(|one| format!("{} ({})", one.what, one.chunks)).collect::<Vec<_>>().join(", "),
    }
}

/// Below so many thousandths a feature decides nothing; the pack's JSON has them all.
const SMALL_POINTS: i32 = 100;

/// What moved its odds the most, more or less than those of the mean hit.
fn explained_seed(seed: &Seed, item: Option<&Item>) -> String {
    let told = seed.features.iter().filter(|of| of.points.abs() >= SMALL_POINTS);
    let told = told.map(|FeaturePoints { feature, points }| format!("{feature} {:+.1}", f64::from(*points) / 1e3));
    let lines = item.map(|item| format!(":{}-{}", item.lines.start, item.lines.end)).unwrap_or_default();
    let name = seed.symbol_id.as_ref().map(|symbol| format!(" {}", last_name(symbol.as_str()))).unwrap_or_default();
    let told = told.collect::<Vec<_>>().join(", ");
    format!("seed {} {}{lines}{name}: {told}", seed.score, seed.file_rel_path)
}

/// A cap that applied at many places is reported once, with the place where it omitted the most.
fn caps(all: &[CapReport]) -> Vec<String> {
    let mut by_cap: BTreeMap<(&str, u32), Vec<&CapReport>> = BTreeMap::new();
    for cap in all {
        by_cap.entry((&cap.cap, cap.limit)).or_default().push(cap);
    }
    let told = |((cap, limit), reports): ((&str, u32), Vec<&CapReport>)| {
        let omitted: u32 = reports.iter().map(|report| report.omitted).sum();
        let most = reports.iter().max_by_key(|report| (report.omitted, std::cmp::Reverse(&report.scope)));
        match (reports.len(), most) {
            (2.., Some(most)) => format!(
                "{cap} of {limit} left {omitted} out at {} places, the most, {}, at {}",
                reports.len(),
                most.omitted,
                most.scope
            ),
            _ => format!("{cap} of {limit} left {omitted} out"),
        }
    };
    by_cap.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::root::ReaderArguments;
    use super::*;

    fn some_pack() -> ContextPack {
        let packs = include_str!("../../golden/pack_answer/expected/context_packs.jsonl");
        serde_json::from_str(packs.lines().next().expect("it has packs")).expect("a golden pack can be read")
    }

    fn arguments(repo: Option<&str>, index: Option<&str>) -> RootArguments {
        let (repo, index) = (repo.map(PathBuf::from), index.map(PathBuf::from));
        RootArguments { repo, index, reader: ReaderArguments::default(), quiet: false }
    }

    #[test]
    fn the_next_steps_name_the_same_tree_and_index() {
        assert_eq!(flags(&arguments(None, None)), "");
        assert_eq!(flags(&arguments(Some("a b"), None)), " --repo 'a b'");
        assert_eq!(flags(&arguments(None, Some("i"))), " --index i");
        assert_eq!(flags(&arguments(Some("."), Some("i"))), " --repo . --index i");
        let said = closing(&some_pack(), Output::Markdown, &arguments(Some("shop"), None), Path::new("index"));
        assert!(said.contains("\n      contextpack show NAME --repo shop "), "{said}");
        assert!(said.ends_with("contextpack why-not pack.json PATH --repo shop"), "{said}");
    }

    #[test]
    fn a_stale_tree_and_files_that_were_not_read_are_said() {
        let mut pack = some_pack();
        let said = |pack: &ContextPack| closing(pack, Output::Markdown, &arguments(None, None), Path::new("index"));
        assert!(!said(&pack).contains("has changed") && !said(&pack).contains("could not be read"));
        pack.receipt.tree = TreeState::Changed;
        pack.receipt.files.skipped.insert("unreadable".to_string(), 2);
        assert!(said(&pack).contains("the tree has changed since"), "{}", said(&pack));
        assert!(said(&pack).contains("some files could not be read (2 unreadable)"), "{}", said(&pack));
    }

    #[test]
    fn an_empty_pack_says_what_may_help() {
        let mut pack = some_pack();
        pack.sections.clear();
        assert!(nothing(&pack).contains("more tokens"), "something matched");
        pack.explain.as_mut().expect("it is explained").query.matched_chunks = 0;
        assert!(nothing(&pack).contains("other words"), "nothing matched");
        pack.receipt.files.seen = 0;
        assert!(nothing(&pack).contains("the tree has no files"));
    }
}
