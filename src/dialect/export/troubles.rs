//! What is wrong with an export.

use std::collections::BTreeMap;

use super::shortened;
use crate::record::ProblemCode;
use crate::text::{Span, counted};

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    pub code: ProblemCode,
    pub span: Option<Span>,
    pub message: String,
}

/// Collects what is wrong. An export may have a fault in each of its lines, so only the first ones are named.
#[derive(Debug, Default)]
pub struct Troubles {
    list: Vec<Trouble>,
    counts: BTreeMap<ProblemCode, usize>,
}

const MAX_NAMED: usize = 100;
/// Messages quote the export, which may say anything.
const MAX_MESSAGE_CHARS: usize = 200;

impl Troubles {
    pub fn add(&mut self, code: ProblemCode, span: Span, message: impl Into<String>) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= MAX_NAMED {
            let message = shortened(&message.into(), MAX_MESSAGE_CHARS);
            self.list.push(Trouble { code, span: Some(span), message });
        }
    }

    /// Something that is true of the whole export.
    pub fn of_all(&mut self, code: ProblemCode, message: impl Into<String>) {
        self.list.push(Trouble { code, span: None, message: message.into() });
    }

    pub fn finish(mut self) -> Vec<Trouble> {
        for (code, count) in std::mem::take(&mut self.counts) {
            if count > MAX_NAMED {
                self.of_all(code, format!("{} of this kind", counted(count - MAX_NAMED, "more problem")));
            }
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_ones_are_named() {
        let mut troubles = Troubles::default();
        (0..102).for_each(|at| troubles.add(ProblemCode::ItemData, Span::new(at, at), "bad"));
        troubles.add(ProblemCode::ItemDate, Span::new(0, 0), "bad");
        let list = troubles.finish();
        assert_eq!(list.len(), 102);
        assert_eq!(list[101].message, "2 more problems of this kind");
    }
}
