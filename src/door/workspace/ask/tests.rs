//! Tests what requests ask for on small workspaces. The real stages build their indexes.

use std::path::Path;

use super::*;
use crate::assemble::blocks::{reader, with_blocks};
use crate::door::workspace::WorkspaceSettings;
use crate::pipeline::Pipeline;

/// Today for all of them.
const TODAY: &str = "2025-06-10";

/// Asks with a request as JSON; `focus` is the id of a block.
fn ask(view: &ReadableBlocks, settings: &WorkspaceSettings, request: &str, focus: Option<&str>) -> Question {
    let request: ContextRequest = serde_json::from_str(request).unwrap();
    let profile = settings.profile(request.request_type);
    let focus = focus.map(|id| view.block_with_id(id).unwrap());
    let focus_text = focus.map_or("", |focus| view.text(focus));
    let today = Date::try_from(TODAY.to_string()).unwrap();
    Question::new(view, &request, &profile, settings.intents(), focus, focus_text, today)
}

fn asked(view: &ReadableBlocks, query: &str) -> Question {
    ask(view, &WorkspaceSettings::default(), &serde_json::json!({ "query": query }).to_string(), None)
}

/// Each block that is like a question, as `id millionths`, in document order.
fn likeness(view: &ReadableBlocks, question: &Question) -> Vec<String> {
    let mut found: Vec<_> = question.shares(view).blocks().collect();
    found.sort_by_key(|(block, _)| view.place(*block));
    found.iter().map(|(block, score)| format!("{} {}", view.id(*block), score.in_millionths())).collect()
}

/// The ids of the blocks that are like a question, in document order.
fn like(view: &ReadableBlocks, question: &Question) -> String {
    let ids = likeness(view, question);
    ids.iter().map(|found| found.split(' ').next().unwrap()).collect::<Vec<_>>().join(" ")
}

fn everybody<R>(jsonl: &str, test: impl FnOnce(&ReadableBlocks) -> R) -> R {
    with_blocks(jsonl, &reader(&[]), test)
}

/// Blocks of text with their ids.
fn texts(blocks: &[(&str, &str)]) -> String {
    let line = |(id, text): &(&str, &str)| serde_json::json!({ "id": id, "type": "text", "text": text }).to_string();
    blocks.iter().map(line).collect::<Vec<_>>().join("\n")
}

const BILLING: &str = r#"
{"id":"p","type":"page","title":"Billing"}
{"id":"a","type":"text","parent":"p","text":"The billing service sends invoices"}
{"id":"b","type":"text","parent":"p","text":"Invoices are paid"}
{"id":"c","type":"text","parent":"p","text":"Nothing here"}
"#;

/// Four blocks say something: 1, 5, 3 and 2 words, on average 2.75. `bill` and `invoic` are in two of them each, so both
/// have the rarity ln(1 + 2.5/2.5) = 0.693147, and each is half of what is asked for.
///
/// p: length 0.25 + 0.75 · 1/2.75 = 0.522727; `bill` (1 + 2)/0.522727 + 1 = 6.739130, 6.739130/7.939130 = 0.848850;
///    0.848850/2 = 0.424425, a little less.
/// a: length 0.25 + 0.75 · 5/2.75 = 1.613636; `bill` 1/1.613636 + 1 = 1.619718, 1.619718/2.819718 = 0.574426;
///    `invoic` 0.619718/1.819718 = 0.340557; (0.574426 + 0.340557)/2 = 0.457491.
/// b: length 0.25 + 0.75 · 3/2.75 = 1.068182; `bill` only above: 1/2.2 = 0.454545; `invoic` 0.936170/2.136170 = 0.438247;
///    (0.454545 + 0.438247)/2 = 0.446396.
/// c: the title above is not enough.
#[test]
fn likeness_is_the_share_of_what_is_asked_for() {
    everybody(BILLING, |view| {
        assert_eq!(likeness(view, &asked(view, "billing invoices")), ["p 424424", "a 457491", "b 446396"]);
        let unknown = asked(view, "Which invoices does the billing of zebras send?");
        assert_eq!(like(view, &unknown), "p a b");
        assert!(unknown.terms().contains("zebra"));
        assert_eq!(likeness(view, &asked(view, "zebra invoices billing")), ["p 424424", "a 457491", "b 446396"]);
        assert_eq!(likeness(view, &asked(view, "zebras of the")), [""; 0]);
    });
}

