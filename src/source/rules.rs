//! Ignore rules as git reads them, one set a folder. Takes none from outside the tree.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::read::{Fault, read_bytes};

/// The files with a folder's rules; later files override earlier ones.
pub(super) const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".contextpackignore"];

/// People do not write longer ones; without a cap, one could fill the memory.
const MAX_IGNORE_FILE_BYTES: u64 = 16 << 20;

pub(super) struct Rules {
    matcher: Gitignore,
    /// How many bytes of a path precede the part that the rules apply to.
    prefix_bytes: usize,
    outer: Option<Rc<Rules>>,
}

/// Whether a path is left out: the innermost folder that has something to say decides.
pub(super) fn excluded(innermost: Option<&Rules>, path: &[u8], is_folder: bool) -> bool {
    let mut rules = innermost;
    while let Some(here) = rules {
        match here.matcher.matched(OsStr::from_bytes(&path[here.prefix_bytes..]), is_folder) {
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => return false,
            Match::None => rules = here.outer.as_deref(),
        }
    }
    false
}

impl Rules {
    /// Reads the named files of a folder, whose path in the tree is `path`. One that cannot be read
    /// is returned with what is wrong with it.
    pub(super) fn read<'n>(
        folder: &Path,
        path: &[u8],
        names: &[&'n str],
        outer: Option<Rc<Rules>>,
    ) -> (Rules, Vec<(&'n str, Fault)>) {
        // The dot keeps the matcher from taking anything off the paths it is shown.
        let mut builder = GitignoreBuilder::new(".");
        let mut faults = Vec::new();
        for name in names {
            match read_bytes(&folder.join(name), MAX_IGNORE_FILE_BYTES) {
                Ok(bytes) => add_lines(&mut builder, &bytes),
                Err(fault) => faults.push((*name, fault)),
            }
        }
        let prefix_bytes = if path.is_empty() { 0 } else { path.len() + 1 };
        (Rules { matcher: compile(&builder), prefix_bytes, outer }, faults)
    }
}

/// A line that is no pattern excludes nothing, as with git.
fn add_lines(builder: &mut GitignoreBuilder, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    // The crate would take a lone `!` for a rule that brings everything back.
    for line in text.trim_start_matches('\u{feff}').lines().filter(|line| line.trim_end() != "!") {
        let _ = builder.add_line(None, &with_plain_braces(line));
    }
}

/// Git knows no `{a,b}`: to it a brace is a letter like any other, but to the crate it is one only
/// behind a backslash or in brackets.
fn with_plain_braces(line: &str) -> Cow<'_, str> {
    if !line.contains(['{', '}']) {
        return Cow::Borrowed(line);
    }
    let mut plain = String::with_capacity(line.len() + 8);
    let (mut is_escaped, mut in_brackets) = (false, false);
    for character in line.chars() {
        if matches!(character, '{' | '}') && !is_escaped && !in_brackets {
            plain.push('\\');
        }
        if !is_escaped {
            in_brackets = character == '[' || in_brackets && character != ']';
        }
        is_escaped = character == '\\' && !is_escaped;
        plain.push(character);
    }
    Cow::Owned(plain)
}

fn compile(builder: &GitignoreBuilder) -> Gitignore {
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}
