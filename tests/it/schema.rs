//! The schemas are generated, committed, and hold for every record of every golden case.

use std::collections::BTreeSet;
use std::fs;

use contextpack::graph::input::{References, SymbolRow};
use contextpack::record::{ALL, NoteInput, codec};

use crate::tool::{contextpack, home, run};

#[test]
fn the_committed_schemas_are_the_generated_ones() {
    let folder = home().join("artifacts-schema");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        assert!(std::env::var_os("CI").is_none(), "schemas are not updated where CI is set");
        ALL.iter().for_each(|artifact| fs::write(folder.join(artifact.schema_file()), artifact.schema_text()).unwrap());
        fs::write(folder.join(NoteInput::SCHEMA_FILE), NoteInput::schema_text()).unwrap();
    }
    let entries = fs::read_dir(&folder).expect("artifacts-schema/ is there");
    let committed: BTreeSet<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let files = ALL.iter().map(|artifact| artifact.schema_file());
    assert_eq!(committed, files.chain([NoteInput::SCHEMA_FILE.to_string()]).collect());
    for artifact in ALL {
        let text = fs::read_to_string(folder.join(artifact.schema_file())).unwrap();
        assert_eq!(text, artifact.schema_text(), "{} is stale; UPDATE_GOLDEN=1 renews it", artifact.schema_file());
        let printed = run(contextpack().arg("schema").arg(artifact.name), 0);
        assert_eq!(String::from_utf8(printed.stdout).unwrap(), text);
    }
}

/// The schema of `nodes.jsonl` is one of an input, not of a record.
#[test]
fn the_schema_of_notes_is_generated_and_holds_for_the_golden_case() {
    let text = fs::read_to_string(home().join("artifacts-schema").join(NoteInput::SCHEMA_FILE)).unwrap();
    assert_eq!(text, NoteInput::schema_text(), "the schema is stale; UPDATE_GOLDEN=1 renews it");
    let printed = run(contextpack().args(["schema", NoteInput::NAME]), 0);
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), text);
    let validator = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).expect("the schema is one");
    let notes = fs::read_to_string(home().join("golden/notes_nodes/input/crm.jsonl")).unwrap();
    let is_valid = |line: &str| serde_json::from_str(line).is_ok_and(|line| validator.is_valid(&line));
    let bad: Vec<usize> = (1..).zip(notes.lines()).filter(|(_, line)| !is_valid(line)).map(|(at, _)| at).collect();
    assert_eq!(bad, [7, 14], "the lines that the case has problems for");
}

#[test]
fn the_reference_is_made_from_the_schemas() {
    let path = home().join("docs/artifacts.md");
    let page = String::from_utf8(run(contextpack().args(["schema", "--markdown"]), 0).stdout).unwrap();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), page, "docs/artifacts.md is stale; UPDATE_GOLDEN=1 renews it");
    for artifact in ALL {
        let schema: serde_json::Value = serde_json::from_str(&artifact.schema_text()).unwrap();
        let fields = schema["properties"].as_object().unwrap().keys();
        let missing: Vec<&String> = fields.filter(|field| !page.contains(&format!("| `{field}` |"))).collect();
        assert!(missing.is_empty(), "{}: {missing:?}", artifact.name);
    }
}

#[test]
fn every_golden_record_fits_its_schema() {
    for artifact in ALL {
        let mut checked = 0;
        let schema = serde_json::from_str(&artifact.schema_text()).unwrap();
        let validator = jsonschema::validator_for(&schema).expect("the schema is one");
        for case in fs::read_dir(home().join("golden")).unwrap() {
            let path = case.unwrap().path().join("expected").join(format!("{}.jsonl", artifact.name));
            for line in fs::read_to_string(path).unwrap_or_default().lines() {
                let record = serde_json::from_str(line).unwrap();
                assert!(validator.is_valid(&record), "{}: {line}", artifact.name);
                artifact.check_line(line.as_bytes()).unwrap();
                checked += 1;
            }
        }
        assert!(checked > 0, "no golden case has a record of {}", artifact.name);
    }
}

/// The rows of the graph stage are read from every golden line as serde_json reads them, and a field that a record may
/// get in future does not disturb them.
#[test]
fn the_graph_reads_every_golden_line() {
    macro_rules! check {
        ($Row:ident, $name:literal) => {
            let lines = golden_lines($name);
            assert!(lines.lines().count() > 100);
            for line in lines.lines() {
                let row: $Row = codec::read(line).unwrap();
                assert_eq!(format!("{row:?}"), format!("{:?}", serde_json::from_str::<$Row>(line).unwrap()));
                let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
                ["aa", "m", "zz"].iter().for_each(|key| record[key] = serde_json::json!([{"x": "}"}, null, -1.5]));
                let mut extended = Vec::new();
                codec::write(&record, &mut extended).unwrap();
                let extended = String::from_utf8(extended).unwrap();
                assert_eq!(format!("{row:?}"), format!("{:?}", codec::read::<$Row>(&extended).unwrap()));
            }
        };
    }
    check!(SymbolRow, "symbols");
    check!(References, "references");
}

fn golden_lines(name: &str) -> String {
    let cases = fs::read_dir(home().join("golden")).unwrap();
    let paths = cases.map(|case| case.unwrap().path().join("expected").join(format!("{name}.jsonl")));
    paths.map(|path| fs::read_to_string(path).unwrap_or_default()).collect()
}

#[test]
fn a_record_with_an_unknown_field_is_refused() {
    for artifact in ALL {
        let error = artifact.check_line(br#"{"surprise":1}"#).unwrap_err().to_string();
        assert!(error.contains("surprise"), "{}: {error}", artifact.name);
    }
}

#[test]
fn the_readme_has_a_row_for_every_record_type() {
    let page = fs::read_to_string(home().join("README.md")).unwrap();
    for artifact in ALL {
        assert!(page.contains(&format!("\n| `{}` | ", artifact.name)), "{}", artifact.name);
    }
}
