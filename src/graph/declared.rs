//! Finds the definition of a declaration: a C prototype, a method that its class only declares.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh64::xxh64;

use super::occurrences::{EdgeOccurrence, Endpoint, Finder, LabelNo, evidence_id};
use super::resolve::{MAX_CANDIDATES, confidence};
use super::tree::{SymbolNo, SymbolTable, Tree, full_name};
use crate::record::{ChunkUid, EdgeStatus, EdgeType, EvidenceKind, Tier};

/// All declarations with their definitions: one, or one per platform.
pub fn definitions(tree: &Tree) -> FxHashMap<SymbolNo, Vec<SymbolNo>> {
    let chunks = Chunks::new(tree);
    let declared = |symbol: &SymbolNo| is_declarable(tree, *symbol) && !chunks.has_own(tree, *symbol);
    let declarations = (0..tree.symbols.len() as SymbolNo).filter(declared);
    let defined = declarations.map(|declaration| (declaration, definitions_of(tree, &chunks, declaration)));
    defined.filter(|(_, bodies)| (1..=MAX_CANDIDATES).contains(&bodies.len())).collect()
}

/// A definition is a chunk of its own; a declaration is in the chunk of what is around it.
struct Chunks<'i> {
    /// The symbol of each chunk with references.
    owners: FxHashMap<ChunkUid, Option<&'i str>>,
    /// How many symbols start in a chunk.
    symbols: FxHashMap<ChunkUid, u32>,
}

impl<'i> Chunks<'i> {
    fn new(tree: &Tree<'i>) -> Self {
        let mut chunks = Chunks { owners: FxHashMap::default(), symbols: FxHashMap::default() };
        for symbol in tree.symbols.iter().filter(|symbol| has_declarations(symbol)) {
            *chunks.symbols.entry(symbol.row.chunk_uid).or_default() += 1;
        }
        for record in tree.input.references.iter().filter(|record| chunks.symbols.contains_key(&record.chunk_uid)) {
            chunks.owners.insert(record.chunk_uid, record.symbol_id.as_deref());
        }
        chunks
    }

    fn has_own(&self, tree: &Tree, symbol: SymbolNo) -> bool {
        let row = tree.row(symbol);
        match self.owners.get(&row.chunk_uid) {
            Some(owner) => *owner == Some(&*row.symbol_id),
            None => self.symbols.get(&row.chunk_uid) == Some(&1),
        }
    }
}

fn is_declarable(tree: &Tree, symbol: SymbolNo) -> bool {
    has_declarations(&tree.symbols[symbol as usize]) && tree.row(symbol).kind.is_callable()
}

/// Whether a symbol's language declares what it defines elsewhere.
fn has_declarations(symbol: &SymbolTable) -> bool {
    symbol.rule.is_some_and(|rule| rule.declarations)
}

/// The symbols with the same parent or full name that have a body and as many parameters. A prototype may leave out
/// the names of its parameters, and only named ones are counted, so a body may have more if none has as many.
fn definitions_of(tree: &Tree, chunks: &Chunks, declaration: SymbolNo) -> Vec<SymbolNo> {
    let row = tree.row(declaration);
    let parent = tree.parent(declaration).filter(|parent| tree.row(*parent).kind.is_type());
    let named = match parent {
        Some(parent) => tree.members(parent, &row.name),
        None => tree.full_name(&full_name(None, &row.qualified_name)),
    };
    let seen = |other: SymbolNo| tree.row(other).exported || tree.file_of(other) == tree.file_of(declaration);
    let has_body = |other: &SymbolNo| {
        *other != declaration && is_declarable(tree, *other) && chunks.has_own(tree, *other) && seen(*other)
    };
    let count = |other: &SymbolNo| tree.row(*other).parameters.count;
    // Overloads with the same number of parameters are not told apart.
    let bodies: Vec<SymbolNo> = named.iter().copied().filter(has_body).collect();
    let is_same = |other: &SymbolNo| count(other) == row.parameters.count;
    match bodies.iter().any(is_same) {
        true => bodies.into_iter().filter(is_same).collect(),
        false => bodies.into_iter().filter(|other| count(other) > row.parameters.count).collect(),
    }
}

/// An edge from each declaration to its definition.
pub fn occurrences(finder: &Finder) -> Vec<EdgeOccurrence> {
    let tree = finder.resolver.tree;
    let occurrence = |declaration: SymbolNo, definition: SymbolNo, count: usize| {
        let (row, kind) = (tree.row(declaration), EvidenceKind::Identifier);
        // Declarations share a chunk, so the symbol goes into the id as well.
        let apart = xxh64(row.symbol_id.as_bytes(), 0) as u32;
        EdgeOccurrence {
            from: Endpoint::Symbol(declaration),
            edge_type: EdgeType::Usage,
            to: Endpoint::Symbol(definition),
            tier: Tier::Scope,
            status: if count > 1 { EdgeStatus::Ambiguous } else { EdgeStatus::Resolved },
            confidence: confidence::SCOPE.shared_by(count),
            candidates: count as u16,
            label: LabelNo::NONE,
            kind,
            chunk_uid: row.chunk_uid,
            evidence: evidence_id(row.chunk_uid, row.range.start.wrapping_sub(apart), kind, &row.site),
            file: tree.file_of(declaration),
            site: row.site,
        }
    };
    let all = finder.resolver.declarations();
    let each = all.flat_map(|(declaration, bodies)| bodies.iter().map(move |body| (declaration, *body, bodies.len())));
    each.map(|(declaration, body, count)| occurrence(declaration, body, count)).collect()
}
