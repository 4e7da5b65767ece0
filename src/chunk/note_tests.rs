//! What pages of notes give: items, mentions, problems, and the same promises as every other text.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::tests::assert_covers;
use super::*;
use crate::dialect::note::{LogseqRules, RecordedDates, VaultRules};
use crate::record::{Date, Field, Lines, Reference};
use crate::text::thread_seconds;

fn read_as(path: &str, text: &str, notes: NoteSource, max_chunk_bytes: usize) -> Chunked {
    let languages = Languages::of_run(&[]).unwrap();
    let path = RepoPath::try_from(path.to_string()).unwrap();
    let source = Source { path: &path, text, language: languages.detect(&path, text), notes: Some(&notes) };
    let config = Config { max_chunk_bytes, ..Config::default() };
    let chunked = chunk(&source, &languages, &config, &BTreeSet::new());
    assert_covers(text, &chunked, max_chunk_bytes);
    assert_items(&chunked);
    chunked
}

/// Every item but the page has a symbol and a parent that comes before it, and no node twice.
fn assert_items(chunked: &Chunked) {
    let symbols: BTreeSet<&str> = chunked.symbols.iter().map(|symbol| symbol.symbol_id.as_str()).collect();
    let mut known = BTreeSet::new();
    for (at, item) in chunked.items.iter().enumerate() {
        let parent = item.parent.as_ref().map(|parent| parent.as_str());
        assert_eq!(at == 0, parent.is_none());
        assert!(parent.is_none_or(|parent| known.contains(parent)), "{parent:?} is not before {item:?}");
        assert!(at == 0 || symbols.contains(item.node_id.as_str()), "{item:?} has no symbol");
        assert!(known.insert(item.node_id.as_str()), "{} is there twice", item.node_id);
    }
}

fn vault(text: &str) -> Chunked {
    read_as("Notes/Page.md", text, NoteSource::Vault(VaultRules::default()), 4096)
}

fn lines(lines: Option<Lines>) -> String {
    lines.map_or("-".to_string(), |lines| format!("{}-{}", lines.start, lines.end))
}

/// Each item as `order depth kind title < parent's order: head body`, with its tags and fields.
fn items(chunked: &Chunked) -> Vec<String> {
    let place = |item: &Item| chunked.items.iter().find(|other| Some(&other.node_id) == item.parent.as_ref());
    let draw = |item: &Item| {
        let Item { order, depth, kind, title, .. } = item;
        let parent = place(item).map(|parent| format!(" < {}", parent.order)).unwrap_or_default();
        let tags: String = item.tags.iter().map(|tag| format!(" #{tag}")).collect();
        let shown =
            item.fields.iter().filter(|field| field.name != Field::WHITE_LINES && field.name != Field::HIDDEN_LINES);
        let values = |field: &Field| field.values.iter().map(|value| value.as_str()).collect::<Vec<_>>().join("|");
        let fields: String = shown.map(|field| format!(" {}={}", field.name, values(field))).collect();
        format!("{order} {depth} {kind} {title}{parent}: {} {}{tags}{fields}", lines(item.head), lines(item.body))
    };
    chunked.items.iter().map(draw).collect()
}

/// Each reference as `role name`, with its receiver before `::`.
fn mentions(chunked: &Chunked) -> Vec<String> {
    let draw = |reference: &Reference| {
        let role = serde_json::to_value(reference.role).unwrap();
        let receiver = reference.receiver.as_ref().map(|receiver| format!("{receiver}::")).unwrap_or_default();
        format!("{} {receiver}{}", role.as_str().unwrap(), reference.name)
    };
    chunked.references.iter().flat_map(|record| record.references.iter().map(draw)).collect()
}

fn problems(chunked: &Chunked) -> Vec<String> {
    chunked
        .problems
        .iter()
        .map(|problem| format!("{} {}: {}", problem.code, lines(problem.lines), problem.message))
        .collect()
}

#[test]
fn a_page_is_its_file() {
    let found = vault("Intro with [[A]].\n\n# One\n\ntext #x\n\n## Two\n\n[[B|b]]\n\n# Three\n");
    assert_eq!(
        items(&found),
        [
            "0 0 page Page: - 1-11 #x",
            "1 1 section One < 0: 3-3 5-9 #x",
            "2 2 section Two < 1: 7-7 9-9",
            "3 1 section Three < 0: 11-11 -",
        ]
    );
    let page = &found.items[0];
    assert_eq!(page.node_id.as_str(), "scip:contextpack . . . Notes/`Page.md`/");
    assert_eq!((page.source_id.as_str(), page.unit), ("Notes/Page", true));
    assert_eq!(found.items[2].source_id, "Notes/Page#Two");
    assert_eq!(found.chunks[0].symbol_id, None, "text before all headings is the page's");
    assert_eq!(mentions(&found), ["link A", "tag x", "link B"]);
}

