//! How names, packages and bindings are written.

use rustc_hash::FxHashSet;

use crate::graph::input::{Reference, SymbolRow};
use crate::record::{Binding, Kind};

/// The name that a binding gives or takes in its own file.
pub fn bound_name<'r>(reference: &'r Reference) -> &'r str {
    let alias = reference.binding.as_ref().and_then(|binding| binding.alias.as_deref());
    alias.unwrap_or(&reference.name)
}

/// Whether it binds all names of a module, as themselves.
pub fn is_wild(binding: &Binding) -> bool {
    binding.name.as_deref() == Some("*") && binding.alias.is_none()
}

/// Whether it inserts another file's text, so that all names of each are also the other's.
pub fn is_include(binding: &Binding) -> bool {
    matches!(binding.style.as_deref(), Some("include" | "include-system" | "source" | "part" | "part of"))
}

/// Adds a package and all packages around it.
pub fn add_package(packages: &mut FxHashSet<String>, mut package: String) {
    while !package.is_empty() && packages.insert(package.clone()) {
        package = package.rsplit_once('.').map_or(String::new(), |(outer, _)| outer.to_string());
    }
}

/// Whether members may be added to it elsewhere.
pub fn is_reopenable(kind: Kind) -> bool {
    kind == Kind::Namespace || kind.is_type() && kind != Kind::Type
}

/// Whether a symbol is directly in its file.
pub fn is_top_level(row: &SymbolRow) -> bool {
    row.qualified_name == row.name && row.kind != Kind::Section
}

/// Package and name, joined by dots whatever the language joins them by.
pub fn full_name(package: Option<&str>, name: &str) -> String {
    let mut full = String::with_capacity(package.map_or(0, |package| package.len() + 1) + name.len());
    push_dotted(package.unwrap_or_default(), &mut full);
    if !full.is_empty() && !name.is_empty() {
        full.push('.');
    }
    push_dotted(name, &mut full);
    full
}

/// `a::b`, `a\b` and `a/b` as `a.b`.
pub fn dotted(name: &str) -> String {
    full_name(None, name)
}

fn push_dotted(name: &str, dotted: &mut String) {
    let mut rest = name.trim_start_matches('\\');
    while let Some(at) = memchr::memchr3(b':', b'\\', b'/', rest.as_bytes()) {
        let (before, after) = rest.split_at(at);
        dotted.push_str(before);
        let is_colon = after.starts_with(':') && !after.starts_with("::");
        dotted.push(if is_colon { ':' } else { '.' });
        rest = after.strip_prefix("::").unwrap_or(&after[1..]);
    }
    dotted.push_str(rest);
}

/// Everything before the last `/`.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_by_dots() {
        assert_eq!(full_name(Some("\\App\\Http"), "a::b"), "App.Http.a.b");
        assert_eq!(full_name(Some(""), "A"), "A");
        assert_eq!(full_name(Some("a/b"), ""), "a.b");
        assert_eq!(full_name(Some("a"), "\\"), "a.");
        assert_eq!(dotted("\\\\a:b:::c::::d::"), "a:b.:c..d.");
    }
}
