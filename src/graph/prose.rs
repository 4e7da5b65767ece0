//! Resolves references in prose: files by their paths, symbols by their names if these are unique enough.

use super::input::Reference;
use super::resolve::{MAX_CANDIDATES, Outcome, Resolution, Resolver, Target, confidence};
use super::tree::{FileNo, SymbolNo};
use crate::document::spec_id::is_id;
use crate::language::Modules;
use crate::language::modules::Located;
use crate::record::{Kind, Role, Tier};

/// Prose has a lower limit of candidates: a name of four things is just a word.
const MAX_MEANINGS: usize = 3;

pub fn resolve(resolver: &Resolver, reference: &Reference, file: FileNo) -> Outcome {
    if let Role::Trace | Role::ReadNext = reference.role {
        return spec(resolver, reference, file);
    }
    if let Some(binding) = &reference.binding {
        let module = binding.module.as_deref().unwrap_or(&reference.name);
        return by_path(resolver, file, module);
    }
    let name = reference.name.trim_end_matches("()");
    if name.contains('/')
        || name.contains('.') && resolver.modules.paths.ending(resolver.tree.path(file), name).is_some()
    {
        return by_path(resolver, file, name);
    }
    let found = named(resolver, reference, name);
    let targets = found.iter().copied().map(Target::Symbol).collect();
    match found.len() {
        0 => Outcome::Unresolved(0),
        1 => {
            let resolution = Resolution { targets, tier: Tier::Name, confidence: confidence::ONLY_NAME };
            Outcome::Found { resolution, overrides: Vec::new() }
        }
        2..=MAX_MEANINGS => {
            Outcome::Ambiguous(Resolution { targets, tier: Tier::Name, confidence: confidence::SAME_NAME })
        }
        count => Outcome::Unresolved(count.min(MAX_CANDIDATES)),
    }
}

/// Resolves a link of a spec document: to a spec by its id, or for `read_next` also to a file by its path.
fn spec(resolver: &Resolver, reference: &Reference, file: FileNo) -> Outcome {
    let tree = resolver.tree;
    let is_spec = |symbol: &&SymbolNo| tree.row(**symbol).kind == Kind::Spec;
    let found: Vec<SymbolNo> = tree.named(&reference.name).iter().filter(is_spec).copied().collect();
    let targets: Vec<Target> = found.iter().copied().map(Target::Symbol).collect();
    match targets.len() {
        0 if reference.role == Role::ReadNext && !is_id(&reference.name) => read_next(resolver, reference, file),
        0 => Outcome::Unresolved(0),
        1 => Outcome::Found {
            resolution: Resolution { targets, tier: Tier::Scope, confidence: confidence::SCOPE },
            overrides: Vec::new(),
        },
        2..=MAX_CANDIDATES => {
            Outcome::Ambiguous(Resolution { targets, tier: Tier::Scope, confidence: confidence::SCOPE })
        }
        count => Outcome::Unresolved(count.min(MAX_CANDIDATES)),
    }
}

/// A file, or the spec that it is.
fn read_next(resolver: &Resolver, reference: &Reference, file: FileNo) -> Outcome {
    let mut outcome = by_path(resolver, file, &reference.name);
    if let Outcome::Found { resolution, .. } = &mut outcome {
        for target in &mut resolution.targets {
            if let Target::File(file) = *target {
                *target = resolver.tree.spec_of(file).map_or(Target::File(file), Target::Symbol);
            }
        }
    }
    outcome
}

fn by_path(resolver: &Resolver, file: FileNo, path: &str) -> Outcome {
    match resolver.modules.locate(Modules::Prose, file, path.split(['#', '?']).next().unwrap_or(path)) {
        Located::Files(files, _) => {
            let targets = files.into_iter().map(Target::File).collect();
            let resolution = Resolution { targets, tier: Tier::Import, confidence: confidence::IMPORT };
            Outcome::Found { resolution, overrides: Vec::new() }
        }
        _ => Outcome::Unresolved(0),
    }
}

/// Symbols with this name and, if a parent is written, with such a parent; exported ones first.
fn named(resolver: &Resolver, reference: &Reference, name: &str) -> Vec<SymbolNo> {
    let tree = resolver.tree;
    let parent = reference.receiver.as_deref().and_then(|receiver| receiver.rsplit(['.', ':', '#']).next());
    let fits = |symbol: &&SymbolNo| {
        let (symbol, row) = (&tree.symbols[**symbol as usize], tree.row(**symbol));
        let is_code = symbol.is_code() && row.kind != Kind::Key;
        let has_parent = |name: &str| {
            let of_type = symbol.parent.is_some_and(|parent| &*tree.row(parent).name == name);
            let mut path = tree.path(symbol.file).rsplit('/');
            let file = path.next().unwrap_or_default();
            of_type || file.split('.').next() == Some(name) || path.next().unwrap_or_default() == name
        };
        is_code && parent.map_or(symbol.parent.is_none() || is_distinctive(name), has_parent)
    };
    let all: Vec<SymbolNo> = tree.named(name).iter().filter(fits).copied().collect();
    let own = |symbol: &SymbolNo| tree.row(*symbol).exported && !tree.input.is_test(tree.file_of(*symbol) as usize);
    let first: Vec<SymbolNo> = all.iter().copied().filter(own).collect();
    if first.is_empty() { all } else { first }
}

/// Whether a name is not an English word.
fn is_distinctive(name: &str) -> bool {
    name.contains('_') || name.chars().skip(1).any(char::is_uppercase)
}
