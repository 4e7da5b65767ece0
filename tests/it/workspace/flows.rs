//! The flows and the promises of the specification, on real workspaces. Requests come from `golden/payloads_acme`.

use std::fs;

use contextpack::record::workspace::{ContextPayload, PayloadPart, WarningCode};
use contextpack::text::Tokenizer;
use serde_json::{Value, json};

use super::answers::{Answers, golden_requests, ids, section};
use super::workspace_data::{Random, Size, generate, questions};
use super::world::World;
use crate::tool::{contextpack, run};

const NOW: &str = "2025-06-10T09:00:00Z";

fn acme() -> (World, Answers) {
    let world = World::of_golden("workspace_acme");
    let answers = Answers::of(&world);
    (world, answers)
}

/// Of `golden/payloads_acme`: the page, the tasks of users 1 and 2, the card.
fn flow(number: usize) -> Value {
    golden_requests("payloads_acme").swap_remove(number)
}

fn tokens_of_the_rest(payload: &ContextPayload, part: PayloadPart) -> u32 {
    payload.sections.iter().filter(|section| section.part != part).map(|section| section.token_count).sum()
}

fn contents(payload: &ContextPayload, part: PayloadPart) -> String {
    section(payload, part).items.iter().map(|item| format!("{}\n", item.content)).collect()
}

fn has_warning(payload: &ContextPayload, code: WarningCode) -> bool {
    payload.metadata.warnings.iter().any(|warning| warning.code == code)
}

/// What the blocks of the page say, in document order, those in the list as well.
const SAID: [&str; 12] = [
    "What we want to have done",
    "Goals\n",
    "Customers pay us",
    "Half of all new accounts",
    "Prices are on",
    "Cards are charged",
    "Invitations carry",
    "Risks\n",
    "All of it depends",
    "invited_by is not null",
    "Send invoices",
    "Book venue",
];

/// F1.
#[test]
fn a_page_is_summarized_from_all_that_stands_on_it() {
    let (_world, answers) = acme();
    let payload = answers.payload(&flow(0));
    let focus = section(&payload, PayloadPart::Focus);
    assert_eq!(focus.items[0].block_id, "page-123");
    // The summary of the page lists its headings, too.
    let text = contents(&payload, PayloadPart::Focus).replace("- Goals\n- Risks\n", "");
    assert_eq!(SAID.map(|said| text.matches(said).count()), [1; 12], "every block is there once: {text}");
    assert!(SAID.map(|said| text.find(said)).is_sorted(), "in document order: {text}");
    assert!(focus.items.iter().all(|item| item.metadata.truncated.is_none()));
    assert!(focus.token_count > tokens_of_the_rest(&payload, PayloadPart::Focus), "{}", payload.serialized);
    for part in [PayloadPart::Activity, PayloadPart::History] {
        assert_eq!((ids(&payload, part).len(), section(&payload, part).token_count), (0, 0));
    }
    assert!(!payload.serialized.contains("### Recent Activity") && !payload.serialized.contains("### Conversation"));
}

/// F1.
#[test]
fn a_long_page_takes_most_of_the_budget() {
    let world = World::of_golden("workspace_acme");
    let paragraph = |at: u32| {
        let text = format!("Paragraph {at} says once more what the team wants to reach before the autumn, and why.");
        format!("{}\n", json!({ "id": format!("more-{at}"), "type": "text", "parent": "page-123", "text": text }))
    };
    world.write("more.jsonl", &(0..300).map(paragraph).collect::<String>());
    let payload = Answers::of(&world).payload(&flow(0));
    let (focus, total) = (section(&payload, PayloadPart::Focus).token_count, payload.metadata.total_tokens);
    assert!(focus * 100 >= total * 80 && focus > 2_400 && total <= 3_000, "{focus} of {total}");
    let document_order: Vec<u32> =
        ids(&payload, PayloadPart::Focus).iter().filter_map(|id| id.strip_prefix("more-")?.parse().ok()).collect();
    assert!(document_order.len() > 20 && document_order.is_sorted(), "{document_order:?}");
}

/// F2.
#[test]
fn overdue_tasks_are_those_that_the_reader_may_see() {
    let (_world, answers) = acme();
    let found = |request: &Value| {
        let payload = answers.payload(request);
        assert!(!payload.serialized.contains("### Focused Content"), "{}", payload.serialized);
        let mut ids: Vec<String> = ids(&payload, PayloadPart::Semantic).into_iter().map(|id| id.to_string()).collect();
        ids.sort();
        ids
    };
    assert_eq!(found(&flow(1)), ["task-458", "todo-9"], "not what is due today, done, later or hidden");
    assert_eq!(found(&flow(2)), ["task-458", "todo-9", "todo-s"]);
}

