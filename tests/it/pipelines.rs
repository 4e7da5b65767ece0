//! What others run contextpack with: the Makefile, the CI workflows, the hook, the image, the named runs.
//!
//! Needs git, bash and make; a test whose tools are not there says so and does nothing. `.ci/pipelines` adds what needs more: schemas, linters, the
//! pre-commit framework, and a build of what the image copies.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use tempfile::{TempDir, tempdir};

use crate::tool::{bytes, contextpack, copy, home, plant, run};

/// A repository that uses `pipelines/`, in one commit.
struct Project {
    scratch: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Project { scratch: tempdir().unwrap() };
        copy(&home().join("golden/graph_python/input"), &project.path());
        copy(&home().join("pipelines"), &project.path().join("pipelines"));
        plant(&project.path(), &[(".gitignore", b"/index/\n")]);
        project.git(&["init", "--quiet", "--initial-branch=main"]);
        project.commit("first");
        project
    }

    fn path(&self) -> PathBuf {
        self.scratch.path().join("shop")
    }

    /// A program that finds the built binaries, in the project's folder.
    fn command(&self, program: &str) -> Command {
        let binaries = Path::new(env!("CARGO_BIN_EXE_contextpack")).parent().unwrap().to_path_buf();
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths([binaries].into_iter().chain(std::env::split_paths(&path))).unwrap();
        let mut command = Command::new(program);
        command.env_clear().env("PATH", path).env("HOME", self.scratch.path()).env("RUNNER_TEMP", self.temporary());
        command.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_AUTHOR_DATE", DATE), ("GIT_COMMITTER_DATE", DATE)]);
        command.current_dir(self.path());
        command
    }

    fn temporary(&self) -> PathBuf {
        let folder = self.scratch.path().join("temporary");
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[track_caller]
    fn git(&self, arguments: &[&str]) -> String {
        let mut command = self.command("git");
        let user = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "safe.directory=*"];
        text(&run(command.args(user).args(arguments), 0).stdout)
    }

    #[track_caller]
    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    fn edit(&self) {
        let file = self.path().join("shop/money.py");
        fs::write(&file, fs::read_to_string(&file).unwrap() + "\n\ndef rounded(cents):\n    return cents // 100\n")
            .unwrap();
    }

    fn date(&self, name: &str) -> SystemTime {
        fs::metadata(self.path().join(name)).unwrap().modified().unwrap()
    }
}

const DATE: &str = "2024-02-03T04:05:06Z";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether a test cannot run here.
fn lacks(tools: &[&str]) -> bool {
    let missing = tools.iter().find(|tool| Command::new(tool).arg("--version").output().is_err());
    missing.inspect(|tool| println!("skipped: there is no {tool} here")).is_some()
}

/// The stages that make says it runs.
fn stages_made(output: &Output) -> Vec<String> {
    let lines = text(&output.stdout);
    let words = lines.lines().filter_map(|line| line.strip_prefix("contextpack ")?.split(' ').next());
    words.map(str::to_string).collect()
}

