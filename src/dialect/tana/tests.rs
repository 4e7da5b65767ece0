//! What is read from the documents of a Tana export.

use super::*;
use crate::dialect::export::{Note, NoteLink};
use crate::record::Field;

/// Documents from rows of `id | owner | type | name | children`, with more of the props behind another bar.
fn docs(rows: &[&str]) -> Vec<String> {
    rows.iter().map(|row| doc(row)).collect()
}

fn doc(row: &str) -> String {
    let mut parts = row.splitn(6, '|').map(str::trim);
    let mut part = || parts.next().unwrap_or_default();
    let (id, owner, doc_type, name, children, more) = (part(), part(), part(), part(), part(), part());
    let mut props = serde_json::json!({"created": 1_770_000_000_000_u64});
    for (key, value) in [("_ownerId", owner), ("_docType", doc_type), ("name", name)] {
        if !value.is_empty() {
            props[key] = value.into();
        }
    }
    let more: serde_json::Value = serde_json::from_str(&format!("{{{more}}}")).unwrap();
    more.as_object().unwrap().iter().for_each(|(key, value)| props[key] = value.clone());
    let children: Vec<&str> = children.split_whitespace().collect();
    let mut doc =
        serde_json::json!({"id": id, "props": props, "touchCounts": [1], "modifiedTs": [1_771_545_600_000_u64]});
    if !children.is_empty() {
        doc["children"] = children.into();
    }
    doc.to_string()
}

fn store(docs: &[String]) -> String {
    format!(
        "{{\"formatVersion\":1,\"editors\":[[\"ada@lovelace.org\",0]],\"lastTxid\":1,\"workspaces\":{{}},\"docs\":[{}]}}",
        docs.join(",")
    )
}

/// A workspace with a tag, two fields and somebody to refer to.
const BASE: &[&str] = &[
    "r|||Work|r_STASH r_SCHEMA",
    "r_STASH|r||Stash|",
    "r_TRASH|r||Trash|",
    "r_SCHEMA|r||Schema|tag status owner",
    "r_USERS|r||Users|",
    "tag|r_SCHEMA|tagDef|project|",
    "status|r_SCHEMA|attrDef|Status|",
    "owner|r_SCHEMA|attrDef|Owner|",
];

fn notes_of(text: &str) -> (Vec<Note<'_>>, Vec<String>) {
    let export = read(text).unwrap_or_else(|fault| panic!("{}", fault.0));
    let troubles = export.troubles.iter().map(|trouble| format!("{}: {}", trouble.code, trouble.message));
    let troubles = troubles.collect();
    (export.notes.collect(), troubles)
}

fn with_base(rows: &[&str]) -> String {
    store(&[docs(BASE), docs(rows)].concat())
}

/// Each note below the stash, as `depth id name < parent`, with `*` for a unit and its class if it is no note.
fn drawn(rows: &[&str]) -> Vec<String> {
    let text = with_base(rows);
    let (notes, _) = notes_of(&text);
    let draw = |note: &Note| {
        let parent = note.parent.map(|at| format!(" < {}", notes[at as usize].id)).unwrap_or_default();
        let class = if note.class.word() == "note" { String::new() } else { format!(" ({})", note.class.word()) };
        format!("{} {}: {}{class}{parent}{}", note.depth, note.id, note.title, if note.unit { " *" } else { "" })
    };
    let is_own = |note: &&Note| !BASE.iter().any(|row| row.starts_with(&format!("{}|", note.id)));
    notes.iter().filter(is_own).map(draw).collect()
}

fn troubles(rows: &[&str]) -> Vec<String> {
    notes_of(&with_base(rows)).1
}

fn shown(field: &Field) -> String {
    let values: Vec<String> = field
        .values
        .iter()
        .map(|value| {
            let id = value.reference.as_ref().map(|id| format!("={}", id.as_str().rsplit(' ').next().unwrap()));
            let date = value.date.as_ref().map(|date| format!("@{date}"));
            format!("{}{}{}", value.as_str(), id.unwrap_or_default(), date.unwrap_or_default())
        })
        .collect();
    format!("{}:: {}", field.name, values.join(", "))
}

/// The fields of a note.
fn fields(id: &str, rows: &[&str]) -> Vec<String> {
    let text = with_base(rows);
    let (notes, _) = notes_of(&text);
    notes.iter().find(|note| note.id == id).unwrap().fields.iter().map(shown).collect()
}

