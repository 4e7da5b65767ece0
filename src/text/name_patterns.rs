//! Patterns for names of files.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// A list of patterns. `*` matches any characters, or no character; every other character matches itself.
pub struct NamePatterns(GlobSet);

impl NamePatterns {
    /// Fails on patterns that are too long.
    pub fn new(patterns: &[String]) -> Result<Self, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let glob = globset::escape(pattern).replace("[*]", "*");
            set.add(GlobBuilder::new(&glob).backslash_escape(false).build()?);
        }
        Ok(NamePatterns(set.build()?))
    }

    /// Whether any of the patterns matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        NamePatterns::new(&[pattern.to_string()]).unwrap().matches(name)
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, name) in [("*_test.go", "a_test.go"), ("test_*.py", "test_a.py"), ("*.spec.*", "a.spec.ts")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("*", "x"), ("a*b*c", "abc"), ("a*b*c", "a1b2bc"), ("**", "x"), ("a*", "a"), ("*.日", "a.日")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a*a", "a"), ("a*b*c", "acb"), ("", "x"), ("*ab*ab", "ab"), ("*_test.go", "test.go")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
        assert!(matches("Makefile", "Makefile") && !matches("Makefile", "Makefile.am"));
    }

    #[test]
    fn other_characters_stand_for_themselves() {
        for name in ["a?b", "[ab]", "{a,b}", "a\\b", "!a", "[*]", ".a", "a]", "}"] {
            assert!(matches(name, name), "{name}");
        }
        assert!(!matches("a?b", "axb") && !matches("[ab]", "a") && !matches("{a,b}", "a") && !matches("a\\b", "ab"));
    }

    #[test]
    fn many_stars_take_no_time() {
        assert!(!matches(&"*a".repeat(30), &"a".repeat(29)));
        assert!(!matches(&"*a".repeat(30), &("a".repeat(5_000) + "b")));
    }
}
