//! Which files an import means: the part that every language shares, and the door to each one's own.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::names::Modules;
use super::{dart, go, python, rust, script};

pub use super::rust::modules::seen_from_file;

/// A file's place in the list of the tree's files.
pub type FileNo = u32;

/// The paths of a tree and the texts of the files that say where modules lie.
pub struct Paths<'t> {
    paths: Vec<&'t str>,
    numbers: FxHashMap<&'t str, FileNo>,
    /// Files by the last part of their path.
    by_name: FxHashMap<&'t str, Vec<FileNo>>,
    pub manifests: &'t BTreeMap<String, String>,
}

/// What an import means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Located<'m> {
    /// Files whose names it opens, and what is still to be found inside of them.
    Files(Vec<FileNo>, &'m str),
    /// A package or namespace, joined by dots.
    Package(String),
    /// Not of this tree.
    Outside,
    /// It should be of this tree, and is not.
    Missing,
}

impl Located<'_> {
    /// A whole file of the tree; without one, what is imported is not of this tree.
    pub fn file(file: Option<FileNo>) -> Self {
        file.map_or(Located::Outside, |file| Located::Files(vec![file], ""))
    }
}

/// The module maps of all languages, built once a tree.
pub struct ModuleMap<'t> {
    pub paths: Paths<'t>,
    python: python::modules::PythonModules<'t>,
    script: script::modules::ScriptModules,
    rust: rust::modules::Crates,
    go: go::modules::GoModules,
    dart: dart::modules::DartPackages,
    targets: FxHashMap<&'t str, Vec<FileNo>>,
}

impl<'t> ModuleMap<'t> {
    pub fn new(paths: Vec<&'t str>, manifests: &'t BTreeMap<String, String>) -> Self {
        let paths = Paths::new(paths, manifests);
        ModuleMap {
            python: python::modules::PythonModules::new(&paths),
            script: script::modules::ScriptModules::new(&paths),
            rust: rust::modules::Crates::new(&paths),
            go: go::modules::GoModules::new(&paths),
            dart: dart::modules::DartPackages::new(&paths),
            targets: targets(&paths),
            paths,
        }
    }

    /// What `module` means in a file, by the rules of its language.
    pub fn locate<'m>(&self, rules: Modules, from: FileNo, module: &'m str) -> Located<'m> {
        let here = self.paths.path(from);
        match rules {
            Modules::None => Located::Outside,
            Modules::Python => self.python.locate(&self.paths, here, module),
            Modules::Script => self.script.locate(&self.paths, here, module),
            Modules::Rust => self.rust.locate(from, module),
            Modules::Go => self.go.locate(module),
            Modules::Package => Located::Package(package(module)),
            Modules::Include => self.include(here, module),
            Modules::Target => match self.targets.get(module) {
                Some(files) => Located::Files(files.clone(), ""),
                None => Located::Outside,
            },
            Modules::Path => self.by_path(here, module),
            Modules::Prose => match self.rooted(module) {
                None => self.by_path(here, module),
                file => Located::file(file),
            },
        }
    }

    /// The file of a module inside another, where the file tree is the module tree.
    pub fn inside(&self, rules: Modules, file: FileNo, name: &str) -> Option<FileNo> {
        match rules {
            Modules::Python => self.python.inside(&self.paths, file, name),
            Modules::Rust => self.rust.inside(file, name),
            _ => None,
        }
    }

    /// What a name means that nothing in its file explains: a crate's name.
    pub fn named<'m>(&self, rules: Modules, name: &str) -> Option<Located<'m>> {
        match rules {
            Modules::Rust => self.rust.crate_named(name),
            _ => None,
        }
    }

    /// From the including file's folder; else wherever the path is the end of one file's path alone.
    fn include<'m>(&self, here: &str, module: &'m str) -> Located<'m> {
        let beside = join(folder(here), module).and_then(|path| self.paths.file(&path));
        Located::file(beside.or_else(|| self.paths.ending(here, module)))
    }

    /// What links of sites start with a `/` for.
    fn rooted(&self, path: &str) -> Option<FileNo> {
        let path = path.strip_prefix('/')?;
        self.paths.file(path).or_else(|| self.paths.file(&format!("{path}.md")))
    }

    /// A path as written, or with the file's own ending, or dotted.
    fn by_path<'m>(&self, here: &str, module: &'m str) -> Located<'m> {
        if let Some((package, path)) = module.strip_prefix("package:").and_then(|rest| rest.split_once('/')) {
            let file = self.dart.folder(package).and_then(|folder| self.paths.file(&join(folder, path)?));
            return Located::file(file);
        }
        let module = behind_expansion(module);
        if module.contains('$') {
            return Located::Missing;
        }
        let ending = here.rsplit_once('.').map_or("", |(_, ending)| ending);
        // What stood before a path's first `/` was the file's own folder.
        let near = |form: &str| self.paths.file(&join(folder(here), form.trim_start_matches('/'))?);
        let far = |form: &str| self.paths.ending(here, form.trim_start_matches("./"));
        if let file @ Some(_) = near(module) {
            return Located::file(file);
        }
        let path = module.replace('.', "/");
        let forms = [format!("{module}.{ending}"), format!("{path}.{ending}"), format!("{path}/init.{ending}")];
        let found = forms.iter().find_map(|form| near(form)).or_else(|| far(module));
        Located::file(found.or_else(|| forms.iter().find_map(|form| far(form))))
    }
}