/// F3.
#[test]
fn a_task_is_broken_down_beside_a_task_like_it() {
    let (_world, answers) = acme();
    let payload = answers.payload(&flow(3));
    let first = section(&payload, PayloadPart::Focus).items.iter().find(|item| item.metadata.rank == 1).unwrap();
    assert_eq!((first.block_id.as_str(), first.metadata.truncated), ("task-456", None));
    assert_eq!(first.metadata.path, ["Home", "Launch", "To Do"]);
    for said in ["Ship billing page", "what they paid.", "Agree on the wording", "Connect the payment provider"] {
        assert!(first.content.contains(said), "{}", first.content);
    }
    let similar = section(&payload, PayloadPart::Semantic);
    let similar = similar.items.iter().find(|item| item.block_id == "task-457").expect("it is like the focus");
    for todo in ["Draw the form", "Send the link by mail", "Limit attempts", "Translate the messages"] {
        assert!(similar.content.contains(todo), "{}", similar.content);
    }
    assert!(ids(&payload, PayloadPart::Activity).is_empty() && !payload.serialized.contains("### Recent Activity"));
}

/// F4.
#[test]
fn a_row_shows_only_relations_that_the_reader_may_see() {
    let (_world, answers) = acme();
    let payload = answers.payload(&flow(4));
    let row = section(&payload, PayloadPart::Focus).items.iter().find(|item| item.block_id == "d-1").unwrap();
    assert!(row.content.lines().any(|line| line == "Customers: Globex"), "{}", row.content);
    assert_eq!(ids(&payload, PayloadPart::Relations), ["r-1"]);
    let all = serde_json::to_string(&payload).unwrap();
    assert!(!["r-3", "Initech", "98765"].iter().any(|hidden| all.contains(hidden)), "{all}");
    assert!(!row.content.contains("Total"), "{}", row.content);
    let whole = answers.payload(&flow(5));
    assert_eq!(ids(&whole, PayloadPart::Relations).len(), 2, "user 2 may see r-3, too");
    assert!(!serde_json::to_string(&whole).unwrap().contains("98765"), "what is computed is shown to nobody");
}

/// F4.
#[test]
fn a_public_page_of_a_private_one_stands_alone() {
    let (_world, answers) = acme();
    for query in [json!({ "focus": { "pageId": "page-pub" } }), json!({ "query": "office in Lisbon" })] {
        let mut request = query;
        request["now"] = json!(NOW);
        let payload = answers.payload(&request);
        assert_eq!((payload.metadata.blocks_included, payload.metadata.blocks_considered), (1, 1));
        let blocks = payload.sections.iter().filter(|section| section.part.holds_blocks());
        let items: Vec<_> = blocks.flat_map(|section| &section.items).collect();
        assert!(items[0].block_id == "page-pub" && items[0].metadata.path.is_empty(), "{items:?}");
        let all = serde_json::to_string(&payload).unwrap();
        assert!(!["page-sec", "Layoffs", "Home", "home"].iter().any(|hidden| all.contains(hidden)), "{all}");
    }
}

/// The most items that the settings allow, with one focus of each kind and so many included blocks.
const MOST_OF_BLOCK: usize = 1 + 3 + 2 * 2 + 5;
const MOST_OF_PAGE: usize = 1 + 200;
const MOST_OF_DATABASE: usize = 1 + 50;
const MOST_OF_RELATIONS: usize = 10;
const MOST_OF_ACTIVITY: usize = 10 + 5;

fn most_of(request: &Value) -> [(PayloadPart, usize); 4] {
    let request_type = request["type"].as_str().unwrap();
    let focus = &request["focus"];
    let of = |key: &str, most: usize| if focus.get(key).is_some() { most } else { 0 };
    let included = request["hints"]["includeBlocks"].as_array().map_or(0, Vec::len);
    let of_focus =
        of("blockId", MOST_OF_BLOCK) + of("pageId", MOST_OF_PAGE) + of("databaseId", MOST_OF_DATABASE) + included;
    [
        (PayloadPart::Focus, of_focus),
        (PayloadPart::Semantic, if request_type == "search" { 30 } else { 15 }),
        (PayloadPart::Relations, if focus.is_object() { MOST_OF_RELATIONS } else { 0 }),
        (PayloadPart::Activity, if matches!(request_type, "search" | "automate") { 0 } else { MOST_OF_ACTIVITY }),
    ]
}

