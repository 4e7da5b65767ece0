//! What the graph stage costs, beside the chunk stage that it follows, and how that grows with the tree.
//!
//!     cargo bench --bench graph
//!
//! CPU seconds, user and system; runs that are compared take turns.

#![expect(clippy::disallowed_methods, reason = "puts trees together")]

mod cost;

use std::fs;
use std::path::Path;
use std::process::Command;

use cost::{Cost, OutputCost, best_side_by_side, described, row, run};

/// The packages that the growing tree is made of.
const PACKAGES: &[(&str, &str)] =
    &[("requests", "2.32.3"), ("flask", "3.1.0"), ("click", "8.1.8"), ("jinja2", "3.1.5"), ("rich", "13.9.4")];

fn main() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let django = cost::tree("django", "5.1.4");
    println!("tree: {}, {}", django.display(), described(&django));
    let index = scratch.path().join("django");
    let [chunked, graphed] = measured(&django, &index);
    row("contextpack chunk, from nothing", chunked, chunked);
    row("contextpack graph, from nothing", graphed, chunked);
    println!("peak memory of the graph stage: {:.0} MB", graphed.peak_bytes / 1e6);
    grow(scratch.path());
}

/// Both stages from nothing.
fn measured(tree: &Path, index: &Path) -> [Cost; 2] {
    let chunk = || {
        let _ = fs::remove_dir_all(index);
        let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack-chunk"));
        command.arg("--quiet").arg("--source").arg(tree).arg("--out").arg(index.join("chunk")).output_cost()
    };
    let graph = || {
        let _ = fs::remove_dir_all(index.join("graph"));
        Command::new(env!("CARGO_BIN_EXE_contextpack-graph")).arg("--quiet").arg("--index").arg(index).output_cost()
    };
    best_side_by_side([&chunk, &graph])
}

/// One, two and four copies of several packages in one tree.
fn grow(scratch: &Path) {
    let tree = scratch.join("tree");
    let mut first = None;
    for copies in 1..=4 {
        for (package, version) in PACKAGES {
            let place = tree.join(format!("copy{copies}")).join(package);
            fs::create_dir_all(&place).expect("it can be made");
            run(Command::new("cp").arg("-r").arg(cost::tree(package, version).join(".")).arg(&place));
        }
        if copies == 3 {
            continue;
        }
        let [_, graphed] = measured(&tree, &scratch.join("grown"));
        let one = *first.get_or_insert(graphed);
        row(
            &format!("contextpack graph, {copies} times {} packages, {}", PACKAGES.len(), described(&tree)),
            graphed,
            one,
        );
    }
}
