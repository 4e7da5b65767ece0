//! What child processes cost, and the trees they are measured on; shared by the benches.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use contextpack::pipeline::bare_walk_options;
use contextpack::source::walk;

/// The first run of each warms the file cache; the best of the rest is what the work costs.
pub const ROUNDS: usize = 4;

/// What a child process used.
#[derive(Clone, Copy)]
pub struct Cost {
    pub seconds: f64,
    pub peak_bytes: f64,
}

impl Cost {
    pub fn less(self, other: Cost) -> Cost {
        if other.seconds < self.seconds { other } else { self }
    }
}

pub fn row(what: &str, cost: Cost, beside: Cost) {
    println!("{:8.2} s  {:5.0} %  {what}", cost.seconds, 100.0 * cost.seconds / beside.seconds);
}

/// Works that are compared take turns, so that what else the machine does slows all of them.
pub fn best_side_by_side<const N: usize>(works: [&dyn Fn() -> Cost; N]) -> [Cost; N] {
    let mut best = works.map(|work| work());
    for _ in 1..2 * ROUNDS {
        best = std::array::from_fn(|at| best[at].less(works[at]()));
    }
    best
}

pub trait OutputCost {
    /// Of a command that has to succeed.
    fn output_cost(&mut self) -> Cost {
        self.output_cost_up_to(0)
    }

    /// Of a command that may end with a code up to this one.
    fn output_cost_up_to(&mut self, most: i32) -> Cost;
}

impl OutputCost for Command {
    #[expect(clippy::zombie_processes, reason = "wait4 waits for it, and says what it used")]
    fn output_cost_up_to(&mut self, most: i32) -> Cost {
        let child = self.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let (mut status, mut usage) = (0, unsafe { std::mem::zeroed::<libc::rusage>() });
        // SAFETY: waits for our own child; both places outlive the call.
        let waited = unsafe { libc::wait4(child.id() as i32, &mut status, 0, &mut usage) };
        assert_eq!(waited, child.id() as i32);
        let code = std::process::ExitStatus::from_raw(status).code();
        assert!(code.is_some_and(|code| code <= most), "{self:?} failed");
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        Cost { seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), peak_bytes: usage.ru_maxrss as f64 * 1024.0 }
    }
}

/// A package's source distribution, fetched once; `CONTEXTPACK_BENCH_TREE` stands in for django.
pub fn tree(package: &str, version: &str) -> PathBuf {
    let own = std::env::var_os("CONTEXTPACK_BENCH_TREE").filter(|_| package == "django");
    if let Some(tree) = own {
        return PathBuf::from(tree);
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = home.join("target/bench-trees").join(package);
    if !tree.is_dir() {
        run(Command::new("bash").arg(home.join("benches/fetch")).arg(&tree).arg(package).arg(version));
    }
    tree
}

pub fn described(tree: &Path) -> String {
    let files = walk(tree, &bare_walk_options()).expect("the tree can be read").files;
    let bytes: u64 = files.iter().map(|entry| entry.bytes).sum();
    format!("{} files, {:.1} MB", files.len(), bytes as f64 / 1e6)
}

pub fn run(command: &mut Command) {
    assert!(command.status().expect("it starts").success(), "{command:?} failed");
}
