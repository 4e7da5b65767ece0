//! Patterns for paths inside a tree.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// A list of patterns as in `.gitignore`, without negation: one without a slash matches names at any depth, and what
/// matches a folder matches all that is in it. `**` matches any number of folders.
#[derive(Clone, Debug)]
pub struct PathPatterns(GlobSet);

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{pattern}` is not a pattern for paths: {reason}")]
pub struct PatternError {
    pattern: String,
    reason: String,
}

impl PathPatterns {
    pub fn new(patterns: &[String]) -> Result<Self, PatternError> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let fault =
                |error: globset::Error| PatternError { pattern: pattern.clone(), reason: error.kind().to_string() };
            let plain = plain(pattern);
            if plain.is_empty() {
                return Err(PatternError { pattern: pattern.clone(), reason: "it is empty".to_string() });
            }
            set.add(glob(&plain).map_err(fault)?);
            set.add(glob(&format!("{plain}/**")).map_err(fault)?);
        }
        let fault = |error: globset::Error| PatternError { pattern: patterns.join(" "), reason: error.to_string() };
        Ok(PathPatterns(set.build().map_err(fault)?))
    }

    /// Whether any pattern matches the path or a folder above it.
    pub fn matches(&self, path: &str) -> bool {
        self.0.is_match(path)
    }
}

/// A pattern for the whole path.
fn plain(pattern: &str) -> String {
    let typed = pattern.trim();
    let pattern = typed.trim_start_matches("./").trim_matches('/');
    if pattern == "." {
        return "**".to_string();
    }
    let is_anchored = pattern.contains('/') || typed.starts_with('/') || typed.starts_with("./");
    if is_anchored || pattern.is_empty() { pattern.to_string() } else { format!("**/{pattern}") }
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        PathPatterns::new(&[pattern.to_string()]).unwrap().matches(path)
    }

    #[test]
    fn a_pattern_matches_files_and_what_is_in_folders() {
        for (pattern, path) in [
            ("src", "src/a/b.py"),
            ("src/", "src/a.py"),
            ("./src/a.py", "src/a.py"),
            ("src/**", "src/a/b.py"),
            ("src/*.py", "src/a.py"),
            ("*.py", "src/a/b.py"),
            ("deps", "a/deps/x.c"),
            ("**/deps/**", "a/deps/x.c"),
            ("{a,b}.py", "x/b.py"),
            ("/src", "src/a.py"),
            (".", "src/a.py"),
        ] {
            assert!(matches(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("src", "srcs/a.py"),
            ("src/*.py", "src/a/b.py"),
            ("/src", "a/src/b.py"),
            ("./src", "a/src/b.py"),
            ("a/deps", "b/a/deps/x.c"),
            ("*.py", "a.pyc"),
        ] {
            assert!(!matches(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn a_pattern_that_cannot_be_used_is_named() {
        let error = PathPatterns::new(&["a".to_string(), "src/[a".to_string()]).unwrap_err();
        assert!(error.to_string().starts_with("`src/[a` is not a pattern for paths: "), "{error}");
        assert!(PathPatterns::new(&[" ".to_string()]).is_err());
        assert!(!PathPatterns::new(&[]).unwrap().matches("a"));
    }
}
