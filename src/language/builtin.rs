//! The languages that are linked in, in the order in which they are asked.

use tree_sitter_language::LanguageFn;

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
        Builtin {
            id: $id,
            table: include_str!(concat!($id, "/language.toml")),
            query: include_str!(concat!($id, "/facts.scm")),
            grammar: Some($grammar),
            front_end: $front_end,
        }
    };
}

pub const ALL: &[Builtin] = &[
    grammar!("go", tree_sitter_go::LANGUAGE),
    grammar!("kotlin", tree_sitter_kotlin_ng::LANGUAGE),
    grammar!("php", tree_sitter_php::LANGUAGE_PHP),
    grammar!("ruby", tree_sitter_ruby::LANGUAGE),
    grammar!("scala", tree_sitter_scala::LANGUAGE),
    grammar!("swift", tree_sitter_swift::LANGUAGE),
];