#[test]
fn make_rebuilds_only_what_changed() {
    if lacks(&["git", "make"]) {
        return;
    }
    let project = Project::new();
    plant(
        &project.path(),
        &[("ask.jsonl", b"{\"query\":\"order total\"}\n"), ("a name with $ and spaces.py", b"X = 1\n")],
    );
    let make = |arguments: &[&str], code: i32| {
        let mut command = project.command("make");
        command.args(["-f", "pipelines/Makefile", "REQUESTS=ask.jsonl"]).args(arguments);
        run(&mut command, code)
    };
    let manifests = ["chunk", "graph", "packs"].map(|stage| format!("index/{stage}/manifest.json"));
    let dates = || manifests.each_ref().map(|manifest| project.date(manifest));
    make(&["-q"], 1);
    assert_eq!(stages_made(&make(&[], 0)), ["chunk", "graph", "pack"]);
    let first = dates();

    // No change.
    make(&["-q"], 0);
    assert!(stages_made(&make(&[], 0)).is_empty());
    assert_eq!(dates(), first);

    // A touch: chunk runs, writes nothing, and nothing else runs.
    let touched = project.path().join("shop/money.py");
    fs::File::options().append(true).open(&touched).unwrap().set_modified(SystemTime::now()).unwrap();
    make(&["-q"], 1);
    assert_eq!(stages_made(&make(&[], 0)), ["chunk"]);
    assert_eq!(dates(), first);
    make(&["-q"], 0);

    // An edit: everything is made again.
    project.edit();
    assert_eq!(stages_made(&make(&[], 0)), ["chunk", "graph", "pack"]);
    assert!(dates().iter().zip(&first).all(|(now, before)| now > before));
    make(&["-q"], 0);

    // So it is when a file goes, and when an output is gone only what needs it is made.
    fs::remove_file(&touched).unwrap();
    assert_eq!(stages_made(&make(&[], 0)), ["chunk", "graph", "pack"]);
    fs::remove_file(project.path().join("index/packs/manifest.json")).unwrap();
    assert_eq!(stages_made(&make(&[], 0)), ["pack"]);
    make(&["-q"], 0);

    // What it makes is what the pipeline makes.
    plant(
        &project.path(),
        &[("pipelines/asked.toml", b"source = '..'\nindex = '../index'\npack.requests = '../ask.jsonl'\n")],
    );
    make(&[], 0);
    let made = manifests.each_ref().map(|manifest| fs::read(project.path().join(manifest)).unwrap());
    run(contextpack().current_dir(project.path()).args(["build", "--quiet", "--pipeline", "pipelines/asked.toml"]), 0);
    assert_eq!(made, manifests.each_ref().map(|manifest| fs::read(project.path().join(manifest)).unwrap()));
}

/// A step of a workflow that runs a script.
struct Script {
    job: String,
    name: String,
    condition: Option<String>,
    text: String,
}

/// The scripts of a workflow that is laid out as ours are. That it is a workflow at all, `.ci/pipelines` says.
fn scripts(workflow: &str) -> Vec<Script> {
    let text = fs::read_to_string(home().join("pipelines").join(workflow)).unwrap();
    let (mut job, mut name, mut condition) = (String::new(), String::new(), None);
    let mut scripts: Vec<Script> = Vec::new();
    let mut in_script = false;
    for line in text.lines().skip_while(|line| *line != "jobs:").skip(1) {
        let depth = line.len() - line.trim_start().len();
        in_script = in_script && (depth >= 10 || line.trim().is_empty());
        match line.trim() {
            _ if in_script => scripts.last_mut().unwrap().text += &format!("{}\n", line.get(10..).unwrap_or_default()),
            named if depth == 2 && named.ends_with(':') => job = named.trim_end_matches(':').to_string(),
            step if step.starts_with("- ") => {
                name = step.strip_prefix("- name: ").unwrap_or_default().to_string();
                condition = None;
            }
            "run: |" => {
                let (job, name, condition) = (job.clone(), name.clone(), condition.clone());
                scripts.push(Script { job, name, condition, text: String::new() });
                in_script = true;
            }
            other => condition = other.strip_prefix("if: ").map(str::to_string).or(condition),
        }
    }
    scripts
}

