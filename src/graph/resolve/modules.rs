//! What imports bind and what files export.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::{Limit, MAX_REEXPORTS, Resolution, Resolver, Scope, Steps, Target, TypedValue, confidence};
use crate::graph::input::Reference;
use crate::graph::tree::{FileNo, Import, SymbolNo, dotted, full_name, is_include, is_wild};
use crate::language::modules::Located;
use crate::language::{Modules, NameRule};
use crate::record::{Binding, Kind, Role, Tier};

impl<'t> Resolver<'t> {
    /// What an import or export statement names.
    pub(super) fn binding(
        &self,
        binding: &Binding,
        reference: &Reference,
        file: FileNo,
        limit: Limit,
    ) -> Option<Resolution> {
        let targets = match binding.module {
            None if reference.role == Role::Export => {
                let local = binding.name.as_deref().unwrap_or(&reference.name);
                self.local(file, local, limit)
            }
            _ if is_wild(binding) => self.module_targets(binding, file, limit),
            _ => self.bound_exactly(binding, file, limit),
        };
        Some(Resolution { targets, tier: Tier::Import, confidence: confidence::IMPORT })
    }

    /// What a name means at the top level of a file.
    pub(super) fn local(&self, file: FileNo, name: &str, limit: Limit) -> Vec<Target> {
        let own = self.tree.top_level(file, name);
        match own.is_empty() {
            false => own.iter().copied().map(Target::Symbol).collect(),
            true => {
                let scope = Scope { file, symbol: None, in_type: false };
                self.imported(name, scope, limit.deeper()).map(|resolution| resolution.targets).unwrap_or_default()
            }
        }
    }

    /// What the name that an import binds means in the file.
    pub(super) fn bound(&self, binding: &Binding, file: FileNo, limit: Limit) -> Vec<Target> {
        let binds_head = self.tree.files[file as usize].rule.is_some_and(|rule| rule.import_binds_head);
        if let (true, None, None, Some(module)) = (binds_head, &binding.name, &binding.alias, &binding.module)
            && let Some((head, _)) = module.split_once('.')
            && !head.is_empty()
        {
            let head = Binding { module: Some(head.to_string()), ..binding.clone() };
            return self.bound_exactly(&head, file, limit);
        }
        let targets = self.bound_exactly(binding, file, limit);
        let returns = self.tree.files[file as usize].rule.is_some_and(|rule| rule.returns);
        if !returns || binding.name.is_some() {
            return targets;
        }
        let returned = |target: Target| match target {
            Target::File(file) => self.returned(file, limit.deeper()),
            target => target,
        };
        targets.into_iter().map(returned).collect()
    }

    /// What importing a file gives where that is what the file returns: `M` for Lua's `return M`.
    pub(super) fn returned(&self, file: FileNo, limit: Limit) -> Target {
        let symbols = self.tree.files[file as usize].symbols.clone();
        let names = symbols.map(|symbol| &*self.tree.row(symbol).name);
        let exports = &self.tree.files[file as usize].exports;
        let exported = names.filter(|name| exports.contains_key(name)).flat_map(|name| self.local(file, name, limit));
        let mut exported: Vec<Target> = exported.collect();
        exported.dedup();
        match exported.as_slice() {
            [one] => one.clone(),
            _ => Target::File(file),
        }
    }

    pub(super) fn bound_exactly(&self, binding: &Binding, file: FileNo, limit: Limit) -> Vec<Target> {
        let Some(rule) = self.tree.files[file as usize].rule.filter(|_| !limit.is_reached()) else { return Vec::new() };
        let name = binding.name.as_deref().filter(|name| *name != "*");
        let Some(module) = binding.module.as_deref() else {
            let full = dotted(name.unwrap_or_default());
            return self.in_package("", &full);
        };
        match self.locate(rule, binding, file, module) {
            Located::Outside => vec![Target::Outside { module: module.to_string(), name: name.map(str::to_string) }],
            Located::Missing => Vec::new(),
            Located::Package(package) => match name {
                None => match self.in_package("", &package).as_slice() {
                    [Target::Outside { .. }] => vec![Target::Outside { module: package, name: None }],
                    targets => targets.to_vec(),
                },
                Some(name) => self.in_package(&package, &dotted(name)),
            },
            Located::Files(files, rest) => {
                let mut targets: Vec<Target> = match files.as_slice() {
                    [file] if name.is_none() && gives_default(rule, binding) => self.required(*file, limit),
                    _ => files.into_iter().map(Target::File).collect(),
                };
                for part in rest.split("::").filter(|part| !part.is_empty()).chain(name) {
                    targets = targets
                        .iter()
                        .flat_map(|target| {
                            self.member_of(&TypedValue::Definition(target.clone()), part, limit.deeper())
                        })
                        .collect();
                }
                targets
            }
        }
    }

