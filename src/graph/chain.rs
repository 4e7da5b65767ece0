//! Parses a receiver or a type as it is written.

/// One name of a chain such as `a.b().c[]` or `<A | B>.c`, with what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link<'t> {
    pub name: &'t str,
    pub suffix: Suffix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    None,
    Call,
    Index,
}

/// The names of a chain, the first of which may be a type in angle brackets; none if the text is not a chain.
pub fn links(text: &str) -> Option<Vec<Link<'_>>> {
    let mut links: Vec<Link> = Vec::new();
    // A name that starts at the outermost package is a full name.
    let mut rest = text.trim();
    while let Some(inside) = rest.strip_prefix("::") {
        rest = inside;
    }
    rest = rest.trim_start_matches('\\');
    while !rest.is_empty() {
        let length = match links.is_empty() && rest.starts_with('<') {
            true => closed(rest)?,
            false => name_length(rest),
        };
        if length == 0 {
            return None;
        }
        let (name, behind) = rest.split_at(length);
        let (suffix, behind) = suffix(behind)?;
        links.push(Link { name, suffix });
        let joined =
            [".", "::", "->", "?.", "?->", "!.", "!!.", "\\"].iter().find_map(|joint| behind.strip_prefix(joint));
        rest = match joined {
            Some(rest) if !rest.is_empty() => rest,
            None if behind.is_empty() => "",
            _ => return None,
        };
    }
    (!links.is_empty()).then_some(links)
}

/// The length of the angle brackets that a text starts with. The `>` of an arrow does not close them.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        depth += match c {
            '<' => 1,
            '>' if !matches!(last, '=' | '-') => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some(at + 1);
        }
        last = c;
    }
    None
}

/// The length of the name that a text starts with. Nearly all are ASCII, which needs no decoding.
fn name_length(text: &str) -> usize {
    let is_plain = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'#');
    let plain = text.as_bytes().iter().take_while(is_plain).count();
    match text.as_bytes().get(plain) {
        Some(128..) => text.find(|c: char| !is_name(c)).unwrap_or(text.len()),
        _ => plain,
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#')
}

/// The suffix of a name, and the rest. Several suffixes count as an index, since their result is not known.
fn suffix(text: &str) -> Option<(Suffix, &str)> {
    let mut found = Suffix::None;
    let mut rest = text;
    loop {
        let (next, close) = match rest.as_bytes().first() {
            Some(b'(') => (Suffix::Call, ')'),
            Some(b'[') => (Suffix::Index, ']'),
            Some(b'?' | b'!') if rest.len() == 1 => return Some((found, "")),
            _ => return Some((found, rest)),
        };
        found = if found == Suffix::None { next } else { Suffix::Index };
        rest = &rest[rest.find(close)? + 1..];
    }
}

/// The alternatives of a type, each with its arguments: `Map<K, V> | null` is `Map` with two and `null`.
pub fn alternatives(text: &str) -> Vec<WrittenType<'_>> {
    if is_bare(text) {
        return written_bare(text).into_iter().collect();
    }
    let text = text.trim().trim_matches(['"', '\'']);
    split_at_depth_zero(text, '|').into_iter().filter_map(written).collect()
}

/// Whether a text is one name and nothing else, as most types are. Only ASCII is looked for.
fn is_bare(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'#' | b'.' | b':' | b'\\'))
}

fn written_bare(text: &str) -> Option<WrittenType<'_>> {
    let name = text.trim_end_matches(['.', ':']);
    (!name.is_empty()).then_some(WrittenType { name, arguments: Vec::new(), is_list: false })
}

/// The name of a type and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenType<'t> {
    pub name: &'t str,
    pub arguments: Vec<&'t str>,
    /// `T[]`, `[]T`, `&[T]`: a list of it.
    pub is_list: bool,
}