impl<'t> Paths<'t> {
    fn new(paths: Vec<&'t str>, manifests: &'t BTreeMap<String, String>) -> Self {
        let numbers = paths.iter().enumerate().map(|(at, path)| (*path, at as FileNo)).collect();
        let mut by_name: FxHashMap<&str, Vec<FileNo>> = FxHashMap::default();
        for (at, path) in paths.iter().enumerate() {
            by_name.entry(path.rsplit('/').next().unwrap_or(path)).or_default().push(at as FileNo);
        }
        Paths { paths, numbers, by_name, manifests }
    }

    /// The files of this name that say where modules lie: the folder and the text of each.
    pub fn manifests_named(&self, name: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let named = self.manifests.iter().filter(move |(path, _)| path.rsplit('/').next() == Some(name));
        named.map(|(path, text)| (folder(path), text.as_str()))
    }

    pub fn path(&self, file: FileNo) -> &'t str {
        self.paths[file as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = (FileNo, &'t str)> {
        self.paths.iter().enumerate().map(|(at, path)| (at as FileNo, *path))
    }

    pub fn file(&self, path: &str) -> Option<FileNo> {
        self.numbers.get(path).copied()
    }

    /// The one file whose path ends with this one; of several, the one nearest to `here`.
    pub fn ending(&self, here: &str, path: &str) -> Option<FileNo> {
        nearest(self, here, &self.all_ending(path))
    }

    /// All files whose paths end with this one.
    pub fn all_ending(&self, path: &str) -> Vec<FileNo> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ends = |file: &&FileNo| {
            let rest = self.path(**file).strip_suffix(path);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        self.by_name.get(name).into_iter().flatten().filter(ends).copied().collect()
    }
}

/// The file with the longest path in common; none when two have it.
pub fn nearest(paths: &Paths, here: &str, files: &[FileNo]) -> Option<FileNo> {
    if let [] | [_] = files {
        return files.first().copied();
    }
    let shared = |file: &FileNo| {
        let both = here.split('/').zip(paths.path(*file).split('/'));
        both.take_while(|(a, b)| a == b).count()
    };
    let most = files.iter().map(shared).max()?;
    let mut best = files.iter().filter(|file| shared(file) == most);
    match (best.next(), best.next()) {
        (Some(file), None) => Some(*file),
        _ => None,
    }
}

/// Swift's files by the folders around them, the last of which is the target's.
fn targets<'t>(paths: &Paths<'t>) -> FxHashMap<&'t str, Vec<FileNo>> {
    let mut targets: FxHashMap<&str, Vec<FileNo>> = FxHashMap::default();
    for (file, path) in paths.iter().filter(|(_, path)| path.ends_with(".swift")) {
        let parts = folder(path).split('/').filter(|part| !part.is_empty());
        parts.for_each(|part| targets.entry(part).or_default().push(file));
    }
    targets
}

/// The name of a package or namespace, joined by dots.
fn package(module: &str) -> String {
    if memchr::memchr2(b':', b'\\', module.as_bytes()).is_none() {
        return module.to_string();
    }
    module.trim_start_matches('\\').replace("::", ".").replace('\\', ".")
}

/// A shell's path without the variable or command that says where it starts.
fn behind_expansion(path: &str) -> &str {
    let end = match path.as_bytes() {
        [b'$', b'{', ..] => path.find('}'),
        // The command may hold others, as in `$(dirname "$(pwd)")`.
        [b'$', b'(', ..] => path.rfind(')'),
        [b'$', ..] => path.find('/').map(|slash| slash - 1),
        _ => None,
    };
    end.map_or(path, |end| path[end + 1..].trim_start_matches(['"', '/']))
}

/// Everything before the last `/`.
pub fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path seen from a folder, without `.` and `..`; none when it leads out of the tree.
pub fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = if path.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    parts.retain(|part| !part.is_empty());
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