#[track_caller]
fn assert_limits(answers: &Answers, request: &Value) -> ContextPayload {
    let mut request = request.clone();
    request["tokenBudget"] = json!({ "total": 1_000_000, "focus": 400_000, "semantic": 200_000, "relations": 200_000 });
    let payload = answers.payload(&request);
    let mut all = 0;
    for (part, most) in most_of(&request) {
        let found = ids(&payload, part).len();
        assert!(found <= most, "{part:?} has {found} of {most}: {request}");
        all += most;
    }
    assert!(payload.metadata.blocks_included as usize <= all, "{request}");
    payload
}

/// A1. However large the budget is, each collector takes a limited number.
#[test]
fn a_large_budget_never_takes_the_whole_workspace() {
    let generated = generate(Size::of(4_000));
    let world = World::new(&[]);
    generated.plant(&world.tree());
    let answers = Answers::of(&world);
    let requests = questions(&generated, 40, &mut Random::new(7));
    let included: Vec<u32> =
        requests.iter().map(|request| assert_limits(&answers, request).metadata.blocks_included).collect();
    assert!(included.iter().filter(|count| **count > 10).count() > 10, "{included:?}");
}

/// Blocks that are all alike, all linked with one another, all on one page or in one database, and all edited by one
/// user: as many as every collector could ever want.
fn dense() -> World {
    let mut blocks = String::from("{\"id\":\"p\",\"type\":\"page\",\"title\":\"Alpha\",\"read\":[\"public\"]}\n");
    blocks += "{\"id\":\"d\",\"type\":\"database\",\"title\":\"Alpha rows\",\"read\":[\"public\"]}\n";
    let mut activity = String::new();
    for at in 0..5_000 {
        let (kind, parent) = if at % 10 == 0 { ("db_row", "d") } else { ("todo", "p") };
        let line = json!({ "id": format!("b{at:04}"), "type": kind, "parent": parent, "title": format!("Alpha {at}"),
            "text": format!("alpha number {at}"), "relations": { "Next": ["b0001", "b0010"] } });
        blocks += &format!("{line}\n");
        let kind = if at % 2 == 0 { "edit" } else { "view" };
        // The newest are those that the question finds last.
        let time = format!("2025-06-10T{:02}:{:02}:{:02}Z", 7 + at / 3_600, at / 60 % 60, at % 60);
        activity += &format!("{}\n", json!({ "user": "1", "block": format!("b{at:04}"), "kind": kind, "at": time }));
    }
    World::new(&[("blocks.jsonl", &blocks), ("activity.jsonl", &activity)])
}

/// A1. What is wanted by thousands of blocks is given to as many as the settings say, and no more.
#[test]
fn every_limit_is_reached_and_none_is_passed() {
    let world = dense();
    let answers = Answers::of(&world);
    let focuses = [json!({ "blockId": "b0100" }), json!({ "pageId": "p" }), json!({ "databaseId": "d" })];
    for (focus, most) in focuses.iter().zip([8, MOST_OF_PAGE, MOST_OF_DATABASE]) {
        for request_type in ["assist", "chat", "search", "automate"] {
            let request = json!({ "query": "alpha", "type": request_type, "focus": focus, "user": { "id": "1" }, "now": NOW,
                "hints": { "includeBlocks": ["b0003", "b0005"] } });
            let payload = assert_limits(&answers, &request);
            assert!(
                ids(&payload, PayloadPart::Focus).len() >= most,
                "{focus}: {:?}",
                ids(&payload, PayloadPart::Focus)
            );
        }
    }
    for (request_type, semantic, activity) in
        [("assist", 15, 10), ("chat", 15, 10), ("search", 30, 0), ("automate", 15, 0)]
    {
        let request = json!({ "query": "alpha", "type": request_type, "user": { "id": "1" }, "now": NOW });
        let payload = assert_limits(&answers, &request);
        assert_eq!(ids(&payload, PayloadPart::Semantic).len(), semantic, "{request}");
        assert!(ids(&payload, PayloadPart::Activity).len() >= activity, "{request}");
    }
    let request = json!({ "query": "alpha", "type": "assist", "focus": { "blockId": "b0100" }, "user": { "id": "1" }, "now": NOW });
    let payload = assert_limits(&answers, &request);
    assert_eq!(ids(&payload, PayloadPart::Relations).len(), MOST_OF_RELATIONS);
}

