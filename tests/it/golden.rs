//! One named test a folder of `golden/`: the records byte for byte, and a drawing of them for people.
//!
//! `UPDATE_GOLDEN=1 cargo test` rewrites `expected/`; read the diff. It is refused where `CI` is set.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::tempdir;

use contextpack::door::brief::{self, Lenses, brief_id};
use contextpack::door::pack::pack_id;
use contextpack::door::spec;
use contextpack::pipeline::{BriefSource, PackSource, Requests};
use contextpack::record::brief::{BriefId, ContextBrief};
use contextpack::record::bundle::ContextBundle;
use contextpack::record::pack::{ContextPack, PackId, TreeState};
use contextpack::record::workspace::StoredPayload;
use contextpack::store::Index;

use crate::tool::{artifacts, chunk, contextpack, graph, home, packs, run};
use crate::{graph_view, view};

macro_rules! golden {
    ($($case:ident),* $(,)?) => {
        $(#[test] fn $case() { check(stringify!($case)); })*
        const CASES: &[&str] = &[$(stringify!($case)),*];
    };
}

golden! {
    bash,
    c,
    cpp,
    csharp,
    css,
    dart,
    elixir,
    go,
    graph_bash,
    graph_c,
    graph_cpp,
    graph_csharp,
    graph_dart,
    graph_elixir,
    graph_go,
    graph_java,
    graph_javascript,
    graph_kotlin,
    graph_lua,
    graph_php,
    graph_python,
    graph_ruby,
    graph_rust,
    graph_scala,
    graph_spec,
    graph_swift,
    graph_tsx,
    graph_typescript,
    graph_workspace,
    hcl,
    html,
    java,
    javascript,
    json,
    kotlin,
    lua,
    markdown,
    note_briefs,
    notes_logseq,
    notes_nodes,
    notes_tana,
    notes_vault,
    objectivec,
    pack_answer,
    pack_contract,
    pack_debug,
    pack_impact,
    pack_refactor,
    pack_summarize,
    pack_test,
    payloads_acme,
    payloads_notion,
    payloads_tree,
    php,
    protobuf,
    python,
    rst,
    ruby,
    rust,
    scala,
    spec_bundles,
    spec_items,
    sql,
    swift,
    text,
    toml,
    tsx,
    typescript,
    workspace_acme,
    workspace_notion,
    workspace_tree,
    yaml,
}

#[test]
fn every_folder_has_a_test() {
    let entries = fs::read_dir(home().join("golden")).unwrap();
    let folders: BTreeSet<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    // The log of a session is compared in `gate/log.rs`.
    let cases: BTreeSet<String> = CASES.iter().chain(&["frame"]).map(|case| case.to_string()).collect();
    assert!(!cases.is_empty());
    assert_eq!(folders, cases, "a folder without a test, or a test without its folder");
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What the case shows.
    #[expect(dead_code, reason = "for people")]
    shows: String,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    stage: Stage,
    /// The case whose tree it is about, if it has none of its own.
    input_of: Option<String>,
}

/// The stage whose records are expected.
#[derive(Clone, Copy, Default, PartialEq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Stage {
    #[default]
    Chunk,
    Graph,
    /// The packs of the case's `requests.jsonl`.
    Pack,
    /// The bundles of the case's `requests.jsonl`.
    Spec,
    /// The briefs of the case's `requests.jsonl`.
    Brief,
    /// The payloads of the case's `requests.jsonl`.
    Payload,
}

fn check(name: &str) {
    let folder = home().join("golden").join(name);
    let case: Case = toml::from_str(&fs::read_to_string(folder.join("case.toml")).expect("case.toml")).unwrap();
    let options: Vec<&str> = case.options.iter().map(String::as_str).collect();
    let scratch = tempdir().unwrap();
    let input = case.input_of.map_or(folder.clone(), |other| folder.with_file_name(other)).join("input");
    let requests = folder.join("requests.jsonl");
    // Packs of an index call the tree by the name of the directory that holds it.
    let indexes = scratch.path().join("repository");
    let made = |out: &str, options: &[&str]| files(case.stage, &input, &requests, &indexes.join(out), options);
    let found = made("first", &options);
    compare_or_update(&folder.join("expected"), &found);
    for (at, jobs) in ["1", "8"].iter().enumerate() {
        let seed = at.to_string();
        let varied: Vec<&str> = options.iter().copied().chain(["--jobs", jobs, "--shuffle", &seed]).collect();
        let again = made(jobs, &varied);
        assert_eq!(again, found, "{name} differs with {jobs} threads");
    }
}

