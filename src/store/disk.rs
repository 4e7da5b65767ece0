//! Every change that the store makes to the file system, one operation each, so that a test can stop
//! the program or fill the disk before any of them.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StoreError;

/// Does the operations; asks a hook before each when it has one.
#[derive(Clone)]
pub struct Disk {
    hook: Option<Hook>,
    is_private: bool,
}

/// Called before an operation with its verb and its path; an error takes the place of the operation's own.
pub type Hook = Arc<dyn Fn(&str, &Path) -> io::Result<()> + Send + Sync>;

impl Disk {
    pub fn real() -> Self {
        Disk { hook: None, is_private: false }
    }

    pub fn with_hook(hook: Hook) -> Self {
        Disk { hook: Some(hook), is_private: false }
    }

    /// Writes what only its owner may read.
    pub fn private(self) -> Self {
        Disk { is_private: true, ..self }
    }

    /// The same disk, private if that is asked for.
    pub fn private_if(self, is_private: bool) -> Self {
        if is_private { self.private() } else { self }
    }

    pub fn create_folder(&self, path: &Path) -> Result<(), StoreError> {
        if path.is_dir() {
            return self.close(path, FOLDER_MODE);
        }
        self.run("create", path, || fs::create_dir_all(path))?;
        self.close(path, FOLDER_MODE)
    }

    /// Removes a folder with all that is in it, if it is there. A link is removed, not followed.
    pub fn remove_folder(&self, path: &Path) -> Result<(), StoreError> {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => self.run("remove", path, || fs::remove_dir_all(path)),
            _ => self.clear(path),
        }
    }

    /// Takes the rights of everybody else away from what is private.
    fn close(&self, path: &Path, mode: u32) -> Result<(), StoreError> {
        if !self.is_private {
            return Ok(());
        }
        self.run("protect", path, || set_mode(path, mode))
    }

    /// The same for a file that was not written here.
    pub(super) fn close_file(&self, path: &Path) -> Result<(), StoreError> {
        self.close(path, FILE_MODE)
    }

    /// Gives a file new content in one step: readers see the old content or the new one, whole. When
    /// this returns, the content is on the disk; its name is only after the folder was synced.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        let temporary = temporary_name(path);
        let written = self.write(&temporary, bytes);
        self.rename_into_place(written, &temporary, path)
    }

    /// [`Disk::replace`] with the content of another file.
    pub fn copy(&self, from: &Path, to: &Path) -> Result<(), StoreError> {
        let temporary = temporary_name(to);
        let copied = self.copy_synced(from, &temporary);
        self.rename_into_place(copied, &temporary, to)
    }

    pub fn sync_folder(&self, path: &Path) -> Result<(), StoreError> {
        self.run("sync directory", path, || File::open(path)?.sync_all())
    }

    pub fn remove(&self, path: &Path) -> Result<(), StoreError> {
        self.run("remove", path, || fs::remove_file(path))
    }

    /// Asks the hook, acts, and says what failed on which path.
    pub(super) fn run<T>(
        &self,
        verb: &'static str,
        path: &Path,
        act: impl FnOnce() -> io::Result<T>,
    ) -> Result<T, StoreError> {
        let asked = self.hook.as_ref().map_or(Ok(()), |hook| hook(verb, path));
        asked.and_then(|()| act()).map_err(|source| StoreError::io(verb, path, source))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
        self.clear(path)?;
        let mut file = self.run("create", path, || create_new(path))?;
        self.close(path, FILE_MODE)?;
        for part in self.halves(bytes) {
            self.run("write", path, || file.write_all(part))?;
        }
        self.run("sync", path, || file.sync_all())
    }

    fn copy_synced(&self, from: &Path, to: &Path) -> Result<(), StoreError> {
        self.clear(to)?;
        self.run("copy to", to, || fs::copy(from, to))?;
        self.close(to, FILE_MODE)?;
        self.run("sync", to, || File::open(to)?.sync_all())
    }

    /// Renames a finished file in. A file that could not be finished is taken away again if that is
    /// possible: when the disk is full, half a piece should not stay.
    fn rename_into_place(&self, made: Result<(), StoreError>, temporary: &Path, path: &Path) -> Result<(), StoreError> {
        let settled = made.and_then(|()| self.run("rename into", path, || fs::rename(temporary, path)));
        if settled.is_err() {
            let _ = self.clear(temporary);
        }
        settled
    }

    /// Removes what an interrupted run left under a temporary name. A link is removed, not followed.
    fn clear(&self, path: &Path) -> Result<(), StoreError> {
        match fs::symlink_metadata(path) {
            Ok(_) => self.remove(path),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(StoreError::io("write", path, error)),
        }
    }

    /// With a hook, a write comes in two, so that a test can stop between them.
    pub(super) fn halves<'b>(&self, bytes: &'b [u8]) -> Vec<&'b [u8]> {
        match &self.hook {
            None => vec![bytes],
            Some(_) => <[&[u8]; 2]>::from(bytes.split_at(bytes.len() / 2)).to_vec(),
        }
    }
}

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Elsewhere a folder has the rights of the folder around it.
#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".tmp");
    PathBuf::from(name)
}

/// Never opens what is there: a link under a name of ours could lead out of the folder.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path)
}
