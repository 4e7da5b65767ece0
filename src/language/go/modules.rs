//! Go's packages: folders, by their path below the module that `go.mod` names.

use rustc_hash::FxHashMap;

use crate::language::modules::{FileNo, Located, Paths, folder, join};

#[derive(Default)]
pub struct GoModules {
    /// Module path and the folder of its `go.mod`; the longest first.
    modules: Vec<(String, String)>,
    packages: FxHashMap<String, Vec<FileNo>>,
}

impl GoModules {
    pub fn new(paths: &Paths) -> Self {
        let mut go = GoModules::default();
        for (folder, text) in paths.manifests_named("go.mod") {
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "));
            let module = module.map(|module| module.split("//").next().unwrap_or(module).trim().trim_matches('"'));
            go.modules.extend(module.map(|module| (module.to_string(), folder.to_string())));
        }
        go.modules.sort_by_key(|(module, folder)| (std::cmp::Reverse(module.len()), folder.clone()));
        // Nobody imports what a package's tests define.
        let imported = |path: &str| path.ends_with(".go") && !path.ends_with("_test.go");
        for (file, path) in paths.iter().filter(|(_, path)| imported(path)) {
            go.packages.entry(folder(path).to_string()).or_default().push(file);
        }
        go
    }

    pub fn locate<'m>(&self, module: &'m str) -> Located<'m> {
        let own = self.modules.iter().find_map(|(name, folder)| {
            let rest = module.strip_prefix(name.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| join(folder, rest.trim_start_matches('/')))?
        });
        match own.map(|folder| self.packages.get(&folder)) {
            None => Located::Outside,
            Some(None) => Located::Missing,
            Some(Some(files)) => Located::Files(files.clone(), ""),
        }
    }
}
