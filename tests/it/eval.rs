//! `contextpack eval` on a small tree with figures that were worked out by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use crate::tool::{contextpack, plant, run};

const LEDGER: &str = "\
def settle_invoice(invoice, payments):
    \"\"\"Settle an invoice with the payments that name it.\"\"\"
    rest = invoice.total
    for payment in payments:
        rest -= payment.amount
    return rest
";
const GREETING: &str = "def greet(name):\n    return f\"hello {name}\"\n";
/// Ignored, so that no pack can hold it.
const HIDDEN: &str = "def hidden():\n    return 1\n";

struct Bench {
    folder: TempDir,
}

impl Bench {
    /// Four rows with trees, one without: found, half found, not to be found, without a question.
    fn new() -> Self {
        let folder = tempdir().unwrap();
        let block = |file: &str, start: u32, end: u32| json!({ "file": file, "start_line": start, "end_line": end });
        let row = |id: &str, language: &str, query: &str, files: &[&str], ranges: Value, functions: Value| {
            json!({ "instance_id": id, "language": language, "query": query, "gold_files": files,
                    "gold_ranges": ranges, "gold_functions": functions, "core": id != "hidden" })
        };
        let query = "settle_invoice returns a negative rest when a payment is too large";
        let (ledger, hidden) = ("src/ledger.py", "hidden/secret.py");
        let rows = [
            // The second block is an insertion after the last line.
            row(
                "found",
                "python",
                query,
                &[ledger],
                json!([block(ledger, 4, 5), block(ledger, 6, 7)]),
                json!([block(ledger, 1, 6)]),
            ),
            row(
                "half",
                "python",
                query,
                &[ledger, hidden],
                json!([block(ledger, 5, 5), block(hidden, 2, 2)]),
                json!([]),
            ),
            row("hidden", "other", query, &[hidden], json!([block(hidden, 1, 2)]), json!([block(hidden, 1, 2)])),
            row("mute", "other", " ", &[ledger], json!([block(ledger, 1, 1)]), json!([block(ledger, 1, 6)])),
            row("treeless", "other", query, &[ledger], json!([block(ledger, 1, 1)]), json!([])),
        ];
        for id in ["found", "half", "hidden", "mute"] {
            let files = [("src/ledger.py", LEDGER), ("src/greeting.py", GREETING), ("hidden/secret.py", HIDDEN)];
            let files = files.map(|(path, text)| (path, text.as_bytes()));
            plant(&folder.path().join("trees").join(id), &files);
            plant(&folder.path().join("trees").join(id), &[(".ignore", b"hidden/\n")]);
        }
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(folder.path().join("rows.jsonl"), text).unwrap();
        Bench { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn eval(&self) -> Command {
        let mut command = contextpack();
        command.arg("eval").arg("--bench").arg(self.path("rows.jsonl")).arg("--trees").arg(self.path("trees"));
        command.arg("--indexes").arg(self.path("indexes"));
        command
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn group<'v>(summary: &'v Value, name: &str) -> &'v Value {
    summary["groups"].as_array().unwrap().iter().find(|group| group["group"] == name).unwrap()
}

#[test]
fn figures_are_those_that_were_worked_out_by_hand() {
    let bench = Bench::new();
    let output = run(bench.eval().args(["--json", "--by", "language", "--save"]).arg(bench.path("saved.jsonl")), 1);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let all = group(&summary, "all");
    // Of `found`, `half`, `hidden`, `mute`; `func` of all but `half`.
    let wanted = [
        ("R@1", (1.0 + 0.5) / 4.0),
        ("R@5", (1.0 + 0.5) / 4.0),
        ("R@10", (1.0 + 0.5) / 4.0),
        ("acc@1", 1.0 / 4.0),
        ("acc@5", 1.0 / 4.0),
        ("acc@10", 1.0 / 4.0),
        ("packfile", (1.0 + 0.5) / 4.0),
        ("edit", (1.0 + 0.5) / 4.0),
        ("func", 1.0 / 3.0),
    ];
    for (metric, share) in wanted {
        assert_eq!(all[metric].as_f64(), Some(share), "{metric} of {all:#}");
    }
    assert_eq!(
        (&all["instances"], &all["failed"], &all["over"], &all["lies"]),
        (&json!(4), &json!(1), &json!(0), &json!(0))
    );
    assert_eq!(group(&summary, "python")["edit"], json!(0.75));
    assert_eq!(group(&summary, "other")["edit"], json!(0.0));
    assert_eq!(summary["rowsWithoutTree"], json!(1));
    let told = text(&output.stderr);
    assert!(told.contains("rows without a tree in") && told.contains("left out: 1"), "{told}");
    assert!(told.contains("no pack for `mute`\n  because POC_E_BAD_REQUEST"), "{told}");

    let quiet = text(&run(bench.eval().arg("--quiet"), 1).stderr);
    assert!(quiet.starts_with("eval: no pack for `mute`"), "{quiet}");

    let core = run(bench.eval().arg("--core"), 1);
    let table = text(&core.stdout);
    let line: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(line[..11], ["all", "3", "50.0", "50.0", "50.0", "33.3", "33.3", "33.3", "50.0", "50.0", "50.0"]);
}

#[test]
fn two_runs_are_compared() {
    let bench = Bench::new();
    let (before, after) = (bench.path("before.jsonl"), bench.path("after.jsonl"));
    run(bench.eval().arg("--save").arg(&before), 1);
    let lines = fs::read_to_string(&before).unwrap();
    let better =
        lines.replace("\"edit\":0.5", "\"edit\":1.0").replace("\"instance_id\":\"mute\"", "\"instance_id\":\"loud\"");
    fs::write(&after, better).unwrap();
    let mut compare = contextpack();
    compare.arg("eval").arg("--compare").arg(&before).arg(&after);
    let table = text(&run(&mut compare, 0).stdout);
    let edit: Vec<&str> = table.lines().find(|line| line.starts_with("edit ")).unwrap().split_whitespace().collect();
    // Of three rows: 1, 0.5 and 0 become 1, 1 and 0. All three resampled to the tie is 8 of 27, all to the win 1 of 27.
    assert_eq!(edit, ["edit", "3", "50.0", "66.7", "+16.7", "0.0", "to", "+50.0", "1", "0", "2"]);
    assert!(table.contains("edit rose the most:\n   +50.0  half (50.0 to 100.0)\n"), "{table}");
    assert!(table.contains("only in BEFORE, left out (1): mute\n\nonly in AFTER, left out (1): loud\n"), "{table}");
    let found: Value = serde_json::from_slice(&run(compare.arg("--json"), 0).stdout).unwrap();
    assert_eq!((&found["onlyBefore"], &found["instances"]), (&json!(["mute"]), &json!(3)));
    let alone = bench.path("alone.jsonl");
    fs::write(&alone, "{\"instance_id\": \"other\", \"edit\": 1}\n").unwrap();
    run(contextpack().arg("eval").arg("--compare").arg(&before).arg(&alone), 2);
}

/// Everything that a run writes: the table, the JSON, the saved rows, the curve and its table.
fn written(bench: &Bench, folder: &Path, jobs: &str, surroundings: &[(&str, &str)]) -> Vec<Vec<u8>> {
    fs::create_dir_all(folder).unwrap();
    let (saved, curve) = (folder.join("saved.jsonl"), folder.join("curve.svg"));
    let run = |options: &[&str], path: &Path| {
        let mut command = contextpack();
        command.envs(surroundings.iter().copied()).arg("eval").arg("--indexes").arg(folder.join("indexes"));
        command.arg("--bench").arg(bench.path("rows.jsonl")).arg("--trees").arg(bench.path("trees"));
        let output = run(command.args(["--jobs", jobs]).args(options).arg(path), 1);
        (output.stdout, output.stderr)
    };
    let (table, told) = run(&["--by", "language", "--save"], &saved);
    let (json, _) = run(&["--json", "--save"], &saved);
    let (by_budget, _) = run(&["--curve"], &curve);
    vec![table, told, json, by_budget, fs::read(saved).unwrap(), fs::read(curve).unwrap()]
}

#[test]
fn the_same_bytes_whatever_the_surroundings() {
    let bench = Bench::new();
    let first = written(&bench, &bench.path("first"), "1", &[]);
    let others =
        [("LC_ALL", "tr_TR.UTF-8"), ("LANG", "de_DE.UTF-8"), ("TZ", "Pacific/Kiritimati"), ("HOME", "/nonexistent")];
    assert_eq!(first, written(&bench, &bench.path("second"), "8", &others));
    assert!(text(&first[5]).starts_with("<svg ") && text(&first[3]).contains("\n32000 tokens"));
}

#[test]
fn what_cannot_be_measured_is_said() {
    let bench = Bench::new();
    let failed = |command: &mut Command| text(&run(command, 2).stderr);
    let rows = fs::read_to_string(bench.path("rows.jsonl")).unwrap();
    let with = |text: &str| {
        fs::write(bench.path("rows.jsonl"), text).unwrap();
        failed(&mut bench.eval())
    };
    let told = with(&rows.replacen("\"query\"", "\"quary\"", 2).replacen("\"quary\"", "\"query\"", 1));
    assert!(told.contains("POC_E_BAD_REQUEST") && told.contains("because of line 2: missing field `query`"), "{told}");
    assert!(with("\n").contains("because of the 0 rows of"));
    let treeless = with(rows.lines().last().unwrap());
    assert!(treeless.contains("there is nothing to measure\n  because none of 1 rows has a tree in"), "{treeless}");
    fs::write(bench.path("rows.jsonl"), rows).unwrap();
    assert!(failed(bench.eval().args(["--budget", "2000000"])).contains("POC_E_BUDGET_EXCEEDED"));
    assert!(failed(contextpack().arg("eval")).contains("--bench"));
    let unindexed = run(bench.eval().arg("--as-is"), 1);
    assert!(
        text(&unindexed.stderr).contains("no pack for `found`\n  because POC_E_INDEX_MISSING"),
        "{}",
        text(&unindexed.stderr)
    );
}
