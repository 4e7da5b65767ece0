//! What stands between back quotes: literals, roles and links.

use std::borrow::Cow;

use crate::language::facts::Mention;
use crate::language::prose;
use crate::record::Role;
use crate::text::Span;

/// Longer names are not names of roles.
const MAX_ROLE_BYTES: usize = 60;

/// The names and links in one paragraph. Quotes that are not closed in it are just quotes.
pub fn mentions(text: &str, paragraph: Span) -> Vec<Mention<'_>> {
    let mut found = Vec::new();
    let end = paragraph.end as usize;
    let mut at = paragraph.start as usize;
    while let Some(open) = find(text, at..end, "`") {
        let quote = if text[open..end].starts_with("``") { "``" } else { "`" };
        let start = open + quote.len();
        let Some(close) = find(text, start..end, quote) else { break };
        at = close + quote.len();
        let before = &text[paragraph.start as usize..open];
        if before.ends_with('\\') {
            at = start;
            continue;
        }
        let inside = Span::new(start, close);
        if quote == "``" {
            found.extend(prose::code_mention(text, inside));
        } else {
            found.extend(interpreted(text, role(before), inside, text[at..end].starts_with('_')));
        }
    }
    found
}

fn find(text: &str, range: std::ops::Range<usize>, wanted: &str) -> Option<usize> {
    text[range.clone()].find(wanted).map(|at| range.start + at)
}

/// The role in front of a back quote: `py:func` of `:py:func:`.
fn role(before: &str) -> &str {
    let Some(head) = before.strip_suffix(':') else { return "" };
    let is_role = |c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | '-' | '_' | '+' | '.');
    let tail = &head[head.ceil_char_boundary(head.len().saturating_sub(MAX_ROLE_BYTES))..];
    let name = &tail[tail.trim_end_matches(is_role).len()..];
    name.strip_prefix(':').unwrap_or("")
}

fn interpreted<'t>(text: &'t str, role: &str, inside: Span, is_link: bool) -> Option<Mention<'t>> {
    let target = target(text, inside);
    let name = role.rsplit(':').next().unwrap_or(role);
    match name {
        "doc" | "download" => prose::link_mention(target.text(text), target, "link"),
        "ref" | "numref" => Some(Mention::new(Role::Use, one_line(target.text(text)), target)),
        "file" => prose::code_mention(text, target),
        "" if is_link => prose::link_mention(target.text(text), target, "link").filter(|_| target != inside),
        "" | "func" | "class" | "meth" | "mod" | "attr" | "exc" | "data" | "const" | "obj" | "type" | "any"
        | "deco" | "decorator" | "function" | "method" | "module" | "member" | "var" | "macro" | "struct" | "enum"
        | "enumerator" | "union" | "namespace" | "envvar" | "setting" => {
            prose::dotted_mention(text, without_marks(text, target))
        }
        _ => None,
    }
}

/// The target in `title <target>`, or all of it.
pub fn target(text: &str, inside: Span) -> Span {
    let raw = inside.text(text);
    let trimmed = raw.trim_end();
    match trimmed.strip_suffix('>').and_then(|head| head.rfind('<')) {
        Some(at) => Span::new(inside.start as usize + at + 1, inside.start as usize + trimmed.len() - 1),
        None => inside,
    }
}

/// Without the marks that only say how a name is shown: `~a.b`, `!a`, `.a`.
fn without_marks(text: &str, target: Span) -> Span {
    let raw = target.text(text);
    let bare = raw.trim_start_matches(['~', '!', '.', ' ']);
    Span::new(target.start as usize + raw.len() - bare.len(), target.end as usize)
}

fn one_line(words: &str) -> Cow<'_, str> {
    if words.contains('\n') {
        return words.split_whitespace().collect::<Vec<_>>().join(" ").into();
    }
    words.into()
}

/// A title as people read it: without quotes and roles.
pub fn plain(title: &str) -> Cow<'_, str> {
    if !title.contains('`') {
        return title.into();
    }
    let mut words = String::new();
    for (number, piece) in title.split('`').enumerate() {
        if number > 0 {
            let role = role(&words);
            if !role.is_empty() {
                words.truncate(words.len() - role.len() - 2);
            }
        }
        words.push_str(piece);
    }
    if words.trim().is_empty() { title.into() } else { words.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let show = |mention: Mention| {
            let module = mention.binding.and_then(|binding| binding.module);
            let receiver = mention.receiver.or(module.map(Cow::Owned));
            receiver.map_or(mention.name.to_string(), |receiver| format!("{receiver}|{}", mention.name))
        };
        mentions(text, Span::new(0, text.len())).into_iter().map(show).collect()
    }

    #[test]
    fn roles_and_literals_name_code() {
        assert_eq!(said("see :func:`run` and :class:`~a.b.C`"), ["run", "a.b|C"]);
        assert_eq!(said(":py:meth:`the call <A.go>`, ``b.c()``, `d`"), ["A|go", "b|c", "d"]);
        assert_eq!(said(":ref:`the\nplace <a-label>` :ref:`b label`"), ["a-label", "b label"]);
        assert_eq!(said(":mod:`a.py`"), ["a|py"]);
    }

    #[test]
    fn links_name_documents() {
        assert_eq!(said(":doc:`/topics/db` :doc:`x <../y>`"), ["/topics/db|db", "../y|y"]);
        assert_eq!(said("`home`_ `site <https://a.b>`_ `page <c.html>`_"), ["c.html|c.html"]);
    }

    #[test]
    fn stray_quotes_name_nothing() {
        assert!(said("a ` b").is_empty() && said("``a").is_empty() && said(":func:`a").is_empty());
        assert!(said("日本`語").is_empty() && said(":term:`word`").is_empty());
        assert_eq!(said("\\`a ``b``"), ["b"]);
    }

    #[test]
    fn titles_lose_their_markup() {
        assert_eq!(plain(":mod:`a.b` --- the ``c`` part"), "a.b --- the c part");
        assert_eq!(plain("日本語"), "日本語");
    }
}
