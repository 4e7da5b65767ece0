//! Small texts and what is found in them, one word list a check.

use super::*;
use crate::language::depth::is_shallow;
use crate::language::facts::Mention;
use crate::record::Role;

const LIMITS: Limits = Limits { max_chunk_bytes: 4096 };

fn tsx(text: &str) -> Facts<'_> {
    let mut facts = parse_tsx(text, &LIMITS).expect("the text has no fault");
    facts.settle();
    facts
}

/// `kind name`, with the container before the name, `+` behind what is exported, `: type` where known.
fn definitions(text: &str) -> String {
    let facts = parse_javascript(text, &LIMITS).map_or_else(|| tsx(text), settled);
    let all = facts.definitions.iter().map(|it| {
        let container: String = it.container.iter().map(|part| format!("{part}.")).collect();
        let exported = if it.exported { "+" } else { "" };
        let value_type = it.value_type.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
        format!("{:?} {container}{}{exported}{value_type}", it.kind, it.name)
    });
    all.collect::<Vec<_>>().join(", ")
}

fn settled(mut facts: Facts) -> Facts {
    facts.settle();
    facts
}

fn mentions(text: &str, role: Role, write: impl Fn(&Mention) -> String) -> String {
    tsx(text).mentions.iter().filter(|it| it.role == role).map(write).collect::<Vec<_>>().join(", ")
}

fn name(it: &Mention) -> String {
    it.receiver.as_ref().map(|receiver| format!("{receiver}.")).unwrap_or_default() + &it.name
}

fn uses(text: &str) -> String {
    mentions(text, Role::Use, name)
}

fn calls(text: &str) -> String {
    mentions(text, Role::Call, name)
}

fn types(text: &str) -> String {
    mentions(text, Role::Type, name)
}

/// `name <receiver type>` of each call with a receiver.
fn receivers(text: &str) -> String {
    let write = |it: &Mention| format!("{} <{}>", it.name, it.receiver_type.as_deref().unwrap_or("-"));
    let facts = tsx(text);
    let calls = facts.mentions.iter().filter(|it| it.role == Role::Call && it.receiver.is_some());
    calls.map(write).collect::<Vec<_>>().join(", ")
}

/// `source -> callee argument`.
fn flows(text: &str) -> String {
    mentions(text, Role::Flow, |it| {
        let flow = it.flow.as_ref().expect("a flow says what flows");
        let argument = flow.argument.map_or("receiver".to_string(), |at| at.to_string());
        format!("{} -> {} {argument}", flow.name, it.name)
    })
}

/// `module name alias style`, with `-` for what is absent.
fn bindings(text: &str, role: Role) -> String {
    mentions(text, role, |it| {
        let binding = it.binding.as_ref().expect("it binds");
        let parts = [&binding.module, &binding.name, &binding.alias, &binding.style];
        parts.map(|part| part.as_deref().unwrap_or("-")).join(" ")
    })
}

fn imports(text: &str) -> String {
    bindings(text, Role::Import)
}

fn exports(text: &str) -> String {
    bindings(text, Role::Export)
}

#[test]
fn functions_bind_their_names() {
    assert_eq!(uses("function f(a, {b, c: [d]}, ...e) { return a + b + c + d + e; }"), "c");
    assert_eq!(uses("function f() { x; var x; if (1) { y; var y; } }"), "");
    assert_eq!(uses("const f = a => b => a + b + c;"), "c");
    assert_eq!(uses("f; (function g() { g; })(); g;"), "f, g");
    assert_eq!(uses("class A { m(a = b) { return a; } static { let c = d; c; } }"), "b, d");
}

#[test]
fn blocks_bind_their_names() {
    assert_eq!(uses("{ let a; a; } a;"), "a");
    assert_eq!(uses("for (const a of b) { a; } for (let i = 0; i < n; i++) i; i;"), "b, n, i");
    assert_eq!(uses("try { a; } catch ({ e }) { e; } e;"), "a, e");
    assert_eq!(uses("switch (a) { case 1: let b; default: b; } b;"), "a, b");
    assert_eq!(uses("function f(a) { { let a; a; } { const b = a; b; } b; }"), "b");
}

#[test]
fn definitions_and_imports_in_functions_are_no_locals() {
    assert_eq!(calls("function f(g) { function g() {} g(); const h = require('h'); h(); }"), "g, h");
    assert_eq!(calls("function f() { class A {} new A(); const a = 1; a(); }"), "A");
}

#[test]
fn type_parameters_are_local_types() {
    assert_eq!(types("function f<T extends A<U>, U>(a: T): B {}"), "A, B");
    assert_eq!(types("type M<T> = { [K in keyof T]: T extends A<infer V> ? V : K }; type N = V;"), "A, V");
    assert_eq!(types("let a: n.B<C[]>; let b: typeof a.d; x as const;"), "n.B, C");
    assert_eq!(uses("let b: typeof a.d;"), "a, a.d");
    assert_eq!(types("function f(B: B) {}"), "B");
}

