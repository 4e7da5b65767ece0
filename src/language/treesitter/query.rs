//! A language's query with its captures understood.

use tree_sitter::Query;

use crate::record::{Kind, Role};

/// What a capture of `facts.scm` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `@def.KIND`: a whole definition.
    Definition(Kind),
    /// `@name`: the name of the definition, call, import or export of the same match.
    Name,
    /// `@body`: from here on a definition is not signature any more.
    Body,
    /// `@type`: what a definition returns or holds, what a parameter or local is declared as.
    Type,
    /// `@value`: what a local or a definition is set to.
    Value,
    /// `@elements`: the list that a loop takes a local from.
    Elements,
    /// `@container`: the type that a definition belongs to without standing inside it.
    Container,
    /// `@exported`, `@private`: a word that makes the definition visible to other files, or hides it.
    Exported,
    Private,
    /// `@doc`: a doc that stands inside its definition.
    Doc,
    /// `@call`: a whole call, with `@name`, `@receiver` and `@args`.
    Call,
    Receiver,
    Arguments,
    /// `@ref.use`, `@ref.type`, `@ref.inherit`: a name in that role, with `@receiver` where there is one.
    Reference(Role),
    /// `@import`, `@export`: a statement, with `@module`, `@name`, `@alias`.
    Import,
    Export,
    Module,
    Alias,
    /// `@param`, `@local`: a name that the function around it binds.
    Parameter,
    Local,
    /// `@scope`: something that is no definition and has locals of its own, such as a lambda.
    Scope,
    Comment,
    /// `@prefix`: an attribute or annotation that stands before its definition, not in it.
    Prefix,
    /// `@package`: the name that the whole file declares.
    Package,
    /// `@embedded`: a piece in another language, which `@language` or `#set! language` names.
    Embedded,
    Language,
}

pub struct FactsQuery {
    pub query: Query,
    tags: Vec<Option<Tag>>,
    settings: Vec<Settings>,
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
        Ok(FactsQuery { tags: tags?, settings: settings?, query })
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
    let tag = match name {
        "name" => Tag::Name,
        "body" => Tag::Body,
        "type" => Tag::Type,
        "value" => Tag::Value,
        "elements" | "each" => Tag::Elements,
        "container" => Tag::Container,
        "exported" => Tag::Exported,
        "private" => Tag::Private,
        "doc" => Tag::Doc,
        "call" => Tag::Call,
        "receiver" => Tag::Receiver,
        "args" => Tag::Arguments,
        "ref.use" => Tag::Reference(Role::Use),
        "ref.type" => Tag::Reference(Role::Type),
        "ref.inherit" => Tag::Reference(Role::Inherit),
        "import" => Tag::Import,
        "export" => Tag::Export,
        "module" => Tag::Module,
        "alias" => Tag::Alias,
        "param" => Tag::Parameter,
        "local" => Tag::Local,
        "scope" => Tag::Scope,
        "comment" => Tag::Comment,
        "prefix" => Tag::Prefix,
        "package" => Tag::Package,
        "embedded" => Tag::Embedded,
        "language" => Tag::Language,
        _ => return Err(format!("`@{name}` is not a capture that means something here")),
    };
    Ok(Some(tag))
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
