//! What files become: one workspace in several formats, and whatever is wrong with it.

use std::collections::BTreeMap;
use std::fs;

use contextpack::pipeline::PipelineError;
use contextpack::record::Reader;
use serde_json::{Map, Value, json};
use tempfile::tempdir;

use super::gate::{Asked, drawn};
use super::world::{World, reader};
use crate::tool::{bytes, contextpack, home, run};

/// The readers of `golden/workspace_acme`.
fn readers() -> [Reader; 4] {
    [
        reader(&["user:1", "workspace:acme", "team:ops"]),
        reader(&["user:2", "workspace:acme"]),
        reader(&[]),
        Reader::Operator,
    ]
}

fn asked() -> Asked {
    let words = |list: &[&str]| list.iter().map(|word| word.to_string()).collect();
    Asked {
        ids: words(&["page-123", "todo-s", "r-3", "nothing"]),
        terms: words(&["ship", "invoic", "certif", "globex", "initech", "lawyer", "page"]),
        titles: words(&["Launch", "q3  plan", "Layoffs", "Globex", "Initech"]),
        users: words(&["1", "2"]),
    }
}

fn all_drawn(world: &World) -> Vec<String> {
    world.build();
    readers().iter().map(|reader| drawn(world, reader, &asked())).collect()
}

fn golden_text(path: &str) -> String {
    fs::read_to_string(home().join("golden").join(path)).unwrap()
}

/// The lines of `golden/workspace_acme`, each with its place as its order.
fn acme_lines() -> Vec<Map<String, Value>> {
    let text = golden_text("workspace_acme/input/blocks.jsonl");
    let line = |(at, line): (usize, &str)| {
        let mut line: Map<String, Value> = serde_json::from_str(line).unwrap();
        line.insert("order".to_string(), json!(at));
        line
    };
    text.lines().enumerate().map(line).collect()
}

/// The rest of that workspace beside other files.
fn acme_with(files: &[(&str, String)]) -> World {
    let world = World::of_golden("workspace_acme");
    world.remove("blocks.jsonl");
    files.iter().for_each(|(path, text)| world.write(path, text));
    world
}

fn jsonl<'l>(lines: impl IntoIterator<Item = &'l Map<String, Value>>) -> String {
    lines.into_iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect()
}

/// The same blocks as a block tree.
fn tree_of(lines: &[Map<String, Value>]) -> String {
    let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let word = |line: &'_ Map<String, Value>, key: &str| line.get(key).and_then(Value::as_str).map(str::to_string);
    let parents: Vec<Option<String>> = lines.iter().map(|line| word(line, "parent")).collect();
    for (line, parent) in lines.iter().zip(&parents) {
        children.entry(parent.as_deref().unwrap_or_default()).or_default().push(line["id"].as_str().unwrap());
    }
    let block = |(line, parent): (&Map<String, Value>, &Option<String>)| {
        let id = line["id"].as_str().unwrap();
        let rights = line.get("read").map(|read| json!({ "read": read, "mode": line.get("readMode") }));
        let block = json!({
            "id": id, "type": line["type"], "parentId": parent, "children": children.get(id),
            "createdAt": line.get("createdAt"), "updatedAt": line.get("updatedAt"),
            "createdBy": line.get("createdBy"), "metadata": { "permissions": rights.unwrap_or_else(|| json!({})) },
            "data": data_of(line),
        });
        (id.to_string(), block)
    };
    let blocks: Map<String, Value> = lines.iter().zip(&parents).map(block).collect();
    json!({ "roots": children.get("").unwrap(), "blocks": blocks }).to_string()
}

