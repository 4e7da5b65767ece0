//! Where a name starts, as both sides can say it.

use serde::Serialize;

use crate::record::Site;
use crate::text::RepoPath;

/// The line is 1-based, the column counts UTF-16 units. A file as a whole is its line 1, column 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Location {
    pub file: RepoPath,
    pub line: u32,
    pub column: u32,
}

impl Location {
    pub fn of_site(file: &RepoPath, site: &Site) -> Self {
        Location { file: file.clone(), line: site.line, column: site.column }
    }

    pub fn of_file(file: &RepoPath) -> Self {
        Location { file: file.clone(), line: 1, column: 0 }
    }

    /// Whether a file as a whole may be meant.
    pub fn is_file(&self) -> bool {
        (self.line, self.column) == (1, 0)
    }
}

impl std::fmt::Display for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column + 1)
    }
}
