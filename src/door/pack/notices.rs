//! What a pack says about its query before the first item.

use crate::assemble::Seeds;
use crate::text::one_line;

/// What the text of a pack says about the query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notices {
    /// One sentence per line.
    pub lines: Vec<String>,
    /// The pack shows only what matches, and is short.
    pub is_weak: bool,
}

/// How many names a notice lists.
const MAX_LISTED: usize = 5;
/// Longer names are cut.
const MAX_NAME_CHARS: usize = 60;

impl Notices {
    pub fn of(seeds: &Seeds) -> Self {
        let explain = &seeds.explain;
        let is_weak = explain.weak.is_some();
        let translated = explain.translated.iter().map(|one| format!("{} as {}", code(&one.word), one.to.join(", ")));
        let translated: Vec<String> = translated.take(MAX_LISTED).collect();
        let unknown =
            if is_weak || !translated.is_empty() || seeds.hits.is_empty() { &explain.unknown_words[..] } else { &[] };
        let absent: Vec<String> = seeds.stressed.iter().chain(unknown).cloned().collect();
        let weak = explain.weak.as_ref().map(|found| match found.is_empty() {
            true => "Weak match: no word of the query occurs in this tree.".to_string(),
            false => format!("Weak match: only {} {} in this tree.", list(found), occurs(found)),
        });
        let lines = [
            (!translated.is_empty()).then(|| format!("Read {}.", translated.join("; "))),
            (!absent.is_empty()).then(|| format!("Not in this tree: {}.", list(&absent))),
            weak,
        ];
        Notices { lines: lines.into_iter().flatten().collect(), is_weak }
    }
}

fn occurs(found: &[String]) -> &'static str {
    if found.len() == 1 { "occurs" } else { "occur" }
}

fn list(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_LISTED).map(|name| code(name)).collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    shown.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// A name as code, on one line and without backticks of its own.
fn code(name: &str) -> String {
    let name: String = one_line(name).chars().filter(|c| *c != '`').collect();
    match name.char_indices().nth(MAX_NAME_CHARS) {
        None => format!("`{name}`"),
        Some((end, _)) => format!("`{}…`", &name[..end]),
    }
}
