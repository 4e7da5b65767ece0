//! The forms in which values are written, as parts of patterns.

/// Blanks of a table, or a few breaks of lines.
macro_rules! blanks {
    () => {
        r"(?:[ \t]{0,40}|\s{0,4})"
    };
}

/// The rest of the name that contains the keyword, and what may follow before a value is given to it: `key`, `"key"`,
/// `key[]`, `key: &str`, `name: key` with `value` on the next line, `"name": "key", "value"`. A name with a dot behind
/// the keyword is rather that of a file with its checksum.
macro_rules! name {
    () => {
        concat!(
            r#"[\w-]{1,60}\\?["'`\])]{0,2}(?:\[\w{0,8}\])?(?:\s?:\s?[&'\w<>\[\]?]{1,24}(?: str)?)?"#,
            r#"(?:,?(?:\s|\\[nrt]|[#*/]){0,40}\\?["'`]?[Vv]alue\\?["'`]?)?"#,
        )
    };
}

/// A value that is given to a name: `KEY=…`, `"key": "…"`, `key => '…'`, `const key: &str = "…"`,
/// `getenv("KEY", "…")`, `<key>…`, `name="key" value="…"`.
macro_rules! assigned {
    ($quote:literal, $value:literal) => {
        concat!(
            name!(),
            blanks!(),
            r"(?:=>|:=|={1,3}|!=|[:,(>])",
            blanks!(),
            r#"(?:[A-Za-z@$]{0,2}\\?["'`])"#,
            $quote,
            "(",
            $value,
            ")",
        )
    };
}

/// The value ends with a quote.
macro_rules! quoted {
    ($value:literal) => {
        concat!(assigned!("", $value), r#"\\?["'`]"#)
    };
}

/// The value may be without quotes and ends where a word ends.
macro_rules! plain {
    ($value:literal) => {
        concat!(assigned!("?", $value), r"(?:[^\w+/=-]|\z)")
    };
}

/// The value has no quotes, as in settings, connection strings, URLs and command lines. See `a_value_ends`.
macro_rules! bare {
    ($value:literal) => {
        concat!(name!(), r"[ \t]{0,40}[=:>][ \t]{0,40}(", $value, ")")
    };
}

/// The secret ends where a word ends.
macro_rules! whole {
    ($secret:literal) => {
        concat!("(", $secret, r")(?:[^\w]|\z)")
    };
}