#[test]
fn the_section_of_the_title_is_the_page() {
    let found = vault("# Other\n\n# PAGE\n\nown [[A]]\n\n## Sub\n\ntext\n");
    assert_eq!(items(&found), ["0 0 page Page: - 1-9", "1 1 section Other < 0: 1-1 -", "2 2 section Sub < 0: 7-7 9-9"]);
    let own = found.chunks.iter().find(|chunk| chunk.text.contains("own")).unwrap();
    assert_eq!(own.symbol_id, None);
    let hidden = found.items[0].field(Field::HIDDEN_LINES).unwrap();
    assert_eq!((hidden[0].line, hidden[0].as_str()), (Some(3), "3"));
}

#[test]
fn front_matter_gives_names_tags_fields_and_dates() {
    let text = "---\ntitle: The Page\naliases: [P, \"Q r\"]\ntags: \"#a, b/c\"\nowner: \"[[Ada|A.]]\"\nwith: [[Bob]]\n\
                team:\n  - \"[[Eve]]\"\n  - [[Zoë]]\n  - nobody\ndeep:\n  one: 1\n  two: 2026-01-02\nempty:\ncreated: 2025-12-01\n\
                modified: 2026-01-03T10:00\ncover: \"[[a.png]]\"\n---\nText.\n";
    for text in [text.to_string(), text.replace('\n', "\r\n")] {
        let found = vault(&text);
        assert_eq!(
            items(&found),
            ["0 0 page Page: 1-18 19-19 #a #b/c owner=A. with=Bob team=Eve|Zoë|nobody deep.one=1 deep.two=2026-01-02 \
              created=2025-12-01 modified=2026-01-03T10:00 cover=a.png attachments=a.png"]
        );
        let page = &found.items[0];
        assert_eq!(page.aliases, ["P", "Q r", "The Page"]);
        assert_eq!(page.created.as_ref().map(|date| date.as_str()), Some("2025-12-01"));
        assert_eq!(page.modified.as_ref().map(|date| date.as_str()), Some("2026-01-03T10:00:00Z"));
        assert_eq!(page.field("deep.two").unwrap()[0].date.as_ref().map(|date| date.as_str()), Some("2026-01-02"));
        let mut found = mentions(&found);
        found.sort();
        assert_eq!(
            found,
            ["field owner::Ada", "field team::Eve", "field team::Zoë", "field with::Bob", "tag a", "tag b", "tag b/c"]
        );
    }
}

#[test]
fn front_matter_that_cannot_be_read_stays_text() {
    let found = vault("---\ntitle: \"open\n---\n[[A]]\n");
    assert_eq!(
        problems(&found),
        ["itemData 2-2: the front matter cannot be read: a quote is not closed, or its next lines are not indented"]
    );
    assert_eq!(mentions(&found), ["link A"]);
    assert!(found.chunks[0].text.starts_with("---\n"));
    let found = vault("---\nnever: closed\n\n# A\n");
    assert_eq!(items(&found).len(), 2);
}

#[test]
fn blocks_with_ids_are_in_their_section() {
    let text = "para one\nline two ^p1\n\n# A\n\n- item ^i1\n  - inner ^i2\n- [ ] other 📅 2026-01-02 ^i3\n\n> quote\n\n^q1\n\ntext ^p1\n";
    let found = vault(text);
    assert_eq!(
        items(&found),
        [
            "0 0 page Page: - 1-14",
            "1 1 block para one < 0: 1-2 -",
            "2 1 section A < 0: 4-4 6-14",
            "3 2 block item < 2: 6-7 -",
            "4 3 block inner < 3: 7-7 -",
            "5 2 block other 📅 2026-01-02 < 2: 8-8 - task=todo due=2026-01-02",
            "6 2 block quote < 2: 10-10 -",
            "7 2 block text < 2: 14-14 -",
        ]
    );
    let block = &found.items[1];
    assert_eq!(block.node_id.as_str(), "scip:contextpack . . . Notes/`Page.md`/`^p1`:");
    assert_eq!(block.source_id, "^p1");
    assert_eq!(
        (found.items[5].done, found.items[5].due.as_ref().map(|date| date.as_str())),
        (Some(false), Some("2026-01-02"))
    );
    assert_eq!(found.items[7].node_id.as_str(), "scip:contextpack . . . Notes/`Page.md`/`^p1+1`:");
    assert_eq!(problems(&found), ["itemDuplicate 14-14: the id `^p1` is given to two blocks of this page"]);
    assert_eq!(found.chunks.len(), 2, "blocks stay in the chunks around them");
}

