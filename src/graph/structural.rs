//! Finds the types that implement an interface without naming it, as in Go: those with all of its methods.

use rustc_hash::FxHashMap;

use super::tree::{SymbolNo, Tree};
use crate::record::Kind;

/// An interface with more implementers than this is ignored.
const MAX_IMPLEMENTERS: usize = 64;

/// Pairs of an interface and a type that has its methods, or embeds a type that has them.
pub fn implementers(tree: &Tree, derived: &[Vec<SymbolNo>]) -> Vec<(SymbolNo, SymbolNo)> {
    let structural = |symbol: &SymbolNo| tree.symbols[*symbol as usize].rule.is_some_and(|rule| rule.structural);
    let all = || (0..tree.symbols.len() as SymbolNo).filter(structural);
    let mut methods: FxHashMap<SymbolNo, Vec<SymbolNo>> = FxHashMap::default();
    for method in all().filter(|symbol| tree.row(*symbol).kind.is_callable()) {
        if let Some(parent) = tree.parent(method) {
            methods.entry(parent).or_default().push(method);
        }
    }
    let interfaces = all().filter(|symbol| tree.row(*symbol).kind == Kind::Interface);
    let of_interface = |interface: SymbolNo| {
        let wanted = methods.get(&interface).map_or(&[][..], Vec::as_slice);
        let found = wanted.iter().map(|method| having(tree, derived, *method)).reduce(both);
        let found = found.filter(|found| found.len() <= MAX_IMPLEMENTERS).unwrap_or_default();
        found.into_iter().map(move |implementer| (interface, implementer))
    };
    interfaces.flat_map(of_interface).collect()
}

fn both(mut one: Vec<SymbolNo>, other: Vec<SymbolNo>) -> Vec<SymbolNo> {
    one.retain(|symbol| other.binary_search(symbol).is_ok());
    one
}

/// The types that have a method with this name and as many parameters, or embed a type that has, in order.
fn having(tree: &Tree, derived: &[Vec<SymbolNo>], method: SymbolNo) -> Vec<SymbolNo> {
    let wanted = tree.row(method);
    let fits = |other: &&SymbolNo| {
        let row = tree.row(**other);
        row.kind.is_callable() && row.parameters.count == wanted.parameters.count
    };
    let methods = tree.named(&wanted.name).iter().filter(fits);
    let parents = methods.filter_map(|other| tree.parent(*other));
    let is_type = |parent: &SymbolNo| {
        let kind = tree.row(*parent).kind;
        kind.is_type() && kind != Kind::Interface
    };
    let own: Vec<SymbolNo> = parents.filter(is_type).collect();
    let embedding = own.iter().flat_map(|parent| &derived[*parent as usize]);
    let mut all: Vec<SymbolNo> = own.iter().chain(embedding).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
