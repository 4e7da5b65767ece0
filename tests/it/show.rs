//! What a user can ask about by name: `show`, `why-not`, and the commands that take an index or an id.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, index_tree, plant, run};

const ORDER: &[u8] = b"from shop.money import round_up

LIMIT = 3


class Order:
    def cost(self):
        return round_up(self.total())

    def total(self):
        return 2


def settle(order: Order):
    return order.cost()
";

/// A tree with a method, a function of the same name in a test, and one in a fixture.
const FILES: &[(&str, &[u8])] = &[
    ("shop/order.py", ORDER),
    ("shop/money.py", b"def round_up(amount):\n    return amount + 1\n\n\ndef path():\n    return 1\n"),
    ("shop/save.py", b"class File:\n    def save(self):\n        pass\n\n\nclass Row:\n    def save(self):\n        pass\n"),
    ("shop/pool.py", b"class Pool:\n    size = 1\n\n\ndef size():\n    return 2\n"),
    ("tests/test_order.py", b"from shop.order import settle\n\n\ndef test_settle():\n    assert settle(None)\n\n\ndef settle_all():\n    pass\n"),
    ("golden/order.py", b"def round_up(amount):\n    return amount\n"),
    ("odd/a\"]b.py", b"def odd():\n    return odd()\n"),
];

struct World {
    scratch: TempDir,
}

impl World {
    fn new() -> Self {
        let world = World { scratch: tempdir().unwrap() };
        plant(&world.tree(), FILES);
        index_tree(&world.tree(), &world.index());
        world
    }

    fn tree(&self) -> PathBuf {
        self.scratch.path().join("tree")
    }

    fn index(&self) -> PathBuf {
        self.scratch.path().join("index")
    }

    /// What a command prints, and says if it fails.
    #[track_caller]
    fn tool(&self, arguments: &[&str], code: i32) -> String {
        let mut command = contextpack();
        command.current_dir(self.scratch.path()).args(arguments).arg("--repo").arg(self.tree());
        let output = run(command.arg("--index").arg(self.index()), code);
        String::from_utf8(if code == 0 { output.stdout } else { output.stderr }).unwrap()
    }

    #[track_caller]
    fn show(&self, arguments: &[&str]) -> String {
        self.tool(&[&["show"], arguments].concat(), 0)
    }

    #[track_caller]
    fn refused(&self, arguments: &[&str]) -> String {
        self.tool(&[&["show"], arguments].concat(), 2)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.show(&[arguments, &["--json"]].concat())).unwrap()
    }
}

#[test]
fn a_misspelt_name_gets_similar_ones() {
    let world = World::new();
    for (typed, near) in [
        ("setle", "shop/order.py::settle"),
        ("Order.csot", "shop/order.py::Order.cost"),
        ("ROUND_UP", "shop/money.py::round_up"),
        ("shop/oder.py", "shop/order.py"),
    ] {
        let said = world.refused(&[typed]);
        assert!(
            said.starts_with(&format!("show: nothing is called `{typed}`\n  hint: similar names are\n    {near}\n")),
            "{said}"
        );
        assert!(world.show(&[near]).lines().count() > 0);
    }
    assert_eq!(world.refused(&["qqqqqqqq"]), "show: nothing is called `qqqqqqqq`\n");
}

#[test]
fn a_line_is_the_definition_around_it() {
    let world = World::new();
    for typed in ["shop/order.py:8", "./shop/order.py:8", "order.py:8:5", "shop/order.py#L8", "file:shop/order.py:7-8"]
    {
        let shown = world.show(&[typed]);
        assert!(shown.starts_with("Order.cost (shop/order.py:7-8)\n"), "{typed}: {shown}");
    }
    assert!(world.show(&["shop/order.py:6"]).starts_with("Order (shop/order.py:6-11)\n"));
    assert!(world.show(&["shop/order.py:3"]).starts_with("LIMIT (shop/order.py:3)\n"));
    assert!(world.show(&["shop/order.py:1"]).starts_with("shop/order.py"), "the import stands in no definition");
    let said = world.refused(&["shop/order.py:99"]);
    assert_eq!(said, "show: `shop/order.py` has no text in line 99; its last line with text is 15\n");
}

