//! The modules of the crate use one another in one direction only.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::tool::home;

/// Every module and what it may use, in the order of `src/lib.rs`. A module may use only modules above it, so the table
/// cannot allow a cycle.
const ALLOWED: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("record", &["text"]),
    ("document", &["text", "record"]),
    ("secrets", &["text"]),
    ("flat", &[]),
    ("scip", &["text", "record"]),
    ("language", &["text", "record", "document"]),
    ("dialect", &["text", "record", "document", "language"]),
    ("chunk", &["text", "record", "document", "language", "dialect"]),
    ("graph", &["text", "record", "document", "flat", "scip", "language", "dialect"]),
    ("search", &["text", "record", "flat", "language"]),
    ("assemble", &["text", "record", "graph", "search"]),
    ("door", &["text", "record", "document", "language", "dialect", "graph", "search", "assemble"]),
    ("eval", &["text", "record", "search", "assemble", "door"]),
    ("source", &["text", "record", "secrets"]),
    ("store", &["text", "record"]),
    (
        "pipeline",
        &[
            "text", "record", "document", "secrets", "flat", "scip", "language", "dialect", "chunk", "graph", "search",
            "assemble", "door", "eval", "source", "store",
        ],
    ),
    ("mcp", &["text", "record", "assemble", "door", "pipeline"]),
    ("cli", &["text", "record", "assemble", "door", "eval", "pipeline", "mcp"]),
];

/// One use of another module.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    file: String,
    line: usize,
    from: String,
    to: String,
}

#[test]
fn modules_use_only_what_the_table_allows() {
    let wrong: Vec<String> = forbidden_uses()
        .iter()
        .map(|one| format!("src/{}:{}: `{}` must not use `{}`", one.file, one.line, one.from, one.to))
        .collect();
    assert!(wrong.is_empty(), "see ALLOWED in tests/it/arrows.rs\n{}", wrong.join("\n"));
}

#[test]
fn the_table_has_the_modules_of_the_crate_in_order() {
    let lib = fs::read_to_string(home().join("src/lib.rs")).unwrap();
    let modules: Vec<&str> = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(modules, ALLOWED.iter().map(|(module, _)| *module).collect::<Vec<_>>());
    for (at, (module, uses)) in ALLOWED.iter().enumerate() {
        for used in *uses {
            let is_above = ALLOWED[..at].iter().any(|(above, _)| above == used);
            assert!(is_above, "`{module}` may use `{used}`, which is not above it");
        }
    }
}

#[test]
fn all_forms_of_a_use_are_found() {
    let text = "\
use crate::text::{LineIndex, Span};
use crate::{chunk, graph::{edges, nodes}};
/// See [`crate::door`].
pub fn a() { super::super::store::open(); super::b(crate::record::new()) }
#[cfg(test)]
mod tests { use crate::cli; }
";
    let found: Vec<(usize, String)> = uses(text, 2);
    let found: Vec<(usize, &str)> = found.iter().map(|(line, to)| (*line, to.as_str())).collect();
    assert_eq!(found, [(1, "text"), (2, "chunk"), (2, "graph"), (4, "record"), (4, "store")]);
}

fn forbidden_uses() -> Vec<Use> {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let uses = all_uses();
    assert!(uses.len() > 300, "only {} uses were found", uses.len());
    uses.into_iter()
        .filter(|one| one.from != one.to && !allowed[one.from.as_str()].contains(&one.to.as_str()))
        .collect()
}

/// Every use of a module in `src/`, tests excluded.
fn all_uses() -> BTreeSet<Use> {
    let source = home().join("src");
    let mut files = Vec::new();
    list(&source, &mut files);
    let texts: BTreeMap<String, String> =
        files.into_iter().map(|file| (file.clone(), fs::read_to_string(source.join(file)).unwrap())).collect();
    let tests: Vec<String> = texts.iter().flat_map(|(file, text)| test_modules(file, text)).collect();
    let is_test =
        |file: &str| tests.iter().any(|test| file == format!("{test}.rs") || file.starts_with(&format!("{test}/")));
    let mut all = BTreeSet::new();
    for (file, text) in texts.iter().filter(|(file, _)| !is_test(file)) {
        let path = module_path(file);
        let Some(from) = ALLOWED.iter().find(|(module, _)| path.first() == Some(&module.to_string())) else { continue };
        for (line, to) in uses(text, path.len()) {
            all.insert(Use { file: file.clone(), line, from: from.0.to_string(), to });
        }
    }
    all
}

/// Rust files below a directory of `src/`, as paths below `src/`.
fn list(directory: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path.strip_prefix(home().join("src")).unwrap().to_str().unwrap().to_string());
        }
    }
}

/// `graph/mod.rs` is `[graph]`, `graph/edges.rs` is `[graph, edges]`.
fn module_path(file: &str) -> Vec<String> {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_string).collect()
}

/// The modules that a file declares for tests only, as paths without their ending.
fn test_modules(file: &str, text: &str) -> Vec<String> {
    let directory = module_path(file).join("/");
    let declared = text.split("#[cfg(test)]\nmod ").skip(1).filter_map(|rest| rest.split_once(';'));
    let names = declared.map(|(name, _)| name).filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
    names.map(|name| format!("{directory}/{name}")).collect()
}

/// The line and the module of each use, where the module that the text is of is so many levels below the crate.
fn uses(text: &str, depth: usize) -> Vec<(usize, String)> {
    let code = without_comments(text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text));
    let to_root = "super::".repeat(depth);
    let mut found = BTreeSet::new();
    for path in ["crate::", &to_root] {
        for (at, _) in code.match_indices(path) {
            let rest = &code[at + path.len()..];
            let line = code[..at].matches('\n').count() + 1;
            found.extend(first_names(rest).into_iter().filter(|name| is_module(name)).map(|name| (line, name)));
        }
    }
    found.into_iter().collect()
}

fn is_module(name: &str) -> bool {
    ALLOWED.iter().any(|(module, _)| *module == name)
}

/// The lines stay where they are.
fn without_comments(text: &str) -> String {
    text.lines()
        .map(|line| if line.trim_start().starts_with("//") { "\n".into() } else { format!("{line}\n") })
        .collect()
}

/// The name that a path goes on with, or all names if it goes on with a list in braces.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| text.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(list) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let (mut names, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                names.push(name(&list[start..at]));
                start = at + 1;
            }
            _ => {}
        }
        if c == '}' && start == at + 1 {
            break;
        }
    }
    names
}
