//! The languages that are linked in, in the order in which they are asked.

use tree_sitter_language::LanguageFn;

use super::table::{FrontEnd, LanguageRule};
use super::{markdown, python, rst, script, text};

/// A front end without a grammar is the only reader of its language; see [`FrontEnd`] for what that asks
/// of it. A language with neither is known by name and cut by lines.
pub struct Builtin {
    pub id: &'static str,
    pub table: &'static str,
    pub query: &'static str,
    pub grammar: Option<LanguageFn>,
    pub front_end: Option<FrontEnd>,
}

impl Builtin {
    pub fn rule(&self) -> LanguageRule {
        let rule: LanguageRule = toml::from_str(self.table).expect("the built-in tables are tested");
        debug_assert_eq!(rule.id, self.id);
        rule
    }
}

macro_rules! language {
    ($id:literal, $grammar:expr, $front_end:expr, [$($query:expr),*]) => {
        Builtin {
            id: $id,
            table: include_str!(concat!($id, "/language.toml")),
            query: concat!($(include_str!($query), "\n"),*),
            grammar: $grammar,
            front_end: $front_end,
        }
    };
}

macro_rules! grammar {
    ($id:literal, $grammar:expr) => {
        grammar!($id, $grammar, None, [concat!($id, "/facts.scm")])
    };
    // Languages of one family share queries.
    ($id:literal, $grammar:expr, $front_end:expr, [$($query:expr),*]) => {
        language!($id, Some($grammar), $front_end, [$($query),*])
    };
}

/// A language that its front end alone reads.
macro_rules! front_end {
    ($id:literal, $front_end:expr) => {
        language!($id, None, Some($front_end), [])
    };
}

/// A language that nothing here reads, known so that it is not taken for another one.
macro_rules! unread {
    ($id:literal) => {
        language!($id, None, None, [])
    };
}

pub const ALL: &[Builtin] = &[
    // Asked first: fewer words distinguish its headers from those of C++.
    unread!("objectivec"),
    grammar!("bash", tree_sitter_bash::LANGUAGE),
    grammar!("c", tree_sitter_c::LANGUAGE),
    grammar!("cpp", tree_sitter_cpp::LANGUAGE),
    grammar!("csharp", tree_sitter_c_sharp::LANGUAGE),
    grammar!("css", tree_sitter_css::LANGUAGE),
    grammar!("dart", tree_sitter_dart::LANGUAGE),
    grammar!("elixir", tree_sitter_elixir::LANGUAGE),
    grammar!("go", tree_sitter_go::LANGUAGE),
    grammar!("hcl", tree_sitter_hcl::LANGUAGE),
    grammar!("html", tree_sitter_html::LANGUAGE),
    grammar!("java", tree_sitter_java::LANGUAGE),
    grammar!(
        "javascript",
        tree_sitter_javascript::LANGUAGE,
        Some(script::parse_javascript),
        ["javascript/facts.scm", "script/facts.scm", "script/jsx.scm"]
    ),
    grammar!("json", tree_sitter_json::LANGUAGE),
    grammar!("kotlin", tree_sitter_kotlin_ng::LANGUAGE),
    grammar!("lua", tree_sitter_lua::LANGUAGE),
    front_end!("markdown", markdown::parse),
    grammar!("php", tree_sitter_php::LANGUAGE_PHP),
    grammar!("protobuf", tree_sitter_proto::LANGUAGE),
    grammar!("python", tree_sitter_python::LANGUAGE, Some(python::parse), ["python/facts.scm"]),
    front_end!("rst", rst::parse),
    grammar!("ruby", tree_sitter_ruby::LANGUAGE),
    grammar!("rust", tree_sitter_rust::LANGUAGE),
    grammar!("scala", tree_sitter_scala::LANGUAGE),
    grammar!("sql", tree_sitter_sequel::LANGUAGE),
    grammar!("swift", tree_sitter_swift::LANGUAGE),
    front_end!("text", text::parse),
    grammar!("toml", tree_sitter_toml_ng::LANGUAGE),
    grammar!(
        "tsx",
        tree_sitter_typescript::LANGUAGE_TSX,
        Some(script::parse_tsx),
        ["typescript/facts.scm", "script/facts.scm", "script/jsx.scm"]
    ),
    grammar!(
        "typescript",
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        Some(script::parse_typescript),
        ["typescript/facts.scm", "script/facts.scm"]
    ),
    grammar!("yaml", tree_sitter_yaml::LANGUAGE),
];
