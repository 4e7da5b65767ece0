use super::super::*;

fn row(values: &str) -> Block {
    let file = super::tree(&format!(r#""a":{{"type":"db_row","data":{{"databaseId":"d","values":{values}}}}}"#));
    assert!(file.troubles.is_empty(), "{:?}", file.troubles);
    file.blocks.into_iter().next().unwrap()
}

/// Columns as `id name kind`; a select has the options `o1` (Done) and `o2` (Open).
fn database(columns: &[&str]) -> Block {
    let column = |column: &&str| {
        let mut words = column.splitn(3, ' ');
        let [id, kind, name] = std::array::from_fn(|_| words.next().unwrap());
        format!(
            r#"{{"id":"{id}","name":"{name}","type":"{kind}","config":{{"options":[{{"id":"o1","value":"Done"}},{{"id":"o2","value":"Open"}}]}}}}"#
        )
    };
    let columns: Vec<String> = columns.iter().map(column).collect();
    let file = super::tree(&format!(r#""d":{{"type":"database","data":{{"properties":[{}]}}}}"#, columns.join(",")));
    file.blocks.into_iter().next().unwrap()
}

fn labelled_row(values: &str, columns: &[&str]) -> LabelledRow {
    labelled(&row(values), &database(columns), &RowRules::default())
}

#[test]
fn a_bare_row_says_its_title_and_no_value() {
    let bare = |values: &str| bare(&row(values), &RowRules::default()).text;
    assert_eq!(bare(r#"{"b":"Globex","a":12,"d":["r1"],"e":"r2","sum":99}"#), "", "any of it may be of another row");
    assert_eq!(bare(r#"{"a":"first","title":"Globex"}"#), "Globex");
    assert_eq!(bare(r#"{"a":"first","name":"Globex"}"#), "Globex");
    assert_eq!(bare(r#""{\"name\":\"Globex\"}""#), "Globex");
    assert_eq!(bare("null"), "");
}

#[test]
fn bare_rows_of_lines_say_what_they_name() {
    let file = super::lines(
        "{\"id\":\"a\",\"type\":\"db_row\",\"properties\":{\"Cost\":\"12\",\"Name\":\"Globex\",\"Total\":\"99\"}}\n\
         {\"id\":\"b\",\"type\":\"db_row\",\"title\":\"Initech\",\"text\":\"A note\",\"properties\":{\"Cost\":[1,2]}}",
    );
    let rules = RowRules { derived_columns: vec!["Total".into()], ..RowRules::default() };
    let bare = |at: usize| bare(&file.blocks[at], &rules);
    assert_eq!(bare(0), RowText { title: Some("Globex".into()), text: "Globex\nCost: 12".into() });
    assert_eq!(bare(1), RowText { title: Some("Initech".into()), text: "Initech\nA note\nCost: 1, 2".into() });
}

#[test]
fn a_labelled_row_names_its_values() {
    let columns = [
        "c number Cost",
        "n text Name",
        "s select Stage",
        "m multi_select Tags",
        "k checkbox Paid",
        "r relation Customers",
        "t rollup Total",
        "f formula Sum",
        "x text Note",
    ];
    let values = r#"{"n":"Deal 1","c":12.5,"s":"o2","m":["o1","gone"],"k":false,"r":["r1","r3"],"t":99,"f":98,"x":"y","old":"z"}"#;
    let row = labelled_row(values, &columns);
    assert_eq!(row.title.as_deref(), Some("Deal 1"));
    assert_eq!(row.text, "Deal 1\nCost: 12.5\nStage: Open\nTags: Done, gone\nPaid: no\nNote: y");
    assert_eq!(row.relations, [("Customers".to_string(), vec!["r1".to_string(), "r3".to_string()])]);
    assert_eq!((row.is_task, row.done, row.due), (false, None, None));
    assert_eq!(labelled_row(r#"{"r":"r1"}"#, &columns).relations[0].1, ["r1"]);
    assert_eq!(labelled_row(r#"{"title":"Deal 2"}"#, &columns).text, "Deal 2");
    assert_eq!(labelled_row("{}", &columns).text, "");
}

#[test]
fn values_that_are_already_named_are_shown_the_same_way() {
    let file = super::lines(
        r#"{"id":"a","type":"db_row","properties":{"Cost":"12","Name":"Globex","Total":"99","Sum":"5","Customers":"x","Zone":"EU"}}"#,
    );
    let rules = RowRules { derived_columns: vec!["total".into(), "sum".into()], ..RowRules::default() };
    let database = database(&["n text Name", "z text Zone", "t number Total", "r relation Customers"]);
    let row = labelled(&file.blocks[0], &database, &rules);
    assert_eq!((row.title.as_deref(), row.text.as_str()), (Some("Globex"), "Globex\nZone: EU\nCost: 12"));
    assert!(row.relations.is_empty());
}

#[test]
fn a_database_with_a_due_column_holds_tasks() {
    let columns = ["n text Name", "d date Due date", "a text Assignee", "p select Priority"];
    let row = labelled_row(r#"{"n":"A","d":"2025-06-01","a":"7","p":"o1"}"#, &columns);
    assert_eq!(
        (row.is_task, row.done, row.due.as_ref().map(|due| due.as_str())),
        (true, Some(false), Some("2025-06-01"))
    );
    assert_eq!((row.priority.as_deref(), row.assignees.join(",")), (Some("Done"), "7".to_string()));
    assert!(labelled_row("{}", &["d text deadlineOfTeam"]).is_task);
    assert!(!labelled_row("{}", &["d text Residue"]).is_task);
    let amount = labelled_row(r#"{"d":120}"#, &["d number Amount due"]);
    assert_eq!((amount.is_task, amount.due), (true, None), "a number is no date");
    assert!(labelled_row(r#"{"d":1748772000000}"#, &["d date Due"]).due.is_some());
}

#[test]
fn a_task_is_done_by_status_then_checkbox_then_date() {
    let done =
        |values: &str, columns: &[&str]| labelled_row(values, &[&["d date Due"], columns].concat()).done.unwrap();
    let all = ["s select Status", "c checkbox Done", "t date completedAt"];
    assert!(done(r#"{"s":"o1"}"#, &all));
    assert!(!done(r#"{"s":"o2","c":true,"t":"2025-06-01"}"#, &all));
    assert!(!done(r#"{"c":true}"#, &all), "a status that says nothing");
    assert!(done(r#"{"c":true}"#, &all[1..]));
    assert!(!done(r#"{"c":false,"t":"2025-06-01"}"#, &all[1..]));
    assert!(done(r#"{"t":"2025-06-01"}"#, &all[2..]));
    assert!(!done("{}", &all[2..]));
    assert!(done(r#"{"s":"Cancelled"}"#, &["s text state"]));
    assert!(!done("{}", &[]));
}

#[test]
fn what_a_line_says_of_a_task_holds() {
    let text =
        r#"{"id":"a","type":"db_row","title":"A","due":"2025-06-01","done":true,"priority":"low","assignees":["7"]}"#;
    let row = labelled(&super::lines(text).blocks[0], &database(&["n text Name"]), &RowRules::default());
    assert_eq!((row.is_task, row.done, row.priority.as_deref()), (true, Some(true), Some("low")));
    assert_eq!((row.due.as_ref().map(|due| due.as_str()), row.assignees.join(",")), (Some("2025-06-01"), "7".into()));
}

#[test]
fn many_columns_and_values_take_no_time() {
    let started = crate::text::thread_seconds();
    let mut database = database(&[]);
    let ids: Vec<String> = (0..100_000).map(|at| format!("p{at:06}")).collect();
    let property =
        |id: &String| Property { id: id.clone(), name: id.clone(), kind: "number".into(), options: Vec::new() };
    database.properties = ids.iter().map(property).collect();
    let mut row = row("{}");
    row.values = ids.iter().map(|id| (id.clone(), Value::Number("1".into()))).collect();
    assert_eq!(labelled(&row, &database, &RowRules::default()).text.lines().count(), 100_000);
    assert!(crate::text::thread_seconds() - started < 20.0);
}

#[test]
fn properties_that_cannot_be_read_are_said() {
    for bad in ["\"[{\"", "5", "{}", "[5]", "[{\"name\":\"x\"}]", "\"x\""] {
        let file = super::tree(&format!(r#""a":{{"type":"database","data":{{"name":"D","properties":{bad}}}}}"#));
        assert_eq!((file.blocks[0].properties.len(), file.troubles.len()), (0, 1), "{bad}");
        assert_eq!(file.blocks[0].text, "D");
    }
    for bad in ["\"{\"", "5", "[]", "{\"a\":{}}", "\"x\""] {
        let file = super::tree(&format!(r#""a":{{"type":"db_row","data":{{"values":{bad}}}}}"#));
        assert_eq!((file.blocks[0].values.len(), file.troubles.len()), (0, 1), "{bad}");
    }
}
