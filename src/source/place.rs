//! Where a path that somebody wants to write leads in a tree. Looks at every part of it, follows links itself, and
//! changes nothing. What cannot be looked at is a fault, never a guess.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::read::read_bytes;
use super::rules::{IGNORE_FILES, Rules, excluded};
use super::walk::{VERSION_CONTROL_FOLDERS, WalkOptions};
use crate::record::Digest;
use crate::text::RepoPath;

/// What a path leads to, links resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: RepoPath,
    pub kind: PlaceKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A plain file, with the digest of its bytes.
    File(Digest),
    Folder,
    /// A pipe, a socket or a device.
    Special,
    /// Nothing yet. The innermost directory around it that exists; the tree itself is empty.
    New {
        folder: String,
    },
}

/// Why a path cannot be judged, or may never be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceFault {
    /// Not below the root, or no path at all.
    Outside,
    /// Of version control, or of this program.
    Reserved,
    /// An ignore rule excludes it, so the index never holds it.
    NotIndexed,
    /// A link on the way leads out of the tree.
    LinkOutside,
    /// A part of it could not be looked at.
    Unreadable,
}

/// A fault with the name that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    Fault(PlaceFault),
    /// This entry differs from the wanted one only by letter case or Unicode form.
    Twin(String),
}

/// As many links as Linux follows before it takes them for a loop.
const MAX_LINKS: usize = 40;
/// Files of a tree are smaller; anything larger was not indexed either.
const MAX_BYTES: u64 = 1 << 30;

/// Looks up a path, as typed: relative to the root, or absolute and below it. `reserved` are directories of this
/// program, which may be inside the tree.
pub fn place(root: &Path, typed: &str, reserved: &[PathBuf], options: &WalkOptions) -> Result<Place, Refused> {
    let real = root.canonicalize().map_err(|_| fault(PlaceFault::Unreadable))?;
    let parts = normal_parts(root, &real, typed).ok_or(fault(PlaceFault::Outside))?;
    check_reserved(&real, &parts, reserved)?;
    let (found, kind) = Walker { root: &real, links: 0 }.walk(parts)?;
    check_reserved(&real, &found, reserved)?;
    let path = RepoPath::from_bytes(found.join("/").as_bytes()).map_err(|_| fault(PlaceFault::Outside))?;
    if is_ignored(&real, &found, kind == PlaceKind::Folder, options) {
        return Err(fault(PlaceFault::NotIndexed));
    }
    Ok(Place { path, kind })
}

fn fault(fault: PlaceFault) -> Refused {
    Refused::Fault(fault)
}

fn normal_parts(root: &Path, real: &Path, typed: &str) -> Option<Vec<String>> {
    if typed.contains('\0') {
        return None;
    }
    let inside = match typed.starts_with('/') {
        false => parts_of(typed)?,
        true => {
            let whole = parts_of(typed)?;
            let absolute = std::path::absolute(root).ok()?;
            [real, &absolute].into_iter().find_map(|root| {
                let root = parts_of(root.to_str()?)?;
                whole.strip_prefix(&root[..]).map(<[String]>::to_vec)
            })?
        }
    };
    (!inside.is_empty()).then_some(inside)
}

/// Parts of a path, by name. None if it climbs above the top.
fn parts_of(path: &str) -> Option<Vec<String>> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name.to_string()),
        }
    }
    Some(parts)
}

fn check_reserved(root: &Path, parts: &[String], reserved: &[PathBuf]) -> Result<(), Refused> {
    let of_version_control =
        |part: &String| VERSION_CONTROL_FOLDERS.iter().any(|folder| part.eq_ignore_ascii_case(folder));
    // A file called `CVS` may be about something else; a directory of that name is version control's own.
    let is_control = |at: usize, part: &String| {
        of_version_control(part) && (part.eq_ignore_ascii_case(".git") || at + 1 < parts.len())
    };
    let path = root.join(parts.join("/"));
    let is_ours = |folder: &PathBuf| path.starts_with(folder.canonicalize().as_deref().unwrap_or(folder));
    if parts.iter().enumerate().any(|(at, part)| is_control(at, part)) || reserved.iter().any(is_ours) {
        return Err(fault(PlaceFault::Reserved));
    }
    Ok(())
}

struct Walker<'w> {
    root: &'w Path,
    links: usize,
}

