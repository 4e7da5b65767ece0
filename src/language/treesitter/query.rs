//! A language's query with its captures understood.

use std::num::NonZeroU16;

use tree_sitter::Query;

use crate::record::{Kind, Role};

macro_rules! tags {
    ($($(#[$doc:meta])* $tag:ident $name:literal,)+) => {
        /// What a capture of `facts.scm` means.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Tag {
            /// `@def.KIND`: a whole definition.
            Definition(Kind),
            /// `@ref.use`, `@ref.type`, `@ref.inherit`: a name in that role, with `@receiver` where there is one.
            Reference(Role),
            $($(#[$doc])* $tag,)+
        }

        impl Tag {
            fn named(name: &str) -> Option<Tag> {
                match name {
                    $($name => Some(Tag::$tag),)+
                    _ => None,
                }
            }
        }
    };
}

tags! {
    /// The name of the definition, call, import or export of the same match.
    Name "name",
    /// From here on a definition is not signature any more.
    Body "body",
    /// What a definition returns or holds, what a parameter or local is declared as.
    Type "type",
    /// What a local or a definition is set to.
    Value "value",
    /// The list that a loop takes a local from.
    Elements "elements",
    /// The type that a definition belongs to without standing inside it.
    Container "container",
    /// A word that makes the definition visible to other files.
    Exported "exported",
    /// A word that hides it.
    Private "private",
    /// A doc that stands inside its definition.
    Doc "doc",
    /// A whole call, with `@name`, `@receiver` and `@args`.
    Call "call",
    Receiver "receiver",
    Arguments "args",
    /// A statement, with `@module`, `@name`, `@alias`.
    Import "import",
    Export "export",
    Module "module",
    Alias "alias",
    /// A name that the function around it binds.
    Parameter "param",
    Local "local",
    /// Something that is no definition and has locals of its own, such as a lambda.
    Scope "scope",
    Comment "comment",
    /// An attribute or annotation that stands before its definition, not in it.
    Prefix "prefix",
    /// The name that the whole file declares.
    Package "package",
    /// A piece in another language, which `@language` or `#set! language` names.
    Embedded "embedded",
    Language "language",
}

pub struct FactsQuery {
    pub query: Query,
    tags: Vec<Option<Tag>>,
    settings: Vec<Settings>,
    /// The grammar's field `value`.
    pub value_field: Option<NonZeroU16>,
}

/// What `#set!` says of a pattern.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The language's own word for this kind of import or export.
    pub style: Option<String>,
    /// A name that is not in the text: `*` for all of a module, `default`.
    pub name: Option<String>,
    pub language: Option<String>,
    /// What stands between the pieces of a module that is captured in several.
    pub join: Option<String>,
    /// Methods have names of their own, which no local hides.
    pub apart: bool,
}

impl FactsQuery {
    pub fn new(grammar: &tree_sitter::Language, text: &str) -> Result<Self, String> {
        let query = Query::new(grammar, text).map_err(|error| error.to_string())?;
        let tags: Result<Vec<_>, String> = query.capture_names().iter().map(|name| tag(name)).collect();
        let settings: Result<Vec<_>, String> = (0..query.pattern_count()).map(|at| settings(&query, at)).collect();
        let value_field = grammar.field_id_for_name("value");
        Ok(FactsQuery { tags: tags?, settings: settings?, value_field, query })
    }

    pub fn tag(&self, capture: u32) -> Option<Tag> {
        self.tags[capture as usize]
    }

    pub fn settings(&self, pattern: usize) -> &Settings {
        &self.settings[pattern]
    }
}

/// Captures that start with an underscore are the query's own, for its predicates.
fn tag(name: &str) -> Result<Option<Tag>, String> {
    if name.starts_with('_') {
        return Ok(None);
    }
    if let Some(word) = name.strip_prefix("def.") {
        let kind = Kind::parse(word).ok_or_else(|| format!("`@{name}`: there is no kind `{word}`"))?;
        return Ok(Some(Tag::Definition(kind)));
    }
    let role = match name {
        "ref.use" => Some(Role::Use),
        "ref.type" => Some(Role::Type),
        "ref.inherit" => Some(Role::Inherit),
        _ => None,
    };
    let tag = role.map(Tag::Reference).or_else(|| Tag::named(name));
    tag.map(Some).ok_or_else(|| format!("`@{name}` is not a capture that means something here"))
}

fn settings(query: &Query, pattern: usize) -> Result<Settings, String> {
    let mut settings = Settings::default();
    for property in query.property_settings(pattern) {
        let value = property.value.as_deref().map(str::to_string);
        match &*property.key {
            "style" => settings.style = value,
            "name" => settings.name = value,
            "language" => settings.language = value,
            "join" => settings.join = value,
            "apart" => settings.apart = true,
            other => return Err(format!("`#set! {other}`: only style, name, language, join and apart can be set")),
        }
    }
    Ok(settings)
}