/// What a line says in fields of its own, as `data` of a block tree has it.
fn data_of(line: &Map<String, Value>) -> Value {
    let mut data = line.get("data").and_then(Value::as_object).cloned().unwrap_or_default();
    let is_part = line.get("title").is_none();
    let text_key = if is_part { "content" } else { "description" };
    let names = [
        ("assignees", "assignedTo"),
        ("done", "completed"),
        ("due", "dueDate"),
        ("priority", "priority"),
        ("tags", "tags"),
        ("text", text_key),
        ("title", "title"),
    ];
    for (flat, name) in names {
        line.get(flat).into_iter().for_each(|value| drop(data.insert(name.to_string(), value.clone())));
    }
    let columns = line.get("properties").map(|columns| json!(columns.to_string()));
    columns.into_iter().for_each(|columns| drop(data.insert("properties".to_string(), columns)));
    Value::Object(data)
}

/// R1. A format, the order of lines and the files that they are in make no difference to any reader.
#[test]
fn every_format_gives_the_same_blocks() {
    let lines = acme_lines();
    let wanted = all_drawn(&World::of_golden("workspace_acme"));
    assert!(wanted.iter().all(|drawn| drawn.lines().count() > 20));
    let shuffled: Vec<_> = (0..lines.len()).map(|at| &lines[at * 23 % lines.len()]).collect();
    assert!(!lines.len().is_multiple_of(23));
    let seven: Vec<(String, String)> = (0..7)
        .map(|file| (format!("part {}/b.jsonl", (file * 3) % 7), jsonl(shuffled.iter().copied().skip(file).step_by(7))))
        .collect();
    let seven: Vec<(&str, String)> = seven.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
    for (name, files) in [
        ("shuffled", vec![("blocks.jsonl", jsonl(shuffled.iter().copied()))]),
        ("seven files", seven),
        ("a tree", vec![("tree.json", tree_of(&lines))]),
    ] {
        let found = all_drawn(&acme_with(&files));
        for (found, wanted) in found.iter().zip(&wanted) {
            assert_eq!(found, wanted, "{name}");
        }
    }
}

#[test]
fn readers_see_what_they_may_read() {
    let world = World::of_golden("workspace_acme");
    let [one, two, nobody, operator] = <[String; 4]>::try_from(all_drawn(&world)).unwrap();
    // What is asked for is named in the drawing, too, behind the blocks.
    let blocks = one.split("\nid ").next().unwrap();
    for hidden in ["Layoffs", "lawyer", "Initech", "98765", "todo-s", "page-sec", "r-3"] {
        assert!(!blocks.contains(hidden), "{hidden}");
    }
    assert!(one.contains("id todo-s: None\nid r-3: None\nid nothing: None"), "{one}");
    assert!(two.contains("Layoffs") && two.contains("Initech") && operator.contains("Call the lawyer"));
    assert!(!two.contains("98765") && !operator.contains("98765"), "a rollup is never shown");
    assert!(nobody.starts_with("blocks: 1\n") && nobody.contains("Press release") && nobody.contains("tree: (None"));
    let d1 = one.split("db_row d-1\n").nth(1).unwrap();
    assert!(d1.contains("links: [(Relation, 28, Some(\"Customers\"))]"), "r-1 and no other: {d1}");
    assert!(one.contains("activity 2: [(1, \"view\""), "without what was done to hidden blocks");
}

/// R1. 1 and 8 threads give the same bytes.
#[test]
fn threads_make_no_difference() {
    for case in ["workspace_acme", "workspace_notion", "workspace_tree"] {
        let built = [1, 8].map(|jobs| {
            let world = World { jobs, ..World::of_golden(case) };
            world.build();
            world.bytes()
        });
        assert!(built[0] == built[1], "{case}");
    }
}

