//! Dart's packages: `lib` beside the `pubspec.yaml` that names one.

use rustc_hash::FxHashMap;

use crate::language::modules::{Paths, folder};

#[derive(Default)]
pub struct DartPackages {
    /// The folder that a package's paths start in.
    folders: FxHashMap<String, String>,
}

impl DartPackages {
    pub fn new(paths: &Paths) -> Self {
        let mut packages = DartPackages::default();
        for (path, text) in paths.manifests.iter().filter(|(path, _)| path.rsplit('/').next() == Some("pubspec.yaml")) {
            let name = text.lines().find_map(|line| line.strip_prefix("name:"));
            if let Some(name) = name.map(|name| name.trim().trim_matches(['"', '\''])) {
                let lib = format!("{}/lib", folder(path)).trim_start_matches('/').to_string();
                packages.folders.entry(name.to_string()).or_insert(lib);
            }
        }
        packages
    }

    pub fn folder(&self, package: &str) -> Option<&str> {
        self.folders.get(package).map(String::as_str)
    }
}
