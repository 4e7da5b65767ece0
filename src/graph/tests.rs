//! Whatever the chunk stage recorded, the graph stage ends: parents, bases, aliases, types and re-exports may
//! form cycles, and each may lead to many others.

use std::sync::mpsc;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::{Input, graph};
use crate::language::Languages;
use crate::record::{
    Analysis, Artifact, Audience, Binding, ByteRange, ChunkUid, File, Flow, FlowSource, Item, Kind, Lines, NodeId,
    Range, Reference, References, Role, Site, Symbol, SymbolId, codec, escaped, write_line,
};
use crate::text::RepoPath;

/// The work takes milliseconds. A busy machine may need much longer, but not for ever.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Few names, so that they clash.
const NAMES: [&str; 4] = ["A", "B", "S", "default"];
/// How the descriptor of a symbol ends, and with it the kinds that it may be of.
const KINDS: [(&str, &[Kind]); 5] = [
    ("#", &[Kind::Class, Kind::Interface, Kind::Trait, Kind::Enum, Kind::Extension, Kind::Type]),
    ("/", &[Kind::Namespace]),
    ("().", &[Kind::Function, Kind::Method, Kind::Constructor]),
    (".", &[Kind::Field, Kind::Variable, Kind::EnumMember]),
    (":", &[Kind::Section, Kind::Key]),
];
const TYPES: [&str; 10] =
    ["A", "S | B", "A.B", "S()", "<S>[]", "<A | B>.S", "A[]", "Optional<S>", "self.A", "super.B()"];
const MODULES: [&str; 10] = [".", "./a", "./b", "a", "b", "A.B", "crate::a", "super", "self::S", ".a"];
const STYLES: [&str; 7] = ["include", "require", "part of", "global", "commonjs", "mod", "from"];
const ROLES: [Role; 9] = [
    Role::Call,
    Role::Use,
    Role::Type,
    Role::Inherit,
    Role::Import,
    Role::Export,
    Role::Flow,
    Role::Trace,
    Role::ReadNext,
];

/// One of a list, by its number.
type Pick = prop::sample::Index;

#[derive(Clone, Debug)]
struct SymbolSketch {
    /// Names and descriptor endings from the outermost down; those before the last need no symbol of their own.
    path: Vec<(Pick, Pick)>,
    kind: Pick,
    start: u32,
    length: u32,
    value_type: Option<Pick>,
}

#[derive(Clone, Debug)]
struct ReferenceSketch {
    name: Pick,
    role: Pick,
    receiver: Option<Pick>,
    receiver_type: Option<Pick>,
    binding: Option<(Option<Pick>, Option<Pick>, Option<Pick>)>,
    start: u32,
}

type FileSketch = (Vec<SymbolSketch>, Vec<ReferenceSketch>);

fn pick() -> impl Strategy<Value = Pick> {
    any::<Pick>()
}

fn maybe() -> impl Strategy<Value = Option<Pick>> {
    prop::option::of(pick())
}

fn symbol_sketch() -> impl Strategy<Value = SymbolSketch> {
    let path = vec((pick(), pick()), 1..4);
    (path, pick(), 0..40u32, 1..40u32, maybe()).prop_map(|(path, kind, start, length, value_type)| SymbolSketch {
        path,
        kind,
        start,
        length,
        value_type,
    })
}

fn reference_sketch() -> impl Strategy<Value = ReferenceSketch> {
    let binding = prop::option::of((maybe(), maybe(), maybe()));
    let all = (pick(), pick(), maybe(), maybe(), binding, 0..80u32);
    all.prop_map(|(name, role, receiver, receiver_type, binding, start)| ReferenceSketch {
        name,
        role,
        receiver,
        receiver_type,
        binding,
        start,
    })
}

fn file_sketch() -> impl Strategy<Value = FileSketch> {
    (vec(symbol_sketch(), 0..10), vec(reference_sketch(), 0..10))
}

