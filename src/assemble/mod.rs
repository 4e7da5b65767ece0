//! The engine that all doors share. Takes an index view and a job, returns an assembly. Pure.
//!
//! The steps are the same for all sources: find where to start, walk the graph from there, let the template turn the
//! results into units, sort the units in a total order, and fill the budget with them. A door supplies its own
//! template and reads its profile from a table. A door may look at what was found before it fills ([`assemble_found`]).
//! `notes` finds, walks and ranks in another way, for briefs; they are filled like all answers.

pub mod absence;
pub mod blocks;
pub mod budget;
mod chunk_nodes;
pub mod documents;
pub mod excerpt;
pub mod expand;
pub mod fill;
pub mod focus;
pub mod ledger;
mod literals;
pub mod named;
mod near;
pub mod notes;
pub mod profile;
pub mod scope;
pub mod score;
pub mod seeds;
pub mod shares;
pub mod target;
mod template;
mod view;

use std::cmp::Ordering;

use crate::record::NodeNo;

#[cfg(test)]
mod tests;

pub use chunk_nodes::ChunkNodes;
pub use documents::{DocNo, Document, Documents};
pub use expand::{Walk, WalkRules};
pub use fill::{Fill, Filled, FilledGroup, Placed};
pub use ledger::{Block, Budget, Cost, Counter, Frame, Ledger, Measure};
pub use named::Named;
pub use profile::{Profile, Profiles};
pub use scope::RequestScope;
pub use seeds::{Question, Seeds};
pub use template::{GroupNo, Template};
pub use view::{IndexFacts, IndexView, ReadError, RecordReader};

/// The inputs of one answer, besides the index.
pub struct Job<'j, T> {
    pub start: Start<'j>,
    pub walk: WalkRules<'j>,
    /// Whether the best seeds are the subject of a question that names no symbol.
    pub guesses_subject: bool,
    /// Only the best units, up to this count, are considered.
    pub max_candidates: u32,
    pub budget: Budget,
    pub fill: Fill,
    pub template: &'j T,
}

/// Where the walk starts.
pub enum Start<'j> {
    /// At the symbols that a question names, then at the chunks that it finds.
    Question(Question<'j>),
    /// At these nodes of the graph.
    Nodes(Vec<NodeNo>),
}

/// The results of the search and the walk, before anything is left out.
#[derive(Default)]
pub struct Found {
    pub seeds: Seeds,
    pub named: Named,
    pub walk: Walk,
}

/// Everything a door needs to write its answer.
pub struct Assembly<T: Template> {
    pub found: Found,
    pub candidates: Candidates<T::Unit>,
    pub filled: Filled<T>,
}

/// The units to choose from, the best first.
pub struct Candidates<U> {
    pub units: Vec<U>,
    /// How many there were before the cap.
    pub observed: u32,
}

pub fn assemble<T: Template>(view: &IndexView, job: &Job<T>) -> Result<Assembly<T>, ReadError> {
    assemble_found(view, job, find(view, job)?)
}

/// Assembles what [`find`] has found, for doors whose template depends on it.
pub fn assemble_found<T: Template>(view: &IndexView, job: &Job<T>, found: Found) -> Result<Assembly<T>, ReadError> {
    let candidates = candidates(view, job, &found)?;
    let filled = fill::fill(view, job, &candidates.units)?;
    Ok(Assembly { found, candidates, filled })
}

pub(crate) fn find<T>(view: &IndexView, job: &Job<T>) -> Result<Found, ReadError> {
    let question = match &job.start {
        Start::Question(question) => question,
        Start::Nodes(nodes) => {
            let walk = expand::walk(view, &job.walk, nodes.clone());
            return Ok(Found { seeds: Seeds::default(), named: Named::default(), walk });
        }
    };
    let mut seeds = seeds::find(view, question)?;
    let named = named::find(view, question.query, &seeds, job.guesses_subject);
    // The neighbours of a named symbol are evidence that words do not show.
    if !named.is_empty() {
        seeds.floor = None;
    }
    let walk = expand::walk(view, &job.walk, expand::nodes_of_seeds(view, question, &seeds));
    let walk = match named.is_empty() {
        true => walk,
        false => expand::walk_from_named(view, &job.walk, &named.nodes).with_later(walk),
    };
    Ok(Found { seeds, named, walk })
}

pub(crate) fn candidates<T: Template>(
    view: &IndexView,
    job: &Job<T>,
    found: &Found,
) -> Result<Candidates<T::Unit>, ReadError> {
    let mut units = job.template.units(view, found)?;
    units = sorted(units, |a, b| job.template.compare(view, a, b));
    let mut units = job.template.arrange(view, units)?;
    let observed = units.len() as u32;
    units.truncate(job.max_candidates as usize);
    Ok(Candidates { units, observed })
}

/// Sorts positions, because units are large.
fn sorted<U>(units: Vec<U>, compare: impl Fn(&U, &U) -> Ordering) -> Vec<U> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by(|a, b| compare(&units[*a], &units[*b]));
    let mut units: Vec<Option<U>> = units.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| units[at].take()).collect()
}
