//! Puts the symbols that a query names first, then their own neighbours, before everything that only shares words.

use std::collections::BTreeMap;

use super::test_file;
use crate::assemble::expand::{Reached, Walked};
use crate::assemble::score::{Candidate, Standing};
use crate::assemble::{Found, IndexView, Profile, ReadError};
use crate::graph::adjacency::Direction;
use crate::record::pack::SectionType;
use crate::record::{ChunkNo, EdgeType};
use crate::search::{FileFlags, Relation};

/// Gives all candidates their standing and scores, and leaves out what a question about one symbol does not ask for.
pub fn order(
    view: &IndexView,
    found: &Found,
    profile: &Profile,
    all: Vec<Candidate>,
) -> Result<Vec<Candidate>, ReadError> {
    let sections = own_sections(profile, found.named.relation);
    let is_led = !found.named.is_empty() && !sections.is_empty();
    let scored = |candidate: Candidate| candidate.with_scores(profile.weights, is_led);
    if !is_led {
        return Ok(all.into_iter().map(scored).collect());
    }
    let is_far = profile.own_first.iter().any(|section| section == SectionType::Callers.name());
    let lead = Lead { view, found, sections, is_far };
    let placed = all.into_iter().map(|candidate| {
        let (standing, mention) = (lead.standing(&candidate), lead.mention(candidate.chunk));
        Candidate { standing, mention, ..candidate }
    });
    let mut placed: Vec<Candidate> = placed.map(scored).collect();
    if profile.test_head || found.named.relation == Some(Relation::Tests) {
        lead.add_tests(&mut placed)?;
    }
    if placed.iter().any(Candidate::is_own) {
        placed.retain(|candidate| candidate.standing < lead.end());
    }
    Ok(placed)
}

/// The sections whose own neighbours come first: as the question asks, else as the intent does.
fn own_sections(profile: &Profile, relation: Option<Relation>) -> Vec<SectionType> {
    let of_profile = || {
        SectionType::ALL.iter().copied().filter_map(|section| {
            let place = profile.own_first.iter().position(|name| name == section.name())?;
            Some((place, section))
        })
    };
    match relation {
        _ if !profile.own_first.is_empty() => of_profile().collect::<BTreeMap<_, _>>().into_values().collect(),
        None => Vec::new(),
        Some(Relation::Users | Relation::Affected) => {
            vec![SectionType::Callers, SectionType::Usages, SectionType::Tests]
        }
        Some(Relation::Uses) => vec![SectionType::Callees, SectionType::Usages],
        Some(Relation::Tests) => vec![SectionType::Tests],
    }
}

struct Lead<'l> {
    view: &'l IndexView<'l>,
    found: &'l Found,
    sections: Vec<SectionType>,
    /// Whether users of users are asked for.
    is_far: bool,
}

impl Lead<'_> {
    /// The first standing that a question about one symbol does not ask for.
    fn end(&self) -> Standing {
        match self.found.named.relation {
            None | Some(Relation::Affected | Relation::Tests) => Standing::End,
            Some(Relation::Users | Relation::Uses) => Standing::Other,
        }
    }

    fn standing(&self, candidate: &Candidate) -> Standing {
        let named = &self.found.named;
        if let Some(place) = named.chunks.iter().position(|chunk| *chunk == candidate.chunk) {
            return Standing::Named(place);
        }
        let own = candidate.reached.as_ref().and_then(|reached| self.own_place(candidate.chunk, reached));
        match own {
            Some(place) => Standing::Own(place),
            None if named.mentions.contains_key(&candidate.chunk) => {
                let is_prose = self.view.file_flags(candidate.chunk).has(FileFlags::PROSE);
                if is_prose { Standing::ProseMention } else { Standing::Mention }
            }
            None if self.is_likely_test(candidate) => Standing::Mention,
            None if self.is_far && candidate.reached.as_ref().is_some_and(is_user) => Standing::Far,
            None => Standing::Other,
        }
    }

    /// Whether a candidate is a test that may be of the subject, where the subject itself is a guess.
    fn is_likely_test(&self, candidate: &Candidate) -> bool {
        let mut first = self.found.seeds.hits.iter().take(MAX_LIKELY).map(|hit| hit.chunk);
        self.found.named.is_guessed
            && self.view.file_flags(candidate.chunk).has(FileFlags::TEST)
            && first.any(|chunk| chunk == candidate.chunk)
    }

    fn mention(&self, chunk: ChunkNo) -> Option<String> {
        let named = &self.found.named;
        named.mentions.get(&chunk).map(|name| named.names[*name].clone())
    }

    /// The position of the section that a direct neighbour of a named symbol belongs to.
    fn own_place(&self, chunk: ChunkNo, reached: &Reached) -> Option<usize> {
        let [step] = reached.path.as_slice() else { return None };
        if !reached.is_from_named || declares(self.view, step) {
            return None;
        }
        let flags = self.view.file_flags(chunk);
        let section = match flags {
            flags if flags.has(FileFlags::TEST) => SectionType::Tests,
            flags if flags.has(FileFlags::PROSE) => SectionType::Docs,
            _ => step.edge_type.section(step.direction)?,
        };
        let is_inward = step.direction == Direction::In;
        let is_asked = match section {
            SectionType::Callees => true,
            SectionType::Usages => is_inward == self.sections.contains(&SectionType::Callers),
            _ => is_inward,
        };
        self.sections.iter().position(|wanted| *wanted == section && is_asked)
    }

    /// Marks chunks of the file where a test of the subject belongs: those that show how tests are written there, and
    /// similar tests.
    fn add_tests(&self, all: &mut Vec<Candidate>) -> Result<(), ReadError> {
        let file = test_file::find(self.view, self.found, all)?;
        for (place, chunk) in file.head.into_iter().enumerate() {
            mark(all, chunk, Standing::TestHead(place));
        }
        let tests = self.sections.iter().position(|section| *section == SectionType::Tests);
        for chunk in file.similar {
            mark(all, chunk, Standing::Own(tests.unwrap_or_default()));
        }
        Ok(())
    }
}

/// Gives a chunk a standing, unless an edge connects it with the subject.
fn mark(all: &mut Vec<Candidate>, chunk: ChunkNo, standing: Standing) {
    match all.iter_mut().find(|candidate| candidate.chunk == chunk) {
        Some(known) if known.is_own() => {}
        Some(known) => known.standing = standing,
        None => all.push(Candidate { standing, ..Candidate::new(chunk) }),
    }
}

/// Whether a path leads from a named symbol to what uses it, directly or not.
fn is_user(reached: &Reached) -> bool {
    reached.is_from_named && reached.path.iter().all(|step| step.direction == Direction::In)
}

/// Whether an edge leads from a declaration to its definition.
pub fn declares(view: &IndexView, step: &Walked) -> bool {
    let graph = view.graph().filter(|_| step.edge_type == EdgeType::Usage);
    graph.is_some_and(|graph| graph.definitions(step.from).any(|node| node == step.to))
}

/// How many of the first seeds may be tests of a guessed subject.
const MAX_LIKELY: usize = 100;