/// What happens to a workspace between two runs: a file with what takes the place of what.
const CHANGES: &[(&str, &str, &str)] = &[
    ("blocks.jsonl", "Send invoices", "Send the invoices"),
    ("blocks.jsonl", "\"read\":[\"user:2\"],\"createdAt\"", "\"read\":[\"user:1\"],\"createdAt\""),
    ("permissions.jsonl", "\"read\":[\"user:2\"]", "\"read\":[\"user:2\",\"user:1\"]"),
    ("permissions.jsonl", "workspace:acme", "team:ops"),
    ("permissions.jsonl", "{\"default\":[\"team:ops\"]}\n", ""),
    ("permissions.jsonl", "\"r-3\"", "\"q3-risk\""),
    ("members.jsonl", "\"ops\"", "\"sales\""),
    ("more/rows.jsonl", "\"id\":\"r-9\"", "\"id\":\"r-1\""),
    ("more/rows.jsonl", "\"parent\":\"customers\"", "\"parent\":\"page-sec\""),
    ("blocks.jsonl", "\"id\":\"customers\"", "\"id\":\"clients\""),
    ("blocks.jsonl", "\"name\":\"Seats\",\"type\":\"number\"", "\"name\":\"Due\",\"type\":\"date\""),
    ("blocks.jsonl", "\"parent\":\"home\",\"title\":\"Q3 Plan\"", "\"parent\":\"page-123\",\"title\":\"Q3 Plan\""),
    ("activity.jsonl", "\"user\":\"1\"", "\"user\":\"3\""),
    ("contextpack.toml", "[workspace]\n", "[workspace]\ndefault_read = [\"public\"]\n"),
    ("contextpack.toml", "[workspace]\n", "[workspace]\nderived_columns = [\"Plan\"]\n"),
];

/// R1. Whatever was edited, the next run gives the bytes of a run from nothing.
#[test]
fn a_rebuild_gives_the_bytes_of_a_build_from_nothing() {
    let world = World::of_golden("workspace_acme");
    world.write(
        "more/rows.jsonl",
        "{\"id\":\"r-9\",\"type\":\"db_row\",\"parent\":\"customers\",\"title\":\"Soylent\",\"data\":{\"values\":{\"seats\":3}}}\n",
    );
    world.build();
    for (path, from, to) in CHANGES {
        let file = world.tree().join(path);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{path} holds {from}");
        fs::write(&file, text.replacen(from, to, 1)).unwrap();
        let before = world.bytes();
        world.build();
        assert!(world.bytes() != before, "{path}: {to} changes something");
        let fresh = tempdir().unwrap();
        world.build_into(fresh.path()).unwrap();
        for stage in ["chunk", "graph"] {
            let (kept, fresh) = (bytes(&world.index().join(stage)), bytes(&fresh.path().join(stage)));
            assert!(kept == fresh, "{stage} differs after {path}: {to}");
        }
        run(contextpack().args(["verify", "--deep"]).arg(world.index()), 0);
    }
}

