//! What is read from lines of `nodes.jsonl`, and what is said about the rest.

use super::*;
use crate::record::NoteInput;

const HEADER: &str = "{\"contextpackNodes\":1,\"workspace\":\"crm\",\"exported\":\"2026-02-20T00:00:00Z\"}\n";

fn export(lines: &str) -> (String, Vec<Note<'static>>, Vec<String>) {
    let text: &'static str = Box::leak(format!("{HEADER}{lines}").into_boxed_str());
    let export = read(text).unwrap();
    let line = |span: Span| text[..span.start as usize].matches('\n').count() + 1;
    let troubles = export.troubles.iter().map(|trouble| {
        let place = trouble.span.map_or(String::new(), |span| format!("{}: ", line(span)));
        format!("{place}{}: {}", trouble.code, trouble.message)
    });
    let troubles = troubles.collect();
    (text.to_string(), export.notes.collect(), troubles)
}

/// Each note as `depth id < parent`, with `*` for a unit.
fn drawn(lines: &str) -> Vec<String> {
    let (_, notes, _) = export(lines);
    let draw = |note: &Note| {
        let parent = note.parent.map(|at| format!(" < {}", notes[at as usize].id)).unwrap_or_default();
        format!("{} {}{parent}{}", note.depth, note.id, if note.unit { " *" } else { "" })
    };
    notes.iter().map(draw).collect()
}

fn troubles(lines: &str) -> Vec<String> {
    export(lines).2
}

#[test]
fn an_outline_in_any_order_of_lines() {
    let lines = r##"{"id":"c","parent":"b","order":2}
{"id":"d","parent":"b","order":1.5,"tags":["#x"]}
{"id":"e","parent":"b"}
{"id":"b","parent":"a","unit":true}
{"id":"a"}
{"id":"f","parent":"a","unit":false,"tags":["x"]}
"##;
    assert_eq!(drawn(lines), ["0 a *", "1 b < a *", "2 d < b *", "2 c < b", "2 e < b", "1 f < a"]);
    assert!(troubles(lines).is_empty());
}

#[test]
fn a_note_with_everything() {
    let lines = r##"{"id":"p1","name":"SOC\nDefender","text":"Detects.\n\nAlerts.","tags":["Project/Big"],"aliases":["soc"],"type":"page","url":"https://x.org","created":1771459200,"modified":"2026-02-20T10:00","done":false,"refs":["a7","p1"],"fields":{"Owner":[{"ref":"a7"}],"Due date":{"date":"2026-03-01"},"Open":[true,1.50,"x"],"None":[null,""]}}
{"id":"a7","name":"Ada"}
"##;
    let (text, notes, troubles) = export(lines);
    assert_eq!(troubles, Vec::<String>::new());
    let note = &notes[0];
    assert_eq!((note.name.as_str(), note.title.as_str()), ("SOC\nDefender", "SOC Defender"));
    assert_eq!((note.content.as_str(), note.note_type.as_deref()), ("Detects.\n\nAlerts.", Some("page")));
    assert_eq!(
        (note.tags.as_slice(), note.aliases.as_slice()),
        (&["Project/Big".to_string()][..], &["soc".to_string()][..])
    );
    let dates = [&note.created, &note.modified, &note.due].map(|date| date.as_ref().unwrap().as_str());
    assert_eq!(dates, ["2026-02-19T00:00:00Z", "2026-02-20T10:00:00Z", "2026-03-01"]);
    assert_eq!(note.done, Some(false));
    let values = |field: &Field| {
        let shown = field.values.iter().map(|value| value.as_str().to_string()).collect::<Vec<_>>().join(", ");
        format!("{}:: {shown}", field.name)
    };
    let fields: Vec<String> = note.fields.iter().map(values).collect();
    assert_eq!(fields, ["Owner:: Ada", "Due date:: 2026-03-01", "Open:: yes, 1.50, x", "url:: https://x.org"]);
    let node = note.fields[0].values[0].reference.as_ref().unwrap();
    assert_eq!(node.as_str(), "scip:contextpack nodes crm . `a7`.");
    let links: Vec<String> = note
        .links
        .iter()
        .map(|link| format!("{:?} {} {:?} {}", link.role, link.target, link.receiver, link.span.text(&text)))
        .collect();
    assert_eq!(
        links,
        [
            "Tag project/big None #Project/Big".replace('#', ""),
            "Tag project None Project/Big".to_string(),
            "Field a7 Some(\"Owner\") a7".to_string(),
            "Link a7 None a7".to_string(),
        ]
    );
    assert_eq!(note.id_span.text(&text), "p1");
    assert!(note.span.text(&text).starts_with("{\"id\":\"p1\"") && note.span.text(&text).ends_with("}}"));
}

