//! Like cases counted together, the most frequent first.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::scip::Location;

/// Places that differ in nothing but where they are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Example {
    pub count: u32,
    /// The first of them.
    pub at: Location,
    pub name: String,
    /// Where the index defines it.
    pub expected: Option<Location>,
    /// Where we say that it is defined.
    pub claimed: Option<Location>,
    /// What the claim says of itself; of a wrong one, also the index's symbol.
    pub because: String,
}

#[derive(Default)]
pub(super) struct Examples(BTreeMap<Key, (u32, Location)>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    name: String,
    expected: Option<Location>,
    claimed: Option<Location>,
    because: String,
}

impl Examples {
    pub fn add(
        &mut self,
        at: &Location,
        name: &str,
        expected: Option<&Location>,
        claimed: Option<&Location>,
        because: &str,
    ) {
        let (name, because) = (name.to_owned(), because.to_owned());
        let key = Key { name, expected: expected.cloned(), claimed: claimed.cloned(), because };
        self.0.entry(key).or_insert_with(|| (0, at.clone())).0 += 1;
    }

    pub fn count(&self) -> u32 {
        self.0.values().map(|(count, _)| count).sum()
    }

    pub fn worst(self, max_examples: usize) -> Vec<Example> {
        let mut examples: Vec<Example> = self.0.into_iter().map(|(key, (count, at))| key.example(count, at)).collect();
        // Stable: like counts stay in the order of their keys.
        examples.sort_by_key(|example| std::cmp::Reverse(example.count));
        examples.truncate(max_examples);
        examples
    }
}

impl Key {
    fn example(self, count: u32, at: Location) -> Example {
        let Key { name, expected, claimed, because } = self;
        Example { count, at, name, expected, claimed, because }
    }
}
