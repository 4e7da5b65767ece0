//! A vault of pages with sections and links.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{Random, Words};

pub struct VaultCounts {
    pub pages: usize,
    pub sections: usize,
    pub links: usize,
}

/// Writes so many pages with five sections and ten links each. Three links in twenty lead to pages that are not there.
pub fn plant_vault(root: &Path, pages: usize) -> VaultCounts {
    let mut random = Random::new(1);
    let words = Words::new(&mut random);
    fs::create_dir_all(root.join(".obsidian")).expect("it can be made");
    fs::write(root.join(".obsidian/app.json"), "{}").expect("it can be written");
    for page in 0..pages {
        let folder = root.join(format!("folder {}", page % 200));
        fs::create_dir_all(&folder).expect("it can be made");
        fs::write(folder.join(format!("Page {page}.md")), text(page, pages, &mut random, &words)).expect("it is free");
    }
    VaultCounts { pages, sections: 5 * pages, links: 10 * pages }
}

fn text(page: usize, pages: usize, random: &mut Random, words: &Words) -> String {
    let day = page % 28 + 1;
    let mut text = format!("---\ntags: [t{}]\nstatus: s{}\nmodified: 2026-01-{day:02}\n---\n", page % 300, page % 7);
    for section in 0..5 {
        let _ = write!(text, "\n## {} {section}\n\n", words.text(random, 3));
        for _ in 0..2 {
            let target = random.below(pages);
            let is_written = !random.is_one_of(150);
            let name = if is_written { format!("Page {target}") } else { format!("Idea {}", target % 5000) };
            let count = random.between(5, 25);
            let _ = writeln!(text, "{} [[{name}]] {}\n", words.text(random, count), words.text(random, 5));
        }
    }
    text
}