#[test]
fn imports_of_every_form() {
    assert_eq!(
        imports("import a, { b, c as d, default as e } from 'm'"),
        "m default a -, m b - -, m c d -, m default e -, m - - from"
    );
    assert_eq!(imports("import * as a from 'm'; import 'n/o.css'"), "m * a -, m - - from, n/o.css - - effect");
    assert_eq!(
        imports("import type { A } from 'm'; import { type B } from 'm'"),
        "m A - type, m - - from, m B - type, m - - from"
    );
    assert_eq!(imports("import a = require('m'); import b = n.c;"), "m - a require, n c b alias");
    assert_eq!(
        imports("const a = require('m'), { b, c: d } = require('m')"),
        "m - a require, m b - require, m c d require"
    );
    assert_eq!(imports("const a = require('m').b; require('n').c();"), "m b a require, n - - require");
    assert_eq!(imports("const { a } = await import('m'); import('n').then(f)"), "m a - dynamic, n - - dynamic");
    assert_eq!(imports("let a: import('m').B;"), "m B - type");
    assert_eq!(calls("require('m'); require(name);"), "require");
}

#[test]
fn exports_of_every_form() {
    assert_eq!(exports("export { a, b as c, d as default }"), "- a - -, - b c -, - d default -");
    assert_eq!(
        exports("export * from 'm'; export * as a from 'm'; export { b as c } from 'm'"),
        "m * - -, m * a -, m b c -, m - - from"
    );
    assert_eq!(exports("export type { A }; export { type B } from 'm'"), "- A - type, m B - type, m - - from");
    assert_eq!(exports("export default a; export default function b() {}"), "- a default -, - b default -");
    assert_eq!(exports("export = a; export as namespace b;"), "- a default assign, - * b namespace");
    assert_eq!(uses("import { a } from 'm'; export { a }; export default a;"), "");
}

#[test]
fn what_exports_define() {
    assert_eq!(
        definitions("export function a() {} function b() {} function c() {} export { b }"),
        "Function a+, Function b+, Function c"
    );
    assert_eq!(definitions("export default function () {}"), "Function default+");
    assert_eq!(
        definitions("export default class extends A { m() {} #n() {} }"),
        "Class default+, Method m+, Method #n"
    );
    assert_eq!(definitions("export default { a() {}, b: 1 }"), "Constant default+, Method a+");
    assert_eq!(definitions("export const a = 1, b = () => 2;"), "Constant a+, Function b+");
    // The names of a script are global.
    assert_eq!(definitions("var a = 1; function b() { var c; }"), "Variable a+, Function b+");
}

#[test]
fn commonjs() {
    assert_eq!(
        exports("module.exports = a; exports.b = c; module.exports.d = e"),
        "- a default commonjs, - c b commonjs, - e d commonjs"
    );
    assert_eq!(
        exports("module.exports = { a, b: c }; exports.d = require('m').e"),
        "- a - commonjs, - c b commonjs, m e d require"
    );
    assert_eq!(uses("module.exports = { a, b: c }; exports.d = e; exports.f = 1"), "");
    assert_eq!(
        definitions("module.exports = { a() {}, b, c: 1 }; function b() {}"),
        "Function a+, Variable c+, Function b+"
    );
    assert_eq!(
        definitions("exports.a = function () {}; exports.b = new C(); exports.d = void 0"),
        "Function a+, Variable b+: C"
    );
    assert_eq!(definitions("module.exports = class A { m() {} }"), "Class A+, Method m+");
    assert_eq!(
        definitions("var app = exports = module.exports = {}; app.init = function () {}"),
        "Variable app+, Method app.init+"
    );
    assert_eq!(
        definitions("function A() {} A.prototype.b = function () {}; A.c = 1; module.exports = A"),
        "Function A+, Method A.b+"
    );
    assert_eq!(definitions("module.exports = { port: 80 }"), "Variable default+");
}

#[test]
fn classes_and_types() {
    assert_eq!(
        definitions(
            "class A { a: B = c(); static b = new D.E(); get c(): F { return 1 } constructor(private d: G, e) {} f = () => 1 } export {}"
        ),
        "Class A, Field a: B, Field b: D.E, Property c: F, Constructor constructor, Field d: G, Method f"
    );
    assert_eq!(
        definitions("class A { constructor() { this.b = new C(); this.d = this.d.bind(this) } d() {} } export {}"),
        "Class A, Constructor constructor, Field b: C, Method d"
    );
    assert_eq!(
        definitions("export interface A { b: C; d(): E; new (): A; [k: string]: F }"),
        "Interface A+, Field b+: C, Method d+: E"
    );
    assert_eq!(
        definitions("export type A = B & { c: D }; type E = F | G"),
        "Type A+: B & { c: D }, Field c+: D, Type E: F | G"
    );
    assert_eq!(definitions("export enum A { B, 'c-d' = 1 }"), "Enum A+, EnumMember B+, EnumMember c-d+");
    assert_eq!(
        definitions("export namespace A.B { export const c: D = 1; let e }"),
        "Namespace A+, Namespace B+, Constant c+: D, Variable e"
    );
    assert_eq!(
        definitions("declare module 'm' { function f(): A; } declare global { var b: C } export {}"),
        "Namespace m+, Function f+: A, Namespace global+, Variable b+: C"
    );
    assert_eq!(
        mentions("class A extends b.C<D> implements E, f.G {} interface H extends I<J> {}", Role::Inherit, name),
        "b.C, E, f.G, I"
    );
}

