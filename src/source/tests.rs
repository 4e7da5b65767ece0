mod date;
mod decode;
mod marks;
mod read;
mod shards;
mod snapshot;
mod walk;

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::text::RepoPath;

/// No folder of these trees is an index.
fn options() -> WalkOptions {
    WalkOptions::new(OwnFolders { marks: &[], is_own: |_| false })
}

/// A tree in a temporary folder, gone when dropped.
struct Tree(TempDir);

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Tree(tempfile::tempdir().unwrap());
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn link(&self, path: &str, target: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    fn pipe(&self, path: &str) {
        let path = std::ffi::CString::new(self.path(path).to_str().unwrap()).unwrap();
        // SAFETY: the path is a C string that outlives the call.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o644) }, 0);
    }

    fn walk(&self) -> Walk {
        walk(self.root(), &options()).unwrap()
    }

    /// The names of the files, with a space between them.
    fn names(&self) -> String {
        let walk = self.walk();
        walk.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The problems, one a line.
    fn problems(&self) -> String {
        let show = |problem: &crate::record::Problem| {
            format!("{} {:?}: {}", problem.file_rel_path, problem.code, problem.message)
        };
        self.walk().problems.iter().map(show).collect::<Vec<_>>().join("\n")
    }
}

fn path(path: &str) -> RepoPath {
    RepoPath::try_from(path.to_string()).unwrap()
}

/// Runs a test as someone whom permissions hold for. Root is held by none, so its thread steps down.
fn as_nobody(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // SAFETY: changes the identity of this thread alone, which ends with the test.
            unsafe { libc::setfsuid(65534) };
            test();
        });
    });
}

fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}
