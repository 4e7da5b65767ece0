//! Budgets of briefs: exact for every value, and more never shows less.

use contextpack::door::brief::Brief;
use contextpack::pipeline::BriefSource;
use contextpack::record::brief::{BriefNode, ContextBrief, NodeForm};
use contextpack::text::Tokenizer;
use serde_json::{Value, json};

use super::world::{World, brief, crm, named, request};

/// Another program's count.
fn peer_count(tokenizer: Tokenizer, text: &str) -> u32 {
    let peer = match tokenizer {
        Tokenizer::O200kBase => bpe_openai::o200k_base(),
        Tokenizer::Cl100kBase => bpe_openai::cl100k_base(),
    };
    peer.count(text) as u32
}

const ONLY_NAMES: &str = "Only names and types: the budget is below 500 tokens.";

/// 2. Below 500 tokens: names and types, and a warning.
#[test]
fn small_budgets_show_names_only() {
    let world = World::crm();
    let source = world.source();
    let at = |budget: u32| brief(&source, json!({ "query": "SOC Defender", "maxTokens": budget }));
    for budget in [0, 1, 18, 19, 50, 199, 499] {
        let made = at(budget);
        assert!(peer_count(Tokenizer::O200kBase, &made.markdown) <= budget, "{budget}: {}", made.markdown);
        assert!(made.record.nodes.is_empty(), "{budget}");
        assert_eq!(made.record.meta.warnings, [ONLY_NAMES], "{budget}");
        assert!(!made.markdown.contains("lens general") && !made.markdown.contains("Status"), "{}", made.markdown);
    }
    for budget in [0, 1, 18] {
        assert_eq!(at(budget).markdown, "", "not even the title and the warning fit {budget}");
    }
    let head = format!("# Brief: SOC Defender\n\n{ONLY_NAMES}\n\n");
    assert_eq!(at(19).markdown, head);
    let few = at(50);
    assert!((2..=3).contains(&few.record.overflow.len()), "{}", few.markdown);
    assert!(few.markdown.starts_with(&head) && few.markdown.ends_with(" more\n"), "{}", few.markdown);
    let names = "- SOC Defender [project]\n- Alert triage ends within 5 minutes [note]\n- Kick-off [meeting]\n\
                 - Ada Lovelace [person]\n- Grace Hopper [person]\n";
    assert_eq!(at(199).markdown, format!("{head}{names}"), "all names fit, so nothing is left out");
    assert_eq!(at(499).markdown, at(199).markdown);
    let content = at(500);
    assert_eq!(content.record.nodes.len(), 5);
    assert!(content.record.meta.warnings.is_empty() && content.markdown.contains("Detects and ranks"));
    let output = world.run(&["SOC Defender", "--max-tokens", "0"]);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(String::from_utf8(output.stderr).unwrap().contains(ONLY_NAMES));
}

/// A workspace with a hub, long texts, deep outlines, odd characters and links back and forth.
fn rich() -> Vec<Value> {
    let mut all = crm();
    for at in 0..160u32 {
        let text: String = (0..at % 9)
            .map(|line| format!("Line {line} of note {at}: 日本語 {}\n", "word ".repeat(line as usize)))
            .collect();
        let parent = if at % 3 == 0 { "p1".to_string() } else { format!("n{}", at / 3) };
        let name = match at % 5 {
            0 => format!("Note {at} // with # marks; and `code`"),
            1 => format!("Long {}", "name ".repeat(30)),
            _ => format!("Note {at}"),
        };
        let tags: &[&str] = if at % 4 == 0 { &["task"] } else { &[] };
        all.push(json!({
            "id": format!("n{at}"), "name": name, "text": text, "parent": parent, "tags": tags,
            "fields": { "Due date": [{ "date": "2026-03-01" }], "Links": [{ "ref": format!("n{}", (at * 7) % 160) }] },
            "refs": [format!("n{}", (at * 11) % 160)], "modified": format!("2026-01-{:02}", at % 28 + 1),
        }));
    }
    all
}

const VAULT: &[(&str, &str)] = &[
    (".obsidian/app.json", "{}"),
    (
        "Plan.md",
        "---\ntags: [project, \"a b\"]\nStatus: open\n---\n# Plan\n\nWhy.\n\n```sh\necho '# no heading'\n```\n\n## Steps\n\n1. [[Team]]\n2. [[Nobody]] ^step\n\n### Later\n\n> quoted\n\n## Risks\n\n%% hidden %%\n\ntext\n",
    ),
    ("Team.md", "Ada, Grace. See [[Plan#Steps]].\n\n| a | b |\n| - | - |\n| / | // |\n\n/ a slash\n"),
    ("Notes/Log.md", "- [ ] call [[Team]] 📅 2026-03-01\n- [x] write [[Plan]]\n\n~~~\nopen fence\n"),
];

