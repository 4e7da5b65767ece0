//! How a language's names are followed from file to file: a table that the graph stage reads.

use serde::{Deserialize, Serialize};

/// The `[names]` of a `language.toml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NameRule {
    /// Languages of one family name each other's definitions.
    pub family: String,
    pub modules: Modules,
    pub shared: Shared,
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
    /// Types that are opened before what they hold is used: `Option<Shelf>`. They have the openers and the
    /// common members themselves.
    pub holders: Vec<String>,
    /// Members that give what the value holds, or the value again: `unwrap`, `clone`.
    pub openers: Vec<String>,
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

    /// Whether a definition is found by its package and name.
    pub fn has_full_names(&self) -> bool {
        matches!(self.modules, Modules::Package | Modules::Include)
    }
}
