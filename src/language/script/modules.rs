//! JavaScript's and TypeScript's modules: relative paths, `tsconfig.json` and the packages of a workspace.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::language::modules::{FileNo, Located, Paths, folder, join};

const ENDINGS: &[&str] = &["ts", "tsx", "mts", "cts", "d.ts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "json"];

#[derive(Default)]
pub struct ScriptModules {
    /// By name, the folder and what `package.json` says of its entries.
    packages: BTreeMap<String, Package>,
    /// By folder.
    configs: BTreeMap<String, Config>,
}

struct Package {
    folder: String,
    /// `.` or `./name` to files, best first.
    entries: Vec<(String, Vec<String>)>,
}

struct Config {
    base: Option<String>,
    paths: Vec<(String, Vec<String>)>,
}

#[derive(Deserialize)]
struct PackageJson {
    name: Option<String>,
    #[serde(default)]
    exports: Value,
    source: Option<Value>,
    types: Option<Value>,
    typings: Option<Value>,
    module: Option<Value>,
    main: Option<Value>,
}

#[derive(Deserialize, Default)]
struct TsConfig {
    #[serde(rename = "compilerOptions", default)]
    options: CompilerOptions,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct CompilerOptions {
    base_url: Option<String>,
    #[serde(default)]
    paths: BTreeMap<String, Vec<String>>,
}

impl ScriptModules {
    pub fn new(paths: &Paths) -> Self {
        let mut modules = ScriptModules::default();
        for (path, text) in paths.manifests {
            let name = path.rsplit('/').next().unwrap_or(path);
            if name == "package.json" {
                modules.add_package(folder(path), text);
            } else if name.starts_with("tsconfig") || name == "jsconfig.json" {
                modules.add_config(folder(path), text);
            }
        }
        modules
    }

    fn add_package(&mut self, folder: &str, text: &str) {
        let Ok(json) = serde_json::from_str::<PackageJson>(text) else { return };
        let Some(name) = json.name else { return };
        let mut entries = Vec::new();
        collect_exports(&json.exports, &mut entries);
        let mains = [json.source, json.types, json.typings, json.module, json.main].into_iter().flatten();
        let mains: Vec<String> = mains.filter_map(|main| main.as_str().map(str::to_string)).collect();
        entries.push((".".to_string(), mains));
        self.packages.entry(name).or_insert(Package { folder: folder.to_string(), entries });
    }

    fn add_config(&mut self, folder: &str, text: &str) {
        let Ok(config) = serde_json::from_str::<TsConfig>(&without_comments(text)) else { return };
        let options = config.options;
        if options.base_url.is_none() && options.paths.is_empty() {
            return;
        }
        let base = options.base_url.as_ref().and_then(|base| join(folder, base));
        let from = base.clone().unwrap_or_else(|| folder.to_string());
        let resolve = |target: &String| join(&from, target);
        let paths = options.paths.iter().map(|(from, to)| (from.clone(), to.iter().filter_map(resolve).collect()));
        // The longest pattern says most.
        let mut paths: Vec<(String, Vec<String>)> = paths.collect();
        paths.sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.len()));
        self.configs.entry(folder.to_string()).or_insert(Config { base, paths });
    }

    pub fn locate<'m>(&self, paths: &Paths, here: &str, module: &'m str) -> Located<'m> {
        let module_path = module.split(['?', '#']).next().filter(|path| !path.is_empty()).unwrap_or(module);
        if module_path.starts_with(['.', '/']) {
            let file = join(folder(here), module_path).and_then(|path| self.by_path(paths, &path));
            return file.map_or(Located::Missing, |file| Located::file(Some(file)));
        }
        Located::file(self.by_config(paths, here, module_path).or_else(|| self.by_package(paths, module_path)))
    }

    /// The aliases of the nearest configuration above a file.
    fn by_config(&self, paths: &Paths, here: &str, module: &str) -> Option<FileNo> {
        let mut folders = std::iter::successors(Some(folder(here)), |inner| (!inner.is_empty()).then(|| folder(inner)));
        folders.find_map(|folder| self.configs.get(folder)?.file(paths, module))
    }

    /// A file or folder, or what a package says of its own folder.
    fn by_path(&self, paths: &Paths, path: &str) -> Option<FileNo> {
        let package = || self.packages.values().find(|package| package.folder == path)?.file(paths, "");
        at_path(paths, path).or_else(package)
    }

    /// A package of the workspace, or a file of one.
    fn by_package(&self, paths: &Paths, module: &str) -> Option<FileNo> {
        let parts = if module.starts_with('@') { 2 } else { 1 };
        let end = module.match_indices('/').nth(parts - 1).map_or(module.len(), |(at, _)| at);
        let package = self.packages.get(&module[..end])?;
        package.file(paths, module[end..].trim_start_matches('/'))
    }
}