/// What a note refers to, with the text at the place of each reference.
fn links(id: &str, rows: &[&str]) -> Vec<String> {
    let text = with_base(rows);
    let (notes, _) = notes_of(&text);
    let draw = |link: &NoteLink| {
        let receiver = link.receiver.as_ref().map(|field| format!(" in {field}")).unwrap_or_default();
        assert_eq!(&text[link.span.start as usize - 1..][..1].replace(['"', ';', '^'], "\""), "\"", "{link:?}");
        format!("{} {}{receiver}", link.role.name(), link.target)
    };
    notes.iter().find(|note| note.id == id).unwrap().links.iter().map(draw).collect()
}

const DATE: &str = "<span data-inlineref-date=\"{&quot;dateTimeString&quot;:&quot;2026-03-01&quot;}\"></span>";

/// The rows of a note `p` with one field, whose values are given.
fn field_rows(values: &str, rows: &[&'static str]) -> Vec<String> {
    let tuple = format!("t|p|tuple||status {values}");
    let mut all = vec!["p|r_STASH||Defender|t".to_string(), tuple];
    all.extend(rows.iter().map(|row| row.to_string()));
    all
}

fn status(values: &str, rows: &[&'static str]) -> Vec<String> {
    let rows = field_rows(values, rows);
    fields("p", &rows.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn an_outline_with_units() {
    let rows = [
        "p|r_STASH||Defender|a b c",
        "a|p||first|d",
        "b|p||entity||\"_flags\":3",
        "c|p||tagged||\"_metaNodeId\":\"m\"",
        "m|c|metanode||mt",
        "mt|m|tuple||SYS_A13 tag",
        "d|a||deep|",
        "s|a|search|found|b",
        "j|r_STASH|journal|Calendar|day",
        "day|j|journalPart|2026-02-20 - Friday|x",
        "x|day||line|",
        "lost|nowhere||lost|",
    ];
    assert_eq!(
        drawn(&rows),
        [
            "2 j: Calendar (container) < r_STASH *",
            "3 day: 2026-02-20 - Friday < j *",
            "4 x: line < day",
            "2 p: Defender < r_STASH *",
            "3 a: first < p",
            "4 d: deep < a",
            "4 s: found < a *",
            "3 b: entity < p *",
            "3 c: tagged < p *",
            "0 lost: lost *",
        ]
    );
    assert_eq!(links("s", &rows), ["link b in search"]);
    assert_eq!(links("c", &rows), ["tag tag"]);
    assert_eq!(troubles(&rows), ["itemData: 1 note without a parent"]);
}

#[test]
fn tana_itself_and_its_settings_are_no_notes() {
    let rows = [
        "p|r_STASH||Defender|v",
        "v|p|viewDef||",
        "in_view|v||inside a view|",
        "m|p|metanode||mt",
        "mt|m|tuple||SYS_A11 red",
        "red|mt||#ff0000|",
        "named|p||named as metadata|",
        "q|r_STASH||||\"_metaNodeId\":\"named\"",
        "SYS_X1|p||system|",
        "r_QUICK_ADD|r||Quick add|qa",
        "qa|r_QUICK_ADD||draft|",
        "user|r_USERS||ada@lovelace.org|",
        "opt|status||Active|",
    ];
    assert_eq!(drawn(&rows), ["2 p: Defender < r_STASH *", "2 q: (untitled) < r_STASH *"]);
}

#[test]
fn field_values_of_every_kind() {
    let own = |name: &'static str| -> &'static str { Box::leak(format!("v|t||{name}|").into_boxed_str()) };
    assert_eq!(status("v", &[own("Active")]), ["Status:: Active"]);
    assert_eq!(status("ada", &["ada|r_STASH||Ada|"]), ["Status:: Ada=`ada`."]);
    let reference = own("<span data-inlineref-node=\"ada\"></span>");
    assert_eq!(status("v", &[reference, "ada|r_STASH||Ada|"]), ["Status:: Ada=`ada`."]);
    assert_eq!(status("v", &[own(DATE)]), ["Status:: 2026-03-01@2026-03-01"]);
    assert_eq!(status("opt", &["opt|status||Active|"]), ["Status:: Active"]);
    assert_eq!(status("user", &["user|r_USERS||ada@lovelace_org|"]), ["Status:: ada"]);
    assert_eq!(status("SYS_V03", &[]), ["Status:: yes"]);
    assert_eq!(status("SYS_V04", &[]), ["Status:: no"]);
    assert_eq!(status("v w", &[own("one"), "w|t||two|"]), ["Status:: one, two"]);
    assert_eq!(status("v", &[own("")]), Vec::<String>::new());
    assert_eq!(status("", &[]), Vec::<String>::new());
    assert_eq!(status("unknown", &[]), Vec::<String>::new());
    let tree = ["v|t||with more|w", "w|v||below|"];
    assert_eq!(status("v", &tree), ["Status:: with more=`v`."]);
    let partly = own("met <span data-inlineref-node=\"ada\"></span>");
    assert_eq!(status("v", &[partly, "ada|r_STASH||Ada|"]), ["Status:: met [[Ada]]"]);
}

#[test]
fn fields_lead_to_notes() {
    let of = |values: &str, rows: &[&'static str]| {
        let rows = field_rows(values, rows);
        links("p", &rows.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(of("ada", &["ada|r_STASH||Ada|"]), ["field ada in Status"]);
    let inline = "v|t||<span data-inlineref-node=\"ada\"></span>|";
    assert_eq!(of("v", &[inline, "ada|r_STASH||Ada|"]), ["field ada in Status"]);
    let partly = "v|t||met [[Ada^ada]]|";
    assert_eq!(of("v", &[partly, "ada|r_STASH||Ada|"]), ["link ada"]);
    let own = ["v|t||with more|w", "w|v||below|"];
    assert_eq!(of("v", &own), ["field v in Status"]);
    let rows = field_rows("v", &own);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(drawn(&rows), ["2 p: Defender < r_STASH *", "3 v: with more < p", "4 w: below < v"]);
}

#[test]
fn a_folded_value_is_another_name_of_its_holder() {
    let rows = ["p|r_STASH||Defender|t", "t|p|tuple||status v", "v|t||Active|", "q|r_STASH||see [[it^v]]|v"];
    let text = with_base(&rows);
    let (notes, _) = notes_of(&text);
    assert_eq!(notes.iter().find(|note| note.id == "p").unwrap().aliases, ["id:v"]);
    assert_eq!(links("q", &rows), ["link p", "link p"]);
    assert_eq!(notes.iter().find(|note| note.id == "q").unwrap().title, "see [[Active]]");
}

#[test]
fn labels_of_fields() {
    let rows = [
        "p|r_STASH||Defender|t1 t2 t3 t4 t5",
        "t1|p|tuple||SYS_A61 v1",
        "v1|t1||2026-03-01|",
        "t2|p|tuple||SYS_A12 SYS_V03",
        "t3|p|tuple||plain v3",
        "plain|r_STASH||Mood|",
        "v3|t3||good|",
        "t4|p|tuple||status v4",
        "v4|t4||Active|",
        "t5|p|tuple||status v5",
        "v5|t5||Late|",
    ];
    assert_eq!(fields("p", &rows), ["Due date:: 2026-03-01", "Mood:: good", "Status:: Active, Late"]);
}

#[test]
fn a_due_date_is_found_by_its_field() {
    let rows = ["p|r_STASH||Defender|t1".to_string(), "t1|p|tuple||SYS_A61 v1".to_string(), format!("v1|t1||{DATE}|")];
    let text = with_base(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let (notes, _) = notes_of(&text);
    let note = notes.iter().find(|note| note.id == "p").unwrap();
    assert_eq!(note.due.as_ref().map(|date| date.as_str()), Some("2026-03-01"));
}

#[test]
fn a_tuple_without_a_label_holds_children() {
    let mut rows = vec!["p|r_STASH||Defender|t".to_string()];
    let children: Vec<String> = (0..60).map(|at| format!("c{at:02}")).collect();
    rows.push(format!("t|p|tuple||{} other", children.join(" ")));
    rows.extend(children.iter().map(|id| format!("{id}|t||line {id}|")));
    rows.push("other|r_STASH||Other|".to_string());
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let drawn = drawn(&rows);
    assert_eq!((drawn.len(), drawn[2].as_str()), (62, "3 c00: line c00 < p"));
    assert_eq!(links("p", &rows), ["link other"]);
    assert_eq!(fields("p", &rows), Vec::<String>::new());
    let pasted = ["p|r_STASH||Defender|t", "t|p|tuple||a b", "a|t|||", "b|t||two|"];
    let pasted: Vec<String> =
        pasted.iter().map(|row| row.replace("a|t|||", "a|t||  - one||\"name\":\"  - one\"")).collect();
    let pasted: Vec<&str> = pasted.iter().map(String::as_str).collect();
    assert_eq!(self::drawn(&pasted)[1..], ["3 a: - one < p", "3 b: two < p"]);
}

#[test]
fn a_tuple_in_a_tuple_is_a_field_of_the_same_note() {
    let rows = ["p|r_STASH||Defender|t", "t|p|tuple||status v u", "v|t||Active|", "u|t|tuple||owner w", "w|u||Ada|"];
    assert_eq!(fields("p", &rows), ["Status:: Active", "Owner:: Ada"]);
    assert_eq!(drawn(&rows), ["2 p: Defender < r_STASH *"]);
}

#[test]
fn fields_of_a_tag_are_templates() {
    let rows = ["tt|tag|tuple||status v", "v|tt||Backlog|", "p|r_STASH||Defender|"];
    let text = with_base(&rows);
    let (notes, _) = notes_of(&text);
    let tag = notes.iter().find(|note| note.id == "tag").unwrap();
    assert!(tag.fields.is_empty());
    assert_eq!(drawn(&rows), ["2 p: Defender < r_STASH *"]);
}

#[test]
fn tags_extend_tags_and_base_types() {
    let rows = [
        "p|r_STASH||Defender|",
        "big|r_SCHEMA|tagDef|big project|",
        "bm|big|metanode||bt",
        "bt|bm|tuple||SYS_A13 SYS_T01 tag SYS_T98 SYS_T01",
        "fm|p|metanode||ft",
        "ft|fm|tuple||SYS_A13 SYS_T02 tag",
    ];
    let text = with_base(&rows);
    let (notes, _) = notes_of(&text);
    let big = notes.iter().find(|note| note.id == "big").unwrap();
    assert_eq!((big.class.word(), big.tags.as_slice()), ("tag", &["project".to_string(), "meeting".to_string()][..]));
    assert_eq!(links("big", &rows), ["tag tag", "tag meeting"]);
    assert!(links("p", &rows).is_empty(), "a definition is no tag of a note");
}

#[test]
fn two_tags_of_one_name_stay_two_and_a_trashed_one_is_gone() {
    let rows = [
        "p|r_STASH||Defender|",
        "tag2|r_SCHEMA|tagDef|project|",
        "tag3|r_TRASH|tagDef|project|",
        "status2|r_SCHEMA|attrDef|Status|",
        "m|p|metanode||mt",
        "mt|m|tuple||SYS_A13 tag tag2 tag3 tag",
        "t1|p|tuple||status v1",
        "v1|t1||one|",
        "t2|p|tuple||status2 v2",
        "v2|t2||two|",
    ];
    let text = with_base(&rows);
    let (notes, _) = notes_of(&text);
    let note = notes.iter().find(|note| note.id == "p").unwrap();
    assert_eq!(note.tags, ["project", "project"]);
    assert_eq!(links("p", &rows), ["tag tag", "tag tag2"]);
    assert_eq!(fields("p", &rows), ["Status:: one", "Status:: two"]);
}

#[test]
fn null_names_are_shown_and_break_nothing() {
    let rows = [
        "p|r_STASH|||c t".to_string(),
        "c|p||||".to_string(),
        "nt|r_SCHEMA|tagDef|||".to_string(),
        "nf|r_SCHEMA|attrDef|||".to_string(),
        "m|p|metanode||mt".to_string(),
        "mt|m|tuple||SYS_A13 nt".to_string(),
        "t|p|tuple||nf v w q".to_string(),
        "v|t||||".to_string(),
        "w|t||x|".to_string(),
        "q|r_STASH||||".to_string(),
        "z|r_STASH||to <span data-inlineref-node=\"q\"></span>||\"description\":null".to_string(),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(fields("p", &rows), ["(untitled):: x, (untitled)=`q`."]);
    let text = with_base(&rows);
    let (notes, _) = notes_of(&text);
    let note = |id: &str| notes.iter().find(|note| note.id == id).unwrap();
    assert_eq!((note("p").title.as_str(), note("p").name.as_str()), ("(untitled)", ""));
    assert_eq!(note("p").tags, ["(untitled)"]);
    assert_eq!(note("z").title, "to [[(untitled)]]");
    assert_eq!(note("c").parent.map(|at| notes[at as usize].id.to_string()), Some("p".to_string()));
}

#[test]
fn the_trash_takes_all_below_it() {
    let rows = [
        "p|r_STASH||see <span data-inlineref-node=\"deep\"></span> and [[T^gone]]|gone t",
        "gone|r_TRASH||secret plan|deep",
        "deep|gone||secret detail|",
        "gt|gone|tuple||status gv",
        "gv|gt||secret value|",
        "t|p|tuple||owner gone",
        "tag9|gone|tagDef|secret tag|",
        "m|p|metanode||mt",
        "mt|m|tuple||SYS_A13 tag9",
    ];
    let text = with_base(&rows);
    let (notes, troubles) = notes_of(&text);
    assert_eq!(troubles, ["itemData: 4 trashed notes left out"]);
    assert!(!format!("{notes:?}").contains("secret"));
    assert_eq!(drawn(&rows), ["2 p: see [[deep]] and [[T]] < r_STASH *"]);
    assert!(links("p", &rows).is_empty());
}

#[test]
fn modified_decides_and_may_be_written_in_many_ways() {
    let with = |modified: &str| {
        let doc = format!("{{\"id\":\"a\",\"props\":{{\"name\":\"A\",\"created\":1770000000000}}{modified}}}");
        let text = store(&[doc]);
        let (notes, troubles) = notes_of(&text);
        let date = |date: &Option<crate::record::Date>| date.as_ref().map_or("-".to_string(), |date| date.to_string());
        (date(&notes[0].created), date(&notes[0].modified), troubles.len())
    };
    let created = "2026-02-02T02:40:00Z".to_string();
    let modified = "2026-02-20T00:00:00Z".to_string();
    for written in ["[0, 1771545600000]", "\"[1771545600000]\"", "1771545600000", "[1771545600000, 5]"] {
        assert_eq!(with(&format!(",\"modifiedTs\":{written}")), (created.clone(), modified.clone(), 1), "{written}");
    }
    for missing in ["", ",\"modifiedTs\":null", ",\"modifiedTs\":[]", ",\"modifiedTs\":[0]", ",\"modifiedTs\":{}"] {
        assert_eq!(with(missing), (created.clone(), created.clone(), 1), "{missing}");
    }
    assert_eq!(with(",\"modifiedTs\":[9e99]").2, 1, "a number that is none is not counted");
    assert_eq!(with(",\"modifiedTs\":[9000000000000000000]"), (created.clone(), created.clone(), 2));
}

#[test]
fn seconds_and_nanoseconds_give_one_date() {
    for number in ["1771545600", "1771545600000", "1771545600000000", "1771545600000000000"] {
        let text = store(&[format!("{{\"id\":\"a\",\"props\":{{\"created\":{number}}}}}")]);
        let (notes, _) = notes_of(&text);
        assert_eq!(notes[0].created.as_ref().unwrap().as_str(), "2026-02-20T00:00:00Z", "{number}");
    }
}

#[test]
fn the_order_of_documents_says_nothing() {
    let rows = [
        "p|r_STASH||Defender|t a b",
        "t|p|tuple||status v",
        "v|t||Active|",
        "a|p||first|",
        "b|p||second <span data-inlineref-node=\"a\"></span>|",
        "u1|p||unlisted one|",
        "u2|p||unlisted two|",
        "x|y||loop|",
        "y|z||loop|",
        "z|x||loop|",
        "o|||orphan|",
    ];
    let mut all = [docs(BASE), docs(&rows)].concat();
    let read = |all: &[String]| {
        let text = store(all);
        let (notes, troubles) = notes_of(&text);
        let plain = |note: &Note| {
            let links: Vec<_> = note.links.iter().map(|link| (link.role, link.target.clone())).collect();
            let Note { id, title, parent, depth, unit, fields, aliases, .. } = note;
            format!("{id} {title} {parent:?} {depth} {unit} {fields:?} {aliases:?} {links:?}")
        };
        (notes.iter().map(plain).collect::<Vec<_>>(), troubles)
    };
    let first = read(&all);
    all.reverse();
    assert_eq!(read(&all), first);
    for step in [3, 7] {
        all = (0..all.len()).map(|at| all[at * step % all.len()].clone()).collect();
        assert_eq!(read(&all), first, "{step}");
    }
}

#[test]
fn what_is_in_a_tuple_of_nobody_has_no_parent() {
    let rows = ["a|||A|", "t||tuple||x y", "x|t||X|", "y|t||Y|", "z|y||Z|"];
    assert_eq!(drawn(&rows), ["0 a: A *", "0 x: X *", "0 y: Y *", "1 z: Z < y"]);
    assert_eq!(troubles(&rows), ["itemData: 3 notes without a parent"]);
}

#[test]
fn loops_of_owners_are_cut_and_told() {
    let rows = ["b|c||B|", "c|a||C|", "a|b||A|", "self|self||Self|"];
    assert_eq!(drawn(&rows), ["0 a: A *", "1 c: C < a", "2 b: B < c", "0 self: Self *"]);
    assert_eq!(
        troubles(&rows),
        [
            "itemParent: the owners of `a` form a loop; its own is left out",
            "itemParent: the owners of `self` form a loop; its own is left out",
            "itemData: 2 notes without a parent",
        ]
    );
}

#[test]
fn a_merged_note_is_another_id_of_the_other() {
    let rows = [
        "p|r_STASH||Defender|",
        "old|r_STASH||Old name|oc",
        "oc|old||child of old|",
        "m|old|metanode||mt",
        "mt|m|tuple||SYS_A84 p",
        "q|r_STASH||see [[x^old]]|",
    ];
    assert_eq!(
        drawn(&rows),
        ["2 p: Defender < r_STASH *", "3 oc: child of old < p", "2 q: see [[Old name]] < r_STASH *"]
    );
    let text = with_base(&rows);
    let (notes, _) = notes_of(&text);
    assert_eq!(notes.iter().find(|note| note.id == "p").unwrap().aliases, ["id:old"]);
    assert_eq!(links("q", &rows), ["link p"]);
}

#[test]
fn a_code_block_is_a_fence() {
    let rows = [
        "p|r_STASH||Defender|code".to_string(),
        "code|p|codeblock|x||\"name\":\"if a &lt; b:\\n    print(\\\"<i>\\\")\\n\"".to_string(),
        "t|code|tuple||SYS_A70 lang".to_string(),
        "lang|t||python|".to_string(),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let text = with_base(&rows);
    let (notes, _) = notes_of(&text);
    let code = notes.iter().find(|note| note.id == "code").unwrap();
    assert_eq!(code.name, "```python\nif a < b:\n    print(\"<i>\")\n```");
    assert_eq!((code.title.as_str(), code.note_type.as_deref()), ("if a < b: print(\"<i>\")", Some("codeblock")));
    assert!(code.fields.is_empty());
}

#[test]
fn names_in_names_end_at_the_third() {
    let span = |id: &str| format!("<span data-inlineref-node=\\\"{id}\\\"></span>");
    let rows: Vec<String> = (0..6)
        .map(|at| format!("n{at}|r_STASH||x||\"name\":\"{at} {}\"", span(&format!("n{}", (at + 1) % 6))))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert!(drawn(&rows)[0].contains("n0: 0 [[1 [[2 [[3 [[n4]]]]]]]]"), "{:?}", drawn(&rows)[0]);
    assert_eq!(links("n0", &rows), ["link n1"]);
}

#[test]
fn dates_lead_to_the_day_of_the_journal() {
    let day = "<span data-inlineref-date=\\\"{&quot;dateTimeString&quot;:&quot;2026-02-20T10:00&quot;}\\\"></span>";
    let journal = "<span data-inlineref-date=\\\"{&quot;dateTimeString&quot;:&quot;2026-02-20&quot;}\\\"></span>";
    let rows = [
        "j|r_STASH|journal|Calendar|day".to_string(),
        "day|j|journalPart|Fri, Feb 20|".to_string(),
        "dm|day|metanode||dt".to_string(),
        "dt|dm|tuple||SYS_A169 dv".to_string(),
        format!("dv|dt||x||\"name\":\"{journal}\""),
        format!("p|r_STASH||x||\"name\":\"Call at {day}\""),
    ];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(drawn(&rows)[2], "2 p: Call at 2026-02-20T10:00 < r_STASH *");
    assert_eq!(links("p", &rows), ["link day"]);
}

#[test]
fn a_source_in_the_metadata_is_a_field() {
    let rows = [
        "p|r_STASH||Defender|",
        "m|p|metanode||mt",
        "mt|m|tuple||SYS_A199 script",
        "script|r_STASH|transcript|What was said|",
    ];
    assert_eq!(fields("p", &rows), ["Source material:: What was said=`script`."]);
    assert_eq!(links("p", &rows), ["field script in Source material"]);
}

#[test]
fn an_export_in_any_shape_gives_the_same_notes() {
    let docs = [docs(BASE), docs(&["p|r_STASH||Defender|"])].concat();
    let plain = store(&docs);
    let wrapped = format!("{{\"other\":[{{}}],\"storeData\":{plain}}}");
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(&plain).unwrap()).unwrap();
    let first = format!("{{\"docs\":[{}],\"editors\":[[\"ada@lovelace.org\",0]],\"formatVersion\":1}}", docs.join(","));
    let read = |text: &str| {
        let export = super::read(text).unwrap();
        let id = export.workspace.symbol_id("x").to_string();
        let notes: Vec<Note> = export.notes.collect();
        assert!(!format!("{notes:?}{:?}", export.troubles).contains("lovelace"), "editors are never read");
        notes.iter().for_each(|note| assert_eq!(note.id_span.text(text), note.id));
        notes.iter().for_each(|note| assert!(note.span.text(text).starts_with('{')));
        (id, notes.iter().map(|note| note.title.clone()).collect::<Vec<_>>())
    };
    let same = read(&plain);
    assert_eq!(same.0, "scip:contextpack tana r . `x`.");
    assert_eq!(same.1, ["Work", "Stash", "Defender", "Schema", "project"]);
    assert_eq!([read(&wrapped), read(&pretty), read(&first)], [same.clone(), same.clone(), same]);
}

#[test]
fn what_is_not_whole_is_no_export() {
    let whole = store(&docs(BASE));
    for bad in [&whole[..whole.len() - 1], &whole[..200], "", "{}", "{\"docs\":{}}", "[]", &format!("{whole}x")] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn bad_documents_are_told_and_the_rest_is_read() {
    let rows = [
        "{\"props\":{}}",
        "{\"id\":7}",
        "[]",
        "null",
        "{\"id\":\"\"}",
        "{\"id\":\"p\",\"props\":null,\"children\":{\"a\":1}}",
        "{\"id\":\"p\",\"props\":{\"name\":\"again\"}}",
        "{\"id\":\"q\",\"props\":{\"name\":7,\"_ownerId\":[],\"created\":\"soon\",\"_flags\":1e999},\"children\":[1,\"zz\",null]}",
        "{\"id\":\"h\",\"props\":{\"name\":\"half \\ud83d\",\"created\":99999999999999999999999999999999999999999999999999}}",
    ];
    let text = store(&rows.map(str::to_string));
    let (notes, troubles) = notes_of(&text);
    assert_eq!(notes.iter().map(|note| note.id.to_string()).collect::<Vec<_>>(), ["h", "p", "q"]);
    assert_eq!(notes[0].title, "half \u{fffd}");
    let count = |start: &str| troubles.iter().filter(|trouble| trouble.starts_with(start)).count();
    assert_eq!(count("itemData: a document without an id"), 5);
    assert_eq!(count("itemDuplicate: "), 1);
    assert_eq!(count("itemData: 1 id among children"), 1);
}

#[test]
fn hostile_exports_take_linear_time() {
    let chain: Vec<String> = (0..100_000).map(|at| doc(&format!("n{at}|n{}||x|", at + 1))).collect();
    assert_eq!(notes_of(&store(&chain)).0.len(), 100_000);
    let tuples: Vec<String> = (0..100_000).map(|at| doc(&format!("n{at}|n{}|tuple||status x", at + 1))).collect();
    assert_eq!(notes_of(&store(&tuples)).0.len(), 0);
    let deep = format!("{{\"id\":\"a\",\"props\":{{\"x\":{}{}}}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(notes_of(&store(&[deep])).0.len(), 1);
    let ids: Vec<String> = (0..100_000).map(|at| format!("v{at}")).collect();
    let wide = [doc("p|||Wide|t"), doc(&format!("t|p|tuple||status {}", ids.join(" "))), doc("status||attrDef|S|")];
    let values: Vec<String> = ids.iter().map(|id| doc(&format!("{id}|t||x|"))).collect();
    let text = store(&[wide.to_vec(), values].concat());
    let (notes, _) = notes_of(&text);
    assert_eq!((notes.len(), notes[0].fields[0].values.len(), notes[0].aliases.len()), (1, 100_000, 100_000));
}
