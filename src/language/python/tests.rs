//! Text in, facts out. What a whole file gives is shown by `golden/python`.

use crate::language::Limits;
use crate::language::facts::{Definition, Facts, Mention};
use crate::record::{FlowSource, Role};

fn facts(text: &str) -> Facts<'_> {
    let mut facts = super::parse(text, &Limits { max_chunk_bytes: 60 }).expect("the text is Python");
    facts.settle();
    facts
}

/// Names as `receiver.name`, with what is known of the receiver in braces.
fn named(mention: &Mention) -> String {
    let known = mention.receiver_type.as_ref().map(|known| format!("{{{known}}}")).unwrap_or_default();
    match &mention.receiver {
        Some(receiver) => format!("{receiver}{known}.{}", mention.name),
        None => mention.name.to_string(),
    }
}

#[track_caller]
fn check(role: Role, text: &str, expected: &str) {
    let facts = facts(text);
    let found: Vec<_> = facts.mentions.iter().filter(|mention| mention.role == role).map(named).collect();
    assert_eq!(found.join(" "), expected, "{text}");
}

#[track_caller]
fn check_uses(text: &str, expected: &str) {
    check(Role::Use, text, expected);
}

#[track_caller]
fn check_calls(text: &str, expected: &str) {
    check(Role::Call, text, expected);
}

/// Each as `from>into@position`, a parameter in front with a colon.
#[track_caller]
fn check_flows(text: &str, expected: &str) {
    let flow = |mention: &Mention| {
        let flow = mention.flow.clone()?;
        let from = match flow.source {
            FlowSource::Parameter => format!(":{}", flow.name),
            FlowSource::Call => flow.name,
        };
        Some(format!("{from}>{}@{}", mention.name, flow.argument.map_or("self".to_string(), |at| at.to_string())))
    };
    let facts = facts(text);
    let found: Vec<_> = facts.mentions.iter().filter_map(flow).collect();
    assert_eq!(found.join(" "), expected, "{text}");
}

/// Each as `Kind path.name: type`.
#[track_caller]
fn check_definitions(text: &str, expected: &[&str]) {
    let line = |definition: &Definition| {
        let path: String = definition.container.iter().map(|name| format!("{name}.")).collect();
        let value_type = definition.value_type.as_ref().map(|value_type| format!(": {value_type}")).unwrap_or_default();
        format!("{:?} {path}{}{value_type}", definition.kind, definition.name)
    };
    assert_eq!(facts(text).definitions.iter().map(line).collect::<Vec<_>>(), expected, "{text}");
}

