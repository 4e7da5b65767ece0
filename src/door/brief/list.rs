//! Lists that end where their room ends: names of notes, changes, related notes.

use crate::text::Tokenizer;

/// A list as it is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortList {
    pub text: String,
    /// How many lines are shown.
    pub shown: usize,
    pub tokens: u32,
}

/// The longest beginning of a list that fits. If lines are left out, the last line says how many; it is paid for
/// beforehand at its longest, so that more room never shows fewer lines. Lines end with a line break, and so does what
/// is printed before the list.
pub fn fit<'l>(
    lines: impl Iterator<Item = &'l str> + Clone,
    heading: &str,
    total: usize,
    room: u32,
    tokenizer: Tokenizer,
) -> ShortList {
    let count = |text: &str| u32::try_from(tokenizer.count(text)).unwrap_or(u32::MAX);
    let all = count_until(lines.clone(), count(heading), room, &count);
    if all.len() == total && !all.is_empty() {
        return list(lines, heading, total, total, all.last().copied().unwrap_or_default());
    }
    let tail = count(&tail(total));
    let kept = all.iter().take_while(|tokens| tokens.saturating_add(tail) <= room).count();
    match kept {
        0 => ShortList::default(),
        kept => list(lines, heading, total, kept, 0).counted(&count),
    }
}

/// The tokens up to each line, as far as they fit.
fn count_until<'l>(
    lines: impl Iterator<Item = &'l str>,
    start: u32,
    room: u32,
    count: &impl Fn(&str) -> u32,
) -> Vec<u32> {
    let mut spent = start;
    let mut sums = Vec::new();
    for line in lines {
        spent = spent.saturating_add(count(line));
        if spent > room {
            break;
        }
        sums.push(spent);
    }
    sums
}

fn list<'l>(lines: impl Iterator<Item = &'l str>, heading: &str, total: usize, shown: usize, tokens: u32) -> ShortList {
    let mut text = heading.to_string();
    lines.take(shown).for_each(|line| text += line);
    if shown < total {
        text += &tail(total - shown);
    }
    ShortList { text, shown, tokens }
}

impl ShortList {
    fn counted(mut self, count: &impl Fn(&str) -> u32) -> Self {
        self.tokens = count(&self.text);
        self
    }
}

/// The line that says how many are left out.
pub fn tail(left: usize) -> String {
    format!("- and {left} more\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const O200K: Tokenizer = Tokenizer::O200kBase;

    fn lines(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("- note number {at} [person]\n")).collect()
    }

    fn fitted(lines: &[String], room: u32) -> ShortList {
        fit(lines.iter().map(String::as_str), "## Also related\n", lines.len(), room, O200K)
    }

    #[test]
    fn a_list_never_exceeds_its_room_and_never_shrinks() {
        for total in [0, 1, 9, 10, 91, 300] {
            let lines = lines(total);
            let mut last = 0;
            for room in 0..900 {
                let list = fitted(&lines, room);
                assert_eq!(list.tokens as usize, O200K.count(&list.text), "{total} {room}");
                assert!(list.tokens <= room, "{total} {room}: {list:?}");
                assert!(list.shown >= last, "{total} {room}");
                last = list.shown;
            }
        }
    }

    #[test]
    fn the_last_line_counts_what_is_left_out() {
        let all = lines(91);
        let list = fitted(&all, 200);
        assert!(list.shown > 5 && list.text.ends_with(&format!("- and {} more\n", 91 - list.shown)), "{}", list.text);
        let whole = fitted(&lines(3), 900);
        assert!(whole.shown == 3 && !whole.text.contains("more"), "{}", whole.text);
        assert_eq!(fitted(&all, 3), ShortList::default());
    }
}