#[test]
fn markdown_links_lead_to_notes_files_or_code() {
    let text = "[a](B.md) [b](<C d.md>) [c](E%20f.md#G%20h) ![i](img/x.png) [p](doc.pdf) [s](src/x.py) [h](#Top)\n\
                [e](https://x.y/z.md) ![[F]] [k:: [z](Z.md)] `code`\n";
    let found = vault(text);
    let mut mentioned = mentions(&found);
    mentioned.sort();
    assert_eq!(
        mentioned,
        [
            "embed F",
            "field k::Z.md",
            "import x.py",
            "link #Top",
            "link B.md",
            "link C d.md",
            "link E f.md#G h",
            "use code"
        ]
    );
    assert_eq!(items(&found), ["0 0 page Page: - 1-2 attachments=img/x.png|doc.pdf k=[z](Z.md)"]);
}

#[test]
fn comments_and_data_of_plugins_are_hidden() {
    let text = "a\n%%\nsecret [[X]]\n%%\nb %% c %% d\n\n```dataview\nLIST FROM [[Y]]\n```\n\n<!-- x\ny --> z\n";
    let found = vault(text);
    let hidden = found.items[0].field(Field::HIDDEN_LINES).unwrap();
    let hidden: Vec<_> = hidden.iter().map(|value| format!("{}-{}", value.line_or_first(), value.as_str())).collect();
    assert_eq!(hidden, ["2-4", "7-9", "11-11"]);
    assert!(mentions(&found).is_empty());
}

#[test]
fn daily_notes_templates_and_recorded_dates() {
    let rules = VaultRules {
        root: "vault/".to_string(),
        templates: Some("Templates".to_string()),
        daily_folder: Some("Daily".to_string()),
        daily_format: Some("YYYY/MMMM/YYYY-MM-DD".to_string()),
        recorded: RecordedDates { created: None, modified: Date::try_from("2026-03-01".to_string()).ok() },
    };
    let read = |path: &str, text: &str| read_as(path, text, NoteSource::Vault(rules.clone()), 4096).items.remove(0);
    let dates = |item: &Item| {
        [&item.created, &item.modified].map(|date| date.as_ref().map_or("-".to_string(), |date| date.to_string()))
    };
    let daily = read("vault/Daily/2026/February/2026-02-03.md", "x\n");
    assert_eq!(dates(&daily), ["2026-02-03", "2026-03-01"]);
    assert_eq!((daily.title.as_str(), daily.source_id.as_str()), ("2026-02-03", "Daily/2026/February/2026-02-03"));
    assert_eq!(dates(&read("vault/2026-02-03.md", "x\n")), ["-", "2026-03-01"]);
    let template = read("vault/Templates/T.md", "---\ncreated: {{date}}\n---\n");
    assert_eq!(template.word("template"), "yes");
    let unread = "---\ncategories: \"[[Albums]]\"\ncreated: {{date}} {{time}}\nother: \"{{title}}\"\n---\n";
    let template = read_as("vault/Templates/T.md", unread, NoteSource::Vault(rules.clone()), 4096);
    assert_eq!(mentions(&template), ["field categories::Albums"], "what is to be filled in is text");
    assert_eq!(template.items[0].word("created"), "{{date}} {{time}}");
    assert!(problems(&template).is_empty());
    let broken = read_as("vault/Templates/T.md", "---\na: [\n---\n", NoteSource::Vault(rules.clone()), 4096);
    assert_eq!(problems(&broken).len(), 1, "what cannot be read is reported");
    let own = read("vault/A.md", "---\ndate: 2025-01-01\nupdated: 1771545600000\n---\n# One\n");
    assert_eq!(dates(&own), ["2025-01-01", "2026-02-20T00:00:00Z"]);
    let found = read_as("vault/A.md", "---\ncreated: 1850-01-01\n---\n", NoteSource::Vault(rules.clone()), 4096);
    assert_eq!(problems(&found), ["itemDate 2-2: `1850-01-01` cannot be read as the date `created`"]);
    let section =
        &read_as("vault/A.md", "---\ndate: 2025-01-01\n---\n# One\n", NoteSource::Vault(rules.clone()), 4096).items[1];
    assert_eq!(dates(section), ["2025-01-01", "2026-03-01"], "a section is as old as its page");
}

