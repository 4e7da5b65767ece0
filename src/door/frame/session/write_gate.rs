//! May a file be written? Denied, unless everything holds.

use super::Session;
use crate::record::Digest;
use crate::record::frame::SessionPhase;
use crate::record::session::{Verdict, WriteChecked, WriteDenial, WritePlace, WriteWhat};
use crate::text::RepoPath;

impl Session {
    pub(super) fn take_write(&mut self, checked: &WriteChecked, verdict: &mut Verdict) {
        match self.write_fault(checked) {
            Ok(path) => {
                verdict.allowed = Some(true);
                self.written.entry(path.clone()).or_insert(self.seq);
                self.trusted.insert(path);
            }
            Err(denial) => {
                verdict.allowed = Some(false);
                verdict.denied = Some(denial);
            }
        }
    }

    /// The path that may be written, or the first reason why it may not.
    pub fn write_fault(&self, checked: &WriteChecked) -> Result<RepoPath, WriteDenial> {
        if self.is_torn || self.phase != SessionPhase::Ready {
            return Err(WriteDenial::Phase);
        }
        if !self.intent.writes() {
            return Err(WriteDenial::Intent);
        }
        let path = judged(&checked.place)?;
        match checked.place.what {
            WriteWhat::File => self.known_file(path, checked.place.digest.as_ref())?,
            _ if !self.new_files.contains(path) => {
                return Err(WriteDenial::NotDeclared);
            }
            _ => {}
        }
        let is_changed = |path: &RepoPath, digest: &Option<Digest>| {
            !self.trusted.contains(path) && self.cited.get(path) != digest.as_ref()
        };
        match checked.cited.iter().any(|file| is_changed(&file.path, &file.digest)) {
            true => Err(WriteDenial::Stale),
            false => Ok(path.clone()),
        }
    }

    /// A file that exists has to be explored, and as it was, unless this session was allowed to write it.
    fn known_file(&self, path: &RepoPath, digest: Option<&Digest>) -> Result<(), WriteDenial> {
        if self.trusted.contains(path) {
            return Ok(());
        }
        let explored = self.explored.get(path).ok_or(WriteDenial::NotExplored)?;
        if digest == Some(&explored.digest) { Ok(()) } else { Err(WriteDenial::Stale) }
    }
}

fn judged(place: &WritePlace) -> Result<&RepoPath, WriteDenial> {
    let denial = match place.what {
        WriteWhat::File | WriteWhat::New => return place.path.as_ref().ok_or(WriteDenial::Outside),
        WriteWhat::Folder | WriteWhat::Special => WriteDenial::NotExplored,
        WriteWhat::Outside => WriteDenial::Outside,
        WriteWhat::Reserved => WriteDenial::Reserved,
        WriteWhat::NotIndexed => WriteDenial::NotIndexed,
        WriteWhat::LinkOutside => WriteDenial::LinkOutside,
        WriteWhat::Twin => WriteDenial::Twin,
        WriteWhat::Unreadable => WriteDenial::Unreadable,
    };
    Err(denial)
}
