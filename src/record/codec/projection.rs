//! Structs that read some fields of a record.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

use crate::record::{LanguageId, SymbolId};
use crate::text::RepoPath;

/// Declares a struct that reads some fields of one or several records. It does not compile if a record lacks such a
/// field, or if the field cannot be read as that type. The fields are declared in the order of their keys.
macro_rules! projection {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Row:ident $(<$life:lifetime>)? of $($Record:ty),+ {
            $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $Type:ty,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        $visibility struct $Row $(<$life>)? {
            $($(#[$field_meta])* $field_visibility $field: $Type,)+
        }

        $crate::record::codec::check_fields! { [$($Record),+] [$($life)?] [$($field: $Type,)+] }
    };
}

/// Compiles if every record has every field.
macro_rules! check_fields {
    ([$($Record:ty),+] $life:tt $fields:tt) => {
        $($crate::record::codec::check_fields! { @one $Record, $life $fields })+
    };
    (@one $Record:ty, [$($life:lifetime)?] [$($field:ident: $Type:ty,)+]) => {
        const _: () = {
            fn reads_as<R, T: $crate::record::codec::ReadAs<R>>(_: &T) {}

            #[allow(dead_code, clippy::extra_unused_lifetimes, reason = "compiling it is the check")]
            fn check<$($life)?>(record: &$Record) {
                $(reads_as::<$Type, _>(&record.$field);)+
            }
        };
    };
}
pub(crate) use check_fields;
pub(crate) use projection;

/// A field of a record that can be read as an `R`.
pub trait ReadAs<R> {}

impl<T> ReadAs<T> for T {}
impl<T> ReadAs<Option<Box<T>>> for Option<T> {}
impl<'l> ReadAs<Cow<'l, str>> for String {}
impl<'l> ReadAs<Cow<'l, str>> for RepoPath {}
impl<'l> ReadAs<Cow<'l, str>> for LanguageId {}
impl<'l> ReadAs<Cow<'l, str>> for SymbolId {}
impl<'l> ReadAs<Option<Cow<'l, str>>> for Option<String> {}
impl<'l> ReadAs<Option<Cow<'l, str>>> for Option<SymbolId> {}

/// Reads a text, borrowed if possible.
pub fn text<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Cow<'l, str>, D::Error> {
    #[derive(Deserialize)]
    struct Text<'l>(#[serde(borrow)] Cow<'l, str>);
    Ok(Text::deserialize(deserializer)?.0)
}

/// The same for an optional field: serde itself would copy such a text.
pub fn optional_text<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Option<Cow<'l, str>>, D::Error> {
    text(deserializer).map(Some)
}
