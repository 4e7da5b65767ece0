//! The graph stage through the real binaries: same bytes, sound links, and trees that would lead it astray.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use contextpack::record::{Artifact, Coverage, Edge, EdgeStatus, EdgeType, Evidence, Node, Tier};
use contextpack::store::Index;
use protobuf::Message;
use scip::types as scip_types;
use tempfile::{TempDir, tempdir};

use crate::tool::{bytes, chunk, contextpack, graph, home, plant, run, run_within};

/// A tree, its chunks and its graph.
struct World {
    scratch: TempDir,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let world = World { scratch: tempdir().unwrap() };
        let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
        fs::create_dir_all(world.tree()).unwrap();
        plant(&world.tree(), &files);
        world
    }

    fn tree(&self) -> PathBuf {
        self.scratch.path().join("tree")
    }

    fn index(&self) -> PathBuf {
        self.scratch.path().join("index")
    }

    fn build(&self) -> Index {
        chunk(&self.tree(), &self.index().join("chunk"), &[]);
        let graph = graph(&self.index(), &[]);
        run(contextpack().arg("verify").arg("--deep").arg(&graph), 0);
        let index = Index::open(&graph).unwrap();
        check_links(&index);
        index
    }

    /// Ends of edges of one type: from, to, confidence in per cent.
    fn edges(&self, edge_type: EdgeType) -> Vec<(String, String, u32)> {
        let index = self.build();
        let name = |id: &str| id.rsplit(" . ").next().unwrap().to_string();
        let edges = records::<Edge>(&index).into_iter().filter(|edge| edge.edge_type == edge_type);
        let ends = edges
            .map(|edge| (name(edge.from.as_str()), name(edge.to.as_str()), edge.confidence.in_millionths() / 10_000));
        ends.collect()
    }
}

fn records<A: Artifact>(index: &Index) -> Vec<A> {
    index.records::<A>().unwrap().map(|record| record.unwrap()).collect()
}

/// Every end of an edge is a node and every piece of evidence is there.
fn check_links(index: &Index) {
    let nodes: BTreeSet<_> = records::<Node>(index).into_iter().map(|node| node.node_id).collect();
    let places = records::<Evidence>(index).into_iter().flat_map(|record| record.places);
    let evidence: BTreeSet<_> = places.map(|place| place.evidence_id).collect();
    for edge in records::<Edge>(index) {
        assert!(nodes.contains(&edge.from) && nodes.contains(&edge.to), "{edge:?} leads to no node");
        assert!(!edge.evidence.is_empty(), "{edge:?} says not how it is known");
        assert!(edge.evidence.iter().all(|id| evidence.contains(id)), "{edge:?} has evidence that is nowhere");
        assert_eq!(edge.candidates.is_some_and(|count| count > 1), edge.candidates.is_some(), "{edge:?}");
    }
}

#[test]
fn one_digest_whatever_the_threads_and_the_folder() {
    let scratch = tempdir().unwrap();
    let build = |name: &str, jobs: &str| {
        let index = scratch.path().join(name);
        chunk(&home().join("golden"), &index.join("chunk"), &["--jobs", jobs, "--shuffle", jobs]);
        let mut command = contextpack();
        command.envs([("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/nonexistent")]);
        run(command.args(["graph", "--max-shard-bytes", "65536", "--jobs", jobs, "--index"]).arg(&index), 0);
        bytes(&index.join("graph"))
    };
    let first = build("first", "1");
    assert!(first.len() > 12, "the graph has several shards, so that their order could go wrong");
    for (name, jobs) in [("two", "2"), ("a folder with spaces/другая", "8")] {
        assert!(build(name, jobs) == first, "{jobs} threads in `{name}`");
    }
}

#[test]
fn after_an_edit_the_bytes_are_those_of_a_build_from_nothing() {
    let world = World::new(&[("a.py", "def f():\n    g()\n"), ("b.py", "from a import f\n\nf()\n")]);
    world.build();
    for edit in ["def f():\n    pass\n\ndef g():\n    f()\n", "", "def g():\n    pass\n"] {
        fs::write(world.tree().join("a.py"), edit).unwrap();
        world.build();
        let fresh = tempdir().unwrap();
        chunk(&world.tree(), &fresh.path().join("chunk"), &[]);
        let fresh = graph(fresh.path(), &[]);
        assert_eq!(bytes(&world.index().join("graph")), bytes(&fresh));
    }
}

