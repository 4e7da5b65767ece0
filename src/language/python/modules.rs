//! Python's modules: dotted names below the folders that are on the path.

use rustc_hash::FxHashMap;

use crate::language::modules::{FileNo, Located, Paths, folder, nearest};

const ENDINGS: &[&str] = &[".py", ".pyi", ".pyx"];

pub struct PythonModules<'t> {
    /// A source file before its stub.
    by_name: FxHashMap<String, Vec<FileNo>>,
    /// First parts of the names of the tree's own modules.
    own: rustc_hash::FxHashSet<&'t str>,
}

impl<'t> PythonModules<'t> {
    pub fn new(paths: &Paths<'t>) -> Self {
        let mut modules = PythonModules { by_name: FxHashMap::default(), own: Default::default() };
        for (file, path) in paths.iter() {
            let Some(bare) = without_ending(path) else { continue };
            let root = import_root(paths, path);
            let below = bare[root.len()..].trim_start_matches('/');
            modules.own.insert(below.split('/').next().unwrap_or(below));
            modules.enter(below, file);
            // A folder without `__init__.py` may be a package too, seen from the tree's top.
            if !root.is_empty() {
                modules.enter(bare, file);
            }
        }
        modules
    }

    fn enter(&mut self, path: &str, file: FileNo) {
        let module = path.strip_suffix("/__init__").unwrap_or(path).replace('/', ".");
        self.by_name.entry(module).or_default().push(file);
    }

    pub fn locate<'m>(&self, paths: &Paths, here: &str, module: &'m str) -> Located<'m> {
        let name = module.trim_start_matches('.');
        let ups = module.len() - name.len();
        if ups > 0 {
            let mut around = folder(here);
            for _ in 1..ups {
                around = folder(around);
            }
            let path = format!("{around}/{}", name.replace('.', "/"));
            return found(at_path(paths, path.trim_matches('/')));
        }
        let candidates = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let sources: Vec<FileNo> =
            candidates.iter().copied().filter(|file| paths.path(*file).ends_with(".py")).collect();
        let candidates = if sources.is_empty() { candidates } else { &sources };
        match nearest(paths, here, candidates).or(candidates.first().copied()) {
            None if self.own.contains(name.split('.').next().unwrap_or(name)) => Located::Missing,
            file => Located::file(file),
        }
    }

    /// A module of a package.
    pub fn inside(&self, paths: &Paths, file: FileNo, name: &str) -> Option<FileNo> {
        let path = paths.path(file);
        let is_package = without_ending(path).is_some_and(|bare| bare == "__init__" || bare.ends_with("/__init__"));
        is_package.then(|| at_path(paths, format!("{}/{name}", folder(path)).trim_start_matches('/'))).flatten()
    }
}

fn found<'m>(file: Option<FileNo>) -> Located<'m> {
    file.map_or(Located::Missing, |file| Located::Files(vec![file], ""))
}

fn at_path(paths: &Paths, path: &str) -> Option<FileNo> {
    let mut whole = String::with_capacity(path.len() + "/__init__.pyx".len());
    let forms = ["", "/__init__"].iter().flat_map(|inside| ENDINGS.iter().map(move |ending| (inside, ending)));
    forms.into_iter().find_map(|(inside, ending)| {
        whole.clear();
        [path, inside, ending].iter().for_each(|part| whole.push_str(part));
        paths.file(whole.trim_start_matches('/'))
    })
}

fn without_ending(path: &str) -> Option<&str> {
    ENDINGS.iter().find_map(|ending| path.strip_suffix(ending))
}

/// The folder that holds the outermost package around a file.
fn import_root<'p>(paths: &Paths, path: &'p str) -> &'p str {
    let mut root = folder(path);
    while !root.is_empty() && ENDINGS.iter().any(|ending| paths.file(&format!("{root}/__init__{ending}")).is_some()) {
        root = folder(root);
    }
    root
}
