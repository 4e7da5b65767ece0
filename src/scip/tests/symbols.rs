//! Symbols as scip-typescript and scip-python write them.

use crate::scip::symbol::{SymbolKind, constructed_type, kind_of, name, package};

const TYPESCRIPT: &str = "scip-typescript npm @tanstack/query-core 5.107.1 src/`query.ts`/";
const PYTHON: &str = "scip-python python requests 2.32.3 `requests.sessions`/";

#[track_caller]
fn check(descriptors: &str, kind: SymbolKind, expected: &str) {
    for module in [TYPESCRIPT, PYTHON] {
        let symbol = format!("{module}{descriptors}");
        assert_eq!(kind_of(&symbol), kind, "{symbol}");
        assert_eq!(name(&symbol), expected, "{symbol}");
        assert!(module.starts_with(package(&symbol).unwrap()), "{symbol}");
    }
}

#[test]
fn kinds_follow_from_the_last_descriptor_and_what_it_is_in() {
    check("Query#", SymbolKind::Type, "Query");
    check("Query#fetch().", SymbolKind::Method, "fetch");
    check("Query#fetch(+1).", SymbolKind::Method, "fetch");
    check("Query#`#client`.", SymbolKind::Member, "#client");
    check("Query#[TData]", SymbolKind::TypeParameter, "TData");
    check("Query#fetch().(options)", SymbolKind::Parameter, "options");
    check("fetchState().", SymbolKind::Function, "fetchState");
    check("isServer.", SymbolKind::Variable, "isServer");
    check("error0:", SymbolKind::Meta, "error0");
    check("assert!", SymbolKind::Macro, "assert");
    check("inner/", SymbolKind::Module, "inner");
    check("名前().", SymbolKind::Function, "名前");
    check("`a``b.c`#", SymbolKind::Type, "a``b.c");
}

#[test]
fn a_file_is_a_module() {
    assert_eq!(kind_of(TYPESCRIPT), SymbolKind::Module);
    assert_eq!(name(TYPESCRIPT), "query.ts");
    let module = format!("{PYTHON}__init__:");
    assert_eq!(kind_of(&module), SymbolKind::Module);
    assert_eq!(name(&module), "requests.sessions");
}

#[test]
fn locals_have_no_package() {
    assert_eq!(kind_of("local 3"), SymbolKind::Local);
    assert_eq!(package("local 3"), None);
    assert_eq!(name("local 3"), "3");
}

#[test]
fn spaces_are_escaped_by_spaces() {
    let symbol = "scheme manager a  package 1  0 Query#";
    assert_eq!(kind_of(symbol), SymbolKind::Type);
    assert_eq!(package(symbol), Some("scheme manager a  package 1  0 "));
}

#[test]
fn a_constructor_knows_its_type() {
    let constructor = format!("{TYPESCRIPT}Query#`<constructor>`().");
    assert_eq!(constructed_type(&constructor), Some(&*format!("{TYPESCRIPT}Query#")));
    assert_eq!(constructed_type(&format!("{TYPESCRIPT}Query#fetch().")), None);
}

#[test]
fn what_is_not_by_the_grammar_is_unreadable() {
    for text in ["", "x", "a b c d", "a b c d ", "a b c d e", "a b c d `e", "a b c d e(", "a b c d e(+1)", "a b c d (e"]
    {
        assert_eq!(kind_of(text), SymbolKind::Unreadable, "{text:?}");
        assert_eq!(package(text), None);
    }
}

proptest::proptest! {
    #[test]
    fn no_text_panics(text in "[a ]{0,8}[`()\\[\\].#/:!名a+ ]{0,12}") {
        kind_of(&text);
        name(&text);
        constructed_type(&text);
    }
}
