//! Every language's table and query hold together; what they find is shown by `golden/`.

use super::*;

#[test]
fn every_query_fits_its_grammar_and_uses_known_captures() {
    for language in Languages::builtin().iter() {
        if language.grammar().is_some() {
            let facts = language.parse_with_grammar("", &Limits { max_chunk_bytes: 4096 });
            assert!(facts.is_ok(), "{}", language.id());
        }
    }
}

#[test]
fn receivers_keep_names_and_drop_arguments() {
    for (raw, kept) in [
        ("self", "self"),
        ("a.b", "a.b"),
        ("Foo::bar", "Foo::bar"),
        ("f(x, y)", "f()"),
        ("a.b(c).d", "a.b().d"),
        ("items[0]", "items[]"),
        ("\"text\"", "\"\""),
        ("(a + b)", "?"),
        ("a + b", "?"),
        ("p->next", "p->next"),
    ] {
        assert_eq!(receiver_text(raw), kept, "{raw}");
    }
}

#[test]
fn headers_are_in_the_language_of_their_words() {
    let languages = Languages::builtin();
    let id = |text| languages.detect(&"a.h".to_string().try_into().unwrap(), text).map(Language::id);
    assert_eq!(id("int open(void);"), Some("c"));
    assert_eq!(id("namespace a { }"), Some("cpp"));
    assert_eq!(id("\n@class A;\n@interface B\n@end\n"), Some("objectivec"));
}

#[test]
fn a_file_without_an_ending_says_what_it_is() {
    let languages = Languages::builtin();
    let id = |text| languages.detect(&"complete".to_string().try_into().unwrap(), text).map(Language::id);
    assert_eq!(id("#!/usr/bin/env -S python3 -u\n"), Some("python"));
    assert_eq!(id("# completion of x  -*- shell-script -*-\n"), Some("bash"));
    assert_eq!(id("# -*- coding: utf-8; mode: ruby -*-\n"), Some("ruby"));
    assert_eq!(id("# -*- coding: utf-8 -*-\n"), None);
    assert_eq!(id("x=1\n\n# ex: filetype=sh\n"), Some("bash"));
    assert_eq!(id("-- vim: set sw=2 ft=lua :\n"), Some("lua"));
}

#[test]
fn a_name_holds_its_value_only_from_behind_it() {
    let languages = Languages::builtin();
    let limits = Limits { max_chunk_bytes: 4096 };
    let facts = languages.named("rust").unwrap().parse("fn a(x: X) { let x = x.b(); let f = f(x); }", &limits);
    let facts = facts.unwrap();
    let said = |name: &str| facts.mentions.iter().find(|mention| mention.name == name).unwrap();
    assert_eq!(said("b").receiver_type.as_deref(), Some("X"));
    assert_eq!(said("f").role, crate::record::Role::Call);
}

#[test]
fn what_nests_is_not_shallow_however_it_is_written() {
    for deep in ["(", "[1, ", "{a: ", ".b(c, d)\n", " + f(b, c)", "a ? f(b, c) : ", "a => ", "!", "{} in "] {
        assert!(!depth::is_shallow(&deep.repeat(20_000)), "{deep}");
    }
    for shallow in ["f(a, b)\n", "function f() {}", "x = [1, 2];", "if (a) { b } ;", "s = '((([[['\n", "a.b.c, "] {
        assert!(depth::is_shallow(&shallow.repeat(20_000)), "{shallow}");
    }
}
