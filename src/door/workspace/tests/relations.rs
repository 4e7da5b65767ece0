//! What is linked with the focus.

use super::{entry, found, priors};
use crate::record::workspace::LeftOut;
use crate::record::workspace::PayloadPart::{Focus, Relations};

fn edges(blocks: &str, request: &str, id: &str) -> Vec<String> {
    entry(&found(blocks, request), id).why.clone().unwrap().edges
}

const LINKS: &str = r#"
    {"id":"d1","type":"db_row","title":"Deal","relations":{"Customer":["c1"]},"links":[{"to":"ref"}]}
    {"id":"c1","type":"db_row","title":"Globex"}
    {"id":"c2","type":"db_row","title":"Umbrella","relations":{"Owner":["c1"]}}
    {"id":"ref","type":"page","title":"Reference"}
    {"id":"back","type":"page","title":"Backward"}
    {"id":"bt","type":"text","parent":"back","text":"See [[Deal]]"}
    {"id":"far","type":"db_row","title":"Far","relations":{"Owner":["c2"]}}"#;

#[test]
fn links_lead_two_steps_far() {
    let found = found(LINKS, r#"{"focus":{"blockId":"d1"}}"#);
    assert_eq!(priors(&found, Relations), "bt 0.65, c1 0.75, c2 0.6, ref 0.7");
    assert_eq!(edges(LINKS, r#"{"focus":{"blockId":"d1"}}"#, "c2"), ["relation Customer", "relation Owner"]);
    assert_eq!(edges(LINKS, r#"{"focus":{"blockId":"d1"}}"#, "bt"), ["mention"]);
    let near = super::found(LINKS, r#"{"focus":{"blockId":"d1"},"hints":{"maxDepth":1}}"#);
    assert_eq!(priors(&near, Relations), "bt 0.65, c1 0.75, ref 0.7");
}

#[test]
fn without_a_focus_nothing_is_linked() {
    assert!(priors(&found(LINKS, r#"{"query":"deal"}"#), Relations).is_empty());
}

#[test]
fn what_the_parts_of_a_unit_name_is_linked_with_it() {
    let blocks = r#"
        {"id":"k","type":"kanban_card","title":"Card"}
        {"id":"t","type":"todo","parent":"k","text":"Ask [[Globex]]"}
        {"id":"g","type":"page","title":"Globex"}
        {"id":"l","type":"list"}
        {"id":"i","type":"list_item","parent":"l","text":"[[Card]] is large"}"#;
    assert_eq!(priors(&found(blocks, r#"{"focus":{"blockId":"k"}}"#), Relations), "g 0.7, l 0.65");
}

#[test]
fn a_page_is_linked_with_what_its_units_name() {
    let blocks = r#"
        {"id":"p","type":"page","title":"Plan"}
        {"id":"t","type":"text","parent":"p","order":1,"text":"See [[Launch]] and [[Plan]]"}
        {"id":"u","type":"text","parent":"p","order":2,"text":"no link"}
        {"id":"l","type":"page","title":"Launch"}"#;
    let found = found(blocks, r#"{"focus":{"pageId":"p"}}"#);
    assert_eq!(priors(&found, Relations), "l 0.7");
    assert_eq!(priors(&found, Focus), "p 0.95, t 0.85, u 0.85", "what the focus shows stays there");
}

#[test]
fn a_title_that_several_pages_have_leads_to_all_that_can_be_read() {
    let blocks = r#"
        {"id":"t","type":"text","text":"See [[Notes]]"}
        {"id":"n1","type":"page","title":"Notes","read":["user:2"]}
        {"id":"n2","type":"page","title":"notes"}
        {"id":"n3","type":"page","title":"Notes"}
        {"id":"n4","type":"page","title":"Other","data":{"aliases":["Notes"]}}"#;
    assert_eq!(priors(&found(blocks, r#"{"focus":{"blockId":"t"}}"#), Relations), "n2 0.7, n3 0.7");
}

#[test]
fn ten_are_taken_by_prior_and_date_and_id() {
    let row = |at: usize| {
        let date = if at == 11 { r#","updatedAt":"2025-06-01""# } else { "" };
        format!(
            "{{\"id\":\"r{at:02}\",\"type\":\"db_row\",\"title\":\"Row {at}\",\"relations\":{{\"To\":[\"d\"]}}{date}}}\n"
        )
    };
    let rows: String = (0..12).map(row).collect();
    let blocks = format!("{}\n{rows}", r#"{"id":"d","type":"db_row","title":"Deal"}"#);
    let found = found(&blocks, r#"{"focus":{"blockId":"d"}}"#);
    let expected: Vec<String> = (0..9).chain([11]).map(|at| format!("r{at:02} 0.75")).collect();
    assert_eq!(priors(&found, Relations), expected.join(", "));
    assert_eq!(found.parts[&Relations].left_out[&LeftOut::Limit], 2);
}