fn written(text: &str) -> Option<WrittenType<'_>> {
    let mut text = text.trim().trim_matches(['"', '\'']);
    let mut is_list = false;
    loop {
        let bare = text.trim_start_matches(['&', '*', '?', '(', '^']).trim_start();
        let bare = WORDS.iter().find_map(|word| bare.strip_prefix(word)).unwrap_or(bare);
        let bare = lifetime(bare);
        let bare = match bare.strip_prefix("[]") {
            Some(rest) => {
                is_list = true;
                rest
            }
            None => bare,
        };
        if bare == text {
            break;
        }
        text = bare;
    }
    if let Some(inside) = text.strip_prefix('[').and_then(|inside| Some(&inside[..inside.rfind(']')?])) {
        return bracketed(inside);
    }
    let end = text.find(|c: char| !(is_name(c) || matches!(c, '.' | ':' | '\\'))).unwrap_or(text.len());
    let (name, behind) = text.split_at(end);
    let name = name.trim_end_matches(['.', ':']);
    let behind = behind.trim_start();
    is_list |= behind.starts_with("[]");
    let inside = behind.strip_prefix(['<', '[']).and_then(|inside| Some(&inside[..inside.rfind(['>', ']'])?]));
    let mut arguments = inside.map(|inside| split_at_depth_zero(inside, ',')).unwrap_or_default();
    // Go writes the value type of a map behind the brackets.
    if let ("map", Some((_, value))) = (name, behind.split_once(']')) {
        arguments.push(value);
    }
    (!name.is_empty()).then_some(WrittenType { name, arguments, is_list })
}

/// The elements of `[T]`, `[T; 4]` and `[K: V]` are of the last type; a tuple `[A, B]` is not a list.
fn bracketed(inside: &str) -> Option<WrittenType<'_>> {
    let [list] = split_at_depth_zero(inside, ',')[..] else { return None };
    let each = split_at_depth_zero(list, ';').first().copied()?;
    let value = each.split_once(": ").map_or(each, |(_, value)| value);
    Some(WrittenType { name: "[]", arguments: vec![value.trim()], is_list: false })
}

/// Words before a type that do not change it.
const WORDS: &[&str] =
    &["mut ", "const ", "dyn ", "impl ", "readonly ", "final ", "typeof ", "struct ", "class ", "enum "];

fn lifetime(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').trim_start(),
        None => text,
    }
}

fn split_at_depth_zero(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' | '{' => depth += 1,
            '>' | ']' | ')' | '}' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_taken_apart() {
        let names =
            |text| links(text).map(|links| links.iter().map(|link| (link.name, link.suffix)).collect::<Vec<_>>());
        assert_eq!(names("a.b().c[]"), Some(vec![("a", Suffix::None), ("b", Suffix::Call), ("c", Suffix::Index)]));
        assert_eq!(names("Shelf::open()"), Some(vec![("Shelf", Suffix::None), ("open", Suffix::Call)]));
        assert_eq!(names("this?.x"), Some(vec![("this", Suffix::None), ("x", Suffix::None)]));
        assert_eq!(names("?"), None);
        assert_eq!(names("\"\""), None);
    }

    #[test]
    fn types_are_taken_apart() {
        let names = |text| {
            alternatives(text).iter().map(|w| (w.name.to_string(), w.arguments.len(), w.is_list)).collect::<Vec<_>>()
        };
        let one = |name: &str, arguments, is_list| vec![(name.to_string(), arguments, is_list)];
        assert_eq!(names("&'a mut Parcel<'a, T>"), one("Parcel", 2, false));
        assert_eq!(names("money.Amount"), one("money.Amount", 0, false));
        assert_eq!(names("[]*Session"), one("Session", 0, true));
        assert_eq!(names("\"Report\""), one("Report", 0, false));
        assert_eq!(names("Date | undefined"), [one("Date", 0, false), one("undefined", 0, false)].concat());
        assert_eq!(names("Booking[]"), one("Booking", 0, true));
        assert_eq!(names("&[Box<dyn Priced>]"), one("[]", 1, false));
        assert_eq!(names("[Amount, Rate]"), []);
        assert_eq!(alternatives("[String: Ship]")[0].arguments, ["Ship"]);
        assert_eq!(alternatives("map[string]*Item")[0].arguments, ["string", "*Item"]);
    }
}
