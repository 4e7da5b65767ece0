//! Finds paths that a file system without letter case would take for one.

use super::Entry;
use crate::record::{Problem, ProblemCode};

/// One problem for each such path but the first, which it names.
pub(super) fn case_collisions(files: &[Entry]) -> Vec<Problem> {
    let mut lowered: Vec<(String, &Entry)> =
        files.iter().map(|file| (file.path.as_str().to_lowercase(), file)).collect();
    // The sort is stable, so equal ones stay in the order of their paths.
    lowered.sort_by(|(a, _), (b, _)| a.cmp(b));
    lowered.chunk_by(|(a, _), (b, _)| a == b).flat_map(collisions_of).collect()
}

fn collisions_of<'g>(group: &'g [(String, &Entry)]) -> impl Iterator<Item = Problem> + use<'g> {
    let (_, first) = &group[0];
    group[1..].iter().map(|(_, file)| {
        Problem::new(&file.path, ProblemCode::CaseCollision, format!("differs only in case from `{}`", first.path))
    })
}