/// R3. What nobody may read because of what is around it, what has no parent, and ids that stand twice.
#[test]
fn broken_trees_are_read_as_far_as_they_are_trees() {
    let world = World::new(&[
        (
            "a.jsonl",
            "{\"id\":\"a\",\"type\":\"page\",\"title\":\"A\",\"parent\":\"c\"}\n\
            {\"id\":\"b\",\"type\":\"page\",\"title\":\"B\",\"parent\":\"a\"}\n\
            {\"id\":\"c\",\"type\":\"page\",\"title\":\"C\",\"parent\":\"b\"}\n\
            {\"id\":\"self\",\"type\":\"page\",\"title\":\"Self\",\"parent\":\"self\"}\n\
            {\"id\":\"below\",\"type\":\"text\",\"text\":\"below a loop\",\"parent\":\"b\"}\n\
            {\"id\":\"lost\",\"type\":\"text\",\"text\":\"lost\",\"parent\":\"nowhere\"}\n\
            {\"id\":\"top\",\"type\":\"page\",\"title\":\"Top\"}\n\
            {\"id\":\"one\",\"type\":\"text\",\"text\":\"first of two\",\"parent\":\"top\"}\n\
            {\"id\":\"one\",\"type\":\"text\",\"text\":\"second of two\",\"parent\":\"top\"}\n",
        ),
        (
            "b.jsonl",
            "{\"id\":\"top\",\"type\":\"page\",\"title\":\"Other top\",\"read\":[\"user:1\"]}\n\
            {\"id\":\"under\",\"type\":\"text\",\"text\":\"under the other\",\"parent\":\"top\"}\n\
            {\"id\":\"one\",\"type\":\"text\",\"text\":\"third\",\"parent\":\"top\"}\n",
        ),
        ("c.jsonl", "{\"id\":\"far\",\"type\":\"text\",\"text\":\"far\",\"parent\":\"top\"}\n"),
        (
            "tree.json",
            "{\"roots\":[\"r\"],\"blocks\":{\"r\":{\"type\":\"page\",\"parentId\":\"not exported\",\"data\":{\"title\":\"R\"}}}}",
        ),
        ("permissions.jsonl", "{\"default\":[\"workspace:w\"]}\n"),
    ]);
    world.build();
    let ids = ["a", "b", "c", "self", "below", "lost", "top", "one", "under", "far", "r"];
    let asked = Asked { ids: ids.map(str::to_string).to_vec(), ..Asked::default() };
    let of_all = drawn(&world, &reader(&["workspace:w"]), &asked);
    let texts: Vec<&str> =
        of_all.lines().filter_map(|line| line.strip_prefix("  text: (\"")?.split('"').next()).collect();
    assert_eq!(texts, ["R", "Top", "first of two", "second of two"]);
    assert!(of_all.contains("id a: None\nid b: None\nid c: None\nid self: None\nid below: None\nid lost: None\n"));
    assert!(of_all.contains("id under: None\nid far: None\nid r: Some(0)\n"), "{of_all}");
    let of_one = drawn(&world, &reader(&["workspace:w", "user:1"]), &asked);
    assert!(of_one.contains("far") && of_one.contains("under the other") && of_one.contains("Other top"), "{of_one}");
    let operators = drawn(&world, &Reader::Operator, &asked);
    assert!(operators.starts_with("blocks: 14\n"), "nothing is dropped: {operators}");
    let codes: Vec<String> = world.problems().iter().map(|it| it.split(' ').next().unwrap().to_string()).collect();
    let count = |code: &str| codes.iter().filter(|known| *known == code).count();
    assert_eq!((count("itemParent"), count("itemDuplicate")), (5, 3), "{codes:?}");
}

/// R3. No chain of parents takes the stack or too much time.
#[test]
fn a_hundred_thousand_levels_are_one_tree() {
    let line = |at: usize| match at {
        0 => "{\"id\":\"0\",\"type\":\"page\",\"title\":\"Top\",\"read\":[\"user:1\"]}\n".to_string(),
        _ => format!("{{\"id\":\"{at}\",\"type\":\"list\",\"parent\":\"{}\"}}\n", at - 1),
    };
    let levels = 100_000;
    let last = format!("{{\"id\":\"end\",\"type\":\"text\",\"text\":\"the end\",\"parent\":\"{}\"}}\n", levels - 1);
    let world = World::new(&[("deep.jsonl", &((0..levels).map(line).collect::<String>() + &last))]);
    world.build();
    let seen = world.source().with_blocks(&reader(&["user:1"]), |blocks| {
        let end = blocks.block_with_id("end").expect("it is there");
        let mut steps = 0;
        let mut around = blocks.parent(end);
        while let Some(block) = around {
            (around, steps) = (blocks.parent(block), steps + 1);
        }
        (blocks.count(), blocks.place(end), steps)
    });
    assert_eq!(seen.unwrap(), Some((levels + 1, levels as u32, levels)));
    let hidden = world.source().with_blocks(&reader(&["user:2"]), |blocks| blocks.count());
    assert_eq!(hidden.unwrap(), Some(0));
}

