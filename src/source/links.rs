//! Says where the tree's links lead. Pure: asks the list of the tree, never the file system, so
//! that neither the machine around the tree nor an ignored build folder changes the answer.

use std::collections::HashMap;

use crate::record::{Problem, ProblemCode};
use crate::text::RepoPath;

/// As many links as Linux follows before it takes them for a loop.
const MAX_LINKS_FOLLOWED: usize = 40;

/// A link's path in the tree and its text as written.
pub(super) struct Link {
    pub(super) path: Vec<u8>,
    pub(super) target: Vec<u8>,
}

/// What is at a path of the tree.
pub(super) enum EntryKind {
    Folder,
    Leaf,
}

/// One problem a link; `places` holds the rest of the tree.
pub(super) fn link_problems(links: &[Link], places: Vec<(Vec<u8>, EntryKind)>) -> Vec<Problem> {
    let tree = Tree {
        places: places.into_iter().collect(),
        links: links.iter().map(|link| (&link.path[..], &link.target[..])).collect(),
    };
    links.iter().map(|link| problem(link, tree.problem_code(link))).collect()
}

struct Tree<'l> {
    places: HashMap<Vec<u8>, EntryKind>,
    links: HashMap<&'l [u8], &'l [u8]>,
}

impl<'l> Tree<'l> {
    fn problem_code(&self, link: &'l Link) -> ProblemCode {
        match self.resolve(link) {
            Ok(path) if contains_link(&path, &link.path) => ProblemCode::LinkLoop,
            Ok(_) => ProblemCode::LinkInside,
            Err(code) => code,
        }
    }

    /// The path that a link leads to in the end, its parts from the root down.
    fn resolve(&self, link: &'l Link) -> Result<Vec<&'l [u8]>, ProblemCode> {
        let mut path: Vec<&[u8]> = link.path.split(is_slash).collect();
        let mut pending = Vec::new();
        follow(&link.target, &mut path, &mut pending)?;
        let mut followed = 1;
        while let Some(part) = pending.pop() {
            step(part, &mut path)?;
            let here = path.join(&b'/');
            if let Some(target) = self.links.get(&here[..]) {
                followed += 1;
                if followed > MAX_LINKS_FOLLOWED {
                    return Err(ProblemCode::LinkLoop);
                }
                follow(target, &mut path, &mut pending)?;
            } else if !self.can_continue(&here, pending.is_empty()) {
                return Err(ProblemCode::LinkBroken);
            }
        }
        Ok(path)
    }

    fn can_continue(&self, path: &[u8], is_end: bool) -> bool {
        match self.places.get(path) {
            Some(EntryKind::Folder) => true,
            Some(EntryKind::Leaf) => is_end,
            None => path.is_empty(),
        }
    }
}

/// Replaces a link, the last part of `path`, by the parts of its target, which are yet to be walked.
/// An absolute target leads outside even where it names the tree: elsewhere it would not.
fn follow<'l>(target: &'l [u8], path: &mut Vec<&'l [u8]>, pending: &mut Vec<&'l [u8]>) -> Result<(), ProblemCode> {
    if target.starts_with(b"/") {
        return Err(ProblemCode::LinkOutside);
    }
    path.pop();
    pending.extend(target.rsplit(is_slash));
    Ok(())
}

/// A path that climbs out of the tree leads outside even if it comes back by the folder's name:
/// under another name it would not.
fn step<'l>(part: &'l [u8], path: &mut Vec<&'l [u8]>) -> Result<(), ProblemCode> {
    match part {
        b"" | b"." => Ok(()),
        b".." => path.pop().map(|_| ()).ok_or(ProblemCode::LinkOutside),
        name => {
            path.push(name);
            Ok(())
        }
    }
}

/// Whether `path` is a folder that contains the link: following it would not end.
fn contains_link(path: &[&[u8]], link: &[u8]) -> bool {
    let mut parts = link.split(is_slash);
    path.iter().all(|part| parts.next() == Some(part))
}

fn is_slash(byte: &u8) -> bool {
    *byte == b'/'
}

fn problem(link: &Link, code: ProblemCode) -> Problem {
    let path = RepoPath::from_bytes(&link.path).expect("names that a folder lists make a path inside it");
    let meaning = match code {
        ProblemCode::LinkInside => "another place in the tree",
        ProblemCode::LinkLoop => "which leads back to the link",
        ProblemCode::LinkOutside => "outside the tree",
        _ => "which is not in the tree",
    };
    Problem::new(&path, code, format!("points to {}, {meaning}", without_absolute_path(&link.target)))
}

/// An absolute path says where someone's machine keeps things, which no artifact does.
fn without_absolute_path(target: &[u8]) -> String {
    if target.starts_with(b"/") {
        return "an absolute path".to_string();
    }
    format!("`{}`", String::from_utf8_lossy(target))
}
