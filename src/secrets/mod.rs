//! Finds keys, tokens and passwords in a text, and replaces them. Pure.
//!
//! A secret is replaced by a placeholder of the same length that depends on nothing but its rule and that length,
//! so that every offset and line is still that of the file on disk. The text around it does not change: a
//! variable keeps its name, and a private key its `BEGIN` and `END`.

mod around;
mod encoded_key;
mod forms;
mod placeholder;
mod private_key;
mod rules;
mod scan;
mod strength;

use std::ops::Range;

pub use scan::find;

/// One secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The id of the rule that found it.
    pub rule: &'static str,
    /// Its byte range. For a private key, all lines between the first and the last one.
    pub span: Range<usize>,
}

/// Replaces every secret, and says what they were. A text without any is not copied.
pub fn redact(mut text: String) -> (String, Vec<Finding>) {
    let findings = find(&text);
    for finding in &findings {
        let hidden = if private_key::is_rule(finding.rule) {
            placeholder::fill_block(finding.rule, &text[finding.span.clone()])
        } else {
            placeholder::fill(finding.rule, finding.span.len())
        };
        text.replace_range(finding.span.clone(), &hidden);
    }
    (text, findings)
}

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
