//! The lenses: those of `src/profiles/lenses.toml`, and those that a user adds or replaces.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::record::brief::BriefRequest;
use crate::record::lens::{Lens, WHOLE_WEIGHT, WalkWord};

/// A lens as a file has it. Keys that are left out are those of the lens that it extends.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LensTable {
    /// What it is for, in a few words.
    pub about: Option<String>,
    pub boost_tags: Option<Vec<String>>,
    pub edges: Option<BTreeMap<WalkWord, u32>>,
    /// The lens whose values hold where this one has none; without it, `general`.
    pub extends: Option<String>,
    pub fields: Option<Vec<String>>,
    pub max_children: Option<u32>,
    pub max_depth: Option<u32>,
    pub recency_days: Option<u32>,
    pub siblings: Option<bool>,
}

/// Lenses by name.
#[derive(Clone, Debug)]
pub struct Lenses {
    tables: BTreeMap<String, LensTable>,
}

/// Why a lens cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LensFault {
    #[error("there is no lens `{name}`; {nearest}the lenses are {known}")]
    Unknown { name: String, nearest: String, known: String },
    #[error("the lens `{0}` extends itself")]
    Loop(String),
    #[error("the lens `{name}` has {key} = {value}, which may be from {min} to {max}")]
    OutOfRange { name: String, key: String, value: u32, min: u32, max: u32 },
    #[error("{0}")]
    Unreadable(String),
}

/// One entry of a list of lenses, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct LensEntry {
    pub lens: Lens,
    pub about: String,
}

/// A file of lenses has nothing but tables of lenses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LensFile {
    lens: BTreeMap<String, LensTable>,
}

impl Lenses {
    pub const DEFAULT: &str = "general";

    pub fn builtin() -> Self {
        let text = include_str!("../../profiles/lenses.toml");
        Lenses { tables: parse(text).expect("a test resolves every built-in lens") }
    }

    /// Adds lenses; one of a known name replaces it. A replaced lens may extend the one that it replaces.
    pub fn add(&mut self, tables: BTreeMap<String, LensTable>) {
        for (name, mut table) in tables {
            if table.extends.as_deref() == Some(name.as_str())
                && let Some(replaced) = self.tables.get(&name)
            {
                table = table.over(replaced);
            }
            self.tables.insert(name, table);
        }
    }

    /// Adds the lenses of a TOML file with tables `[lens.NAME]`.
    pub fn add_file(&mut self, text: &str) -> Result<(), LensFault> {
        self.add(parse(text).map_err(LensFault::Unreadable)?);
        Ok(())
    }

    /// The lens of this name, with all its values.
    pub fn get(&self, name: &str) -> Result<Lens, LensFault> {
        let table = self.whole_table(name)?;
        let lens = Lens {
            boost_tags: table.boost_tags.unwrap_or_default(),
            edges: table.edges.unwrap_or_default(),
            fields: table.fields.unwrap_or_default(),
            max_children: table.max_children.unwrap_or_default(),
            max_depth: table.max_depth.unwrap_or_default(),
            name: name.to_string(),
            recency_days: table.recency_days.unwrap_or_default(),
            siblings: table.siblings.unwrap_or_default(),
        };
        check(&lens)?;
        Ok(lens)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// All lenses, by name.
    pub fn all(&self) -> Result<Vec<LensEntry>, LensFault> {
        let entry = |name: &str| {
            let about = self.tables[name].about.clone().unwrap_or_default();
            Ok(LensEntry { lens: self.get(name)?, about })
        };
        self.names().map(entry).collect()
    }

    /// The table of a lens, completed by the lenses that it extends and by `general`.
    fn whole_table(&self, name: &str) -> Result<LensTable, LensFault> {
        let (mut table, mut seen) = (LensTable::default(), BTreeSet::new());
        let mut next = name.to_string();
        loop {
            if !seen.insert(next.clone()) {
                return Err(LensFault::Loop(name.to_string()));
            }
            let own = self.tables.get(&next).ok_or_else(|| self.unknown(&next))?;
            let extends = own.extends.clone();
            table = table.over(own);
            match extends {
                Some(extended) => next = extended,
                None if next == Self::DEFAULT => return Ok(table),
                None => next = Self::DEFAULT.to_string(),
            }
        }
    }

    fn unknown(&self, name: &str) -> LensFault {
        let near = self.names().map(|known| (strsim::levenshtein(name, known), known)).min();
        let near = near.filter(|(distance, _)| *distance <= (name.len() / 2).max(1));
        let nearest = near.map_or_else(String::new, |(_, known)| format!("did you mean `{known}`? "));
        let known = self.names().collect::<Vec<_>>().join(", ");
        LensFault::Unknown { name: name.to_string(), nearest, known }
    }
}

impl LensTable {
    /// This table, with the values of another where it has none.
    fn over(self, other: &LensTable) -> LensTable {
        LensTable {
            about: self.about.or_else(|| other.about.clone()),
            boost_tags: self.boost_tags.or_else(|| other.boost_tags.clone()),
            edges: self.edges.or_else(|| other.edges.clone()),
            extends: other.extends.clone(),
            fields: self.fields.or_else(|| other.fields.clone()),
            max_children: self.max_children.or(other.max_children),
            max_depth: self.max_depth.or(other.max_depth),
            recency_days: self.recency_days.or(other.recency_days),
            siblings: self.siblings.or(other.siblings),
        }
    }
}

fn parse(text: &str) -> Result<BTreeMap<String, LensTable>, String> {
    let file: LensFile = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_string())?;
    Ok(file.lens)
}

