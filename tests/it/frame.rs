//! `contextpack frame`: what it prints, what it refuses, and its exit codes.

use std::io::Write as _;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::tempdir;

use crate::tool::{contextpack, plant, run};

fn frame(arguments: &[&str], code: i32) -> Output {
    run(contextpack().arg("frame").args(arguments), code)
}

fn json(arguments: &[&str], code: i32) -> Value {
    serde_json::from_slice(&frame(&[arguments, &["--json"]].concat(), code).stdout).unwrap()
}

fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut command = contextpack();
    command.arg("frame").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_request_becomes_one_line_of_json() {
    let output = frame(&["ログイン機能直して", "--json"], 0);
    let line = String::from_utf8(output.stdout).unwrap();
    assert_eq!(line.matches('\n').count(), 1);
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["frame"]["target_feature"], "ログイン機能");
    assert_eq!(answer["routing"]["risk_level"], "HIGH");
    assert_eq!(serde_json_canonicalizer::to_string(&answer).unwrap(), line.trim_end());
    assert!(output.stderr.is_empty());
}

#[test]
fn people_read_the_slots_and_what_is_missing() {
    let text = String::from_utf8(frame(&["fix the login"], 0).stdout).unwrap();
    assert!(text.contains("target_feature    login  (E-T4, 0.6)"), "{text}");
    assert!(text.contains("risk              HIGH (R1)"), "{text}");
    assert!(text.contains("Look for error texts and logs with search_text."), "{text}");
    let text = String::from_utf8(frame(&["fix the login", "--lang", "ja"], 0).stdout).unwrap();
    assert!(text.contains("search_text でエラー文言やログを確認してください。"), "{text}");
}

#[test]
fn an_intent_that_is_given_wins() {
    let answer = json(&["fix the login", "--intent", "INVESTIGATE"], 0);
    assert_eq!((&answer["intent"], &answer["intent_source"]), (&"INVESTIGATE".into(), &"given".into()));
    assert_eq!(answer["routing"]["risk_level"], "LOW");
}

#[test]
fn strict_refuses_what_was_rejected() {
    let scratch = tempdir().unwrap();
    let wrong = r#"{"target_feature":{"value":"ログアウト","quote":"ログイン"},"desired_action":{"value":"直して","quote":"直して"}}"#;
    plant(scratch.path(), &[("answer.json", wrong.as_bytes())]);
    let file = scratch.path().join("answer.json");
    let file = file.to_str().unwrap();
    let answer = json(&["ログイン機能直して", "--from-llm", file], 0);
    let rejected = &answer["frame"]["rejected"][0];
    assert_eq!((&rejected["reason"], &rejected["detail"]), (&"value_adds".into(), &"ログアウト".into()));
    assert_eq!(json(&["ログイン機能直して", "--from-llm", file, "--strict"], 1), answer);
    let filled = json(&["ログイン機能直して", "--from-llm", file, "--fill"], 0);
    assert_eq!(filled["frame"]["target_feature"], "ログイン機能");
    let text = String::from_utf8(frame(&["ログイン機能直して", "--from-llm", file], 0).stdout).unwrap();
    assert!(text.contains("rejected          target_feature `ログアウト`, value_adds: ログアウト"), "{text}");
}

#[test]
fn requests_and_extractions_come_from_files_or_standard_input() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("issue.md", "The export button fails\r\n".as_bytes())]);
    let file = scratch.path().join("issue.md");
    let file = file.to_str().unwrap();
    assert_eq!(json(&["--query-file", file], 0)["frame"]["raw_query"], "The export button fails\n");
    let answer = with_input(&["-", "--json"], "fix the login");
    assert_eq!(serde_json::from_slice::<Value>(&answer.stdout).unwrap(), json(&["fix the login"], 0));
    let answer = with_input(&["--query-file", file, "--from-llm", "-", "--json"], "{}");
    let answer: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(answer["frame"]["missing_slots"].as_array().unwrap().len(), 4);
    let both = with_input(&["-", "--from-llm", "-"], "{}");
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn what_cannot_be_used_has_a_code() {
    let scratch = tempdir().unwrap();
    plant(scratch.path(), &[("list.json", b"[]"), ("text.json", b"no JSON"), ("bytes", &[0xff, 0xfe])]);
    let path = |name: &str| scratch.path().join(name).to_str().unwrap().to_string();
    let said = |arguments: &[&str]| String::from_utf8(frame(arguments, 2).stderr).unwrap();
    for file in ["list.json", "text.json"] {
        assert!(said(&["fix it", "--from-llm", &path(file)]).contains("POC_E_BAD_REQUEST"), "{file}");
    }
    assert!(said(&["   "]).contains("POC_E_BAD_REQUEST: the request is empty"));
    assert!(said(&["--query-file", &path("bytes")]).contains("cannot read"));
    assert!(said(&["--query-file", &path("none")]).contains("cannot read"));
    assert!(said(&["fix it", "--fill"]).contains("--from-llm"));
    assert!(said(&["fix it", "--intent", "MODFY"]).contains("'MODIFY'"));
    plant(scratch.path(), &[("long", &vec![b'a'; (128 << 10) + 1])]);
    assert!(said(&["--query-file", &path("long")]).contains("POC_E_BUDGET_EXCEEDED"));
}

#[test]
fn the_prompt_has_the_request_and_the_schema() {
    let text = String::from_utf8(frame(&["ログイン機能直して", "--prompt"], 0).stdout).unwrap();
    assert!(text.starts_with("以下のクエリから情報を抽出してください。"), "{text}");
    assert!(text.contains("クエリ: ログイン機能直して\n") && text.contains("\"maxLength\": 500"), "{text}");
    let answer = json(&["fix the login", "--prompt"], 0);
    assert!(answer["prompt"].as_str().unwrap().ends_with("Query: fix the login\n"));
    let schema = jsonschema::validator_for(&answer["schema"]).expect("the schema is one");
    let is_valid = |text: &str| schema.is_valid(&serde_json::from_str(text).unwrap());
    assert!(is_valid(r#"{"target_feature":{"value":"login","quote":"the login"},"observed_issue":null}"#));
    for wrong in [r#"{"x":null}"#, r#"{"target_feature":"login"}"#, r#"{"target_feature":{"value":"login"}}"#, "[]"] {
        assert!(!is_valid(wrong), "{wrong}");
    }
}

/// No clock, no environment, no place: the same words give the same bytes.
#[test]
fn the_same_request_gives_the_same_bytes_everywhere() {
    let scratch = tempdir().unwrap();
    let mut command = contextpack();
    command.current_dir(scratch.path()).env("LANG", "tr_TR.UTF-8").env("TZ", "Asia/Tokyo");
    let query = "When I save, the app crashes; fix it. 保存すると落ちる";
    let elsewhere = run(command.args(["frame", query, "--json"]), 0).stdout;
    assert_eq!(frame(&[query, "--json"], 0).stdout, elsewhere);
}