#[test]
fn random_tables_of_every_language_end() {
    let languages = Languages::builtin();
    for language in languages.iter().filter(|language| !language.rule.extensions.is_empty()) {
        // To look for a smaller example would take a minute for each.
        let config = ProptestConfig { cases: 48, max_shrink_iters: 0, failure_persistence: None, ..Default::default() };
        let mut runner = TestRunner::new(config);
        let check = |files: Vec<FileSketch>| {
            check_end(records(&files, language.id(), &language.rule.extensions[0], &language.rule.separator));
            Ok(())
        };
        runner.run(&vec(file_sketch(), 1..4), check).unwrap_or_else(|fault| panic!("{}: {fault}", language.id()));
    }
}

/// Every type is one of all types, so that what the first one is has more answers than can be tried.
#[test]
fn a_fan_of_aliases_ends() {
    const COUNT: usize = 200;
    let names: Vec<String> = (0..COUNT).map(|at| format!("T{at}")).collect();
    let path = RepoPath::try_from("a.ts".to_string()).unwrap();
    let mut records = Records { files: vec![file(&path, "typescript")], ..Records::default() };
    for (at, name) in names.iter().enumerate() {
        let descriptor = format!("`a.ts`/{name}#");
        let value_type = Some(names.join(" | "));
        let own = symbol(&path, "typescript", name, name, &descriptor, Kind::Type, at as u32 * 10, 5);
        records.symbols.push(Symbol { value_type, ..own });
    }
    let call = Reference {
        receiver: Some("x".into()),
        receiver_type: Some(names.join(" | ")),
        ..reference("missing", Role::Call, 9_000)
    };
    records.references.push(references(&path, "typescript", vec![call]));
    check_end(records);
}

#[test]
fn parents_of_items_may_form_a_loop() {
    let path = RepoPath::try_from("a.md".to_string()).unwrap();
    let mut records = Records { files: vec![file(&path, "markdown")], ..Records::default() };
    let id = |name: &str| NodeId::from(&SymbolId::built_in(&format!("`a.md`/{name}:")));
    // Three in a loop, one that is its own parent, one whose parent is nowhere, one in the file itself.
    let parents = [("A", id("C")), ("B", id("A")), ("C", id("B")), ("D", id("D")), ("E", id("Z"))];
    let in_file = ("F", NodeId::from(&SymbolId::of_file(&path)));
    for (order, (name, parent)) in (0..).zip(parents.into_iter().chain([in_file])) {
        let descriptor = format!("`a.md`/{name}:");
        records.symbols.push(symbol(&path, "markdown", name, name, &descriptor, Kind::Section, order * 10, 5));
        records.items.push(Item { order, parent: Some(parent), ..Item::new("section", id(name), &path) });
    }
    assert_eq!(check_end(records), 4);
}

/// Records as the chunk stage gives them, each list in its order.
#[derive(Clone, Debug, Default)]
struct Records {
    files: Vec<File>,
    symbols: Vec<Symbol>,
    references: Vec<References>,
    items: Vec<Item>,
}

/// Fails when the graph of the records is not there in time. Gives the number of its edges.
fn check_end(records: Records) -> usize {
    let (sender, receiver) = mpsc::channel();
    let shown = format!("{records:?}");
    std::thread::spawn(move || {
        let (symbols, references) = (lines(&records.symbols), lines(&records.references));
        let input = Input {
            files: records.files,
            symbols: symbols.lines().map(|line| codec::read(line).unwrap()).collect(),
            references: references.lines().map(|line| codec::read(line).unwrap()).collect(),
            items: records.items,
            ..Input::default()
        };
        let languages = Languages::of_run(&[]).unwrap();
        let _ = sender.send(graph(&input, &languages, &[]).edge_count());
    });
    receiver.recv_timeout(MAX_TIME).unwrap_or_else(|fault| panic!("no graph: {fault}: {shown:.4000}"))
}

fn lines<A: Artifact>(records: &[A]) -> String {
    let mut lines = Vec::new();
    records.iter().for_each(|record| write_line(record, &mut lines));
    String::from_utf8(lines).unwrap()
}

fn records(sketches: &[FileSketch], language: &str, extension: &str, separator: &str) -> Records {
    let mut records = Records::default();
    for ((symbols, references_of_file), stem) in sketches.iter().zip(["a", "b", "c"]) {
        let path = RepoPath::try_from(format!("{stem}.{extension}")).unwrap();
        records.files.push(file(&path, language));
        let own = symbols.iter().map(|sketch| sketched_symbol(sketch, &path, language, separator));
        let mut own: Vec<Symbol> = own.collect();
        own.sort_by(|a, b| a.key().cmp(&b.key()));
        own.dedup_by(|a, b| a.key() == b.key());
        records.symbols.extend(own);
        if !references_of_file.is_empty() {
            let own = references_of_file.iter().map(sketched_reference).collect();
            records.references.push(references(&path, language, own));
        }
    }
    records
}

