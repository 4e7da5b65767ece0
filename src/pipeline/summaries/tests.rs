//! Summarizers that answer, fail, hang and print too much.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use super::*;

struct World {
    index: tempfile::TempDir,
    limits: Limits,
}

impl World {
    fn new() -> Self {
        let limits = Limits { time: Duration::from_secs(10), output_bytes: 1000 };
        World { index: tempfile::tempdir().unwrap(), limits }
    }

    /// The answer of a shell script to a text.
    fn ask(&self, script: &str, text: &str, retries_failures: bool) -> Option<String> {
        let command = ["sh", "-c", script, "{max_tokens}"].map(String::from);
        let maker = SummaryMaker { index: self.index.path(), command: &command, retries_failures };
        let wanted = WantedSummary { max_tokens: 40, text: text.to_string() };
        let mut expected = Summaries::default();
        let summaries = maker.summaries_within(std::slice::from_ref(&wanted), &self.limits).unwrap();
        let answer = read(&maker.open_folder().unwrap().join(maker.file_name(&wanted))).unwrap();
        let answer = if let Outcome::Answer(answer) = answer { Some(answer) } else { None };
        answer.iter().for_each(|answer| expected.insert(wanted.clone(), answer.clone()));
        assert_eq!(summaries, expected, "what is kept is what is given");
        answer
    }

    fn files(&self) -> usize {
        fs::read_dir(self.index.path().join(FOLDER)).unwrap().count()
    }
}

#[test]
fn a_program_gets_the_text_and_the_limit_and_nothing_else() {
    let world = World::new();
    let script = r#"printf '%s %s %s' "$0" "$(env | grep -c '^HOME=')" "$(cat)""#;
    assert_eq!(world.ask(script, "a text; $(no command)", false).unwrap(), "40 0 a text; $(no command)");
}

#[test]
fn an_answer_is_kept() {
    let world = World::new();
    let counter = world.index.path().join("asked");
    let script = format!("echo x >> {0}; cat {0} | wc -l", counter.display());
    for (text, answer) in [("one", "1"), ("one", "1"), ("two", "2"), ("one", "1")] {
        assert_eq!(world.ask(&script, text, true).unwrap(), answer);
    }
    assert_eq!(world.files(), 3, "two answers, and what keeps them out of trees");
    let mode = fs::metadata(world.index.path().join(FOLDER)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn a_failure_is_kept_until_it_is_tried_again() {
    let world = World::new();
    let flag = world.index.path().join("works");
    let script = format!("test -e {} && echo now", flag.display());
    assert_eq!(world.ask(&script, "text", false), None);
    fs::write(&flag, "").unwrap();
    assert_eq!(world.ask(&script, "text", false), None, "it is not asked");
    assert_eq!(world.ask(&script, "text", true).unwrap(), "now");
}

#[test]
fn what_is_no_answer_is_a_failure() {
    let world = World::new();
    for script in
        ["exit 3", "echo half; exit 1", "printf ' \\n'", "head -c 1001 /dev/zero | tr '\\0' x", "printf '\\377'"]
    {
        assert_eq!(world.ask(script, "text", false), None, "{script}");
    }
    let command = ["/no/such/program".to_string()];
    assert!(run(&command, "text", &world.limits).unwrap_err().starts_with("it cannot be run"));
}

#[test]
fn a_program_that_reads_nothing_may_answer() {
    let world = World::new();
    assert_eq!(world.ask("echo yes", &"long ".repeat(100_000), false).unwrap(), "yes");
}

#[test]
fn a_program_that_hangs_is_killed_with_all_it_started() {
    let world = World { limits: Limits { time: Duration::from_millis(300), output_bytes: 1000 }, ..World::new() };
    let started = Instant::now();
    let late = world.index.path().join("late");
    let script = format!("(sleep 2; echo x > {}) & sleep 60", late.display());
    assert_eq!(world.ask(&script, "text", false), None);
    assert_eq!(world.ask("exec >&-; sleep 60", "text", false), None, "its output ends before it does");
    assert_eq!(world.ask("yes", "text", false), None);
    assert!(started.elapsed() < Duration::from_secs(30));
    std::thread::sleep(Duration::from_millis(2500));
    assert!(!late.exists(), "what it started goes on");
}

#[test]
fn without_a_command_nothing_is_made() {
    let world = World::new();
    let maker = SummaryMaker { index: world.index.path(), command: &[], retries_failures: false };
    let wanted = [WantedSummary { max_tokens: 40, text: "text".to_string() }];
    assert_eq!(maker.summaries(&wanted).unwrap(), Summaries::default());
    assert!(!world.index.path().join(FOLDER).exists());
}
