//! What the command line decides: which request the arguments are, and how a run ends.

use clap::Parser as _;

use super::*;
use crate::pipeline::service::Root;
use crate::pipeline::{PipelineError, StoreError};
use crate::record::request::{Intent, PackRequest};
use crate::text::Tokenizer;

/// The request that some arguments of `contextpack pack` are.
fn request(arguments: &[&str]) -> Result<PackRequest, Failure> {
    let program =
        Program::<PackArguments>::try_parse_from([&["contextpack-pack", "--index", "shop/index"], arguments].concat());
    let arguments = program.expect("the arguments can be parsed").arguments;
    pack::request(&arguments, &arguments.root.find("pack")?)
}

fn parses(arguments: &[&str]) -> bool {
    Arguments::try_parse_from([&["contextpack"], arguments].concat()).is_ok()
}

#[test]
fn arguments_are_a_request() {
    let asked = request(&["why is it slow"]).unwrap();
    assert_eq!(asked.query, "why is it slow");
    assert_eq!(asked.budgets, PackRequest::default().budgets);
    assert_eq!(request(&["--query", "why is it slow"]).unwrap(), asked);
    let asked = request(&["x", "--intent", "impact", "--max-tokens", "77", "--tokenizer", "cl100k_base"]).unwrap();
    assert_eq!((asked.intent, asked.tokenizer), (Intent::Impact, Tokenizer::Cl100kBase));
    assert_eq!(asked.budgets.max_total_tokens, 77);
    let focus = |typed: &str| request(&["--focus", typed]).unwrap().focus.remove(0);
    assert_eq!(focus("file:src/main.rs").file_rel_path.unwrap().as_str(), "src/main.rs");
    assert_eq!(focus("./src/main.rs").name.as_deref(), Some("src/main.rs"));
    assert_eq!(request(&["--focus", "a", "--focus", "b"]).unwrap().focus.len(), 2);
    assert!(request(&["--focus", "file:../x"]).unwrap_err().to_string().starts_with("POC_E_BAD_REQUEST: "));
    let asked = request(&["x", "--path", "src", "--exclude", "*.md", "--lang", "rust", "--no-tests"]).unwrap().filter;
    assert_eq!((asked.paths, asked.exclude), (vec!["src".to_string()], vec!["*.md".to_string()]));
    assert!(asked.languages == ["rust"] && asked.no_tests);
}

#[test]
fn caps_grow_with_the_tokens_unless_they_are_given() {
    let caps = |arguments: &[&str]| {
        let budgets = request(&[&["x"], arguments].concat()).unwrap().budgets;
        (budgets.max_total_tokens, budgets.max_items, budgets.max_items_per_section, budgets.max_total_chars)
    };
    assert_eq!(caps(&[]), (8_000, 80, 25, 200_000));
    assert_eq!(caps(&["--max-tokens", "500"]), (500, 80, 25, 200_000));
    assert_eq!(caps(&["--max-tokens", "16k"]), (16_000, 160, 50, 400_000));
    assert_eq!(caps(&["--max-tokens", "1m"]), (1_000_000, 250, 80, 2_000_000));
    assert_eq!(caps(&["--max-tokens", "16k", "--max-items", "9"]), (16_000, 9, 50, 400_000));
    assert_eq!(caps(&["--max-items-per-section", "3"]), (8_000, 80, 3, 200_000));
}

#[test]
fn options_win_over_a_request_file() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("request.json");
    std::fs::write(
        &file,
        r#"{"query":"from the file","repoId":"mine","intent":"debug","budgets":{"maxTotalTokens":9}}"#,
    )
    .unwrap();
    let file = file.to_str().unwrap();
    let asked = request(&["--request", file]).unwrap();
    assert_eq!((asked.query.as_str(), asked.repo_id.as_str(), asked.intent), ("from the file", "mine", Intent::Debug));
    let asked = request(&["--request", file, "--query", "typed", "--max-tokens", "10"]).unwrap();
    assert_eq!((asked.query.as_str(), asked.intent, asked.budgets.max_total_tokens), ("typed", Intent::Debug, 10));
    std::fs::write(file, r#"{"qurey":"x"}"#).unwrap();
    assert!(request(&["--request", file]).unwrap_err().to_string().starts_with("POC_E_BAD_REQUEST: cannot use `"));
}

#[test]
fn a_directory_is_not_a_query() {
    let said = request(&["."]).unwrap_err().to_string();
    assert_eq!(said, "`.` is a directory, not a query\n  hint: `contextpack pack --repo . --query \"…\"`");
    assert_eq!(request(&["src"]).unwrap().query, "src", "a word that happens to be the name of one");
}

#[test]
fn the_tree_has_one_name_in_every_command() {
    for flag in ["--repo", "--source", "--root"] {
        let commands: [&[&str]; 11] = [
            &["read", "x"],
            &["search", "x"],
            &["outline"],
            &["pack", "x"],
            &["show", "x"],
            &["why-not", "a", "b"],
            &["diff", "a", "b"],
            &["doctor"],
            &["chunk"],
            &["mcp"],
            &["spec", "index"],
        ];
        for command in commands {
            assert!(parses(&[command, &[flag, "tree"]].concat()), "{command:?} {flag}");
        }
    }
}

#[test]
fn a_run_ends_with_the_code_of_its_outcome() {
    assert_eq!(ended("x", Ok(()), |()| Ok(REFUSED)), REFUSED);
    assert_eq!(ended("x", Ok(()), |()| Err(Failure::other("no"))), FAILED);
    let wrong = Arguments::try_parse_from(["contextpack", "pakc"]);
    assert_eq!(ended("x", wrong, |_| Ok(DONE)), FAILED);
}

#[test]
fn a_missing_index_comes_with_the_command_that_builds_it() {
    let scratch = tempfile::tempdir().unwrap();
    let tree = scratch.path().join("tree");
    std::fs::create_dir(&tree).unwrap();
    let missing = || StoreError::missing(Path::new("x"), "it does not exist", None);
    let hint = |repo: Option<&Path>, index: Option<&Path>| {
        let root = Root::find(repo, index).unwrap();
        match index_failure(&root, missing()) {
            Failure::Pipeline(PipelineError::NoIndex { command, .. }) => command,
            other => panic!("{other}"),
        }
    };
    let shown = tree.display();
    assert_eq!(hint(Some(&tree), None), format!("contextpack pack --repo {shown} --query \"…\""));
    let index = Path::new("elsewhere");
    assert_eq!(
        hint(Some(&tree), Some(index)),
        format!("contextpack pack --repo {shown} --index elsewhere --query \"…\"")
    );
    assert_eq!(hint(None, Some(index)), "contextpack pack --repo . --index elsewhere --query \"…\"");
}
