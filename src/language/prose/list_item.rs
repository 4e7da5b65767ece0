//! Lines that start an item of a list.

/// Where an item's text starts, in bytes behind the line's own indentation; none when the line starts
/// no item. The line comes without its indentation.
pub fn list_item_indent(line: &str) -> Option<usize> {
    let mark = bullet_len(line).or_else(|| number_len(line))?;
    let rest = &line[mark..];
    let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (space > 0 || rest.is_empty()).then_some(mark + space)
}

fn bullet_len(line: &str) -> Option<usize> {
    line.chars().next().filter(|c| matches!(c, '-' | '*' | '+' | '•' | '・')).map(char::len_utf8)
}

/// `1.`, `2)`, `(a)`, `#.`
fn number_len(line: &str) -> Option<usize> {
    let open = usize::from(line.starts_with('('));
    let digits = line[open..].bytes().take_while(u8::is_ascii_digit).count();
    let single = line[open..].starts_with(|c: char| c == '#' || c.is_ascii_alphabetic());
    let len = if digits > 0 { digits } else { usize::from(single) };
    let close = line.as_bytes().get(open + len)?;
    (len > 0 && len < 10 && (*close == b')' || *close == b'.' && open == 0)).then_some(open + len + 1)
}