#[test]
fn nothing_is_written_when_nothing_changed() {
    let world = World::new(&[("a.py", "def f():\n    f()\n")]);
    world.build();
    let manifest = world.index().join("graph/manifest.json");
    let before = fs::metadata(&manifest).unwrap().modified().unwrap();
    let output = run(contextpack().arg("graph").arg("--index").arg(world.index()), 0);
    assert!(String::from_utf8_lossy(&output.stderr).contains("is up to date"));
    assert_eq!(fs::metadata(&manifest).unwrap().modified().unwrap(), before);
}

#[test]
fn import_cycles_end() {
    let world = World::new(&[
        ("a.ts", "export * from './b';\nexport { x as y } from './c';\n"),
        ("b.ts", "export * from './a';\nexport * from './c';\n"),
        ("c.ts", "export * from './a';\nexport { y as x } from './a';\nexport const z = 1;\n"),
        ("use.ts", "import { x, y, z } from './a';\nexport const all = [x, y, z];\n"),
        ("p.py", "from q import *\nfrom q import back\n\nback()\n"),
        ("q.py", "from p import *\nfrom p import back\n"),
    ]);
    let usages = world.edges(EdgeType::Import);
    assert!(usages.contains(&("`use.ts`/".into(), "`c.ts`/z.".into(), 95)), "{usages:?}");
}

/// Both names of the declaration lead to each other: the type stands inside of the variable, and the variable
/// is a member of the type.
#[test]
fn a_type_inside_of_its_own_member_ends() {
    for (path, text) in [
        ("a.cc", "struct S { static S *instance; int f() { return g(); } } * S::instance;\n"),
        ("a.swift", "extension Foo {\n class Foo {\n  func f() { g() }\n }\n}\nclass Other {\n func g() {}\n}\n"),
    ] {
        let world = World::new(&[(path, text)]);
        let minute = Duration::from_secs(60);
        let (tree, index) = (world.tree(), world.index());
        let mut chunk = contextpack();
        chunk.args(["chunk", "--quiet", "--source"]).arg(tree).arg("--out").arg(index.join("chunk"));
        run_within(&mut chunk, minute);
        run_within(contextpack().args(["graph", "--quiet", "--index"]).arg(&index), minute);
        check_links(&Index::open(&index.join("graph")).unwrap());
    }
}

#[test]
fn a_function_that_calls_itself_is_its_own_caller() {
    let world = World::new(&[("a.py", "def f(n):\n    return f(n - 1)\n")]);
    assert_eq!(world.edges(EdgeType::Call), [("`a.py`/f().".into(), "`a.py`/f().".into(), 95)]);
}

#[test]
fn of_two_modules_of_one_name_the_near_one_is_meant() {
    let world = World::new(&[
        ("one/util.py", "def help():\n    pass\n"),
        ("one/main.py", "from util import help\n\nhelp()\n"),
        ("two/util.py", "def help():\n    pass\n"),
        ("two/main.py", "import util\n\nutil.help()\n"),
    ]);
    let imports = world.edges(EdgeType::Import);
    assert!(imports.contains(&("one/`main.py`/".into(), "one/`util.py`/help().".into(), 95)), "{imports:?}");
    assert!(imports.contains(&("two/`main.py`/".into(), "two/`util.py`/".into(), 95)), "{imports:?}");
    assert!(!imports.contains(&("two/`main.py`/".into(), "one/`util.py`/".into(), 95)), "{imports:?}");
}

#[test]
fn fifty_thousand_uses_of_one_name_are_one_edge() {
    let uses: String = (0..50_000).map(|_| "    take(1)\n").collect();
    let world = World::new(&[("a.py", &format!("def take(x):\n    pass\n\n\ndef f():\n{uses}"))]);
    let index = world.build();
    let edges: Vec<Edge> =
        records::<Edge>(&index).into_iter().filter(|edge| edge.edge_type == EdgeType::Call).collect();
    let seen: u32 = edges.iter().map(|edge| edge.evidence.len() as u32 + edge.evidence_omitted).sum();
    assert_eq!((edges.len(), seen), (1, 50_000));
}

#[test]
fn a_common_name_is_never_linked_by_name_alone() {
    let classes: String = (0..40).map(|at| format!("class C{at}:\n    def take(self):\n        pass\n\n")).collect();
    let uses = "def f(x, y):\n    x.take()\n    y.get()\n    return x.items\n";
    let world =
        World::new(&[("a.py", &classes), ("b.py", uses), ("c.py", "class D:\n    def get(self):\n        pass\n")]);
    assert_eq!(world.edges(EdgeType::Call), []);
    let coverage: Vec<Coverage> = records(&Index::open(&world.index().join("graph")).unwrap());
    assert_eq!(coverage.iter().map(|record| record.unresolved).sum::<u64>(), 3);
}

