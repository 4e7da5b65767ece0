//! What the chunk stage costs, beside what it cannot cost less than and what people know.
//!
//!     cargo bench --bench chunk                  on django's sdist, fetched by benches/fetch
//!     CONTEXTPACK_BENCH_TREE=DIR cargo bench --bench chunk
//!
//! All figures of a run are taken after each other on the same files, and each row says how it stands
//! to the floor: seconds differ between machines, ratios hardly do. CPU seconds, user and system.

#![expect(clippy::disallowed_methods, reason = "edits a tree and weighs what was written")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod cost;

use contextpack::language::Languages;
use contextpack::pipeline::bare_walk_options;
use contextpack::source::{self, Entry, read, walk};
use rayon::prelude::*;

use cost::{Cost, OutputCost, ROUNDS, best_side_by_side, described, row, run};

const MAX_FILE_BYTES: u64 = 8 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--floor") {
        return floor(Path::new(&arguments[at + 1]), &arguments[at + 2]);
    }
    let tree = cost::tree("django", "5.1.4");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let out = scratch.path().join("index");
    let program = std::env::current_exe().expect("this program has a path");
    let floor = |work: &str| Command::new(&program).arg("--floor").arg(&tree).arg(work).output_cost();
    let from_nothing = || {
        let _ = fs::remove_dir_all(&out);
        chunk(&tree, &out)
    };
    let [read_only, parse, cold] = best_side_by_side([&|| floor("read"), &|| floor("parse"), &from_nothing]);
    println!("tree: {}, {}", tree.display(), described(&tree));
    row("reading the files", read_only, parse);
    row("the floor: reading them and parsing them by tree-sitter", parse, parse);
    row("contextpack chunk, from nothing", cold, parse);
    row("contextpack chunk, nothing changed", best(|| chunk(&tree, &out)), cold);
    let copy = scratch.path().join("tree");
    run(Command::new("cp").arg("-r").arg(&tree).arg(&copy));
    chunk(&copy, &out);
    let edited = largest_source(&copy);
    let mut edits = 0;
    let edit = best(|| {
        edits += 1;
        let text = fs::read_to_string(&edited).expect("it is text");
        fs::write(&edited, format!("{text}# edit {edits}\n")).expect("it can be written");
        chunk(&copy, &out)
    });
    row(&format!("contextpack chunk, {} edited", edited.file_name().expect("it is a file").display()), edit, cold);
    match Command::new("ctags").arg("--version").output() {
        Ok(_) => row("universal-ctags --fields=+n --extras=+r -R", best(|| ctags(&tree, scratch.path())), parse),
        Err(_) => println!("universal-ctags is not installed (Debian: universal-ctags)"),
    }
    let stored: u64 =
        fs::read_dir(&out).expect("it was written").map(|file| file.unwrap().metadata().unwrap().len()).sum();
    println!(
        "artifacts on disk: {:.1} MB; peak memory from nothing: {:.0} MB",
        stored as f64 / 1e6,
        cold.peak_bytes / 1e6
    );
}

fn best(mut run: impl FnMut() -> Cost) -> Cost {
    run();
    (1..ROUNDS).map(|_| run()).reduce(Cost::less).expect("there are rounds")
}

fn chunk(tree: &Path, out: &Path) -> Cost {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contextpack-chunk"));
    command.arg("--quiet").arg("--source").arg(tree).arg("--out").arg(out).output_cost()
}

fn ctags(tree: &Path, scratch: &Path) -> Cost {
    let mut command = Command::new("ctags");
    command.args(["--fields=+n", "--extras=+r", "-R", "-f"]).arg(scratch.join("tags")).arg(tree).output_cost()
}

/// Reads the files that the stage reads, and parses each that has a grammar.
fn floor(tree: &Path, work: &str) {
    let languages = Languages::builtin();
    let files = walk(tree, &bare_walk_options()).expect("the tree can be read").files;
    // On as many threads as the stage, so that both are slowed alike by what they share.
    let parse = |parser: &mut tree_sitter::Parser, entry: &Entry| {
        let content = read(tree, entry, MAX_FILE_BYTES).ok().filter(|_| work == "parse")?;
        let text = source::text(content.bytes, true)?.text;
        let grammar = languages.detect(&entry.path, &text)?.grammar()?;
        parser.set_language(grammar).expect("the grammar is linked");
        Some(parser.parse(&text, None)?.root_node().end_byte())
    };
    let parsed = files.par_iter().map_init(tree_sitter::Parser::new, parse);
    std::hint::black_box(parsed.flatten().sum::<usize>());
}

fn largest_source(tree: &Path) -> PathBuf {
    let files = walk(tree, &bare_walk_options()).expect("the tree can be read").files;
    let python = files.iter().filter(|entry| entry.path.as_str().ends_with(".py"));
    let largest = python.max_by_key(|entry| entry.bytes).expect("the tree holds Python");
    tree.join(largest.path.as_str())
}