/// A2.
#[test]
fn another_view_makes_a_payload_invalid() {
    let (world, answers) = acme();
    let overdue = answers.payload(&flow(2));
    let validated = |payload: &ContextPayload, user: &str, code: i32| {
        world.write("../payload.json", &serde_json::to_string(payload).unwrap());
        let mut command = contextpack();
        command.current_dir(world.scratch.path()).args(["workspace", "validate", "payload.json", "--json"]);
        let output = run(command.args(["--repo", "tree", "--index", "index", "--as", user]), code);
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    assert_eq!(validated(&overdue, "user:2", 0)["valid"], true);
    let others = validated(&overdue, "user:1", 1);
    assert!(!others["errors"].as_array().unwrap().is_empty(), "{others}");
    assert!(others["errors"].as_array().unwrap().iter().all(|error| error["code"] == "PERMISSION"), "{others}");
    assert!(!others.to_string().contains("Layoffs"), "who may not see it is not told what it is: {others}");
    // A title or a path that the reader cannot see.
    let own = answers.payload(&flow(1));
    assert_eq!(validated(&own, "user:1", 0)["valid"], true);
    for place in ["/metadata/pageTitle", "/metadata/path/0"] {
        let mut changed = serde_json::to_value(&own).unwrap();
        *changed["sections"][2]["items"][0].pointer_mut(place).expect("the item has one") = json!("Layoffs");
        let found = validated(&serde_json::from_value(changed).unwrap(), "user:1", 1);
        let codes: Vec<&Value> = found["errors"].as_array().unwrap().iter().map(|error| &error["code"]).collect();
        assert!(codes.contains(&&json!("PERMISSION")), "{found}");
    }
    fs::remove_file(world.scratch.path().join("payload.json")).unwrap();
}

fn of_blocks(payload: &ContextPayload) -> Vec<(PayloadPart, &str)> {
    let blocks = payload.sections.iter().filter(|section| section.part.holds_blocks());
    blocks.flat_map(|section| section.items.iter().map(|item| (section.part, item.block_id.as_str()))).collect()
}

/// A4.
#[test]
fn the_question_the_asker_and_the_time_change_the_answer() {
    let (_world, answers) = acme();
    let base = json!({ "query": "What tasks are overdue?", "focus": { "blockId": "task-456" }, "user": { "id": "1" }, "now": NOW });
    let first = answers.payload(&base);
    for (key, value) in [
        ("query", json!("accounts of invited people")),
        ("focus", json!({ "blockId": "d-1" })),
        ("user", json!({ "id": "2" })),
        ("now", json!("2025-06-20T09:00:00Z")),
    ] {
        let mut other = base.clone();
        other[key] = value;
        let other = answers.payload(&other);
        assert_ne!(of_blocks(&first), of_blocks(&other), "another {key}");
        assert_ne!(first.payload_id, other.payload_id, "another {key}");
    }
    assert_eq!(answers.payload(&base), first, "the same request has the same answer");
}

/// A4.
#[test]
fn who_may_read_nothing_gets_nothing() {
    let world = World::of_golden("workspace_acme");
    world.remove("members.jsonl");
    let text = fs::read_to_string(world.tree().join("blocks.jsonl")).unwrap();
    world.write("blocks.jsonl", &text.replace("\"read\":[\"public\"]", "\"read\":[\"user:2\"]"));
    let answers = Answers::of(&world);
    for focus in [json!({}), json!({ "pageId": "page-123" })] {
        let request = json!({ "query": "What tasks are overdue?", "focus": focus, "user": { "id": "9" }, "now": NOW });
        let payload = answers.payload(&request);
        let is_empty = |part: PayloadPart| part == PayloadPart::System || ids(&payload, part).is_empty();
        assert!(PayloadPart::ALL.into_iter().all(is_empty), "{}", payload.serialized);
        assert_eq!(ids(&payload, PayloadPart::System), ["system:1"]);
        assert!(has_warning(&payload, WarningCode::NoContext));
        assert_eq!((payload.metadata.blocks_considered, payload.metadata.blocks_included), (0, 0));
        assert_eq!(has_warning(&payload, WarningCode::NotFound), focus.get("pageId").is_some());
        assert_eq!(Tokenizer::O200kBase.count(&payload.serialized) as u32, payload.metadata.total_tokens);
    }
}
