//! How names of a language are resolved: the table that the graph stage reads. The graph asks what a rule does,
//! never which language it is; only [`Modules`] names the few ways to find files, each of which is code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The `[names]` of a `language.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NameRule {
    /// Languages of one family name each other's definitions.
    pub family: String,
    pub modules: Modules,
    /// Statements that name their modules in another way than `modules`, by the style of their bindings.
    pub import_styles: BTreeMap<String, Modules>,
    pub shared: Shared,
    /// Whether a definition is found by its package or namespace and its name, whatever its file.
    pub full_names: bool,
    /// Whether packages are visible without an import, so that a name may be written in full.
    pub packages_in_scope: bool,
    /// Whether a namespace that several files open is one, so that its names are looked up in all of them.
    pub open_namespaces: bool,
    /// Whether an import names all files of a directory.
    pub folder_packages: bool,
    /// Words that start a path through the module tree: `crate`, `self`, `super`.
    pub module_words: Vec<String>,
    /// Whether other files may import what a file imports.
    pub imports_are_exports: bool,
    /// Whether other files may import what a file imports by a star.
    pub star_imports_are_exports: bool,
    /// Whether an import by a star leaves out what is not exported.
    pub star_skips_private: bool,
    /// Whether `import a.b` binds `a` only.
    pub import_binds_head: bool,
    /// Whether a file may have a default export, which `require` gives too.
    pub default_exports: bool,
    /// Whether a function that is defined in one file is declared in others.
    pub declarations: bool,
    /// Whether a symbol that is not exported is visible in its own file only.
    pub file_private: bool,
    /// Whether the members of an enum are names of what is around the enum.
    pub flat_enums: bool,
    /// Whether functions construct: a call without a return type gives an instance of the function.
    pub functions_construct: bool,
    /// Whether functions may start with a capital letter, so that one does not show a type.
    pub capital_functions: bool,
    /// Whether the members of the type around a function are named without a receiver.
    pub implicit_self: bool,
    /// Whether a package sees the names of the packages around it.
    pub outer_packages: bool,
    /// Whether a type or namespace may be opened again elsewhere, and is one with its other parts.
    pub reopened: bool,
    /// Whether functions extend types from outside, and are named by their own package.
    pub extensions: bool,
    /// Whether the word for the base, when it is called, calls the method that it stands in.
    pub super_is_method: bool,
    /// Whether a name that no scope and no import explains may be defined anywhere in the tree.
    pub global: bool,
    /// Whether importing a file gives what the file returns.
    pub returns: bool,
    /// Words for the value that a method was called on, and for its type.
    pub self_words: Vec<String>,
    /// Words for the same value, as its base type sees it.
    pub super_words: Vec<String>,
    /// What a constructor is called through: `new` in `Shelf.new`.
    pub constructors: Vec<String>,
    /// Types that are used like what they hold: `Optional[Shelf]`, `Promise<Shelf>`.
    pub wrappers: Vec<String>,
    /// Types that are unwrapped before their content is used: `Option<Shelf>`. They have the unwrappers and the
    /// common members themselves.
    pub containers: Vec<String>,
    /// Members that give the content of a value, or the value again: `unwrap`, `clone`.
    pub unwrappers: Vec<String>,
    /// Whether a type implements every interface whose methods it has.
    pub structural: bool,
    /// Names that are known in every file without being of the tree.
    pub builtins: Vec<String>,
    /// Members that values of the standard library have: such a name alone says nothing.
    pub common: Vec<String>,
}

/// How an import names what it imports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Modules {
    /// It has no imports that lead to files.
    #[default]
    None,
    /// By dotted module names and folders with `__init__.py`.
    Python,
    /// By relative paths, `package.json` and `tsconfig.json`.
    Script,
    /// By crate, module tree and `Cargo.toml`.
    Rust,
    /// By the import path of a folder, below the module of `go.mod`.
    Go,
    /// By package or namespace and name, whatever the file.
    Package,
    /// By the path of a header, from the including file's folder or from anywhere.
    Include,
    /// By a path or a dotted path, with the language's ending or without.
    Path,
    /// By the name of a target: a folder of sources.
    Target,
    /// By links of prose.
    Prose,
}

/// With which files a file shares its top-level names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shared {
    #[default]
    File,
    Folder,
    Package,
    Repository,
}

impl NameRule {
    pub fn is_default(&self) -> bool {
        *self == NameRule::default()
    }

    /// Whether it is prose, whose references are links and mentions of code.
    pub fn is_prose(&self) -> bool {
        self.modules == Modules::Prose
    }

    /// Whether it is code whose names are resolved.
    pub fn is_code(&self) -> bool {
        !self.family.is_empty() && !self.is_prose()
    }

    /// How an import of this style names its module.
    pub fn modules_of(&self, style: Option<&str>) -> Modules {
        style.and_then(|style| self.import_styles.get(style)).copied().unwrap_or(self.modules)
    }

    /// Whether paths lead through a tree of modules, in files and inside of them.
    pub fn has_module_tree(&self) -> bool {
        !self.module_words.is_empty()
    }

    pub fn is_module_word(&self, word: &str) -> bool {
        self.module_words.iter().any(|own| own == word)
    }
}
