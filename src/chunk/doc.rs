//! The words of a definition: its signature on one line, its doc without comment markers.

use crate::language::Definition;
use crate::text::Span;

const MAX_SIGNATURE_BYTES: usize = 400;
const MAX_DOC_BYTES: usize = 2_000;

/// The definition up to its body, or up to the end of its name's line when it has none.
pub fn signature(definition: &Definition, text: &str) -> Option<String> {
    if definition.derived_text.is_some() {
        return Some(definition.name.to_string());
    }
    let whole = &text[signature_start(definition, text) as usize..signature_end(definition, text) as usize];
    // Only what can be shown is looked at: a definition may be a literal of many megabytes.
    let whole = &whole[..whole.floor_char_boundary(4 * MAX_SIGNATURE_BYTES)];
    let line = whole.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches(['{', ':', '=']).trim_end();
    (!line.is_empty()).then(|| shortened(line, MAX_SIGNATURE_BYTES))
}

/// Where a definition's signature starts in the text: with its decorators, unless they are so long that
/// what they decorate would not be seen, such as a table of a test's cases.
pub fn signature_start(definition: &Definition, text: &str) -> u32 {
    let start = definition.span.start;
    let before = Span { start, end: heading_name(definition, text).start }.text(text);
    let line = before.rfind('\n').filter(|_| before.len() > MAX_SIGNATURE_BYTES / 2);
    line.map_or(start, |at| start + at as u32 + 1)
}

/// Where a definition's signature ends in the text.
pub fn signature_end(definition: &Definition, text: &str) -> u32 {
    match definition.body {
        Some(body) if body.start > definition.span.start => body.start,
        _ => {
            let name = heading_name(definition, text);
            let rest = Span { start: name.end, end: definition.span.end }.text(text);
            name.end + rest.find('\n').unwrap_or(rest.len()) as u32
        }
    }
}

/// The name, or the definition's very start when the name does not stand before all that is defined, as
/// in `typedef struct { int x; } point`.
fn heading_name(definition: &Definition, text: &str) -> Span {
    let (span, name) = (definition.span, definition.name_span);
    let before = Span { start: span.start, end: name.start.max(span.start) };
    let heads = match definition.body {
        Some(body) => name.end <= body.start,
        None => !before.text(text).contains('{'),
    };
    if heads && span.contains(name) { name } else { Span { start: span.start, end: span.start } }
}

/// The doc inside the definition, else the comments right above it.
pub fn doc(definition: &Definition, comments: &[Span], text: &str) -> Option<String> {
    let spans = definition.doc.as_ref().map_or(comments, std::slice::from_ref);
    let lines: Vec<&str> = spans.iter().flat_map(|span| span.text(text).lines()).map(unmarked).collect();
    let doc = dedented(&lines);
    let doc = doc.trim_matches('\n').trim_end();
    (!doc.is_empty()).then(|| shortened(doc, MAX_DOC_BYTES))
}

/// A line of a comment without what makes it one; what it is indented by behind that stays.
fn unmarked(line: &str) -> &str {
    const OPENERS: &[&str] = &[
        "///", "//!", "//", "/**", "/*", "*/", "\"\"\"", "'''", "r\"\"\"", "--[[", "--", "##", "#", ";;", ";", "<!--",
        "*",
    ];
    let bare = line.trim_start();
    let opener = OPENERS.iter().find(|opener| bare.starts_with(**opener));
    let inner = opener.map_or(line, |opener| &bare[opener.len()..]).trim_end();
    let closed = ["*/", "\"\"\"", "'''", "-->", "]]"].iter().find_map(|closer| inner.strip_suffix(closer));
    closed.unwrap_or(inner).trim_end()
}

/// Without the indentation that all lines share. The first line of a doc inside its quotes has none.
fn dedented(lines: &[&str]) -> String {
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let shared = lines.iter().skip(1).filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    let kept = lines.iter().enumerate().map(|(at, line)| match at {
        0 => line.trim_start(),
        _ => line.get(shared..).unwrap_or_default(),
    });
    kept.collect::<Vec<_>>().join("\n")
}

fn shortened(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_string();
    }
    format!("{}…", text[..text.floor_char_boundary(max)].trim_end())
}