#[test]
fn a_file_shows_its_definitions_however_its_path_is_written() {
    let world = World::new();
    let shown = world.show(&["shop/order.py"]);
    let definitions = "definitions:
  3      constant LIMIT
  6-11   class Order
  7-8      method Order.cost
  10-11    method Order.total
  14-15  function settle
";
    assert!(shown.starts_with(&format!("shop/order.py\n{definitions}")), "{shown}");
    let absolute = world.tree().join("shop/order.py");
    assert!(world.show(&["order.py"]).starts_with("shop/order.py\n  also: golden/order.py\n"), "not the fixture");
    for typed in ["./shop/order.py", "file:shop/order.py", absolute.to_str().unwrap()] {
        assert_eq!(world.show(&[typed]), shown, "{typed}");
    }
    let json = world.json(&["shop/order.py"]);
    assert_eq!(json["definitions"][2]["name"], "Order.cost");
    assert_eq!(json["definitions"][2]["depth"], 1);
    assert_eq!(json["definitions"][2]["lines"], serde_json::json!({ "start": 7, "end": 8 }));
}

#[test]
fn a_path_may_be_relative_to_the_current_directory() {
    let world = World::new();
    let mut command = contextpack();
    command.current_dir(world.tree().join("tests")).args(["show", "../shop/money.py:2", "--repo", ".."]);
    let output = run(command.arg("--index").arg(world.index()), 0);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("round_up (shop/money.py:1-2)\n"));
}

#[test]
fn a_directory_shows_its_files_with_their_definitions() {
    let world = World::new();
    let shown = world.show(&["shop"]);
    assert!(
        shown.starts_with("shop/ (4 files)\n  shop/money.py\n    1-2  function round_up\n    5-6  function path\n"),
        "{shown}"
    );
    assert!(!shown.contains("Order.cost"), "only the top level: {shown}");
    for typed in ["./shop/", "shop/"] {
        assert_eq!(world.show(&[typed]), shown);
    }
    assert!(world.show(&["."]).starts_with("./ (7 files)\n"));
    let one = world.show(&["shop", "--fanout", "1"]);
    assert!(one.contains("  shop/order.py\n    6-11  class Order\n    … and 2 more\n"), "{one}");
    assert_eq!(world.json(&["shop"])["fileCount"], 4);
    assert!(world.show(&["odd"]).starts_with("odd (odd/a"), "a word is a function before it is a directory");
    assert!(world.show(&["odd/"]).starts_with("odd/ (1 file)\n"));
    assert!(world.refused(&["shop", "--dot"]).contains("a directory has no edges to draw"));
}

#[test]
fn many_files_of_a_directory_are_counted() {
    let scratch = tempdir().unwrap();
    let tree = scratch.path().join("tree");
    for number in 0..70 {
        plant(&tree, &[(&format!("src/deep/f{number}.py"), b"X = 1\n")]);
    }
    index_tree(&tree, &scratch.path().join("index"));
    let output = run(contextpack().args(["show", "src", "--index"]).arg(scratch.path().join("index")), 0);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.ends_with("  … and 10 more files in src/deep/ 10\n"), "{shown}");
}