/// Three blocks say something: 1, 2 and 3 words, on average 2. `alpha` is in all of them: ln(1 + 0.5/3.5) = 0.133531;
/// `beta` in one: ln(1 + 2.5/1.5) = 0.980829.
///
/// c: length 0.25 + 0.75 · 3/2 = 1.375; `alpha` 2/1.375 = 1.454545, 1.454545/2.654545 = 0.547945;
///    `beta` 1/1.375 = 0.727273, 0.727273/1.927273 = 0.377358;
///    (0.133531 · 0.547945 + 0.980829 · 0.377358)/(0.133531 + 0.980829) = 0.443292/1.114360 = 0.397799.
#[test]
fn rare_terms_count_more() {
    let jsonl = texts(&[("a", "alpha"), ("b", "alpha gamma"), ("c", "beta alpha alpha")]);
    everybody(&jsonl, |view| {
        assert_eq!(likeness(view, &asked(view, "alpha beta"))[2], "c 397799");
    });
}

#[test]
fn titles_of_the_page_and_of_containers_down_to_a_block_count() {
    let jsonl = r#"
        {"id":"home","type":"page","title":"Launch"}
        {"id":"board","type":"kanban_board","parent":"home","title":"Website"}
        {"id":"column","type":"kanban_column","parent":"board","title":"Backlog"}
        {"id":"card","type":"kanban_card","parent":"column","title":"alpha"}
        {"id":"list","type":"list","parent":"card"}
        {"id":"item","type":"list_item","parent":"list","text":"alpha"}
        {"id":"other","type":"text","text":"alpha backlog website launch"}"#;
    everybody(jsonl, |view| {
        let of = |query: &str, id: &str| {
            let found = likeness(view, &asked(view, query));
            found.iter().find_map(|found| found.strip_prefix(&format!("{id} "))?.parse::<u32>().ok()).unwrap()
        };
        for id in ["card", "item"] {
            let alone = of("alpha", id);
            assert!(of("alpha website", id) > of("alpha launch", id), "the board is the page of {id}, home is not");
            assert_eq!(of("alpha website", id), of("alpha backlog", id), "the column is between");
            assert!(
                of("alpha website", id) < alone && of("alpha website backlog", id) > of("alpha launch backlog", id)
            );
        }
    });
}

#[test]
fn deep_blocks_are_no_trouble() {
    let mut jsonl = r#"{"id":"p","type":"page","title":"Alpha"}"#.to_string();
    for level in 0..3000 {
        let parent = if level == 0 { "p".to_string() } else { format!("b{}", level - 1) };
        jsonl +=
            &format!("\n{{\"id\":\"b{level}\",\"type\":\"list_item\",\"parent\":\"{parent}\",\"text\":\"alpha\"}}");
    }
    everybody(&jsonl, |view| {
        let found = likeness(view, &asked(view, "alpha"));
        let of = |at: usize| found[at].split(' ').nth(1).unwrap();
        assert_eq!((found.len(), of(1)), (3001, of(3000)));
    });
}

#[test]
fn words_that_point_and_words_of_conditions_do_not_ask() {
    let jsonl = texts(&[("t", "A task"), ("w", "The first week"), ("d", "Overdue work"), ("o", "The shop is open")]);
    everybody(&jsonl, |view| {
        let check = |query: &str, expected: &str| assert_eq!(like(view, &asked(view, query)), expected, "{query}");
        check("Break down this task", "");
        check("these tasks, this week", "");
        check("this task of all tasks", "t");
        check("what is overdue", "");
        check("which tasks are overdue", "");
        check("what is due next week", "");
        check("the work of the first week", "d w");
        check("how do we open a shop", "o");
        check("tasks of the shop", "o t");
        check("open tasks of the shop", "o");
        check("open tasks", "");
    });
}

#[test]
fn words_that_questions_are_made_with_ask_only_alone() {
    let jsonl = texts(&[("a", "Everyone wants it"), ("b", "Still much beta")]);
    everybody(&jsonl, |view| {
        assert_eq!(like(view, &asked(view, "does everyone still want the beta")), "b");
        assert_eq!(like(view, &asked(view, "does everyone still want it")), "a b");
    });
}

#[test]
fn a_priority_may_have_more_than_its_word() {
    let todo = |id: &str, priority: &str| {
        serde_json::json!({ "id": id, "type": "todo", "text": id, "done": false, "priority": priority }).to_string()
    };
    let jsonl = [todo("a", "High 🔥"), todo("b", "P1 - critical"), todo("c", "highest"), todo("d", "Low")].join("\n");
    everybody(&jsonl, |view| {
        let found = asked(view, "urgent tasks").meeting(view);
        assert_eq!(found.iter().map(|block| view.id(*block)).collect::<Vec<_>>(), ["a", "b"]);
    });
}