impl Walker<'_> {
    /// Follows the parts from the root down. Links are replaced by what they name.
    fn walk(&mut self, parts: Vec<String>) -> Result<(Vec<String>, PlaceKind), Refused> {
        let mut pending: Vec<String> = parts.into_iter().rev().collect();
        let mut here: Vec<String> = Vec::new();
        while let Some(name) = pending.pop() {
            if name == ".." {
                here.pop().ok_or(fault(PlaceFault::LinkOutside))?;
                continue;
            }
            let folder = self.root.join(here.join("/"));
            check_twins(&folder, &name)?;
            let entry = folder.join(&name);
            let found = match std::fs::symlink_metadata(&entry) {
                Ok(found) => found,
                Err(error) if error.kind() == ErrorKind::NotFound => return new_below(here, name, pending),
                Err(_) => return Err(fault(PlaceFault::Unreadable)),
            };
            if found.is_symlink() {
                self.follow(&entry, &mut here, &mut pending)?;
                continue;
            }
            here.push(name);
            if found.is_dir() && !pending.is_empty() {
                continue;
            }
            if !pending.is_empty() {
                return Err(fault(PlaceFault::Unreadable));
            }
            return Ok((here, kind_of(&entry, &found)?));
        }
        // A link that ends at a directory above its own name.
        if here.is_empty() { Err(fault(PlaceFault::Outside)) } else { Ok((here, PlaceKind::Folder)) }
    }

    fn follow(&mut self, link: &Path, here: &mut Vec<String>, pending: &mut Vec<String>) -> Result<(), Refused> {
        self.links += 1;
        let target = std::fs::read_link(link).map_err(|_| fault(PlaceFault::Unreadable))?;
        let target = target.to_str().ok_or(fault(PlaceFault::LinkOutside))?;
        let outside = || fault(PlaceFault::LinkOutside);
        if self.links > MAX_LINKS {
            return Err(outside());
        }
        let next: Vec<String> = if target.starts_with('/') {
            let root = parts_of(self.root.to_str().ok_or_else(outside)?).ok_or_else(outside)?;
            let whole = parts_of(target).ok_or_else(outside)?;
            here.clear();
            whole.strip_prefix(&root[..]).ok_or_else(outside)?.to_vec()
        } else {
            target.split('/').filter(|part| !matches!(*part, "" | ".")).map(str::to_string).collect()
        };
        pending.extend(next.into_iter().rev());
        Ok(())
    }
}

fn kind_of(path: &Path, found: &std::fs::Metadata) -> Result<PlaceKind, Refused> {
    if found.is_dir() {
        return Ok(PlaceKind::Folder);
    }
    if !found.is_file() {
        return Ok(PlaceKind::Special);
    }
    let bytes = read_bytes(path, MAX_BYTES).map_err(|_| fault(PlaceFault::Unreadable))?;
    Ok(PlaceKind::File(Digest::blake3(&bytes)))
}

/// A file that does not exist yet, in directories that may not exist either.
fn new_below(here: Vec<String>, name: String, pending: Vec<String>) -> Result<(Vec<String>, PlaceKind), Refused> {
    let folder = here.join("/");
    let parts = here.into_iter().chain([name]).chain(pending.into_iter().rev()).collect();
    Ok((parts, PlaceKind::New { folder }))
}

/// Refuses a name beside which another stands that a reader would take for the same.
fn check_twins(folder: &Path, name: &str) -> Result<(), Refused> {
    let wanted = folded(name);
    let entries = std::fs::read_dir(folder).map_err(|_| fault(PlaceFault::Unreadable))?;
    let mut twins = Vec::new();
    for entry in entries {
        let own = entry.map_err(|_| fault(PlaceFault::Unreadable))?.file_name();
        let Some(own) = own.to_str() else { continue };
        if own != name && folded(own) == wanted {
            twins.push(own.to_string());
        }
    }
    twins.sort();
    twins.into_iter().next().map_or(Ok(()), |twin| Err(Refused::Twin(twin)))
}

fn folded(name: &str) -> String {
    name.nfkc().collect::<String>().to_lowercase().nfkc().collect()
}

/// Whether the walk of a tree would leave a path out: each directory on the way counts.
fn is_ignored(root: &Path, parts: &[String], is_folder: bool, options: &WalkOptions) -> bool {
    let mut rules = None;
    for depth in 0..parts.len() {
        let folder = parts[..depth].join("/");
        let on_disk = root.join(&folder);
        let is_there = |name: &&str| std::fs::symlink_metadata(on_disk.join(name)).is_ok_and(|found| found.is_file());
        let names: Vec<&str> = IGNORE_FILES.iter().copied().filter(is_there).collect();
        if !names.is_empty() {
            rules = Some(std::rc::Rc::new(Rules::read(&on_disk, folder.as_bytes(), &names, rules).0));
        }
        let path = parts[..=depth].join("/");
        let is_inner = depth + 1 < parts.len();
        let matches = || options.ignored.as_ref().is_some_and(|patterns| patterns.matches(&path));
        if excluded(rules.as_deref(), path.as_bytes(), is_inner || is_folder) || matches() {
            return true;
        }
    }
    false
}

/// The digest of a file of the tree as it is now. None if it is not there, or is no plain file.
pub fn digest_now(root: &Path, path: &RepoPath) -> Option<Digest> {
    let path = root.join(OsStr::from_bytes(&path.to_bytes()));
    read_bytes(&path, MAX_BYTES).ok().map(|bytes| Digest::blake3(&bytes))
}

/// The text of a file of the tree as it is now, with its digest.
pub fn text_now(root: &Path, path: &RepoPath) -> Option<(Digest, String)> {
    let path = root.join(OsStr::from_bytes(&path.to_bytes()));
    let bytes = read_bytes(&path, MAX_BYTES).ok()?;
    Some((Digest::blake3(&bytes), String::from_utf8_lossy(&bytes).into_owned()))
}
