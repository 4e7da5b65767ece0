//! What the types and callables of a file span.

use super::{SymbolNo, SymbolTable};
use crate::record::Kind;

/// What a type or callable spans, and which of its file's scopes is around it.
pub struct ScopeSpan {
    pub start: u32,
    pub end: u32,
    pub symbol: SymbolNo,
    outer: Option<usize>,
}

/// The types and callables of a file by their ranges, each with the one around it.
pub fn scopes(symbols: &[SymbolTable], first: SymbolNo) -> Vec<ScopeSpan> {
    let mut scopes: Vec<ScopeSpan> = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let (row, number) = (symbol.row, first + at as u32);
        if row.kind.is_callable() || row.kind.is_type() || row.kind == Kind::Namespace {
            scopes.push(ScopeSpan { start: row.range.start, end: row.range.end, symbol: number, outer: None });
        }
    }
    scopes.sort_by_key(|scope| (scope.start, std::cmp::Reverse(scope.end), scope.symbol));
    let mut open: Vec<usize> = Vec::new();
    for at in 0..scopes.len() {
        while open.last().is_some_and(|outer| scopes[*outer].end <= scopes[at].start) {
            open.pop();
        }
        scopes[at].outer = open.last().copied();
        open.push(at);
    }
    scopes
}

/// The innermost scope around an offset. The outer scope of each comes before it, so the walk ends.
pub fn innermost(scopes: &[ScopeSpan], offset: u32) -> Option<SymbolNo> {
    let mut at = scopes.partition_point(|scope| scope.start <= offset).checked_sub(1);
    while let Some(scope) = at.map(|at| &scopes[at]) {
        if offset < scope.end {
            return Some(scope.symbol);
        }
        at = scope.outer;
    }
    None
}