/// Six blocks say something, on average 26/6 words. x has one: length 0.25 + 0.75 · 6/26 = 0.423077; `zebra` 1/0.423077 =
/// 2.363636, 2.363636/3.563636 = 0.663265. `zebra` and `ship` are in one block each, ln(1 + 5.5/1.5) = 1.540445, `bill` is
/// in two, ln(1 + 4.5/2.5) = 1.029619. With the focus the share is
/// 1.540445 · 0.663265/(1.540445 + 0.5 · 1.540445 + 0.5 · 1.029619) = 1.021723/2.825477 = 0.361611.
#[test]
fn the_focus_asks_with_half_the_weight() {
    let card = r#"{"id":"card","type":"kanban_card","title":"Ship billing"}"#;
    let long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
                eighteen nineteen twenty";
    let others = texts(&[("long", long), ("b", "billing"), ("n", "nineteen"), ("s", "sixteen"), ("x", "zebra")]);
    let jsonl = format!("{card}\n{others}");
    everybody(&jsonl, |view| {
        let settings = WorkspaceSettings::default();
        let of = |request: &str, focus: Option<&str>| ask(view, &settings, request, focus);
        let focused = of(r#"{"query":"zebra"}"#, Some("card"));
        assert_eq!(like(view, &focused), "b card x");
        let score = |question: &Question, id: &str| {
            let block = view.block_with_id(id).unwrap();
            question.shares(view).blocks().find(|(found, _)| *found == block).unwrap().1.in_millionths()
        };
        assert_eq!(score(&of(r#"{"query":"zebra"}"#, None), "x"), 663_265);
        assert_eq!(score(&focused, "x"), 361_611);
        assert_eq!(like(view, &of(r#"{"query":"zebra","type":"search"}"#, Some("card"))), "x");
        assert_eq!(like(view, &of(r#"{"query":""}"#, Some("long"))), "long s", "16 terms, a block without a title");
        assert_eq!(
            score(&of(r#"{"query":"billing"}"#, Some("b")), "b"),
            score(&of(r#"{"query":"billing"}"#, None), "b")
        );
    });
}

#[test]
fn a_chat_goes_on_with_what_was_asked_before() {
    let history = r#""conversationHistory":[{"role":"user","content":"zebras"},{"role":"user","content":"invoices"},
        {"role":"assistant","content":"billing"}]"#;
    let check = |view: &ReadableBlocks, query: &str, request_type: &str, expected: &str| {
        let request = format!(r#"{{"query":"{query}","type":"{request_type}",{history}}}"#);
        assert_eq!(like(view, &ask(view, &WorkspaceSettings::default(), &request, None)), expected, "{query}");
    };
    everybody(BILLING, |view| {
        check(view, "and then?", "chat", "a b");
        check(view, "Which are paid?", "chat", "a b");
        check(view, "Which zebras are paid?", "chat", "b");
        check(view, "Which are nothing and are paid?", "chat", "b c");
        check(view, "and then?", "assist", "");
    });
}

#[test]
fn japanese_asks_by_pairs_of_letters() {
    let jsonl = r#"
        {"id":"p","type":"page","title":"請求書"}
        {"id":"a","type":"text","text":"請求書を送る"}
        {"id":"b","type":"text","text":"会議の議事録"}
        {"id":"t","type":"todo","text":"更新する","due":"2025-06-01"}"#;
    everybody(jsonl, |view| {
        assert_eq!(like(view, &asked(view, "請求書はどこですか")), "a p");
        assert_eq!(like(view, &asked(view, "会議")), "b");
        let table = "[intents.late]\nalone = ['期限切れ']\noverdue = true";
        let settings = WorkspaceSettings::new(&table.parse().unwrap()).unwrap();
        let question = ask(view, &settings, r#"{"query":"期限切れの会議"}"#, None);
        assert_eq!((question.intents(), like(view, &question).as_str()), (&["late".to_string()][..], "b"));
        assert_eq!(question.meeting(view).len(), 1);
    });
}

const TASKS: &str = r#"
{"id":"board","type":"kanban_board","title":"Launch"}
{"id":"todo","type":"kanban_column","parent":"board","title":"To Do"}
{"id":"c1","type":"kanban_card","parent":"todo","title":"Ship page","due":"2025-06-20","priority":"High"}
{"id":"c2","type":"kanban_card","parent":"todo","title":"Renew certificate","due":"2025-06-01","assignees":["7"]}
{"id":"column","type":"kanban_column","parent":"board","title":"Done","data":{"isDone":true}}
{"id":"c3","type":"kanban_card","parent":"column","title":"Old audit","due":"2025-05-01"}
{"id":"page","type":"page","title":"Plan"}
{"id":"t1","type":"todo","parent":"page","text":"Send invoices","due":"2025-06-09","assignees":["8","7"]}
{"id":"t2","type":"todo","parent":"page","text":"Book venue","due":"2025-06-10","priority":"low"}
{"id":"t3","type":"todo","parent":"page","text":"Call Ann","due":"2025-06-11T08:00:00Z","done":true}
{"id":"t4","type":"todo","parent":"page","text":"Clean up","priority":"critical","assignees":["Ann"]}
{"id":"x","type":"text","parent":"page","text":"Nothing is overdue"}
{"id":"db","type":"database","title":"Deals","data":{"properties":[{"id":"d","name":"Due","type":"date"}]}}
{"id":"r1","type":"db_row","parent":"db","title":"Globex","data":{"values":{"d":"2025-06-17"}}}
{"id":"other","type":"database","title":"Customers"}
{"id":"r2","type":"db_row","parent":"other","title":"Initech"}
"#;

/// The tasks that meet the conditions of a query of user 7, called Ann.
fn meeting(view: &ReadableBlocks, query: &str) -> String {
    let request = serde_json::json!({ "query": query, "user": { "id": "7", "name": "Ann" } }).to_string();
    let question = ask(view, &WorkspaceSettings::default(), &request, None);
    let ids: Vec<&str> = question.meeting(view).iter().map(|block| view.id(*block)).collect();
    let judged = |judgement| view.in_order().iter().filter(move |block| question.judge(view, **block) == judgement);
    assert_eq!(judged(Judgement::Meets).map(|block| view.id(*block)).collect::<Vec<_>>(), ids, "{query}");
    ids.join(" ")
}

#[test]
fn tasks_meet_conditions() {
    everybody(TASKS, |view| {
        let check = |query: &str, expected: &str| assert_eq!(meeting(view, query), expected, "{query}");
        check("What tasks are overdue?", "c2 t1");
        check("What is due today?", "t2");
        check("What is due tomorrow?", "t2");
        check("What is due in a week?", "r1 t2");
        check("What is due?", "c1 r1 t2");
        check("When is the next deadline of this month?", "c1 r1 t2");
        check("done tasks", "c3 t3");
        check("open tasks", "c1 c2 r1 t1 t2 t4");
        check("my tasks", "c2 t1 t4");
        check("my overdue tasks", "c2 t1");
        check("urgent tasks", "c1 t4");
        check("my urgent tasks", "t4");
        check("Which tasks are there?", "");
        check("how do we open a shop", "");
    });
}

#[test]
fn conditions_on_one_thing_are_alternatives() {
    everybody(TASKS, |view| {
        assert_eq!(meeting(view, "What is overdue or due today?"), "c2 t1 t2");
        assert_eq!(meeting(view, "open and done tasks"), "c1 c2 c3 r1 t1 t2 t3 t4");
        assert_eq!(meeting(view, "completed tasks that were past due"), "c3", "not open, if done is asked for");
    });
}

#[test]
fn a_block_is_judged_by_the_conditions() {
    everybody(TASKS, |view| {
        let judge = |query: &str, id: &str| asked(view, query).judge(view, view.block_with_id(id).unwrap());
        assert_eq!(judge("overdue tasks", "c2"), Judgement::Meets);
        assert_eq!(judge("overdue tasks", "c1"), Judgement::Fails);
        assert_eq!(judge("overdue tasks", "c3"), Judgement::Fails, "its column says that it is done");
        assert_eq!(judge("overdue tasks", "x"), Judgement::NotATask);
        assert_eq!(judge("overdue tasks", "r2"), Judgement::NotATask, "its rows are never due");
        assert_eq!(judge("all tasks", "c2"), Judgement::NoCondition);
        assert_eq!(judge("my tasks", "c2"), Judgement::Fails, "nobody asks");
    });
}

#[test]
fn types_fit_what_is_asked_for() {
    everybody(TASKS, |view| {
        let check = |request: &str, expected: &[(&str, u32)]| {
            let question = ask(view, &WorkspaceSettings::default(), request, None);
            for (id, percent) in expected {
                let score = question.type_match(view, view.block_with_id(id).unwrap());
                assert_eq!(score, Score::percent(*percent), "{request} {id}");
            }
        };
        check(r#"{"query":"launch"}"#, &[("t1", 50), ("page", 50), ("r1", 50)]);
        check(r#"{"query":"tasks"}"#, &[("t1", 90), ("c1", 90), ("r1", 90), ("r2", 50), ("page", 50)]);
        check(r#"{"query":"overdue"}"#, &[("t1", 95), ("r1", 95), ("r2", 50), ("x", 50)]);
        check(r#"{"query":"rows"}"#, &[("r1", 90), ("r2", 90), ("db", 80), ("t1", 50)]);
        check(r#"{"query":"summary of tasks"}"#, &[("page", 80), ("x", 60), ("t1", 90)]);
        let prioritized = r#"{"query":"a summary","hints":{"prioritizeTypes":["page","db_row"]}}"#;
        check(prioritized, &[("page", 95), ("r2", 95), ("x", 60), ("t1", 90)]);
    });
}

#[test]
fn archived_blocks_are_asked_for_by_a_word() {
    everybody(BILLING, |view| {
        for query in ["the archive", "archived pages", "Templates", "template"] {
            assert!(asked(view, query).asks_for_archived(), "{query}");
        }
        for query in ["architecture", "temples", ""] {
            assert!(!asked(view, query).asks_for_archived(), "{query}");
        }
    });
}

/// Lines that only user 2 may read, in addition to [`TASKS`].
const HIDDEN: [&str; 3] = [
    r#"{"id":"h1","type":"text","parent":"page","text":"overdue invoices invoices venue","read":["user:2"]}"#,
    r#"{"id":"h0","type":"page","title":"Invoices of venues","read":["user:2"]}
{"id":"a","type":"todo","parent":"h0","text":"zebra","due":"2025-06-09"}
{"id":"c9","type":"kanban_card","parent":"todo","title":"invoices","due":"2025-06-01","read":["user:2"]}"#,
    r#"{"id":"d9","type":"database","title":"Venue","read":["user:2"],"data":{"properties":[{"id":"d","name":"Due","type":"date"}]}}
{"id":"r9","type":"db_row","parent":"d9","title":"Send","data":{"values":{"d":"2025-06-09"}}}"#,
];

#[test]
fn hidden_blocks_change_nothing() {
    let alone = everybody(TASKS, answers);
    assert!(alone.contains("t1 ") && alone.contains("c2"), "{alone}");
    for hidden in HIDDEN {
        let jsonl = [TASKS, hidden].concat();
        assert_eq!(everybody(&jsonl, answers), alone);
        assert_ne!(with_blocks(&jsonl, &reader(&["user:2"]), answers), alone, "who sees it gets other answers");
    }
}

/// All that questions say.
fn answers(view: &ReadableBlocks) -> String {
    let requests = [
        r#"{"query":"overdue invoices of zebras"}"#,
        r#"{"query":"my open tasks","user":{"id":"7"}}"#,
        r#"{"query":"venue plan launch summary"}"#,
    ];
    requests.map(|request| answer(view, request)).join("\n")
}

fn answer(view: &ReadableBlocks, request: &str) -> String {
    let question = ask(view, &WorkspaceSettings::default(), request, Some("page"));
    let meeting: Vec<&str> = question.meeting(view).iter().map(|block| view.id(*block)).collect();
    let of_block = |block: &BlockNo| {
        format!("{} {:?} {}", view.id(*block), question.judge(view, *block), question.type_match(view, *block))
    };
    let blocks: Vec<String> = view.in_order().iter().map(of_block).collect();
    format!("{:?} {:?} {meeting:?} {blocks:?}", question.intents(), likeness(view, &question))
}

#[test]
fn a_pipeline_file_adds_intents() {
    let path = Path::new("contextpack.toml");
    let added = "[workspace.intents.sale]\nwords = ['renewal']\ntypes = { db_row = 0.9 }\n";
    let settings = Pipeline::parse(path, added).unwrap().workspace_settings().unwrap();
    everybody(TASKS, |view| {
        let question = ask(view, &settings, r#"{"query":"renewals"}"#, None);
        assert_eq!(question.intents(), ["sale"]);
        assert_eq!(question.type_match(view, view.block_with_id("r2").unwrap()), Score::percent(90));
    });
    let fault = Pipeline::parse(path, &added.replace("words", "word")).unwrap_err().to_string();
    assert!(fault.contains("`intents.sale`: unknown field `word`"), "{fault}");
}
