//! The languages that are linked in, in the order in which they are asked.

use tree_sitter_language::LanguageFn;

use super::script;
use super::table::{FrontEnd, LanguageRule};

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

macro_rules! grammar {
    ($id:literal, $grammar:expr) => {
        grammar!($id, $grammar, None)
    };
    ($id:literal, $grammar:expr, $front_end:expr) => {
        grammar!($id, $grammar, $front_end, [concat!($id, "/facts.scm")])
    };
    // Languages of one family share queries.
    ($id:literal, $grammar:expr, $front_end:expr, [$($query:expr),*]) => {
        Builtin {
            id: $id,
            table: include_str!(concat!($id, "/language.toml")),
            query: concat!($(include_str!($query), "\n"),*),
            grammar: Some($grammar),
            front_end: $front_end,
        }
    };
}

pub const ALL: &[Builtin] = &[
    grammar!("go", tree_sitter_go::LANGUAGE),
    grammar!(
        "javascript",
        tree_sitter_javascript::LANGUAGE,
        Some(script::parse_javascript),
        ["javascript/facts.scm", "script/facts.scm", "script/jsx.scm"]
    ),
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
];