#[test]
fn a_canvas_is_a_page_of_cards() {
    let text = "{\n\t\"nodes\":[\n\t\t{\"id\":\"t1\",\"type\":\"text\",\"text\":\"# Plan\\nsee [[A]] #x\",\"x\":0},\n\
                \t\t{\"id\":\"t2\",\"type\":\"text\",\"text\":\"Two\"},\n\
                \t\t{\"id\":\"f1\",\"type\":\"file\",\"file\":\"B/C.md\",\"subpath\":\"#H\"},\n\
                \t\t{\"id\":\"f2\",\"type\":\"file\",\"file\":\"i.png\"},\n\t\t{\"id\":\"g\",\"type\":\"group\",\"label\":\"G\"}\n\t],\n\
                \t\"edges\":[\n\t\t{\"id\":\"e1\",\"fromNode\":\"t1\",\"toNode\":\"t2\"},\n\t\t{\"id\":\"e2\",\"fromNode\":\"f1\",\"toNode\":\"t2\"}\n\t]\n}\n";
    let found = read_as("Board.canvas", text, NoteSource::Vault(VaultRules::default()), 4096);
    assert_eq!(
        items(&found),
        ["0 0 page Board: - - attachments=i.png", "1 1 block Plan < 0: 1-1 2-2 #x", "2 1 block Two < 0: 1-1 -"]
    );
    let card = found.chunks.iter().find(|chunk| chunk.derived).unwrap();
    assert_eq!(card.text, "# Plan\nsee [[A]] #x");
    assert_eq!(found.items[1].node_id.as_str(), "scip:contextpack . . . `Board.canvas`/`^t1`:");
    let mut found = mentions(&found);
    found.sort();
    assert_eq!(found, ["link #^t2", "link A", "link B/C.md#H", "link B/C.md#H", "tag x"]);
    let broken = read_as("Board.canvas", "{ no json", NoteSource::Vault(VaultRules::default()), 4096);
    assert_eq!(problems(&broken), ["itemSource -: a canvas that is not JSON; not read as notes"]);
    assert_eq!(read_as("Board.canvas", "", NoteSource::Vault(VaultRules::default()), 4096).items.len(), 1);
}

fn logseq_page(path: &str, text: &str) -> Chunked {
    read_as(path, text, NoteSource::Logseq(LogseqRules::default()), 4096)
}

fn logseq(text: &str) -> Chunked {
    logseq_page("pages/Page.md", text)
}

#[test]
fn every_bullet_is_a_block() {
    for indent in ["\t", "  ", "    "] {
        let text = "title:: The Page\ntags:: a, [[b c]]\n\n- one [[X]]\n  more\n\t- two #tag\n\t  key:: [[Y]]\n\t\t- three\n\t- four\n- five\n".replace('\t', indent);
        let found = logseq(&text);
        assert_eq!(
            items(&found),
            [
                "0 0 page The Page: - 1-10 #a #b c",
                "1 1 block one [[X]] < 0: 4-5 6-9",
                "2 2 block two #tag < 1: 6-7 8-8 #tag key=Y",
                "3 3 block three < 2: 8-8 -",
                "4 2 block four < 1: 9-9 -",
                "5 1 block five < 0: 10-10 -",
            ]
        );
        let units: Vec<bool> = found.items.iter().map(|item| item.unit).collect();
        assert_eq!(units, [true, false, true, false, false, false]);
        let chunk =
            |at: usize| found.chunks.iter().find(|chunk| Some(chunk.chunk_uid) == found.items[at].chunk_uid).unwrap();
        assert_eq!(chunk(1).text, "- one [[X]]\n  more\n");
        assert_eq!(chunk(1).symbol_id.as_ref().map(|id| id.as_str()), Some(found.items[1].node_id.as_str()));
        assert_eq!(chunk(0).text, "title:: The Page\ntags:: a, [[b c]]\n");
        let mut mentioned = mentions(&found);
        mentioned.sort();
        assert_eq!(
            mentioned,
            ["field key::Y", "link X", "link a", "link b c", "link tag", "tag a", "tag b c", "tag tag"]
        );
    }
}