#[track_caller]
fn check_imports(text: &str, expected: &[&str]) {
    let line = |mention: &Mention| {
        let binding = mention.binding.clone()?;
        let part = |part: Option<String>| part.unwrap_or("-".to_string());
        Some(format!("{} = {} {} {}", mention.name, part(binding.module), part(binding.name), part(binding.alias)))
    };
    assert_eq!(facts(text).mentions.iter().filter_map(line).collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn a_name_bound_anywhere_in_a_function_is_local_everywhere_in_it() {
    check_uses("def f():\n    a = b\n    return a + c", "b c");
    check_uses("def f():\n    print(a)\n    a = 1", "");
    check_uses("def f(a, *b, c=d, **e):\n    return a, b, c, d, e", "d d");
    check_uses("def f():\n    for a, (b, *c) in d: pass\n    return a, b, c", "d");
    check_uses("def f():\n    with g() as (a, b): return a, b, c", "c");
    check_uses("def f():\n    try: pass\n    except E as a: return a", "E");
    check_uses("def f():\n    if (a := b): return a", "b");
    check_uses("def f():\n    return [a for b in c if (a := b)], a, b", "c b");
    check_uses("def f(x):\n    match x:\n        case {'k': a, **b} | [a, *b] | K(a, y=b): return a, b", "K");
}

#[test]
fn scopes_hide_what_they_bind_from_the_outside_only() {
    check_uses("x = [a for a in b]\ny = a", "b a");
    check_uses("def f(a):\n    return (lambda b, c=a: a + b + d), b", "d b");
    check_uses("def f(a):\n    def g(b):\n        return a, b\n    return b, g", "b g");
    check_uses("def f[T](a: T):\n    return T\nT", "T");
    check_uses("for a in b: print(a)", "b");
}

#[test]
fn a_class_is_not_seen_from_its_methods() {
    check_uses("class A:\n    x = 1\n    y = x\n    def f(self):\n        return x", "x x");
    check_uses(
        "def f(x):\n    class A:\n        x = 1\n        y = x\n        def g(self):\n            return x",
        "x",
    );
}

#[test]
fn global_and_nonlocal_names_are_those_of_others() {
    check_uses("def f():\n    global a\n    a = 1", "a");
    check_uses("def f(a):\n    def g():\n        nonlocal a\n        a = b", "b");
    check_uses("def f(a):\n    def g():\n        global a\n        a = b", "a b");
}

#[test]
fn what_a_function_imports_or_defines_is_no_local() {
    check_calls("def f():\n    from m import a\n    a()", "a");
    check_calls("def f():\n    import m.n\n    m.n.a()", "m.n.a");
    check_calls("def f(m):\n    def g():\n        import m\n        m.a()", "m.a");
    check_calls("def f(callback):\n    def g(): pass\n    g()\n    callback()", "g");
}

#[test]
fn imports_say_what_they_bind() {
    check_imports("import a", &["a = a - -"]);
    check_imports("import a.b, c.d as e", &["a = a.b - -", "e = c.d - e"]);
    check_imports("from . import x", &["x = . x -"]);
    check_imports(
        "from ..pkg.mod import y as z, w",
        &["mod = ..pkg.mod - -", "z = ..pkg.mod y z", "w = ..pkg.mod w -"],
    );
    check_imports("from m.n import *", &["n = m.n - -", "n = m.n * -"]);
    check_imports("from . import *", &["* = . * -"]);
}

#[test]
fn a_module_gives_away_what_all_lists() {
    check(Role::Export, "__all__ = ['a', \"b\"] + ['c']", "a b c");
    check(Role::Export, "__all__ += ('a',)\n__all__.extend(['b'])\n__all__.append('c')", "a b c");
    check(Role::Export, "def f():\n    __all__ = ['a']", "");
    check_imports("__all__ = ['a']", &["a = - a -"]);
}

#[test]
fn receivers_are_typed_by_what_the_function_shows() {
    check_calls("def f(a: Foo):\n    a.g()", "a{Foo}.g");
    check_calls("def f(a: Optional[\"Foo\"]):\n    a.g()", "a{Optional[\"Foo\"]}.g");
    check_calls("def f():\n    a = Foo()\n    a.g()", "Foo a{Foo()}.g");
    check_calls("def f():\n    a = m.make(1)\n    b = a\n    b.g()", "m.make b{m.make()}.g");
    check_calls("async def f():\n    async with m.open() as a:\n        await a.g()", "m.open a{m.open()}.g");
    check_calls("def f():\n    a: Foo = make()\n    a.g()", "make a{Foo}.g");
    check_calls("def f():\n    a, b = Foo(), Bar()\n    b.g()", "Foo Bar b{Bar()}.g");
    check_calls("def f(a: Foo):\n    b = a or Bar()\n    b.g()", "Bar b{Foo}.g");
    check_calls("def f():\n    a = []\n    a.g()", "a{list}.g");
    check_calls("def f(b):\n    for a in b: a.g()", "a.g");
    check_calls("def f():\n    a = Foo()\n    a = a.g()\n    a.h()", "Foo a{Foo()}.g a{a.g()}.h");
    check_calls("def f():\n    try: pass\n    except m.E as a: a.g()", "a{m.E}.g");
}

#[test]
fn receivers_are_written_without_their_arguments() {
    check_calls("a.b(c)[d].e()", "a.b a.b()[].e");
    check_calls("'text'.join(x)", "\"\".join");
    check_calls("f'{x}'.strip()", "\"\".strip");
    check_calls("(a + b).f()", "?.f");
    check_calls("(\n    a.b()\n    # why\n    .c()\n    .d()\n)", "a.b a.b().c a.b().c().d");
    check_calls("class A:\n    def f(self): self.g(); super().f()", "self.g super super().f");
    check_calls("class A:\n    @classmethod\n    def f(cls): return cls()", "cls");
}

#[test]
fn arguments_are_counted() {
    let facts = facts("f(a, *b, c=d, **e)");
    assert_eq!(facts.mentions[0].arguments, Some(4));
}

#[test]
fn values_flow_from_calls_and_parameters_into_calls() {
    check_flows("def f(a):\n    g(1, a)", ":a>g@1");
    check_flows("def f(a):\n    b = a\n    g(x=b, **a)", ":a>g@0 :a>g@1");
    check_flows("def f():\n    a = g()\n    h(a)", "g>h@0");
    check_flows("f(1, g())", "g>f@1");
    check_flows("def f():\n    a = g()\n    a.h()", "g>h@self");
    check_flows("g().h()", "g>h@self");
    check_flows("def f(a):\n    a.h()", "");
    check_flows("def f(a):\n    a = g(a)\n    h(a)", ":a>g@0 g>h@0");
    check_flows("def f(a, b):\n    a, b = b, a\n    g(a, b)", ":b>g@0 :a>g@1");
    check_flows("async def f():\n    g(await h())", "h>g@0");
    check_flows("def f(callback, a):\n    callback(a)", "");
    check_flows("f(lambda a: g(a))", "");
}

#[test]
fn types_are_found_in_annotations() {
    check(Role::Type, "def f(a: A, b: 'B', *c: m.C) -> Optional[D | int]: pass", "A B m.C Optional D");
    check(Role::Type, "a: list['B'] = []\nb: Literal['C']", "B Literal");
    check(Role::Type, "a: Annotated[A, Depends(b)]", "Annotated A");
    check(Role::Type, "a: 'dict[str, m.B]'", "m.B");
    check(Role::Inherit, "class A(B, m.C, Generic[T], metaclass=M): pass", "B m.C Generic");
    check_uses("class A(B, metaclass=m.M): pass", "m m.M");
}

#[test]
fn variables_are_defined_where_they_are_first_assigned() {
    check_definitions("a = 1\na = 2\nB: int = 3", &["Variable a", "Constant B: int"]);
    check_definitions("a = Foo()\nb, c = m.make(), 1", &["Variable a: Foo()", "Variable b: m.make()", "Variable c"]);
    check_definitions("if x:\n    a = 1\nelse:\n    a = 2", &["Variable a"]);
    check_definitions("try:\n    import a\nexcept E:\n    a = None", &[]);
    check_definitions("def a(): pass\na = wrap(a)", &["Function a"]);
    check_definitions("class A:\n    B = 1\n    c: m.C", &["Class A", "Field B", "Field c: m.C"]);
    check_definitions("class A(enum.IntFlag):\n    B = 1\n    _c = 2", &["Enum A", "EnumMember B", "Field _c"]);
    check_definitions(
        "type A[T] = list[T]\nB: TypeAlias = 'A'\nC = TypeVar('C')",
        &["Type A", "Type B", "Type C: TypeVar()"],
    );
}

#[test]
fn objects_get_their_fields_from_methods() {
    check_definitions(
        "class A:\n    x = 1\n    def f(self):\n        self.x = self.y = 2\n        self.z = 3\n    def __init__(me, y: Y):\n        me.y = y",
        &["Class A", "Field x", "Method f", "Field A.z", "Constructor __init__", "Field A.y: Y"],
    );
    check_definitions(
        "class A:\n    class B:\n        def f(self):\n            def g():\n                self.x: int = 1",
        &["Class A", "Class B", "Method f", "Function g", "Field A.B.x: int"],
    );
    check_definitions("class A:\n    @staticmethod\n    def f(other):\n        other.x = 1", &["Class A", "Method f"]);
}

#[test]
fn properties_are_known_by_their_decorators() {
    check_definitions(
        "class A:\n    @property\n    def a(self) -> B: pass\n    @a.setter\n    def a(self, b): pass\n    @functools.cached_property\n    def c(self): pass\n    @other\n    def d(self): pass",
        &["Class A", "Property a: B", "Property a", "Property c", "Method d"],
    );
}

#[test]
fn a_signature_ends_where_the_body_starts() {
    let text = "@cached\ndef f(a: A = 1, *b, **c) -> B:  # why\n    '''Says so.'''\n    return a\n";
    let facts = facts(text);
    let definition = &facts.definitions[0];
    let body = definition.body.expect("it has one");
    assert_eq!(&text[definition.span.start as usize..body.start as usize], "@cached\ndef f(a: A = 1, *b, **c) -> B:  ");
    assert_eq!(&text[body.end as usize..], "\n");
    assert_eq!(definition.doc.map(|doc| doc.text(text)), Some("'''Says so.'''"));
    let parameters: Vec<_> = definition.parameters.iter().map(|p| (&*p.name, p.value_type.as_deref())).collect();
    assert_eq!(parameters, [("a", Some("A")), ("b", None), ("c", None)]);
    assert_eq!(facts.comments.iter().map(|comment| comment.text(text)).collect::<Vec<_>>(), ["# why"]);
}

/// `|` marks where the text may be cut.
#[track_caller]
fn check_breaks(marked: &str) {
    let text = marked.replace('|', "");
    let mut cut = text.clone();
    for at in facts(&text).breaks.iter().rev() {
        cut.insert(at.offset as usize, '|');
    }
    assert_eq!(cut, marked);
}

#[test]
fn long_texts_are_cut_before_statements() {
    check_breaks("short = 1\nother = 2\n");
    check_breaks(
        "|import a\n\n|# Why.\n# And how.\n@cached\ndef f():\n    |first()\n    |if x:\n        pass\n    |# Then.\n    second()\n",
    );
    check_breaks("|numbers = {\n    |'one': 'eleven eleven eleven',\n    |'two': 'twelve twelve twelve',\n}\n");
}

#[test]
fn a_broken_text_gives_the_names_that_stand_in_it() {
    let limits = Limits { max_chunk_bytes: 4096 };
    let facts = super::parse("print 'old'\nimport\ndef f():\n    a.\n    g(x.)\nclass :\n    pass\n", &limits).unwrap();
    assert!(!facts.errors.is_empty());
    let names: Vec<_> = facts.mentions.iter().map(|mention| &*mention.name).collect();
    assert!(names.contains(&"print") && names.contains(&"g"), "{names:?}");
    let defined: Vec<_> = facts.definitions.iter().map(|definition| &*definition.name).collect();
    assert_eq!(defined, ["f"]);
    assert!(!names.contains(&""), "{names:?}");
}

#[test]
fn deep_texts_are_left_to_the_grammar() {
    let limits = Limits { max_chunk_bytes: 4096 };
    let sum = format!("x = {}", vec!["f(a, b)"; 30_000].join(" + "));
    let read = move || super::parse(&sum, &limits).is_none();
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(read).expect("threads can be started");
    assert!(thread.join().expect("it does not overflow"));
}

#[test]
fn a_long_sum_is_read() {
    let read = || {
        let text = format!("x = {}", vec!["a"; 2_000].join(" + "));
        facts(&text).mentions.len()
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(read).expect("threads can be started");
    assert_eq!(thread.join().expect("it does not overflow"), 2_000);
}
