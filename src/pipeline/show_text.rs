//! Formats a shown node.

use std::fmt::Write as _;

use super::show::{Item, NodeView, Shown};
use crate::record::{EdgeStatus, NodeKind};

/// JSON, for programs.
pub fn show_json(shown: &Shown) -> String {
    serde_json::to_string_pretty(shown).expect("it is JSON") + "\n"
}

/// Text, for people and models. With `only_filled`, views without items are left out.
pub fn show_text(shown: &Shown, only_filled: bool) -> String {
    let mut text = format!("{}\n", title(&shown.node));
    shown.also.iter().for_each(|name| text += &format!("  also: {name}\n"));
    if shown.also_omitted > 0 {
        let _ = writeln!(text, "  also: and {} more", shown.also_omitted);
    }
    if shown.node.unresolved > 0 {
        let _ = writeln!(text, "  {} references from here lead to nothing known", shown.node.unresolved);
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

fn draw_items(text: &mut String, items: &[Item], omitted: usize, depth: usize) {
    let indent = "  ".repeat(depth);
    for item in items {
        let seen = item.seen.as_ref().map(|seen| format!("  at {}:{}", seen.file_rel_path, seen.line));
        let status = match item.status {
            EdgeStatus::Ambiguous => ", one of several",
            EdgeStatus::External => ", external",
            EdgeStatus::Resolved => "",
        };
        let tier = serde_json::to_value(item.tier).ok();
        let tier = tier.as_ref().and_then(|tier| tier.as_str()).unwrap_or_default();
        let again = if item.repeated { " (shown above)" } else { "" };
        let _ = writeln!(
            text,
            "{indent}{}{}  [{} {tier}{status}]{again}",
            title(&item.node),
            seen.unwrap_or_default(),
            item.confidence
        );
        draw_items(text, &item.items, item.omitted, depth + 1);
    }
    if omitted > 0 {
        let _ = writeln!(text, "{indent}… and {omitted} more (raise the fanout)");
    }
}

fn title(node: &NodeView) -> String {
    match (&node.file_rel_path, node.kind) {
        (Some(path), NodeKind::File) => path.to_string(),
        (Some(path), _) if node.name.is_empty() => format!("{path} (outside of definitions)"),
        (Some(path), _) => format!("{} ({path})", node.name),
        (None, _) => node.name.clone(),
    }
}
