//! Formats what `show` found, for people and models.

use std::fmt::Write as _;

use serde::Serialize;

use super::show::{Answer, Item, NodeView, Shown};
use super::show_path::{Course, PathShown, PathStep};
use crate::door::browse::definitions::{FolderShown, OutlineEntry, OutlineOfFile};
use crate::record::{EdgeStatus, Lines, NodeKind, Score, Tier};
use crate::text::counted;

/// JSON, for programs.
pub fn show_json(shown: &impl Serialize) -> String {
    serde_json::to_string_pretty(shown).expect("it is JSON") + "\n"
}

/// Everything that a request shows. With `only_filled`, views without items are left out.
pub fn answer_text(answer: &Answer, only_filled: bool) -> String {
    match answer {
        Answer::One(shown) => show_text(shown, only_filled),
        Answer::Folder(folder) => folder_text(folder),
        Answer::All(all) => {
            let texts: Vec<String> = all.shown.iter().map(|shown| show_text(shown, only_filled)).collect();
            let more = (all.omitted > 0).then(|| format!("\n… and {} more with that name\n", all.omitted));
            texts.join("\n") + &more.unwrap_or_default()
        }
    }
}

/// Text, for people and models. With `only_filled`, views without items are left out.
pub fn show_text(shown: &Shown, only_filled: bool) -> String {
    let mut text = format!("{}\n", shown_title(shown));
    shown.also.iter().for_each(|name| text += &format!("  also: {name}\n"));
    if shown.also_omitted > 0 {
        let _ = writeln!(text, "  also: and {} more (--all shows each)", shown.also_omitted);
    }
    if shown.node.unresolved > 0 {
        let references = counted(shown.node.unresolved as usize, "reference");
        let verb = if shown.node.unresolved == 1 { "leads" } else { "lead" };
        let _ = writeln!(text, "  {references} from here {verb} to nothing known");
    }
    if !shown.definitions.is_empty() {
        text += "definitions:\n";
        draw_outline(&mut text, &shown.definitions, shown.definitions_omitted, 1);
    }
    for view in shown.views.iter().filter(|view| !only_filled || !view.items.is_empty()) {
        let _ = writeln!(text, "{}:", view.view.name());
        if view.items.is_empty() {
            let _ = writeln!(text, "  none");
        }
        draw_items(&mut text, &view.items, view.omitted, 1);
    }
    text
}

/// The files of a directory with their top-level definitions.
pub fn folder_text(shown: &FolderShown) -> String {
    let name = if shown.folder.is_empty() { "." } else { &shown.folder };
    let mut text = format!("{name}/ ({})\n", counted(shown.file_count, "file"));
    for file in &shown.files {
        let OutlineOfFile { definitions, omitted } = &file.outline;
        let _ = writeln!(text, "  {}", file.file_rel_path);
        draw_outline(&mut text, definitions, *omitted, 2);
    }
    if shown.omitted > 0 {
        let folders = shown.omitted_in.iter().map(|count| format!("{}/ {}", count.folder, count.files));
        let folders = folders.collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "  … and {} in {folders}", counted(shown.omitted, "more file"));
    }
    text
}

/// A path, one step per line.
pub fn path_text(shown: &PathShown) -> String {
    let (from, to) = (title(&shown.from), title(&shown.to));
    let (Some(course), Some(start)) = (shown.course, &shown.start) else {
        return format!(
            "no path of at most {} steps connects {from} and {to}\n  hint: `contextpack show NAME` lists what each of them is connected with\n",
            shown.max_steps
        );
    };
    let steps = counted(shown.steps.len(), "step");
    let mut text = match course {
        Course::Forward => format!("{from} leads to {to} in {steps}\n"),
        Course::Backward => format!("{to} leads to {from} in {steps}; nothing leads the other way\n"),
        Course::Mixed => format!("neither leads to the other; they are connected by {steps}, some against the arrow\n"),
    };
    let _ = writeln!(text, "  {}", title(start));
    shown.steps.iter().for_each(|step| draw_step(&mut text, step));
    text
}

fn draw_step(text: &mut String, step: &PathStep) {
    let name = step.edge_type.name();
    let arrow = if step.along { format!("--{name}-->") } else { format!("<--{name}--") };
    let seen = step.seen.as_ref().map(|seen| format!("  at {}:{}", seen.file_rel_path, seen.line));
    let known = known(step.confidence, step.tier, step.status);
    let _ = writeln!(text, "  {arrow} {}{}  {known}", title(&step.to), seen.unwrap_or_default());
}

fn draw_outline(text: &mut String, entries: &[OutlineEntry], omitted: usize, depth: usize) {
    let width = entries.iter().map(|entry| line_range(entry.lines).len()).max().unwrap_or(0);
    let indent = "  ".repeat(depth);
    for entry in entries {
        let inner = "  ".repeat(entry.depth as usize);
        let _ =
            writeln!(text, "{indent}{:width$}  {inner}{} {}", line_range(entry.lines), word(&entry.kind), entry.name);
    }
    if omitted > 0 {
        let _ = writeln!(text, "{indent}… and {omitted} more");
    }
}

fn draw_items(text: &mut String, items: &[Item], omitted: usize, depth: usize) {
    let indent = "  ".repeat(depth);
    for item in items {
        let seen = item.seen.as_ref().map(|seen| format!("  at {}:{}", seen.file_rel_path, seen.line));
        let known = known(item.confidence, item.tier, item.status);
        let again = if item.repeated { " (shown above)" } else { "" };
        let _ = writeln!(text, "{indent}{}{}  {known}{again}", title(&item.node), seen.unwrap_or_default());
        draw_items(text, &item.items, item.omitted, depth + 1);
    }
    if omitted > 0 {
        let _ = writeln!(text, "{indent}… and {omitted} more (raise the fanout)");
    }
}

/// How an edge is known.
fn known(confidence: Score, tier: Tier, status: EdgeStatus) -> String {
    let status = match status {
        EdgeStatus::Ambiguous => ", one of several",
        EdgeStatus::External => ", external",
        EdgeStatus::Resolved => "",
    };
    format!("[{confidence} {}{status}]", word(&tier))
}

/// A value of the records as JSON writes it.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|word| word.as_str().map(str::to_string)).unwrap_or_default()
}

fn shown_title(shown: &Shown) -> String {
    match (&shown.node.file_rel_path, &shown.definition) {
        (Some(path), Some(definition)) => {
            format!("{} ({path}:{})", shown.node.name, line_range(definition.lines))
        }
        _ => title(&shown.node),
    }
}

fn line_range(lines: Lines) -> String {
    match lines.start == lines.end {
        true => lines.start.to_string(),
        false => format!("{}-{}", lines.start, lines.end),
    }
}

/// The name of a node, with its path.
pub fn title(node: &NodeView) -> String {
    match (&node.file_rel_path, node.kind) {
        (Some(path), NodeKind::File) => path.to_string(),
        (Some(path), _) if node.name.is_empty() => format!("{path} (outside of definitions)"),
        (Some(path), _) => format!("{} ({path})", node.name),
        (None, _) => node.name.clone(),
    }
}
