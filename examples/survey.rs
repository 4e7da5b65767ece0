use contextpack::language::*;
use contextpack::record::{Kind, Role};
use contextpack::text::RepoPath;
fn main() {
    let languages = Languages::builtin();
    let mut slow = vec![];
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            println!("SKIP {path}");
            continue;
        };
        let name = path.rsplit('/').next().unwrap().to_string();
        let Some(language) = languages.detect(&RepoPath::try_from(name).unwrap(), &text) else {
            println!("NONE {path}");
            continue;
        };
        let t = std::time::Instant::now();
        let facts = language.parse(&text, &Limits { max_chunk_bytes: 4096 }).unwrap();
        let t = t.elapsed();
        let c = |k| facts.definitions.iter().filter(|d| d.kind == k).count();
        let r = |k| facts.mentions.iter().filter(|d| d.role == k).count();
        println!(
            "{} sections={} elements={} use={} import={} embedded={} bytes={} {:?} {path}",
            language.id(),
            c(Kind::Section),
            c(Kind::Element),
            r(Role::Use),
            r(Role::Import),
            facts.embedded.len(),
            text.len(),
            t
        );
        slow.push((t.as_nanos() / (text.len() as u128 + 1000), path));
    }
    slow.sort();
    for s in slow.iter().rev().take(3) {
        println!("SLOW ns/byte {s:?}");
    }
}
