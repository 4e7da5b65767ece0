//! The forms in which values are written, as parts of patterns.

use serde::Deserialize;

/// What is around the value of a rule's pattern.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Nothing that the pattern does not say.
    #[default]
    Exact,
    /// The secret ends where a word ends.
    Whole,
    /// A value that is given to a name, and ends with a quote.
    Quoted,
    /// A value that is given to a name. It may be without quotes and ends where a word ends.
    Plain,
    /// A value that is given to a name and has no quotes, as in settings, connection strings, URLs and command lines.
    /// Rules of this form set `until_value_end`.
    Bare,
}

impl Form {
    pub fn pattern(self, value: &str) -> String {
        match self {
            Form::Exact => value.to_string(),
            Form::Whole => format!(r"({value})(?:[^\w]|\z)"),
            Form::Quoted => format!(r#"{NAME}{ASSIGNED}({value})\\?["'`]"#),
            Form::Plain => format!(r"{NAME}{ASSIGNED}?({value})(?:[^\w+/=-]|\z)"),
            Form::Bare => format!(r"{NAME}[ \t]{{0,40}}[=:>][ \t]{{0,40}}({value})"),
        }
    }
}

/// The rest of the name that contains the keyword, and what may follow before a value is given to it: `key`, `"key"`,
/// `key[]`, `key: &str`, `name: key` with `value` on the next line, `"name": "key", "value"`. A name with a dot behind
/// the keyword is rather that of a file with its checksum.
const NAME: &str = concat!(
    r#"[\w-]{1,60}\\?["'`\])]{0,2}(?:\[\w{0,8}\])?(?:\s?:\s?[&'\w<>\[\]?]{1,24}(?: str)?)?"#,
    r#"(?:,?(?:\s|\\[nrt]|[#*/]){0,40}\\?["'`]?[Vv]alue\\?["'`]?)?"#,
);

/// How a value is given to a name: `KEY=…`, `"key": "…"`, `key => '…'`, `const key: &str = "…"`, `getenv("KEY", "…")`,
/// `<key>…`, `name="key" value="…"`. Around the sign are the blanks of a table, or a few breaks of lines; the quote is
/// last, so that a `?` behind it makes it optional.
const ASSIGNED: &str = concat!(
    r"(?:[ \t]{0,40}|\s{0,4})(?:=>|:=|={1,3}|!=|[:,(>])(?:[ \t]{0,40}|\s{0,4})",
    r#"(?:[A-Za-z@$]{0,2}\\?["'`])"#,
);