#[test]
fn an_empty_tree_has_an_empty_graph() {
    let world = World::new(&[]);
    let index = world.build();
    assert!(records::<Node>(&index).is_empty() && records::<Edge>(&index).is_empty());
}

#[test]
fn without_chunks_it_says_what_to_run() {
    let scratch = tempdir().unwrap();
    let output = run(contextpack().arg("graph").arg("--index").arg(scratch.path()), 2);
    let text = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(text.contains("contextpack chunk"), "{text}");
    assert!(!scratch.path().join("graph").exists(), "nothing is made of nothing");
}

#[test]
fn what_an_index_of_another_tool_says_wins() {
    let world =
        World::new(&[("a.py", "def f(x):\n    x.take()\n"), ("b.py", "class B:\n    def take(self):\n        pass\n")]);
    assert_eq!(world.edges(EdgeType::Call), []);
    let symbol = "scip-python python demo 1 b/B#take().";
    let scip = world.scratch.path().join("index.scip");
    fs::write(&scip, scip_index(&[("a.py", [1, 6, 10], symbol, 0), ("b.py", [1, 8, 12], symbol, 1)])).unwrap();
    run(contextpack().arg("graph").arg("--index").arg(world.index()).arg("--scip").arg(&scip), 0);
    let index = Index::open(&world.index().join("graph")).unwrap();
    check_links(&index);
    let calls: Vec<Edge> =
        records::<Edge>(&index).into_iter().filter(|edge| edge.edge_type == EdgeType::Call).collect();
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].tier, calls[0].status), (Tier::Tooling, EdgeStatus::Resolved));
    assert_eq!(calls[0].to.as_str(), format!("scip:{symbol}"));
}

#[test]
fn an_index_of_another_text_is_said_and_not_used() {
    let world = World::new(&[("a.py", "def f(x):\n    x.take()\n")]);
    world.build();
    let scip = world.scratch.path().join("index.scip");
    let symbol = "scip-python python demo 1 a/g().";
    fs::write(&scip, scip_index(&[("a.py", [0, 2, 3], symbol, 1), ("a.py", [7, 1, 2], symbol, 0)])).unwrap();
    run(contextpack().arg("graph").arg("--index").arg(world.index()).arg("--scip").arg(&scip), 0);
    let problems = run(contextpack().arg("cat").arg(world.index().join("graph")).arg("problems"), 0);
    assert!(String::from_utf8_lossy(&problems.stdout).contains("scipStale"));
}

#[test]
fn indexes_that_cannot_be_used_are_refused_and_the_graph_stays() {
    let world = World::new(&[("a.py", "def f():\n    f()\n")]);
    world.build();
    let before = bytes(&world.index().join("graph"));
    let whole = scip_index(&[("other.py", [0, 4, 5], "scip-python python demo 1 other/f().", 1)]);
    for (name, content, reason) in [
        ("other.scip", &whole[..], "is a file of the tree"),
        ("short.scip", &whole[..whole.len() - 3], "cut short"),
        ("empty.scip", &[][..], "because"),
    ] {
        let scip = world.scratch.path().join(name);
        fs::write(&scip, content).unwrap();
        let output = run(contextpack().arg("graph").arg("--index").arg(world.index()).arg("--scip").arg(&scip), 2);
        let text = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(text.contains(reason), "{text}");
        assert_eq!(bytes(&world.index().join("graph")), before);
    }
}

