//! Compares headings with texts that name them. Numbers before headings do not matter.

use crate::text::is_unspaced;

/// How much of a heading a text names, the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    Whole,
    Beginning,
}

impl Fit {
    /// The best fit of a text with or without its number, and the heading with or without its own.
    pub fn of(text: &str, heading: &str) -> Option<Fit> {
        let fits = [fit(text, heading), fit(without_number(text), without_number(heading))];
        fits.into_iter().flatten().min()
    }
}

/// A beginning ends where a word does, in scripts that show where that is.
fn fit(text: &str, name: &str) -> Option<Fit> {
    let rest = name.strip_prefix(text)?;
    let in_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    if rest.is_empty() {
        Some(Fit::Whole)
    } else if in_word(text.chars().next_back()) && in_word(rest.chars().next()) {
        None
    } else {
        Some(Fit::Beginning)
    }
}

/// `4. Summary`, `4.1 Summary`, `４．概要`, `(4) Summary`, `第4章 概要` and `④ 概要` without what counts them.
pub fn without_number(name: &str) -> &str {
    let name = name.trim();
    let is_count = |c: char| c.is_ascii_digit() || matches!(c, '０'..='９' | '①'..='⑳');
    let start = name.trim_start_matches(['(', '（', '第']);
    if !start.starts_with(is_count) {
        return name;
    }
    let counted = start.trim_start_matches(|c: char| is_count(c) || ".．-)）、:：".contains(c));
    let rest = if name.starts_with('第') {
        counted.strip_prefix(['章', '節', '部', '条', '項']).unwrap_or(counted)
    } else {
        counted
    };
    let rest = rest.trim_start();
    if rest.is_empty() { name } else { rest }
}
