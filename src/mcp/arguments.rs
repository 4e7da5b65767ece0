//! The arguments of a call, read by its tool's schema. What no schema names is refused and named; a number, a switch
//! or a list that came as text is taken for what it plainly is.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::fault::Fault;
use crate::record::ErrorCode;
use crate::record::request::MAX_QUERY_BYTES;

/// Far more than anyone names, and few enough to compare with each other.
const MAX_LIST: usize = 256;
/// Of a name, an id or a path.
pub const MAX_NAME_BYTES: usize = 4096;

pub struct Arguments<'t> {
    tool: &'t str,
    schema: &'t Map<String, Value>,
    values: Map<String, Value>,
}

impl<'t> Arguments<'t> {
    /// One that is null is not given.
    pub fn new(tool: &'t str, schema: &'t Map<String, Value>, given: Map<String, Value>) -> Self {
        let values = given.into_iter().filter(|(_, value)| !value.is_null()).collect();
        Arguments { tool, schema, values }
    }

    /// A misspelt argument that is passed over gives an answer to another question.
    pub fn refuse_unknown(&self) -> Result<(), Fault> {
        let known: Vec<&str> = self.properties().map(|(name, _)| name.as_str()).collect();
        let unknown: Vec<&str> = self.values.keys().map(String::as_str).filter(|name| !known.contains(name)).collect();
        let Some(first) = unknown.first() else { return Ok(()) };
        let names: Vec<String> = unknown.iter().take(MAX_NAMED).map(|name| quoted(name)).collect();
        let message = format!("{} has no argument {}", self.tool, names.join(", "));
        Err(Fault::bad_request(message).hint(did_you_mean(first, &known, "it takes")))
    }

    pub fn text(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.values.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() > MAX_QUERY_BYTES => Err(self.too_long(name, text.len())),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.wrong(name, other, "a text")),
        }
    }

    /// Something that is looked up.
    pub fn name(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.text(name)? {
            Some(text) if text.len() > MAX_NAME_BYTES => Err(self.too_long(name, text.len())),
            text => Ok(text),
        }
    }

    pub fn required(&self, name: &str) -> Result<String, Fault> {
        self.name(name)?.ok_or_else(|| self.missing(name))
    }

    pub fn missing(&self, name: &str) -> Fault {
        Fault::bad_request(format!("{} needs `{name}`", self.tool))
    }

    pub fn count(&self, name: &str) -> Result<Option<u32>, Fault> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let number = whole_number(value).ok_or_else(|| self.wrong(name, value, "a whole number from 0 up"))?;
        Ok(Some(number))
    }

    pub fn count_between(&self, name: &str, least: u32, most: u32) -> Result<Option<u32>, Fault> {
        match self.count(name)? {
            Some(number) if !(least..=most).contains(&number) => {
                Err(Fault::bad_request(format!("`{name}` is {number} and may be from {least} to {most}")))
            }
            number => Ok(number),
        }
    }

    pub fn switch(&self, name: &str) -> Result<Option<bool>, Fault> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        Ok(Some(switch(value).ok_or_else(|| self.wrong(name, value, "true or false"))?))
    }

    pub fn list(&self, name: &str) -> Result<Option<Vec<String>>, Fault> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let texts = texts(value).ok_or_else(|| self.wrong(name, value, "a list of texts"))?;
        if texts.len() > MAX_LIST {
            let message = format!("`{name}` has {} entries and may have at most {MAX_LIST}", texts.len());
            return Err(Fault::bad_request(message));
        }
        match texts.iter().find(|text| text.len() > MAX_NAME_BYTES) {
            Some(text) => Err(self.too_long(name, text.len())),
            None => Ok(Some(texts)),
        }
    }

    /// One of the words that the schema lists.
    pub fn word<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Fault> {
        self.name(name)?.map(|word| self.meant(name, &word)).transpose()
    }

    pub fn words<T: DeserializeOwned>(&self, name: &str) -> Result<Option<Vec<T>>, Fault> {
        let Some(words) = self.list(name)? else { return Ok(None) };
        words.iter().map(|word| self.meant(name, word)).collect::<Result<Vec<T>, Fault>>().map(Some)
    }

    /// An object, or the JSON text of one.
    pub fn object(&self, name: &str) -> Result<Option<Map<String, Value>>, Fault> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let parsed = value.as_str().and_then(|text| serde_json::from_str(text).ok());
        match parsed.as_ref().unwrap_or(value) {
            Value::Object(object) => Ok(Some(object.clone())),
            _ => Err(self.wrong(name, value, "an object")),
        }
    }

    fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.schema.get("properties").and_then(Value::as_object).into_iter().flatten()
    }

    fn meant<T: DeserializeOwned>(&self, name: &str, word: &str) -> Result<T, Fault> {
        let property = self.properties().find(|(known, _)| *known == name).map(|(_, schema)| schema);
        let listed = property.and_then(|schema| schema.get("enum").or_else(|| schema.pointer("/items/enum")));
        let words: Vec<&str> =
            listed.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let meant = words.iter().find(|known| known.eq_ignore_ascii_case(word.trim()));
        let known = meant.and_then(|meant| serde_json::from_value((*meant).into()).ok());
        known.ok_or_else(|| {
            Fault::bad_request(format!("`{name}` cannot be {}", quoted(word))).hint(did_you_mean(
                word.trim(),
                &words,
                "one of",
            ))
        })
    }

    fn wrong(&self, name: &str, value: &Value, wanted: &str) -> Fault {
        Fault::bad_request(format!("`{name}` is {} and has to be {wanted}", described(value)))
    }

    fn too_long(&self, name: &str, bytes: usize) -> Fault {
        Fault::new(ErrorCode::BudgetExceeded, format!("`{name}` is too long with {bytes} bytes"))
    }
}

