//! Plain text: only the places where it may be cut.

use super::facts::{Break, Facts};
use super::prose;
use super::table::Limits;

pub fn parse<'t>(text: &'t str, _limits: &Limits) -> Option<Facts<'t>> {
    let mut facts = Facts::default();
    let mut at = 0;
    let mut after_blank = true;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if !words.is_empty() {
            let depth = if after_blank { Some(0) } else { prose::list_item_indent(words).map(|_| 1) };
            facts.breaks.extend(depth.map(|depth| Break { offset: at as u32, depth }));
        }
        after_blank = words.is_empty();
        at += line.len();
    }
    Some(facts)
}

#[cfg(test)]
mod tests;