/// What `expected/` should hold.
fn files(stage: Stage, input: &Path, requests: &Path, out: &Path, options: &[&str]) -> BTreeMap<String, String> {
    if stage == Stage::Spec {
        return bundles(input, requests, out, options);
    }
    let chunks = chunk(input, &out.join("chunk"), options);
    let (index, view) = match stage {
        Stage::Chunk => (chunks.clone(), view::draw(&chunks, input)),
        Stage::Graph => {
            let graphs = graph(out, options);
            let view = graph_view::draw(&chunks, &graphs, input);
            (graphs, view)
        }
        Stage::Pack => {
            graph(out, options);
            let packs = packs(out, requests, options);
            let view = pack_view(out, &packs);
            (packs, view)
        }
        Stage::Brief => {
            graph(out, options);
            made_briefs(out, requests, options)
        }
        Stage::Payload => {
            graph(out, options);
            made_payloads(out, requests, options)
        }
        Stage::Spec => unreachable!("its files are not those of an index"),
    };
    run(contextpack().arg("verify").arg(&index).arg("--deep"), 0);
    let mut files: BTreeMap<String, String> =
        artifacts(&index).into_iter().map(|(name, lines)| (format!("{name}.jsonl"), lines)).collect();
    if stage == Stage::Pack {
        files.insert("context_packs.jsonl".to_string(), numbered(&sorted_packs(&index)));
    }
    if stage == Stage::Brief {
        files.insert("context_briefs.jsonl".to_string(), numbered_briefs(&index));
    }
    files.insert("view.txt".to_string(), view);
    files
}

/// Makes the briefs of a file of requests, and shows each as a model reads it.
fn made_briefs(index: &Path, requests: &Path, options: &[&str]) -> (PathBuf, String) {
    let jobs = options.windows(2).find(|pair| pair[0] == "--jobs").map_or("0", |pair| pair[1]);
    let mut command = contextpack();
    command.arg("brief").arg("--index").arg(index).arg("--requests").arg(requests);
    run(command.args(["--quiet", "--jobs", jobs]), 0);
    let source = BriefSource::new(Arc::new(PackSource::open(index, TreeState::Unchecked).unwrap()));
    let asked = Requests::of_briefs(requests, &fs::read_to_string(requests).unwrap(), &Lenses::builtin());
    let view = asked.all.iter().map(|(number, request)| {
        let brief = source.brief(request.as_ref().unwrap(), None).unwrap();
        format!("==== brief {number}\n{}", brief.markdown)
    });
    (index.join("briefs"), view.collect())
}

/// Makes the payloads of a file of requests, and shows each as a model reads it.
fn made_payloads(index: &Path, requests: &Path, options: &[&str]) -> (PathBuf, String) {
    let jobs = options.windows(2).find(|pair| pair[0] == "--jobs").map_or("0", |pair| pair[1]);
    let out = index.join("payloads");
    let mut command = contextpack();
    command.args(["workspace", "batch"]).arg(requests).arg("--index").arg(index).arg("--out").arg(&out);
    run(command.args(["--quiet", "--jobs", jobs]), 0);
    let stored = Index::open(&out).unwrap();
    let stored: Vec<StoredPayload> = stored.records::<StoredPayload>().unwrap().map(|stored| stored.unwrap()).collect();
    let asked = Requests::of_contexts(requests, &fs::read_to_string(requests).unwrap());
    let view = asked.all.iter().map(|(number, request)| {
        let request = request.as_ref().unwrap();
        let user = request.user.as_ref().map_or("the public", |user| &user.id);
        let answer = stored.iter().find(|stored| stored.request == *request).expect("each request is answered");
        format!("==== payload {number}, for {user}\n{}", answer.payload.serialized)
    });
    (out, view.collect())
}

