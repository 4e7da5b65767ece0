//! A comparison for people.

use std::fmt::{Display, Formatter, Result};

use super::{Cause, Comparison, Example, Precision, Recall};
use crate::record::Score;
use crate::scip::{Location, SymbolKind};

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "against {}, at confidence {} and up\n", self.tool, self.threshold)?;
        recall(f, "places found", &self.places)?;
        for (kind, part) in &self.places_by_kind {
            recall(f, &format!("  {}", kind_word(*kind)), part)?;
        }
        writeln!(f)?;
        precision(f, "claims right", &self.claims)?;
        for (role, part) in &self.claims_by_role {
            precision(f, &format!("  {}", role.name()), part)?;
        }
        self.notes(f)?;
        for missed in &self.missed {
            writeln!(f, "\nmissed: {} ({})", cause_word(missed.cause), missed.count)?;
            missed.examples.iter().try_for_each(|one| example(f, one))?;
        }
        if !self.wrong.is_empty() {
            writeln!(f, "\nwrong ({})", self.claims.wrong)?;
        }
        self.wrong.iter().try_for_each(|one| example(f, one))
    }
}

impl Comparison {
    fn notes(&self, f: &mut Formatter<'_>) -> Result {
        let notes = [
            (self.unchecked.no_document, "claims in files that the index does not have"),
            (self.unchecked.no_occurrence, "claims where the index has nothing"),
            (self.unchecked.no_definition, "claims where the index did not find what is meant"),
            (self.skipped_documents, "documents left out, whose columns do not count UTF-16"),
            (self.dropped.outside_documents, "documents left out, whose path leads out of the tree"),
            (self.dropped.conflicting_documents, "documents left out, which count columns in a second way"),
            (self.dropped.misplaced_occurrences, "occurrences left out, which have no place"),
        ];
        let mut notes = notes.iter().filter(|(count, _)| *count > 0).peekable();
        if notes.peek().is_some() {
            writeln!(f)?;
        }
        notes.try_for_each(|(count, what)| writeln!(f, "{count:>8} {what}"))
    }
}

fn recall(f: &mut Formatter<'_>, what: &str, part: &Recall) -> Result {
    counted(f, what, part.found, part.total, part.share)
}

fn precision(f: &mut Formatter<'_>, what: &str, part: &Precision) -> Result {
    counted(f, what, part.right, part.right + part.wrong, part.share)
}

fn counted(f: &mut Formatter<'_>, what: &str, count: u32, total: u32, share: Score) -> Result {
    let tenths = share.in_millionths() / 1_000;
    writeln!(f, "{what:<18} {count:>7} of {total:>7}  {:>3}.{} %", tenths / 10, tenths % 10)
}

fn example(f: &mut Formatter<'_>, example: &Example) -> Result {
    let Example { count, at, name, expected, claimed, because } = example;
    write!(f, "{count:>8} {}:{} {name} -> {}", at.file, at.line, line_of(expected.as_ref()))?;
    if claimed.is_some() {
        write!(f, ", not {}", line_of(claimed.as_ref()))?;
    }
    if because.is_empty() { writeln!(f) } else { writeln!(f, " ({because})") }
}

fn line_of(place: Option<&Location>) -> String {
    match place {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "outside".to_owned(),
    }
}

fn kind_word(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Local => "local",
        SymbolKind::Parameter => "parameter",
        SymbolKind::TypeParameter => "type parameter",
        SymbolKind::Module => "module",
        SymbolKind::Type => "type",
        SymbolKind::Function => "function",
        SymbolKind::Method => "method",
        SymbolKind::Member => "member",
        SymbolKind::Variable => "variable",
        SymbolKind::Macro => "macro",
        SymbolKind::Meta => "object property",
        SymbolKind::Unreadable => "unreadable",
    }
}

fn cause_word(cause: Cause) -> &'static str {
    match cause {
        Cause::NoSymbol => "the definition is no symbol of ours",
        Cause::Definition => "the place is a definition of ours",
        Cause::NoReference => "no reference of ours is there",
        Cause::Unresolved => "the reference is unresolved",
        Cause::BelowThreshold => "no target reaches the threshold",
        Cause::WrongTarget => "another target",
    }
}
