//! Languages as data. A language is a table (`language.toml`), its queries (`facts.scm`) and the grammar that they are
//! written for. Where a parser made for the language is much faster, a front end beside them gives the same [`Facts`].
//! Prose has no grammar, only a front end. A new language is a directory and a line in `builtin.rs`.

mod builtin;
mod comments;
mod dart;
mod definitions;
mod depth;
mod facts;
mod go;
mod markdown;
pub mod modules;
mod names;
mod prose;
mod python;
mod rst;
mod rust;
mod script;
mod table;
mod text;
mod treesitter;

pub use facts::{
    Break, CallTarget, Complaint, Definition, Embedded, Facts, Held, HeldSource, Mention, Param, ParseFailure,
    receiver_text,
};
pub use markdown::{
    Piece, PieceKind, PieceLink, Prose, ProseBlock, ProseFence, ProseLink, ProseOutline, headings as markdown_headings,
    open_fence as markdown_open_fence, pieces as markdown_pieces, read_prose,
};
pub use names::{Modules, NameRule, Shared};
pub use prose::{Heading, capped_name, is_external, link_mention, list_item_indent};
pub use table::{Exported, FrontEnd, Language, LanguageError, LanguageRule, Languages, Limits, builtin_rule};

#[cfg(test)]
mod rule_tests;
#[cfg(test)]
mod tests;
