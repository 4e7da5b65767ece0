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
    let mut full = package.map(dotted).unwrap_or_default();
    if !full.is_empty() && !name.is_empty() {
        full.push('.');
    }
    full + &dotted(name)
}

/// `a::b`, `a\b` and `a/b` as `a.b`.
pub fn dotted(name: &str) -> String {
    name.trim_start_matches('\\').replace("::", ".").replace(['\\', '/'], ".")
}

/// Everything before the last `/`.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