impl Package {
    /// The file of one of its entries; a source before what it is compiled to.
    fn file(&self, paths: &Paths, rest: &str) -> Option<FileNo> {
        let entry = if rest.is_empty() { ".".to_string() } else { format!("./{rest}") };
        let said = self.entries.iter().filter(|(name, _)| *name == entry).flat_map(|(_, files)| files);
        let said = said.filter_map(|file| at_path(paths, &join(&self.folder, file)?)).next();
        let usual = [format!("src/{rest}"), rest.to_string(), "src/index".to_string(), "index".to_string()];
        let usual = usual.iter().take(if rest.is_empty() { 4 } else { 2 });
        let is_source = |file: &FileNo| !paths.path(*file).ends_with(".d.ts");
        let mut guesses = usual.filter_map(|path| at_path(paths, &join(&self.folder, path)?));
        said.filter(is_source).or_else(|| guesses.find(is_source)).or(said)
    }
}

impl Config {
    fn file(&self, paths: &Paths, module: &str) -> Option<FileNo> {
        let alias = self.paths.iter().find_map(|(pattern, targets)| {
            let star = match pattern.split_once('*') {
                None => (pattern == module).then_some("")?,
                Some((head, tail)) => module.strip_prefix(head)?.strip_suffix(tail)?,
            };
            targets.iter().find_map(|target| at_path(paths, &target.replacen('*', star, 1)))
        });
        alias.or_else(|| at_path(paths, &join(self.base.as_ref()?, module)?))
    }
}

/// A file as written, with an ending, as a folder's index, or the source of what it will be compiled to.
fn at_path(paths: &Paths, path: &str) -> Option<FileNo> {
    let ended = |path: &str| {
        let mut file = format!("{path}.");
        ENDINGS.iter().find_map(|ending| {
            file.truncate(path.len() + 1);
            file.push_str(ending);
            paths.file(&file)
        })
    };
    let source = || {
        let (bare, ending) = path.rsplit_once('.')?;
        matches!(ending, "js" | "jsx" | "mjs" | "cjs").then(|| ended(bare)).flatten()
    };
    paths.file(path).or_else(|| ended(path)).or_else(source).or_else(|| ended(&join(path, "index")?))
}

/// Every path that an `exports` field names, by its entry; conditions in the order they stand.
fn collect_exports(exports: &Value, entries: &mut Vec<(String, Vec<String>)>) {
    match exports {
        Value::Object(fields) if fields.keys().any(|key| key.starts_with('.')) => {
            for (entry, value) in fields {
                let mut files = Vec::new();
                collect_files(value, &mut files, 0);
                entries.push((entry.clone(), files));
            }
        }
        other => {
            let mut files = Vec::new();
            collect_files(other, &mut files, 0);
            entries.push((".".to_string(), files));
        }
    }
}

fn collect_files(value: &Value, files: &mut Vec<String>, depth: u32) {
    match value {
        Value::String(file) => files.push(file.clone()),
        Value::Object(fields) if depth < 8 => fields.values().for_each(|value| collect_files(value, files, depth + 1)),
        Value::Array(items) if depth < 8 => items.iter().for_each(|value| collect_files(value, files, depth + 1)),
        _ => {}
    }
}

/// JSON as TypeScript reads it: without comments and trailing commas.
fn without_comments(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' if quoted => {
                bare.push(c);
                bare.extend(rest.next());
                continue;
            }
            '"' => quoted = !quoted,
            '/' if !quoted && rest.peek() == Some(&'/') => {
                while rest.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            '/' if !quoted && rest.peek() == Some(&'*') => {
                let mut last = ' ';
                for c in rest.by_ref().skip(1) {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
                continue;
            }
            '}' | ']' if !quoted => {
                let kept = bare.trim_end().trim_end_matches(',').len();
                bare.truncate(kept);
            }
            _ => {}
        }
        bare.push(c);
    }
    bare
}