    fn locate<'m>(&self, rule: &NameRule, binding: &Binding, file: FileNo, module: &'m str) -> Located<'m> {
        self.modules.locate(rule.modules_of(binding.style.as_deref()), file, module)
    }

    /// A name in a package, which may be outside of the tree.
    pub(super) fn in_package(&self, package: &str, name: &str) -> Vec<Target> {
        let outside = || Target::Outside { module: package.to_string(), name: Some(name.to_string()) };
        self.known_in_package(package, name).unwrap_or_else(|| vec![outside()])
    }

    /// A name in a package of the tree.
    pub(super) fn known_in_package(&self, package: &str, name: &str) -> Option<Vec<Target>> {
        let full = full_name((!package.is_empty()).then_some(package), name);
        let found = self.tree.full_name(&full);
        let is_package = |symbol: &SymbolNo| self.tree.row(*symbol).kind == Kind::Namespace;
        if found.iter().all(is_package) && self.tree.has_package(&full) {
            return Some(vec![Target::Package(full)]);
        }
        (!found.is_empty()).then(|| found.iter().copied().map(Target::Symbol).collect())
    }

    pub(super) fn through_wild(&self, import: &Import, file: FileNo, name: &str, limit: Limit) -> Vec<Target> {
        if limit.is_reached() {
            return Vec::new();
        }
        let binding = &*import.binding;
        let from = self.wild_targets(import, file, limit.deeper());
        let is_part = binding.style.as_deref() == Some("part of");
        let found = from.iter().flat_map(|target| match target {
            Target::Outside { .. } => Vec::new(),
            // A part sees the imports of its library.
            Target::File(library) if is_part => match self.exported(*library, name, limit.deeper()) {
                own if own.is_empty() => self.local(*library, name, limit.deeper()),
                own => own,
            },
            target => self.member_of(&TypedValue::Definition(target.clone()), name, limit.deeper()),
        });
        let skips_private = self.tree.files[file as usize].rule.is_some_and(|rule| rule.star_skips_private);
        let seen = |target: &Target| match target {
            Target::Outside { .. } | Target::Package(_) => false,
            Target::Symbol(symbol) => !skips_private || is_include(binding) || self.tree.row(*symbol).exported,
            Target::File(_) => true,
        };
        found.filter(seen).collect()
    }

    /// What the module of a wild import is. Every name that is looked up in the file is looked up in it, so it is kept,
    /// unless it depends on a limit.
    fn wild_targets<'m>(&self, import: &'m Import, file: FileNo, limit: Limit) -> Cow<'m, [Target]> {
        if limit.is_reached() {
            return Cow::Borrowed(&[]);
        }
        match import.module.get_or_init(|| self.plain_module(&import.binding, file)) {
            Some(targets) => Cow::Borrowed(targets),
            None => Cow::Owned(self.module_targets(&import.binding, file, limit)),
        }
    }

    /// The targets of a module whose files need no further lookup.
    fn plain_module(&self, binding: &Binding, file: FileNo) -> Option<Vec<Target>> {
        let rule = self.tree.files[file as usize].rule?;
        if let Located::Files(_, rest) = self.locate(rule, binding, file, binding.module.as_deref()?)
            && (!rest.is_empty() || gives_default(rule, binding))
        {
            return None;
        }
        Some(self.module_targets(binding, file, Steps::new().limit()))
    }

    pub(super) fn module_targets(&self, binding: &Binding, file: FileNo, limit: Limit) -> Vec<Target> {
        let module = Binding { name: None, ..binding.clone() };
        self.bound_exactly(&module, file, limit)
    }

    /// What a name means for other files that import it from a file.
    pub(super) fn exported(&self, file: FileNo, name: &str, limit: Limit) -> Vec<Target> {
        if limit.is_reached() {
            return Vec::new();
        }
        if name == "default" && self.tree.files[file as usize].rule.is_some_and(|rule| rule.default_exports) {
            return self.default_export(file, limit);
        }
        let own = self.exported_itself(file, name, limit);
        if !own.is_empty() {
            return own;
        }
        let others = self.reexports[file as usize].iter();
        others.map(|file| self.exported_itself(*file, name, limit)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The default export of a file, which is not re-exported; without one, the file itself.
    pub(super) fn default_export(&self, file: FileNo, limit: Limit) -> Vec<Target> {
        let exported = self.exported_itself(file, "default", limit);
        if exported.is_empty() { vec![Target::File(file)] } else { exported }
    }

    /// What `require` gives: all exports of a file, or the one value that replaced them.
    pub(super) fn required(&self, file: FileNo, limit: Limit) -> Vec<Target> {
        let exports = self.tree.files[file as usize].exports.get("default");
        let is_set =
            |import: &Import| matches!(import.binding.style.as_deref(), Some("commonjs" | "assign" | "require"));
        match exports.is_some_and(|exports| exports.iter().any(is_set)) || exports.is_none() {
            true => self.default_export(file, limit.deeper()),
            false => vec![Target::File(file)],
        }
    }

    pub(super) fn exported_itself(&self, file: FileNo, name: &str, limit: Limit) -> Vec<Target> {
        let table = &self.tree.files[file as usize];
        let bindings = table.exports.get(name).into_iter().flatten().map(|import| &*import.binding);
        let exported = bindings.flat_map(|binding| match &binding.module {
            Some(_) => self.bound_exactly(binding, file, limit.deeper()),
            None => self.local(file, binding.name.as_deref().unwrap_or(name), limit.deeper()),
        });
        let exported: Vec<Target> = exported.collect();
        if !exported.is_empty() {
            return exported;
        }
        let own = self.tree.top_level(file, name);
        if !own.is_empty() {
            return own.iter().copied().map(Target::Symbol).collect();
        }
        let rules = table.rule.map_or(Modules::None, |rule| rule.modules);
        if let Some(inside) = self.modules.inside(rules, file, name) {
            return vec![Target::File(inside)];
        }
        if table.rule.is_some_and(|rule| rule.imports_are_exports)
            && let Some(imports) = table.imports.get(name)
        {
            return imports.iter().flat_map(|import| self.bound(&import.binding, file, limit.deeper())).collect();
        }
        Vec::new()
    }

    /// Finds the files whose names each file re-exports. Until that is done no file re-exports anything, so that
    /// finding it does not depend on itself.
    pub(super) fn find_reexports(&mut self) {
        let direct: Vec<Vec<FileNo>> = (0..self.tree.files.len()).map(|file| self.star_files(file as FileNo)).collect();
        let closed = (0..direct.len()).map(|file| match direct[file].is_empty() {
            true => Vec::new(),
            false => closure(file as FileNo, &direct),
        });
        self.reexports = closed.collect();
    }

    /// The files whose names a file re-exports by a star.
    pub(super) fn star_files(&self, file: FileNo) -> Vec<FileNo> {
        let table = &self.tree.files[file as usize];
        let reexports = table.rule.is_some_and(|rule| rule.star_imports_are_exports);
        let imports = table.wild_imports.iter().filter(|import| reexports || is_include(&import.binding));
        let targets = table
            .wild_exports
            .iter()
            .chain(imports)
            .flat_map(|star| self.module_targets(&star.binding, file, Steps::new().limit()));
        let files = targets.filter_map(|target| if let Target::File(file) = target { Some(file) } else { None });
        files.collect()
    }
}

/// Whether the import gives what a file exports by default.
fn gives_default(rule: &NameRule, binding: &Binding) -> bool {
    rule.default_exports && binding.style.as_deref() == Some("require")
}

/// All files that can be reached from one, nearest first, without itself.
pub(super) fn closure(file: FileNo, direct: &[Vec<FileNo>]) -> Vec<FileNo> {
    let (mut all, mut known) = (vec![file], FxHashSet::from_iter([file]));
    let mut at = 0;
    while at < all.len() && all.len() < MAX_REEXPORTS {
        all.extend(direct[all[at] as usize].iter().filter(|next| known.insert(**next)));
        at += 1;
    }
    all.remove(0);
    all
}