/// What one request gives at growing budgets. Returns the most tokens that it gave.
fn check_budgets(source: &BriefSource, query: &Value, tokenizer: Tokenizer, budgets: &[u32]) -> u32 {
    let mut last: Option<(u32, ContextBrief)> = None;
    for budget in budgets {
        let mut asked = query.clone();
        asked["maxTokens"] = (*budget).into();
        asked["tokenizer"] = tokenizer.name().into();
        let made = brief(source, asked.clone());
        let used = peer_count(tokenizer, &made.markdown);
        assert!(used <= *budget, "{asked}: {used} tokens\n{}", made.markdown);
        assert_eq!(made.record.meta.tokens.used, used, "{asked}");
        check_counts(&made.record);
        check_shown(&made);
        if let Some((smaller, before)) = &last
            && (*smaller >= 500 || *budget < 500)
        {
            check_grows(before, &made.record, &format!("{asked} after {smaller}"));
        }
        last = Some((*budget, made.record));
    }
    last.map_or(0, |(_, record)| record.meta.tokens.used)
}

/// The record has the nodes that the text shows: each has a line of the text, in the text's own form.
fn check_shown(made: &Brief) {
    let meta_line = |node: &BriefNode| format!("; score {}; ", node.score);
    for node in made.record.nodes.iter().filter(|node| node.unit == node.id) {
        assert!(made.markdown.contains(&meta_line(node)), "{} is not in\n{}", node.id, made.markdown);
    }
    let lines = made.record.nodes.iter().flat_map(|node| node.content.lines());
    for line in lines.filter(|line| !line.trim().is_empty()) {
        assert!(made.markdown.contains(line.trim_end()), "{line:?} is not in\n{}", made.markdown);
    }
    let names = made.markdown.lines().filter(|line| line.starts_with("- ")).count();
    assert!(names >= made.record.overflow.len(), "every named node has a line\n{}", made.markdown);
}

/// Every reached node is shown, named or counted.
fn check_counts(brief: &ContextBrief) {
    let counts = &brief.meta.counts;
    assert_eq!(counts.included as usize, brief.nodes.len());
    assert_eq!(counts.reached, counts.included + counts.omitted + brief.overflow.len() as u32);
    let heads: Vec<&str> =
        brief.nodes.iter().filter(|node| node.form == NodeForm::Head).map(|node| node.id.as_str()).collect();
    assert_eq!(heads, brief.meta.summarized);
    assert!(heads.len() <= 1);
    let ranks: Vec<u32> =
        brief.nodes.iter().map(|node| node.rank).chain(brief.overflow.iter().map(|node| node.rank)).collect();
    assert!(ranks.iter().zip(1..).all(|(rank, at)| *rank == at), "{ranks:?}");
}

/// A larger budget shows what a smaller one shows, and more of the node at its border.
fn check_grows(before: &ContextBrief, after: &ContextBrief, what: &str) {
    let is_prefix = before.nodes.iter().zip(&after.nodes).all(|(a, b)| a.id == b.id && a.shown.lines <= b.shown.lines);
    assert!(is_prefix && before.nodes.len() <= after.nodes.len(), "{what}");
    assert!(named(after).starts_with(&named(before)), "{what}: what is named stays named");
}

/// 9. Random topics, lenses and budgets on all fixtures: never over, by another program's count, and monotone.
#[test]
fn no_budget_is_ever_exceeded() {
    let mut random = Random(1);
    let golden = ["notes_vault", "notes_logseq", "notes_tana", "notes_nodes", "note_briefs"].map(World::of_golden);
    let own = [World::of_nodes(&rich()), World::new(VAULT), World::crm()];
    let (mut requests, mut fullest) = (0, 0);
    for world in own.into_iter().chain(golden) {
        let source = world.source();
        for _ in 0..20 {
            let topic = random.pick(&TOPICS);
            let lens = random.pick(&["general", "writing", "coding", "planning", "meeting-prep"]);
            let tokenizer = random.pick(&Tokenizer::ALL);
            let mut budgets: Vec<u32> = (0..3).map(|_| random.budget()).collect();
            budgets.sort();
            let mut query = json!({ "query": topic, "lens": lens, "depth": random.below(6) });
            if random.below(3) == 0 {
                query["with"] = json!([random.pick(&TOPICS)]);
            }
            fullest = fullest.max(check_budgets(&source, &query, *tokenizer, &budgets));
            requests += budgets.len();
        }
    }
    assert!(requests > 300 && fullest > 9_000, "{requests} requests, at most {fullest} tokens");
}