#[test]
fn properties_tasks_and_drawers() {
    let id = "65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01";
    let text = format!(
        "- TODO write it\n  id:: {id}\n  collapsed:: true\n  priority:: high\n  SCHEDULED: <2026-02-20 Fri>\n  DEADLINE: <2026-02-21 Sat 10:00>\n  \
         :LOGBOOK:\n  CLOCK: [2026-01-01]\n  :END:\n  body\n- DONE b\n- CANCELED c\n- NOW d\n- text\n  not::here\n  late:: no\n\
         - ```\n  key:: code\n  - no bullet\n  ```\n-\n- ## Heading\n"
    );
    let found = logseq(&text);
    assert_eq!(
        items(&found),
        [
            "0 0 page Page: - 1-22",
            "1 1 block write it < 0: 1-10 - task=todo scheduled=2026-02-20 Fri due=2026-02-21 Sat 10:00 priority=high",
            "2 1 block b < 0: 11-11 - task=done",
            "3 1 block c < 0: 12-12 - task=cancelled",
            "4 1 block d < 0: 13-13 - task=now",
            "5 1 block text < 0: 14-16 -",
            "6 1 block ``` < 0: 17-20 -",
            "7 1 block  < 0: 21-21 -",
            "8 1 block Heading < 0: 22-22 -",
        ]
    );
    let block = &found.items[1];
    assert_eq!((block.source_id.as_str(), block.done), (id, Some(false)));
    assert_eq!(block.node_id.as_str(), format!("scip:contextpack . . . pages/`Page.md`/`^{id}`:"));
    assert_eq!(block.due.as_ref().map(|date| date.as_str()), Some("2026-02-21T10:00:00Z"));
    let hidden = found.items[0].field(Field::HIDDEN_LINES).unwrap();
    assert_eq!(hidden.iter().map(|value| (value.line, value.as_str())).collect::<Vec<_>>(), [(Some(2), "9")]);
}

#[test]
fn titles_of_pages_and_journals() {
    let title = |path: &str, text: &str| logseq_page(path, text).items.remove(0).title;
    assert_eq!(title("pages/a___b.md", "- x\n"), "a/b");
    assert_eq!(title("pages/a%2Fb%3F.md", "- x\n"), "a/b?");
    assert_eq!(title("pages/v1.2.md", "- x\n"), "v1.2");
    assert_eq!(title("pages/x.md", "---\ntitle: Yaml\n---\n- x\n"), "Yaml");
    assert_eq!(title("pages/x.md", "title:: [[Own]]\nalias:: p, [[q, r]]\n- x\n"), "Own");
    let journal = logseq_page("journals/2026_02_03.md", "- x\n\t- y\n");
    assert_eq!(journal.items[0].title, "Feb 3rd, 2026");
    assert_eq!(journal.items[2].modified.as_ref().map(|date| date.as_str()), Some("2026-02-03"));
    let aliases = logseq("alias:: p, [[q, r]]\n- x\n").items.remove(0).aliases;
    assert_eq!(aliases, ["p", "q, r"]);
}

#[test]
fn headings_of_an_outline_hold_the_bullets_below_them() {
    let found = logseq("# A\n\ntext\n- one\n\t- two\n## B\n- three\n");
    assert_eq!(
        items(&found),
        [
            "0 0 page Page: - 1-7",
            "1 1 section A < 0: 1-1 3-7",
            "2 2 block one < 1: 4-4 5-5",
            "3 3 block two < 2: 5-5 -",
            "4 2 section B < 1: 6-6 7-7",
            "5 3 block three < 4: 7-7 -",
        ]
    );
    assert_eq!(found.chunks.iter().map(|chunk| chunk.text.as_str()).collect::<Vec<_>>().len(), 5);
}

