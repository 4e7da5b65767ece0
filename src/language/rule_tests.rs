//! The user's own languages: which files they claim, what they define, and how they are refused.

use super::definitions::definitions_query;
use super::treesitter::{self, FactsQuery};
use super::*;
use crate::text::RepoPath;

const LIMITS: Limits = Limits { max_chunk_bytes: 4096 };

const STARLARK: &str = r#"
id = "starlark"
grammar = "python"
extensions = ["bzl"]
file_names = ["BUILD", "BUILD.bazel"]
[definitions]
function_definition = "function"
global_statement = "variable"
"#;

fn rule(toml: &str) -> LanguageRule {
    toml::from_str(toml).expect("a table")
}

fn refused(toml: &str) -> String {
    Languages::with_rules(&[rule(toml)]).err().expect("a rule that cannot be used").to_string()
}

/// Each definition as `kind name: signature`, by the table's patterns alone.
fn defined(toml: &str, grammar: tree_sitter::Language, text: &str) -> Vec<String> {
    let query = definitions_query(&rule(toml), Some(&grammar)).expect("a table that fits");
    let query = FactsQuery::new(&grammar, &query).expect("each pattern was tried");
    let mut facts = treesitter::parse(&grammar, &query, text, &LIMITS).expect("a short text");
    facts.settle();
    let show = |definition: &Definition| {
        let end = definition.body.map_or(definition.span.end, |body| body.start);
        let signature = &text[definition.span.start as usize..end as usize];
        format!("{:?} {}: {}", definition.kind, definition.name, signature.trim())
    };
    facts.definitions.iter().map(show).collect()
}

#[test]
fn a_node_is_named_by_its_field_or_by_its_first_name() {
    let text = "def rule(name):\n    global count, total\n";
    assert_eq!(
        defined(STARLARK, tree_sitter_python::LANGUAGE.into(), text),
        ["Function rule: def rule(name):", "Variable count: global count, total"]
    );
}

#[test]
fn a_name_may_stand_behind_modifiers() {
    let kotlin: tree_sitter::Language = tree_sitter_kotlin_ng::LANGUAGE.into();
    let table = "id = 'x'\n[definitions]\nvariable_declaration = 'field'\n";
    assert_eq!(defined(table, kotlin, "val a: Int = 1\nval @B c = 2\n"), ["Field a: a: Int", "Field c: @B c"]);
}

#[test]
fn keys_and_labels_are_names_too() {
    let table = "id = 'x'\n[definitions]\nblock = 'block'\n";
    let text = "resource \"bucket\" \"logs\" {\n  a = 1\n}\n";
    assert!(defined(table, tree_sitter_hcl::LANGUAGE.into(), text)[0].starts_with("Block resource: "));
    let table = "id = 'x'\n[definitions]\npair = 'key'\n";
    assert_eq!(defined(table, tree_sitter_toml_ng::LANGUAGE.into(), "a = 1\n"), ["Key a: a = 1"]);
}

#[test]
fn a_language_of_the_user_claims_its_files_and_defines_symbols() {
    let table = "id = 'gox'\ngrammar = 'go'\nextensions = ['gox']\nfile_names = ['WORKSHOP']\n\
                 [definitions]\nlabeled_statement = 'block'\n";
    let languages = Languages::with_rules(&[rule(table)]).expect("a rule that fits");
    for (path, id) in [("a/b.gox", "gox"), ("WORKSHOP", "gox"), ("a.go", "go")] {
        let language = languages.detect(&RepoPath::try_from(path.to_string()).expect("a path"), "");
        assert_eq!(language.map(Language::id), Some(id), "{path}");
    }
    let text = "package p\nfunc f() {\nagain:\n\tgoto again\n}\n";
    let facts = languages.named("gox").expect("just made").parse(text, &LIMITS).expect("a short text");
    let names: Vec<&str> = facts.definitions.iter().map(|definition| &*definition.name).collect();
    assert_eq!(names, ["f", "again"]);
}

#[test]
fn starlark_is_python_under_another_name() {
    if Languages::builtin().named("python").is_none() {
        return;
    }
    let languages = Languages::with_rules(&[rule(STARLARK)]).expect("a rule that fits");
    for (path, id) in [("rules/go.bzl", "starlark"), ("src/BUILD", "starlark"), ("a.py", "python")] {
        let language = languages.detect(&RepoPath::try_from(path.to_string()).expect("a path"), "");
        assert_eq!(language.map(Language::id), Some(id), "{path}");
    }
    let starlark = languages.named("starlark").expect("just made");
    let facts = starlark.parse("def go_library(name):\n    native.filegroup(name = name)\n", &LIMITS);
    let facts = facts.expect("a short text");
    assert_eq!(facts.definitions[0].name, "go_library");
    assert!(facts.mentions.iter().any(|mention| mention.name == "filegroup"));
}

#[test]
fn a_rule_that_extends_a_language_keeps_the_rest_of_its_table() {
    let languages = Languages::with_rules(&[rule("id = 'rst'\nextensions = ['doc']\n")]).expect("a rule that fits");
    for (path, text, id) in
        [("a.doc", "", "rst"), ("a.rst", "", "rst"), ("a.txt", ":ref:`b`", "rst"), ("b.txt", "", "text")]
    {
        let language = languages.detect(&RepoPath::try_from(path.to_string()).expect("a path"), text);
        assert_eq!(language.map(Language::id), Some(id), "{path}");
    }
}

#[test]
fn rules_that_do_not_fit_say_why() {
    assert!(
        refused("id = 'a'\ngrammar = 'cobol'\n")
            .starts_with("language `a` names the grammar `cobol`, which is not linked in; linked are ")
    );
    assert_eq!(
        refused("id = 'a'\ngrammar = 'go'\n[definitions]\nparagraph = 'function'\n"),
        "language `a` defines symbols by the node `paragraph`, which its grammar does not have"
    );
    assert_eq!(
        refused("id = 'a'\ngrammar = 'go'\n[definitions]\nnil = 'function'\n"),
        "language `a` defines symbols by the node `nil`, which holds no name"
    );
    for own in ["query = '(x) @comment'", "[definitions]\nx = 'function'"] {
        assert_eq!(
            refused(&format!("id = 'a'\ngrammar = 'markdown'\n{own}\n")),
            "language `a` has definitions or a query, but is read without a grammar"
        );
    }
    assert!(refused("id = 'a'\ngrammar = 'go'\nquery = '(comment) @remark'\n").contains("@remark"));
}

#[test]
fn tables_with_unknown_words_are_refused() {
    for (toml, word) in [
        ("id = 'a'\nextension = ['x']\n", "unknown field `extension`"),
        ("id = 'a'\n[definitions]\nx = 'subroutine'\n", "unknown variant `subroutine`"),
        ("extensions = ['x']\n", "missing field `id`"),
    ] {
        let error = toml::from_str::<LanguageRule>(toml).expect_err("a table that is wrong").to_string();
        assert!(error.contains(word), "{error}");
    }
}
