//! Which types implement an interface without saying so, as in Go: those that have all of its methods.

use rustc_hash::FxHashMap;

use super::tree::{SymbolNo, Tree};
use crate::record::Kind;

/// An interface of more implementers than this says nothing of any of them.
const MAX_IMPLEMENTERS: usize = 64;

/// Pairs of an interface and a type that has its methods, or gets them from what it embeds.
pub fn implementers(tree: &Tree, derived: &[Vec<SymbolNo>]) -> Vec<(SymbolNo, SymbolNo)> {
    let structural = |symbol: &SymbolNo| tree.symbols[*symbol as usize].rule.is_some_and(|rule| rule.structural);
    let all = || (0..tree.symbols.len() as SymbolNo).filter(structural);
    let mut methods: FxHashMap<SymbolNo, Vec<SymbolNo>> = FxHashMap::default();
    for method in all().filter(|symbol| tree.row(*symbol).kind.is_callable()) {
        if let Some(holder) = tree.symbols[method as usize].parent {
            methods.entry(holder).or_default().push(method);
        }
    }
    let interfaces = all().filter(|symbol| tree.row(*symbol).kind == Kind::Interface);
    let of_interface = |interface: SymbolNo| {
        let asked = methods.get(&interface).map_or(&[][..], Vec::as_slice);
        let found = asked.iter().map(|method| having(tree, derived, *method)).reduce(both);
        let found = found.filter(|found| found.len() <= MAX_IMPLEMENTERS).unwrap_or_default();
        found.into_iter().map(move |implementer| (interface, implementer))
    };
    interfaces.flat_map(of_interface).collect()
}

fn both(mut one: Vec<SymbolNo>, other: Vec<SymbolNo>) -> Vec<SymbolNo> {
    one.retain(|symbol| other.binary_search(symbol).is_ok());
    one
}

/// The types that have a method of this name with as many parameters, or embed one that has, in order.
fn having(tree: &Tree, derived: &[Vec<SymbolNo>], method: SymbolNo) -> Vec<SymbolNo> {
    let wanted = tree.row(method);
    let fits = |other: &&SymbolNo| {
        let row = tree.row(**other);
        row.kind.is_callable() && row.parameters.count == wanted.parameters.count
    };
    let holders = tree.named(&wanted.name).iter().filter(fits);
    let holders = holders.filter_map(|other| tree.symbols[*other as usize].parent);
    let is_type = |holder: &SymbolNo| {
        let kind = tree.row(*holder).kind;
        kind.is_type() && kind != Kind::Interface
    };
    let own: Vec<SymbolNo> = holders.filter(is_type).collect();
    let embedding = own.iter().flat_map(|holder| &derived[*holder as usize]);
    let mut all: Vec<SymbolNo> = own.iter().chain(embedding).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
