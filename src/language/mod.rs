//! Languages as data. A language is a table (`language.toml`), its queries (`facts.scm`) and the
//! grammar they are written for; where a parser made for the language is much faster, a front end
//! beside them gives the same [`Facts`]. Adding a language adds a folder and its line in `builtin.rs`.

mod builtin;
mod depth;
mod facts;
mod python;
mod table;
mod treesitter;

pub use facts::{
    Break, CallTarget, Definition, Embedded, Facts, Held, HeldSource, Mention, Param, ParseFailure, receiver_text,
};
pub use table::{Exported, FrontEnd, Language, LanguageError, LanguageRule, Languages, Limits, fits};

#[cfg(test)]
mod tests;