#[test]
fn sources_come_before_tests_and_fixtures_and_all_can_be_shown() {
    let world = World::new();
    let shown = world.show(&["round_up", "--callers"]);
    assert!(shown.starts_with("round_up (shop/money.py:1-2)\n  also: golden/order.py::round_up\n"), "{shown}");
    let shown = world.show(&["size"]);
    assert!(
        shown.starts_with("size (shop/pool.py:5-6)\n  also: shop/pool.py::Pool.size\n"),
        "a function, not a field: {shown}"
    );
    let said = world.refused(&["save"]);
    let listed =
        "show: `save` is the name of 2 definitions or files\n    shop/save.py::File.save\n    shop/save.py::Row.save\n";
    assert_eq!(said, format!("{listed}  hint: name one as it stands here, or show all of them (--all)\n"));
    let all = world.show(&["save", "--all", "--callers"]);
    assert_eq!(
        all,
        "File.save (shop/save.py:2-3)\ncallers:\n  none\n\nRow.save (shop/save.py:7-8)\ncallers:\n  none\n"
    );
    assert_eq!(world.json(&["save", "--all"])["shown"].as_array().unwrap().len(), 2);
}

#[test]
fn neighbours_can_be_drawn() {
    let world = World::new();
    let mermaid = world.show(&["round_up", "--callers", "--hops", "2", "--mermaid"]);
    assert_eq!(
        mermaid,
        "graph LR
  n0[\"round_up<br/>shop/money.py\"]
  n1[\"Order.cost<br/>shop/order.py\"]
  n2[\"settle<br/>shop/order.py\"]
  n1 -->|call| n0
  n2 -->|call| n1
"
    );
    let dot = world.show(&["round_up", "--callers", "--dot"]);
    assert!(
        dot.contains("  n1 [label=\"Order.cost\\nshop/order.py\"];\n")
            && dot.contains("  n1 -> n0 [label=\"call\"];\n")
    );
    let odd = world.show(&["odd", "--callers", "--mermaid"]);
    assert!(odd.contains("n0[\"odd<br/>odd/a#34;#93;b.py\"]"), "{odd}");
    assert!(world.show(&["odd", "--dot"]).contains("odd/a\\\"]b.py"));
    let capped = world.show(&["Order.cost", "--callees", "--fanout", "1", "--mermaid"]);
    assert!(capped.contains("[\"… 1 more\"]"), "{capped}");
}

#[test]
fn a_path_names_each_edge_and_its_place() {
    let world = World::new();
    let forward = world.show(&["path", "test_settle", "shop/money.py::round_up"]);
    let expected = "test_settle (tests/test_order.py) leads to round_up (shop/money.py) in 3 steps
  test_settle (tests/test_order.py)
  --call--> settle (shop/order.py)  at tests/test_order.py:5  [0.95 import]
  --call--> Order.cost (shop/order.py)  at shop/order.py:15";
    assert!(forward.starts_with(expected), "{forward}");
    let backward = world.show(&["path", "round_up", "settle"]);
    assert!(
        backward.contains("leads to round_up (shop/money.py) in 2 steps; nothing leads the other way\n"),
        "{backward}"
    );
    let json = world.json(&["path", "round_up", "settle"]);
    assert_eq!((&json["course"], &json["steps"][0]["type"]), (&"backward".into(), &"call".into()));
    assert_eq!(json["steps"][0]["seen"]["line"], 15);
    assert!(
        world.show(&["path", "Order", "round_up"]).contains("\n  Order.cost (shop/order.py)\n"),
        "a method of the class"
    );
    let none = world.show(&["path", "odd", "settle"]);
    assert!(
        none.starts_with("no path of at most 12 steps connects odd (odd/a\"]b.py) and settle (shop/order.py)\n"),
        "{none}"
    );
    assert!(world.show(&["path", "settle", "round_up", "--mermaid"]).contains("-->|call|"));
    assert!(world.refused(&["path", "save", "settle"]).contains("File.save"), "which one?");
    world.show(&["path", "save", "settle", "--all"]);
}

#[test]
fn something_called_path_can_be_shown() {
    let world = World::new();
    assert!(world.show(&["path"]).starts_with("path (shop/money.py:5-6)\n"));
    assert!(world.refused(&["settle", "cost"]).contains("show takes one name, not 2"));
}

#[test]
fn the_same_bytes_whatever_the_surroundings() {
    let questions: [&[&str]; 8] = [
        &["shop"],
        &["shop/order.py", "--json"],
        &["settle", "--hops", "3"],
        &["save", "--all", "--json"],
        &["round_up", "--mermaid", "--hops", "3"],
        &["round_up", "--dot"],
        &["path", "test_settle", "round_up", "--json"],
        &["setle"],
    ];
    let ask = |tree: &Path, index: &Path, jobs: &str, variables: &[(&str, &str)]| -> Vec<String> {
        let mut command = contextpack();
        command.args(["pack", "x", "--quiet", "--jobs", jobs, "--repo"]).arg(tree).arg("--index").arg(index);
        run(&mut command, 0);
        let answer = |question: &&[&str]| {
            let mut command = contextpack();
            command.envs(variables.iter().copied()).arg("show").args(*question);
            let output = command.arg("--repo").arg(tree).arg("--index").arg(index).output().unwrap();
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
        };
        questions.iter().map(answer).collect()
    };
    let scratch = tempdir().unwrap();
    let (one, other) = (scratch.path().join("one"), scratch.path().join("a folder with spaces/другая"));
    plant(&one, FILES);
    FILES.iter().rev().for_each(|file| plant(&other, &[*file]));
    let first = ask(&one, &scratch.path().join("i1"), "1", &[]);
    assert!(first.iter().all(|answer| !answer.is_empty() && !answer.contains(scratch.path().to_str().unwrap())));
    assert_eq!(ask(&one, &scratch.path().join("i1"), "1", &[]), first, "twice");
    let variables = [("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/nonexistent")];
    assert_eq!(ask(&other, &scratch.path().join("i2"), "8", &variables), first, "threads, folder, locale, zone");
}

#[test]
fn why_not_answers_for_exactly_the_thing_asked() {
    let scratch = tempdir().unwrap();
    let long: String = (0..60).map(|line| format!("    settle_one(book, {line})\n")).collect();
    let ledger = format!(
        "class Ledger:\n    max_entries = 9\n\n    def fits(self):\n        return True\n\n\ndef max_entries():\n    return 1\n\n\ndef settle_book(book):\n{long}"
    );
    plant(scratch.path(), &[("tree/ledger.py", ledger.as_bytes()), ("tree/account.py", b"class Account:\n    pass\n")]);
    index_tree(&scratch.path().join("tree"), &scratch.path().join("index"));
    let tool = |arguments: &[&str]| {
        let mut command = contextpack();
        command.current_dir(scratch.path()).args(arguments).args(["--index", "index"]);
        String::from_utf8(run(&mut command, 0).stdout).unwrap()
    };
    let pack = tool(&["pack", "settle_book settle_one", "--max-tokens", "300", "--json"]);
    fs::write(scratch.path().join("pack.json"), pack).unwrap();
    let said = tool(&["why-not", "pack.json", "Account::fits"]);
    let near = "  hint: similar names are\n    ledger.py::Ledger.fits\n";
    assert_eq!(said, format!("Account::fits: the index has nothing of that name\n{near}"));
    let said = tool(&["why-not", "pack.json", "Ledger::fits"]);
    assert!(said.starts_with("method Ledger.fits (ledger.py:4-5): "), "{said}");
    let said = tool(&["why-not", "pack.json", "max_entries"]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("function max_entries (ledger.py:8-9): "), "{said}");
    assert!(lines[1].starts_with("field Ledger.max_entries (ledger.py:2): "), "{said}");
    let said = tool(&["why-not", "pack.json", "settle_book"]);
    assert!(said.starts_with("function settle_book (ledger.py:12-72): in part in the pack: lines 12-"), "{said}");
    assert!(said.contains(" of 12-72, in section seeds, rank "), "{said}");
    let json: Value = serde_json::from_str(&tool(&["why-not", "pack.json", "ledger.py:30", "--json"])).unwrap();
    assert_eq!((&json["verdict"]["step"], &json["name"]), (&"partial".into(), &"settle_book".into()));
    assert_eq!(json["verdict"]["of"], serde_json::json!({ "start": 12, "end": 72 }));
}

#[test]
fn an_index_can_be_verified_and_read_by_its_own_directory() {
    let world = World::new();
    let tool = |arguments: &[&str], code: i32| {
        let mut command = contextpack();
        let output = run(command.current_dir(world.scratch.path()).args(arguments), code);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (said, _) = tool(&["verify", "index", "--deep"], 0);
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].starts_with("chunk: sound: ") && lines[1].starts_with("graph: sound: "),
        "{said}"
    );
    let (json, _) = tool(&["verify", "index", "--json"], 0);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["sound"], &json["stages"]["graph"]["sound"]), (&true.into(), &true.into()));
    assert!(tool(&["verify", "index/chunk"], 0).0.starts_with("sound: "));
    for artifact in ["symbols", "edges"] {
        let stage = if artifact == "symbols" { "index/chunk" } else { "index/graph" };
        assert_eq!(tool(&["cat", "index", artifact], 0), tool(&["cat", stage, artifact], 0));
    }
    assert!(tool(&["cat", "index", "context_packs"], 2).1.contains("holds no artifact `context_packs`"));
    for key in ["[\"shop/order.py\"", "{\"a\":1}"] {
        let (_, said) = tool(&["cat", "index", "symbols", "--key", key], 2);
        assert!(said.contains("cannot use the key") && said.contains("hint: give a path, or a JSON array"), "{said}");
    }
    let (printed, said) = tool(&["cat", "index", "symbols", "--key", "no.py"], 0);
    assert_eq!(
        (printed.as_str(), said.as_str()),
        ("", "cat: no record of symbols has a key that starts with `no.py`\n")
    );
    let piece = fs::read_dir(world.index().join("graph")).unwrap().map(|entry| entry.unwrap().path());
    let piece = piece.filter(|path| path.to_string_lossy().contains("edges")).min().unwrap();
    fs::write(piece, "damage").unwrap();
    let (said, _) = tool(&["verify", "index"], 1);
    assert!(said.contains("\ngraph: not sound: "), "{said}");
}

