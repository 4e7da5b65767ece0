//! What another tool's index says of places in the tree; it wins over what is worked out here.

use rustc_hash::FxHashMap;

use super::resolve::{Known, Outcome, Target};
use super::tree::{FileNo, SymbolNo};
use crate::record::{Score, Site, Tier};

/// Places by file, line and column, and the ids that the index gives to symbols.
#[derive(Default)]
pub struct Tooling {
    places: FxHashMap<(FileNo, u32, u32), Vec<Target>>,
    pub symbol_ids: FxHashMap<SymbolNo, String>,
}

impl Tooling {
    pub fn say(&mut self, file: FileNo, line: u32, column: u32, target: Target) {
        let said = self.places.entry((file, line, column)).or_default();
        if !said.contains(&target) {
            said.push(target);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn at(&self, file: FileNo, site: &Site) -> Option<Outcome> {
        let targets = self.places.get(&(file, site.2, site.3))?;
        match targets.as_slice() {
            [outside @ Target::Outside { .. }] => Some(Outcome::Outside(outside.clone())),
            [_] => {
                let known = Known { targets: targets.clone(), tier: Tier::Tooling, confidence: Score::ONE };
                Some(Outcome::Found { known, overrides: Vec::new() })
            }
            _ => Some(Outcome::Ambiguous(Known {
                targets: targets.clone(),
                tier: Tier::Tooling,
                confidence: Score::ONE,
            })),
        }
    }
}