#[test]
fn definitions_start_at_export_and_decorators() {
    for (text, start) in [
        ("let a;\nexport class B {}", "export"),
        ("let a;\n@c\nexport class B {}", "@c"),
        ("let a;\nexport @c class B {}", "export"),
    ] {
        let facts = tsx(text);
        let class = facts.definitions.iter().find(|it| it.name == "B").expect("it is there");
        assert!(class.span.text(text).starts_with(start), "{text}");
    }
}

#[test]
fn receivers_have_types() {
    assert_eq!(receivers("function f(a: A) { a.b(); }"), "b <A>");
    assert_eq!(receivers("function f() { const a = new A(); a.b(); new n.C().d(); }"), "b <A>, C <->, d <n.C>");
    assert_eq!(receivers("function f() { let a = g(); a.b(); a = h.i(); a.c(); }"), "b <g()>, i <->, c <h.i()>");
    assert_eq!(
        receivers("async function f() { const a: A = await g(); a = h(); a.b(); (a as C).d(); }"),
        "b <A>, d <C>"
    );
    assert_eq!(receivers("function f(a = new A()) { const b = a; b.c(); }"), "c <A>");
    assert_eq!(
        calls("this.a.b(); super_.c(); this.#d.e(); f(x)[0]?.g(); (h + i).j(); 'k'.l();"),
        "this.a.b, super_.c, this.#d.e, f, f()[].g, ?.j, \"\".l"
    );
}

#[test]
fn values_flow_into_calls() {
    assert_eq!(flows("function f(a) { g(1, a); }"), "a -> g 1");
    assert_eq!(flows("function f() { const a = g(); h.i(a); }"), "g -> i 0");
    assert_eq!(flows("f(g(), new H());"), "g -> f 0, H -> f 1");
    assert_eq!(flows("f().g();"), "f -> g receiver");
    assert_eq!(flows("function f(a) { const b = a; g(...b); a.h(); }"), "a -> g 0");
    assert_eq!(flows("function f(a, g) { g(a); }"), "");
}

#[test]
fn elements_call_their_components() {
    assert_eq!(calls("const a = <Foo b={c()}><div><n.Bar/></div></Foo>;"), "Foo, c, n.Bar");
    assert_eq!(uses("const a = <Foo b={c} {...d}><div>{e}</div></Foo>;"), "c, d, e");
    assert_eq!(calls("function f(Foo) { return <Foo/>; }"), "");
}

#[test]
fn decorators_and_templates_are_calls() {
    assert_eq!(calls("@a() @b.c('d') class E { @f() g; @h i() {} }"), "a, b.c, f");
    assert_eq!(uses("@a class E { @h i() {} }"), "a, h");
    assert_eq!(calls("css`a ${b()}`; styled.div`c`;"), "css, b, styled.div");
}

#[test]
fn long_things_have_breaks_that_keep_comments() {
    let text = "function f() {\n  // One.\n  one();\n  two();\n\n  // Three.\n\n  three();\n}\n";
    let facts = parse_javascript(text, &Limits { max_chunk_bytes: 20 }).expect("no fault");
    let starts: Vec<_> = facts.breaks.iter().map(|at| (&text[at.offset as usize..][..6], at.depth)).collect();
    assert_eq!(starts, [("functi", 1), ("// One", 2), ("two();", 2), ("three(", 2)]);
}

#[test]
fn faults_are_left_to_the_grammar() {
    assert!(parse_javascript("function (", &LIMITS).is_none());
    assert!(parse_javascript("type A = { b: ?C };", &LIMITS).is_none());
    assert!(parse_javascript("with (a) b; delete a; var yield;", &LIMITS).is_some());
    assert!(parse_javascript("return await a;", &LIMITS).is_some());
}

/// On a stack as large as the workers'.
#[test]
fn the_deepest_texts_that_count_as_shallow_are_read() {
    let deep = [
        format!("a = {}1{};", "(".repeat(499), ")".repeat(499)),
        format!("a = {}1{};", "[".repeat(499), "]".repeat(499)),
        format!("a = {}1;", "!".repeat(1900)),
        format!("a = {}1;", "b => ".repeat(600)),
        format!("a = {}1;", "b ? c : ".repeat(450)),
        format!("a{};", ".b()".repeat(490)),
        format!("a{};", " + b".repeat(900)),
        format!("if (a) b; {}", "else if (a) b; ".repeat(9_900)),
        format!("a\n{};", "  .b(c, d)\n".repeat(200)),
    ];
    let read = move || {
        for text in &deep {
            let start = &text[..30];
            assert!(is_shallow(text), "{start}");
            assert!(parse_javascript(text, &LIMITS).is_some(), "{start}");
        }
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(read).expect("a thread").join().expect("it is read");
}