#[test]
fn inserting_a_sibling_changes_no_other_id() {
    let ids =
        |text: &str| -> BTreeSet<String> { logseq(text).items.iter().map(|item| item.node_id.to_string()).collect() };
    let before = ids("- a\n\t- b\n\t- c\n- same\n- same\n");
    let after = ids("- a\n\t- new\n\t- b\n\t- c\n- same\n- other\n  more\n- same\n");
    assert!(before.is_subset(&after), "{before:#?} {after:#?}");
    assert_eq!(after.len(), before.len() + 2);
    let moved = ids("- a\n\t- c\n\t\t- b\n- same\n- same\n");
    assert_eq!(before, moved, "an id does not depend on the place");
    let block = |text: &str| logseq(text).items[1].node_id.to_string();
    assert_eq!(block("- a\n"), block("- a\n  collapsed:: true\n"), "folding a block does not change its id");
    assert!(block("- a\n").starts_with("scip:contextpack . . . pages/`Page.md`/`^~"));
    assert!(block("- a\n").ends_with("+0`:"));
}

#[test]
fn other_files_of_notes_are_told() {
    let source = |path: &str, notes| problems(&read_as(path, "a: 1\n", notes, 4096));
    let (vault, logseq) = (NoteSource::Vault(VaultRules::default()), NoteSource::Logseq(LogseqRules::default()));
    assert_eq!(source("A.base", vault.clone()), ["itemSource -: a Base of a vault; it is not read as notes"]);
    assert_eq!(source("pages/a.org", logseq.clone()), ["itemSource -: notes in Org mode; they are not read as notes"]);
    assert_eq!(source("whiteboards/a.edn", logseq.clone()), ["itemSource -: a whiteboard; it is not read as notes"]);
    assert!(source("a.py", vault).is_empty());
    assert!(read_as("README.md", "- x\n", logseq, 4096).items.len() == 1);
}

/// Texts that make careless readers recurse, or look back over and over.
#[test]
fn hostile_pages_are_read_in_time() {
    let deep: String = (0..1_500).map(|level| format!("{}- a\n", " ".repeat(level))).collect();
    let texts = [
        ("deep", deep),
        ("nested on one line", "- ".repeat(50_000) + "a\n"),
        ("flat", "- a\n".repeat(50_000)),
        ("tabs", (0..50_000).map(|at| format!("{}- a\n", "\t".repeat(at % 100))).collect()),
        ("links", "[[a|b]] ".repeat(100_000)),
        ("different links", (0..100_000).map(|at| format!("[[a{at}]] ")).collect()),
        ("open", "[[a ".repeat(100_000)),
        ("line", "a [[b]] #c ".repeat(100_000) + &"word ".repeat(1_800_000)),
        ("fields", (0..50_000).map(|at| format!("k{at}:: v\n")).collect()),
        ("tags", (0..50_000).map(|at| format!("#t{at} ")).collect()),
        ("ids", (0..50_000).map(|at| format!("x ^i{at}\n\n")).collect()),
        ("lone ids", "x\n\n".to_string() + &"^i\n\n".repeat(50_000)),
        ("headings", "# a\n\n## b\n\n".repeat(10_000)),
        (
            "front matter",
            format!("---\n{}---\n", (0..20_000).map(|at| format!("k{at}: \"[[a]]\"\n")).collect::<String>()),
        ),
        ("tasks", "- [ ] a 📅 2026-01-01 ^x\n".repeat(20_000)),
    ];
    for (name, text) in texts {
        for notes in [NoteSource::Vault(VaultRules::default()), NoteSource::Logseq(LogseqRules::default())] {
            let before = thread_seconds();
            let found = read_as("pages/Page.md", &text, notes, 4096);
            let seconds = thread_seconds() - before;
            assert!(seconds < 20.0, "{name} took {seconds} s");
            assert!(!found.items.is_empty());
        }
    }
}

/// Pieces that mean something to a dialect of notes, and letters of every width.
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "  ",
    "\t",
    "a",
    "日本語",
    "🦀",
    "é",
    "- ",
    "* ",
    "1. ",
    "-\n",
    "- [ ] ",
    "- [x] ",
    "# ",
    "## ",
    "# Page\n",
    "[[",
    "]]",
    "[[T]]",
    "![[T#H|x]]",
    "|",
    "#",
    "#a/b",
    "#[[",
    "key:: ",
    "[k:: v]",
    "(k:: ",
    ")",
    "]",
    "::",
    " ^id",
    "\n^id\n",
    "^",
    "%%",
    "<!--",
    "-->",
    "```\n",
    "```js\n",
    "`",
    "$",
    "$$\n",
    "---\n",
    "> ",
    "((65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01))",
    "id:: 65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01\n",
    "TODO ",
    "DEADLINE: <2026-01-01>",
    ":LOGBOOK:\n",
    ":END:\n",
    "📅 2026-01-01",
    "tags: [a, b]\n",
    "owner: \"[[T]]\"\n",
    "date: 2026-01-01\n",
    "[t](T.md)",
    "![i](i.png)",
    "{\"nodes\":[",
    "\u{3000}",
    "\u{feff}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every line is in one chunk, items have symbols and parents, and no text makes a reader panic.
    #[test]
    fn promises_hold_for_soups_of_markup(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60), max in 8usize..200) {
        let text = pieces.concat();
        for (path, notes) in [
            ("Page.md", NoteSource::Vault(VaultRules::default())),
            ("pages/Page.md", NoteSource::Logseq(LogseqRules::default())),
            ("Page.canvas", NoteSource::Vault(VaultRules::default())),
        ] {
            let found = read_as(path, &text, notes, max);
            let mentions: usize = found.references.iter().map(|record| record.references.len()).sum();
            prop_assert!(mentions <= text.len());
        }
    }
}