#[test]
fn bad_lines_are_named_and_the_rest_is_read() {
    let lines = r##"{"id":"a","order":"x","nmae":"typo","tags":"x","done":7}

{"id":"b","parent":"zz","refs":["yy",1],"fields":{"f":[{"ref":"xx"},{"rf":"a"},[1]],"d":{"date":"soon"}}}
{"id":"a","name":"again"}
{"name":"nobody"}
{"id":"c",
[1]
{"id":"d"} {"id":"e"}
{"id":"f","created":"1850-01-01","unit":1}
"##;
    assert_eq!(
        troubles(lines),
        [
            "2: itemData: the key `nmae` is not known",
            "2: itemData: `order` is not a number; it is left out",
            "2: itemData: `tags` is not a list; it is left out",
            "4: itemData: `refs` is not a list of texts; it is left out",
            "4: itemData: `f` is not `{\"ref\": id}` or `{\"date\": date}`; it is left out",
            "4: itemData: `f` is not a list of single values; it is left out",
            "4: itemDate: `d` is no date between 1970 and 2199: soon",
            "5: itemDuplicate: another note before has the id `a`; this one is left out",
            "6: itemData: a note without an id; it is left out",
            "7: itemData: not a JSON object, see column 10; the line is left out",
            "8: itemData: not a JSON object; the line is left out",
            "9: itemData: not a JSON object, see column 12; the line is left out",
            "10: itemDate: `created` is no date between 1970 and 2199: 1850-01-01",
            "10: itemData: `unit` is not `true` or `false`; it is left out",
            "4: itemData: its parent `zz` is no note of this file",
            "4: itemData: `xx` is no note of this file",
            "4: itemData: `yy` is no note of this file",
        ]
    );
    assert_eq!(drawn(lines), ["0 a *", "0 b *", "0 f *"]);
    assert_eq!(export(lines).1[0].done, Some(true), "a number is when it was done");
}

#[test]
fn deleted_notes_take_what_is_in_them_along() {
    let lines = r#"{"id":"a","deleted":true}
{"id":"b","parent":"a"}
{"id":"c","parent":"b"}
{"id":"d","refs":["b"],"fields":{"f":[{"ref":"c"}]}}
"#;
    assert_eq!(drawn(lines), ["0 d *"]);
    assert_eq!(troubles(lines), ["itemData: 3 deleted notes left out"]);
    let (_, notes, _) = export(lines);
    assert!(notes[0].links.is_empty());
    assert_eq!(notes[0].fields[0].values[0], FieldValue { text: Some("c".to_string()), ..FieldValue::default() });
}

#[test]
fn loops_of_parents_are_cut() {
    let lines = r#"{"id":"b","parent":"c"}
{"id":"c","parent":"a"}
{"id":"a","parent":"b"}
{"id":"s","parent":"s"}
"#;
    assert_eq!(drawn(lines), ["0 a *", "1 c < a", "2 b < c", "0 s *"]);
    assert_eq!(
        troubles(lines),
        [
            "4: itemParent: the parents of `a` form a loop; its own is left out",
            "5: itemParent: the parents of `s` form a loop; its own is left out"
        ]
    );
}

#[test]
fn dates_come_from_the_unit_around() {
    let lines = r#"{"id":"a","created":"2026-01-01","modified":"2026-01-02"}
{"id":"b","parent":"a"}
{"id":"c","parent":"b","created":"2026-01-03"}
{"id":"d","parent":"c"}
"#;
    let (_, notes, _) = export(lines);
    let date = |date: &Option<crate::record::Date>| date.as_ref().unwrap().as_str().to_string();
    let dates: Vec<_> = notes.iter().map(|note| format!("{} {}", date(&note.created), date(&note.modified))).collect();
    assert_eq!(
        dates,
        ["2026-01-01 2026-01-02", "2026-01-01 2026-01-02", "2026-01-03 2026-01-03", "2026-01-01 2026-01-02"]
    );
}

#[test]
fn a_file_with_another_first_line_is_no_export() {
    for text in ["", "x", "[]", "{}", "{\"contextpackNodes\":2}", "{\"contextpackNodes\":\"1\"}"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn hostile_lines_neither_stop_nor_delay_the_reading() {
    let deep = format!("{{\"id\":\"a\",\"text\":{}1{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(troubles(&deep), ["2: itemData: `text` is not a text; it is left out"]);
    let chain: String = (0..100_000).map(|at| format!("{{\"id\":\"{at}\",\"parent\":\"{}\"}}\n", at + 1)).collect();
    assert_eq!(drawn(&chain)[99_999], "99999 0 < 1");
    let huge = format!("{{\"id\":\"a\",\"created\":{},\"order\":1e999,\"modified\":-1}}\n", "9".repeat(5000));
    assert_eq!(troubles(&huge).len(), 3);
    let many: String = (0..1000).map(|_| "{\"id\":\n").collect();
    assert_eq!(troubles(&many).len(), 101);
}

#[test]
fn the_schema_has_the_keys_that_are_read() {
    let schema: serde_json::Value = serde_json::from_str(&NoteInput::schema_text()).unwrap();
    let keys: Vec<&String> = schema["$defs"]["NoteNode"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(keys, line::KEYS);
}
