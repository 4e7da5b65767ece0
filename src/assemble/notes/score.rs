//! How relevant a note is to a topic, in millionths. Every division rounds down, so scores are the same everywhere.

use crate::record::brief::ScoreParts;
use crate::record::lens::WHOLE_WEIGHT;
use crate::record::{EdgeStatus, Score, Tier};

const ONE: u64 = 1_000_000;
/// What a boosted tag adds.
const BOOST: Score = Score::millionths(100_000);
/// The recency of a note without a date.
const UNDATED: Score = Score::millionths(500_000);

/// The part of a start's relevance that is left behind an edge.
pub fn through_edge(relevance: Score, weight: u32, sureness: Score) -> Score {
    let weighed = u64::from(relevance.in_millionths()) * u64::from(weight) / u64::from(WHOLE_WEIGHT);
    millionths(weighed).times(sureness)
}

/// How sure an edge leads where it says. A link that names its target is as good as any other.
pub fn sureness(tier: Tier, status: EdgeStatus, confidence: Score) -> Score {
    let is_clear = matches!(status, EdgeStatus::Resolved | EdgeStatus::External);
    if is_clear && tier != Tier::Name { Score::ONE } else { confidence }
}

/// How near a node is, from what is left of a start's relevance behind so many edges.
pub fn proximity(relevance: Score, distance: u32) -> Score {
    millionths(u64::from(relevance.in_millionths()) / (u64::from(distance) + 1))
}

/// The mean over all topics; a topic that does not reach the node counts as 0.
pub fn blended(proximities: impl Iterator<Item = Score>, topics: usize) -> Score {
    let sum: u64 = proximities.map(|one| u64::from(one.in_millionths())).sum();
    millionths(sum / topics.max(1) as u64)
}

/// Falls from 1 to 1/e within `recency_days`. `age` is in whole days.
pub fn recency(age: Option<u64>, recency_days: u32) -> Score {
    let Some(age) = age else { return UNDATED };
    let share = libm::exp(-(age as f64) / f64::from(recency_days));
    Score::millionths((share * ONE as f64) as u32)
}

pub fn parts(proximity: Score, recency: Score, similarity: Option<Score>, is_boosted: bool) -> ScoreParts {
    ScoreParts { boost: if is_boosted { BOOST } else { Score::default() }, proximity, recency, similarity }
}

pub fn total(parts: &ScoreParts) -> Score {
    let part = |weight: u64, score: Score| weight * u64::from(score.in_millionths());
    let sum = match parts.similarity {
        None => part(600_000, parts.proximity) + part(400_000, parts.recency),
        Some(similar) => part(400_000, parts.proximity) + part(350_000, similar) + part(250_000, parts.recency),
    };
    millionths(sum / ONE + u64::from(parts.boost.in_millionths()))
}

/// More than one is one.
fn millionths(count: u64) -> Score {
    Score::millionths(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(distance: u32, age: Option<u64>, similarity: Option<Score>, is_boosted: bool) -> u32 {
        let parts = parts(proximity(Score::ONE, distance), recency(age, 30), similarity, is_boosted);
        total(&parts).in_millionths()
    }

    /// The figures of the contract.
    #[test]
    fn scores_are_those_of_the_contract() {
        assert_eq!(score(0, None, None, false), 800_000);
        assert_eq!(score(0, None, Some(Score::ONE), false), 875_000);
        assert_eq!(score(0, Some(0), None, false), 1_000_000);
        assert_eq!(score(1, Some(10), None, false), 586_612);
        assert_eq!(score(1, Some(90), None, false), 319_914);
        assert_eq!(score(2, Some(120), None, false), 207_325);
        assert_eq!(recency(Some(2), 30).in_millionths(), 935_506);
    }

    #[test]
    fn a_boost_is_added_once_and_never_exceeds_one() {
        assert_eq!(score(1, Some(10), None, true), 686_612);
        assert_eq!(score(0, Some(0), None, true), 1_000_000);
    }

    #[test]
    fn edges_take_their_weight_and_their_doubt() {
        assert_eq!(through_edge(Score::ONE, 800, Score::ONE).in_millionths(), 800_000);
        assert_eq!(through_edge(Score::millionths(800_000), 500, Score::millionths(333_333)).in_millionths(), 133_333);
        let sure = |tier, status| sureness(tier, status, Score::millionths(600_000)).in_millionths();
        assert_eq!(sure(Tier::Scope, EdgeStatus::Resolved), 1_000_000);
        assert_eq!(sure(Tier::Import, EdgeStatus::External), 1_000_000);
        assert_eq!(sure(Tier::Name, EdgeStatus::Resolved), 600_000);
        assert_eq!(sure(Tier::Scope, EdgeStatus::Ambiguous), 600_000);
    }

    #[test]
    fn what_is_near_both_topics_is_lifted() {
        let half = Score::millionths(500_000);
        assert_eq!(blended([half, half].into_iter(), 2), half);
        assert_eq!(blended([half].into_iter(), 2).in_millionths(), 250_000);
    }

    #[test]
    fn all_else_equal_the_nearer_is_the_better() {
        for age in [None, Some(0), Some(7), Some(400)] {
            for similarity in [None, Some(Score::millionths(300_000))] {
                let scores: Vec<u32> = (0..=5).map(|distance| score(distance, age, similarity, false)).collect();
                assert!(scores.windows(2).all(|pair| pair[0] > pair[1]), "{scores:?}");
            }
        }
    }
}
