//! Other programs on the same notes, in the same run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::cost::OutputCost;
use super::{best, is_installed, percentiles};

/// The floor: where the title stands, and nothing else.
pub fn ripgrep(tree: &Path, topics: &[String]) {
    if !is_installed("rg") {
        println!("ripgrep is not installed; `apt-get install ripgrep` brings it");
        return;
    }
    let search = |topic: &String| {
        best(|| {
            let mut command = Command::new("rg");
            // The code says whether it was found; a title that needs escapes in JSON is not.
            command.args(["--fixed-strings", "--only-matching", "--byte-offset", "--", topic]).arg(tree);
            drop(command.output().expect("it starts"));
        })
    };
    let times: Vec<f64> = topics.iter().take(40).map(search).collect();
    println!("{}  ripgrep for the title, in a process of its own", percentiles(&times));
}

/// supertag-cli, which reads the same exports and makes context of them.
pub fn supertag(tree: &Path, topics: &[String], scratch: &Path) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let given = std::env::var_os("CONTEXTPACK_BENCH_SUPERTAG").map(PathBuf::from);
    let place = given.unwrap_or_else(|| home.join("target/bench-supertag"));
    let fetch = || Command::new("bash").arg(home.join("benches/fetch-supertag")).arg(&place).status();
    if !place.join("ready").is_file() && !fetch().is_ok_and(|status| status.success()) {
        println!("supertag-cli could not be installed; see benches/fetch-supertag");
        return;
    }
    let peer = Peer { place, home: scratch.join("supertag") };
    fs::create_dir_all(&peer.home).expect("it can be made");
    peer.command(&["workspace", "add", "workspace000", "--alias", "main"]).output_cost();
    let data = peer.home.join(".local/share/supertag/workspaces/main");
    fs::create_dir_all(&data).expect("it can be made");
    let database = data.join("tana-index.db");
    let mut sync = peer.command(&["sync", "index"]);
    let whole = sync.arg("--export-dir").arg(tree).arg("--db-path").arg(&database).output_cost();
    super::super::row("supertag-cli: sync index, from nothing", whole);
    let context = |topic: &String| {
        best(|| {
            let mut command = peer.command(&["context", "--offline", "-w", "main", "--"]);
            drop(command.arg(topic).output().expect("it starts"));
        })
    };
    let times: Vec<f64> = topics.iter().take(10).chain(topics.iter().rev().take(10)).map(context).collect();
    println!("{}  supertag-cli: context, 10 hubs and 10 others", percentiles(&times));
}

struct Peer {
    place: PathBuf,
    /// Its settings and its database.
    home: PathBuf,
}

impl Peer {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.place.join("bun/node_modules/.bin/bun"));
        command.arg("run").arg(self.place.join("supertag/src/index.ts")).args(arguments);
        command.current_dir(self.place.join("supertag")).env("HOME", &self.home);
        command
    }
}