#[test]
fn show_draws_a_tree_with_places() {
    let scratch = tempdir().unwrap();
    chunk(&home().join("golden/graph_python/input"), &scratch.path().join("chunk"), &[]);
    graph(scratch.path(), &[]);
    let show = |arguments: &[&str], code| {
        let output = run(contextpack().arg("show").args(arguments).arg("--index").arg(scratch.path()), code);
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    let callers = show(&["Amount.show", "--callers", "--hops", "2"], 0);
    assert!(
        callers.contains("Order.cost (shop/orders/order.py)  at shop/orders/order.py:16  [0.85 import]"),
        "{callers}"
    );
    assert!(callers.contains("\n    settle_order"), "{callers}");
    let json: serde_json::Value = serde_json::from_str(&show(&["shop/__init__.py", "--imports", "--json"], 0)).unwrap();
    assert_eq!(json["node"]["kind"], "file");
    assert_eq!(json["views"][0]["items"][0]["seen"]["line"], 3);
    let several = show(&["visit_order"], 2);
    let listed = several.lines().find(|line| line.ends_with("::Audit.visit_order")).expect(&several).trim();
    assert!(show(&[listed], 0).starts_with("Audit.visit_order ("), "{several}");
    assert!(show(&["no_such_thing"], 2).contains("nothing is called"));
}

#[test]
fn show_lists_what_else_has_the_name() {
    let scratch = tempdir().unwrap();
    let method = b"class Blueprint:\n    def register(self):\n        pass\n";
    plant(
        scratch.path(),
        &[("tree/app.py", b"def register():\n    pass\n"), ("tree/blueprints.py", method), ("tree/views.py", method)],
    );
    chunk(&scratch.path().join("tree"), &scratch.path().join("chunk"), &[]);
    graph(scratch.path(), &[]);
    let show = |arguments: &[&str]| {
        let output = run(contextpack().arg("show").args(arguments).arg("--index").arg(scratch.path()), 0);
        String::from_utf8(output.stdout).unwrap()
    };
    let others = "  also: blueprints.py::Blueprint.register\n  also: views.py::Blueprint.register\n";
    assert!(show(&["register"]).starts_with(&format!("register (app.py:1-2)\n{others}")), "{}", show(&["register"]));
    let json: serde_json::Value = serde_json::from_str(&show(&["register", "--json"])).unwrap();
    assert_eq!(json["also"][1], "views.py::Blueprint.register");
    assert_eq!(show(&["views.py::Blueprint.register"]), "Blueprint.register (views.py:2-3)\n");
}

#[test]
fn show_shows_what_a_spec_document_traces_to() {
    let scratch = tempdir().unwrap();
    chunk(&home().join("golden/graph_spec/input"), &scratch.path().join("chunk"), &[]);
    graph(scratch.path(), &[]);
    let show = |arguments: &[&str]| {
        let output = run(contextpack().arg("show").args(arguments).arg("--index").arg(scratch.path()), 0);
        String::from_utf8(output.stdout).unwrap()
    };
    let shown = show(&["REQ-201"]);
    let views: Vec<&str> = shown.lines().filter(|line| !line.starts_with(' ') && line.ends_with(':')).collect();
    assert_eq!(views, ["tracedBy:", "traces:", "readNext:", "children:"], "{shown}");
    let traces = show(&["REQ-201", "--traces"]);
    assert!(
        traces.contains("\n  IF-200 (docs/interfaces/IF-200_segmenter.md)  at docs/requirements/REQ-201"),
        "{traces}"
    );
    assert!(!traces.contains("callers"), "{traces}");
    let json: serde_json::Value = serde_json::from_str(&show(&["IF-200", "--traced-by", "--json"])).unwrap();
    let names: Vec<&str> =
        json["views"][0]["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"REQ-201"), "{names:?}");
    assert_eq!(json["views"][0]["view"], "tracedBy");
}

#[test]
fn documents_hold_their_sections() {
    let world = World::new(&[
        ("one.md", "---\nid: REQ-001\nkind: requirements\n---\n\n# A\n\n## B\n\n# C\n"),
        ("broken.md", "---\nid: REQ-002\nspec_title: \"open\n---\n\n# D\n"),
        ("plain.md", "# E\n\n## F\n"),
    ]);
    let found = |from: &str, to: &str| (from.to_string(), to.to_string(), 95);
    assert_eq!(
        world.edges(EdgeType::Child),
        [
            found("`broken.md`/", "`broken.md`/D:"),
            found("`one.md`/A:", "`one.md`/A:B:"),
            found("`one.md`/REQ-001.", "`one.md`/A:"),
            found("`one.md`/REQ-001.", "`one.md`/C:"),
        ]
    );
}

/// An index of occurrences: path, line with first and last column, symbol, roles.
fn scip_index(occurrences: &[(&str, [i32; 3], &str, i32)]) -> Vec<u8> {
    let mut index = scip_types::Index::new();
    let tool = scip_types::ToolInfo { name: "test".into(), version: "1".into(), ..Default::default() };
    index.metadata = Some(scip_types::Metadata { tool_info: Some(tool).into(), ..Default::default() }).into();
    for (path, range, symbol, roles) in occurrences {
        let occurrence = scip_types::Occurrence {
            range: range.to_vec(),
            symbol: symbol.to_string(),
            symbol_roles: *roles,
            ..Default::default()
        };
        match index.documents.iter_mut().find(|document| document.relative_path == *path) {
            Some(document) => document.occurrences.push(occurrence),
            None => index.documents.push(scip_types::Document {
                relative_path: path.to_string(),
                occurrences: vec![occurrence],
                ..Default::default()
            }),
        }
    }
    index.write_to_bytes().unwrap()
}
