//! What stands for a kind, type, tier or status in one byte. Another number for one of them is another
//! version of the form.

use crate::record::{EdgeStatus, EdgeType, EvidenceKind, NodeKind, Tier};

/// A value that is stored as one byte: its place among all of its type, which is also its order.
pub trait Code: Copy + 'static {
    const ALL: &'static [Self];

    fn code(self) -> u8;

    fn of(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// The match makes a new variant that has no number an error of the compiler.
macro_rules! codes {
    ($type:ident: $($variant:ident = $code:literal),+) => {
        impl Code for $type {
            const ALL: &'static [Self] = &[$($type::$variant),+];

            fn code(self) -> u8 {
                match self {
                    $($type::$variant => $code),+
                }
            }
        }
    };
}

/// The vocabulary's order.
impl Code for EdgeType {
    const ALL: &'static [Self] = EdgeType::ALL;

    fn code(self) -> u8 {
        self as u8
    }
}

codes!(NodeKind: Symbol = 0, Chunk = 1, File = 2, External = 3);
codes!(Tier: Tooling = 0, Import = 1, Scope = 2, Name = 3);
codes!(EdgeStatus: Resolved = 0, Ambiguous = 1, External = 2);
codes!(EvidenceKind: Callsite = 0, Identifier = 1, ImportStmt = 2, Span = 3, Tooling = 4);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_place_in_the_order() {
        check::<NodeKind>();
        check::<EdgeType>();
        check::<Tier>();
        check::<EdgeStatus>();
        check::<EvidenceKind>();
    }

    fn check<C: Code + Ord + std::fmt::Debug>() {
        assert!(C::ALL.is_sorted_by(|a, b| a < b), "{:?}", C::ALL);
        assert!(C::ALL.iter().enumerate().all(|(place, value)| usize::from(value.code()) == place));
    }
}
