//! One writer a folder: an advisory lock that says who holds it and ends with its process.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::disk::{Disk, create_new};
use crate::record::ErrorCode;

pub const FILE_NAME: &str = ".lock";
/// More than the digits of any process id.
const MAX_HOLDER_BYTES: u64 = 20;

/// What a second writer does.
#[derive(Clone, Copy)]
pub enum WhenLocked<'w> {
    /// Gives up and says who holds the lock.
    Refuse,
    /// Tells the holder to the callback, once, and waits.
    Wait(&'w dyn Fn(&str)),
}

/// Held until it is dropped. The file stays: to remove it would let a third writer lock a new one
/// while a second still waits on the old.
pub struct Lock {
    file: File,
    path: PathBuf,
    disk: Disk,
}

impl Lock {
    pub fn acquire(folder: &Path, disk: &Disk, when_locked: WhenLocked<'_>) -> Result<Lock, StoreError> {
        Lock::taken(folder, folder.join(FILE_NAME), disk, when_locked)
    }

    /// The lock of something that is not a folder.
    pub fn of_file(path: &Path, disk: &Disk, when_locked: WhenLocked<'_>) -> Result<Lock, StoreError> {
        Lock::taken(path, path.to_path_buf(), disk, when_locked)
    }

    fn taken(what: &Path, path: PathBuf, disk: &Disk, when_locked: WhenLocked<'_>) -> Result<Lock, StoreError> {
        let file = disk.run("create", &path, || open(&path))?;
        disk.close_file(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => await_holder(&file, what, when_locked)?,
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &path, error)),
        }
        let lock = Lock { file, path, disk: disk.clone() };
        lock.write_holder(&std::process::id().to_string())?;
        Ok(lock)
    }

    fn write_holder(&self, holder: &str) -> Result<(), StoreError> {
        self.disk.run("write", &self.path, || {
            self.file.set_len(0)?;
            (&self.file).rewind()?;
            (&self.file).write_all(holder.as_bytes())
        })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The name of the old holder may stay in the file: closing the file releases the lock.
        let _ = self.write_holder("");
    }
}

/// A link in the lock's place is not followed: whoever put it there would choose what is truncated.
fn open(path: &Path) -> io::Result<File> {
    match create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => return made,
    }
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    OpenOptions::new().read(true).write(true).open(path)
}

fn await_holder(file: &File, what: &Path, when_locked: WhenLocked<'_>) -> Result<(), StoreError> {
    let holder = holder(file);
    match when_locked {
        WhenLocked::Refuse => Err(StoreError::new(ErrorCode::Locked, what, format!("{holder} is writing it"), None)),
        WhenLocked::Wait(waiting) => {
            waiting(&holder);
            file.lock().map_err(|error| StoreError::io("lock", what, error))
        }
    }
}

/// Whoever wrote into the file last; a holder that has not done so yet stays unnamed.
fn holder(file: &File) -> String {
    let mut text = String::new();
    let read = file.take(MAX_HOLDER_BYTES).read_to_string(&mut text);
    match text.parse::<u32>() {
        Ok(id) if read.is_ok() => format!("process {id}"),
        _ => "another process".to_string(),
    }
}
