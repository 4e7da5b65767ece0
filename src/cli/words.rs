//! Values that are words of the records, offered and checked by the names that the records give them.

use std::fmt;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

/// Takes the words of an enumeration; help lists them, and one that is misspelt is answered with the nearest.
pub fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names::<T>())
        .map(|word| serde_json::from_value(word.into()).expect("it is one of the names that the type itself gives"))
}

/// What the type calls its values.
fn names<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // The type lists its names to the deserializer, which then fails on purpose.
    drop(T::deserialize(Ask(&mut names)));
    names
}

struct Ask<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Ask<'_> {
    type Error = Error;

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = variants;
        Err(serde::de::Error::custom(NoValue))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom(NoValue))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct NoValue;

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("only the names of the values were asked for")
    }
}

#[cfg(test)]
mod tests {
    use super::names;
    use crate::record::request::Intent;
    use crate::text::Tokenizer;

    #[test]
    fn a_type_says_what_its_values_are_called() {
        assert_eq!(names::<Tokenizer>(), ["o200k_base", "cl100k_base"]);
        assert!(names::<Intent>().contains(&"impact"));
    }
}
