//! Dart's packages: `lib` beside the `pubspec.yaml` that names one.

use rustc_hash::FxHashMap;

use crate::language::modules::Paths;

#[derive(Default)]
pub struct DartPackages {
    /// The folder that a package's paths start in.
    folders: FxHashMap<String, String>,
}

impl DartPackages {
    pub fn new(paths: &Paths) -> Self {
        let mut packages = DartPackages::default();
        for (folder, text) in paths.manifests_named("pubspec.yaml") {
            let name = text.lines().find_map(|line| line.strip_prefix("name:"));
            if let Some(name) = name.map(|name| name.trim().trim_matches(['"', '\''])) {
                let lib = format!("{folder}/lib").trim_start_matches('/').to_string();
                packages.folders.entry(name.to_string()).or_insert(lib);
            }
        }
        packages
    }

    pub fn folder(&self, package: &str) -> Option<&str> {
        self.folders.get(package).map(String::as_str)
    }
}