/// How many names an error lists.
const MAX_NAMED: usize = 5;

/// A number, or a text of nothing but its digits.
pub fn whole_number(value: &Value) -> Option<u32> {
    let from_float =
        |float: f64| (float.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&float)).then_some(float as u32);
    match value {
        Value::Number(number) => match number.as_u64() {
            Some(whole) => u32::try_from(whole).ok(),
            None => number.as_f64().and_then(from_float),
        },
        Value::String(text) => {
            let digits = text.trim();
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
        }
        _ => None,
    }
}

pub fn switch(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(on) => Some(*on),
        Value::String(text) if text.trim().eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.trim().eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// A list, the JSON text of one, or a text with commas between the entries.
pub fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(values) => values.iter().map(|value| value.as_str().map(str::to_string)).collect(),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Array(values)) => texts(&Value::Array(values)),
            _ => Some(text.split(',').map(str::trim).filter(|entry| !entry.is_empty()).map(str::to_string).collect()),
        },
        _ => None,
    }
}

/// The nearest word, if one is near, and all that are known.
pub fn did_you_mean(word: &str, known: &[&str], all: &str) -> String {
    let meant = nearest(word, known).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    format!("{meant}{all} {}", known.join(", "))
}

/// The known word with the smallest edit distance, unless all are too far.
fn nearest<'w>(word: &str, known: &[&'w str]) -> Option<&'w str> {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).take(64).collect::<String>().to_lowercase();
    let word = plain(word);
    let far = (word.chars().count() / 2).max(1);
    let distances = known.iter().map(|known| (strsim::levenshtein(&word, &plain(known)), *known));
    distances.min().filter(|(distance, _)| *distance <= far).map(|(_, known)| known)
}

/// A word of the caller's in a message: on one line, and not longer than the message.
pub fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let shown: String = crate::text::one_line(text).chars().take(MAX_CHARS).collect();
    let more = if text.chars().nth(MAX_CHARS).is_some() { "…" } else { "" };
    format!("`{shown}{more}`")
}

fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        Value::Bool(on) => format!("the switch {on}"),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(values) => format!("a list of {}", values.len()),
        Value::Object(_) => "an object".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::request::Intent;

    const SCHEMA: &str = r#"{"properties":{"query":{},"max_tokens":{},"views":{"items":{"enum":["callers","callees"]}},
        "intent":{"enum":["answer","impact"]}}}"#;

    /// What some arguments say, by one question.
    fn read<T>(given: Value, question: impl FnOnce(&Arguments) -> Result<T, Fault>) -> Result<T, Fault> {
        let schema: Map<String, Value> = serde_json::from_str(SCHEMA).unwrap();
        let Value::Object(given) = given else { panic!("arguments are an object") };
        question(&Arguments::new("tool", &schema, given))
    }

    #[test]
    fn an_unknown_argument_is_refused_with_the_one_that_was_meant() {
        let fault = read(json!({ "max_token": 3 }), |arguments| arguments.refuse_unknown()).unwrap_err();
        assert_eq!((fault.code, fault.message.as_str()), (ErrorCode::BadRequest, "tool has no argument `max_token`"));
        assert!(fault.hint.unwrap().starts_with("did you mean `max_tokens`? it takes "));
        assert_eq!(read(json!({ "query": null, "nothing": null }), |arguments| arguments.refuse_unknown()), Ok(()));
    }

    #[test]
    fn numbers_may_come_as_text_and_nothing_else() {
        let count = |value: Value| read(json!({ "max_tokens": value }), |arguments| arguments.count("max_tokens"));
        assert_eq!(count(json!(7)), Ok(Some(7)));
        assert_eq!(count(json!(7.0)), Ok(Some(7)));
        assert_eq!(count(json!(" 7 ")), Ok(Some(7)));
        assert_eq!(count(json!(null)), Ok(None));
        for wrong in [json!(-1), json!(1.5), json!("7k"), json!(true), json!([7]), json!(1u64 << 40)] {
            assert_eq!(count(wrong.clone()).unwrap_err().code, ErrorCode::BadRequest, "{wrong}");
        }
    }

    #[test]
    fn a_number_has_to_be_in_its_range() {
        let between =
            |value: u32| read(json!({ "max_tokens": value }), |arguments| arguments.count_between("max_tokens", 1, 4));
        assert_eq!((between(1), between(4)), (Ok(Some(1)), Ok(Some(4))));
        assert_eq!(between(5).unwrap_err().message, "`max_tokens` is 5 and may be from 1 to 4");
        assert!(between(0).is_err());
    }

    #[test]
    fn lists_may_come_as_text() {
        let list = |value: Value| read(json!({ "views": value }), |arguments| arguments.list("views"));
        let both = Ok(Some(vec!["a".to_string(), "b".to_string()]));
        for given in [json!(["a", "b"]), json!("a, b"), json!("[\"a\",\"b\"]")] {
            assert_eq!(list(given.clone()), both, "{given}");
        }
        assert!(list(json!(["a", 1])).is_err() && list(json!({})).is_err());
        assert!(list(json!(vec!["a"; MAX_LIST + 1])).is_err());
        assert_eq!(list(json!(["x".repeat(MAX_NAME_BYTES + 1)])).unwrap_err().code, ErrorCode::BudgetExceeded);
    }

    #[test]
    fn words_are_those_of_the_schema() {
        let word = |value: &str| read(json!({ "intent": value }), |arguments| arguments.word::<Intent>("intent"));
        assert_eq!(word(" Impact ").unwrap(), Some(Intent::Impact));
        let fault = word("impcat").unwrap_err();
        assert_eq!(fault.message, "`intent` cannot be `impcat`");
        assert_eq!(fault.hint.unwrap(), "did you mean `impact`? one of answer, impact");
        assert!(word("debug").is_err(), "a word that the type knows but the schema does not list");
    }

    #[test]
    fn texts_have_a_length() {
        let text = |value: Value| read(json!({ "query": value }), |arguments| arguments.text("query"));
        assert_eq!(text(json!("why")), Ok(Some("why".to_string())));
        assert!(text(json!(3)).is_err());
        assert_eq!(text(json!("x".repeat(MAX_QUERY_BYTES + 1))).unwrap_err().code, ErrorCode::BudgetExceeded);
        let required = read(json!({}), |arguments| arguments.required("query")).unwrap_err();
        assert_eq!(required.message, "tool needs `query`");
    }

    #[test]
    fn what_a_caller_wrote_stays_on_one_line_of_a_message() {
        assert_eq!(quoted("a\nb"), format!("`{}`", crate::text::one_line("a\nb")));
        assert!(!quoted("a\nb").contains('\n'));
        assert_eq!(quoted(&"x".repeat(81)), format!("`{}…`", "x".repeat(80)));
    }

    #[test]
    fn the_nearest_word_is_close_to_what_was_typed() {
        let known = ["maxItems", "query", "repoRoot"];
        for (word, expected) in [
            ("max_items", Some("maxItems")),
            ("qery", Some("query")),
            ("reporoots", Some("repoRoot")),
            ("x", None),
            ("something else", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, &known), expected, "{word}");
        }
    }
}
