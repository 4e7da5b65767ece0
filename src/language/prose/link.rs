//! Links from one file of a tree to another.

use crate::language::facts::Mention;
use crate::record::{Binding, Role};
use crate::text::Span;

/// The import that a link amounts to; none for one that leaves the tree or stays in the file.
pub fn link_mention<'t>(target: &str, span: Span, style: &str) -> Option<Mention<'t>> {
    let module = target.split(['#', '?']).next().unwrap_or_default().trim();
    if module.is_empty() || is_external(module) {
        return None;
    }
    let name = module.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let (module, style) = (Some(module.to_string()), Some(style.to_string()));
    let binding = Binding { module, name: None, alias: None, style };
    Some(Mention::new(Role::Import, name.to_string(), span).with_binding(binding))
}

/// With a scheme, or with a host and the scheme left out.
pub fn is_external(target: &str) -> bool {
    let is_scheme = |head: &str| {
        head.starts_with(|c: char| c.is_ascii_alphabetic())
            && head.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
    };
    target.starts_with("//") || target.split_once(':').is_some_and(|(head, _)| is_scheme(head))
}