/// R3. What cannot be read is left out, and said; the rest is there.
#[test]
fn values_that_are_no_json_are_left_out() {
    let row = "{\"id\":\"r\",\"type\":\"db_row\",\"parent\":\"d\",\"data\":{\"databaseId\":\"d\",\"values\":VALUES}}\n";
    let database = "{\"id\":\"d\",\"type\":\"database\",\"title\":\"D\",\"read\":[\"public\"],\"data\":{\"properties\":COLUMNS}}\n";
    for (columns, values, said) in [
        ("\"[{\"", "\"{\\\"a\\\":\"", 2),
        ("\"nothing\"", "\"nothing\"", 2),
        ("{}", "[]", 2),
        ("12", "12", 2),
        ("null", "null", 0),
        ("[]", "{\"title\":\"T\"}", 0),
    ] {
        let text = database.replace("COLUMNS", columns) + &row.replace("VALUES", values);
        let world = World::new(&[("a.jsonl", &text)]);
        world.build();
        let problems = world.problems();
        assert_eq!(problems.len(), said, "{columns} {values}: {problems:?}");
        assert!(problems.iter().all(|problem| problem.starts_with("itemData a.jsonl: block `")), "{problems:?}");
        let seen = drawn(&world, &reader(&[]), &Asked::default());
        assert!(seen.starts_with("blocks: 2\n") && seen.contains("title: Some(\"D\")"), "{seen}");
    }
}

/// R3. Permissions that cannot be read end the run, and an index that was there stays as it is.
#[test]
fn an_unreadable_line_of_permissions_stops_the_run() {
    let broken = [
        ("permissions.jsonl", "{\"block\":\"page-123\",\"read\":[\"user:1\"]"),
        ("permissions.jsonl", "{\"block\":\"page-123\",\"read\":\"user:1\"}"),
        ("permissions.jsonl", "{\"block\":\"page-123\",\"read\":[\"user:1\"],\"mode\":\"open\"}"),
        ("permissions.jsonl", "{\"block\":\"page-123\",\"reed\":[\"user:1\"]}"),
        ("permissions.jsonl", "{\"block\":\"a\",\"block\":\"b\",\"read\":[\"user:1\"]}"),
        ("below/permissions.jsonl", "[]"),
        ("permissions.jsonl", "\u{0}"),
        ("members.jsonl", "{\"user\":\"1\",\"teams\":\"ops\"}"),
        ("members.jsonl", "{\"teams\":[\"ops\"]}"),
        ("far/away/members.jsonl", "no JSON"),
    ];
    for (path, line) in broken {
        let world = World::of_golden("workspace_acme");
        world.write(path, &format!("\n{line}\n"));
        let chunk = ["chunk", "--source", "tree", "--source-kind", "workspace", "--out", "index/chunk"];
        let output = world.run(&chunk);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains(path) && !said.contains("page-123"), "{said}");
        assert!(!world.index().join("chunk/manifest.json").exists(), "{line}: nothing is written");
        let indexed = World::of_golden("workspace_acme");
        indexed.build();
        let before = indexed.bytes();
        indexed.write(path, &format!("\n{line}\n"));
        let error = indexed.build_into(&indexed.index()).expect_err("it is refused again");
        assert!(matches!(error, PipelineError::Permissions { .. }), "{error}");
        assert!(indexed.bytes() == before, "{line}: the old index stays");
    }
}

/// R3. A workspace may be empty, or grant nothing.
#[test]
fn an_empty_workspace_has_nothing_to_read() {
    for files in [&[][..], &[("a.jsonl", "")], &[("notes.txt", "a text"), ("members.jsonl", "{\"user\":\"1\"}\n")]] {
        let world = World::new(files);
        world.build();
        let seen = drawn(&world, &reader(&["user:1"]), &asked());
        assert!(seen == "no workspace\n" || seen.starts_with("blocks: 0\n"), "{seen}");
        assert!(!world.all_records().contains("\"audience\":[]"));
    }
    let world = World::new(&[("a.jsonl", "{\"id\":\"p\",\"type\":\"page\",\"title\":\"Nobody's\"}\n")]);
    world.build();
    assert!(drawn(&world, &reader(&["user:1"]), &asked()).starts_with("blocks: 0\n"), "deny by default");
    let arguments = ["chunk", "--repo", "tree", "--source-kind", "workspace", "--out"];
    let said = |out: &str| String::from_utf8(world.run(&[&arguments[..], &[out]].concat()).stderr).unwrap();
    assert!(said("closed").contains("--default-read user:me"), "the build says so");
    world.write("permissions.jsonl", "{\"default\":[\"user:1\"]}\n");
    assert!(!said("open").contains("nobody may read"));
}