const TOPICS: [&str; 18] = [
    "SOC Defender",
    "n3",
    "n40",
    "Plan",
    "Team",
    "Plan#Steps",
    "nobody",
    "#task",
    "#person",
    "#project",
    "note word",
    "Kick-off",
    "Ada Lovelace",
    "Links",
    "Feb 10th, 2026",
    "alert triage night shift",
    "c1",
    "Night shift",
];

/// The borders of what fits, token by token.
#[test]
fn every_single_budget_is_kept() {
    let world = World::of_nodes(&rich());
    let source = world.source();
    let query = json!({ "query": "SOC Defender" });
    for range in [480..560u32, 990..1_030] {
        check_budgets(&source, &query, Tokenizer::O200kBase, &range.collect::<Vec<_>>());
    }
    let vault = World::new(VAULT);
    let source = vault.source();
    check_budgets(&source, &json!({ "query": "Plan" }), Tokenizer::Cl100kBase, &(0..640).collect::<Vec<_>>());
}

/// 8. Depth and budget of a request are both kept.
#[test]
fn depth_and_budget_are_both_kept() {
    let world = World::of_nodes(&rich());
    let brief = world.json(&["p1", "--depth", "3", "--max-tokens", "8000"]);
    assert!(brief.nodes.iter().all(|node| node.distance <= 3));
    assert!(brief.overflow.iter().all(|node| node.distance <= 3));
    assert!(world.json(&["p1", "--depth", "3", "--max-tokens", "80k"]).nodes.iter().any(|node| node.distance == 3));
    assert!(brief.meta.tokens.used <= 8_000);
    assert_eq!((brief.meta.depth.asked, brief.meta.depth.walked), (3, 3));
    let shallow = world.json(&["p1", "--depth", "5", "--lens", "writing"]);
    assert_eq!((shallow.meta.depth.asked, shallow.meta.depth.walked), (5, 3), "the lens goes no further");
}

/// 16. However much does not fit: the list stays inside the budget, and its tail counts the rest.
#[test]
fn what_does_not_fit_is_named_or_counted() {
    for count in [91u32, 5_000] {
        let mut all = crm();
        for at in 0..count {
            all.push(json!({ "id": format!("x{at}"), "name": format!("Item {at}"), "parent": "p1", "tags": ["item"],
                "text": "Some words about it. ".repeat(8) }));
        }
        let world = World::of_nodes(&all);
        let source = world.source();
        let made = brief(&source, json!({ "query": "p1", "maxTokens": 900 }));
        assert!(peer_count(Tokenizer::O200kBase, &made.markdown) <= 900);
        let left = made.record.meta.counts.omitted;
        assert!(left > 0 && made.markdown.ends_with(&format!("- and {left} more\n")), "{}", made.markdown);
        assert!(made.markdown.contains("\n## Also related\n- "));
        check_counts(&made.record);
    }
}

/// The node at the border keeps its first lines; a list of changes has room of its own.
#[test]
fn the_node_at_the_border_is_shortened() {
    let lines: String = (0..200).map(|line| format!("Line {line} of a long text.\n")).collect();
    let world = World::of_nodes(&[
        json!({ "id": "a", "name": "A", "text": "Short.", "refs": ["b"] }),
        json!({ "id": "b", "name": "B", "text": lines, "fields": { "State": ["new"] } }),
    ]);
    let source = world.source();
    let made = brief(&source, json!({ "query": "a", "maxTokens": 600 }));
    let border = &made.record.nodes[1];
    assert_eq!((border.form, made.record.meta.summarized.as_slice()), (NodeForm::Head, &["b".to_string()][..]));
    assert!(border.shown.lines > 10 && border.shown.lines < border.shown.of, "{:?}", border.shown);
    assert!(border.content.ends_with("of a long text.") && made.markdown.contains("- **State**: new\n"));
    assert_eq!(request(json!({ "query": "a" })).max_tokens, 4_000);
}

/// splitmix64: the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }

    /// Small ones as often as large ones.
    fn budget(&mut self) -> u32 {
        match self.below(3) {
            0 => self.below(500) as u32,
            1 => 500 + self.below(1_500) as u32,
            _ => self.below(12_000) as u32,
        }
    }
}