fn sketched_symbol(sketch: &SymbolSketch, path: &RepoPath, language: &str, separator: &str) -> Symbol {
    let names: Vec<&str> = sketch.path.iter().map(|(name, _)| *name.get(&NAMES)).collect();
    let parts = sketch.path.iter().map(|(name, kind)| format!("{}{}", name.get(&NAMES), kind.get(&KINDS).0));
    let descriptor = format!("{}/{}", escaped(path.as_str()), parts.collect::<String>());
    let kind = *sketch.kind.get(sketch.path[sketch.path.len() - 1].1.get(&KINDS).1);
    let (name, qualified) = (names[names.len() - 1], names.join(separator));
    Symbol {
        value_type: sketch.value_type.map(|at| at.get(&TYPES).to_string()),
        ..symbol(path, language, name, &qualified, &descriptor, kind, sketch.start, sketch.length)
    }
}

#[expect(clippy::too_many_arguments, reason = "a record has as many fields")]
fn symbol(
    path: &RepoPath,
    language: &str,
    name: &str,
    qualified_name: &str,
    descriptor: &str,
    kind: Kind,
    start: u32,
    length: u32,
) -> Symbol {
    Symbol {
        audience: Audience::default(),
        byte_range: ByteRange { start, end: start + length },
        chunk_uid: ChunkUid::from_hash(u64::from(start)),
        doc: None,
        exported: !start.is_multiple_of(3),
        file_rel_path: path.clone(),
        kind,
        language_id: language.into(),
        lines: Lines { start: 1, end: 1 },
        name: name.into(),
        parameters: Vec::new(),
        qualified_name: qualified_name.into(),
        range: Range { start, end: start + length },
        signature: None,
        site: Site { start, end: start + 1, line: 1, column: start },
        symbol_id: SymbolId::built_in(descriptor),
        value_type: None,
    }
}

fn sketched_reference(sketch: &ReferenceSketch) -> Reference {
    let text = |at: Option<Pick>, all: &[&str]| at.map(|at| at.get(all).to_string());
    let role = *sketch.role.get(&ROLES);
    let name = *sketch.name.get(&NAMES);
    let binding = sketch.binding.map(|(module, name, style)| Binding {
        alias: text(style, &NAMES),
        module: text(module, &MODULES),
        name: text(name, &["A", "S", "*", "default"]),
        style: text(style, &STYLES),
    });
    let flow = Flow { argument: Some(0), name: name.into(), receiver: None, source: FlowSource::Call };
    Reference {
        binding,
        flow: (role == Role::Flow).then_some(flow),
        receiver: text(sketch.receiver, &TYPES),
        receiver_type: text(sketch.receiver_type, &TYPES),
        ..reference(name, role, sketch.start)
    }
}

fn reference(name: &str, role: Role, start: u32) -> Reference {
    Reference {
        arguments: None,
        binding: None,
        flow: None,
        name: name.into(),
        receiver: None,
        receiver_type: None,
        role,
        sites: vec![Site { start, end: start + 1, line: 1, column: start }],
    }
}

fn references(path: &RepoPath, language: &str, references: Vec<Reference>) -> References {
    References {
        audience: Audience::default(),
        chunk_uid: ChunkUid::from_hash(1),
        file_rel_path: path.clone(),
        language_id: language.into(),
        references,
        start: 0,
        symbol_id: None,
    }
}

fn file(path: &RepoPath, language: &str) -> File {
    File {
        analysis: Analysis::Parsed,
        audience: Audience::default(),
        bytes: 100,
        chunks: Vec::new(),
        digest: None,
        encoding: None,
        file_rel_path: path.clone(),
        language_id: Some(language.into()),
        line_ending: None,
        lines: 1,
        marks: Vec::new(),
        package: None,
        references: 1,
        source_kind: None,
        symbols: 1,
    }
}