/// The largest number of neighbours that a lens may follow: as many as a walk keeps.
const MAX_CHILDREN: u32 = 20_000;
const MAX_RECENCY_DAYS: u32 = 100_000;

fn check(lens: &Lens) -> Result<(), LensFault> {
    let mut values = vec![
        ("max_children".to_string(), lens.max_children, 1, MAX_CHILDREN),
        ("max_depth".to_string(), lens.max_depth, 0, BriefRequest::MAX_DEPTH),
        ("recency_days".to_string(), lens.recency_days, 1, MAX_RECENCY_DAYS),
    ];
    values.extend(lens.edges.iter().map(|(word, weight)| (format!("edges.{}", word.name()), *weight, 0, WHOLE_WEIGHT)));
    let wrong = values.into_iter().find(|(_, value, min, max)| !(min..=max).contains(&value));
    match wrong {
        None => Ok(()),
        Some((key, value, min, max)) => Err(LensFault::OutOfRange { name: lens.name.clone(), key, value, min, max }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> Result<Lenses, LensFault> {
        let mut lenses = Lenses::builtin();
        lenses.add_file(text)?;
        Ok(lenses)
    }

    #[test]
    fn the_built_in_lenses_have_the_values_of_the_contract() {
        let lenses = Lenses::builtin();
        let names: Vec<&str> = lenses.names().collect();
        assert_eq!(names, ["coding", "general", "meeting-prep", "planning", "writing"]);
        let writing = lenses.get("writing").unwrap();
        assert_eq!((writing.max_depth, writing.siblings, writing.max_children), (3, false, 500));
        assert_eq!(writing.edges[&WalkWord::Backlink], 800);
        assert_eq!(writing.fields, ["*"]);
        assert!(lenses.get("planning").unwrap().siblings);
        assert_eq!(lenses.get("coding").unwrap().edges.len(), 7);
        assert!(lenses.all().unwrap().iter().all(|entry| !entry.about.is_empty()));
    }

    #[test]
    fn an_own_lens_takes_over_what_it_leaves_out() {
        let lenses = with("[lens.weekly]\nextends = \"planning\"\nrecency_days = 7\n").unwrap();
        let weekly = lenses.get("weekly").unwrap();
        let planning = lenses.get("planning").unwrap();
        assert_eq!(weekly, Lens { name: "weekly".to_string(), recency_days: 7, ..planning });
        let plain = with("[lens.plain]\nsiblings = false\n").unwrap().get("plain").unwrap();
        assert_eq!(plain.edges, Lenses::builtin().get("general").unwrap().edges);
    }

    #[test]
    fn a_built_in_lens_can_be_replaced() {
        let replaced = with("[lens.writing]\nmax_depth = 1\n").unwrap().get("writing").unwrap();
        assert_eq!((replaced.max_depth, replaced.edges.len()), (1, 6), "what is left out is general's");
        let own = with("[lens.writing]\nextends = \"writing\"\nmax_depth = 1\n").unwrap().get("writing").unwrap();
        assert_eq!((own.max_depth, own.edges.len()), (1, 4));
    }

    #[test]
    fn a_lens_that_cannot_be_used_is_refused_by_name() {
        let fault = |text: &str| with(text).and_then(|lenses| lenses.get("a")).unwrap_err().to_string();
        assert!(fault("[lens.a]\ndepht = 3\n").contains("depht"));
        assert!(fault("[lens.a]\n[lens.a.edges]\nsibling = 3\n").contains("sibling"));
        assert!(fault("[lenses.a]\n").contains("lenses"));
        assert_eq!(fault("[lens.a]\nextends = \"b\"\n[lens.b]\nextends = \"a\"\n"), "the lens `a` extends itself");
        assert_eq!(
            fault("[lens.a]\nextends = \"planing\"\n"),
            "there is no lens `planing`; did you mean `planning`? the lenses are a, coding, general, meeting-prep, \
             planning, writing"
        );
        assert_eq!(fault("[lens.a]\nmax_depth = 6\n"), "the lens `a` has max_depth = 6, which may be from 0 to 5");
        assert!(fault("[lens.a.edges]\nchild = 1001\n").contains("edges.child"));
    }
}
