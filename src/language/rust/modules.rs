//! Rust's modules: crates by `Cargo.toml`, below them the tree of files.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use crate::language::modules::{FileNo, Located, Paths, folder, join};

#[derive(Default)]
pub struct Crates {
    /// A crate's root by the name that others use for it.
    roots: FxHashMap<String, FileNo>,
    /// Every file's own crate root.
    root_of: FxHashMap<FileNo, FileNo>,
    /// Crates that the manifests name and the tree does not hold.
    outside: FxHashSet<String>,
    parents: FxHashMap<FileNo, FileNo>,
    children: FxHashMap<(FileNo, String), FileNo>,
}

#[derive(Deserialize)]
struct CargoToml {
    package: Option<Package>,
    lib: Option<Lib>,
    #[serde(flatten)]
    rest: toml::Table,
}

/// Crates that come with the language.
const STANDARD: &[&str] = &["std", "core", "alloc", "proc_macro", "test"];

#[derive(Deserialize)]
struct Package {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Lib {
    name: Option<String>,
    path: Option<String>,
}

impl Crates {
    pub fn new(paths: &Paths) -> Self {
        let mut crates = Crates::default();
        for (folder, text) in paths.manifests_named("Cargo.toml") {
            let Ok(manifest) = toml::from_str::<CargoToml>(text) else { continue };
            let lib = manifest.lib.as_ref().and_then(|lib| lib.path.as_deref()).unwrap_or("src/lib.rs");
            let root = join(folder, lib).and_then(|path| paths.file(&path));
            let lib_name = manifest.lib.as_ref().and_then(|lib| lib.name.clone());
            crates.outside.extend(dependencies(&manifest.rest));
            let name = lib_name.or_else(|| manifest.package?.name);
            if let (Some(root), Some(name)) = (root, name) {
                crates.roots.entry(name.replace('-', "_")).or_insert(root);
            }
        }
        for (file, path) in paths.iter().filter(|(_, path)| path.ends_with(".rs")) {
            crates.place(paths, file, path);
        }
        for (file, path) in paths.iter().filter(|(_, path)| path.ends_with(".rs")) {
            // A module's parent is in its folder or further up.
            let max_parents = path.split('/').count();
            let chain = std::iter::successors(Some(file), |file| crates.parents.get(file).copied());
            crates.root_of.insert(file, chain.take(1 + max_parents).last().unwrap_or(file));
        }
        crates
    }

    /// Hangs a file below the module around it: the folder's own file, or the crate's root in it.
    fn place(&mut self, paths: &Paths, file: FileNo, path: &str) {
        let around = folder(path);
        let stem = path[around.len()..].trim_start_matches('/').trim_end_matches(".rs");
        let (holder, name) = match stem {
            "lib" | "main" | "build" => return,
            "mod" => (folder(around), around.rsplit('/').next().unwrap_or(around)),
            stem => (around, stem),
        };
        let parent = module_file(paths, holder).filter(|parent| *parent != file);
        if let Some(parent) = parent {
            self.parents.insert(file, parent);
            self.children.insert((parent, name.to_string()), file);
        }
    }

    pub fn locate<'m>(&self, from: FileNo, module: &'m str) -> Located<'m> {
        let (head, rest) = module.split_once("::").unwrap_or((module, ""));
        let root = self.root_of.get(&from).copied().unwrap_or(from);
        let start = match head {
            "crate" => Some(root),
            "self" => Some(from),
            "super" => self.parents.get(&from).copied(),
            name => {
                let child = self
                    .children
                    .get(&(from, name.to_string()))
                    .or_else(|| self.children.get(&(root, name.to_string())));
                child.or_else(|| self.roots.get(name)).copied()
            }
        };
        match start {
            Some(file) => Located::Files(vec![file], rest),
            None if matches!(head, "crate" | "self" | "super") => Located::Missing,
            None => Located::Outside,
        }
    }

    /// What a name means that nothing in its file explains: a crate, of the tree or not.
    pub fn crate_named<'m>(&self, name: &str) -> Option<Located<'m>> {
        match self.roots.get(name) {
            Some(root) => Some(Located::Files(vec![*root], "")),
            None => (STANDARD.contains(&name) || self.outside.contains(name)).then_some(Located::Outside),
        }
    }

    pub fn inside(&self, file: FileNo, name: &str) -> Option<FileNo> {
        if name == "super" {
            return self.parents.get(&file).copied();
        }
        self.children.get(&(file, name.to_string())).copied()
    }
}

/// The names of all dependencies of a manifest, whatever table they stand in.
fn dependencies(table: &toml::Table) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in table {
        let toml::Value::Table(inner) = value else { continue };
        if key.ends_with("dependencies") {
            names.extend(inner.keys().map(|name| name.replace('-', "_")))
        } else {
            names.extend(dependencies(inner))
        }
    }
    names
}

/// A module path as the file around an inline module sees it: `super::a` inside of `mod tests` is `self::a`.
pub fn seen_from_file(module: &str, inline_modules: &[&str]) -> Option<String> {
    let mut around = inline_modules;
    let mut parts = module.split("::").peekable();
    match *parts.peek()? {
        "self" => _ = parts.next(),
        "super" => {}
        _ => return None,
    }
    while let (Some(&"super"), Some((_, outer))) = (parts.peek(), around.split_last()) {
        around = outer;
        parts.next();
    }
    let path = around.iter().copied().chain(parts);
    let path: Vec<&str> = path.collect();
    match path.first() {
        Some(&"super") => Some(path.join("::")),
        _ => Some(["self"].into_iter().chain(path).collect::<Vec<_>>().join("::")),
    }
}

/// The file that holds what lies in a folder: `a.rs` or `a/mod.rs`, or the crate's root.
fn module_file(paths: &Paths, folder: &str) -> Option<FileNo> {
    let inside = |name: &str| paths.file(join(folder, name)?.as_str());
    let beside = || paths.file(&format!("{folder}.rs"));
    inside("lib.rs").or_else(|| inside("main.rs")).or_else(|| inside("mod.rs")).or_else(beside)
}

#[cfg(test)]
mod tests {
    use super::seen_from_file;

    #[test]
    fn inline_modules_are_left_by_super() {
        let seen = |module, around: &[&str]| seen_from_file(module, around);
        assert_eq!(seen("super", &["tests"]).as_deref(), Some("self"));
        assert_eq!(seen("super::a", &["tests"]).as_deref(), Some("self::a"));
        assert_eq!(seen("super::super::a", &["tests"]).as_deref(), Some("super::a"));
        assert_eq!(seen("self::a", &["b", "c"]).as_deref(), Some("self::b::c::a"));
        assert_eq!(seen("crate::a", &["tests"]), None);
    }
}