#[test]
fn a_stored_pack_is_read_by_its_id_alone() {
    let world = World::new();
    let id = world.tool(&["pack", "settle", "--write", "--quiet"], 0);
    let id = id.trim();
    let printed = world.tool(&["pack", "--read", "--pack-id", id], 0);
    assert!(printed.contains("settle"));
    assert_eq!(world.tool(&["pack", "--read", id], 0), printed);
    assert_eq!(world.tool(&["pack", "--read", id.strip_prefix("pack:").unwrap()], 0), printed);
    assert!(world.tool(&["pack", "--read", "0123"], 2).contains("hint: an id is `pack:` and 32 hex digits"));
    assert!(world.tool(&["pack", "--read"], 2).contains("hint: give --read ID"));
    world.tool(&["why-not", id.strip_prefix("pack:").unwrap(), "settle"], 0);
}

#[test]
fn a_tree_that_does_not_exist_is_said() {
    let said = String::from_utf8(run(contextpack().args(["show", "x", "--repo", "/nonexistent"]), 2).stderr).unwrap();
    assert_eq!(said, "show: cannot read the source tree `/nonexistent`\n  because it does not exist\n");
}

#[test]
fn one_is_singular() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("tree/a.py", b"def settle():\n    return 1\n")]);
    let mut command = contextpack();
    command
        .args(["pack", "settle", "--repo"])
        .arg(scratch.path().join("tree"))
        .arg("--index")
        .arg(scratch.path().join("i"));
    let said = String::from_utf8(run(&mut command, 0).stderr).unwrap();
    assert!(said.starts_with("pack: 1 item of 1 file, "), "{said}");
}
