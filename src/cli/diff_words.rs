//! What became of an item of a pack, and why, in words.

use crate::door::pack::{Cause, Change};
use crate::record::Score;

pub fn change(change: &Change) -> String {
    match change {
        Change::Added { rank } => format!("added at rank {rank}"),
        Change::Removed { rank } => format!("removed, was rank {rank}"),
        Change::Edited { .. } => "edited".to_string(),
        Change::Moved { from, to } => format!("rank {from} → {to}"),
        Change::Resized { from, to } if from > to => format!("shortened, {from} lines → {to}"),
        Change::Resized { from, to } if from < to => format!("lengthened, {from} lines → {to}"),
        Change::Resized { .. } => "shows other lines".to_string(),
        Change::Rescored { from, to } => rescored(*from, *to),
    }
}

pub fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Text => "its own text",
        Cause::Tree => "the tree",
        Cause::Request => "the request",
        Cause::TreeOrRequest => "the tree or the request",
        Cause::Program => "the program",
    }
}

/// To three places, unless they are the same.
fn rescored(from: Score, to: Score) -> String {
    let short = |score: Score| format!("{:.3}", f64::from(score.in_millionths()) / 1e6);
    match short(from) == short(to) {
        true => format!("score {from} → {to}"),
        false => format!("score {} → {}", short(from), short(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Score, change};

    #[test]
    fn changes_are_words() {
        let score = Score::millionths;
        assert_eq!(change(&Change::Rescored { from: score(896_265), to: score(897_268) }), "score 0.896 → 0.897");
        assert_eq!(change(&Change::Rescored { from: score(896_265), to: score(896_268) }), "score 0.896265 → 0.896268");
        assert_eq!(change(&Change::Resized { from: 40, to: 3 }), "shortened, 40 lines → 3");
        assert_eq!(change(&Change::Removed { rank: 10 }), "removed, was rank 10");
    }
}
