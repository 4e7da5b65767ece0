//! Builds the indexes when the server starts, on a thread of its own, so that the first call need not wait for all of
//! it. A call that comes meanwhile waits, and its client sees how far the index is.

use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use tokio::sync::watch::{Receiver, channel};

use super::Settings;
use super::root::{Progress, Root};

/// How far the index of a root is.
#[derive(Default)]
pub struct Startup {
    /// Per cent, while the index is being built.
    percent: Mutex<Option<u32>>,
    changed: Condvar,
}

impl Startup {
    /// Waits until the index is built, if it is being built.
    pub fn wait(&self, progress: Progress) {
        let mut percent = self.percent.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(now) = *percent {
            progress(now, INDEXING);
            percent = self.changed.wait(percent).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes calls wait until the guard is dropped, also by a panic.
    pub fn begin(&self) -> Running<'_> {
        self.set(Some(0));
        Running(self)
    }

    fn set(&self, percent: Option<u32>) {
        let mut now = self.percent.lock().unwrap_or_else(PoisonError::into_inner);
        if *now != percent {
            *now = percent;
            self.changed.notify_all();
        }
    }
}

pub const INDEXING: &str = "indexing";

/// An index is being built.
pub struct Running<'s>(&'s Startup);

impl Running<'_> {
    pub fn reach(&self, percent: u32) {
        self.0.set(Some(percent));
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

/// Builds all indexes in the background. The receiver gets true when they are built or cannot be.
///
/// The thread is not joined: when the last client leaves, the process ends, and a stop at any moment leaves the old
/// index or the new one.
pub fn build_indexes(settings: &Arc<Settings>) -> Receiver<bool> {
    let (done, ready) = channel(false);
    let settings = Arc::clone(settings);
    std::thread::spawn(move || {
        settings.roots.iter().for_each(|root| prepare(root, settings.quiet));
        // Nobody may be listening any more.
        let _ = done.send(true);
    });
    ready
}

fn prepare(root: &Root, quiet: bool) {
    let log = Log { name: &root.name, quiet, last: AtomicU32::new(0) };
    match root.prepare(&|percent, what| log.progress(percent, what)) {
        Ok(()) => log.line("is ready"),
        // Calls will say so as well.
        Err(fault) => say(&format!("mcp: {}: {fault}", root.name)),
    }
}

/// Lines on standard error: the beginning, every fifth of the work, the end.
struct Log<'l> {
    name: &'l str,
    quiet: bool,
    last: AtomicU32,
}

impl Log<'_> {
    fn progress(&self, percent: u32, what: &str) {
        let step = 1 + percent / 20;
        if what == INDEXING && self.last.fetch_max(step, Ordering::Relaxed) < step {
            self.line(&format!("is being indexed: {percent} %"));
        }
    }

    fn line(&self, what: &str) {
        if !self.quiet {
            say(&format!("mcp: {} {what}", self.name));
        }
    }
}

/// A client that closed standard error reads none of it, and is served all the same.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_waits_until_the_index_is_built() {
        let startup = Startup::default();
        startup.wait(&|_, _| panic!("nothing is being built"));
        let seen = Mutex::new(Vec::new());
        let running = startup.begin();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| startup.wait(&|percent, _| seen.lock().unwrap().push(percent)));
            while seen.lock().unwrap().is_empty() {
                std::thread::yield_now();
            }
            running.reach(40);
            assert!(!waiting.is_finished());
            drop(running);
            waiting.join().unwrap();
        });
        assert_eq!(seen.lock().unwrap()[0], 0);
    }

    #[test]
    fn a_build_that_panics_lets_calls_go_on() {
        let startup = Startup::default();
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _running = startup.begin();
            panic!("a fault");
        }));
        assert!(panicked.is_err());
        startup.wait(&|_, _| ());
    }
}
