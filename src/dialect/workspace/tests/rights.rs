use super::super::*;
use super::codes;
use crate::record::ProblemCode;

fn grants(metadata: &str) -> (Vec<Grant>, Vec<ProblemCode>) {
    let file = super::tree(&format!(r#""a":{{"type":"page","metadata":{metadata}}}"#));
    (file.blocks[0].grants.clone(), codes(&file))
}

fn grant(read: &[&str], replaces: bool) -> Grant {
    Grant { read: read.iter().map(|principal| principal.to_string()).collect(), replaces }
}

#[test]
fn metadata_say_who_may_read_a_block() {
    for (metadata, wanted) in [
        (r#"{"permissions":{"read":["user:1","team:a"],"canEdit":true}}"#, Some(grant(&["user:1", "team:a"], false))),
        (r#"{"permissions":["public"]}"#, Some(grant(&["public"], false))),
        (r#"{"permissions":{"read":[],"mode":"replace"}}"#, Some(grant(&[], true))),
        (r#"{"permissions":{"read":["public"],"mode":"narrow"}}"#, Some(grant(&["public"], false))),
        (r#"{"permissions":{"canEdit":true,"canDelete":[]}}"#, None),
        (r#"{"permissions":{"read":null,"mode":"replace"}}"#, None),
        (r#"{"permissions":null}"#, None),
        ("{}", None),
        ("[]", None),
        ("null", None),
    ] {
        assert_eq!(grants(metadata), (wanted.into_iter().collect(), Vec::new()), "{metadata}");
    }
}

#[test]
fn rights_of_a_block_that_cannot_be_read_admit_nobody() {
    for metadata in [
        "5",
        "\"public\"",
        "[1]",
        r#"{"permissions":"public"}"#,
        r#"{"permissions":{"read":"public"}}"#,
        r#"{"permissions":{"read":{"public":true}}}"#,
    ] {
        assert_eq!(grants(metadata), (vec![Grant::default()], vec![ProblemCode::Permission]), "{metadata}");
    }
    let written = r#"{"permissions":["Public","user:a b",7,"user:1"]}"#;
    let wanted = (vec![grant(&["Public", "user:a b", "7", "user:1"], false)], vec![ProblemCode::Permission; 3]);
    assert_eq!(grants(written), wanted);
    let mode = r#"{"permissions":{"read":["user:1"],"mode":"Replace"}}"#;
    assert_eq!(grants(mode), (vec![grant(&["user:1"], false)], vec![ProblemCode::Permission]));
}

#[test]
fn permissions_are_grants_and_defaults() {
    let text = "\u{feff}{\"block\":\"a\",\"read\":[\"user:1\"]}\r\n\r\n{\"read\":[],\"mode\":\"replace\",\"block\":7}\n\
        {\"default\":[\"workspace:w\",\"everyone\"]}\n{\"default\":[]}\n{\"block\":\"a\",\"read\":[\"public\"],\"mode\":\"narrow\"}";
    let file = read(SourceKind::Permissions, text).unwrap();
    let found: Vec<_> = file.grants.iter().map(|given| (given.block.as_str(), given.grant.clone())).collect();
    assert_eq!(found, [("a", grant(&["user:1"], false)), ("7", grant(&[], true)), ("a", grant(&["public"], false))]);
    assert_eq!(file.default_grants, [grant(&["workspace:w", "everyone"], false), grant(&[], false)]);
    assert_eq!(codes(&file), [ProblemCode::Permission]);
    assert_eq!(file.grants[1].span.text(text), "{\"read\":[],\"mode\":\"replace\",\"block\":7}");
    assert!(read(SourceKind::Permissions, " \n\n").unwrap().grants.is_empty());
}

#[test]
fn one_bad_line_fails_all_permissions() {
    for bad in [
        "x",
        "{",
        "{}",
        "\0",
        "null",
        "[]",
        r#"{"block":"a"}"#,
        r#"{"read":[]}"#,
        r#"{"block":"","read":[]}"#,
        r#"{"block":null,"read":[]}"#,
        r#"{"block":"a","read":"public"}"#,
        r#"{"block":"a","read":[5]}"#,
        r#"{"block":"a","read":[null]}"#,
        r#"{"block":"a","read":[],"mode":"wider"}"#,
        r#"{"block":"a","read":[],"mode":5}"#,
        r#"{"block":"a","read":[],"note":"x"}"#,
        r#"{"block":"a","read":[],"read":["public"]}"#,
        r#"{"block":"a","read":[],"\u0072ead":["public"]}"#,
        r#"{"default":"public"}"#,
        r#"{"default":null}"#,
        r#"{"default":[],"mode":"replace"}"#,
        r#"{"default":[],"block":"a","read":[]}"#,
        r#"{"block":"a","read":["public"]} {}"#,
    ] {
        let text = format!("{{\"block\":\"a\",\"read\":[]}}\n\n{bad}\n{{\"default\":[]}}");
        let fault = read(SourceKind::Permissions, &text).unwrap_err();
        assert!(fault.0.starts_with("line 3 "), "{bad}: {}", fault.0);
    }
}

#[test]
fn members_are_read_or_the_file_fails() {
    let text = "{\"user\":\"7\",\"teams\":[\"ops\",5],\"workspaces\":[\"acme\"]}\n{\"user\":8}\n{\"user\":\"a b\"}";
    let file = read(SourceKind::Members, text).unwrap();
    let found: Vec<_> =
        file.members.iter().map(|it| (it.user.as_str(), it.teams.join(","), it.workspaces.join(","))).collect();
    let member = |user, teams: &str, workspaces: &str| (user, teams.to_string(), workspaces.to_string());
    assert_eq!(found, [member("7", "ops,5", "acme"), member("8", "", ""), member("a b", "", "")]);
    assert_eq!(codes(&file), [ProblemCode::Permission]);
    for bad in [
        "{}",
        "{\"user\":null}",
        "{\"user\":\"7\",\"teams\":\"ops\"}",
        "{\"user\":\"7\",\"teams\":[[]]}",
        "{\"user\":\"7\",\"admin\":true}",
        "{\"user\":\"7\",\"user\":\"8\"}",
        "7",
    ] {
        assert!(read(SourceKind::Members, bad).is_err(), "{bad}");
    }
}

/// Of two values a reader could take either.
#[test]
fn a_key_that_stands_twice_opens_a_block_to_nobody() {
    for line in [
        r#"{"id":"a","type":"page","read":["user:2"],"read":["user:1"]}"#,
        r#"{"id":"a","type":"page","read":["user:1"],"readMode":"narrow","readMode":"replace"}"#,
        r#"{"id":"a","type":"page","parent":"x","parent":"y","read":["user:1"]}"#,
        r#"{"id":"b","id":"a","type":"page","read":["user:1"]}"#,
        r#"{"id":"a","type":"page","read":["user:1"],"\u0072ead":null}"#,
    ] {
        let file = read(SourceKind::Blocks, line).unwrap();
        assert!(file.blocks[0].grants.contains(&Grant::default()), "{line}");
        assert!(codes(&file).contains(&ProblemCode::Permission), "{line}");
    }
    for block in [
        r#"{"type":"page","metadata":{"permissions":["user:2"]},"metadata":{"permissions":["user:1"]}}"#,
        r#"{"type":"page","metadata":{"permissions":["user:2"],"permissions":["user:1"]}}"#,
        r#"{"type":"page","metadata":{"permissions":{"read":["user:2"],"read":["user:1"]}}}"#,
        r#"{"type":"page","metadata":{"permissions":{"read":["user:1"],"mode":"narrow","mode":"replace"}}}"#,
        r#"{"type":"page","parentId":"x","parentId":null,"metadata":{"permissions":["user:1"]}}"#,
    ] {
        let file = super::tree(&format!("\"a\":{block}"));
        assert!(file.blocks[0].grants.contains(&Grant::default()), "{block}");
        assert!(codes(&file).contains(&ProblemCode::Permission), "{block}");
    }
}