/// For markdown, a line of wide spaces is text, so the block starts there; no chunk has it.
#[test]
fn a_block_starts_with_its_first_line_that_is_not_blank() {
    assert_eq!(items(&vault("\u{3000}\nText ^id\nmore\n"))[1], "1 1 block Text < 0: 2-3 -");
    assert_eq!(items(&vault("\u{3000}\nTitle\n---\nmore\n"))[1], "1 2 section Title < 0: 2-3 4-4");
}

#[test]
fn bullets_below_a_heading_are_no_code_in_logseq() {
    let text = "## Usage\n\t- see [[A]] and `code [[no]]`\n\t\t- [label](../pages/B.md) #x\n\t  ```\n\t  [[no]]\n\t  ```\n## More\n    - ((65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01))\n";
    let found = logseq(text);
    assert_eq!(
        mentions(&found),
        ["link A", "link ../pages/B.md", "link x", "tag x", "link ((65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01))"]
    );
    let page = read_as("A.md", "# H\n\n\t- [[no]]\n", NoteSource::Vault(VaultRules::default()), 4096);
    assert!(mentions(&page).is_empty(), "for Obsidian it is code");
}

#[test]
fn a_link_in_brackets_is_one_link_in_parentheses_or_before_them() {
    assert_eq!(mentions(&logseq("- [t]([[Page]]) and [[Plain]](`x`)\n")), ["link Page", "link Plain"]);
    let page = read_as("A.md", "[[Page|t]](`.obsidian`) [u](B.md)\n", NoteSource::Vault(VaultRules::default()), 4096);
    assert_eq!(mentions(&page), ["link Page", "link B.md"]);
}

#[test]
fn a_page_of_logseq_may_be_called_like_a_file() {
    let found = logseq("- [[config.edn]] ![](../assets/a.png)\n  see:: [[custom.css]], [[x.pdf]]\n");
    assert_eq!(mentions(&found), ["link config.edn", "field see::custom.css", "field see::x.pdf"]);
    assert_eq!(
        items(&found)[1],
        "1 1 block [[config.edn]] ![](../assets/a.png) < 0: 1-2 - attachments=../assets/a.png see=custom.css, x.pdf"
    );
}

#[test]
fn blocks_of_org_mode_hold_no_markup() {
    let text = "- a\n  #+BEGIN_EXAMPLE\n  - [[no]]\n  #+END_EXAMPLE\n- #+BEGIN_QUERY\n  {:query [[no]]}\n  #+END_QUERY\n- #+BEGIN_NOTE\n  [[yes]]\n  #+END_NOTE\n";
    let found = logseq(text);
    assert_eq!(mentions(&found), ["link yes"]);
    assert_eq!(items(&found).len(), 4, "a bullet in an example is none: {:?}", items(&found));
    let hidden = found.items[0].field(Field::HIDDEN_LINES).unwrap();
    assert_eq!(hidden.iter().map(|value| (value.line, value.as_str())).collect::<Vec<_>>(), [(Some(5), "7")]);
}

#[test]
fn a_block_is_called_by_the_first_line_that_people_see() {
    let found =
        logseq("- id:: 65fa3c1e-8f0b-4c6e-9d3b-2f1a5b7c9e01\n  ## The name\n- collapsed:: true\n- type:: [[T]]\n");
    let titles: Vec<&str> = found.items[1..].iter().map(|item| item.title.as_str()).collect();
    assert_eq!(titles, ["The name", "", "type:: [[T]]"]);
}