/// R3. Secrets in blocks are replaced before anything is read from a file, and no record holds them.
#[test]
fn secrets_in_blocks_are_replaced() {
    // In two parts, so that no secret stands here.
    let key = ["AK", "IAQ3EGU7Z2TBV4XYMD"].concat();
    let token = ["gh", "p_R7tKq2Vx9LmZ4nWc8YbD5sHf3JgA1eUo6TiP"].concat();
    let lines = format!(
        "{{\"id\":\"t\",\"type\":\"text\",\"text\":\"use {key} here\"}}\n\
         {{\"id\":\"p\",\"type\":\"page\",\"title\":\"The token {token}\",\"tags\":[\"{key}\"]}}\n\
         {{\"id\":\"r\",\"type\":\"db_row\",\"title\":\"R\",\"properties\":{{\"Key\":\"{key}\"}}}}\n\
         {{\"id\":\"c\",\"type\":\"code\",\"text\":\"token = '{token}'\\nexport KEY={key}\\n\"}}\n"
    );
    let world = World::new(&[("a.jsonl", &lines), ("permissions.jsonl", "{\"default\":[\"public\"]}\n")]);
    world.build();
    let seen = drawn(&world, &reader(&[]), &asked());
    let records = world.all_records();
    for secret in [&key, &token] {
        assert!(!seen.contains(secret.as_str()) && !records.contains(secret.as_str()), "{secret}");
    }
    assert!(seen.starts_with("blocks: 4\n"), "the rest of each block is there: {seen}");
    assert!(seen.contains("use ") && seen.contains("The token ") && seen.contains("export KEY="), "{seen}");
    assert!(world.problems().iter().any(|problem| problem.starts_with("secret a.jsonl: ")));
}

/// N1. The export is `golden/workspace_notion`: its records are there; this is what a reader makes of them.
#[test]
fn an_export_of_notion_is_a_workspace() {
    let world = World::of_golden("workspace_notion");
    world.build();
    let titles = ["Home", "Projects", "Website", "Untitled", "Garden", "Ann", "Notes", "New project"];
    let asked = Asked { titles: titles.map(str::to_string).to_vec(), ..Asked::default() };
    let seen = drawn(&world, &reader(&["user:me"]), &asked);
    let found =
        |title: &str| seen.lines().find(|line| line.starts_with(&format!("title {title}: "))).unwrap().to_string();
    let counts =
        titles.map(|title| found(title).matches(char::is_numeric).count().min(1) + found(title).matches(", ").count());
    assert_eq!(counts, [1, 1, 2, 1, 1, 1, 1, 1], "{seen}");
    assert!(seen.contains("Deadline: April 17, 2024\\nDone: No\\nSpan: April 1, 2024 → April 17, 2024\\nCost: 1200"));
    assert!(seen.contains("Some(Date(\"2024-04-17\"))") && seen.contains("Some(Date(\"2024-05-02\"))"), "{seen}");
    assert!(!seen.contains(".md)\\n") && seen.matches("(Relation, ").count() >= 12, "relations are links and no text");
    assert_eq!(seen.matches("form: ((false, true, false), None)").count(), 1, "one template");
    assert!(!seen.contains("Nothing but a view"));
    let anns = drawn(&world, &reader(&["user:ann"]), &asked);
    assert!(anns.contains("Old notes") && !anns.contains("\"Website") && anns.contains("title Home: []"), "{anns}");
    assert_eq!(world.problems().iter().filter(|problem| problem.starts_with("itemView")).count(), 2);
}
