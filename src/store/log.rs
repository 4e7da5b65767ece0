//! A file that only grows, line by line. An append is on the disk before it returns. A crash may leave a part of a
//! line at the end: readers get a note, and the next append cuts it off.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::StoreError;
use super::disk::Disk;
use super::lock::{Lock, WhenLocked};
use crate::record::ErrorCode;

/// A log and the lock file beside it.
pub struct LineLog {
    path: PathBuf,
    lock: PathBuf,
    disk: Disk,
}

/// What a log holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LogBytes {
    /// Whole lines, each with its line break.
    pub lines: Vec<u8>,
    /// What stands after the last line break.
    pub torn: Vec<u8>,
}

impl LineLog {
    pub fn new(path: PathBuf, disk: Disk) -> Self {
        let lock = path.with_extension("lock");
        LineLog { path, lock, disk }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits for other writers.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        Lock::of_file(&self.lock, &self.disk, WhenLocked::Wait(&|_| ()))
    }

    /// Everything from a byte on. None if there is no log.
    pub fn read_from(&self, start: u64) -> Result<Option<LogBytes>, StoreError> {
        let Some(mut file) = self.open(OpenOptions::new().read(true))? else { return Ok(None) };
        let mut lines = Vec::new();
        let read = file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut lines));
        read.map_err(|error| StoreError::io("read", &self.path, error))?;
        let whole = memchr::memrchr(b'\n', &lines).map_or(0, |at| at + 1);
        let torn = lines.split_off(whole);
        Ok(Some(LogBytes { lines, torn }))
    }

    /// How many bytes it has. None if there is no log.
    pub fn bytes(&self) -> Result<Option<u64>, StoreError> {
        match fs::symlink_metadata(&self.path) {
            Ok(found) if found.is_file() => Ok(Some(found.len())),
            Ok(_) => Err(not_a_file(&self.path)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", &self.path, error)),
        }
    }

    /// The last bytes of the log, at most so many.
    pub fn tail(&self, max_bytes: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(bytes) = self.bytes()? else { return Ok(None) };
        let found = self.read_from(bytes.saturating_sub(max_bytes))?.unwrap_or_default();
        Ok(Some([found.lines, found.torn].concat()))
    }

    /// Writes a line behind so many bytes of whole lines and cuts off what else is there. The caller holds the lock.
    /// When this returns, the line is on the disk.
    pub fn append(&self, whole_bytes: u64, line: &[u8]) -> Result<(), StoreError> {
        let is_new = self.bytes()?.is_none();
        let mut file = match self.open(OpenOptions::new().write(true))? {
            Some(file) => file,
            None => self.disk.run("create", &self.path, || super::disk::create_new(&self.path))?,
        };
        let found = file.metadata().map_err(|error| StoreError::io("read", &self.path, error))?.len();
        if found < whole_bytes {
            let cause = format!("it has {found} bytes and had {whole_bytes}");
            return Err(StoreError::new(ErrorCode::SessionCorrupt, &self.path, cause, None));
        }
        if found > whole_bytes {
            self.disk.run("cut", &self.path, || file.set_len(whole_bytes))?;
        }
        file.seek(SeekFrom::Start(whole_bytes)).map_err(|error| StoreError::io("write", &self.path, error))?;
        for part in self.disk.halves(line) {
            self.disk.run("write", &self.path, || file.write_all(part))?;
        }
        self.disk.run("sync", &self.path, || file.sync_all())?;
        match self.path.parent().filter(|_| is_new) {
            Some(folder) => self.disk.sync_folder(folder),
            None => Ok(()),
        }
    }

    /// A link in the log's place is not followed.
    fn open(&self, options: &mut OpenOptions) -> Result<Option<File>, StoreError> {
        if self.bytes()?.is_none() {
            return Ok(None);
        }
        match options.open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("open", &self.path, error)),
        }
    }
}

/// The names of the logs in a directory, without their ending, in order.
pub fn log_names(folder: &Path) -> Result<Vec<String>, StoreError> {
    let unreadable = |error| StoreError::io("read", folder, error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(unreadable)?.file_name();
        let name = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
        names.extend(name.filter(|name| !name.contains('.')).map(str::to_string));
    }
    names.sort();
    Ok(names)
}

fn not_a_file(path: &Path) -> StoreError {
    StoreError::io("open", path, io::Error::other("it is not a plain file"))
}
