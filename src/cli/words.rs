//! Values that are words of the records, offered and checked by the names that the records give them.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::record::schema_words;

/// Takes the words of an enumeration; help lists them, and one that is misspelt is answered with the nearest.
pub fn words<T: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static>() -> impl TypedValueParser<Value = T> {
    // A command is built once, so its words may as well stay.
    let words: Vec<&'static str> = schema_words::<T>().into_iter().map(|word| &*word.leak()).collect();
    PossibleValuesParser::new(words).map(value)
}

/// The same for an enumeration whose values each have a line of help.
pub fn words_with_help<T, const N: usize>(all: [(T, &'static str); N]) -> impl TypedValueParser<Value = T>
where
    T: Serialize + DeserializeOwned + Clone + Send + Sync + 'static,
{
    let word = |value: &T| match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => &*word.leak(),
        _ => unreachable!("such an enumeration is written as words"),
    };
    PossibleValuesParser::new(all.map(|(value, help)| PossibleValue::new(word(&value)).help(help))).map(value)
}

fn value<T: DeserializeOwned>(word: String) -> T {
    serde_json::from_value(word.into()).expect("it is one of the words of its own schema")
}

#[cfg(test)]
mod tests {
    use super::schema_words;
    use crate::record::request::Intent;
    use crate::text::Tokenizer;

    #[test]
    fn a_type_says_what_its_values_are_called() {
        assert_eq!(schema_words::<Tokenizer>(), ["o200k_base", "cl100k_base"]);
        assert!(schema_words::<Intent>().contains(&"impact".to_string()));
    }
}