/// Runs the scripts of a job as the runner does, those whose condition is for another event left out.
fn run_job(project: &Project, workflow: &str, job: &str, event: &str, env: &[(&str, &str)]) -> Vec<String> {
    let mut ran = Vec::new();
    for script in scripts(workflow).into_iter().filter(|script| script.job == job) {
        assert!(!script.text.contains("${{"), "what is put into a script runs in it: {}", script.name);
        if script.condition.is_some_and(|condition| condition != format!("github.event_name == '{event}'")) {
            continue;
        }
        let file = project.temporary().join("script.sh");
        fs::write(&file, &script.text).unwrap();
        let mut command = project.command("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&file).envs(env.iter().copied());
        command.env("GITHUB_STEP_SUMMARY", project.temporary().join("step-summary.md"));
        command.envs([("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "safe.directory"), ("GIT_CONFIG_VALUE_0", "*")]);
        run(&mut command, 0);
        ran.push(script.name);
    }
    ran
}

#[test]
fn the_workflow_compares_a_pull_request_with_its_base() {
    if lacks(&["git", "bash"]) {
        return;
    }
    let project = Project::new();
    let base = project.git(&["rev-parse", "HEAD"]).trim().to_string();
    project.edit();
    project.commit("second");
    let ran = run_job(&project, "github-actions.yml", "index", "pull_request", &[("BASE_SHA", &base)]);
    assert_eq!(
        ran,
        ["Install contextpack", "Keep the last index for comparison", "Build", "Build the base", "Compare"]
    );
    let summary = fs::read_to_string(project.temporary().join("step-summary.md")).unwrap();
    assert!(summary.starts_with("### Context: files changed 1, added 0, removed 0\n"), "{summary}");
    assert!(
        summary.contains("| `shop/money.py` | changed |") && summary.contains("| `chunk/chunk_meta` | "),
        "{summary}"
    );
    assert!(!summary.contains("Other rules"), "{summary}");
    assert_eq!(fs::read_to_string(project.temporary().join("report/summary.md")).unwrap(), summary);
    let diff = fs::read(project.temporary().join("report/diff.json")).unwrap();
    let diff: serde_json::Value = serde_json::from_slice(&diff).unwrap();
    assert_eq!(diff["filesChanged"], serde_json::json!(["shop/money.py"]));
    assert!(project.path().join("index/packs/manifest.json").is_file());
    assert_eq!(project.git(&["status", "--porcelain"]), "", "nothing is left in the tree");
}

#[test]
fn the_workflow_compares_a_night_with_the_last() {
    if lacks(&["git", "bash"]) {
        return;
    }
    let project = Project::new();
    let night = || {
        let _ = fs::remove_dir_all(project.temporary());
        let ran = run_job(&project, "github-actions.yml", "index", "schedule", &[("BASE_SHA", "")]);
        assert_eq!(ran, ["Install contextpack", "Keep the last index for comparison", "Build", "Compare"]);
        fs::read_to_string(project.temporary().join("step-summary.md")).unwrap()
    };
    assert!(night().contains("the first index"));
    assert_eq!(night(), "### Context: nothing changed\n");
    fs::write(project.path().join("new.py"), "def new():\n    pass\n").unwrap();
    assert!(night().starts_with("### Context: files changed 0, added 1, removed 0\n"));
}

#[test]
fn the_workflow_makes_a_brief_every_night() {
    if lacks(&["git", "bash"]) {
        return;
    }
    let project = Project::new();
    let note = |text: &str| plant(&project.path(), &[("notes/SOC Defender.md", text.as_bytes())]);
    plant(&project.path(), &[("notes/.obsidian/app.json", b"{}")]);
    note("---\nstatus: Draft\n---\nRanks alerts.\n");
    project.commit("notes");
    let night = || {
        let env = [("TOPIC", "SOC Defender"), ("LENS", "planning")];
        let ran = run_job(&project, "github-actions-brief.yml", "brief", "schedule", &env);
        assert_eq!(ran, ["Install contextpack", "Brief"]);
        let brief = fs::read_to_string(project.temporary().join("brief.md")).unwrap();
        assert!(brief.contains("; 2024-02-03\n"), "the date of the commit: {brief}");
        brief
    };
    let first = night();
    assert!(first.starts_with("# Brief: SOC Defender\n") && !first.contains("## Changed since"), "{first}");
    assert!(night().contains("## Changed since 2024-02-03\n- nothing\n"));
    note("---\nstatus: Active\n---\nRanks alerts.\n");
    project.commit("active");
    let third = night();
    assert!(third.contains("## Changed since 2024-02-03\n- edited SOC Defender"), "{third}");
    assert!(third.contains("status") && third.contains("Draft") && third.contains("Active"), "{third}");
    assert_eq!(project.git(&["status", "--porcelain"]), "", "nothing is left in the tree");
}

#[test]
fn the_matrix_makes_the_index_of_one_machine() {
    if lacks(&["git", "bash"]) {
        return;
    }
    let (project, other) = (Project::new(), Project::new());
    // So that there is something to share.
    for project in [&project, &other] {
        let nightly = project.path().join("pipelines/nightly.toml");
        fs::write(&nightly, fs::read_to_string(&nightly).unwrap() + "\n[chunk]\nmax_shard_bytes = 4096\n").unwrap();
    }
    let merged = project.path().join("index");
    for share in ["3/4", "1/4", "4/4", "2/4"] {
        run_job(&project, "github-actions-matrix.yml", "share", "schedule", &[("SHARE", share)]);
    }
    // An artifact holds no hidden files.
    for share in fs::read_dir(merged.join("shares")).unwrap() {
        let share = share.unwrap().path();
        fs::remove_file(share.join(".lock")).unwrap();
        assert!(bytes(&share).keys().any(|name| name.starts_with("files.0")), "every machine has something to do");
    }
    assert_eq!(run_job(&project, "github-actions-matrix.yml", "merge", "schedule", &[]).len(), 2);
    run(contextpack().current_dir(other.path()).args(["build", "--quiet", "--pipeline", "pipelines/nightly.toml"]), 0);
    for stage in ["chunk", "graph", "packs"] {
        assert!(bytes(&merged.join(stage)) == bytes(&other.path().join("index").join(stage)), "{stage}");
    }
}

#[test]
fn the_hook_keeps_a_committed_index_up_to_date() {
    if lacks(&["git"]) {
        return;
    }
    let project = Project::new();
    plant(
        &project.path(),
        &[(".gitignore", b""), ("contextpack.toml", b"[pack]\nrequests = 'pipelines/nightly.jsonl'\n")],
    );
    let hook = |code: i32| text(&run(&mut project.command("pipelines/pre-commit"), code).stderr);
    // Not in git yet: it is made, and the commit goes on.
    assert_eq!(hook(0), "");
    assert!(project.path().join("index/packs/manifest.json").is_file());
    project.commit("with an index");
    // In git, by the date of a commit, which the next one would change: it is given a date that stays.
    assert!(hook(1).contains("git add index"));
    project.commit("an index that is up to date");
    assert_eq!(hook(0), "");
    // An edit that is not staged is not committed, so it does not count.
    project.edit();
    assert_eq!(hook(0), "");
    project.git(&["add", "shop/money.py"]);
    let said = hook(1);
    assert!(said.contains("`index` was behind what is staged") && said.contains("hint: `git add index`"), "{said}");
    project.git(&["add", "index"]);
    assert_eq!(hook(0), "");
    project.commit("edit and index");
    assert_eq!(project.git(&["status", "--porcelain"]), "");
    for stage in ["chunk", "graph", "packs"] {
        run(contextpack().args(["verify", "--deep"]).arg(project.path().join("index").join(stage)), 0);
    }
    // As git runs it.
    project.git(&["config", "core.hooksPath", "pipelines"]);
    fs::write(project.path().join("more.py"), "def more():\n    pass\n").unwrap();
    project.git(&["add", "more.py"]);
    let commit = |code| {
        run(project.command("git").args(["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-m", "more"]), code)
    };
    commit(1);
    project.git(&["add", "index"]);
    commit(0);
    // Without the program nothing passes in silence.
    let only_git = project.scratch.path().join("bin");
    fs::create_dir(&only_git).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let git = std::env::split_paths(&path).map(|folder| folder.join("git")).find(|git| git.is_file()).unwrap();
    std::os::unix::fs::symlink(git, only_git.join("git")).unwrap();
    let mut blind = project.command("pipelines/pre-commit");
    let said = text(&run(blind.env("PATH", &only_git), 1).stderr);
    assert!(said.contains("not on the path") && said.contains("--no-verify"), "{said}");
}

#[test]
fn every_named_run_runs() {
    if lacks(&["git"]) {
        return;
    }
    let project = Project::new();
    project.edit();
    fs::create_dir_all(project.path().join("index")).unwrap();
    let requests = run(project.command("pipelines/review-requests").arg("HEAD"), 0).stdout;
    assert_eq!(text(&requests).lines().count(), 1, "{}", text(&requests));
    fs::write(project.path().join("index/review.jsonl"), &requests).unwrap();
    let named = fs::read_dir(home().join("pipelines")).unwrap().map(|entry| entry.unwrap().path());
    let named: BTreeSet<PathBuf> = named.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    assert!(named.len() >= 3);
    for pipeline in named {
        let pipeline = Path::new("pipelines").join(pipeline.file_name().unwrap());
        let mut build = contextpack();
        build.current_dir(project.path()).args(["build", "--strict", "--json", "--pipeline"]).arg(&pipeline);
        let stages: serde_json::Value = serde_json::from_slice(&run(&mut build, 0).stdout).unwrap();
        let text = fs::read_to_string(project.path().join(&pipeline)).unwrap();
        let expected = 2 + usize::from(text.contains("\nrequests = "));
        assert_eq!(stages.as_array().unwrap().len(), expected, "{}: {stages}", pipeline.display());
        let mut again = contextpack();
        again.current_dir(project.path()).args(["build", "--strict", "--json", "--pipeline"]).arg(&pipeline);
        let stages: serde_json::Value = serde_json::from_slice(&run(&mut again, 0).stdout).unwrap();
        assert!(stages.as_array().unwrap().iter().all(|stage| stage["built"] == false), "{stages}");
    }
    let packs = run(contextpack().arg("cat").arg(project.path().join("index/packs")).arg("context_packs"), 0);
    let packs: Vec<serde_json::Value> =
        text(&packs.stdout).lines().map(|pack| serde_json::from_str(pack).unwrap()).collect();
    assert_eq!(packs[0]["request"]["focus"][0]["fileRelPath"], "shop/money.py");
    let items =
        packs[0]["sections"].as_array().unwrap().iter().flat_map(|section| section["items"].as_array().unwrap());
    let paths: BTreeSet<&str> = items.map(|item| item["fileRelPath"].as_str().unwrap()).collect();
    assert!(!paths.is_empty() && !paths.contains("shop/money.py"), "who depends on the change: {paths:?}");
}

/// No engine runs here, so what can be known without one: every path is there, and the image is of this program.
#[test]
fn the_image_copies_what_is_there() {
    let dockerfile = fs::read_to_string(home().join("pipelines/Dockerfile")).unwrap();
    let dockerfile = dockerfile.replace("\\\n", " ");
    let allowed = fs::read_to_string(home().join("pipelines/Dockerfile.dockerignore")).unwrap();
    let manifest: toml::Table = fs::read_to_string(home().join("Cargo.toml")).unwrap().parse().unwrap();
    let of = |instruction: &'static str| dockerfile.lines().filter_map(move |line| line.strip_prefix(instruction));
    let rust = manifest["package"]["rust-version"].as_str().unwrap();
    assert!(
        of("FROM ").next().unwrap().starts_with(&format!("rust:{rust}-slim")),
        "the version that Cargo.toml asks for"
    );
    let mut copied = Vec::new();
    let mut binaries = BTreeSet::new();
    for line in of("COPY ") {
        let words: Vec<&str> = line.split_whitespace().collect();
        let from_builder = words[0] == "--from=builder";
        for path in &words[usize::from(from_builder)..words.len() - 1] {
            match path.strip_prefix("/source/target/release/") {
                Some(binary) if from_builder => drop(binaries.insert(binary.to_string())),
                _ => copied.push(path.to_string()),
            }
        }
    }
    assert!(copied.iter().all(|path| home().join(path).exists()), "{copied:?}");
    let allowed: BTreeSet<&str> = allowed.lines().filter_map(|line| line.strip_prefix('!')).collect();
    assert_eq!(allowed, copied.iter().map(String::as_str).collect(), "the context holds what is copied");
    let made = fs::read_dir(home().join("src/bin")).unwrap().map(|entry| entry.unwrap().path());
    let made = made.map(|path| path.file_stem().unwrap().to_str().unwrap().to_string());
    assert_eq!(binaries, made.chain(["contextpack".to_string()]).collect());
    assert!(of("RUN ").any(|line| line == "cargo build --release --locked --bins"));
    assert_eq!(of("ENTRYPOINT ").next(), Some(r#"["contextpack"]"#));
    assert!(of("USER ").next().is_some_and(|user| user != "root"));
}

#[test]
fn the_page_names_every_file() {
    let page = fs::read_to_string(home().join("pipelines/README.md")).unwrap();
    for entry in fs::read_dir(home().join("pipelines")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name == "README.md" || page.contains(&format!("`{name}`")), "{name} is not on the page");
    }
}
