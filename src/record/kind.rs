//! Kinds of definitions, across languages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of a symbol and of the chunk that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    Class,
    Interface,
    Trait,
    Struct,
    Enum,
    Union,
    Object,
    Extension,
    /// Members that are defined apart from their type, as in Rust; a chunk, but no symbol of its own.
    Impl,
    Namespace,
    Function,
    Method,
    Constructor,
    Macro,
    /// A getter or setter: called like a method, read like a field.
    Property,
    Field,
    Variable,
    Constant,
    EnumMember,
    /// A name for a type: alias, typedef, associated type.
    Type,
    /// A heading and the prose below it, up to the next heading.
    Section,
    /// A key of a data file.
    Key,
    /// A table of a data file or a database.
    Table,
    /// A view, index, trigger or procedure of a database, a block of a configuration.
    Block,
    /// A style rule.
    Rule,
    /// An element of a page that has a name.
    Element,
    Message,
    Service,
    /// Code that stands outside every definition.
    Module,
    /// Lines of a file without structure.
    Text,
    /// A spec document's front matter; its name is the document's id, its type the document's role.
    Spec,
    /// A note, a page, a block or a row.
    Item,
    /// A tag that items have.
    Tag,
}

/// How the chunk stage cuts a definition out of its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A chunk of its own.
    Whole,
    /// A skeleton of its header, fields and member signatures, and each member a chunk of its own.
    Members,
    /// No chunk: it stays in the text around it.
    Inline,
}

impl Kind {
    /// Kinds in words, as queries and tables spell them.
    pub fn parse(word: &str) -> Option<Kind> {
        serde_json::from_value(serde_json::Value::String(word.to_string())).ok()
    }

    pub fn cut(self) -> Cut {
        use Kind::*;
        match self {
            Class | Interface | Trait | Struct | Enum | Union | Object | Extension | Impl | Namespace | Service => {
                Cut::Members
            }
            Function | Method | Constructor | Macro | Property | Section | Table | Block | Message | Spec | Item
            | Tag => Cut::Whole,
            Field | Variable | Constant | EnumMember | Type | Key | Rule | Element | Module | Text => Cut::Inline,
        }
    }

    /// Whether a body of this kind holds local names.
    pub fn is_callable(self) -> bool {
        matches!(self, Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro | Kind::Property)
    }

    /// Whether symbols of this kind are types whose members are looked up by a receiver.
    pub fn is_type(self) -> bool {
        use Kind::*;
        matches!(self, Class | Interface | Trait | Struct | Enum | Union | Object | Extension | Impl | Message | Type)
    }
}
