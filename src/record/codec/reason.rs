//! Why a text from a user is not the JSON that was expected, in words of JSON.

/// The reason without the names of types of this program.
pub fn plain_reason(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    for (marker, plain) in [("struct ", "an object"), ("enum ", "one of its words"), ("unit variant ", "a word")] {
        while let Some(start) = text.find(&format!("expected {marker}")).map(|start| start + "expected ".len()) {
            let name = &text[start + marker.len()..];
            let end = name.find([' ', ',']).unwrap_or(name.len());
            text.replace_range(start..start + marker.len() + end, plain);
        }
    }
    let words = [
        ("sequence", "a list"),
        ("a sequence", "a list"),
        ("map", "an object"),
        ("a map", "an object"),
        ("string", "the text"),
        ("boolean", "the switch"),
        ("integer", "the number"),
        ("floating point", "the number"),
        ("u32", "a whole number from 0 up"),
        ("a string", "a text"),
        ("a boolean", "true or false"),
    ];
    for (word, plain) in words {
        text = text.replace(&format!("invalid type: {word},"), &format!("found {plain},"));
        text = text.replace(&format!("invalid type: {word} "), &format!("found {plain} "));
        text = text.replace(&format!("invalid value: {word} "), &format!("found {plain} "));
        text = text.replace(&format!("expected {word} at"), &format!("expected {plain} at"));
        if let Some(start) = text.strip_suffix(&format!("expected {word}")) {
            text = format!("{start}expected {plain}");
        }
    }
    text.replace("invalid type: null", "found null").replace("unknown variant", "unknown word")
}

#[cfg(test)]
mod tests {
    use crate::record::request::PackRequest;

    #[test]
    fn a_reason_names_no_types() {
        for (text, expected) in [
            (r#"["load"]"#, "a request is a JSON object, such as {\"query\": \"…\"}"),
            (r#"{"budgets":"x"}"#, "found the text \"x\", expected an object"),
            (r#"{"budgets":["x"]}"#, "found the text \"x\", expected a whole number from 0 up"),
            (r#"{"query":3}"#, "found the number `3`, expected a text"),
            (r#"{"query":["x"]}"#, "found a list, expected a text"),
            (r#"{"includeExplain":1}"#, "found the number `1`, expected true or false"),
            (r#"{"focus":7}"#, "a focus is an object or a text"),
            (r#"{"filter":{"paths":"src"}}"#, "found the text \"src\", expected a list"),
        ] {
            let reason = PackRequest::read(text).unwrap_err();
            let (words, _) = reason.split_once(" at line").unwrap_or((&reason, ""));
            assert_eq!(words, expected, "{text}");
        }
        for text in [r#"{"expansion":[true]}"#, r#"{"intent":{"a":1}}"#, r#"{"intent":3}"#, "{", r#"{"ordering":[1]}"#]
        {
            let reason = PackRequest::read(text).unwrap_err();
            assert!(!["struct", "enum", "u32", "variant `"].iter().any(|word| reason.contains(word)), "{reason}");
        }
    }
}
