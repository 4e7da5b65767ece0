//! An index drawn under the source lines it speaks of, for people.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use contextpack::record::{Artifact, Chunk, File, Problem, Reference, References, Role, Site, Symbol};
use contextpack::store::Index;

/// Draws every text file of a small tree.
pub fn draw(index: &Path, source: &Path) -> String {
    let index = Index::open(index).expect("the index is sound");
    let (chunks, symbols) = (records::<Chunk>(&index), records::<Symbol>(&index));
    let (references, problems) = (records::<References>(&index), records::<Problem>(&index));
    let mut view = String::new();
    for file in records::<File>(&index) {
        let path = &file.file_rel_path;
        let language = file.language_id.as_ref().map_or("-", |id| id.as_str());
        let _ = writeln!(view, "==== {path} · {language} · {:?} {:?}", file.analysis, file.marks);
        let _ = file.package.iter().try_for_each(|package| writeln!(view, "package {package}"));
        for problem in problems.iter().filter(|problem| problem.file_rel_path == *path) {
            let line = problem.lines.map(|lines| format!(":{}", lines.start)).unwrap_or_default();
            let _ = writeln!(view, "problem{line} {}: {}", problem.code, problem.message);
        }
        let mut notes: Vec<Note> = Vec::new();
        notes.extend(chunks.iter().filter(|chunk| chunk.file_rel_path == *path).map(chunk_note));
        notes.extend(symbols.iter().filter(|symbol| symbol.file_rel_path == *path).map(symbol_note));
        let own =
            references.iter().filter(|record| record.file_rel_path == *path).flat_map(|record| &record.references);
        notes.extend(own.flat_map(|reference| reference.sites.iter().map(|site| reference_note(reference, site))));
        notes.sort();
        let text = fs::read(source.join(path.as_str())).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        for (at, line) in text.trim_start_matches('\u{feff}').split_inclusive('\n').enumerate() {
            draw_line(&mut view, at as u32 + 1, line, &notes);
        }
        view.push('\n');
    }
    view
}

fn records<A: Artifact>(index: &Index) -> Vec<A> {
    index.records::<A>().expect("the artifact is there").map(|record| record.expect("it is sound")).collect()
}

/// Line, then above (0) or below (1) it, column, width, words.
type Note = (u32, u8, u32, u32, String);

fn draw_line(view: &mut String, number: u32, line: &str, notes: &[Note]) {
    for (.., words) in notes.iter().filter(|note| note.0 == number && note.1 == 0) {
        let _ = writeln!(view, "     ┌ {words}");
    }
    let _ = writeln!(view, "{number:4} │ {}", line.trim_end().replace('\t', "→"));
    for (_, _, column, width, words) in notes.iter().filter(|note| note.0 == number && note.1 == 1) {
        let _ = writeln!(view, "     │ {}{} {words}", " ".repeat(*column as usize), "^".repeat(*width as usize));
    }
}

fn chunk_note(chunk: &Chunk) -> Note {
    let mut words = format!("chunk {}", word(&chunk.kind));
    let _ = chunk.qualified_name.iter().try_for_each(|name| write!(words, " {name}"));
    let _ = write!(words, " · lines {}-{}", chunk.lines.start, chunk.lines.end);
    let _ = chunk.part.iter().try_for_each(|part| write!(words, " · part {} of {}", part.index, part.count));
    if let Some(shown) = &chunk.shown {
        let lines: Vec<String> = shown.iter().map(|lines| format!("{}-{}", lines.start, lines.end)).collect();
        let _ = write!(words, " · shows {}", lines.join(" "));
    }
    let _ = write!(words, " · {}", chunk.language_id.as_str());
    (chunk.lines.start, 0, 0, 0, words)
}

fn symbol_note(symbol: &Symbol) -> Note {
    let mut words = format!("symbol {} {}", word(&symbol.kind), symbol.qualified_name);
    if symbol.exported {
        words += " · exported";
    }
    let parameters: Vec<String> = symbol
        .parameters
        .iter()
        .map(|p| p.value_type.as_ref().map_or(p.name.clone(), |value_type| format!("{}: {value_type}", p.name)))
        .collect();
    if !parameters.is_empty() {
        let _ = write!(words, " · ({})", parameters.join(", "));
    }
    let _ = symbol.value_type.iter().try_for_each(|value_type| write!(words, " → {value_type}"));
    let _ = symbol.doc.iter().try_for_each(|doc| write!(words, " · doc {:?}", doc.lines().next().unwrap_or_default()));
    let descriptors = symbol.symbol_id.as_str().rsplit(" . ").next().unwrap_or_default();
    let _ = write!(words, " · {descriptors}");
    let _ = symbol.signature.iter().try_for_each(|signature| write!(words, " · `{signature}`"));
    at_site(&symbol.site, words)
}

fn reference_note(reference: &Reference, site: &Site) -> Note {
    let mut words = format!("{} {}", word(&reference.role), reference.name);
    let _ = reference.receiver.iter().try_for_each(|receiver| write!(words, " of {receiver}"));
    let _ = reference.receiver_type.iter().try_for_each(|receiver_type| write!(words, ": {receiver_type}"));
    let _ = reference.arguments.iter().try_for_each(|count| write!(words, " · {count} arguments"));
    if let Some(binding) = &reference.binding {
        let part = |name: &str, value: &Option<String>| {
            value.as_ref().map(|value| format!(" {name}={value}")).unwrap_or_default()
        };
        words += &part("module", &binding.module);
        words += &part("name", &binding.name);
        words += &part("alias", &binding.alias);
        words += &part("style", &binding.style);
    }
    if let (Some(flow), Role::Flow) = (&reference.flow, reference.role) {
        let receiver = flow.receiver.as_ref().map(|receiver| format!("{receiver}.")).unwrap_or_default();
        let into = flow.argument.map_or("receiver".to_string(), |position| format!("argument {position}"));
        let _ = write!(words, " ← {} {receiver}{} into {into}", word(&flow.source), flow.name);
    }
    at_site(site, words)
}

fn at_site(site: &Site, words: String) -> Note {
    (site.line, 1, site.column, site.end.saturating_sub(site.start).clamp(1, 40), words)
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).unwrap().as_str().unwrap_or_default().to_string()
}