/// Briefs as lines in the order of their requests, with numbers for their ids as packs have them.
fn numbered_briefs(briefs: &Path) -> String {
    let briefs = Index::open(briefs).unwrap();
    let mut briefs: Vec<ContextBrief> = briefs.records::<ContextBrief>().unwrap().map(|brief| brief.unwrap()).collect();
    briefs.sort_by_key(|brief| serde_json::to_string(&brief.request).unwrap());
    let line = |(number, record): (u32, &ContextBrief)| {
        assert_eq!(record.brief_id, brief_id(&record.index_signature, &record.request));
        let mut record = ContextBrief { brief_id: BriefId::of_digest(&format!("{number:032}")), ..record.clone() };
        record.index_signature = "sha256".to_string();
        brief::json(&record)
    };
    (1..).zip(&briefs).map(line).collect()
}

/// Bundles of spec documents, on as many threads as the options say, and as a model reads them. Ids are replaced by
/// numbers as those of packs are.
fn bundles(input: &Path, requests: &Path, index: &Path, options: &[&str]) -> BTreeMap<String, String> {
    let jobs = options.windows(2).find(|pair| pair[0] == "--jobs").map_or("0", |pair| pair[1]);
    let mut command = contextpack();
    command.args(["spec", "batch"]).arg(requests).arg("--repo").arg(input).arg("--index").arg(index);
    command.env("RAYON_NUM_THREADS", jobs);
    // One of the requests names an id that no document has.
    let lines = String::from_utf8(run(&mut command, 1).stdout).unwrap();
    let numbered = |(number, line): (u32, &str)| {
        let bundle: ContextBundle = serde_json::from_str(line).unwrap();
        ContextBundle { bundle_id: format!("bundle:{number:032}"), ..bundle }
    };
    let bundles: Vec<ContextBundle> = (1..).zip(lines.lines()).map(numbered).collect();
    let lines = bundles.iter().map(|bundle| serde_json::to_string(bundle).unwrap() + "\n").collect();
    let view = (1..).zip(&bundles).map(|(number, bundle)| format!("==== bundle {number}\n{}", spec::render(bundle)));
    [("context_bundles.jsonl".to_string(), lines), ("view.txt".to_string(), view.collect())].into()
}

/// Every pack as a model reads it, in the order of their requests.
fn pack_view(index: &Path, packs: &Path) -> String {
    let read = |(number, pack): (u32, ContextPack)| {
        let id = pack.pack_id.to_string();
        let output = run(contextpack().args(["pack", "--read", "--pack-id", &id, "--index"]).arg(index), 0);
        format!("==== pack {number}\n{}", String::from_utf8(output.stdout).unwrap())
    };
    (1..).zip(sorted_packs(packs)).map(read).collect()
}

/// All packs of an index in the order of their requests. The order of their ids changes with every index.
fn sorted_packs(packs: &Path) -> Vec<ContextPack> {
    let packs = Index::open(packs).unwrap();
    let mut packs: Vec<ContextPack> = packs.records::<ContextPack>().unwrap().map(|pack| pack.unwrap()).collect();
    packs.sort_by_key(|pack| serde_json::to_string(&pack.request).unwrap());
    packs
}

/// Packs as lines, with numbers for their ids: an id depends on every byte of the index, so any change of a record
/// would move all of them. Each is first checked against what it is made from.
fn numbered(packs: &[ContextPack]) -> String {
    let line = |(number, pack): (u32, &ContextPack)| {
        assert_eq!(pack.pack_id, pack_id(&pack.index_signature, &pack.request));
        let mut pack = ContextPack { pack_id: PackId::of_digest(&format!("{number:032}")), ..pack.clone() };
        pack.index_signature = "sha256".to_string();
        serde_json::to_string(&pack).unwrap() + "\n"
    };
    (1..).zip(packs).map(line).collect()
}

fn compare_or_update(expected: &Path, found: &BTreeMap<String, String>) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        assert!(std::env::var_os("CI").is_none(), "goldens are not updated where CI is set");
        let _ = fs::remove_dir_all(expected);
        fs::create_dir_all(expected).unwrap();
        found.iter().for_each(|(name, text)| fs::write(expected.join(name), text).unwrap());
        return;
    }
    let entries = fs::read_dir(expected).expect("expected/ is there; UPDATE_GOLDEN=1 makes it");
    let names: BTreeSet<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names, found.keys().cloned().collect(), "{} holds other files", expected.display());
    for (name, text) in found {
        let wanted = fs::read_to_string(expected.join(name)).unwrap();
        let line = wanted.lines().zip(text.lines()).position(|(wanted, found)| wanted != found);
        assert!(wanted == *text, "{} differs from line {:?} on", expected.join(name).display(), line.map(|at| at + 1));
    }
}
